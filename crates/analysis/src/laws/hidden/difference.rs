//! Finds the difference between two pieces of information that a viewer receives.

use serde_json::Value;

use super::information::{Information, ReceivedRefusal, ViewerDecision, languages};
use crate::laws::found::Contrast;
use wyrmgate_engine::{Event, ViewReader, Viewer};
use wyrmgate_program::{Program, SiteId};
use wyrmgate_view::{as_json, event_doc, event_with_label};

/// A difference, with what is known of its origin.
#[derive(Debug, Clone)]
pub(super) struct WorldDifference {
    /// The part that differs: "the event `said`", "its view", "its choices".
    pub what: String,
    pub contrast: Contrast,
    pub origin: DifferenceOrigin,
}

impl WorldDifference {
    /// Creates a difference between what is received in two worlds.
    fn between(what: &str, here: &Value, there: &Value, origin: DifferenceOrigin) -> Self {
        WorldDifference {
            what: what.to_owned(),
            contrast: contrast(here, there),
            origin,
        }
    }
}

#[derive(Debug, Clone)]
pub(super) enum DifferenceOrigin {
    /// Events with these numbers, in either world, or their absence.
    Events(usize, usize),
    /// The decision that is owed.
    Site(SiteId),
    /// Refusals, in either world.
    Refused(Option<ReceivedRefusal>, Option<ReceivedRefusal>, SiteId),
    /// Something in what is seen.
    View,
}

/// Compares the events that the viewer receives in two worlds.
pub(super) fn of_events(
    program: &Program,
    viewer: Viewer,
    here: &[Event],
    there: &[Event],
) -> Option<WorldDifference> {
    let (mut at, mut at_there) = (0, 0);
    loop {
        // Most events are identical and need no comparison in detail.
        while let (Some(one), Some(other)) = (here.get(at), there.get(at_there))
            && one == other
        {
            (at, at_there) = (at + 1, at_there + 1);
        }
        at += silent(program, viewer, here, at);
        at_there += silent(program, viewer, there, at_there);
        let (one, other) = (here.get(at), there.get(at_there));
        if one.is_none() && other.is_none() {
            return None;
        }
        for language in languages(program) {
            let reader = viewer.reading(language);
            let (one, other) = (
                described(program, here, at, reader),
                described(program, there, at_there, reader),
            );
            if one != other {
                let what = event_in_words(one.as_ref(), other.as_ref());
                let (one, other) = (one.unwrap_or_default(), other.unwrap_or_default());
                let origin = DifferenceOrigin::Events(at, at_there);
                return Some(WorldDifference::between(&what, &one, &other, origin));
            }
        }
        (at, at_there) = (at + 1, at_there + 1);
    }
}

fn described(program: &Program, events: &[Event], at: usize, reader: ViewReader) -> Option<Value> {
    let later = events.iter().skip(at + 1);
    event_with_label(program, events.get(at)?, later, reader).map(Value::from)
}

/// Returns the number of events from here on that the viewer does not receive, before one that it does.
fn silent(program: &Program, viewer: Viewer, events: &[Event], at: usize) -> usize {
    let rest = events.iter().skip(at);
    let silent = rest.take_while(|event| event_doc(program, event, viewer).is_none());
    silent.count()
}

fn event_in_words(one: Option<&Value>, other: Option<&Value>) -> String {
    let kind = |event: Option<&Value>| {
        let kind = event.and_then(|event| event.get("type"))?.as_str()?;
        Some(kind.to_owned())
    };
    match (kind(one), kind(other)) {
        (Some(one), Some(other)) if one == other => format!("an event `{one}`"),
        (Some(one), Some(other)) if one > other => format!("an event `{other}` or `{one}`"),
        (Some(one), Some(other)) => format!("an event `{one}` or `{other}`"),
        (Some(one), None) | (None, Some(one)) => format!("an event `{one}` or none"),
        (None, None) => "an event".to_owned(),
    }
}

/// Describes that the viewer may take back its choice in one world only; `here` in the first one.
pub(super) fn of_undo(here: bool, site: SiteId) -> WorldDifference {
    let (what, origin) = (
        "whether it may take back its choice",
        DifferenceOrigin::Site(site),
    );
    WorldDifference::between(what, &here.into(), &(!here).into(), origin)
}

/// Compares the views and choices of the viewer at a rest in two worlds.
pub(super) fn of_information(here: &Information, there: &Information) -> Option<WorldDifference> {
    if here == there {
        return None;
    }
    let mut views = here.views.iter().zip(&there.views);
    if let Some((one, other)) = views.find(|(one, other)| one != other) {
        let (one, other, origin) = (as_json(one), as_json(other), DifferenceOrigin::View);
        return Some(WorldDifference::between("its view", &one, &other, origin));
    }
    let asked = here.asked.iter().zip(&there.asked);
    let mut asked = asked.filter(|(one, other)| one != other);
    asked.find_map(|(one, other)| of_asked(one, other))
}

fn of_asked(here: &ViewerDecision, there: &ViewerDecision) -> Option<WorldDifference> {
    let at_site = |what: &str, one: &Value, other: &Value| {
        let origin = DifferenceOrigin::Site(here.site);
        Some(WorldDifference::between(what, one, other, origin))
    };
    let mut docs = here.docs.iter().zip(&there.docs);
    if let Some((one, other)) = docs.find(|(one, other)| one != other) {
        return at_site("the decision it owes", &as_json(one), &as_json(other));
    }
    if here.default != there.default {
        let (one, other) = (as_json(&here.default), as_json(&there.default));
        return at_site("its default", &one, &other);
    }
    let refused = here.refused.iter().zip(&there.refused);
    let (one, other) = refused.into_iter().find(|(one, other)| one != other)?;
    let origin = DifferenceOrigin::Refused(one.clone(), other.clone(), here.site);
    let (one, other) = (refusal(one.as_ref()), refusal(other.as_ref()));
    let what = "the reason of a refusal";
    Some(WorldDifference::between(what, &one, &other, origin))
}

fn refusal(refused: Option<&ReceivedRefusal>) -> Value {
    match refused {
        None => Value::from("accepted"),
        Some(ReceivedRefusal(rejection)) => serde_json::json!({
            "code": rejection.code.name(),
            "clauses": rejection.clauses,
            "message": rejection.message,
        }),
    }
}

/// Returns the first member in which two values differ.
pub(super) fn contrast(here: &Value, there: &Value) -> Contrast {
    let mut member = String::new();
    let (here, there) = descend(here, there, &mut member);
    Contrast {
        member,
        here,
        there,
    }
}

fn descend(here: &Value, there: &Value, member: &mut String) -> (Value, Value) {
    match (here, there) {
        (Value::Object(one), Value::Object(other)) if one.keys().eq(other.keys()) => {
            let differing = one
                .iter()
                .find(|(key, value)| other.get(*key) != Some(value));
            if let Some((key, value)) = differing {
                if !member.is_empty() {
                    member.push('.');
                }
                member.push_str(key);
                return descend(value, other.get(key).unwrap_or(&Value::Null), member);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let differing = one.iter().zip(other).position(|(one, other)| one != other);
            if let Some(at) = differing {
                member.push_str(&format!("[{at}]"));
                let of = |list: &[Value]| list.get(at).cloned().unwrap_or(Value::Null);
                return descend(&of(one), &of(other), member);
            }
        }
        _ => {}
    }
    (here.clone(), there.clone())
}

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
        while here
            .get(at)
            .is_some_and(|event| is_silent(program, viewer, event))
        {
            at += 1;
        }
        while there
            .get(at_there)
            .is_some_and(|event| is_silent(program, viewer, event))
        {
            at_there += 1;
        }
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
                return Some(WorldDifference {
                    what: event_in_words(one.as_ref(), other.as_ref()),
                    contrast: contrast(&one.unwrap_or(Value::Null), &other.unwrap_or(Value::Null)),
                    origin: DifferenceOrigin::Events(at, at_there),
                });
            }
        }
        (at, at_there) = (at + 1, at_there + 1);
    }
}

fn described(program: &Program, events: &[Event], at: usize, reader: ViewReader) -> Option<Value> {
    let later = events.iter().skip(at + 1);
    event_with_label(program, events.get(at)?, later, reader).map(Value::from)
}

fn is_silent(program: &Program, viewer: Viewer, event: &Event) -> bool {
    event_doc(program, event, viewer).is_none()
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
    WorldDifference {
        what: "whether it may take back its choice".to_owned(),
        contrast: contrast(&Value::from(here), &Value::from(!here)),
        origin: DifferenceOrigin::Site(site),
    }
}

/// Compares the views and choices of the viewer at a rest in two worlds.
pub(super) fn of_information(here: &Information, there: &Information) -> Option<WorldDifference> {
    if here == there {
        return None;
    }
    let views = here.views.iter().zip(&there.views);
    for (one, other) in views {
        if one != other {
            return Some(WorldDifference {
                what: "its view".to_owned(),
                contrast: contrast(&as_json(one), &as_json(other)),
                origin: DifferenceOrigin::View,
            });
        }
    }
    let asked = here.asked.iter().zip(&there.asked);
    asked
        .filter(|(one, other)| one != other)
        .find_map(|(one, other)| of_asked(one, other))
}

fn of_asked(here: &ViewerDecision, there: &ViewerDecision) -> Option<WorldDifference> {
    let origin = DifferenceOrigin::Site(here.site);
    for (one, other) in here.docs.iter().zip(&there.docs) {
        if one != other {
            return Some(WorldDifference {
                what: "the decision it owes".to_owned(),
                contrast: contrast(&as_json(one), &as_json(other)),
                origin,
            });
        }
    }
    if here.default != there.default {
        return Some(WorldDifference {
            what: "its default".to_owned(),
            contrast: contrast(&as_json(&here.default), &as_json(&there.default)),
            origin,
        });
    }
    let refused = here.refused.iter().zip(&there.refused);
    let (one, other) = refused.into_iter().find(|(one, other)| one != other)?;
    Some(WorldDifference {
        what: "the reason of a refusal".to_owned(),
        contrast: contrast(&refusal(one.as_ref()), &refusal(other.as_ref())),
        origin: DifferenceOrigin::Refused(one.clone(), other.clone(), here.site),
    })
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

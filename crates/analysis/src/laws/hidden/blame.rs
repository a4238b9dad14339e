//! Finds the line of the rules that caused a difference: the point at which the two worlds first diverged, or showed
//! something different.

use super::difference::DifferenceOrigin;
use super::line::PlayedLine;
use super::other::{Leak, OtherWorld};
use crate::laws::JUDGE;
use crate::laws::found::LawFinding;
use serde_json::Value;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_engine::{At, Choice, Collect, Event, Observer, State, Viewer, start, step_legal};
use wyrmgate_program::{Address, Program, SiteId, Type};
use wyrmgate_view::{choice_to_json, name_of_value, names_by_place};

/// Number of differences between the worlds that a report lists.
const OTHERS_TOLD: usize = 3;

/// The executed operations, and the number of them before each event.
#[derive(Default)]
struct Trace {
    operations: Vec<Address>,
    events: Vec<usize>,
}

impl Observer for Trace {
    fn event(&mut self, _: Event) {
        self.events.push(self.operations.len());
    }

    fn operation(&mut self, at: At<'_>) {
        self.operations.push(at.address);
    }
}

pub(super) fn found(line: &PlayedLine<'_>, world: &OtherWorld, leak: &Leak) -> LawFinding {
    let difference = &leak.difference;
    let who = match line.viewer {
        Viewer::Seat(seat) => format!("seat {}", seat + 1),
        Viewer::Public | Viewer::Omniscient(_) => "a viewer without a seat".to_owned(),
    };
    let sentence = format!(
        "state hidden from {who} influences what it receives: {}",
        difference.what
    );
    let span = span_of(line, world, leak);
    // One line of the rules is one cause, however it shows.
    let cause = match (span, difference.contrast.member.split('[').next()) {
        (Some(_), _) => "hidden".to_owned(),
        (None, Some(member)) => format!("{} {member}", difference.what),
        (None, None) => difference.what.clone(),
    };
    let mut notes = Vec::new();
    notes.extend(otherwise(line, world, leak));
    notes.push(
        "if the rules reveal this on purpose, put `revealed(…)` around the revealed value; of a list, around the condition that selects its members: `… where revealed(…)`"
            .to_owned(),
    );
    LawFinding {
        sentence,
        cause: Some(cause),
        span,
        told: Some(difference.contrast.clone()),
        notes,
        ..LawFinding::default()
    }
}

fn span_of(line: &PlayedLine<'_>, world: &OtherWorld, leak: &Leak) -> Option<Span> {
    let program = line.program;
    match &leak.difference.origin {
        DifferenceOrigin::Events(here, there) => {
            let (one, other) = traces(line, world, leak);
            let place = |trace: &Trace, event: usize| {
                let at = trace.events.get(event);
                at.copied().unwrap_or(trace.operations.len())
            };
            let told = place(&one, *here).min(place(&other, *there));
            parted(program, &one, &other, told).or_else(|| asked(line, leak.point.checked_sub(1)?))
        }
        DifferenceOrigin::Refused(one, other, site) => {
            let refused = one.as_ref().or(other.as_ref());
            let span = refused.and_then(|refused| refused.0.span);
            span.or_else(|| site_span(program, *site))
        }
        DifferenceOrigin::Site(site) => site_span(program, *site),
        DifferenceOrigin::View => {
            let (one, other) = traces(line, world, leak);
            parted(program, &one, &other, usize::MAX).or_else(|| asked(line, leak.point))
        }
    }
}

/// Returns the place of the operation after which two worlds diverged, or that of an earlier operation that showed
/// something different.
fn parted(program: &Program, one: &Trace, other: &Trace, told: usize) -> Option<Span> {
    let both = one.operations.iter().zip(&other.operations);
    let same = both.take_while(|(one, other)| one == other).count();
    let at = match told <= same {
        true => told,
        false if same < one.operations.len().max(other.operations.len()) => same,
        false => return None,
    };
    let address = one.operations.get(at.checked_sub(1)?)?;
    program.code.spans.get(*address as usize).copied()
}

fn traces(line: &PlayedLine<'_>, world: &OtherWorld, leak: &Leak) -> (Trace, Trace) {
    let (mut one, mut other) = (Trace::default(), Trace::default());
    again(line, leak.point, &mut one);
    world.watch(line, leak.point, &mut other);
    (one, other)
}

/// Repeats the last step before this rest.
fn again(line: &PlayedLine<'_>, point: usize, observer: &mut dyn Observer) -> Option<()> {
    let mut course = line.course.again();
    let mut nobody = Collect::default();
    let mut state = match &line.base {
        Some(state) => state.clone(),
        None if point == 0 => start(line.program, [0; 32], &mut course, observer).ok()?,
        None => start(line.program, [0; 32], &mut course, &mut nobody).ok()?,
    };
    for (number, from) in line.points.iter().take(point).enumerate() {
        let (owed, choice) = from.taken.as_ref()?;
        let observer: &mut dyn Observer = match number + 1 == point {
            true => observer,
            false => &mut nobody,
        };
        step_legal(
            line.program,
            &mut state,
            owed.index,
            choice,
            &mut course,
            observer,
        )
        .ok()?;
    }
    Some(())
}

/// Returns the decision that is owed at a rest.
fn asked(line: &PlayedLine<'_>, point: usize) -> Option<Span> {
    let (owed, _) = line.points.get(point)?.taken.as_ref()?;
    site_span(line.program, owed.site)
}

fn site_span(program: &Program, site: SiteId) -> Option<Span> {
    program.site(site).map(|site| site.span)
}

/// Describes the difference between the worlds.
fn otherwise(line: &PlayedLine<'_>, world: &OtherWorld, leak: &Leak) -> Option<String> {
    let point = line.points.get(leak.point)?;
    let there = leak.there.as_ref()?;
    let mut others = answers_otherwise(line, leak);
    others.extend(drawn_otherwise(line, world, leak));
    others.extend(components_otherwise(line.program, &point.state, there));
    others.extend(vars_otherwise(line.program, &point.state, there));
    let more = others.len().saturating_sub(OTHERS_TOLD);
    others.truncate(OTHERS_TOLD);
    if more > 0 {
        others.push(format!("{more} more"));
    }
    (!others.is_empty()).then(|| format!("the worlds differ in {}", others.join(", ")))
}

/// Returns the secret answers that differ, the last one first, because it is the likeliest to show.
fn answers_otherwise(line: &PlayedLine<'_>, leak: &Leak) -> Vec<String> {
    let answers = leak.others.answers.iter().rev();
    let answers = answers.filter_map(|(rest, other)| {
        let point = line.points.get(*rest)?;
        let (owed, first) = point.taken.as_ref()?;
        let named = |choice: &Choice| -> Value {
            choice_to_json(line.program, &point.state, owed, choice, JUDGE).into()
        };
        let seat = owed.seat + 1;
        let (first, other) = (named(first), named(other));
        Some(format!(
            "the secret answer of seat {seat}: `{first}` or `{other}`"
        ))
    });
    answers.collect()
}

/// Returns the random choice whose result differs between the two worlds.
fn drawn_otherwise(line: &PlayedLine<'_>, world: &OtherWorld, leak: &Leak) -> Option<String> {
    let key = world.plan.redrawn.filter(|_| leak.others.is_redrawn)?;
    let chosen = line
        .course
        .choices
        .iter()
        .find(|chosen| chosen.key == key)?;
    let site = line.program.site(chosen.site)?;
    let binders = site.options.iter().flat_map(|option| &option.binders);
    let names: Vec<&str> = binders.map(|binder| binder.name.as_str()).collect();
    Some(format!("`{}`, chosen at random", names.join("`, `")))
}

fn components_otherwise(program: &Program, here: &State, there: &State) -> Vec<String> {
    let name = |component: i32| {
        name_of_value(program, JUDGE, component, Type::Component(None)).into_owned()
    };
    let names = names_by_place(here, there);
    let all = names.iter().enumerate();
    let others = all.filter(|(component, other)| **other != *component as i32);
    let told = others.map(|(component, other)| {
        let zone = here.zone_of(component as i32);
        let zone = name_of_value(program, JUDGE, zone, Type::Zone(None));
        format!(
            "`{}` or `{}` in `{zone}`",
            name(component as i32),
            name(*other)
        )
    });
    told.collect()
}

fn vars_otherwise(program: &Program, here: &State, there: &State) -> Vec<String> {
    let mut others = Vec::new();
    for var in program.vars.iter().filter(|var| !var.internal) {
        for word in var.offset..var.offset + var.len {
            if here.var(word) != there.var(word) {
                others.push(format!("`{}`", var.name));
                break;
            }
        }
    }
    others
}

//! Secret answers of other seats, and the part of them that becomes public.
//!
//! An answer may show when the decision is complete, because the rules then use it. It is hidden if they put it out of
//! sight instead, and before all seats have answered. A chosen component is hidden as long as it lies hidden; one with a
//! back may show when the decision is complete. Of components that lie open, the choice itself is hidden.

use super::line::{PlayedLine, SecretAnswer};
use wyrmgate_engine::{
    BoundValue, Event, SeenValue, Viewer, has_back, pending, sees_as, stays_secret,
};
use wyrmgate_program::{BinderInfo, Type};

/// Returns the secret answer that was given in a step of a line.
pub(super) fn answer(line: &PlayedLine<'_>, step: usize) -> Option<SecretAnswer> {
    let point = line.points.get(step)?;
    let (owed, choice) = point.taken.as_ref()?;
    if !owed.secret || Viewer::Seat(owed.seat) == line.viewer {
        return None;
    }
    let complete = completed(line, step);
    let site = line.program.site(owed.site)?;
    let option = site.options.get(usize::from(choice.option))?;
    let mut is_put_away = site.options.len() == 1;
    let (mut is_open, mut is_seen) = (false, false);
    let names_components = |binder: &BinderInfo| matches!(binder.of, Type::Component(_));
    let is_mixed =
        option.binders.iter().any(names_components) && !option.binders.iter().all(names_components);
    let lies_open = |value: &i32| sees_as(line.program, &point.state, line.viewer, *value);
    for (arg, binder) in choice.args.iter().zip(&option.binders) {
        let values = match arg {
            BoundValue::One(value) => std::slice::from_ref(value),
            BoundValue::Many(values) => values.as_slice(),
        };
        match binder.of {
            Type::Component(_) if !values.is_empty() && values.iter().all(lies_open) => {
                is_open = true;
                is_put_away = false;
            }
            Type::Component(_) => {
                is_seen |= values.iter().any(|value| line.glance.was_seen(*value));
                // A viewer who sees the backs of a hand sees the place from which a card was taken.
                is_put_away &= !values.iter().any(|value| has_back(line.program, *value));
            }
            _ => {
                is_put_away &= values
                    .iter()
                    .all(|value| stays_away(line, complete, *value))
            }
        }
    }
    if is_seen && !is_mixed {
        return None;
    }
    Some(SecretAnswer {
        is_seen,
        shows_at: complete.filter(|_| !is_put_away),
        is_open,
        completed_at: complete.filter(|_| is_mixed),
    })
}

/// Returns the rest at which the decision is complete that was answered in this step.
fn completed(line: &PlayedLine<'_>, step: usize) -> Option<usize> {
    let mut rest = step;
    loop {
        let point = line.points.get(rest)?;
        let (answered, _) = point.taken.as_ref()?;
        rest += 1;
        let after = line.points.get(rest)?;
        if !stays_secret(&pending(line.program, &point.state), answered, &after.state) {
            return Some(rest);
        }
    }
}

/// Returns whether the rules put this value out of the viewer's sight, and nowhere else.
fn stays_away(line: &PlayedLine<'_>, rest: Option<usize>, value: i32) -> bool {
    let Some(point) = rest.and_then(|rest| line.points.get(rest)) else {
        return false;
    };
    let plain = SeenValue::Plain(value);
    let mut is_put_away = false;
    for event in &point.heard {
        match event {
            Event::Given { value, seen_by, .. } if *value == plain => {
                if line.viewer.is_among(*seen_by) {
                    return false;
                }
                is_put_away = true;
            }
            Event::Said { holes, to, .. }
                if line.viewer.is_among(*to)
                    && holes.iter().flatten().any(|hole| *hole == plain) =>
            {
                return false;
            }
            Event::Scored { by, .. } if *by == value => return false,
            _ => {}
        }
    }
    is_put_away
}

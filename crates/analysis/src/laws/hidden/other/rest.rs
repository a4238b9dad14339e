//! Comparison of the information of a viewer at a rest in two worlds.

use crate::laws::hidden::course::Following;
use crate::laws::hidden::difference::{WorldDifference, of_events, of_information};
use crate::laws::hidden::information::Information;
use crate::laws::hidden::line::{LinePoint, PlayedLine};
use crate::laws::hidden::reveals::{Reveals, agree};
use wyrmgate_engine::{Choice, Event, Pending, Revelation, State, noting};

/// A rest of the other world.
pub(super) struct Here<'a> {
    pub state: &'a State,
    pub heard: &'a [Event],
    pub revealed: &'a [Revelation],
    /// Choices whose validity is compared.
    pub tries: Vec<(Pending, Choice)>,
}

impl Here<'_> {
    /// Compares with the same rest of the line; `closely` includes views and choices.
    pub fn compare(
        &self,
        line: &PlayedLine<'_>,
        point: &LinePoint,
        closely: bool,
        reveals: &mut Reveals,
    ) -> ComparedRest {
        let (program, viewer) = (line.program, line.viewer);
        if !agree(viewer, &point.revealed, self.revealed, reveals) {
            return ComparedRest::Apart;
        }
        if let Some(difference) = of_events(program, viewer, &point.heard, self.heard) {
            return ComparedRest::Differs(Box::new(difference));
        }
        match point.is_close || closely {
            true => at_rest(line, point, self.state, &self.tries, reveals),
            false => ComparedRest::Same,
        }
    }
}

/// Compares the views and choices of the viewer at a rest of the line, and at this rest.
pub(super) fn at_rest(
    line: &PlayedLine<'_>,
    point: &LinePoint,
    state: &State,
    tries: &[(Pending, Choice)],
    reveals: &mut Reveals,
) -> ComparedRest {
    let (program, viewer) = (line.program, line.viewer);
    if point.state == *state {
        return ComparedRest::Same;
    }
    let (information_here, here) = point.information(line);
    let information = || Information::of(program, state, viewer, (tries, &point.sent), point.page);
    let (information, at_rest) = noting(information);
    let (Ok(information_here), Ok(information)) = (information_here, information) else {
        return ComparedRest::Apart;
    };
    if !agree(viewer, here, &at_rest, reveals) {
        return ComparedRest::Apart;
    }
    match of_information(information_here, &information) {
        Some(difference) => ComparedRest::Differs(Box::new(difference)),
        None => ComparedRest::Same,
    }
}

pub(super) enum ComparedRest {
    Same,
    Apart,
    Differs(Box<WorldDifference>),
}

/// Returns whether everything lies in the same place as the component whose part it plays in the line, in all zones that matter.
pub(super) fn lies_alike(
    line: &PlayedLine<'_>,
    point: &LinePoint,
    state: &State,
    chance: &Following<'_>,
    matters: impl Fn(i32) -> bool,
) -> bool {
    let zones = 0..line.program.zones.len() as i32;
    zones.into_iter().all(|zone| {
        let there = || point.state.members(zone).map(|it| chance.name(it));
        !matters(zone) || there().eq(state.members(zone))
    })
}

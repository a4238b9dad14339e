//! The positions that a rulebook shows of a scenario: before and after each of the choices with which it ends.

use super::ScenarioRunner;
use crate::scenario::{ScenarioStep, StepKind};
use wyrmgate_engine::{Event, State, pending};

/// A position, and the choice that led to it.
#[derive(Debug, Clone)]
pub struct ScenarioMoment {
    pub state: State,
    /// The events since the previous moment.
    pub events: Vec<Event>,
    /// The seat that chose, from 0. `None` for the position before the first choice.
    pub seat: Option<u8>,
}

impl ScenarioMoment {
    pub(super) fn still(state: &State) -> ScenarioMoment {
        ScenarioMoment {
            state: state.clone(),
            events: Vec::new(),
            seat: None,
        }
    }
}

impl ScenarioRunner<'_> {
    /// Prepares for a step, and returns the seat that makes a choice in it, if one does. Arranging a position
    /// and playing at random discard the moments before.
    pub(super) fn before(&mut self, step: &ScenarioStep) -> Option<u8> {
        let stated = match &step.kind {
            StepKind::Play(choice) => choice.seat,
            StepKind::Late(seat) | StepKind::Resigns(seat) => Some(*seat),
            StepKind::Arrange(_) | StepKind::Random(_) => {
                self.moments.clear();
                return None;
            }
            StepKind::Waiting(_)
            | StepKind::Refused(_)
            | StepKind::Luck(_)
            | StepKind::Expect(_)
            | StepKind::Sees(_)
            | StepKind::Events(_)
            | StepKind::NoEvents(_)
            | StepKind::Over(_) => return None,
        };
        if self.moments.is_empty() {
            self.moments.push(ScenarioMoment::still(&self.state));
        }
        let stated = stated.map(|seat| seat.saturating_sub(1));
        let owing = pending(self.program, &self.state);
        stated.or_else(|| owing.first().map(|pending| pending.seat))
    }

    pub(super) fn after(&mut self, seat: u8) {
        self.moments.push(ScenarioMoment {
            state: self.state.clone(),
            events: self.watch.events.clone(),
            seat: Some(seat),
        });
    }
}

//! The step `refused`: a choice that must not be possible, and why.

use super::ScenarioRunner;
use crate::scenario::{ExpectedRefusal, ScenarioChoice};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_engine::{self as engine, Seeded, Silent, StepError};
use wyrmgate_view::Rejection;

impl ScenarioRunner<'_> {
    pub(super) fn refused(&mut self, refused: &ExpectedRefusal, span: Span) {
        let rejection = self.try_choice(&refused.choice, span);
        let Some(rejection) = rejection else {
            return;
        };
        self.watch.clauses.extend(&rejection.clauses);
        if let Some(code) = &refused.code
            && code.value != rejection.code.name()
        {
            let message = "the choice is refused for another reason";
            let sides = (code.value.clone(), self.describe(&rejection));
            self.differs("refused", code.span, message, sides);
        }
        if let Some(clause) = &refused.clause
            && !self.clause_ids(&rejection).contains(&clause.text.as_str())
        {
            let sides = (clause.text.clone(), self.describe(&rejection));
            self.differs("refused", clause.span, "another clause refuses it", sides);
        }
    }

    /// Tries a choice that should be refused on a copy of the game, and returns the reason. `None` if it was accepted,
    /// which is reported.
    fn try_choice(&mut self, choice: &ScenarioChoice, span: Span) -> Option<Rejection> {
        let owed = engine::pending(self.program, &self.state);
        let pending = match choice.seat {
            Some(seat) => owed.iter().find(|p| p.seat + 1 == seat),
            None => owed.first(),
        };
        let (program, mut copy) = (self.program, self.state.clone());
        let (index, made) = match pending {
            Some(pending) => match self.read_choice(pending, choice) {
                Ok(internal) => (pending.index, internal),
                Err(rejection) => return Some(rejection),
            },
            // A decision that nobody owes; the engine determines the kind of refusal.
            None => (usize::MAX, engine::Choice::default()),
        };
        let result = engine::step(program, &mut copy, index, &made, &mut Seeded, &mut Silent);
        match result {
            Err(StepError::Refused(refused)) => {
                if copy.encode(program) != self.state.encode(program) {
                    let sides = ("the same state", "another state");
                    self.differs("refused", span, "a refused choice changed the game", sides);
                }
                let seat = pending.map_or(0, |pending| pending.seat);
                Some(Rejection::of(self.program, &self.state, seat, refused))
            }
            Err(StepError::Fault(fault)) => {
                self.fault(&fault, span);
                None
            }
            Ok(()) => {
                let sides = ("refused", "accepted");
                self.differs("refused", choice.span, "this choice is accepted", sides);
                None
            }
        }
    }
}

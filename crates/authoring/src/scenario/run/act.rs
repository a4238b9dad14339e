//! Steps that change the game: `arrange`, `play`, `random`, `late`, `luck`.

use super::{ScenarioRunner, Then};
use crate::scenario::{ScenarioChoice, arrange_name};
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_engine::{self as engine, Pending, StepError, ToolError};
use wyrmgate_view::{Rejection, sentence};

impl ScenarioRunner<'_> {
    pub(super) fn arrange(&mut self, i: usize, span: Span) -> Then {
        let name = arrange_name(self.number, i);
        let before = self.state.clone();
        let (program, state) = (self.program, &mut self.state);
        match engine::run_effect(program, state, &name, &mut self.chance, &mut engine::Silent) {
            Ok(()) if self.state == before => {
                self.warnings.push(arranges_nothing(span));
                Then::GoOn
            }
            Ok(()) => Then::GoOn,
            Err(ToolError::Fault(fault)) => self.fault(&fault, span),
            Err(error @ (ToolError::Over | ToolError::Unknown(_))) => {
                let message = format!("cannot arrange: {}", unarranged(&error));
                let sides = ("a running game", self.who_owes());
                self.differs("arrange", span, message, sides);
                Then::End
            }
        }
    }

    pub(super) fn play(&mut self, choice: &ScenarioChoice, span: Span) -> Then {
        let Some(pending) = self.owed_by(choice.seat, choice.span) else {
            return Then::End;
        };
        let made = match self.read_choice(&pending, choice) {
            Ok(internal) => self.attempt(&pending, &internal, span),
            Err(rejection) => Err(rejection),
        };
        made.unwrap_or_else(|rejection| {
            let instead = self.instead_of(&pending, choice);
            self.not_accepted(&rejection, choice.span, instead)
        })
    }

    /// Makes a listed choice.
    fn make(&mut self, pending: &Pending, choice: &engine::Choice, span: Span) -> Then {
        let made = self.attempt(pending, choice, span);
        made.unwrap_or_else(|rejection| {
            let choices = self.some_choices(pending);
            self.not_accepted(&rejection, span, format!("possible here: {choices}"))
        })
    }

    fn attempt(
        &mut self,
        pending: &Pending,
        choice: &engine::Choice,
        span: Span,
    ) -> Result<Then, Rejection> {
        self.watch.events.clear();
        let (program, state) = (self.program, &mut self.state);
        let (chance, watch) = (&mut self.chance, &mut self.watch);
        match engine::step(program, state, pending.index, choice, chance, watch) {
            Ok(()) => Ok(Then::GoOn),
            Err(StepError::Refused(refused)) => {
                Err(Rejection::of(program, &self.state, pending.seat, refused))
            }
            Err(StepError::Fault(fault)) => Ok(self.fault(&fault, span)),
        }
    }

    fn not_accepted(&mut self, rejection: &Rejection, span: Span, help: String) -> Then {
        let found = self.describe(rejection);
        let diagnostic = Diagnostic::error("refused", span, "this choice is refused").help(help);
        self.fail(diagnostic, "accepted", found);
        Then::End
    }

    pub(super) fn random(&mut self, times: u32, span: Span) -> Then {
        for _ in 0..times {
            let Some(pending) = self.owed_by_anyone(span) else {
                return Then::End;
            };
            let then = match self.bot.choose(self.program, &self.state, &pending) {
                Ok(Some(choice)) => self.make(&pending, &choice, span),
                Ok(None) => {
                    let sides = ("at least one choice", "none");
                    self.differs("waiting", span, "the pending decision has no choice", sides);
                    Then::End
                }
                Err(fault) => self.fault(&fault, span),
            };
            if then == Then::End {
                return then;
            }
        }
        Then::GoOn
    }

    pub(super) fn resigns(&mut self, seat: u8, span: Span) -> Then {
        let (index, choice) = (
            usize::from(seat.saturating_sub(1)),
            engine::Choice::resigning(engine::EndReason::Resigned),
        );
        let pending = engine::answered(&self.state, index, &choice);
        let made = pending.map(|pending| self.attempt(&pending, &choice, span));
        let (found, help) = match made {
            Some(Ok(then)) => {
                self.end_if_one_side_is_left();
                return then;
            }
            Some(Err(rejection)) => (
                self.describe(&rejection),
                "declare what follows: `resigns(seat p)` under `effects`; nobody resigns twice",
            ),
            None => (self.who_owes(), "name a seat of the game"),
        };
        let diagnostic = Diagnostic::error("refused", span, "this seat cannot resign").help(help);
        self.fail(diagnostic, "accepted", found);
        Then::End
    }

    /// Ends a game as a session does in which only one side is left.
    fn end_if_one_side_is_left(&mut self) {
        let left = engine::sides_left(self.program, &self.state);
        if let ([side], false) = (left.as_slice(), self.state.is_finished()) {
            let (seats, reason) = (self.program.seats, engine::EndReason::Resigned);
            let outcome = engine::GameOutcome::outside_of_rules(seats, side, reason);
            self.state.finish(Box::new(outcome));
        }
    }

    pub(super) fn late(&mut self, seat: u8, span: Span) -> Then {
        let Some(pending) = self.owed_by(Some(seat), span) else {
            return Then::End;
        };
        if let Some(choice) = engine::default_choice(self.program, &self.state, &pending) {
            return self.make(&pending, &choice, span);
        }
        let choices = self.some_choices(&pending);
        let message = "there is no default for this decision";
        let diagnostic = Diagnostic::error("no-default", span, message).help(format!(
            "declare it with `default`; possible here: {choices}"
        ));
        self.fail(diagnostic, "a default", "none");
        Then::End
    }
}

fn arranges_nothing(span: Span) -> Diagnostic {
    let message = "this arranges nothing: the state is unchanged";
    let help =
        "components that do not exist, or do not fit, are not moved; or the state was so already";
    Diagnostic::warning("idle-arrange", span, message).help(help)
}

/// Explains why an effect of a scenario did not run.
fn unarranged(error: &ToolError) -> String {
    match error {
        ToolError::Unknown(name) => format!("there is no effect `{name}`"),
        ToolError::Over => "the game is over".to_owned(),
        ToolError::Fault(fault) => sentence(fault),
    }
}

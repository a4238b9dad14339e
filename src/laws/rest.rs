//! A game at rest, as a law looks at it.

use std::ops::ControlFlow;

use crate::bot::RandomBot;
use crate::engine::{Choice, Fault, Pending, State, for_each_choice, random_choice};
use crate::program::Program;

pub struct Rest<'a> {
    pub program: &'a Program,
    pub state: &'a State,
    /// Empty when the game is over.
    pub owed: &'a [Pending],
    /// Chance of the law's own: it touches neither the game nor the players.
    pub dice: &'a mut RandomBot,
}

impl Rest<'_> {
    /// The choices of a decision, the first `at_most` of them.
    pub fn choices(&self, owed: &Pending, at_most: usize) -> Result<Vec<Choice>, Fault> {
        let mut all = Vec::new();
        for_each_choice(self.program, self.state, owed, &mut |choice| {
            all.push(choice.clone());
            if all.len() < at_most {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })?;
        Ok(all)
    }

    /// One of the choices by chance.
    pub fn draw(&mut self, owed: &Pending) -> Result<Choice, String> {
        let dice = &mut *self.dice;
        random_choice(self.program, self.state, owed, &mut |n| dice.below(n))
            .map_err(|fault| fault.to_string())?
            .ok_or_else(|| "a decision without a choice".to_owned())
    }

    /// Any of the decisions owed.
    pub fn any_owed(&mut self) -> Option<Pending> {
        let at = self.dice.below(self.owed.len() as u64);
        self.owed.get(at as usize).copied()
    }
}

/// What is found against a law, unless it holds.
pub(super) fn expect(holds: bool, found: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(found()) }
}

//! A game at rest, as a law looks at it.

use std::ops::ControlFlow;

use super::found::{LawFinding, choice_in_words};
use super::hidden::Reveals;
use wyrmgate_engine::{Choice, Fault, Pending, State, for_each_choice, random_choice};
use wyrmgate_program::Program;
use wyrmgate_search::bot::RandomBot;
use wyrmgate_search::imagine::Made;
use wyrmgate_view::sentence;

pub struct LawRest<'a> {
    pub program: &'a Program,
    pub state: &'a State,
    /// Empty when the game is over.
    pub owed: &'a [Pending],
    /// Everything that led here.
    pub seed: [u8; 32],
    pub made: &'a [Made],
    /// Chance of the law's own: it touches neither the game nor the players.
    pub dice: &'a mut RandomBot,
    pub compared: &'a mut Compared,
}

/// The comparisons of a law that compares worlds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compared {
    /// Worlds that were really other ones.
    pub pairs: u64,
    /// Something was hidden from somebody.
    pub hides: bool,
    /// Steps of games that were replayed to sample worlds.
    pub replayed: u64,
    /// The values that the rules revealed on purpose in them.
    pub reveals: Reveals,
}

impl Compared {
    /// Counts two worlds that a seat cannot tell apart, which proves that something is hidden.
    pub fn add_pair(&mut self) {
        self.pairs += 1;
        self.hides = true;
    }

    pub fn add(&mut self, other: &Compared) {
        self.pairs += other.pairs;
        self.hides |= other.hides;
        self.reveals.add(&other.reveals);
    }
}

impl LawRest<'_> {
    /// Returns the choices of a decision, the first `at_most` of them.
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

    /// Returns one of the choices by chance.
    pub fn draw(&mut self, owed: &Pending) -> Result<Choice, String> {
        let dice = &mut *self.dice;
        random_choice(self.program, self.state, owed, &mut |n| dice.below(n))
            .map_err(|fault| sentence(&fault))?
            .ok_or_else(|| "a decision without a choice".to_owned())
    }

    /// Describes a violation by a choice, at its decision; the cause is the same for all choices.
    pub(super) fn wrong(
        &self,
        owed: &Pending,
        choice: &Choice,
        what: &str,
        cause: &str,
    ) -> LawFinding {
        let choice = choice_in_words(self.program, self.state, owed, choice);
        LawFinding::of_choice(what, &choice, cause).asked(self.program, owed)
    }

    /// Returns a random one of the decisions owed.
    pub fn any_owed(&mut self) -> Option<Pending> {
        let at = self.dice.below(self.owed.len() as u64);
        self.owed.get(at as usize).copied()
    }
}

/// Returns a violation unless the law holds.
pub(super) fn expect(holds: bool, found: impl FnOnce() -> String) -> Result<(), LawFinding> {
    if holds { Ok(()) } else { Err(found().into()) }
}

//! Players that the server brings. None of them knows anything of any game, and none looks at what its seat may not know:
//! those that think ahead do so in imagined worlds, see [`crate::imagine`].

mod greedy;
mod random;
mod search;
mod worth;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use random::RandomBot;

use crate::engine::{self, Choice, State, StepError};
use crate::imagine::{History, Imagination};
use crate::program::Program;

/// A built-in player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Bot {
    /// Takes any of its choices, all with the same chance.
    #[serde(rename = "random")]
    Random,
    /// Takes the choice after which its score is the best, looking one step ahead.
    #[serde(rename = "greedy")]
    Greedy,
    /// Information-set Monte Carlo tree search, by budget.
    #[serde(rename = "search-1")]
    Search1,
    #[serde(rename = "search-2")]
    Search2,
    #[serde(rename = "search-3")]
    Search3,
}

impl Bot {
    pub const ALL: [Bot; 5] = [
        Bot::Random,
        Bot::Greedy,
        Bot::Search1,
        Bot::Search2,
        Bot::Search3,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Bot::Random => "random",
            Bot::Greedy => "greedy",
            Bot::Search1 => "search-1",
            Bot::Search2 => "search-2",
            Bot::Search3 => "search-3",
        }
    }

    /// Needs the whole history of the game, and time.
    pub fn thinks(self) -> bool {
        self != Bot::Random
    }

    /// The choice of a seat (from 0) that owes one. The history must not hold answers of the decision that is open:
    /// nobody may know of those.
    pub fn choose(
        self,
        program: &Program,
        history: &History,
        seat: u8,
        dice: &mut RandomBot,
    ) -> Result<Option<Choice>, StepError> {
        let imagination = Imagination::new(program, history, seat)?;
        match self {
            Bot::Random => random(program, &imagination.world(dice), seat, dice),
            Bot::Greedy => greedy::choose(program, &imagination, seat, dice),
            Bot::Search1 => search::choose(program, &imagination, seat, dice, &search::LEVEL_1),
            Bot::Search2 => search::choose(program, &imagination, seat, dice, &search::LEVEL_2),
            Bot::Search3 => search::choose(program, &imagination, seat, dice, &search::LEVEL_3),
        }
    }
}

fn random(
    program: &Program,
    state: &State,
    seat: u8,
    dice: &mut RandomBot,
) -> Result<Option<Choice>, StepError> {
    let owed = engine::pending(program, state);
    match owed.iter().find(|owed| owed.seat == seat) {
        Some(owed) => Ok(dice.choose(program, state, owed)?),
        None => Ok(None),
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Bot {
    type Err = String;

    fn from_str(text: &str) -> Result<Bot, String> {
        let found = Bot::ALL.into_iter().find(|bot| bot.name() == text);
        found.ok_or_else(|| {
            let names = Bot::ALL.map(Bot::name).join(", ");
            format!("there is no built-in player `{text}`; there is {names}")
        })
    }
}

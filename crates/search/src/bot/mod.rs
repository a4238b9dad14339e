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

use crate::imagine::Imagination;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{self as engine, Choice, Fault, Pending, StepError};
use wyrmgate_program::Program;

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

    /// The choice of the seat whose imagination it is, if that owes one. What it wants is worked out in imagined worlds;
    /// where none is found it takes any of its choices, and the decision says so.
    pub fn choose(
        self,
        imagination: &mut Imagination<'_>,
        dice: &mut Dice,
    ) -> Result<Decision, StepError> {
        let (program, seat) = (imagination.program(), imagination.seat());
        let owed = engine::pending(program, imagination.truth());
        let Some(owed) = owed.into_iter().find(|owed| owed.seat == seat) else {
            return Ok(Decision::default());
        };
        let thought = self.think(program, imagination, &owed, dice)?;
        let state = imagination.truth();
        let mut decision = Decision {
            choice: None,
            is_thought: !matches!(thought, Thought::Indifferent),
            is_blind: matches!(thought, Thought::Blind),
        };
        let wanted = match thought {
            Thought::Wants(wanted) => wyrmgate_view::meant(program, state, &owed, &wanted),
            Thought::Blind | Thought::Indifferent => None,
        };
        if let Some(choice) = wanted
            && engine::is_legal(program, state, &owed, &choice)?
        {
            decision.choice = Some(choice);
        } else {
            decision.choice = engine::random_choice(program, state, &owed, &mut |n| dice.below(n))?;
        }
        Ok(decision)
    }

    fn think(
        self,
        program: &Program,
        imagination: &mut Imagination<'_>,
        owed: &Pending,
        dice: &mut Dice,
    ) -> Result<Thought, Fault> {
        if !self.thinks() || engine::count_choices(program, imagination.truth(), owed)? < 2 {
            return Ok(Thought::Indifferent);
        }
        let level = match self {
            Bot::Random => return Ok(Thought::Indifferent),
            Bot::Greedy => return greedy::choose(program, imagination, owed, dice),
            Bot::Search1 => &search::LEVEL_1,
            Bot::Search2 => &search::LEVEL_2,
            Bot::Search3 => &search::LEVEL_3,
        };
        search::choose(program, imagination, owed, dice, level)
    }
}

/// What a player decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decision {
    /// `None` if it owes nothing, or has no choice.
    pub choice: Option<Choice>,
    /// It has thought about it: there was more than one choice.
    pub is_thought: bool,
    /// It wanted to think and found no world to think in, so it has taken any of its choices.
    pub is_blind: bool,
}

/// What came of thinking.
enum Thought {
    /// As the seat points at it.
    Wants(Choice),
    /// There is nothing to think about.
    Indifferent,
    /// No world was found to think in.
    Blind,
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
            format!("there is no built-in bot `{text}`; there are {names}")
        })
    }
}

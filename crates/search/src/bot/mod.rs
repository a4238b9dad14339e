//! Built-in players. They know no game, and never read what their seat may not know: those that search do so in sampled
//! worlds; see [`crate::imagine`].

mod greedy;
mod mind;
mod random;
mod search;
mod worth;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use mind::{Memory, Mind};
pub use random::RandomBot;

use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{self as engine, Choice, Fault, Pending, State, StepError};
use wyrmgate_program::Program;

wyrmgate_base::named_enum! {
    /// The strategies of bots, by their names.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Bot {
        /// Takes each of its choices with equal probability.
        #[serde(rename = "random")]
        Random = "random",
        /// Takes the choice with the best score after one step.
        #[serde(rename = "greedy")]
        Greedy = "greedy",
        /// Information-set Monte Carlo tree search, with a small budget.
        #[serde(rename = "search-1")]
        Search1 = "search-1",
        #[serde(rename = "search-2")]
        Search2 = "search-2",
        #[serde(rename = "search-3")]
        Search3 = "search-3",
        /// Takes the default of the rules, or else the first choice.
        #[serde(rename = "default")]
        Default = "default",
    }
}

impl Bot {
    /// Returns whether the bot needs the whole history of the game, and time.
    pub fn thinks(self) -> bool {
        !matches!(self, Bot::Random | Bot::Default)
    }

    /// Returns the choice of a bot that does not think.
    pub fn at_once(
        self,
        program: &Program,
        state: &State,
        owed: &Pending,
        dice: &mut Dice,
    ) -> Result<Option<Choice>, Fault> {
        if self != Bot::Default {
            return engine::random_choice(program, state, owed, &mut |n| dice.below(n));
        }
        match engine::default_choice(program, state, owed) {
            Some(choice) => Ok(Some(choice)),
            None => engine::nth_choice(program, state, owed, 0),
        }
    }

    /// Returns the choice of the seat that thinks, if it owes a decision. If no world is found, the bot chooses at random
    /// and the decision says so. At the deadline of [`wyrmgate_base::cancel::until`], it takes the best choice so far.
    pub fn choose(self, mind: &mut Mind<'_>, dice: &mut Dice) -> Result<BotDecision, StepError> {
        let imagination = &mind.imagination;
        let (program, seat) = (imagination.program(), imagination.seat());
        let owed = engine::pending(program, imagination.truth());
        let Some(owed) = owed.into_iter().find(|owed| owed.seat == seat) else {
            return Ok(BotDecision::default());
        };
        let thought = self.think(program, mind, &owed, dice)?;
        let state = mind.imagination.truth();
        let mut decision = BotDecision {
            choice: None,
            sure: None,
            is_thought: !matches!(thought, Thought::Indifferent),
            found_no_world: matches!(thought, Thought::NoWorld),
        };
        let wanted = match thought {
            Thought::Wants(wanted, sure) => {
                decision.sure = sure;
                wyrmgate_view::meant(program, state, &owed, &wanted)
            }
            Thought::NoWorld | Thought::Indifferent => None,
        };
        if let Some(choice) = wanted
            && engine::is_legal(program, state, &owed, &choice)?
        {
            decision.choice = Some(choice);
        } else {
            decision.choice = self.at_once(program, state, &owed, dice)?;
        }
        Ok(decision)
    }

    fn think(
        self,
        program: &Program,
        mind: &mut Mind<'_>,
        owed: &Pending,
        dice: &mut Dice,
    ) -> Result<Thought, Fault> {
        let truth = mind.imagination.truth();
        if !self.thinks() || engine::count_choices(program, truth, owed)? < 2 {
            return Ok(Thought::Indifferent);
        }
        let level = match self {
            Bot::Random | Bot::Default => return Ok(Thought::Indifferent),
            Bot::Greedy => return greedy::choose(program, &mut mind.imagination, owed, dice),
            Bot::Search1 => &search::LEVEL_1,
            Bot::Search2 => &search::LEVEL_2,
            Bot::Search3 => &search::LEVEL_3,
        };
        search::choose(mind, owed, dice, level)
    }
}

/// A decision of a bot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BotDecision {
    /// `None` if the seat owes nothing or has no choice.
    pub choice: Option<Choice>,
    /// How sure a search was: the share of playouts, in percent, that began with its choice.
    pub sure: Option<u64>,
    /// Whether the bot searched, because there was more than one choice.
    pub is_thought: bool,
    /// Whether the bot wanted to search but found no sampled world, and so chose at random.
    pub found_no_world: bool,
}

/// The result of a search.
enum Thought {
    /// The best choice, as the seat refers to it, and how sure the search was, in percent.
    Wants(Choice, Option<u64>),
    /// No preference: the choice is drawn at random.
    Indifferent,
    /// No sampled world was found.
    NoWorld,
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
            format!("unknown built-in player `{text}`; use one of {names}")
        })
    }
}

//! The definition of a law, and the list of all laws.

use super::found::LawFinding;
use super::rest::LawRest;
use super::{
    alike, conserved, damaged, dealt, hidden, listed, named, noted, repeated, resigned, saved,
    sent, told, unlisted, watched,
};
use crate::told::computes;
use wyrmgate_program::Program;

/// Number of games at the beginning of a run in which some laws are checked more often, because new rules are tried
/// with few games.
pub const EARLY: u64 = 200;

/// Something that holds in every game.
#[derive(Debug)]
pub struct Law {
    pub name: &'static str,
    pub sentence: &'static str,
    /// Programs for which this does not hold cannot violate the law, so it is not checked.
    pub concerns: fn(&Program) -> bool,
    pub look: Look,
}

fn every_game(_: &Program) -> bool {
    true
}

/// The moment at which a law is checked. A violation is described by a sentence.
#[derive(Debug)]
pub enum Look {
    /// Always: playing at random cannot continue where it is broken.
    Playing,
    /// At about one rest in `every`, and in the first [`EARLY`] games of a run at one in `early`; with `first`, also at the
    /// first rest.
    AtRest {
        early: u64,
        every: u64,
        first: bool,
        check: fn(&mut LawRest<'_>) -> Result<(), LawFinding>,
    },
    /// In about one game in `every`, which is replayed from this seed.
    Game {
        every: u64,
        check: fn(&Program, [u8; 32]) -> Result<(), LawFinding>,
    },
}

/// Declares laws: the name, the programs that a law concerns, when it is checked, and its sentence.
macro_rules! laws {
    ($($name:literal $concerns:expr, $look:expr, $sentence:literal;)*) => {
        /// All laws. The shares are such that looking costs about as much as playing.
        pub const LAWS: &[Law] = &[ENDS, ACTS, $(Law {
            name: $name,
            sentence: $sentence,
            concerns: $concerns,
            look: $look,
        }),*];
    };
}

laws! {
    "listed" every_game, at_rest(200, listed::check),
        "every listed choice is accepted, counted and listed once";
    "unlisted" every_game, at_rest(200, unlisted::check),
        "a choice that is not listed is rejected with a reason and changes nothing";
    "alike" alike::concerns, at_rest(20, alike::check),
        "components that are listed once are alike: each of them leads to the same position";
    "named" every_game, at_rest(200, named::check),
        "every choice survives conversion to JSON and back, and no two choices convert to the same JSON";
    "noted" noted::concerns, at_rest(200, noted::check),
        "every choice has a text in the notation of the game, which reads back as itself";
    "repeated" every_game, Look::Game { every: 50, check: repeated::check },
        "replaying the log gives the same states and events, byte for byte";
    "told" computes, Look::Game { every: 2, check: told::check },
        "every text can be made: prompts, labels and what is said";
    "watched" every_game, at_rest(100, watched::check),
        "observing a game changes nothing";
    "sent" every_game, at_rest(200, sent::check),
        "the view that is sent to a client reads like its document";
    "saved" every_game, at_rest(50, saved::check),
        "saving and loading between decisions changes nothing";
    "damaged" every_game, at_rest(5_000, damaged::check),
        "damaged bytes of a state are refused or harmless";
    "conserved" every_game, at_rest(200, conserved::check),
        "every component is in exactly one place";
    "hidden" hidden::concerns, Look::AtRest { early: 4, every: 60, first: true, check: hidden::check },
        "hidden state does not influence what a viewer receives";
    "resigned" resigned::concerns, at_rest(50, resigned::check),
        "any seat can resign at any time: the others play on, and nothing is asked of it any more";
    "dealt" Program::can_hide, Look::Game { every: 25, check: dealt::check },
        "components taken from a hidden pile come in random order, not in the order of the rules";
}

const fn at_rest(every: u64, check: fn(&mut LawRest<'_>) -> Result<(), LawFinding>) -> Look {
    Look::AtRest {
        early: every,
        every,
        first: false,
        check,
    }
}

pub(super) const ENDS: Law = Law {
    name: "ends",
    sentence: "every game ends within the `bound` of its rules, and within the limits of a move",
    concerns: every_game,
    look: Look::Playing,
};

pub(super) const ACTS: Law = Law {
    name: "acts",
    sentence: "until the game is over, some seat owes a decision, and each decision has at least one choice",
    concerns: every_game,
    look: Look::Playing,
};

/// Returns the law of this name.
pub fn law(name: &str) -> Option<&'static Law> {
    LAWS.iter().find(|law| law.name == name)
}

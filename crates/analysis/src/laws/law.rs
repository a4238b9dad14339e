//! What a law is, and the list of them.

use super::found::Found;
use super::rest::Rest;
use super::{
    alike, conserved, damaged, dealt, hidden, listed, named, repeated, saved, unlisted, watched,
};
use wyrmgate_program::Program;

/// The games of a run in which some laws are looked at more often: rules that are written anew are tried with few games.
pub const EARLY: u64 = 200;

/// Something that holds in every game.
#[derive(Debug)]
pub struct Law {
    pub name: &'static str,
    pub sentence: &'static str,
    /// Where this does not hold, nothing can break the law, and it is not looked at.
    pub concerns: fn(&Program) -> bool,
    pub look: Look,
}

fn every_game(_: &Program) -> bool {
    true
}

/// When a law is looked at. What is found against it is a sentence.
#[derive(Debug)]
pub enum Look {
    /// Always: playing at random cannot go on where it is broken.
    Playing,
    /// At about one rest in `every`; in the first [`EARLY`] games of a run in `early`, and if so `first` at the first rest too.
    AtRest {
        early: u64,
        every: u64,
        first: bool,
        check: fn(&mut Rest<'_>) -> Result<(), Found>,
    },
    /// In about one game in `every`: it is played once more, from this seed.
    Game {
        every: u64,
        check: fn(&Program, [u8; 32]) -> Result<(), Found>,
    },
}

/// All laws. The shares are such that looking costs about as much as playing.
pub const LAWS: &[Law] = &[
    ENDS,
    ACTS,
    Law {
        name: "listed",
        sentence: "every listed choice is accepted, counted and listed once",
        concerns: every_game,
        look: at_rest(200, listed::check),
    },
    Law {
        name: "unlisted",
        sentence: "a choice that is not listed is rejected with a reason and changes nothing",
        concerns: every_game,
        look: at_rest(200, unlisted::check),
    },
    Law {
        name: "alike",
        sentence: "components that are listed once are alike: each of them leads to the same position",
        concerns: alike::concerns,
        look: at_rest(20, alike::check),
    },
    Law {
        name: "named",
        sentence: "every choice survives conversion to JSON and back, and no two choices convert to the same JSON",
        concerns: every_game,
        look: at_rest(200, named::check),
    },
    Law {
        name: "repeated",
        sentence: "replaying the log gives the same states and events, byte for byte",
        concerns: every_game,
        look: Look::Game {
            every: 50,
            check: repeated::check,
        },
    },
    Law {
        name: "watched",
        sentence: "observing a game changes nothing",
        concerns: every_game,
        look: at_rest(100, watched::check),
    },
    Law {
        name: "saved",
        sentence: "saving and loading between decisions changes nothing",
        concerns: every_game,
        look: at_rest(50, saved::check),
    },
    Law {
        name: "damaged",
        sentence: "damaged bytes of a state are refused or harmless",
        concerns: every_game,
        look: at_rest(5_000, damaged::check),
    },
    Law {
        name: "conserved",
        sentence: "every component is in exactly one place",
        concerns: every_game,
        look: at_rest(200, conserved::check),
    },
    Law {
        name: "hidden",
        sentence: "hidden state does not influence what a viewer receives",
        concerns: hidden::concerns,
        look: Look::AtRest {
            early: 4,
            every: 60,
            first: true,
            check: hidden::check,
        },
    },
    Law {
        name: "dealt",
        sentence: "components taken from a hidden pile come in random order, not in the order of the rules",
        concerns: Program::can_hide,
        look: Look::Game {
            every: 25,
            check: dealt::check,
        },
    },
];

const fn at_rest(every: u64, check: fn(&mut Rest<'_>) -> Result<(), Found>) -> Look {
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

/// The law of this name.
pub fn law(name: &str) -> Option<&'static Law> {
    LAWS.iter().find(|law| law.name == name)
}

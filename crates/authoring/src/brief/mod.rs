//! Formats choices, events and outcomes as text, for terminals and language models. Works on the JSON that every client
//! receives, so it knows no more than they do. Positions are formatted by [`crate::picture`].

mod choices;
mod events;
mod groups;
mod names;

/// The letters that the choices of a decision may take in a text for a language model.
pub const CHOICES_ROOM: usize = 1_000;

pub use choices::{answers, choices, prompt};
pub use events::{ending, events};
pub use names::Names;

use wyrmgate_analysis::record::Outcome;

pub fn outcome(outcome: &Outcome, me: u8) -> String {
    let result = if outcome.drawn {
        "The game is drawn.".into()
    } else if outcome.winners.contains(&me) {
        "You win.".into()
    } else {
        let winners: Vec<String> = outcome.winners.iter().map(ToString::to_string).collect();
        format!("Won by seat {}.", winners.join(" and seat "))
    };
    let ranks = ranking(outcome);
    if ranks.is_empty() {
        result
    } else {
        format!("{result} {ranks}")
    }
}

/// Formats `1. seat 2 with 10, 3; 2. seat 1 with 7, 3`. Empty for games without a ranking.
pub fn ranking(outcome: &Outcome) -> String {
    let compared = outcome.ranking.iter().filter(|rank| !rank.keys.is_empty());
    let ranks = compared.map(|rank| {
        let keys: Vec<String> = rank.keys.iter().map(ToString::to_string).collect();
        format!(
            "{}. seat {} with {}",
            rank.place,
            rank.seat,
            keys.join(", ")
        )
    });
    ranks.collect::<Vec<_>>().join("; ")
}

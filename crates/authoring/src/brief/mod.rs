//! Formats choices, events and outcomes as text, for terminals and language models. Works on the JSON that every client
//! receives, so it knows no more than they do. Positions are formatted by [`crate::picture`].

mod choices;
mod events;
mod groups;
mod names;
pub mod words;

/// The letters that the choices of a decision may take in a text for a language model.
pub const CHOICES_ROOM: usize = 1_000;
/// The letters of those that a search has found.
pub const FOUND_ROOM: usize = 6_000;

pub use choices::{BriefDecision, answers, choices, closeness, giving, labels, prompt};
pub use events::{ending, events};
pub use groups::BriefChoice;
pub use names::Names;

use wyrmgate_analysis::record::Outcome;

/// Tells who has won. `me` is the seat of the reader, if it is one person.
pub fn outcome(outcome: &Outcome, me: Option<u8>, names: &Names) -> String {
    let words = names.words;
    let result = if outcome.drawn {
        words.drawn.to_owned()
    } else if me.is_some_and(|me| outcome.winners.contains(&me)) {
        words.you_win.to_owned()
    } else {
        let winners = outcome.winners.iter();
        let winners: Vec<String> = winners.map(|seat| names.seat(&seat.to_string())).collect();
        words::say(words.won_by, &[&winners.join(&format!(" {} ", words.and))])
    };
    let ranks = ranking(outcome, names);
    if ranks.is_empty() {
        result
    } else {
        format!("{result} {ranks}")
    }
}

/// Formats `1. Seat 2 with 10, 3; 2. Seat 1 with 7, 3`. Empty for games without a ranking.
pub fn ranking(outcome: &Outcome, names: &Names) -> String {
    let compared = outcome.ranking.iter().filter(|rank| !rank.keys.is_empty());
    let ranks = compared.map(|rank| {
        let keys: Vec<String> = rank.keys.iter().map(ToString::to_string).collect();
        let seat = names.seat(&rank.seat.to_string());
        let told = words::say(names.words.with, &[&seat, &keys.join(", ")]);
        format!("{}. {told}", rank.place)
    });
    ranks.collect::<Vec<_>>().join("; ")
}

//! Formats choices and events as text. Works on the JSON that every client receives, so it knows no more than
//! they do.

mod choices;
mod events;
mod names;

pub use choices::choices;
pub use events::events;
pub use names::Names;

use crate::record::Outcome;

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

//! Formats views, choices and events as text. Works on the JSON that every client receives, so it knows no more than
//! they do.

mod choices;
mod events;
mod names;
mod table;

pub use choices::choices;
pub use events::events;
pub use names::Names;
pub use table::view;

use crate::record::Outcome;

/// Maximum width of a line.
const WIDTH: usize = 100;

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

/// Joins parts after a head and wraps the lines with an indentation.
fn wrapped(head: &str, parts: &[&str], between: &str) -> String {
    let mut text = String::new();
    let mut line = head.to_owned();
    for (i, part) in parts.iter().enumerate() {
        let last = i + 1 == parts.len();
        let piece = if last {
            (*part).to_owned()
        } else {
            format!("{part}{between}")
        };
        if line.chars().count() + piece.chars().count() > WIDTH && line.trim() != head.trim() {
            text += line.trim_end();
            text += "\n";
            line = "      ".into();
        }
        line += &piece;
    }
    text += line.trim_end();
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken() {
        let parts = vec!["dragon-red-3"; 20];
        let text = wrapped("  hand-1: ", &parts, ", ");
        assert!(text.lines().count() > 1);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
    }
}

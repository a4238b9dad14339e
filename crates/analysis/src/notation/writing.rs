//! Writes recorded games for other programs.

use std::fmt::Write;

use super::reading::CONTINUES;
use crate::record::{Outcome, Record};
use crate::replay::{self, ReplayError, ReplayProblem, Rest};
use wyrmgate_engine::{ChoiceMenu, EndReason, State};
use wyrmgate_program::{Program, Syntax};
use wyrmgate_view::{note, note_after, noted_tags, plain_note};

/// The width of a line of moves.
const WIDTH: usize = 80;

/// A move, which may be several choices of one seat.
struct NotedMove {
    /// From 1.
    seat: u8,
    text: String,
}

/// Returns the moves of a recorded game, and its last position.
fn noted_moves(record: &Record, program: &Program) -> Result<(Vec<NotedMove>, State), ReplayError> {
    let mut moves: Vec<NotedMove> = Vec::new();
    let state = replay::play(record, program, &mut |rest: Rest<'_>| {
        if let Some(last) = moves.last_mut() {
            last.text.push_str(note_after(program, rest.state));
        }
        let Some((owed, choice)) = rest.next else {
            return Ok(());
        };
        let seat = owed.seat + 1;
        if choice.is_resigning() {
            return Ok(()); // the result says so
        }
        let noted = note(program, rest.state, owed, choice, ChoiceMenu::of);
        let noted = noted.map_err(|fault| replay::BadChoice {
            number: rest.number + 1,
            problem: ReplayProblem::Fault(fault),
        })?;
        let text = noted.unwrap_or_else(|| plain_note(program, rest.state, owed, choice));
        let text = match owed.index {
            0 => text,
            index => format!("@{}:{text}", index + 1),
        };
        match (moves.last_mut(), text.strip_prefix(CONTINUES)) {
            (Some(last), Some(more)) if last.seat == seat => last.text.push_str(more),
            (_, more) => moves.push(NotedMove {
                seat,
                text: more.unwrap_or(&text).to_owned(),
            }),
        }
        Ok::<(), ReplayError>(())
    })?;
    Ok((moves, state))
}

/// Returns a recorded game as text, in the syntax that the rules name.
pub fn noted_game(record: &Record, program: &Program) -> Result<String, ReplayError> {
    let (moves, state) = noted_moves(record, program)?;
    Ok(match program.prose.notation.syntax {
        Some(Syntax::Sgf) => in_nodes(record, program, &state, &moves),
        Some(Syntax::Pgn | Syntax::Pdn) | None => with_tags(record, program, &state, &moves),
    })
}

fn with_tags(record: &Record, program: &Program, state: &State, moves: &[NotedMove]) -> String {
    let result = result(record.outcome.as_ref());
    let unknown = ["Event", "Site", "Date", "Round", "White", "Black"];
    let mut tags: Vec<(&str, String)> = unknown.map(|name| (name, "?".to_owned())).into();
    tags.push(("Result", result.to_owned()));
    if let Some(outcome) = record.outcome.as_ref() {
        let is_late = outcome.reason == EndReason::Time;
        let how = if is_late { "time forfeit" } else { "normal" };
        tags.push(("Termination", how.to_owned()));
    }
    tags.extend(noted_tags(program, state));
    tags.push(("Ruleset", record.game.clone()));
    if record.seats != 2 {
        tags.push(("Seats", record.seats.to_string()));
    }
    if !record.options.is_empty() {
        let options = serde_json::Value::from(record.options.clone());
        tags.push(("Options", options.to_string()));
    }
    if record
        .chance
        .as_ref()
        .is_some_and(|chance| !chance.is_empty())
    {
        tags.extend(record.seed.clone().map(|seed| ("Seed", seed)));
    }
    let mut text = String::new();
    for (name, value) in tags {
        let value = value.replace('\\', r"\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    let mut line = String::new();
    let mut words = numbered(moves);
    words.push(result.to_owned());
    for word in words {
        if !line.is_empty() && line.len() + word.len() >= WIDTH {
            let _ = write!(text, "\n{}", line.trim_end());
            line.clear();
        }
        line = line + &word + " ";
    }
    text + "\n" + line.trim_end() + "\n"
}

/// Returns the moves with their numbers: the seat that begins moves first under each.
fn numbered(moves: &[NotedMove]) -> Vec<String> {
    let first = moves.first().map_or(1, |first| first.seat);
    let (mut number, mut before) = (0, None);
    let mut words = Vec::new();
    for made in moves {
        if made.seat == first && before != Some(first) {
            number += 1;
            words.push(format!("{number}."));
        } else if before != Some(first) && before != Some(made.seat) {
            words.push(format!("{number}..."));
        }
        before = Some(made.seat);
        words.push(made.text.clone());
    }
    words
}

fn in_nodes(record: &Record, program: &Program, state: &State, moves: &[NotedMove]) -> String {
    let mut text = "(;FF[4]CA[UTF-8]".to_owned();
    for (name, value) in noted_tags(program, state) {
        let _ = write!(text, "{name}[{value}]");
    }
    match result(record.outcome.as_ref()) {
        "1-0" => text.push_str("RE[B+]"),
        "0-1" => text.push_str("RE[W+]"),
        other => text.push_str(if other == "*" { "" } else { "RE[0]" }),
    }
    for made in moves {
        let by = if made.seat == 1 { 'B' } else { 'W' };
        let _ = write!(text, "\n;{by}[{}]", made.text);
    }
    text + ")\n"
}

fn result(outcome: Option<&Outcome>) -> &'static str {
    let Some(outcome) = outcome else { return "*" };
    match (
        outcome.drawn,
        outcome.winners.as_slice(),
        outcome.ranking.len(),
    ) {
        (true, ..) => "1/2-1/2",
        (false, [1], 2) => "1-0",
        (false, [2], 2) => "0-1",
        (false, ..) => "*",
    }
}

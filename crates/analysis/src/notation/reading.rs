//! Plays a game that was read: what each of its moves means is found among the choices that the rules list.

use serde_json::{Map, Value};

use super::game_text::GameText;
use crate::record::Record;
use crate::simulate::Recorder;
use wyrmgate_engine::{
    Choice, EndReason, Fault, GameOutcome, Pending, Seeded, Silent, State, StepError, is_legal,
    pending, start, step_legal,
};
use wyrmgate_program::Program;
use wyrmgate_view::{NotedChoice, from_plain_note, noted_choices, sentence};

/// Begins a form that continues the move before.
pub(super) const CONTINUES: char = '~';
/// Several steps in one move are tried up to this number.
const STEPS_MAX: usize = 10_000;
/// Choices are listed in messages up to this number.
const LISTED_MAX: usize = 8;

/// Why a game cannot be played as it is written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, move {number}: {message}")]
pub struct NotedProblem {
    pub line: usize,
    /// From 1: the number of moves of all seats.
    pub number: usize,
    pub message: String,
}

/// A decision with the choice that answers it.
pub type Step = (Pending, Choice);

/// Plays a game that was read, and returns its record.
pub fn recorded(
    program: &Program,
    game: &GameText,
    seed: [u8; 32],
    options: &Map<String, Value>,
) -> Result<Record, NotedProblem> {
    let mut recorder = Recorder::of(program);
    let mut line = game.line;
    let mut number = 0;
    let problem = |line, number, message| NotedProblem {
        line,
        number,
        message,
    };
    let state = start(program, seed, &mut recorder.chance, &mut Silent);
    let mut state = state.map_err(|fault| problem(line, number, sentence(&fault)))?;
    for text in &game.moves {
        (line, number) = (text.line, number + 1);
        let steps = meant_choices(program, &state, &text.text);
        for (owed, choice) in steps.map_err(|message| problem(line, number, message))? {
            recorder.chosen(&state, &owed, &choice);
            step_legal(
                program,
                &mut state,
                owed.index,
                &choice,
                &mut recorder.chance,
                &mut Silent,
            )
            .map_err(|error| problem(line, number, told(&error)))?;
        }
    }
    conclude(game, program.seats, &mut state).map_err(|message| problem(line, number, message))?;
    Ok(recorder.record(seed, options, state.outcome()))
}

/// Ends the game as the text says, if the rules have not ended it.
fn conclude(game: &GameText, seats: usize, state: &mut State) -> Result<(), String> {
    let Some(said) = game.result.as_deref() else {
        return Ok(());
    };
    let of = |winner: u8, texts: [&str; 2]| texts.contains(&said).then_some(winner);
    let winner = of(0, ["1-0", "2-0"]).or_else(|| of(1, ["0-1", "0-2"]));
    let winners = winner.as_slice();
    if let Some(outcome) = state.outcome() {
        let message = || format!("the text says {said}, and the rules another result");
        let agrees = outcome.winners == winners;
        return agrees.then_some(()).ok_or_else(message);
    }
    let ended = game.tag("Termination").unwrap_or_default();
    let reason = match winner {
        None => EndReason::Agreed,
        Some(_) if ended.contains("time") => EndReason::Time,
        Some(_) => EndReason::Resigned,
    };
    let outcome = GameOutcome::outside_of_rules(seats, winners, reason);
    state.finish(Box::new(outcome));
    Ok(())
}

/// Returns the choices that a move means, or says why it means none.
pub fn meant_choices(program: &Program, state: &State, text: &str) -> Result<Vec<Step>, String> {
    let owed = pending(program, state);
    let (number, text) = numbered(text).unwrap_or((0, text));
    let owed = owed.get(number).ok_or("the game is over by the rules")?;
    let fault = |fault: Fault| sentence(&fault);
    let all = noted_choices(program, state, owed).map_err(fault)?;
    let one = |found: Vec<&NotedChoice>| match found.as_slice() {
        [one] => Ok(Some(vec![(*owed, one.choice.clone())])),
        [] => Ok(None),
        [_, _, ..] => Err(format!("`{text}` means {}", listed(&found))),
    };
    if let Some(found) = one(written_so(program, &all, text))? {
        return Ok(found);
    }
    let wanted = without_remarks(program, text);
    if let Some(found) = of_several_steps(program, state, owed, wanted).map_err(fault)? {
        return Ok(found);
    }
    let loose = loosely(wanted);
    let is_it = |noted: &&NotedChoice| noted.texts.iter().any(|known| loosely(known) == loose);
    if let Some(found) = one(all.iter().filter(is_it).collect())? {
        return Ok(found);
    }
    if let Some(choice) = from_plain_note(program, state, owed, text)
        && is_legal(program, state, owed, &choice).map_err(fault)?
    {
        return Ok(vec![(*owed, choice)]);
    }
    let known: Vec<&NotedChoice> = all.iter().collect();
    Err(match known.is_empty() {
        true => format!("no choice is written `{text}`"),
        false => format!(
            "no choice is written `{text}`; there are {}",
            listed(&known)
        ),
    })
}

/// Returns the choices that are written exactly so, besides remarks; if there are none, those that can be.
pub fn written_so<'n>(
    program: &Program,
    all: &'n [NotedChoice],
    text: &str,
) -> Vec<&'n NotedChoice> {
    let wanted = without_remarks(program, text);
    let mut is_written = all.iter();
    let is_written = is_written.find(|noted| noted.note.as_deref() == Some(wanted));
    let can_be = |noted: &&NotedChoice| noted.texts.iter().any(|known| known == wanted);
    is_written.map_or_else(|| all.iter().filter(can_be).collect(), |noted| vec![noted])
}

/// Returns the texts of the first of these choices.
fn listed(some: &[&NotedChoice]) -> String {
    let texts = some.iter().take(LISTED_MAX);
    let texts = texts.filter_map(|noted| noted.note.as_deref());
    let more = if some.len() > LISTED_MAX { ", …" } else { "" };
    texts.collect::<Vec<&str>>().join(", ") + more
}

/// Reads `@2:`, the number of the decision that is answered.
fn numbered(text: &str) -> Option<(usize, &str)> {
    let (number, text) = text.strip_prefix('@')?.split_once(':')?;
    let number: usize = number.parse().ok()?;
    Some((number.checked_sub(1)?, text))
}

/// Returns the text without what is only remarked about the move: `!`, `?`, and what the notation adds after it.
fn without_remarks<'t>(program: &Program, text: &'t str) -> &'t str {
    let mut text = text.trim_end_matches(['!', '?']);
    let after = &program.prose.notation.after;
    let texts = || after.iter().flat_map(|(_, texts)| texts);
    let added = || texts().filter(|added| !added.is_empty());
    while let Some(shorter) = added().find_map(|added| text.strip_suffix(added)) {
        text = shorter;
    }
    text
}

/// Returns a text as people vary it.
fn loosely(text: &str) -> String {
    let kept = text.chars().filter(|c| !"-=()".contains(*c));
    let kept = kept.map(|c| match c.to_ascii_lowercase() {
        'o' => '0',
        ':' => 'x',
        other => other,
    });
    kept.collect()
}

/// A move of several steps of one seat.
#[derive(Clone)]
struct StepsInOne {
    state: State,
    steps: Vec<Step>,
    pieces: Vec<String>,
}

impl StepsInOne {
    /// Returns the move with one more step; nothing if the rules refuse it.
    fn with(
        &self,
        program: &Program,
        owed: Pending,
        choice: &Choice,
        piece: &str,
    ) -> Result<Option<StepsInOne>, Fault> {
        let mut further = self.clone();
        further.pieces.push(piece.to_owned());
        further.steps.push((owed, choice.clone()));
        let state = &mut further.state;
        match step_legal(program, state, owed.index, choice, &mut Seeded, &mut Silent) {
            Ok(()) => Ok(Some(further)),
            Err(StepError::Fault(fault)) => Err(fault),
            Err(StepError::Refused(_)) => Ok(None),
        }
    }

    /// Returns the text of the first step and that of the last one, without what lies between: `32x12`.
    fn shortened(&self) -> Option<String> {
        let (first, last) = (self.pieces.first()?, self.pieces.last()?);
        let (from, _) = first.split_once(last.chars().next()?)?;
        Some(format!("{from}{last}"))
    }
}

/// Returns the steps of a move that the notation writes in one.
fn of_several_steps(
    program: &Program,
    state: &State,
    owed: &Pending,
    text: &str,
) -> Result<Option<Vec<Step>>, Fault> {
    let begun = StepsInOne {
        state: state.clone(),
        steps: Vec::new(),
        pieces: Vec::new(),
    };
    let (mut open, mut ended, mut tried) = (vec![begun], Vec::new(), 0);
    while let Some(taken) = open.pop() {
        let mut next = pending(program, &taken.state).into_iter();
        let next = next.find(|next| next.seat == owed.seat);
        let mut is_ended = true;
        let all = next.map(|next| noted_choices(program, &taken.state, &next));
        for noted in all.transpose()?.into_iter().flatten() {
            let piece = piece(&noted, taken.steps.is_empty());
            let Some((next, piece)) = next.zip(piece) else {
                continue;
            };
            is_ended = false;
            tried += 1;
            let is_other = taken.steps.is_empty() && piece.get(..1) != text.get(..1);
            if tried <= STEPS_MAX && !is_other {
                open.extend(taken.with(program, next, &noted.choice, piece)?);
            }
        }
        if taken.pieces.concat() == text {
            return Ok(Some(taken.steps));
        }
        if is_ended && taken.shortened().as_deref() == Some(text) {
            ended.push(taken);
        }
    }
    let first = ended.first().map(|taken| &taken.state);
    let is_one = ended.iter().all(|taken| Some(&taken.state) == first);
    Ok(ended.pop().filter(|_| is_one).map(|taken| taken.steps))
}

/// Returns the text that a choice adds to a move.
fn piece(noted: &NotedChoice, is_first: bool) -> Option<&str> {
    let text = noted.texts.first()?;
    match text.strip_prefix(CONTINUES) {
        Some(rest) => (!is_first).then_some(rest),
        None => is_first.then_some(text),
    }
}

fn told(error: &StepError) -> String {
    match error {
        StepError::Fault(fault) => sentence(fault),
        StepError::Refused(_) => "the rules refuse the choice".to_owned(),
    }
}

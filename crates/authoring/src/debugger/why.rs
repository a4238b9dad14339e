//! Why a choice is offered or not: every condition on it, with its place in the rules and its result.

use std::sync::Arc;

use serde_json::Value;

use super::tape::Tape;
use wyrmgate_base::diagnostic::{Sources, Span};
use wyrmgate_engine::{State, Test, Tested, Viewer, pending, refused, tested};
use wyrmgate_program::{Program, Type};
use wyrmgate_view::{Rejection, choice_from_json, name_of_value, sentence};

/// The author plays with open cards.
#[expect(
    clippy::disallowed_methods,
    reason = "the author of the rules debugs a game without players"
)]
const AUTHOR: Viewer = Viewer::omniscient();

/// Answers for a choice, written as in scenarios and in requests, in the position in which the game waits next after this
/// many moments.
pub fn why(
    program: &Program,
    sources: &Sources,
    tape: &Tape,
    moments: usize,
    choice: &Value,
) -> Result<String, String> {
    let state = waiting(tape, moments).filter(|state| !state.is_finished());
    let state = state.ok_or("the game asks nobody from here on")?;
    let mut choice = choice.clone();
    let members = choice.as_object_mut();
    let seat = members.and_then(|members| members.remove("seat")?.as_u64());
    let owed = pending(program, state);
    let mut asked = owed.iter();
    let owed = asked.find(|owed| seat.is_none_or(|seat| seat == u64::from(owed.seat) + 1));
    let owed = owed.ok_or("this seat owes no decision")?;
    let read = choice_from_json(program, state, owed, &choice).map_err(|told| told.message)?;
    let tested = tested(program, state, owed, &read).map_err(|fault| sentence(&fault))?;
    let refused = refused(program, state, owed, &read).map_err(|fault| sentence(&fault))?;
    let lines = tested.iter().map(|tested| line(program, sources, tested));
    let end = match refused {
        None => "offered".to_owned(),
        Some(refused) => {
            let told = Rejection::of(program, state, owed.seat, refused);
            format!("not offered: {}", told.message)
        }
    };
    Ok(lines.chain([end]).collect::<Vec<String>>().join("\n"))
}

/// Returns the position in which the game waits next.
fn waiting(tape: &Tape, moments: usize) -> Option<&Arc<State>> {
    let next = tape.rests.partition_point(|(before, _)| *before < moments);
    tape.rests.get(next).map(|(_, state)| state)
}

fn line(program: &Program, sources: &Sources, tested: &Tested) -> String {
    let mark = if tested.holds { '✓' } else { '✗' };
    match &tested.what {
        Test::InList(named, value) => {
            let name = name_of(program, *value, named.of);
            format!("{mark} {} = {name} is in its list", named.name)
        }
        Test::Condition(condition) => {
            let clauses = condition.cites.iter();
            let clauses = clauses.filter_map(|id| program.clauses.get(usize::from(*id)));
            let clauses: String = clauses.map(|clause| format!(" [{}]", clause.id)).collect();
            format!("{mark} {}{clauses}", place(sources, condition.span))
        }
    }
}

fn name_of(program: &Program, value: i32, of: Type) -> String {
    name_of_value(program, AUTHOR, value, of).into_owned()
}

/// Formats `my-game/game.yaml:157  c is free`.
pub fn place(sources: &Sources, span: Span) -> String {
    let Some(source) = sources.get(span.file) else {
        return String::new();
    };
    let (line, _) = sources.line_column(span.file, span.start);
    let text = source.text.get(span.start as usize..span.end as usize);
    let text: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
    format!("{}:{line}  {}", source.path, text.join(" "))
}

//! The answers of queries that a game shows in its pictures. Only games in which nothing is ever hidden have any.

use wyrmgate_engine::{Evaluated, State, answer};
use wyrmgate_program::{KindId, Program, Type};

/// The answer of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownAnswer {
    pub(super) query: String,
    /// The type of what it was asked about, and its number: a seat from 0, or a component.
    pub(super) of: Option<Type>,
    pub(super) about: Option<i32>,
    pub(super) found: Evaluated,
}

/// Returns the answers in a position, which everybody may know.
pub fn answers(program: &Program, state: &State) -> Vec<ShownAnswer> {
    let asked = program.look.queries.iter().filter(|_| !program.can_hide());
    let answers = asked.flat_map(|(query, of)| {
        let subjects = subjects(program, *of).into_iter();
        subjects.filter_map(|about| {
            Some(ShownAnswer {
                query: query.clone(),
                of: *of,
                about,
                found: answer(program, state, query, about)?,
            })
        })
    });
    answers.collect()
}

/// Returns everything about which a query with this parameter is asked.
fn subjects(program: &Program, of: Option<Type>) -> Vec<Option<i32>> {
    let is_of = |kind: KindId, wanted: KindId| {
        let family = program.kind(kind).and_then(|kind| kind.family);
        kind == wanted || family == Some(wanted)
    };
    match of {
        None => vec![None],
        Some(Type::Component(Some(wanted))) => {
            let all = program.components.iter().zip(0..);
            let all = all.filter(|(component, _)| is_of(component.kind, wanted));
            all.map(|(_, number)| Some(number)).collect()
        }
        Some(_) => (0..program.seats as i32).map(Some).collect(),
    }
}

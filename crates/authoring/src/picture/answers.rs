//! The answers of queries that a game shows in its pictures. Only games in which nothing is ever hidden have any.

use std::cell::OnceCell;

use wyrmgate_engine::{Evaluated, State, Viewer, answer};
use wyrmgate_program::{Form, KindId, Program, Type};
use wyrmgate_view::{Doc, Members, view};

/// Games with secrets have no answers.
#[expect(
    clippy::disallowed_methods,
    reason = "a game whose queries are shown hides nothing"
)]
const ALL: Viewer = Viewer::omniscient();

/// The answer of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownAnswer {
    pub(super) query: String,
    /// The type of what it was asked about, and its number: a seat from 0, or a component.
    pub(super) of: Option<Type>,
    pub(super) about: Option<i32>,
    pub(super) found: Evaluated,
    /// The components that a counter lists. They may lie in the box, which no view shows.
    pub(super) gathered: Vec<Members<'static>>,
}

/// Returns the answers in a position, which everybody may know.
pub fn answers(program: &Program, state: &State) -> Vec<ShownAnswer> {
    let all = OnceCell::new();
    let all = || all.get_or_init(|| view(program, state, ALL));
    let asked = program.look.queries.iter().filter(|_| !program.can_hide());
    let answers = asked.flat_map(|(query, of)| {
        let subjects = subjects(program, *of).into_iter();
        subjects.filter_map(|about| {
            let found = answer(program, state, query, about)?;
            let listed = listed(program, query, &found);
            let zones = (!listed.is_empty()).then(|| all().zones.values());
            let known = zones
                .into_iter()
                .flatten()
                .flat_map(|zone| &zone.components);
            let is_listed = |doc: &&Members<'_>| {
                let id = doc.get("id").and_then(Doc::as_str);
                id.is_some_and(|id| listed.contains(&id))
            };
            Some(ShownAnswer {
                query: query.clone(),
                of: *of,
                about,
                found,
                gathered: known.filter(is_listed).cloned().collect(),
            })
        })
    });
    answers.collect()
}

/// Returns the ids of the components that a counter lists.
fn listed<'p>(program: &'p Program, query: &str, found: &Evaluated) -> Vec<&'p str> {
    let style = program.look.things.get(query);
    let is_counter = style.is_some_and(|style| style.form == Some(Form::Counter));
    match found {
        Evaluated::Many(listed) if is_counter => {
            let names = program.component_names().zip(0..);
            let names = names.filter(|(_, number)| listed.contains(number));
            names.map(|(name, _)| name).collect()
        }
        Evaluated::Many(_) | Evaluated::One(_) => Vec::new(),
    }
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

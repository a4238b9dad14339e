//! What is drawn: a view, and what its viewer may choose.

use super::answers::ShownAnswer;
use super::values;
use wyrmgate_program::{Language, Program};
use wyrmgate_view::{DecisionDoc, Doc, ViewDoc};

/// The input of a picture.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'v> {
    pub program: &'v Program,
    /// The view of the viewer. `None` before the game begins.
    pub view: Option<&'v ViewDoc>,
    pub language: Language,
    /// The viewer's seat, from 1.
    pub seat: Option<u32>,
    /// The names of the players, seat 1 first.
    pub names: &'v [Option<String>],
    /// The clocks, seat 1 first: the time when a decision is due.
    pub clocks: &'v [Option<String>],
    /// The events of the last change, as the viewer received them.
    pub events: &'v [Doc<'v>],
    pub decision: Option<&'v Decision>,
    /// What the queries that the game shows answer.
    pub answers: &'v [ShownAnswer],
}

impl<'v> Sight<'v> {
    /// Returns what a view alone shows: no players, clocks, events or decisions.
    pub fn of(program: &'v Program, view: &'v ViewDoc, language: Language) -> Sight<'v> {
        Sight {
            program,
            view: Some(view),
            language,
            seat: None,
            names: &[],
            clocks: &[],
            events: &[],
            decision: None,
            answers: &[],
        }
    }
}

/// A decision that the viewer owes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Decision {
    pub prompt: Option<String>,
    pub count: u64,
    /// Groups of ids of components that nothing distinguishes: choices refer to the first ones of each group.
    pub alike: Vec<Vec<String>>,
    pub choices: Vec<PicturedChoice>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct PicturedChoice {
    pub id: String,
    /// The name of the option to which it belongs, if it has one.
    pub option: Option<String>,
    pub label: String,
    /// Ids of components, zones and cells to which it refers.
    pub refers: Vec<String>,
}

impl Decision {
    /// Returns a decision as its seat receives it.
    pub fn of(doc: &DecisionDoc) -> Decision {
        let choices = doc.choices.iter().map(|choice| {
            let args = choice.args.iter().map(|(_, value)| value);
            let cells = args.filter_map(Doc::as_str).filter(|text| is_cell(text));
            let mut refers = choice.refers.clone();
            refers.extend(cells.map(str::to_owned));
            refers.extend(choice.places.iter().cloned());
            PicturedChoice {
                id: format!("{}.{}", doc.id, choice.index),
                option: choice.option.clone(),
                label: choice.label.clone(),
                refers,
            }
        });
        Decision {
            prompt: doc.prompt.clone(),
            count: doc.count,
            alike: doc.alike.clone(),
            choices: choices.collect(),
        }
    }
}

/// Returns whether a value of a choice is a cell of a table: `0,-1`.
pub fn is_cell(text: &str) -> bool {
    values::cell(text).is_some()
}

//! Scenarios: short stories of play that lie beside the rules, each showing the clauses it names.
//!
//! The way of a scenario: [`read`] turns a file into [`Scenario`]s with their places; [`attach`] adds their effect texts
//! and conditions to the game's definition, so that they are checked and compiled like the rules themselves; [`run`]
//! plays them; [`coverage`] says which clauses were shown; [`report`] prints it all.

pub mod attach;
pub mod compare;
pub mod coverage;
pub mod keys;
pub mod luck;
pub mod read;
pub mod report;
pub mod run;
mod setup;
pub mod suite;

use serde_json::{Map, Value};

use wyrmgate_base::diagnostic::{FileId, Span};
use wyrmgate_engine::Viewer;
use wyrmgate_lang::ast::{Block, Expr, Name};

/// Whoever writes a scenario has all before them.
#[expect(
    clippy::disallowed_methods,
    reason = "a scenario lays out the whole game by itself"
)]
const AUTHOR: Viewer = Viewer::omniscient();

/// A value and where it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct At<T> {
    pub value: T,
    pub span: Span,
}

/// One story.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// `scenario: A perfect roll earns another turn`
    pub name: At<String>,
    pub file: FileId,
    /// `shows: [WAY-17]`
    pub shows: Vec<Name>,
    pub given: Given,
    /// Instead of steps: no such game can begin.
    pub refused: Option<RefusedSetup>,
    pub steps: Vec<Step>,
}

/// `refused: {option: length, clause: ABC-03}`: why what is given is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct RefusedSetup {
    /// The option that cannot be so, or `seats`.
    pub option: Option<At<String>>,
    pub clause: Option<Name>,
    pub span: Span,
}

/// How it begins.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Given {
    /// The least number the game allows, if not stated.
    pub seats: Option<At<usize>>,
    pub options: Vec<(Name, At<Value>)>,
    /// See [`wyrmgate_analysis::record::seed_from_number`]; 1 if not stated.
    pub seed: Option<u64>,
    pub luck: Vec<At<Luck>>,
}

/// A forced result of chance.
#[derive(Debug, Clone, PartialEq)]
pub enum Luck {
    /// `null`: this one is left to the seed
    Free,
    /// `fire`, `3`: the value of a draw, the side of a die
    Value(String),
    /// `{top: [dragon-red-3]}`: what lies on top after a shuffle, topmost first
    Top(Vec<String>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub kind: StepKind,
    /// The key of the step.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    /// `arrange: |` effect text, run while the game rests
    Arrange(Block),
    /// `waiting: {seat: 1, count: 32}`
    Waiting(Waiting),
    /// `play: {seat: 1, option: move, e: fire}`
    Play(Choice),
    /// `refused: {option: move, e: water, code: illegal-choice, clause: WAY-09}`
    Refused(Refused),
    /// `luck: [fire]`
    Luck(Vec<At<Luck>>),
    /// `random: 4`
    Random(u32),
    /// `late: 1`
    Late(u8),
    /// `expect: ["score[seat(1)] = 3"]`
    Expect(Vec<Expr>),
    /// `sees: {seat: 2, view: {…}, hides: […]}`
    Sees(Sees),
    /// `events: [{type: rolled}]`
    Events(Vec<At<Value>>),
    /// `no_events: [{type: scored}]`: none of these has happened since the last play
    NoEvents(Vec<At<Value>>),
    /// `over: {winners: [1], ranking: [[10, 3], [7, 3]]}`
    Over(Over),
}

/// A choice as a scenario writes it: everything but the reserved words is a name bound by the choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// May be left out when one seat owes.
    pub seat: Option<u8>,
    pub option: Option<String>,
    pub args: Map<String, Value>,
    pub span: Span,
}

impl Choice {
    /// As the engine reads it.
    pub fn json(&self) -> Value {
        let mut choice = Map::new();
        if let Some(option) = &self.option {
            choice.insert("option".into(), option.clone().into());
        }
        choice.insert("args".into(), self.args.clone().into());
        choice.into()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    pub choice: Choice,
    pub code: Option<At<String>>,
    pub clause: Option<Name>,
}

/// Who owes a decision, and what about it is stated.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    /// This seat owes (others may owe too); may be left out when one seat owes.
    pub seat: Option<u8>,
    /// Exactly these seats owe.
    pub seats: Option<Vec<u8>>,
    /// The option (or bound name) that the other statements are about; it is offered.
    pub option: Option<String>,
    pub prompt: Option<String>,
    pub kind: Option<String>,
    /// The options offered, in order.
    pub options: Option<Vec<String>>,
    pub count: Option<u64>,
    /// All choices, in any order.
    pub choices: Option<Vec<Choice>>,
    pub includes: Vec<Choice>,
    pub excludes: Vec<Choice>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Sees {
    /// `None` for `seat: public`: somebody who only watches.
    pub seat: Option<u8>,
    /// A part of the view.
    pub view: Option<Value>,
    /// Ids that appear nowhere in it.
    pub hides: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Over {
    pub winners: Option<Vec<u8>>,
    pub drawn: Option<bool>,
    /// The compared keys, best first (or objects with `seat`, `place`, `keys`).
    pub ranking: Option<Vec<Value>>,
}

/// The name of the effect that `arrange` number `step` of scenario number `scenario` becomes.
pub fn arrange_name(scenario: usize, step: usize) -> String {
    format!("scenario_{scenario}_arrange_{step}")
}

/// The name of the query that a condition of an `expect` becomes.
pub fn expect_name(scenario: usize, step: usize, condition: usize) -> String {
    format!("scenario_{scenario}_expect_{step}_{condition}")
}

/// The name of the effect that says the two sides of a comparison in an `expect`.
pub fn sides_name(scenario: usize, step: usize, condition: usize) -> String {
    format!("scenario_{scenario}_sides_{step}_{condition}")
}

//! Scenarios: short examples of play beside the rules. Each covers the clauses that it names.
//!
//! [`read`] parses a file into [`Scenario`]s with their places. [`attach`] adds their effect texts and conditions to
//! the game's definition, so that they are checked and compiled like the rules. [`run`] runs them, [`coverage`]
//! computes which clauses were covered, and [`report`] prints the results. [`examples`] plays those that a rulebook shows.

pub mod attach;
pub mod compare;
pub mod coverage;
pub mod examples;
pub mod keys;
pub mod luck;
pub mod reach;
pub mod read;
pub mod report;
pub mod run;
mod setup;
pub mod suite;

use serde_json::{Map, Value};

use wyrmgate_analysis::record::choice_json;
use wyrmgate_base::diagnostic::{FileId, Span};
use wyrmgate_engine::Viewer;
use wyrmgate_lang::ast::{Block, Expr, Name};
use wyrmgate_lang::yaml::Scalar;

/// Authors of scenarios see the whole game.
#[expect(
    clippy::disallowed_methods,
    reason = "a scenario lays out the whole game by itself"
)]
const AUTHOR: Viewer = Viewer::omniscient();

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<T> {
    pub value: T,
    pub span: Span,
}

impl<T> Located<T> {
    pub fn new(value: T, span: Span) -> Located<T> {
        Located { value, span }
    }
}

/// A scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// `scenario: A perfect roll earns another turn`
    pub name: Located<String>,
    pub file: FileId,
    /// `shows: [WAY-17]`
    pub shows: Vec<Name>,
    /// `show: yes`: an example for the rulebook.
    pub is_example: bool,
    pub given: Given,
    /// Present instead of steps if the setup must be refused.
    pub refused: Option<RefusedSetup>,
    pub steps: Vec<ScenarioStep>,
}

/// `refused: {option: length, clause: ABC-03}`: why the setup is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct RefusedSetup {
    /// The option that has an invalid value, or `seats`.
    pub option: Option<Located<String>>,
    pub clause: Option<Name>,
    pub span: Span,
}

/// The setup.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Given {
    /// Number of seats. Defaults to the smallest that the game allows.
    pub seats: Option<Located<usize>>,
    pub options: Vec<(Name, Located<Value>)>,
    /// The seed; see [`wyrmgate_analysis::record::seed_from_number`]. Defaults to 1.
    pub seed: Option<u64>,
    pub luck: Vec<Located<ForcedResult>>,
    /// The start position, drawn as under `start` of the game.
    pub position: Option<Scalar>,
}

/// A forced random result.
#[derive(Debug, Clone, PartialEq)]
pub enum ForcedResult {
    /// `null`: left to the seed.
    Free,
    /// `fire`, `3`: the value of a draw, the side of a die
    Value(String),
    /// `{top: [dragon-red-3]}`: the components on top after a shuffle, topmost first.
    Top(Vec<String>),
    /// `{a: 3, b: 1}`: the values of a random choice by their names, and its `option`.
    Named(Vec<(String, Vec<String>)>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioStep {
    pub kind: StepKind,
    /// The key of the step.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    /// `arrange: |`: effect text that runs between decisions.
    Arrange(Block),
    /// `waiting: {seat: 1, count: 32}`
    Waiting(ExpectedDecisions),
    /// `play: {seat: 1, option: move, e: fire}`
    Play(ScenarioChoice),
    /// `refused: {option: move, e: water, code: illegal-choice, clause: WAY-09}`
    Refused(ExpectedRefusal),
    /// `luck: [fire]`
    Luck(Vec<Located<ForcedResult>>),
    /// `random: 4`
    Random(u32),
    /// `late: 1`
    Late(u8),
    /// `resigns: 1`
    Resigns(u8),
    /// `expect: ["score[seat(1)] = 3"]`
    Expect(Vec<Expr>),
    /// `sees: {seat: 2, view: {…}, hides: […]}`
    Sees(Sees),
    /// `events: [{type: rolled}]`
    Events(Vec<Located<Value>>),
    /// `no_events: [{type: scored}]`: none of these has happened since the last play.
    NoEvents(Vec<Located<Value>>),
    /// `over: {winners: [1], ranking: [[10, 3], [7, 3]]}`
    Over(Over),
}

/// A choice in a scenario. All keys except the reserved ones are names bound by the choice.
#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioChoice {
    /// Can be omitted if only one seat owes a decision.
    pub seat: Option<u8>,
    pub option: Option<String>,
    pub args: Map<String, Value>,
    pub span: Span,
}

impl ScenarioChoice {
    /// Returns the form that the engine reads.
    pub fn json(&self) -> Value {
        choice_json(self.option.as_deref(), &self.args)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedRefusal {
    pub choice: ScenarioChoice,
    pub code: Option<Located<String>>,
    pub clause: Option<Name>,
}

/// Statements about the owed decisions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExpectedDecisions {
    /// This seat owes a decision, among others. Can be omitted if only one seat does.
    pub seat: Option<u8>,
    /// Exactly these seats owe a decision.
    pub seats: Option<Vec<u8>>,
    /// The option (or bound name) that the other statements refer to. It must be offered.
    pub option: Option<String>,
    pub prompt: Option<String>,
    pub kind: Option<String>,
    /// The offered options, in order.
    pub options: Option<Vec<String>>,
    pub count: Option<u64>,
    /// All choices, in any order.
    pub choices: Option<Vec<ScenarioChoice>>,
    pub includes: Vec<ScenarioChoice>,
    pub excludes: Vec<ScenarioChoice>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Sees {
    /// `None` for `seat: public`, a spectator.
    pub seat: Option<u8>,
    /// A part of the view.
    pub view: Option<Value>,
    /// Ids that must not appear in it.
    pub hides: Vec<String>,
    /// Parts of the events since the last play as the viewer receives them, in order.
    pub events: Vec<Located<Value>>,
    /// Events that it must not have received.
    pub no_events: Vec<Located<Value>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Over {
    pub winners: Option<Vec<u8>>,
    pub drawn: Option<bool>,
    /// The ranking keys, best first (or objects with `seat`, `place`, `keys`).
    pub ranking: Option<Vec<Value>>,
}

/// Returns the name of the effect for `arrange` step `step` of scenario `scenario`.
pub fn arrange_name(scenario: usize, step: usize) -> String {
    format!("scenario_{scenario}_arrange_{step}")
}

/// Returns the name of the effect that arranges the start position of scenario `scenario`.
pub fn position_name(scenario: usize) -> String {
    format!("scenario_{scenario}_position")
}

/// Returns the name of the query for a condition of an `expect`.
pub fn expect_name(scenario: usize, step: usize, condition: usize) -> String {
    format!("scenario_{scenario}_expect_{step}_{condition}")
}

/// Returns the name of the effect that prints the two sides of a comparison in an `expect`.
pub fn sides_name(scenario: usize, step: usize, condition: usize) -> String {
    format!("scenario_{scenario}_sides_{step}_{condition}")
}

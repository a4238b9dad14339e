//! Rules and games.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value, json};

use crate::convert::{Broken, document, options, stopped, to_python, value_error};
use crate::interrupt::interruptible;
use crate::played::Core;
use crate::state::GamePosition;
use crate::tree::TreeNode;
use wyrmgate_analysis::explore::{ExploreError, Luck};
use wyrmgate_analysis::perft::{self, Plan, Progress};
use wyrmgate_analysis::record::{seed_from_hex, seed_from_number};
use wyrmgate_analysis::simulate;
use wyrmgate_authoring::mutate;
use wyrmgate_authoring::rules::{self, Bundle};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_base::hex;
use wyrmgate_engine::{self as engine};
use wyrmgate_program::Language;
use wyrmgate_runner::GameRest;
use wyrmgate_search::bot::Bot;
use wyrmgate_spaces::{Observations, Spaces};

/// Checked rules, which make games.
#[pyclass(name = "Ruleset", frozen, module = "wyrmgate._native")]
pub struct CheckedRules(Arc<rules::Ruleset>);

fn checked(found: Result<rules::Ruleset, rules::BrokenRuleset>) -> PyResult<CheckedRules> {
    match found {
        Ok(ruleset) => Ok(CheckedRules(Arc::new(ruleset))),
        Err(broken) => Err(Broken::new_err((
            broken.to_string(),
            broken.findings().to_string(),
        ))),
    }
}

#[pymethods]
impl CheckedRules {
    /// Reads a game by its path, or by its name in a folder of rules; `game+variant` adds variants.
    #[staticmethod]
    fn find(py: Python<'_>, name: &str, folder: &str) -> PyResult<CheckedRules> {
        interruptible(py, || {
            let stack = rules::find(name, Path::new(folder)).map_err(value_error)?;
            checked(rules::Ruleset::from_stack(&stack).map_err(value_error)?)
        })?
    }

    /// Reads a game from its texts: paths with their contents, the root of the game first.
    #[staticmethod]
    fn of_texts(
        py: Python<'_>,
        name: String,
        files: Vec<(String, String)>,
        roots: Vec<String>,
    ) -> PyResult<CheckedRules> {
        let bundle = Bundle { name, files, roots };
        interruptible(py, || checked(rules::Ruleset::from_bundle(&bundle)))?
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    #[getter]
    fn digest(&self) -> &str {
        &self.0.digest
    }

    #[getter]
    fn seats(&self) -> Vec<usize> {
        self.0.checked.seats.clone()
    }

    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &py.detach(|| self.0.warnings()))
    }

    /// Returns every option with its value, for a number of seats.
    fn options<'py>(&self, py: Python<'py>, seats: usize) -> PyResult<Bound<'py, PyAny>> {
        let complete = self
            .0
            .complete_options(seats, &Map::new())
            .map_err(|problems| value_error(sentences(&problems)))?;
        to_python(py, &Value::Object(complete))
    }

    /// Returns the texts: name, files, roots.
    fn texts(&self) -> (String, Vec<(String, String)>, Vec<String>) {
        let bundle = self.0.bundle();
        (bundle.name, bundle.files, bundle.roots)
    }

    /// Returns all small changes of the rules: what changes, in which file, and from which byte to which.
    fn mutants(&self) -> Vec<(String, String, u32, u32)> {
        let file = |span: Span| self.0.sources.get(span.file).map(|file| file.path.clone());
        let mutants = mutate::mutants(&self.0.checked.definition).into_iter();
        let placed =
            mutants.filter_map(|m| Some((m.what, file(m.span)?, m.span.start, m.span.end)));
        placed.collect()
    }

    /// Compiles the game for a number of seats and options.
    #[pyo3(signature = (seats = None, given = None, points = None))]
    fn game(
        &self,
        py: Python<'_>,
        seats: Option<usize>,
        given: Option<&Bound<'_, PyDict>>,
        points: Option<bool>,
    ) -> PyResult<Game> {
        let fewest = self.0.checked.seats.first().copied();
        let seats = seats
            .or(fewest)
            .ok_or_else(|| value_error("the rules allow no number of seats"))?;
        let options = options(given)?;
        let program = interruptible(py, || self.0.program(seats, &options))?;
        let program = program.map_err(|problems| value_error(sentences(&problems)))?;
        Ok(Game(Arc::new(Core {
            spaces: Spaces::of(&program),
            observations: Observations::new(&program),
            returns: OnceLock::new(),
            points,
            options,
            program,
            rules: Arc::clone(&self.0),
            names: OnceLock::new(),
        })))
    }
}

fn sentences(problems: &[wyrmgate_compile::check::OptionProblem]) -> String {
    let sentences: Vec<String> = problems
        .iter()
        .map(|problem| format!("{}: {}", problem.option, problem.message))
        .collect();
    sentences.join("; ")
}

/// A game: rules compiled for a number of seats and options.
#[pyclass(frozen, module = "wyrmgate._native")]
pub struct Game(pub Arc<Core>);

/// Reads a seed: a whole number, or 64 hexadecimal digits.
pub fn seed_of(seed: &Bound<'_, PyAny>) -> PyResult<[u8; 32]> {
    if let Ok(number) = seed.extract::<u64>() {
        return Ok(seed_from_number(number));
    }
    let bytes = seed.extract::<String>().ok();
    bytes.and_then(|text| seed_from_hex(&text)).ok_or_else(|| {
        value_error(format!(
            "`seed` is {seed}; a seed is a whole number from 0 below 2^64, or 64 hexadecimal digits"
        ))
    })
}

pub fn bots_of(names: &[String]) -> PyResult<Vec<Bot>> {
    names
        .iter()
        .map(|name| name.parse().map_err(value_error))
        .collect()
}

#[pymethods]
impl Game {
    #[getter]
    fn name(&self) -> String {
        self.0.program.name()
    }

    #[getter]
    fn seats(&self) -> usize {
        self.0.program.seats
    }

    /// Returns what a game is made of: a number that is the same for all that was made of it in this process, its rules, and
    /// which returns were asked for: True for points, False for the result, None for what is found.
    fn made_of(&self) -> (usize, CheckedRules, Option<bool>) {
        let rules = CheckedRules(Arc::clone(&self.0.rules));
        (Arc::as_ptr(&self.0) as usize, rules, self.0.points)
    }

    /// Returns the clauses of the rules: ids and texts.
    fn clauses(&self) -> Vec<(&str, &str)> {
        let clauses = self.0.program.prose.clauses.iter();
        let clauses = clauses.map(|clause| (clause.id.as_str(), clause.text.get(Language(0))));
        clauses.collect()
    }

    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &Value::Object(self.0.options.clone()))
    }

    /// Returns how many actions there are.
    #[getter]
    fn num_actions(&self) -> u64 {
        self.0.spaces.actions.size()
    }

    #[getter]
    fn is_factored(&self) -> bool {
        self.0.spaces.actions.is_factored()
    }

    /// Returns the maximum number of actions in a game.
    #[getter]
    fn max_game_length(&self) -> u64 {
        self.0.spaces.max_game_length
    }

    #[getter]
    fn has_hidden_information(&self) -> bool {
        self.0.program.can_hide()
    }

    #[getter]
    fn has_chance(&self) -> bool {
        self.0.spaces.has_chance
    }

    #[getter]
    fn has_simultaneous_decisions(&self) -> bool {
        self.0.spaces.has_simultaneous_decisions
    }

    #[getter]
    fn observation_size(&self) -> usize {
        self.0.observations.size()
    }

    /// Returns the planes of an observation: name, shape, offset.
    fn planes(&self) -> Vec<(String, Vec<usize>, usize)> {
        let planes = self.0.observations.planes().iter();
        planes
            .map(|plane| (plane.name.clone(), plane.shape.clone(), plane.at))
            .collect()
    }

    /// Returns the options of all decisions, with the domains of their arguments.
    fn action_space<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &self.0.spaces.actions.options())
    }

    /// Returns an action in words.
    fn describe_action(&self, action: u64) -> PyResult<String> {
        let words = self.0.spaces.actions.describe(&self.0.program, action);
        words.ok_or_else(|| {
            value_error(format!(
                "there is no action {action}; there are {}",
                self.0.spaces.actions.size()
            ))
        })
    }

    /// Returns the returns: measure, bounds, whether they add up to zero.
    fn returns_info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let returns = interruptible(py, || self.0.returns())?;
        let (low, high) = returns.bounds.unzip();
        to_python(
            py,
            &json!({"measure": returns.measure, "low": low, "high": high, "zero_sum": returns.is_zero_sum}),
        )
    }

    /// Returns the seed of one of many games, in hexadecimal digits.
    #[staticmethod]
    fn seed_of_game(seed: &Bound<'_, PyAny>, number: u64) -> PyResult<String> {
        let seed = simulate::seed_of_game(&seed_of(seed)?, number);
        Ok(hex::encode(&seed))
    }

    /// Begins a game.
    fn new_state(&self, py: Python<'_>, seed: &Bound<'_, PyAny>) -> PyResult<GamePosition> {
        let seed = seed_of(seed)?;
        py.detach(|| GamePosition::begin(&self.0, seed))
    }

    /// Begins a game whose chance is answered by the caller.
    fn new_node(&self) -> PyResult<TreeNode> {
        TreeNode::begin(&self.0)
    }

    /// Restores a state from its bytes.
    #[pyo3(name = "from_bytes")]
    fn restore(&self, bytes: &[u8]) -> PyResult<GamePosition> {
        let state = engine::State::decode(&self.0.program, bytes);
        let state = state.map_err(|_| {
            value_error(format!("`bytes` are no state of {}", self.0.program.name()))
        })?;
        Ok(GamePosition::of(&self.0, GameRest::of(state), None))
    }

    /// Plays games between bots, or at random, and returns statistics.
    #[pyo3(signature = (games, seed, players, threads))]
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        games: u64,
        seed: &Bound<'_, PyAny>,
        players: Vec<String>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let players = bots_of(&players)?;
        if !players.is_empty() && players.len() != self.0.program.seats {
            return Err(value_error(format!(
                "name one player for each of the {} seats, or none",
                self.0.program.seats
            )));
        }
        let plan = simulate::Plan {
            first: 1,
            games,
            seed: seed_of(seed)?,
            threads,
            players,
            records: None,
        };
        let summary = interruptible(py, || simulate::run(&self.0.program, &plan, &mut |_| {}))?;
        document(py, &summary)
    }

    /// Counts the nodes of the tree ply by ply.
    fn perft<'py>(
        &self,
        py: Python<'py>,
        depth: u32,
        seed: Option<&Bound<'_, PyAny>>,
        threads: usize,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let plan = Plan {
            depth,
            luck: seed
                .map(seed_of)
                .transpose()?
                .map_or(Luck::Every, Luck::Seeded),
            by_turns: false,
            information_sets: false,
            bulk: false,
            table: 0,
            threads,
        };
        let walk = || perft::walk(&self.0.program, &plan, &Progress::default());
        let tally = interruptible(py, walk)?;
        let tally = tally.map_err(|error| match error {
            ExploreError::Stopped(error) => stopped(error),
            ExploreError::Chance | ExploreError::Limit(_) => value_error(error),
        })?;
        let plies = tally.plies.iter().map(|ply| {
            let row = PyDict::new(py);
            row.set_item("nodes", ply.nodes)?;
            row.set_item("finished", ply.finished)?;
            row.set_item("chance", ply.chance)?;
            Ok(row.into_any())
        });
        plies.collect()
    }
}

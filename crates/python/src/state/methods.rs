//! The methods of a state in Python.

use std::sync::Arc;

use super::{GamePast, GamePosition, filled};
use crate::convert::{document, ordinal, stopped, to_python, value_error};
use crate::game::{Game, seed_of};
use crate::interrupt::interruptible;
use numpy::{PyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use serde_json::Value;
use wyrmgate_authoring::brief;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{self as engine, Viewer};
use wyrmgate_runner::GameRest;
use wyrmgate_search::bot::{Bot, Mind};
use wyrmgate_search::imagine::Imagination;
use wyrmgate_view as view;

/// A state as `pickle` keeps it: the game, the bytes, the seed with the numbers of all choices, and the begun choice.
type Kept = (Py<PyAny>, Vec<u8>, Option<([u8; 32], Vec<u64>)>, Vec<u32>);

#[pymethods]
impl GamePosition {
    /// Returns an independent copy.
    #[pyo3(name = "clone")]
    fn copy(&self) -> GamePosition {
        self.clone()
    }

    fn __copy__(&self) -> GamePosition {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> GamePosition {
        self.clone()
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.words().is_finished()
    }

    /// Returns the seat that acts next; None after the end.
    #[getter]
    pub(super) fn seat(&self) -> Option<u8> {
        self.owed().map(|owed| owed.seat)
    }

    /// Returns all seats that owe a decision.
    #[getter]
    fn owing(&self) -> Vec<u8> {
        let owed = engine::pending(&self.core.program, self.words());
        owed.iter().map(|owed| owed.seat).collect()
    }

    /// Returns whether several seats decide at once, in secret.
    #[getter]
    fn is_secret(&self) -> bool {
        self.owed().is_some_and(|owed| owed.secret)
    }

    #[getter]
    fn decisions(&self) -> u32 {
        self.words().decisions_made()
    }

    /// Returns the parts of the choice that has been begun.
    #[getter]
    pub(super) fn begun(&self) -> Vec<u32> {
        self.begun.clone()
    }

    pub(super) fn legal_actions(&mut self) -> PyResult<Vec<u32>> {
        self.list()?;
        Ok(self.legal())
    }

    /// Returns or fills an array with 1 for each legal action.
    #[pyo3(signature = (out = None))]
    fn mask<'py>(
        &mut self,
        py: Python<'py>,
        out: Option<PyReadwriteArray1<'py, i8>>,
    ) -> PyResult<Option<Bound<'py, PyArray1<i8>>>> {
        self.list()?;
        let size = self.core.spaces.actions.size() as usize;
        let fill = |mask: &mut [i8]| self.legal.write_mask(&self.begun, mask);
        filled(py, size, out, fill)
    }

    /// Takes an action of the seat that acts next.
    fn step(&mut self, action: i64) -> PyResult<()> {
        let action = ordinal("action", action)?;
        self.list()?;
        match self.legal.choice(&self.begun, action) {
            Some(number) => self.take_number(number as u64),
            None => self.begin_choice(action),
        }
    }

    /// Takes an action, fills the array with what the seat observes that acts next, and returns its legal actions:
    /// a whole step in one call. Returns none after the end.
    #[pyo3(signature = (action, out = None))]
    pub(super) fn step_legal(
        &mut self,
        action: i64,
        out: Option<PyReadwriteArray1<'_, f32>>,
    ) -> PyResult<Vec<u32>> {
        let action = ordinal("action", action)?;
        self.list()?;
        match self.legal.choice(&self.begun, action) {
            Some(number) => self.take_and_list(number as u64)?,
            None => self.begin_choice(action)?,
        }
        self.observe_into(out)?;
        Ok(self.legal())
    }

    /// Begins another game in the same memory, and continues as `step_legal`.
    #[pyo3(signature = (seed, out = None))]
    fn restart(
        &mut self,
        seed: &Bound<'_, PyAny>,
        out: Option<PyReadwriteArray1<'_, f32>>,
    ) -> PyResult<Vec<u32>> {
        self.begin_again(seed_of(seed)?)?;
        self.observe_into(out)?;
        Ok(self.legal())
    }

    /// Returns the action of a choice by its number; in a factored space, its parts.
    fn action_of(&mut self, number: i64) -> PyResult<Vec<u32>> {
        self.list()?;
        let number = ordinal("number", number)? as usize;
        let action = self.legal.of_choice(number).map(<[u32]>::to_vec);
        action.ok_or_else(|| value_error(format!("there is no choice {number}; see `count`")))
    }

    /// Returns the number of the choice that an action, or all parts of one, completes.
    fn choice_of(&mut self, action: Vec<u32>) -> PyResult<usize> {
        self.list()?;
        let (last, begun) = action
            .split_last()
            .ok_or_else(|| value_error("an action has at least one number"))?;
        let number = self.legal.choice(begun, *last);
        number.ok_or_else(|| self.illegal(*last))
    }

    /// Returns how many choices the seat has that acts next.
    pub(super) fn count(&mut self) -> PyResult<u64> {
        if let Some(count) = self.count {
            return Ok(count);
        }
        let counted = self.play(|_, runner, _| runner.count())?;
        let count = counted.map_err(stopped)?;
        self.count = Some(count);
        Ok(count)
    }

    /// Takes the choice with this number among those of the seat that acts next, and returns how many choices come
    /// next; 0 after the end.
    pub(super) fn take(&mut self, number: i64) -> PyResult<u64> {
        let number = u64::from(ordinal("number", number)?);
        let known = self.count;
        let taken = self.play(|_, runner, _| {
            let count = known.map_or_else(|| runner.count(), Ok)?;
            if number >= count {
                return Ok(None);
            }
            runner.take(number)?;
            runner.count().map(Some)
        })?;
        let taken = taken.map_err(stopped)?;
        let next = taken
            .ok_or_else(|| value_error(format!("there is no choice {number}; see `count`")))?;
        self.note(number);
        self.count = Some(next);
        Ok(next)
    }

    /// Takes an action and returns the events as this viewer is told of them; None: a spectator.
    #[pyo3(signature = (action, viewer = None))]
    fn step_events<'py>(
        &mut self,
        py: Python<'py>,
        action: i64,
        viewer: Option<i64>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let action = ordinal("action", action)?;
        self.list()?;
        let viewer = self.viewer(viewer)?;
        let Some(number) = self.legal.choice(&self.begun, action) else {
            self.step(action.into())?;
            return Ok(Vec::new());
        };
        let events = self.take_watched(number as u64)?;
        let events = events.iter();
        let docs = events.filter_map(|event| view::event_doc(&self.core.program, event, viewer));
        let docs: Vec<Value> = docs.map(Value::from).collect();
        docs.iter().map(|doc| to_python(py, doc)).collect()
    }

    /// Makes the choice with this number, and returns the lines about it that each seat may read.
    fn take_told(&mut self, number: i64) -> PyResult<Vec<Vec<String>>> {
        let events = self.take_watched(ordinal("number", number)?.into())?;
        let lines = |seat| self.lines(&events, Viewer::Seat(seat));
        Ok((0..self.core.program.seats as u8).map(lines).collect())
    }

    /// Returns the position in words as a seat reads it, or a spectator; with the choices of the seat, if it acts next.
    #[pyo3(signature = (viewer = None, room = brief::CHOICES_ROOM))]
    fn text(&self, viewer: Option<i64>, room: usize) -> PyResult<String> {
        let mut text = self.position(viewer)?;
        if viewer.is_some() && self.seat().map(i64::from) == viewer {
            text += &self.offered(room)?;
        }
        Ok(text)
    }

    /// Returns `{"number": …}` for a choice as JSON, or the code, the message and the clauses that refuse it.
    fn read_choice<'py>(&self, py: Python<'py>, choice: &str) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.read(choice)?)
    }

    fn __str__(&self) -> PyResult<String> {
        self.position(None)
    }

    fn __repr__(&self) -> String {
        let (name, decisions) = (self.core.program.name(), self.words().decisions_made());
        format!("<wyrmgate.State {name}, {decisions} decisions>")
    }

    /// Returns whether both are the same position of the same game. Their histories may differ.
    fn __eq__(&self, other: &GamePosition) -> bool {
        let (core, others) = (&self.core, &other.core);
        core.program.identity.digest == others.program.identity.digest
            && core.options == others.options
            && self.words() == other.words()
            && self.begun == other.begun
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Kept)> {
        let module = py.import("wyrmgate.game")?;
        let game = module.call_method1("_game_of", (Game(Arc::clone(&self.core)),))?;
        let past = self
            .past
            .as_ref()
            .map(|past| (past.seed, past.numbers.clone()));
        let kept = (game.unbind(), self.to_bytes(), past, self.begun.clone());
        Ok((module.getattr("_restored_state")?, kept))
    }

    /// Continues as the state with this history, for `pickle`.
    fn _recall(&mut self, past: Option<([u8; 32], Vec<u64>)>, begun: Vec<u32>) {
        self.past = past.map(|(seed, numbers)| GamePast { seed, numbers });
        self.begun = begun;
    }

    /// Returns the view of a seat, or of a spectator, as the server sends it. In documents, seats count from 1.
    #[pyo3(signature = (viewer = None))]
    pub(super) fn view<'py>(
        &self,
        py: Python<'py>,
        viewer: Option<i64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let viewer = self.viewer(viewer)?;
        document(py, &view::view(&self.core.program, self.words(), viewer))
    }

    /// Returns the decision of the seat that acts next: prompt, options, and at most `limit` choices with labels and the
    /// action of each. In a factored space, `action` is None.
    #[pyo3(signature = (limit = 1000))]
    pub(super) fn decision<'py>(
        &mut self,
        py: Python<'py>,
        limit: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limit = ordinal("limit", limit)? as usize;
        self.list()?;
        let owed = self.due()?;
        let decision = view::decision_docs(&self.core.program, self.words(), &owed, limit, 0)
            .map_err(stopped)?;
        let mut doc = serde_json::to_value(decision).map_err(value_error)?;
        let actions = self.legal.flat();
        let is_flat = !self.core.spaces.actions.is_factored();
        for (number, choice) in doc
            .get_mut("choices")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
            .enumerate()
        {
            if let Some(choice) = choice.as_object_mut() {
                let action = actions.get(number).filter(|_| is_flat);
                choice.insert("action".into(), action.copied().into());
            }
        }
        to_python(py, &doc)
    }

    /// Returns or fills an array with what a seat may know; by default the seat that acts next.
    #[pyo3(signature = (seat = None, out = None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        seat: Option<i64>,
        out: Option<PyReadwriteArray1<'py, f32>>,
    ) -> PyResult<Option<Bound<'py, PyArray1<f32>>>> {
        let seat = seat
            .or_else(|| self.owed().map(|owed| owed.seat.into()))
            .unwrap_or(0);
        let viewer = self.viewer(Some(seat))?;
        let observations = &self.core.observations;
        let size = observations.size();
        let fill = |tensor: &mut [f32]| {
            observations.write(&self.core.program, self.words(), viewer, tensor);
        };
        filled(py, size, out, fill)
    }

    /// Returns what the game is worth to each seat; 0 before the end.
    fn returns(&self) -> Vec<f64> {
        let mut returns = vec![0.0; self.core.program.seats];
        if let Some(outcome) = self.words().outcome() {
            self.core.returns().write(outcome, &mut returns);
        }
        returns
    }

    /// Returns the outcome as the server sends it; None before the end.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let outcome = self.words().outcome();
        outcome
            .map(|outcome| document(py, &view::outcome_doc(outcome)))
            .transpose()
    }

    /// Returns states that a seat cannot tell from this one by anything it has observed.
    #[pyo3(signature = (seat, count = 1, seed = 0))]
    fn sample(
        &self,
        py: Python<'_>,
        seat: i64,
        count: i64,
        seed: i64,
    ) -> PyResult<Vec<GamePosition>> {
        self.viewer(Some(seat))?;
        let (seat, count) = (seat as u8, ordinal("count", count)? as usize);
        let history = self.history(seat)?;
        let worlds = interruptible(py, || {
            let mut imagination = Imagination::new(&self.core.program, &history, seat)?;
            Ok(imagination.worlds(count, &mut Dice::new(seed as u64)))
        })?;
        let worlds = worlds.map_err(|error: engine::StepError| stopped(error))?;
        Ok(worlds
            .into_iter()
            .map(|words| GamePosition::of(&self.core, GameRest::of(words), None))
            .collect())
    }

    /// Returns the number of the choice that a bot makes for the seat that acts next.
    #[pyo3(signature = (bot, seed = 0))]
    fn bot_choice(&self, py: Python<'_>, bot: &str, seed: i64) -> PyResult<u64> {
        let bot: Bot = bot.parse().map_err(value_error)?;
        let owed = self.due()?;
        let program = &self.core.program;
        let mut dice = Dice::new(seed as u64);
        if bot == Bot::Random {
            let count = engine::count_choices(program, self.words(), &owed).map_err(stopped)?;
            return Ok(dice.below(count));
        }
        let history = self.history(owed.seat)?;
        let decide = || {
            let mut mind = Mind::recall(program, None, &history, owed.seat)?;
            bot.choose(&mut mind, &mut dice)
        };
        // A thread of its own costs more than a greedy choice.
        let decided = match bot {
            Bot::Random | Bot::Greedy | Bot::Default => py.detach(decide),
            Bot::Search1 | Bot::Search2 | Bot::Search3 => interruptible(py, decide)?,
        };
        let nothing = || value_error("the bot has found no choice");
        let wanted = decided.map_err(stopped)?.choice.ok_or_else(nothing)?;
        self.number_of(&owed, &wanted)?.ok_or_else(nothing)
    }

    /// Replaces the seed of what chance will bring.
    fn reseed(&mut self, seed: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut words = self.words().clone();
        words.reseed(seed_of(seed)?);
        self.rest = GameRest::of(words);
        self.past = None;
        Ok(())
    }

    /// Returns the state as bytes, for `Game.from_bytes`. They contain everything, hidden or not.
    fn to_bytes(&self) -> Vec<u8> {
        self.words().encode(&self.core.program)
    }
}

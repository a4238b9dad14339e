//! A node of a game tree whose chance the caller answers: for hosts with chance nodes, and for solvers.

use std::sync::Arc;

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use crate::convert::{no_seat, of_space, ordinal, stopped, value_error};
use crate::played::Core;
use wyrmgate_analysis::perft::Histories;
use wyrmgate_base::hex;
use wyrmgate_engine::{self as engine, ChancePath, Choice, Collect, Pending, State, Viewer};
use wyrmgate_spaces::{Legal, SeatPosition};

/// A node: chance, a decision or an end.
#[pyclass(name = "Node", module = "wyrmgate._native")]
#[derive(Clone)]
pub struct TreeNode {
    core: Arc<Core>,
    /// The last rest; at a chance node, the one before it. `None` before the beginning.
    state: Option<State>,
    histories: Histories,
    /// At a chance node: the step that waits for outcomes.
    open: Option<OpenNode>,
    legal: Option<Legal>,
    begun: Vec<u32>,
    /// Every action and outcome so far.
    #[pyo3(get)]
    path: Vec<u32>,
    /// A name that a host gives it.
    #[pyo3(get, set)]
    label: String,
}

#[derive(Clone)]
struct OpenNode {
    /// `None`: the beginning of the game.
    taken: Option<(Pending, Choice)>,
    outcomes: Vec<u32>,
    /// How many equally likely outcomes the next draw has.
    of: u32,
}

impl TreeNode {
    pub fn begin(core: &Arc<Core>) -> PyResult<TreeNode> {
        let mut node = TreeNode {
            core: Arc::clone(core),
            state: None,
            histories: Histories::new(&core.program),
            open: None,
            legal: None,
            begun: Vec::new(),
            path: Vec::new(),
            label: String::new(),
        };
        node.go_on(None, Vec::new())?;
        Ok(node)
    }

    /// Makes a step with these outcomes of chance; stops at a draw that none of them answers.
    fn go_on(&mut self, taken: Option<(Pending, Choice)>, outcomes: Vec<u32>) -> PyResult<()> {
        let program = &self.core.program;
        let mut path = ChancePath::given(&outcomes);
        let mut events = Collect::default();
        let after = match (&self.state, &taken) {
            (Some(state), Some((owed, choice))) => {
                let mut after = state.clone();
                engine::step_legal(
                    program,
                    &mut after,
                    owed.index,
                    choice,
                    &mut path,
                    &mut events,
                )
                .map_err(stopped)?;
                after
            }
            _ => engine::start(program, [0; 32], &mut path, &mut events).map_err(stopped)?,
        };
        if let Some(fork) = path.forks().get(outcomes.len()) {
            let of = fork.of;
            self.open = Some(OpenNode {
                taken,
                outcomes,
                of,
            });
            return Ok(());
        }
        self.histories = self.histories.after(program, &events.0);
        self.state = Some(after);
        self.open = None;
        self.legal = None;
        self.begun.clear();
        Ok(())
    }

    fn owed(&self) -> Option<Pending> {
        let state = self.state.as_ref()?;
        engine::pending(&self.core.program, state).first().copied()
    }

    fn list(&mut self) -> PyResult<Option<(Pending, &Legal)>> {
        let Some((owed, state)) = self
            .owed()
            .zip(self.state.as_ref())
            .filter(|_| self.open.is_none())
        else {
            return Ok(None);
        };
        if self.legal.is_none() {
            let mut legal = Legal::default();
            let program = &self.core.program;
            let look = SeatPosition {
                program,
                state,
                seat: owed.seat,
            };
            self.core
                .spaces
                .actions
                .list_of(look, &owed, &mut legal)
                .map_err(of_space)?;
            self.legal = Some(legal);
        }
        Ok(self.legal.as_ref().map(|legal| (owed, legal)))
    }

    fn make(&mut self, action: u32) -> PyResult<()> {
        if let Some(open) = self.open.clone() {
            if action >= open.of {
                return Err(value_error(format!(
                    "there is no outcome {action}; there are {}",
                    open.of
                )));
            }
            let mut outcomes = open.outcomes;
            outcomes.push(action);
            return self.go_on(open.taken, outcomes);
        }
        let begun = self.begun.clone();
        let Some((owed, legal)) = self.list()? else {
            return Err(value_error("the game is over"));
        };
        let Some(number) = legal.choice(&begun, action) else {
            if !legal.can_go_on(&begun, action) {
                return Err(value_error(format!("action {action} is not legal here")));
            }
            self.begun.push(action);
            return Ok(());
        };
        let state = self
            .state
            .as_ref()
            .ok_or_else(|| value_error("the game has not begun"))?;
        let choice =
            engine::nth_choice(&self.core.program, state, &owed, number as u64).map_err(stopped)?;
        let choice = choice.ok_or_else(|| value_error("the choice has gone"))?;
        self.go_on(Some((owed, choice)), Vec::new())
    }
}

#[pymethods]
impl TreeNode {
    #[pyo3(name = "clone")]
    fn copy(&self) -> TreeNode {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> TreeNode {
        self.clone()
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.open.is_none() && self.state.as_ref().is_some_and(State::is_finished)
    }

    /// Returns how many equally likely outcomes there are; 0 where chance does not decide.
    #[getter]
    fn outcomes(&self) -> u32 {
        self.open.as_ref().map_or(0, |open| open.of)
    }

    /// Returns the seat that decides.
    #[getter]
    fn seat(&self) -> Option<u8> {
        self.owed()
            .filter(|_| self.open.is_none())
            .map(|owed| owed.seat)
    }

    fn legal_actions(&mut self) -> PyResult<Vec<u32>> {
        let begun = self.begun.clone();
        let legal = self.list()?;
        Ok(legal.map_or_else(Vec::new, |(_, legal)| legal.next(&begun)))
    }

    /// Takes an action, or an outcome of chance.
    fn step(&mut self, action: i64) -> PyResult<()> {
        let action = ordinal("action", action)?;
        self.make(action)?;
        self.path.push(action);
        Ok(())
    }

    /// Returns everything that a seat has observed, as a key: equal where the seat cannot tell two games apart.
    fn information(&self, seat: usize) -> PyResult<String> {
        let key = self.histories.of(u8::try_from(seat).map_err(value_error)?);
        let key = key.ok_or_else(|| no_seat(seat))?;
        let mut text = hex::encode(key.get(..16).unwrap_or(&key));
        if self.seat() == Some(seat as u8) {
            for part in &self.begun {
                text.push_str(&format!(",{part}"));
            }
        }
        Ok(text)
    }

    /// Returns what a seat may know; at a chance node, what it knew before.
    fn observe<'py>(&self, py: Python<'py>, seat: u8) -> PyResult<Bound<'py, PyArray1<f32>>> {
        if usize::from(seat) >= self.core.program.seats {
            return Err(no_seat(seat));
        }
        let observations = &self.core.observations;
        let array = PyArray1::zeros(py, observations.size(), false);
        if let Some(state) = &self.state {
            let mut writing = array.readwrite();
            let tensor = writing.as_slice_mut().map_err(value_error)?;
            observations.write(&self.core.program, state, Viewer::Seat(seat), tensor);
        }
        Ok(array)
    }

    fn returns(&self) -> Vec<f64> {
        let mut returns = vec![0.0; self.core.program.seats];
        if let Some(outcome) = self
            .state
            .as_ref()
            .filter(|_| self.open.is_none())
            .and_then(State::outcome)
        {
            self.core.returns().write(outcome, &mut returns);
        }
        returns
    }
}

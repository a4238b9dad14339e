//! Many games at once, without the interpreter lock.

use std::sync::Arc;

use numpy::{
    PyArray1, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::convert::{no_seat, of_space, stopped, value_error};
use crate::game::{Game, seed_of};
use crate::interrupt::signaled;
use crate::played::Core;
use crate::runners::with_runner;
use crate::state::GamePosition;
use wyrmgate_analysis::simulate::seed_of_game;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{Fault, Viewer, first_owed};
use wyrmgate_runner::{GameRest, Runner};
use wyrmgate_spaces::{Legal, SpaceError};

/// The number of random steps, or of games that are visited or begin, after which signals are looked for.
const STEPS_BETWEEN: usize = 256;

/// Positions of many games. When a game ends, a new one begins with the next seed.
#[pyclass(module = "wyrmgate._native")]
pub struct Batch {
    core: Arc<Core>,
    places: Vec<BatchPlace>,
    seed: [u8; 32],
    /// How many games have begun.
    #[pyo3(get)]
    games: u64,
    dice: Dice,
}

struct BatchPlace {
    rest: GameRest,
    legal: Legal,
    begun: Vec<u32>,
}

/// Why a step was not made.
enum MissedStep {
    Fault(Fault),
    Space(SpaceError),
    Illegal { place: usize, action: i64 },
    Signal(PyErr),
}

wyrmgate_base::from_variants!(MissedStep { Fault: Fault; Space: SpaceError; Signal: PyErr });

impl From<MissedStep> for PyErr {
    fn from(error: MissedStep) -> PyErr {
        match error {
            MissedStep::Fault(fault) => stopped(fault),
            MissedStep::Space(error) => of_space(error),
            MissedStep::Signal(error) => error,
            MissedStep::Illegal { place, action } => value_error(format!(
                "action {action} is not legal in game {place}; see `masks`"
            )),
        }
    }
}

/// An array of whole numbers.
type Numbers<'py> = Bound<'py, PyArray1<i64>>;

/// The arrays that a step writes.
struct Out<'o> {
    rewards: &'o mut [f32],
    ended: &'o mut [bool],
}

/// Work on one game: its number, and a runner that holds its position.
type Work<'w> = &'w mut dyn FnMut(&mut Batch, usize, &mut Runner<'_>) -> Result<(), MissedStep>;

impl Out<'_> {
    fn clear(&mut self) {
        self.rewards.fill(0.0);
        self.ended.fill(false);
    }

    fn clear_one(&mut self, at: usize, seats: usize) {
        if let Some(rewards) = self.rewards.get_mut(at * seats..(at + 1) * seats) {
            rewards.fill(0.0);
        }
        if let Some(ended) = self.ended.get_mut(at) {
            *ended = false;
        }
    }
}

impl Batch {
    /// Begins the next game in the memory of a runner.
    fn begin(&mut self, runner: &mut Runner<'_>) -> Result<(), Fault> {
        self.games += 1;
        runner.begin(seed_of_game(&self.seed, self.games))
    }

    /// Ends a game that is over: writes its returns and begins another one.
    fn settle(
        &mut self,
        runner: &mut Runner<'_>,
        at: usize,
        out: &mut Out<'_>,
    ) -> Result<(), Fault> {
        let Some(outcome) = runner.state().outcome() else {
            return Ok(());
        };
        let seats = self.core.program.seats;
        let mut returns = [0.0; wyrmgate_program::SEATS_MAX];
        let returns = returns.get_mut(..seats).unwrap_or_default();
        self.core.returns().write(outcome, returns);
        if let Some(rewards) = out.rewards.get_mut(at * seats..(at + 1) * seats) {
            for (reward, value) in rewards.iter_mut().zip(returns) {
                *reward += *value as f32;
            }
        }
        if let Some(ended) = out.ended.get_mut(at) {
            *ended = true;
        }
        self.begin(runner)
    }

    /// Visits the games one after the other, in the memory of one runner.
    fn visit(&mut self, work: Work<'_>) -> Result<(), MissedStep> {
        let core = Arc::clone(&self.core);
        with_runner(&core.program, |runner| {
            for at in 0..self.places.len() {
                if at % STEPS_BETWEEN == STEPS_BETWEEN - 1 {
                    signaled()?;
                }
                let Some(place) = self.places.get_mut(at) else {
                    break;
                };
                runner.borrow(&mut place.rest);
                let worked = work(self, at, runner);
                if let Some(place) = self.places.get_mut(at) {
                    runner.hand_back(&mut place.rest);
                }
                worked?;
            }
            Ok(())
        })?
    }

    /// Lists the legal actions of a game, unless they are known.
    fn list(&mut self, at: usize, runner: &mut Runner<'_>) -> Result<(), MissedStep> {
        let Some(place) = self.places.get_mut(at) else {
            return Ok(());
        };
        if place.legal.choices() == 0 {
            let (core, legal) = (&self.core, &mut place.legal);
            core.spaces.actions.list(&core.program, runner, legal)?;
        }
        Ok(())
    }

    fn list_all(&mut self) -> Result<(), MissedStep> {
        match self.places.iter().any(|place| place.legal.choices() == 0) {
            true => self.visit(&mut |batch, at, runner| batch.list(at, runner)),
            false => Ok(()),
        }
    }

    /// Takes a choice by its number.
    fn take(
        &mut self,
        (at, number): (usize, u64),
        runner: &mut Runner<'_>,
        out: &mut Out<'_>,
    ) -> Result<(), MissedStep> {
        if let Some(place) = self.places.get_mut(at) {
            place.legal.clear();
            place.begun.clear();
        }
        runner.take(number)?;
        Ok(self.settle(runner, at, out)?)
    }

    fn take_at_random(
        &mut self,
        at: usize,
        runner: &mut Runner<'_>,
        out: &mut Out<'_>,
    ) -> Result<(), MissedStep> {
        let dice = &mut self.dice;
        let number = runner.draw(&mut |n| dice.below(n))?;
        self.take((at, number), runner, out)
    }

    /// Takes an action in each game, and lists those that come next: the next step needs them in any case.
    fn step_numbers(&mut self, actions: &[i64], out: &mut Out<'_>) -> Result<(), MissedStep> {
        out.clear();
        self.visit(&mut |batch, at, runner| {
            batch.list(at, runner)?;
            let action = actions.get(at).copied().unwrap_or(-1);
            if let Some(number) = batch.completed(at, action)? {
                batch.take((at, number), runner, out)?;
            }
            batch.list(at, runner)
        })
    }

    /// Returns the number of the choice that an action completes; `None` if it is only a part of a choice, which is kept.
    fn completed(&mut self, at: usize, action: i64) -> Result<Option<u64>, MissedStep> {
        let illegal = MissedStep::Illegal { place: at, action };
        let (Some(place), Ok(part)) = (self.places.get_mut(at), u32::try_from(action)) else {
            return Err(illegal);
        };
        if let Some(number) = place.legal.choice(&place.begun, part) {
            return Ok(Some(number as u64));
        }
        if !place.legal.can_go_on(&place.begun, part) {
            return Err(illegal);
        }
        place.begun.push(part);
        Ok(None)
    }

    fn step_at_random(&mut self, steps: usize, out: &mut Out<'_>) -> Result<(), MissedStep> {
        let seats = self.core.program.seats;
        self.visit(&mut |batch, at, runner| {
            for step in 0..steps {
                if step % STEPS_BETWEEN == STEPS_BETWEEN - 1 {
                    signaled()?;
                }
                out.clear_one(at, seats);
                batch.take_at_random(at, runner, out)?;
            }
            Ok(())
        })
    }

    /// Lets the other seats choose at random until a seat acts next.
    fn advance_to(&mut self, seat: u8, out: &mut Out<'_>) -> Result<(), MissedStep> {
        out.clear();
        self.visit(&mut |batch, at, runner| {
            while runner.pending().is_some_and(|owed| owed.seat != seat) {
                batch.take_at_random(at, runner, out)?;
            }
            Ok(())
        })
    }

    /// Returns the legal actions of all games, one after the other, and where those of each game begin and the last end.
    fn legal_numbers(&mut self) -> Result<(Vec<i64>, Vec<i64>), MissedStep> {
        self.list_all()?;
        let is_factored = self.core.spaces.actions.is_factored();
        let (mut actions, mut starts) = (Vec::new(), vec![0]);
        for place in &self.places {
            match is_factored {
                true => actions.extend(place.legal.next(&place.begun).into_iter().map(i64::from)),
                false => actions.extend(place.legal.flat().iter().copied().map(i64::from)),
            }
            starts.push(actions.len() as i64);
        }
        Ok((actions, starts))
    }

    /// Returns the arrays that a step writes, if they have the right sizes.
    fn out<'o>(
        &self,
        rewards: &'o mut PyReadwriteArray2<'_, f32>,
        ended: &'o mut PyReadwriteArray1<'_, bool>,
    ) -> PyResult<Out<'o>> {
        self.check("rewards", rewards.len(), self.core.program.seats)?;
        self.check("ended", ended.len(), 1)?;
        Ok(Out {
            rewards: rewards.as_slice_mut().map_err(value_error)?,
            ended: ended.as_slice_mut().map_err(value_error)?,
        })
    }

    fn check(&self, name: &str, found: usize, each: usize) -> PyResult<()> {
        let wanted = self.places.len() * each;
        match found == wanted {
            true => Ok(()),
            false => Err(value_error(format!(
                "`{name}` has {found} places; {wanted} are needed"
            ))),
        }
    }
}

#[pymethods]
impl Batch {
    #[new]
    fn new(py: Python<'_>, game: &Game, size: usize, seed: &Bound<'_, PyAny>) -> PyResult<Batch> {
        let core = Arc::clone(&game.0);
        let mut batch = Batch {
            core: Arc::clone(&core),
            places: Vec::new(),
            seed: seed_of(seed)?,
            games: 0,
            dice: Dice::new(0),
        };
        let [a, b, c, d, e, f, g, h, ..] = batch.seed;
        batch.dice = Dice::new(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
        py.detach(|| {
            core.returns();
            let begun = with_runner(&core.program, |runner| -> Result<(), MissedStep> {
                for at in 0..size {
                    if at % STEPS_BETWEEN == STEPS_BETWEEN - 1 {
                        signaled()?;
                    }
                    batch.begin(runner)?;
                    let mut rest = None;
                    runner.keep(&mut rest);
                    batch.places.extend(rest.map(|rest| BatchPlace {
                        rest,
                        legal: Legal::default(),
                        begun: Vec::new(),
                    }));
                }
                Ok(())
            });
            begun.map_err(stopped)?.map_err(PyErr::from)
        })?;
        Ok(batch)
    }

    fn __len__(&self) -> usize {
        self.places.len()
    }

    /// Returns copies of all positions, without their histories.
    fn states(&self) -> Vec<GamePosition> {
        let state = |place: &BatchPlace| {
            let mut state = GamePosition::of(&self.core, place.rest.clone(), None);
            state.begun.clone_from(&place.begun);
            state
        };
        self.places.iter().map(state).collect()
    }

    /// Returns how many games have begun, and the state of the dice for random steps.
    fn course(&self) -> (u64, u64) {
        (self.games, self.dice.state())
    }

    /// Continues as the batch with these positions and this course, for `pickle`.
    fn resume(&mut self, states: Vec<PyRef<'_, GamePosition>>, course: (u64, u64)) {
        let places = states.iter().map(|state| BatchPlace {
            rest: state.rest.clone(),
            legal: Legal::default(),
            begun: state.begun.clone(),
        });
        self.places = places.collect();
        (self.games, self.dice) = (course.0, Dice::new(course.1));
    }

    /// Takes an action in each game. Writes which games ended and their returns; a new game takes the place of each of them.
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        mut rewards: PyReadwriteArray2<'_, f32>,
        mut ended: PyReadwriteArray1<'_, bool>,
    ) -> PyResult<()> {
        self.check("actions", actions.len(), 1)?;
        let actions = actions.as_slice().map_err(value_error)?;
        let mut out = self.out(&mut rewards, &mut ended)?;
        Ok(py.detach(|| self.step_numbers(actions, &mut out))?)
    }

    /// Takes `steps` random choices in each game.
    fn step_random(
        &mut self,
        py: Python<'_>,
        steps: usize,
        mut rewards: PyReadwriteArray2<'_, f32>,
        mut ended: PyReadwriteArray1<'_, bool>,
    ) -> PyResult<()> {
        let mut out = self.out(&mut rewards, &mut ended)?;
        Ok(py.detach(|| self.step_at_random(steps, &mut out))?)
    }

    /// Lets the other seats choose at random until `seat` acts next in each game. Writes what `step` writes.
    fn advance(
        &mut self,
        py: Python<'_>,
        seat: u8,
        mut rewards: PyReadwriteArray2<'_, f32>,
        mut ended: PyReadwriteArray1<'_, bool>,
    ) -> PyResult<()> {
        if usize::from(seat) >= self.core.program.seats {
            return Err(no_seat(seat));
        }
        let mut out = self.out(&mut rewards, &mut ended)?;
        Ok(py.detach(|| self.advance_to(seat, &mut out))?)
    }

    /// Writes 1 for each legal action of each game.
    fn masks(&mut self, py: Python<'_>, mut out: PyReadwriteArray2<'_, i8>) -> PyResult<()> {
        let size = self.core.spaces.actions.size() as usize;
        self.check("out", out.len(), size)?;
        let masks = out.as_slice_mut().map_err(value_error)?;
        Ok(py.detach(|| -> Result<(), MissedStep> {
            self.list_all()?;
            for (place, mask) in self.places.iter().zip(masks.chunks_exact_mut(size)) {
                place.legal.write_mask(&place.begun, mask);
            }
            Ok(())
        })?)
    }

    /// Returns the legal actions of all games, one after the other, and where those of each game begin and the last end.
    fn legal<'py>(&mut self, py: Python<'py>) -> PyResult<(Numbers<'py>, Numbers<'py>)> {
        let (actions, starts) = py.detach(|| self.legal_numbers())?;
        Ok((
            PyArray1::from_vec(py, actions),
            PyArray1::from_vec(py, starts),
        ))
    }

    /// Writes what the seat that acts next may know in each game, or a given seat.
    #[pyo3(signature = (out, seat = None))]
    fn observe(
        &self,
        py: Python<'_>,
        mut out: PyReadwriteArray2<'_, f32>,
        seat: Option<u8>,
    ) -> PyResult<()> {
        let observations = &self.core.observations;
        let size = observations.size();
        self.check("out", out.len(), size)?;
        let tensors = out.as_slice_mut().map_err(value_error)?;
        if let Some(seat) = seat.filter(|seat| usize::from(*seat) >= self.core.program.seats) {
            return Err(no_seat(seat));
        }
        py.detach(|| {
            for (place, tensor) in self.places.iter().zip(tensors.chunks_exact_mut(size)) {
                let state = place.rest.state();
                let owed = || first_owed(state).map(|owed| owed.seat);
                let seat = seat.or_else(owed).unwrap_or(0);
                observations.write(&self.core.program, state, Viewer::Seat(seat), tensor);
            }
        });
        Ok(())
    }

    /// Writes the seat that acts next in each game.
    fn seats(&self, mut out: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        self.check("out", out.len(), 1)?;
        let seats = out.as_slice_mut().map_err(value_error)?;
        for (place, seat) in self.places.iter().zip(seats) {
            *seat = first_owed(place.rest.state()).map_or(-1, |owed| i64::from(owed.seat));
        }
        Ok(())
    }
}

//! One game in play.

mod methods;
mod told;

use std::sync::Arc;

use numpy::{Element, PyArray1, PyArrayMethods, PyReadwriteArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::convert::{no_seat, of_space, stopped, value_error};
use crate::played::Core;
use crate::runners::with_runner;
use wyrmgate_engine::{self as engine, Pending, Seeded, State as Words, Viewer};
use wyrmgate_runner::{GameRest, Runner};
use wyrmgate_search::imagine::{GameHistory, Made};
use wyrmgate_spaces::Legal;

/// A position of a game. Seats count from 0.
#[pyclass(name = "State", module = "wyrmgate._native")]
#[derive(Clone)]
pub struct GamePosition {
    core: Arc<Core>,
    pub(crate) rest: GameRest,
    past: Option<GamePast>,
    legal: Legal,
    is_listed: bool,
    /// The parts of the choice that has been begun, in a factored space.
    pub(crate) begun: Vec<u32>,
    /// How many choices the seat has that acts next, if it is known.
    count: Option<u64>,
}

/// How a game has come to where it is.
#[derive(Clone)]
struct GamePast {
    seed: [u8; 32],
    /// The number of each choice, always of the first pending decision.
    numbers: Vec<u64>,
}

impl GamePosition {
    pub fn of(core: &Arc<Core>, rest: GameRest, seed: Option<[u8; 32]>) -> GamePosition {
        GamePosition {
            core: Arc::clone(core),
            rest,
            past: seed.map(|seed| GamePast {
                seed,
                numbers: Vec::new(),
            }),
            legal: Legal::default(),
            is_listed: false,
            begun: Vec::new(),
            count: None,
        }
    }

    pub fn begin(core: &Arc<Core>, seed: [u8; 32]) -> PyResult<GamePosition> {
        let rest = with_runner(&core.program, |runner| -> Result<_, engine::Fault> {
            let mut rest = None;
            runner.begin(seed)?;
            runner.keep(&mut rest);
            Ok(rest)
        });
        let rest = rest.map_err(stopped)?.map_err(stopped)?;
        let rest = rest.ok_or_else(|| value_error("the game has not begun"))?;
        Ok(GamePosition::of(core, rest, Some(seed)))
    }

    /// Lends the game to a runner.
    fn play<T>(
        &mut self,
        work: impl FnOnce(&Core, &mut Runner<'_>, &mut Legal) -> T,
    ) -> PyResult<T> {
        let GamePosition {
            core, rest, legal, ..
        } = self;
        let done = with_runner(&core.program, |runner| {
            runner.borrow(rest);
            let done = work(core, runner, legal);
            runner.hand_back(rest);
            done
        });
        done.map_err(stopped)
    }

    /// Replaces the game by another that begins, and lists its first choices.
    fn begin_again(&mut self, seed: [u8; 32]) -> PyResult<()> {
        let mut numbers = self.past.take().map_or_else(Vec::new, |past| past.numbers);
        numbers.clear();
        self.past = Some(GamePast { seed, numbers });
        self.forget();
        let begun = self.play(|core, runner, legal| {
            runner.begin(seed)?;
            core.spaces.actions.list(&core.program, runner, legal)
        })?;
        begun.map_err(of_space)?;
        self.is_listed = true;
        Ok(())
    }

    fn words(&self) -> &Words {
        self.rest.state()
    }

    fn owed(&self) -> Option<Pending> {
        engine::first_owed(self.words())
    }

    fn due(&self) -> PyResult<Pending> {
        self.owed().ok_or_else(|| value_error("the game is over"))
    }

    fn list(&mut self) -> PyResult<()> {
        if self.is_listed {
            return Ok(());
        }
        let listed = self
            .play(|core, runner, legal| core.spaces.actions.list(&core.program, runner, legal))?;
        listed.map_err(of_space)?;
        self.is_listed = true;
        Ok(())
    }

    fn legal(&self) -> Vec<u32> {
        match self.core.spaces.actions.is_factored() {
            true => self.legal.next(&self.begun),
            false => self.legal.flat().to_vec(),
        }
    }

    fn forget(&mut self) {
        self.is_listed = false;
        self.begun.clear();
        self.count = None;
    }

    /// Takes the choice with this number.
    fn take_number(&mut self, number: u64) -> PyResult<()> {
        let taken = self.play(|_, runner, _| runner.take(number))?;
        taken.map_err(stopped)?;
        self.note(number);
        Ok(())
    }

    /// Takes the choice with this number, and returns what happens.
    fn take_watched(&mut self, number: u64) -> PyResult<Vec<engine::Event>> {
        let (program, owed) = (&self.core.program, self.due()?);
        let mut words = self.words().clone();
        let choice = engine::nth_choice(program, &words, &owed, number).map_err(stopped)?;
        let choice = choice
            .ok_or_else(|| value_error(format!("there is no choice {number}; see `count`")))?;
        let mut events = engine::Collect::default();
        let (at, chance) = (owed.index, &mut Seeded);
        engine::step_legal(program, &mut words, at, &choice, chance, &mut events)
            .map_err(stopped)?;
        self.rest = GameRest::of(words);
        self.note(number);
        Ok(events.0)
    }

    /// Takes the choice with this number, and lists those that come next: one visit of the runner.
    fn take_and_list(&mut self, number: u64) -> PyResult<()> {
        let (taken, listed) = self.play(|core, runner, legal| {
            let taken = runner.take(number);
            let listed = match &taken {
                Ok(()) => core.spaces.actions.list(&core.program, runner, legal),
                Err(_) => Ok(()),
            };
            (taken, listed)
        })?;
        taken.map_err(stopped)?;
        self.note(number);
        listed.map_err(of_space)?;
        self.is_listed = true;
        Ok(())
    }

    /// Notes that the choice with this number has been taken.
    fn note(&mut self, number: u64) {
        if let Some(past) = &mut self.past {
            past.numbers.push(number);
        }
        self.forget();
    }

    /// Adds a part to the choice that has been begun, in a factored space.
    fn begin_choice(&mut self, action: u32) -> PyResult<()> {
        if !self.legal.can_go_on(&self.begun, action) {
            return Err(self.illegal(action));
        }
        self.begun.push(action);
        Ok(())
    }

    fn illegal(&self, action: u32) -> PyErr {
        let words = self
            .core
            .spaces
            .actions
            .describe(&self.core.program, u64::from(action));
        let words = words.map_or_else(String::new, |words| format!(" ({words})"));
        value_error(format!(
            "action {action}{words} is not legal here; see `legal_actions`"
        ))
    }

    /// Returns every choice so far that is not secret from this seat.
    fn history(&self, seat: u8) -> PyResult<GameHistory> {
        let past = self
            .past
            .as_ref()
            .ok_or_else(|| value_error("a sampled or restored state has no history"))?;
        let program = &self.core.program;
        let mut words =
            engine::start(program, past.seed, &mut Seeded, &mut engine::Silent).map_err(stopped)?;
        let (mut made, mut held) = (Vec::new(), Vec::new());
        let lost = || value_error("the history does not lead to this state");
        for number in &past.numbers {
            let owed = engine::pending(program, &words);
            let first = owed.first().ok_or_else(lost)?;
            let choice = engine::nth_choice(program, &words, first, *number).map_err(stopped)?;
            let choice = choice.ok_or_else(lost)?;
            let stepped = engine::step_legal(
                program,
                &mut words,
                first.index,
                &choice,
                &mut Seeded,
                &mut engine::Silent,
            );
            stepped.map_err(stopped)?;
            held.push(Made {
                seat: first.seat,
                secret: first.secret,
                choice,
            });
            // Answers to an open decision are known to nobody.
            if !engine::stays_secret(&owed, first, &words) {
                made.append(&mut held);
            }
        }
        made.extend(held.into_iter().filter(|made| made.seat == seat));
        Ok(GameHistory {
            seed: past.seed,
            made,
        })
    }

    /// Fills the array of a caller, if there is one, with what the seat observes that acts next.
    fn observe_into(&self, out: Option<PyReadwriteArray1<'_, f32>>) -> PyResult<()> {
        let Some(mut out) = out else {
            return Ok(());
        };
        let observations = &self.core.observations;
        let tensor = fitting(&mut out, observations.size())?;
        let viewer = Viewer::Seat(self.owed().map_or(0, |owed| owed.seat));
        observations.write(&self.core.program, self.words(), viewer, tensor);
        Ok(())
    }

    fn viewer(&self, seat: Option<i64>) -> PyResult<Viewer> {
        let Some(number) = seat else {
            return Ok(Viewer::Public);
        };
        let seat = u8::try_from(number).ok();
        let seat = seat.filter(|seat| usize::from(*seat) < self.core.program.seats);
        seat.map(Viewer::Seat).ok_or_else(|| no_seat(number))
    }
}

/// Fills the array of a caller, which must have this size, or a new one, which is returned.
fn filled<'py, T: Element>(
    py: Python<'py>,
    size: usize,
    out: Option<PyReadwriteArray1<'py, T>>,
    fill: impl FnOnce(&mut [T]),
) -> PyResult<Option<Bound<'py, PyArray1<T>>>> {
    let Some(mut out) = out else {
        let array = PyArray1::zeros(py, size, false);
        fill(array.readwrite().as_slice_mut().map_err(value_error)?);
        return Ok(Some(array));
    };
    fill(fitting(&mut out, size)?);
    Ok(None)
}

/// Returns the places of an array, which must be as many as this.
fn fitting<'a, T: Element>(
    out: &'a mut PyReadwriteArray1<'_, T>,
    size: usize,
) -> PyResult<&'a mut [T]> {
    if out.len() != size {
        return Err(value_error(format!(
            "the array has {} places; {size} are needed",
            out.len()
        )));
    }
    out.as_slice_mut().map_err(value_error)
}

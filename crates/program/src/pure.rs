//! Evaluates expressions that do not read the state: constants, and parts of programs at compile time.
//!
//! The semantics are those of the engine: total, with `none` for every question to `none`.

mod lists;
mod values;

use crate::{ExprId, Program, SetId, Temp};

/// The values of temps, and the state of an evaluation.
#[derive(Debug, Clone)]
pub struct Known {
    /// The latest last.
    temps: Vec<(Temp, i32)>,
    /// Work that may still be done.
    left: u32,
    /// The reason why there is no value, unless the expression reads the state.
    pub stopped: Option<Stopped>,
}

/// The reason why an expression that does not read the state has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// A number is too large.
    Overflow(ExprId),
    /// A list is too long, or there is too much to do.
    TooMuch,
}

/// The maximum number of members of lists in one evaluation.
const WORK_MAX: u32 = 1 << 18;

impl Default for Known {
    fn default() -> Known {
        Known {
            temps: Vec::new(),
            left: WORK_MAX,
            stopped: None,
        }
    }
}

impl Known {
    pub fn of(temp: Temp, value: i32) -> Known {
        Known::default().and(temp, value)
    }

    pub fn and(mut self, temp: Temp, value: i32) -> Known {
        self.temps.push((temp, value));
        self
    }

    fn get(&self, temp: Temp) -> Option<i32> {
        let found = self.temps.iter().rev().find(|(known, _)| *known == temp);
        found.map(|(_, value)| *value)
    }

    fn spend(&mut self, work: usize) -> Option<()> {
        let left = u32::try_from(work)
            .ok()
            .and_then(|work| self.left.checked_sub(work));
        if left.is_none() {
            self.stopped.get_or_insert(Stopped::TooMuch);
        }
        self.left = left?;
        Some(())
    }

    fn checked(&mut self, id: ExprId, number: Option<i32>) -> Option<i32> {
        if number.is_none() {
            self.stopped.get_or_insert(Stopped::Overflow(id));
        }
        number
    }
}

/// Evaluates the expression; `None` if it has no value, see [`Known::stopped`].
pub fn value(program: &Program, id: ExprId, known: &mut Known) -> Option<i32> {
    Evaluation { program, known }.value(id)
}

pub fn truth(program: &Program, id: ExprId, known: &mut Known) -> Option<bool> {
    Evaluation { program, known }.truth(id)
}

/// Evaluates the members of a list.
pub fn list(program: &Program, id: SetId, known: &mut Known) -> Option<Vec<i32>> {
    Evaluation { program, known }.list(id)
}

/// An evaluation in progress.
struct Evaluation<'e> {
    program: &'e Program,
    known: &'e mut Known,
}

impl Evaluation<'_> {
    fn truth(&mut self, id: ExprId) -> Option<bool> {
        self.value(id).map(|value| value > 0)
    }

    fn with<T>(&mut self, temp: Temp, value: i32, then: impl FnOnce(&mut Self) -> T) -> T {
        self.known.temps.push((temp, value));
        let answer = then(self);
        self.known.temps.pop();
        answer
    }
}

//! Results of queries that use themselves, in supposed positions. Sequences of choices reach the same position in many
//! orders; what follows it is evaluated once while choices are listed.
//!
//! A result counts against the budgets as often as it is used: what is remembered changes no limit.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::Eval;
use super::call::Window;
use crate::fault::Halt;
use crate::history::PositionHash;
use wyrmgate_program::{Expr, ExprId, QueryInfo};

/// Maximum number of cached results.
const MOST: usize = 16_384;

/// A query with its arguments in a position.
pub(super) type Question = u64;

/// The hash of a question, which is a hash already.
#[derive(Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.0 = self.0 << 8 | u64::from(*byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[derive(Default)]
pub(super) struct Remembered {
    on: bool,
    /// Results, with the work that they cost.
    answers: HashMap<Question, (i32, u32), BuildHasherDefault<Itself>>,
}

impl Remembered {
    pub fn turn_on(&mut self) {
        self.on = true;
    }

    /// Keeps what is known, but neither uses nor extends it.
    pub fn pause(&mut self, pauses: bool) {
        self.on = !pauses;
    }

    pub fn turn_off(&mut self) {
        self.on = false;
        self.answers.clear();
    }
}

impl Eval<'_> {
    /// Returns the number of a question whose answer is worth remembering.
    pub(super) fn remembered(
        &self,
        query: &QueryInfo,
        window: &Window,
        args: ExprId,
    ) -> Option<Question> {
        let is_on = self.scratch.memo.remembered.on;
        if query.deepest == 0 || self.scratch.what_ifs == 0 || !is_on {
            return None;
        }
        let exprs = self.program.exprs.get(args as usize..)?;
        let exprs = exprs.iter().take(usize::from(query.params));
        if exprs
            .clone()
            .any(|arg| matches!(arg, Expr::ListArgument(_)))
        {
            return None;
        }
        let mut hash = PositionHash::of(query.number);
        let temps = self.scratch.temps.get(window.temps..)?;
        temps
            .iter()
            .take(usize::from(query.params))
            .for_each(|arg| hash.add(*arg));
        self.state.words.iter().for_each(|word| hash.add(*word));
        self.state.history.each(|half| hash.add(half));
        Some(hash.number())
    }

    /// Returns a known answer, at its cost.
    pub(super) fn recall(&mut self, question: Question) -> Option<Result<i32, Halt>> {
        let answers = &self.scratch.memo.remembered.answers;
        let (value, cost) = answers.get(&question).copied()?;
        Some(match self.scratch.fuel.checked_sub(cost) {
            Some(left) => {
                self.scratch.fuel = left;
                Ok(value)
            }
            None => {
                let limit = self.scratch.limit;
                Err(self.scratch.halt(limit))
            }
        })
    }

    pub(super) fn remember(&mut self, question: Question, value: i32, before: u32) {
        let cost = before.saturating_sub(self.scratch.fuel);
        let answers = &mut self.scratch.memo.remembered.answers;
        if answers.len() < MOST {
            answers.insert(question, (value, cost));
        }
    }
}

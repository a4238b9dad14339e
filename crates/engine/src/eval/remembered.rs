//! Results of queries that use themselves, in supposed positions. Sequences of choices reach the same position in many
//! orders; what follows it is evaluated once while choices are listed.
//!
//! A result counts against the budgets as often as it is used: what is remembered changes no limit.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

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
    pub on: bool,
    /// Results, with the work that they cost.
    answers: HashMap<Question, (i32, u32), BuildHasherDefault<Itself>>,
}

impl Remembered {
    pub fn turn_on(&mut self) {
        self.on = true;
    }

    pub fn turn_off(&mut self) {
        self.on = false;
        self.answers.clear();
    }
    /// Returns a result, with the work that it cost.
    pub fn get(&self, question: Question) -> Option<(i32, u32)> {
        self.answers.get(&question).copied()
    }

    pub fn keep(&mut self, question: Question, value: i32, cost: u32) {
        if self.answers.len() < MOST {
            self.answers.insert(question, (value, cost));
        }
    }
}

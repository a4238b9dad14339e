//! What the rules write out of sight of the viewer, in two worlds.
//!
//! What chance has just chosen may show in the very step, and so may an answer when all have answered: it was never hidden then.
//! But it may show as what it is, not by way of a word that the viewer may not see. To tell the two apart, the step is made
//! once more, with the same new choice, while all that is written out of sight is what was written in the first world. If
//! the viewer then receives the same as in the first world, the difference came only from hidden words.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::line::Line;
use wyrmgate_engine::viewers_of_var;

/// A step, a word, and the how manieth write of it in this step.
type Key = (usize, u32, u32);

/// The writes of the first world.
#[derive(Debug, Clone, Default)]
pub(super) struct Writes {
    values: HashMap<Key, i32>,
    counts: Counts,
}

/// How often each word was written in the present step.
#[derive(Debug, Clone, Default)]
struct Counts {
    step: usize,
    by_word: HashMap<u32, u32>,
}

impl Counts {
    fn key(&mut self, step: usize, word: u32) -> Key {
        if self.step != step {
            self.by_word.clear();
            self.step = step;
        }
        let count = self.by_word.entry(word).or_default();
        *count += 1;
        (step, word, *count)
    }
}

impl Writes {
    pub fn note(&mut self, step: usize, word: u32, value: i32) {
        let key = self.counts.key(step, word);
        self.values.insert(key, value);
    }
}

/// The writes of the other world.
#[derive(Debug)]
pub(super) struct Forced<'a> {
    first: &'a Writes,
    counts: Counts,
    /// The step that is being made; 0 is the setup.
    pub step: usize,
    /// In this step, what is written into these words is what was written in the first world.
    pub at: Option<(usize, &'a HashSet<u32>)>,
    /// Words into which something else was written in this step than in the first world.
    pub differ: HashSet<u32>,
}

impl<'a> Forced<'a> {
    pub fn new(first: &'a Writes) -> Forced<'a> {
        Forced {
            first,
            counts: Counts::default(),
            step: 0,
            at: None,
            differ: HashSet::new(),
        }
    }

    pub fn begin_step(&mut self, step: usize) {
        self.step = step;
        self.differ.clear();
    }

    pub fn written(&mut self, word: u32, value: i32) -> i32 {
        let key = self.counts.key(self.step, word);
        let first = self.first.values.get(&key).copied();
        if first != Some(value) {
            self.differ.insert(word);
        }
        match self.at {
            Some((step, words)) if step == self.step && words.contains(&word) => {
                first.unwrap_or(value)
            }
            _ => value,
        }
    }
}

/// The words of variables that the viewer never sees in a line, worked out when they are first asked for.
#[derive(Debug, Default)]
pub(super) struct Unseen(OnceCell<HashSet<u32>>);

impl Unseen {
    pub fn words(&self, line: &Line<'_>) -> &HashSet<u32> {
        self.0.get_or_init(|| words_unseen(line))
    }
}

fn words_unseen(line: &Line<'_>) -> HashSet<u32> {
    let program = line.program;
    let mut words = HashSet::new();
    for (number, var) in program.vars.iter().enumerate() {
        for word in 0..var.len {
            let is_seen = |point: &super::line::Point| {
                let seen = viewers_of_var(program, &point.state, number, word);
                line.eyes.is_among(seen)
            };
            if !var.internal && !line.points.iter().any(is_seen) {
                words.insert(var.offset + word);
            }
        }
    }
    words
}

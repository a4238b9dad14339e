//! The number of a position that is being computed: the words of its runs, and the sums of their terms.
//!
//! Two positions one after the other differ in few words. The words and the sum of their terms are therefore kept, and a
//! run costs a comparison and the terms of what has changed. In a what-if in place, what has changed is known, so that the
//! comparison happens once for all what-ifs in the same position.

use crate::memory::undo::SavedWord;
use wyrmgate_engine::history::PositionHash;
use wyrmgate_program::PositionId;

/// The number of a position that is being computed, and the runs of words that were part of one.
pub(crate) struct NumberedPosition {
    pub hash: PositionHash,
    runs: Vec<SeenWords>,
}

/// A run of words as it was last seen.
struct SeenWords {
    position: PositionId,
    word: usize,
    /// The place of the first word among the values of the position.
    place: u32,
    words: Vec<i32>,
    terms: u64,
    /// The position to which the words belong, without the changes of a what-if in place; see [`crate::memory::context::Context::what_if`].
    base: u64,
}

/// The words that what-ifs in place have changed since the position with this number.
#[derive(Clone, Copy)]
pub(crate) struct ChangedWords<'c> {
    pub base: u64,
    pub words: &'c [SavedWord],
}

/// Words that are compared at once.
const COMPARED: usize = 8;

impl NumberedPosition {
    pub fn new() -> NumberedPosition {
        NumberedPosition {
            hash: PositionHash::of(0),
            runs: Vec::new(),
        }
    }

    pub fn begin(&mut self, position: PositionId) {
        self.hash = PositionHash::of(position);
    }

    pub fn add_run(
        &mut self,
        position: PositionId,
        word: usize,
        words: &[i32],
        changed: ChangedWords<'_>,
    ) {
        let hash = self.hash;
        let is_it = |run: &&mut SeenWords| run.position == position && run.word == word;
        let run = match self.runs.iter_mut().find(is_it) {
            Some(run) if run.place == hash.place() && run.words.len() == words.len() => run,
            Some(run) => {
                run.place = hash.place();
                run.learn(hash, words);
                run
            }
            None => {
                self.runs.push(SeenWords {
                    position,
                    word,
                    place: hash.place(),
                    words: Vec::new(),
                    terms: 0,
                    base: 0,
                });
                let Some(run) = self.runs.last_mut() else {
                    return;
                };
                run.learn(hash, words);
                run
            }
        };
        let is_known = run.base == changed.base && !changed.words.is_empty();
        let terms = match is_known {
            true => run.with_changes(hash, words, changed),
            false => {
                run.update(hash, words);
                let terms = run.terms;
                run.without_changes(hash, changed);
                terms
            }
        };
        self.hash.add_terms(words.len() as u32, terms);
    }
}

impl SeenWords {
    fn learn(&mut self, hash: PositionHash, words: &[i32]) {
        self.base = 0;
        self.words.clear();
        self.words.extend_from_slice(words);
        let terms = (0..)
            .zip(words)
            .map(|(place, word)| hash.term(place, *word));
        self.terms = terms.fold(0, u64::wrapping_add);
    }

    /// Returns the sum of the terms after some words have changed, without changing the stored run.
    fn with_changes(
        &mut self,
        hash: PositionHash,
        words: &[i32],
        changed: ChangedWords<'_>,
    ) -> u64 {
        let mut terms = self.terms;
        for undo in changed.words {
            let place = (undo.word as usize).wrapping_sub(self.word);
            let (Some(known), Some(&now)) = (self.words.get_mut(place), words.get(place)) else {
                continue;
            };
            if *known != now {
                let places = place as u32;
                terms = terms.wrapping_add(hash.term(places, now));
                terms = terms.wrapping_sub(hash.term(places, *known));
                *known = now;
            }
        }
        for undo in changed.words.iter().rev() {
            let place = (undo.word as usize).wrapping_sub(self.word);
            if let Some(known) = self.words.get_mut(place) {
                *known = undo.value;
            }
        }
        terms
    }

    /// Returns to the position before the changes.
    fn without_changes(&mut self, hash: PositionHash, changed: ChangedWords<'_>) {
        for undo in changed.words.iter().rev() {
            let place = (undo.word as usize).wrapping_sub(self.word);
            let Some(known) = self.words.get_mut(place) else {
                continue;
            };
            if *known != undo.value {
                let places = place as u32;
                self.terms = self.terms.wrapping_add(hash.term(places, undo.value));
                self.terms = self.terms.wrapping_sub(hash.term(places, *known));
                *known = undo.value;
            }
        }
        self.base = changed.base;
    }

    fn update(&mut self, hash: PositionHash, words: &[i32]) {
        let (known, now) = (self.words.chunks_mut(COMPARED), words.chunks(COMPARED));
        for ((known, now), first) in known.zip(now).zip((0..).step_by(COMPARED)) {
            if known == now {
                continue;
            }
            for ((known, now), place) in known.iter_mut().zip(now).zip(first..) {
                if known != now {
                    let term = hash.term(place, *now);
                    let terms = self.terms.wrapping_add(term);
                    self.terms = terms.wrapping_sub(hash.term(place, *known));
                    *known = *now;
                }
            }
        }
    }
}

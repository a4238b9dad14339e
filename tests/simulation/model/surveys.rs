//! What scripts have answered that read many keys and change nothing. Nodes ask the same of all lists when they begin and
//! whenever a connection was lost; running such a script costs as much as some moves, and it answers the same as long as the
//! data is the same.

use std::hash::{DefaultHasher, Hasher};

use super::resp::Reply;

/// Only scripts that read so many keys.
pub const KEYS: usize = 64;

#[derive(Default)]
pub struct Surveys {
    /// The data that they are of.
    writes: u64,
    known: Vec<Survey>,
}

struct Survey {
    question: u64,
    /// Until the first key expires.
    until_ms: u64,
    answer: Reply,
}

/// A number for the text and the words of a call.
pub fn question(words: &[&[u8]]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for word in words {
        hasher.write_usize(word.len());
        hasher.write(word);
    }
    hasher.finish()
}

impl Surveys {
    pub fn answer(&self, question: u64, writes: u64, now_ms: u64) -> Option<Reply> {
        let mut known = self.known.iter().filter(|_| self.writes == writes);
        let known = known.find(|known| known.question == question && now_ms < known.until_ms)?;
        Some(known.answer.clone())
    }

    pub fn remember(&mut self, question: u64, writes: u64, until_ms: u64, answer: &Reply) {
        if self.writes != writes {
            *self = Surveys {
                writes,
                known: Vec::new(),
            };
        }
        self.known.push(Survey {
            question,
            until_ms,
            answer: answer.clone(),
        });
    }

    /// The data is another's, although nobody has written.
    pub fn forget(&mut self) {
        self.known.clear();
    }
}

//! A cache of the answers of scripts that read many keys and change nothing. Nodes run the same scripts on all lists when
//! they start and whenever a connection was lost. Such a script takes as long as several moves, and its answer is the
//! same as long as the values of its keys are. If no key exists, the answer is shared by all schedules of a thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::rc::Rc;

use super::data::{Data, Row};
use super::resp::Reply;

/// The minimum number of keys of cached scripts.
pub const KEYS: usize = 64;

thread_local! {
    /// The last answer to each question, and the last one without any existing key.
    static KNOWN: RefCell<HashMap<(u64, bool), Survey>> = RefCell::default();
}

struct Survey {
    /// The values that were read. They never change while they are referenced, because changes copy them first.
    rows: Vec<Rc<Row>>,
    /// The time at which the first of them expires.
    until_ms: u64,
    answer: Reply,
}

/// A call, and the values of its keys.
pub struct Question {
    number: u64,
    rows: Vec<Rc<Row>>,
}

impl Question {
    pub fn new(text: &str, keys: &[&[u8]], args: &[&[u8]], data: &Data) -> Question {
        let mut hasher = DefaultHasher::new();
        hasher.write_usize(keys.len());
        for word in [text.as_bytes()].iter().chain(keys).chain(args) {
            hasher.write_usize(word.len());
            hasher.write(word);
        }
        Question {
            number: hasher.finish(),
            rows: keys.iter().filter_map(|key| data.row(key)).collect(),
        }
    }

    fn name(&self) -> (u64, bool) {
        (self.number, self.rows.is_empty())
    }

    /// Returns the answer, if it is known.
    pub fn answer(&self, now_ms: u64) -> Option<Reply> {
        KNOWN.with_borrow(|known| {
            let known = known.get(&self.name())?;
            let is_same = known.rows.len() == self.rows.len()
                && known
                    .rows
                    .iter()
                    .zip(&self.rows)
                    .all(|(a, b)| Rc::ptr_eq(a, b));
            (is_same && now_ms < known.until_ms).then(|| known.answer.clone())
        })
    }

    pub fn remember(self, now_ms: u64, answer: &Reply) {
        let expiries = self.rows.iter().filter_map(|row| row.expires_at_ms);
        let survey = Survey {
            until_ms: expiries.filter(|at| *at > now_ms).min().unwrap_or(u64::MAX),
            answer: answer.clone(),
            rows: self.rows.clone(),
        };
        KNOWN.with_borrow_mut(|known| known.insert(self.name(), survey));
    }
}

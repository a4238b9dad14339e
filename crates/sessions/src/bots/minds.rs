//! The minds of built-in players, kept on this node from one of their decisions to the next. A mind that is missing
//! here is made again from the history of its session, so any node can continue.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use wyrmgate_search::bot::Memory;

/// Memory in bytes above which the minds that waited longest are forgotten.
const BYTES_MAX: usize = 64 << 20;
/// The same for their number.
const MINDS_MAX: usize = 1_024;

/// Minds that wait for their next decision, the latest last.
#[derive(Default)]
pub(crate) struct Minds {
    waiting: Mutex<WaitingMinds>,
}

#[derive(Default)]
struct WaitingMinds {
    minds: VecDeque<WaitingMind>,
    bytes: usize,
}

struct WaitingMind {
    session: Arc<str>,
    seat: u8,
    memory: Memory,
    bytes: usize,
}

impl Minds {
    /// Takes out the memory of a seat.
    pub fn take(&self, session: &str, seat: u8) -> Option<Memory> {
        self.with(|waiting| {
            let is_wanted = |mind: &WaitingMind| mind.seat == seat && *mind.session == *session;
            let at = waiting.minds.iter().position(is_wanted)?;
            waiting.remove(at)
        })
    }

    pub fn keep(&self, session: &Arc<str>, seat: u8, memory: Memory) {
        let bytes = memory.bytes();
        let mind = WaitingMind {
            session: session.clone(),
            seat,
            memory,
            bytes,
        };
        self.with(|waiting| {
            waiting.bytes += bytes;
            waiting.minds.push_back(mind);
            while waiting.bytes > BYTES_MAX || waiting.minds.len() > MINDS_MAX {
                waiting.remove(0);
            }
        });
    }

    /// Works even if a thread panicked, because nothing in here can stop half-way.
    fn with<T>(&self, work: impl FnOnce(&mut WaitingMinds) -> T) -> T {
        let mut waiting = self.waiting.lock();
        work(&mut waiting)
    }
}

impl WaitingMinds {
    fn remove(&mut self, at: usize) -> Option<Memory> {
        let mind = self.minds.remove(at)?;
        self.bytes = self.bytes.saturating_sub(mind.bytes);
        Some(mind.memory)
    }
}

//! How many calls of a node one receiver can occupy.
//!
//! A call lasts as long as the receiver likes, up to its time limit. Without a share for each receiver, one that never
//! answers would stop the webhooks of all sessions, because anybody can create many sessions that call it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Maximum number of concurrent calls to one receiver.
const CALLS_MAX: usize = 16;
/// Maximum wait for one of them to end. Short, because the caller has a lease and occupies a place of the node.
const PATIENCE: Duration = Duration::from_secs(1);
/// Number of receivers beyond which those that nobody calls are forgotten.
const KNOWN_MAX: usize = 256;

/// The receivers that are being called.
#[derive(Default)]
pub(super) struct Receivers {
    known: Mutex<HashMap<String, Weak<Semaphore>>>,
}

impl Receivers {
    /// Waits for a call to this receiver to be allowed. Returns `None` if it is too busy.
    pub(super) async fn turn(&self, receiver: String) -> Option<OwnedSemaphorePermit> {
        let turn = self.of(receiver).acquire_owned();
        timeout(PATIENCE, turn).await.ok()?.ok()
    }

    fn of(&self, receiver: String) -> Arc<Semaphore> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(calls) = known.get(&receiver).and_then(Weak::upgrade) {
            return calls;
        }
        if known.len() >= KNOWN_MAX {
            known.retain(|_, calls| calls.strong_count() > 0);
        }
        let calls = Arc::new(Semaphore::new(CALLS_MAX));
        known.insert(receiver, Arc::downgrade(&calls));
        calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_receiver_cannot_take_the_share_of_another() {
        let receivers = Receivers::default();
        let mut turns = Vec::new();
        for _ in 0..CALLS_MAX {
            turns.push(receivers.turn("slow.example".into()).await.unwrap());
        }
        assert!(receivers.turn("slow.example".into()).await.is_none());
        assert!(receivers.turn("good.example".into()).await.is_some());
        turns.pop();
        assert!(receivers.turn("slow.example".into()).await.is_some());
    }

    #[tokio::test]
    async fn receivers_that_nobody_calls_are_forgotten() {
        let receivers = Receivers::default();
        let _turn = receivers.turn("kept.example".into()).await.unwrap();
        for number in 0..3 * KNOWN_MAX {
            drop(receivers.turn(format!("{number}.example")).await.unwrap());
        }
        let known = receivers.known.lock().unwrap();
        assert!(known.len() <= KNOWN_MAX + 1, "{}", known.len());
        assert!(known["kept.example"].upgrade().is_some());
    }
}

//! Turns at something scarce, round robin by caller: a caller with much work holds up another one by at most one turn.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use tokio::sync::{Mutex as Queue, OwnedMutexGuard};

/// Gives one turn at a time, to those who wait in the order in which they came. Of each caller only one waits there; the
/// others wait in a queue of their own.
#[derive(Default)]
pub(crate) struct Turns {
    all: Arc<Queue<()>>,
    callers: Mutex<HashMap<String, Weak<Queue<()>>>>,
}

/// The turns of one caller.
pub(crate) struct CallerTurns {
    all: Arc<Queue<()>>,
    own: Arc<Queue<()>>,
}

/// A turn. It ends when this is dropped.
pub(crate) struct SessionTurn {
    _own: OwnedMutexGuard<()>,
    _all: OwnedMutexGuard<()>,
}

impl Turns {
    pub fn of(&self, caller: &str) -> CallerTurns {
        let mut callers = self.callers.lock();
        callers.retain(|_, queue| queue.strong_count() > 0);
        let known = callers.get(caller).and_then(Weak::upgrade);
        let own = known.unwrap_or_default();
        callers.insert(caller.to_owned(), Arc::downgrade(&own));
        let all = self.all.clone();
        CallerTurns { all, own }
    }
}

impl CallerTurns {
    /// Waits for the next turn of this caller.
    pub async fn next(&self) -> SessionTurn {
        SessionTurn {
            _own: self.own.clone().lock_owned().await,
            _all: self.all.clone().lock_owned().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn callers_alternate_and_those_who_have_left_are_passed_over() {
        let (turns, order) = (Turns::default(), Arc::new(Mutex::new(Vec::new())));
        let first = turns.of("a").next().await;
        let mut waiting = Vec::new();
        for caller in ["a", "c", "a", "a", "b", "b"] {
            let (own, order) = (turns.of(caller), order.clone());
            waiting.push(tokio::spawn(async move {
                let _turn = own.next().await;
                order.lock().push(caller);
                tokio::task::yield_now().await;
            }));
            tokio::task::yield_now().await;
        }
        waiting.remove(1).abort();
        drop(first);
        for one in waiting {
            one.await.unwrap();
        }
        assert_eq!(*order.lock(), ["b", "a", "b", "a", "a"]);
    }
}

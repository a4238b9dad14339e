//! A value that is replaced from time to time, with tasks that wait for the next one.

use parking_lot::Mutex;
use tokio::sync::Notify;

/// A value with waiters. It wakes them in the order in which they began to wait, unlike tokio's `watch`, whose random
/// order would make simulations unrepeatable.
pub(super) struct Bulletin<T> {
    /// The value and the number of times it was replaced.
    latest: Mutex<(u64, T)>,
    replaced: Notify,
}

impl<T: Copy> Bulletin<T> {
    pub(super) fn new(value: T) -> Bulletin<T> {
        Bulletin {
            latest: Mutex::new((0, value)),
            replaced: Notify::new(),
        }
    }

    pub(super) fn replace(&self, value: T) {
        {
            let mut latest = self.latest.lock();
            *latest = (latest.0 + 1, value);
        }
        self.replaced.notify_waiters();
    }

    /// Returns the current value and its number.
    pub(super) fn latest(&self) -> (u64, T) {
        *self.latest.lock()
    }

    /// Returns the value once its number differs from this one. Values in between may be skipped.
    pub(super) async fn after(&self, number: u64) -> (u64, T) {
        loop {
            // Subscribe before reading, so that a replacement in between is not missed.
            let replaced = self.replaced.notified();
            let latest = self.latest();
            if latest.0 != number {
                return latest;
            }
            replaced.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn whoever_waits_is_told_in_order_and_whoever_comes_late_at_once() {
        let bulletin = Arc::new(Bulletin::new('a'));
        let told = Arc::new(Mutex::new(Vec::new()));
        let wait = |number: u32| {
            let (bulletin, told) = (bulletin.clone(), told.clone());
            tokio::spawn(async move {
                let (_, value) = bulletin.after(0).await;
                told.lock().push((number, value));
            })
        };
        let waiting: Vec<_> = (0..20).map(wait).collect();
        tokio::task::yield_now().await;
        bulletin.replace('b');
        for task in waiting {
            task.await.unwrap();
        }
        let in_order: Vec<_> = (0..20).map(|number| (number, 'b')).collect();
        assert_eq!(*told.lock(), in_order);
        bulletin.replace('c');
        assert_eq!(bulletin.after(1).await, (2, 'c'));
    }
}

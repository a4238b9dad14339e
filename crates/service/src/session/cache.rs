//! Sessions this process has at hand. What is here may be old; the store decides.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foldhash::fast::RandomState;

use super::live::Live;

/// Above so many sessions, those nobody uses at the moment are let go.
const SESSIONS_MAX: usize = 20_000;

/// All slots by session id.
#[derive(Default)]
pub(super) struct Cache {
    slots: Mutex<HashMap<Arc<str>, Arc<Slot>, RandomState>>,
}

/// The place of one session.
#[derive(Default)]
pub(super) struct Slot {
    /// Held by the one who is writing, so that writers of one process do not race.
    pub writing: tokio::sync::Mutex<()>,
    /// Held by the one who lets built-in players think.
    pub thinking: tokio::sync::Mutex<()>,
    /// Held by the one who calls webhooks.
    pub delivering: tokio::sync::Mutex<()>,
    live: Mutex<Option<Arc<Live>>>,
}

impl Cache {
    pub fn get(&self, id: &str) -> Option<Arc<Slot>> {
        lock(&self.slots).get(id).cloned()
    }

    /// The slot of a session that exists.
    pub fn slot(&self, id: &Arc<str>) -> Arc<Slot> {
        let mut slots = lock(&self.slots);
        if slots.len() >= SESSIONS_MAX {
            slots.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        slots.entry(id.clone()).or_default().clone()
    }

    pub fn forget(&self, id: &str) {
        lock(&self.slots).remove(id);
    }
}

impl Slot {
    pub fn live(&self) -> Option<Arc<Live>> {
        lock(&self.live).clone()
    }

    /// Keeps the newer of the two.
    pub fn keep(&self, live: &Arc<Live>) {
        let mut kept = lock(&self.live);
        let revision = kept.as_ref().map_or(0, |kept| kept.position.revision);
        if live.position.revision >= revision {
            *kept = Some(live.clone());
        }
    }

    /// Keeps what the store has told a writer, whatever was here before.
    pub fn replace(&self, live: &Arc<Live>) {
        *lock(&self.live) = Some(live.clone());
    }
}

/// A poisoned lock is as good as new: nothing under these locks can stop half-way.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

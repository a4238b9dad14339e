//! An in-memory cache of sessions. Entries can be outdated; the store is authoritative.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;

use foldhash::fast::RandomState;
use parking_lot::Mutex;

use crate::Refusal;
use crate::content::live::Live;

/// Number of sessions above which unused ones are evicted.
const SESSIONS_MAX: usize = 20_000;

/// All slots by session id.
#[derive(Default)]
pub(crate) struct Cache {
    slots: Mutex<HashMap<Arc<str>, Arc<Slot>, RandomState>>,
}

/// The cache entry of one session, with its locks.
#[derive(Default)]
pub(crate) struct Slot {
    /// Serializes the writers of this process.
    pub writing: tokio::sync::Mutex<()>,
    /// Moves of built-in players.
    pub thinking: Errand,
    /// Deliveries of webhooks.
    pub delivering: Errand,
    live: Mutex<Option<Arc<Live>>>,
}

/// Work for a session that one task of this process does at a time. Others do not wait for it: it is done once more if
/// somebody has asked for it meanwhile.
#[derive(Default)]
pub(crate) struct Errand {
    is_wanted: AtomicBool,
    running: tokio::sync::Mutex<()>,
}

impl Errand {
    pub async fn run(&self, work: impl AsyncFn() -> Result<(), Refusal>) -> Result<(), Refusal> {
        self.is_wanted.store(true, SeqCst);
        while self.is_wanted.load(SeqCst) {
            // The task at work checks after its release whether there is more to do.
            let Ok(_running) = self.running.try_lock() else {
                return Ok(());
            };
            self.is_wanted.store(false, SeqCst);
            work().await?;
        }
        Ok(())
    }
}

impl Cache {
    pub fn get(&self, id: &str) -> Option<Arc<Slot>> {
        self.slots.lock().get(id).cloned()
    }

    /// Returns the slot of an existing session.
    pub fn slot(&self, id: &Arc<str>) -> Arc<Slot> {
        let mut slots = self.slots.lock();
        if slots.len() >= SESSIONS_MAX {
            slots.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        slots.entry(id.clone()).or_default().clone()
    }

    pub fn forget(&self, id: &str) {
        self.slots.lock().remove(id);
    }
}

impl Slot {
    pub fn live(&self) -> Option<Arc<Live>> {
        self.live.lock().clone()
    }

    /// Stores the newer of two versions.
    pub fn keep(&self, live: &Arc<Live>) {
        let mut kept = self.live.lock();
        let revision = kept.as_ref().map_or(0, |kept| kept.position.revision);
        if live.position.revision >= revision {
            *kept = Some(live.clone());
        }
    }

    /// Stores the session that a writer has read from the store, whatever was cached before.
    pub fn replace(&self, live: &Arc<Live>) {
        *self.live.lock() = Some(live.clone());
    }
}

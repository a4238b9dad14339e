//! Publishes news of sessions to subscribers within one process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::bulletin::Bulletin;

/// News of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ring {
    /// The session has reached this version.
    Version(u64),
    /// News may have been missed; compare versions.
    Missed,
    /// The session was removed.
    Removed,
}

/// A subscription to one session. News that arrive while nobody waits are merged into one.
pub struct Doorbell {
    session: Arc<str>,
    news: Arc<Bulletin<Ring>>,
    /// The number of the last news received.
    heard: u64,
    hub: Arc<Hub>,
}

impl Doorbell {
    /// Waits for the next news.
    pub async fn rung(&mut self) -> Ring {
        let (number, ring) = self.news.after(self.heard).await;
        self.heard = number;
        ring
    }
}

impl Drop for Doorbell {
    fn drop(&mut self) {
        self.hub.leave(&self.session);
    }
}

/// Called when the last subscriber of a session leaves, for engines that subscribe elsewhere.
pub(super) type Notice = Box<dyn Fn(&str) + Send + Sync>;

/// All subscriptions of a process, by session.
#[derive(Default)]
pub(super) struct Hub {
    bells: Mutex<Bells>,
    on_last_left: Option<Notice>,
}

/// Ordered, so that subscribers are always notified in the same order.
type Bells = BTreeMap<Arc<str>, Bell>;

struct Bell {
    news: Arc<Bulletin<Ring>>,
    listeners: usize,
}

impl Hub {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Hub::default())
    }

    /// Creates a notifier that reports when a session has no subscriber any more.
    pub(super) fn with_notice(on_last_left: Notice) -> Arc<Self> {
        Arc::new(Hub {
            bells: Mutex::default(),
            on_last_left: Some(on_last_left),
        })
    }

    /// Subscribes to a session.
    pub(super) fn join(self: &Arc<Self>, session: &str) -> Doorbell {
        let session: Arc<str> = session.into();
        let mut bells = self.lock();
        let bell = bells.entry(session.clone()).or_insert_with(|| Bell {
            news: Arc::new(Bulletin::new(Ring::Missed)),
            listeners: 0,
        });
        bell.listeners += 1;
        Doorbell {
            session,
            news: bell.news.clone(),
            heard: bell.news.latest().0,
            hub: self.clone(),
        }
    }

    pub(super) fn ring(&self, session: &str, ring: Ring) {
        if let Some(bell) = self.lock().get(session) {
            bell.news.replace(ring);
        }
    }

    /// Notifies every subscriber that news may have been missed.
    pub(super) fn ring_missed(&self) {
        for bell in self.lock().values() {
            bell.news.replace(Ring::Missed);
        }
    }

    /// Returns whether a session has a subscriber.
    pub(super) fn is_heard(&self, session: &str) -> bool {
        self.lock().contains_key(session)
    }

    /// Returns all sessions that have a subscriber.
    pub(super) fn heard(&self) -> Vec<String> {
        self.lock()
            .keys()
            .map(|session| session.to_string())
            .collect()
    }

    fn leave(&self, session: &str) {
        let mut bells = self.lock();
        let Some(bell) = bells.get_mut(session) else {
            return;
        };
        bell.listeners -= 1;
        if bell.listeners == 0 {
            bells.remove(session);
            if let Some(notice) = &self.on_last_left {
                notice(session);
            }
        }
    }

    /// Locks even if a thread panicked, because nothing under this lock stops half-way.
    fn lock(&self) -> MutexGuard<'_, Bells> {
        self.bells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

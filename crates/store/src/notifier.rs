//! Publishes news of sessions to subscribers within one process.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::bulletin::Bulletin;

/// News of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notification {
    /// The session has reached this version.
    Version(u64),
    /// News may have been missed; compare versions.
    Missed,
    /// The session was removed.
    Removed,
}

/// A subscription to one session. News that arrive while nobody waits are merged into one.
pub struct Subscription {
    session: Arc<str>,
    news: Arc<Bulletin<Notification>>,
    /// The number of the last news received.
    heard: u64,
    hub: Arc<Notifier>,
}

impl Subscription {
    /// Waits for the next news.
    pub async fn notified(&mut self) -> Notification {
        let (number, news) = self.news.after(self.heard).await;
        self.heard = number;
        news
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.hub.leave(&self.session);
    }
}

/// Called when the last subscriber of a session leaves, for engines that subscribe elsewhere.
pub(super) type Notice = Box<dyn Fn(&str) + Send + Sync>;

/// All subscriptions of a process, by session.
#[derive(Default)]
pub(super) struct Notifier {
    topics: Mutex<Topics>,
    on_last_left: Option<Notice>,
}

/// Ordered, so that subscribers are always notified in the same order.
type Topics = BTreeMap<Arc<str>, Topic>;

struct Topic {
    news: Arc<Bulletin<Notification>>,
    listeners: usize,
}

impl Notifier {
    /// Creates a notifier that reports when a session has no subscriber any more.
    pub(super) fn with_notice(on_last_left: Notice) -> Arc<Self> {
        Arc::new(Notifier {
            topics: Mutex::default(),
            on_last_left: Some(on_last_left),
        })
    }

    /// Subscribes to a session.
    pub(super) fn join(self: &Arc<Self>, session: &str) -> Subscription {
        let session: Arc<str> = session.into();
        let mut topics = self.topics.lock();
        let topic = topics.entry(session.clone()).or_insert_with(|| Topic {
            news: Arc::new(Bulletin::new(Notification::Missed)),
            listeners: 0,
        });
        topic.listeners += 1;
        Subscription {
            session,
            news: topic.news.clone(),
            heard: topic.news.latest().0,
            hub: self.clone(),
        }
    }

    pub(super) fn notify(&self, session: &str, news: Notification) {
        if let Some(topic) = self.topics.lock().get(session) {
            topic.news.replace(news);
        }
    }

    /// Notifies every subscriber that news may have been missed.
    pub(super) fn notify_missed(&self) {
        for topic in self.topics.lock().values() {
            topic.news.replace(Notification::Missed);
        }
    }

    /// Returns whether a session has a subscriber.
    pub(super) fn is_heard(&self, session: &str) -> bool {
        self.topics.lock().contains_key(session)
    }

    /// Returns all sessions that have a subscriber.
    pub(super) fn heard(&self) -> Vec<String> {
        self.topics
            .lock()
            .keys()
            .map(|session| session.to_string())
            .collect()
    }

    fn leave(&self, session: &str) {
        let mut topics = self.topics.lock();
        let Some(topic) = topics.get_mut(session) else {
            return;
        };
        topic.listeners -= 1;
        if topic.listeners == 0 {
            topics.remove(session);
            if let Some(notice) = &self.on_last_left {
                notice(session);
            }
        }
    }
}

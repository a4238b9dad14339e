//! Reading past changes and waiting for new ones.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::Refusal;
use crate::history::cursor::EventCursor;
use crate::history::log::LogEntry;
use crate::service::Service;
use wyrmgate_store::{ListQuery, Mark, Notification, Page, Subscription};

/// Polling interval of waiting readers. The store guarantees notifications; this covers only what nobody announces, such
/// as the expiry of a session.
pub const LOOK_ANYWAY: Duration = Duration::from_secs(300);

/// A public change and the version it led to.
#[derive(Debug, Clone)]
pub struct Past {
    pub version: u64,
    /// The mark of its history.
    pub mark: Mark,
    pub entry: LogEntry,
}

impl Past {
    /// Returns the cursor after this change.
    pub fn cursor(&self) -> EventCursor {
        EventCursor {
            version: self.version,
            mark: Some(self.mark),
        }
    }
}

impl Service {
    /// Returns up to `limit` changes after a version, in order.
    pub async fn history(&self, id: &str, after: u64, limit: usize) -> Result<Vec<Past>, Refusal> {
        let entries = self.store.events(id, after, limit).await?;
        let read = entries.into_iter().map(|entry| {
            Ok(Past {
                version: entry.version,
                mark: entry.mark,
                entry: LogEntry::decode(&entry.bytes)?,
            })
        });
        read.collect()
    }

    /// Subscribes to a session.
    pub async fn subscribe(&self, id: &str) -> Result<Subscription, Refusal> {
        Ok(self.store.subscribe(id).await?)
    }

    /// Returns one page of a list of sessions.
    pub async fn list(&self, query: ListQuery) -> Result<Page, Refusal> {
        Ok(self.store.list(query).await?)
    }
}

/// Waits for a notification, the deadline, or the next poll.
pub(crate) async fn wait_for_news(subscription: &mut Subscription, deadline: Instant) {
    let look_again = Instant::now() + LOOK_ANYWAY;
    // The store is read next, whatever ended the wait.
    let _: Result<Notification, _> =
        timeout_at(deadline.min(look_again), subscription.notified()).await;
}

//! Reading past changes and waiting for new ones.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::Refusal;
use crate::content::cursor::EventCursor;
use crate::content::live::Live;
use crate::content::log::LogEntry;
use crate::service::Service;
use wyrmgate_store::{ChangeMark, ListQuery, ListingPage, Notification, Subscription};

/// Polling interval of waiting readers. The store guarantees notifications; this covers only what nobody announces, such
/// as the expiry of a session.
pub const LOOK_ANYWAY: Duration = Duration::from_secs(300);

/// A public change and the version it led to.
#[derive(Debug, Clone)]
pub struct PastChange {
    pub version: u64,
    /// The mark of its history.
    pub mark: ChangeMark,
    pub entry: LogEntry,
}

impl PastChange {
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
    pub async fn history(
        &self,
        id: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<PastChange>, Refusal> {
        let entries = self.store.events(id, after, limit).await?;
        let read = entries.into_iter().map(|entry| {
            Ok(PastChange {
                version: entry.version,
                mark: entry.mark,
                entry: LogEntry::decode(&entry.bytes)?,
            })
        });
        read.collect()
    }

    /// Fails if the position belongs to a history that the store has lost. The refusal names `known`, the last version
    /// that the caller may know of. Only somebody who has seen a later version knows its mark.
    pub async fn confirm(
        &self,
        live: &Live,
        cursor: EventCursor,
        known: u64,
    ) -> Result<(), Refusal> {
        let rewritten = || Refusal::HistoryRewritten { version: known };
        let Some(mark) = cursor.mark else {
            return Ok(());
        };
        if cursor.version > live.version() {
            return Err(rewritten());
        }
        let found = match cursor.version == live.version() {
            true => Some(live.version_mark),
            false => self.mark_of(&live.id, cursor.version).await?,
        };
        match found == Some(mark) {
            true => Ok(()),
            false => Err(rewritten()),
        }
    }

    /// Returns up to `limit` changes after a position, if it belongs to this history.
    pub async fn history_after(
        &self,
        live: &Live,
        cursor: EventCursor,
        limit: usize,
    ) -> Result<Vec<PastChange>, Refusal> {
        let before = cursor.mark.and(cursor.version.checked_sub(1));
        let Some(before) = before else {
            return self.history(&live.id, cursor.version, limit).await;
        };
        let mut past = self
            .history(&live.id, before, limit.saturating_add(1))
            .await?
            .into_iter();
        match past.next().filter(|first| first.cursor() == cursor) {
            Some(_) => Ok(past.collect()),
            None => Err(Refusal::HistoryRewritten {
                version: live.version(),
            }),
        }
    }

    async fn mark_of(&self, id: &str, version: u64) -> Result<Option<ChangeMark>, Refusal> {
        let Some(before) = version.checked_sub(1) else {
            return Ok(None);
        };
        let past = self.history(id, before, 1).await?;
        Ok(past.first().map(|past| past.mark))
    }

    /// Subscribes to a session.
    pub async fn subscribe(&self, id: &str) -> Result<Subscription, Refusal> {
        Ok(self.store.subscribe(id).await?)
    }

    /// Returns one page of a list of sessions.
    pub async fn list(&self, query: ListQuery) -> Result<ListingPage, Refusal> {
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

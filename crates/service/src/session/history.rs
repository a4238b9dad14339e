//! Looking back, and waiting for what comes.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::Refusal;
use super::cursor::EventCursor;
use super::live::Live;
use super::log::LogEntry;
use super::service::Service;
use super::status::Stage;
use wyrmgate_store::{Doorbell, ListQuery, Mark, Page, Ring};

/// A waiting reader looks by itself so often. That bells are heard is the store's care, and this only for what nobody rings
/// for: a session that has expired.
pub const LOOK_ANYWAY: Duration = Duration::from_secs(300);

/// One public change: the version it led to, and what it was.
#[derive(Debug, Clone)]
pub struct Past {
    pub version: u64,
    /// Which history's.
    pub mark: Mark,
    pub entry: LogEntry,
}

impl Past {
    /// Where to go on after it.
    pub fn cursor(&self) -> EventCursor {
        EventCursor {
            version: self.version,
            mark: Some(self.mark),
        }
    }
}

impl Service {
    /// Up to `limit` changes after a version, in order.
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

    /// Bells of a session; wait with [`Service::wait`].
    pub async fn subscribe(&self, id: &str) -> Result<Doorbell, Refusal> {
        Ok(self.store.subscribe(id).await?)
    }

    /// The session once it has this version, or as it is when time is up. Does not wait for what
    /// will not come: a finished session changes no more.
    pub async fn wait(
        &self,
        id: &str,
        version: u64,
        patience: Duration,
    ) -> Result<Arc<Live>, Refusal> {
        let deadline = Instant::now() + patience;
        let mut bell = None;
        loop {
            let live = self.load(id).await?;
            let is_late = Instant::now() >= deadline;
            if live.version() >= version || live.stage() == Stage::Finished || is_late {
                return Ok(live);
            }
            match &mut bell {
                // Look again after subscribing: a change may have come in between.
                None => bell = Some(self.subscribe(id).await?),
                Some(bell) => rung(bell, deadline).await,
            }
        }
    }

    /// One page of a list of sessions.
    pub async fn list(&self, query: ListQuery) -> Result<Page, Refusal> {
        Ok(self.store.list(query).await?)
    }
}

/// Waits for a ring, for the deadline, or until it is time to look anyway.
pub(super) async fn rung(bell: &mut Doorbell, deadline: Instant) {
    let look_again = Instant::now() + LOOK_ANYWAY;
    // Whatever it says, or if it says nothing: the store is asked next.
    let _: Result<Ring, _> = timeout_at(deadline.min(look_again), bell.rung()).await;
}

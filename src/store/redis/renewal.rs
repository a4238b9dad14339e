//! The connections of a store: one that all share, and one for each thread that serves. Those to a cluster are made anew
//! when they have fallen silent, each for itself.
//!
//! A cluster's client finds new masters by itself. After many failovers in a row it has been seen to answer nothing any
//! more, though all servers did: every call ran out of time until the process was started again.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use redis::cluster::ClusterClient;
use tokio::time::Instant;

use super::lanes::Lanes;
use super::link::{Link, in_time};

/// Without a single answer for so long, a client is given up. Longer than a failover takes.
const SILENCE: Duration = Duration::from_secs(6);

/// A link that is replaced where it does not mend itself, and those of threads beside it.
pub(super) struct Renewed {
    shared: RwLock<Link>,
    lanes: Option<Lanes>,
    again: Option<Again>,
}

/// What it takes to make a cluster's client anew.
struct Again {
    client: ClusterClient,
    on_renewal: Box<dyn Fn() + Send + Sync>,
    began: Instant,
    /// Milliseconds after `began`, plus one; 0 after an answer.
    silent_since: AtomicU64,
    is_busy: AtomicBool,
}

impl Renewed {
    /// A link that mends itself.
    pub(super) fn never(link: Link, lanes: Option<Lanes>) -> Arc<Self> {
        Arc::new(Renewed {
            shared: RwLock::new(link),
            lanes,
            again: None,
        })
    }

    /// `on_renewal` is called when there is another link: subscriptions went with the one before.
    pub(super) fn from(
        client: ClusterClient,
        link: Link,
        lanes: Option<Lanes>,
        on_renewal: impl Fn() + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Renewed {
            shared: RwLock::new(link),
            lanes,
            again: Some(Again {
                client,
                on_renewal: Box::new(on_renewal),
                began: Instant::now(),
                silent_since: AtomicU64::new(0),
                is_busy: AtomicBool::new(false),
            }),
        })
    }

    /// For one call.
    pub(super) fn link(&self) -> Link {
        match self.own() {
            Some(own) => own.shared(),
            None => self.shared(),
        }
    }

    /// This thread's own, which has none beside it.
    fn own(&self) -> Option<Arc<Renewed>> {
        self.lanes.as_ref().and_then(Lanes::own)
    }

    /// The one that is pushed what others have changed.
    pub(super) fn shared(&self) -> Link {
        let link = self.shared.read().unwrap_or_else(PoisonError::into_inner);
        link.clone()
    }

    /// A server has answered, whatever it said.
    pub(super) fn is_answered(&self) {
        match self.own() {
            Some(own) => own.note_answer(),
            None => self.note_answer(),
        }
    }

    fn note_answer(&self) {
        if let Some(again) = &self.again
            && again.silent_since.load(Ordering::Relaxed) != 0
        {
            again.silent_since.store(0, Ordering::Relaxed);
        }
    }

    /// A call was not answered in time. If none has been for long, another client takes over as soon as there is one.
    pub(super) fn is_silent(self: &Arc<Self>) {
        match self.own() {
            Some(own) => own.note_silence(),
            None => self.note_silence(),
        }
    }

    fn note_silence(self: &Arc<Self>) {
        let Some(again) = self.again.as_ref().filter(|again| again.is_overdue()) else {
            return;
        };
        if again.is_busy.swap(true, Ordering::AcqRel) {
            return;
        }
        let renewed = self.clone();
        tokio::spawn(async move { renewed.renew().await });
    }

    async fn renew(&self) {
        let Some(again) = &self.again else {
            return;
        };
        match in_time(again.client.get_async_connection()).await {
            Ok(link) => {
                tracing::warn!("a cluster that answered nothing is connected to anew");
                *self.shared.write().unwrap_or_else(PoisonError::into_inner) = Link::Cluster(link);
                (again.on_renewal)();
            }
            Err(error) => tracing::warn!(%error, "a cluster that answers nothing lets nobody in"),
        }
        again.silent_since.store(0, Ordering::Relaxed);
        again.is_busy.store(false, Ordering::Release);
    }
}

impl Again {
    /// Has nothing been answered for long? The first call without an answer begins the count.
    fn is_overdue(&self) -> bool {
        let now = self.began.elapsed().as_millis() as u64 + 1;
        match self
            .silent_since
            .compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed)
        {
            Ok(_) => false,
            Err(since) => now.saturating_sub(since) >= SILENCE.as_millis() as u64,
        }
    }
}

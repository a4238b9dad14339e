//! The connections of a store: one that all share, and one for each thread that serves. They are made anew when they have
//! fallen silent, each for itself.
//!
//! A client connects anew by itself where a connection ends. A machine that loses power, or a firewall that forgets, ends
//! none: calls run out of time for a quarter of an hour, until the system gives the connection up, although another server
//! has long taken over the address. And the client of a cluster has been seen, after many failovers in a row, to answer
//! nothing any more, though all servers did.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use futures_util::future::BoxFuture;
use redis::RedisResult;
use tokio::time::Instant;

use super::lanes::Lanes;
use super::link::{Link, in_time};

/// Without a single answer for so long, a client is given up. Longer than a failover takes.
const SILENCE: Duration = Duration::from_secs(6);

/// Makes a link, as often as it is asked.
pub(super) type Connect = Box<dyn Fn() -> BoxFuture<'static, RedisResult<Link>> + Send + Sync>;

/// A link that is replaced where it does not mend itself, and those of threads beside it.
pub(super) struct Renewed {
    shared: RwLock<Link>,
    lanes: Option<Lanes>,
    again: Option<Again>,
}

/// What it takes to make a link anew.
struct Again {
    connect: Connect,
    on_renewal: Box<dyn Fn() + Send + Sync>,
    began: Instant,
    /// Milliseconds after `began`, plus one; 0 after an answer.
    silent_since: AtomicU64,
    is_busy: AtomicBool,
}

impl Renewed {
    /// A link that somebody else mends.
    pub(super) fn never(link: Link) -> Arc<Self> {
        Arc::new(Renewed {
            shared: RwLock::new(link),
            lanes: None,
            again: None,
        })
    }

    /// `on_renewal` is called when there is another link: subscriptions went with the one before.
    pub(super) async fn open(
        connect: Connect,
        lanes: Option<Lanes>,
        on_renewal: impl Fn() + Send + Sync + 'static,
    ) -> RedisResult<Arc<Self>> {
        Ok(Arc::new(Renewed {
            shared: RwLock::new(connect().await?),
            lanes,
            again: Some(Again {
                connect,
                on_renewal: Box::new(on_renewal),
                began: Instant::now(),
                silent_since: AtomicU64::new(0),
                is_busy: AtomicBool::new(false),
            }),
        }))
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
        match in_time((again.connect)()).await {
            Ok(link) => {
                tracing::warn!("reconnected to Redis after it had stopped responding");
                *self.shared.write().unwrap_or_else(PoisonError::into_inner) = link;
                (again.on_renewal)();
            }
            Err(error) => tracing::warn!(%error, "Redis does not respond and refuses connections"),
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

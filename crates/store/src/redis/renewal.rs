//! Connections that are replaced when they stop responding: the shared one, and one per worker thread.
//!
//! A client reconnects by itself when a connection ends. A power failure or a firewall that drops its state ends no
//! connection: calls time out for a quarter of an hour until the system gives up, although another server has long
//! taken over the address. A cluster client has also been observed to stop responding after many failovers, although
//! all servers were fine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use parking_lot::RwLock;
use redis::RedisResult;
use tokio::time::Instant;

use super::link::{Link, in_time};
use super::worker_connections::WorkerConnections;

/// Time without a single response after which a client is replaced. Longer than a failover.
const SILENCE: Duration = Duration::from_secs(6);

/// Creates a link, as often as it is called.
pub(super) type Connect = Box<dyn Fn() -> BoxFuture<'static, RedisResult<Link>> + Send + Sync>;

/// A link that is replaced when it does not recover, with the links of the worker threads.
pub(super) struct Renewed {
    shared: RwLock<Link>,
    worker_connections: Option<WorkerConnections>,
    again: Option<Again>,
}

/// Everything needed to create the link again.
struct Again {
    connect: Connect,
    on_renewal: Box<dyn Fn() + Send + Sync>,
    began: Instant,
    /// Milliseconds after `began`, plus one; 0 after a response.
    silent_since: AtomicU64,
    is_busy: AtomicBool,
}

impl Renewed {
    /// Wraps a link that the caller repairs.
    pub(super) fn never(link: Link) -> Arc<Self> {
        Arc::new(Renewed {
            shared: RwLock::new(link),
            worker_connections: None,
            again: None,
        })
    }

    /// Opens the link. `on_renewal` is called when the link was replaced and its subscriptions are lost.
    pub(super) async fn open(
        connect: Connect,
        worker_connections: Option<WorkerConnections>,
        on_renewal: impl Fn() + Send + Sync + 'static,
    ) -> RedisResult<Arc<Self>> {
        Ok(Arc::new(Renewed {
            shared: RwLock::new(connect().await?),
            worker_connections,
            again: Some(Again {
                connect,
                on_renewal: Box::new(on_renewal),
                began: Instant::now(),
                silent_since: AtomicU64::new(0),
                is_busy: AtomicBool::new(false),
            }),
        }))
    }

    /// Returns the link for one call.
    pub(super) fn link(&self) -> Link {
        match self.own() {
            Some(own) => own.shared(),
            None => self.shared(),
        }
    }

    /// Returns the link of this thread.
    fn own(&self) -> Option<Arc<Renewed>> {
        self.worker_connections
            .as_ref()
            .and_then(WorkerConnections::own)
    }

    /// Returns the link that receives pushed messages.
    pub(super) fn shared(&self) -> Link {
        let link = self.shared.read();
        link.clone()
    }

    /// Records a response, whatever its content.
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

    /// Records that a call got no response in time. If there was none for long, replaces the client as soon as a new
    /// one is connected.
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
                *self.shared.write() = link;
                (again.on_renewal)();
            }
            Err(error) => tracing::warn!(%error, "Redis does not respond and refuses connections"),
        }
        again.silent_since.store(0, Ordering::Relaxed);
        again.is_busy.store(false, Ordering::Release);
    }
}

impl Again {
    /// Returns whether there was no response for too long. The first call without a response starts the count.
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

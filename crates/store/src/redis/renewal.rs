//! Connections that are replaced when they stop responding: the shared one, and one per worker thread.
//!
//! A client reconnects by itself when a connection ends. A power failure or a firewall that drops its state ends no
//! connection: calls time out for a quarter of an hour until the system gives up, although another server has long
//! taken over the address. A cluster client has also been observed to stop responding after many failovers, although
//! all servers were fine. And after a planned failover, an open connection may lead to a server that has become a replica.
//! Whoever finds that out asks all connections of the store to renew themselves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use parking_lot::RwLock;
use redis::RedisResult;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

use super::link::{Link, in_time};
use super::worker_connections::WorkerConnections;

/// Delay before a client is replaced that leads to the wrong server. The right one may be known only in a moment.
const PAUSE: Duration = Duration::from_millis(200);

/// Creates a link, as often as it is called.
pub(super) type Connect = Box<dyn Fn() -> BoxFuture<'static, RedisResult<Link>> + Send + Sync>;

/// A link that is replaced when it does not recover, with the links of the worker threads.
pub(super) struct Renewed {
    shared: RwLock<Link>,
    worker_connections: Option<WorkerConnections<Renewed>>,
    again: Option<LinkRecipe>,
}

/// When links are replaced; the same for all links of a store.
#[derive(Clone)]
pub(super) struct RenewalTerms {
    /// Time without a single response after which a client is replaced.
    silence: Duration,
    /// Increased whenever a server is found to be the wrong one.
    wanted: Arc<AtomicU64>,
}

impl RenewalTerms {
    pub(super) fn after(silence: Duration) -> RenewalTerms {
        RenewalTerms {
            silence,
            wanted: Arc::default(),
        }
    }
}

/// Everything needed to create the link again.
struct LinkRecipe {
    connect: Connect,
    on_renewal: Box<dyn Fn() + Send + Sync>,
    terms: RenewalTerms,
    began: Instant,
    /// Milliseconds after `began`, plus one; 0 after a response.
    silent_since: AtomicU64,
    /// What was wanted when this link was created.
    reached: AtomicU64,
    /// Held while a link is being created; counts them.
    renewals: Mutex<u64>,
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
        terms: RenewalTerms,
        worker_connections: Option<WorkerConnections<Renewed>>,
        on_renewal: impl Fn() + Send + Sync + 'static,
    ) -> RedisResult<Arc<Self>> {
        let reached = AtomicU64::new(terms.wanted.load(Ordering::Relaxed));
        Ok(Arc::new(Renewed {
            shared: RwLock::new(connect().await?),
            worker_connections,
            again: Some(LinkRecipe {
                connect,
                on_renewal: Box::new(on_renewal),
                terms,
                began: Instant::now(),
                silent_since: AtomicU64::new(0),
                reached,
                renewals: Mutex::new(0),
            }),
        }))
    }

    /// Returns the link for one call.
    pub(super) fn link(self: &Arc<Self>) -> Link {
        let own = self.own();
        if own.again.as_ref().is_some_and(LinkRecipe::is_outdated) {
            own.renew_later();
        }
        own.shared()
    }

    /// Returns the link of this thread.
    fn own(self: &Arc<Self>) -> Arc<Renewed> {
        let workers = self.worker_connections.as_ref();
        let own = workers.and_then(WorkerConnections::own);
        own.unwrap_or_else(|| self.clone())
    }

    /// Returns the link that receives pushed messages.
    pub(super) fn shared(&self) -> Link {
        let link = self.shared.read();
        link.clone()
    }

    /// Records a response, whatever its content.
    pub(super) fn is_answered(self: &Arc<Self>) {
        if let Some(again) = &self.own().again
            && again.silent_since.load(Ordering::Relaxed) != 0
        {
            again.silent_since.store(0, Ordering::Relaxed);
        }
    }

    /// Records that a call got no response in time. If there was none for long, replaces the client as soon as a new
    /// one is connected.
    pub(super) fn is_silent(self: &Arc<Self>) {
        let own = self.own();
        if own.again.as_ref().is_some_and(LinkRecipe::is_overdue) {
            own.renew_later();
        }
    }

    /// Records that the server is the wrong one. All links of the store are replaced, each before it is used again.
    pub(super) fn is_wrong(self: &Arc<Self>) {
        if let Some(again) = &self.own().again {
            let next = again.reached.load(Ordering::Relaxed) + 1;
            again.terms.wanted.fetch_max(next, Ordering::Relaxed);
        }
    }

    /// Replaces the link of this thread, or waits until somebody else has.
    pub(super) async fn renewed(self: &Arc<Self>) {
        sleep(PAUSE).await;
        self.own().renew().await;
    }

    fn renew_later(self: &Arc<Self>) {
        let is_free = |again: &LinkRecipe| again.renewals.try_lock().is_ok();
        if self.again.as_ref().is_some_and(is_free) {
            let renewed = self.clone();
            tokio::spawn(async move { renewed.renew().await });
        }
    }

    async fn renew(&self) {
        let Some(again) = &self.again else {
            return;
        };
        let before = again.renewals.try_lock().map(|renewals| *renewals).ok();
        let mut renewals = again.renewals.lock().await;
        if before != Some(*renewals) {
            return; // by somebody else meanwhile
        }
        let wanted = again.terms.wanted.load(Ordering::Relaxed);
        match in_time((again.connect)()).await {
            Ok(link) => {
                tracing::warn!("reconnected to Redis, which had stopped serving this connection");
                *self.shared.write() = link;
                again.reached.store(wanted, Ordering::Relaxed);
                (again.on_renewal)();
            }
            Err(error) => tracing::warn!(%error, "cannot reconnect to Redis"),
        }
        *renewals += 1;
        again.silent_since.store(0, Ordering::Relaxed);
    }
}

impl LinkRecipe {
    /// Returns whether there was no response for too long. The first call without a response starts the count.
    fn is_overdue(&self) -> bool {
        let silence = self.terms.silence.as_millis() as u64;
        let now = self.began.elapsed().as_millis() as u64 + 1;
        match self
            .silent_since
            .compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed)
        {
            Ok(_) => silence == 0,
            Err(since) => now.saturating_sub(since) >= silence,
        }
    }

    fn is_outdated(&self) -> bool {
        self.reached.load(Ordering::Relaxed) < self.terms.wanted.load(Ordering::Relaxed)
    }
}

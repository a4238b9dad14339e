//! A connection of its own for each thread that serves requests, to a server or to a cluster.
//!
//! A connection is driven by a task on the thread that opened it. Over that of another thread every call is handed over
//! twice, and where cores are few the two threads take turns for each single call: so nothing is sent or read together, and
//! changing threads costs more than the call.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, ThreadId};

use futures_util::future::BoxFuture;
use redis::RedisResult;
use thread_local::ThreadLocal;
use tokio::runtime::{Handle, RuntimeFlavor};

use super::renewal::Renewed;

/// Opens one more connection.
pub(super) type Open = Box<dyn Fn() -> BoxFuture<'static, RedisResult<Arc<Renewed>>> + Send + Sync>;

/// The connections of the threads.
pub(super) struct Lanes {
    open: Open,
    /// It drives the connection that all share, and needs no other.
    opener: ThreadId,
    lanes: ThreadLocal<Arc<Lane>>,
}

/// The connection of one thread, once there is one.
#[derive(Default)]
struct Lane {
    link: OnceLock<Arc<Renewed>>,
    is_opening: AtomicBool,
}

impl Lanes {
    /// Opened by the thread that drives the shared connection.
    pub(super) fn new(open: Open) -> Self {
        Lanes {
            open,
            opener: thread::current().id(),
            lanes: ThreadLocal::new(),
        }
    }

    /// This thread's own. The first call has to do without: it is opened meanwhile. Threads that share their work have none.
    pub(super) fn own(&self) -> Option<Arc<Renewed>> {
        let lane = self.lanes.get_or_default();
        if let Some(link) = lane.link.get() {
            return Some(link.clone());
        }
        if thread::current().id() != self.opener && works_alone() {
            self.open_for(lane);
        }
        None
    }

    fn open_for(&self, lane: &Arc<Lane>) {
        if lane.is_opening.swap(true, Ordering::Relaxed) {
            return;
        }
        let (opening, lane) = ((self.open)(), lane.clone());
        tokio::spawn(async move {
            match opening.await {
                // It is set here alone, and one at a time tries.
                Ok(link) => drop(lane.link.set(link)),
                Err(error) => {
                    tracing::warn!(%error, "a worker falls back to the shared connection")
                }
            }
            lane.is_opening.store(false, Ordering::Relaxed);
        });
    }
}

/// Whether all tasks begun here stay on this thread.
fn works_alone() -> bool {
    let here = Handle::try_current().map(|here| here.runtime_flavor());
    here.is_ok_and(|flavor| flavor == RuntimeFlavor::CurrentThread)
}

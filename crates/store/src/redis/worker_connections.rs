//! A separate connection for each worker thread, to a server or to a cluster.
//!
//! A connection is driven by a task on the thread that opened it. A call over another thread's connection changes
//! threads twice. With few cores, the two threads would alternate for every single call, so that nothing is sent or
//! read in batches, and changing threads would cost more than the call.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, ThreadId};

use futures_util::future::BoxFuture;
use redis::RedisResult;
use thread_local::ThreadLocal;
use tokio::runtime::{Handle, RuntimeFlavor};

/// Opens another connection.
pub(super) type Open<C> = Box<dyn Fn() -> BoxFuture<'static, RedisResult<Arc<C>>> + Send + Sync>;

/// The connections of the worker threads.
pub(super) struct WorkerConnections<C: Send + Sync> {
    open: Open<C>,
    /// The thread that drives the shared connection and needs no other.
    opener: ThreadId,
    worker_connections: ThreadLocal<Arc<WorkerConnection<C>>>,
}

/// The connection of one thread, once it exists.
struct WorkerConnection<C> {
    link: OnceLock<Arc<C>>,
    is_opening: AtomicBool,
}

impl<C: Send + Sync + 'static> WorkerConnections<C> {
    /// Creates the connections. Must be called on the thread that drives the shared connection.
    pub(super) fn new(open: Open<C>) -> Self {
        WorkerConnections {
            open,
            opener: thread::current().id(),
            worker_connections: ThreadLocal::new(),
        }
    }

    /// Returns the connection of this thread. The first call starts to open it and gets none. Threads of a
    /// work-stealing runtime have none.
    pub(super) fn own(&self) -> Option<Arc<C>> {
        let closed = || {
            Arc::new(WorkerConnection {
                link: OnceLock::new(),
                is_opening: AtomicBool::new(false),
            })
        };
        let connection = self.worker_connections.get_or(closed);
        if let Some(link) = connection.link.get() {
            return Some(link.clone());
        }
        if thread::current().id() != self.opener && works_alone() {
            self.open_for(connection);
        }
        None
    }

    fn open_for(&self, connection: &Arc<WorkerConnection<C>>) {
        if connection.is_opening.swap(true, Ordering::Relaxed) {
            return;
        }
        let (opening, connection) = ((self.open)(), connection.clone());
        tokio::spawn(async move {
            match opening.await {
                // Only this task sets it, and only one runs at a time.
                Ok(link) => drop(connection.link.set(link)),
                Err(error) => {
                    tracing::warn!(%error, "a worker falls back to the shared connection")
                }
            }
            connection.is_opening.store(false, Ordering::Relaxed);
        });
    }
}

/// Returns whether all tasks that start here stay on this thread.
fn works_alone() -> bool {
    let here = Handle::try_current().map(|here| here.runtime_flavor());
    here.is_ok_and(|flavor| flavor == RuntimeFlavor::CurrentThread)
}

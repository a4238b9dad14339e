//! Bounded queues for long computations that a caller waits for, each with a named time budget.
//!
//! A computation passes checkpoints of `cancel`. It ends there when its budget is spent or its caller has gone.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::surroundings::beside;
use wyrmgate_base::cancel::Cancellation;

/// Maximum time in the queue before work is refused.
const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum number of waiting computations.
const WAITING_MAX: usize = 16;

/// A queue of computations of one kind.
pub struct Queue {
    running: Arc<Semaphore>,
    at_once: usize,
    waiting: Semaphore,
    room: usize,
    refused: AtomicU64,
    budget: Duration,
    /// The name of the budget, reported when it runs out.
    limit: &'static str,
}

/// What a queue does now, by the name of its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueFigures {
    pub limit: &'static str,
    pub running: usize,
    pub waiting: usize,
    /// Computations that found no room or waited too long, since the beginning.
    pub refused: u64,
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfinished {
    #[error("this takes longer than the {} ms allowed", .budget.as_millis())]
    Spent {
        limit: &'static str,
        budget: Duration,
    },
    #[error("{0}")]
    Overloaded(&'static str),
    #[error("the computation broke off")]
    Broken,
}

/// Returns the number of cores that this process may use. The result is cached, because the operating system reads
/// files to compute it.
pub fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| available_parallelism().map_or(1, usize::from))
}

/// Returns half the number of cores, so that the others continue to answer requests.
pub fn half_of_the_cores() -> usize {
    cores().div_ceil(2)
}

impl Queue {
    pub fn new(at_once: usize, budget: Duration, limit: &'static str) -> Queue {
        Queue {
            running: Arc::new(Semaphore::new(at_once)),
            at_once,
            waiting: Semaphore::new(WAITING_MAX),
            room: WAITING_MAX,
            refused: AtomicU64::new(0),
            budget,
            limit,
        }
    }

    /// Returns this queue with room for this number of waiting computations.
    pub fn with_room(self, room: usize) -> Queue {
        let waiting = Semaphore::new(room);
        Queue {
            waiting,
            room,
            ..self
        }
    }

    pub fn figures(&self) -> QueueFigures {
        QueueFigures {
            limit: self.limit,
            running: self
                .at_once
                .saturating_sub(self.running.available_permits()),
            waiting: self.room.saturating_sub(self.waiting.available_permits()),
            refused: self.refused.load(Relaxed),
        }
    }

    /// Runs work on another thread. Dropping the future cancels the work.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Unfinished> {
        let turn = self.turn().await?;
        let working = beside_while_awaited(move || {
            let _turn = turn; // held until the work has ended, even if nobody waits for it any more
            work()
        });
        match timeout(self.budget, working).await {
            Ok(Some(done)) => Ok(done),
            Ok(None) => Err(Unfinished::Broken),
            Err(_) => Err(Unfinished::Spent {
                limit: self.limit,
                budget: self.budget,
            }),
        }
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit, Unfinished> {
        if let Ok(turn) = self.running.clone().try_acquire_owned() {
            return Ok(turn);
        }
        let refused = |why| {
            self.refused.fetch_add(1, Relaxed);
            Unfinished::Overloaded(why)
        };
        let waiting = self.waiting.try_acquire();
        let _place = waiting.map_err(|_| refused("too many requests of this kind wait"))?;
        match timeout(PATIENCE, self.running.clone().acquire_owned()).await {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(refused("other requests of this kind take too long")),
        }
    }
}

/// Runs work on another thread. Dropping the future cancels the work. `None` if the work broke off.
pub async fn beside_while_awaited<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let ending = EndsWithWaiting(Cancellation::default());
    let cancellation = ending.0.clone();
    beside(move || cancellation.run(work)).await?.ok()
}

/// Cancels work when its caller has gone.
struct EndsWithWaiting(Cancellation);

impl Drop for EndsWithWaiting {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use wyrmgate_base::cancel::checkpoint;

    /// Returns work that runs until it is canceled and then reports it.
    fn endless(ended: &Arc<AtomicBool>) -> impl FnOnce() + Send + 'static {
        struct Tell(Arc<AtomicBool>);
        impl Drop for Tell {
            fn drop(&mut self) {
                self.0.store(true, Ordering::SeqCst);
            }
        }
        let tell = Tell(ended.clone());
        move || {
            let _tell = tell;
            loop {
                checkpoint();
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    async fn until(ended: &AtomicBool) {
        while !ended.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    #[tokio::test]
    async fn work_ends_when_its_budget_is_spent() {
        let queue = Queue::new(1, Duration::from_millis(50), "test-time");
        let ended = Arc::default();
        let unfinished = queue.run(endless(&ended)).await.unwrap_err();
        let (limit, budget) = ("test-time", Duration::from_millis(50));
        assert_eq!(unfinished, Unfinished::Spent { limit, budget });
        until(&ended).await;
        assert_eq!(queue.run(|| 7).await.ok(), Some(7));
    }

    #[tokio::test]
    async fn work_ends_when_nobody_waits_for_it() {
        let queue = Queue::new(1, Duration::from_secs(60), "test-time");
        let ended = Arc::default();
        let left = timeout(Duration::from_millis(50), queue.run(endless(&ended))).await;
        assert!(left.is_err());
        until(&ended).await;
        assert_eq!(queue.run(|| 7).await.ok(), Some(7));
    }

    #[tokio::test]
    async fn a_full_queue_takes_nobody() {
        let queue = Arc::new(Queue::new(1, Duration::from_secs(60), "test-time"));
        let mut all = Vec::new();
        for _ in 0..=WAITING_MAX {
            let queue = queue.clone();
            let ended = Arc::default();
            all.push(tokio::spawn(
                async move { queue.run(endless(&ended)).await },
            ));
            tokio::task::yield_now().await;
        }
        let unfinished = queue.run(|| ()).await.unwrap_err();
        assert!(matches!(unfinished, Unfinished::Overloaded(_)));
        all.iter().for_each(|one| one.abort());
    }
}

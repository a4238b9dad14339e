//! Requests that take long to compute: they wait in a bounded queue, run beside the workers, within a named budget, and end
//! with the request.

use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::problem::{Code, Problem};
use crate::cancel::Cancellation;

/// How long one request may imagine.
pub const IMAGINE_MAX: Duration = Duration::from_secs(5);
/// How long the rules of one request may be checked.
pub const CHECK_MAX: Duration = Duration::from_secs(20);
/// How long the record of one request may be played.
pub const REPLAY_MAX: Duration = Duration::from_secs(5);
/// A request that has waited for so long is sent away.
const PATIENCE: Duration = Duration::from_secs(5);
/// Requests that wait in a queue.
const WAITING_MAX: usize = 16;

/// One queue for each kind of work, so that none keeps another waiting.
pub struct HeavyWork {
    pub imagining: Queue,
    pub checking: Queue,
    pub replaying: Queue,
}

/// Work of one kind.
pub struct Queue {
    running: Arc<Semaphore>,
    waiting: Semaphore,
    budget: Duration,
    /// The name of the budget, for whoever runs out of it.
    limit: &'static str,
}

impl Default for HeavyWork {
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        let half = cores.div_ceil(2);
        HeavyWork {
            imagining: Queue::new(half, IMAGINE_MAX, "imagine-time"),
            // A check takes the cores that are free by itself.
            checking: Queue::new(1, CHECK_MAX, "check-time"),
            replaying: Queue::new(half, REPLAY_MAX, "replay-time"),
        }
    }
}

impl Queue {
    fn new(at_once: usize, budget: Duration, limit: &'static str) -> Queue {
        Queue {
            running: Arc::new(Semaphore::new(at_once)),
            waiting: Semaphore::new(WAITING_MAX),
            budget,
            limit,
        }
    }

    /// The name of its budget.
    pub fn limit(&self) -> &'static str {
        self.limit
    }

    /// Computes on another thread. Fails with `overloaded` if too many wait, with `rules-budget-exceeded` if it takes too
    /// long. It is cancelled when this is dropped: when the client has gone.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = self.turn().await?;
        let ending = EndsWithRequest(Cancellation::default());
        let cancellation = ending.0.clone();
        let working = spawn_blocking(move || {
            let _turn = turn; // until it has ended, whoever waits for it
            cancellation.run(work)
        });
        match timeout(self.budget, working).await {
            Ok(Ok(Ok(done))) => Ok(done),
            Ok(Ok(Err(_)) | Err(_)) => Err(Problem::new(Code::Internal)),
            Err(_) => Err(self.exhausted()),
        }
    }

    fn exhausted(&self) -> Problem {
        let budget = self.budget.as_millis();
        Problem::new(Code::RulesBudgetExceeded)
            .limit(self.limit)
            .detail(format!(
                "this takes longer than the {budget} ms allowed: ask for less"
            ))
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let overloaded = |why: &str| Problem::new(Code::Overloaded).detail(why);
        if let Ok(turn) = self.running.clone().try_acquire_owned() {
            return Ok(turn);
        }
        let waiting = self.waiting.try_acquire();
        let _place = waiting.map_err(|_| overloaded("too many requests of this kind wait"))?;
        match timeout(PATIENCE, self.running.clone().acquire_owned()).await {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(overloaded("other requests of this kind take too long")),
        }
    }
}

/// Cancels work that nobody waits for any more.
struct EndsWithRequest(Cancellation);

impl Drop for EndsWithRequest {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::cancel::checkpoint;

    /// Works until it is cancelled, and then says so.
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
        let problem = queue.run(endless(&ended)).await.unwrap_err();
        assert_eq!(problem.code, "rules-budget-exceeded");
        assert_eq!(problem.limit.as_deref(), Some("test-time"));
        until(&ended).await;
        assert_eq!(queue.run(|| 7).await.ok(), Some(7));
    }

    #[tokio::test]
    async fn work_ends_with_its_request() {
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
        let problem = queue.run(|| ()).await.unwrap_err();
        assert_eq!(problem.code, "overloaded");
        assert!(problem.retry_after.is_some());
        all.iter().for_each(|one| one.abort());
    }
}

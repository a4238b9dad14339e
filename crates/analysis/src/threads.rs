//! Work on several threads that consists of many numbered pieces, such as games. One thread gathers the results.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use wyrmgate_base::cancel;

/// Maximum number of results that wait to be gathered.
const WAITING_MAX: usize = 1_024;

/// The numbers of all pieces of work. Threads take one after the other.
#[derive(Debug)]
pub struct WorkNumbers {
    first: u64,
    count: u64,
    taken: AtomicU64,
}

impl WorkNumbers {
    pub fn new(first: u64, count: u64) -> WorkNumbers {
        WorkNumbers {
            first,
            count,
            taken: AtomicU64::new(0),
        }
    }

    /// Returns a number that no thread has taken yet; `None` if there is none.
    pub fn take(&self) -> Option<u64> {
        let taken = self.taken.fetch_add(1, Ordering::Relaxed);
        (taken < self.count).then(|| self.first.saturating_add(taken))
    }
}

/// Calls `work` on each thread, and `gather` on this one with every result that `work` passes on. The function to pass on a
/// result returns whether anybody still wants results. Returns what `work` returned on each thread.
pub fn on_threads<T: Send, R: Send>(
    threads: usize,
    work: impl Fn(&dyn Fn(T) -> bool) -> R + Sync,
    gather: impl FnMut(T),
) -> Vec<R> {
    let (send, receive) = mpsc::sync_channel(WAITING_MAX);
    let work = &work;
    thread::scope(|scope| {
        let start = |_| {
            let send = send.clone();
            let own = cancel::current();
            scope.spawn(move || cancel::within(own, || work(&|result| send.send(result).is_ok())))
        };
        let workers: Vec<_> = (0..threads.max(1)).map(start).collect();
        drop(send);
        receive.into_iter().for_each(gather);
        let workers = workers.into_iter();
        let ended =
            workers.map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        ended.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_is_taken_once_and_each_result_is_gathered() {
        let numbers = WorkNumbers::new(3, 1_000);
        let mut gathered = Vec::new();
        let work = |pass_on: &dyn Fn(u64) -> bool| {
            let mut taken = 0;
            while let Some(number) = numbers.take()
                && pass_on(number)
            {
                taken += 1;
            }
            taken
        };
        let taken: Vec<u64> = on_threads(4, work, |number| gathered.push(number));
        gathered.sort_unstable();
        assert_eq!(gathered, (3..1_003).collect::<Vec<u64>>());
        assert_eq!((taken.len(), taken.iter().sum()), (4, 1_000));
    }
}

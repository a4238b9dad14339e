//! Work on several threads that consists of many numbered pieces, such as games. One thread gathers the results.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use wyrmgate_base::cancel;

/// Maximum number of results that wait to be gathered.
const WAITING_MAX: usize = 1_024;

/// Calls `work` on each thread, and `gather` on this one with every result that a thread passes on. The threads share the
/// numbers: each takes one after the other, until there are none, or `is_over`, or nobody gathers results any more. Returns what
/// `work` returned on each thread.
pub fn on_threads<T: Send, R: Send>(
    threads: usize,
    numbers: Range<u64>,
    is_over: impl Fn() -> bool + Sync,
    work: impl Fn(&mut dyn Iterator<Item = u64>, &dyn Fn(T)) -> R + Sync,
    gather: impl FnMut(T),
) -> Vec<R> {
    let (send, receive) = mpsc::sync_channel(WAITING_MAX);
    let next = AtomicU64::new(numbers.start);
    let is_abandoned = AtomicBool::new(false);
    let is_over = || is_abandoned.load(Ordering::Relaxed) || is_over();
    let take = || {
        let number = (!is_over()).then(|| next.fetch_add(1, Ordering::Relaxed));
        number.filter(|number| numbers.contains(number))
    };
    let on_thread = &|send: mpsc::SyncSender<T>| {
        work(&mut std::iter::from_fn(&take), &|result| {
            is_abandoned.fetch_or(send.send(result).is_err(), Ordering::Relaxed);
        })
    };
    thread::scope(|scope| {
        let start = |_| {
            let (send, own) = (send.clone(), cancel::current());
            scope.spawn(move || cancel::within(own, || on_thread(send)))
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
        let mut gathered = Vec::new();
        let work = |numbers: &mut dyn Iterator<Item = u64>, pass_on: &dyn Fn(u64)| {
            numbers.inspect(|number| pass_on(*number)).count()
        };
        let taken = on_threads(4, 3..1_003, || false, work, |number| gathered.push(number));
        gathered.sort_unstable();
        assert_eq!(gathered, (3..1_003).collect::<Vec<u64>>());
        assert_eq!((taken.len(), taken.iter().sum()), (4, 1_000));
    }

    #[test]
    fn no_number_is_taken_when_the_work_is_over() {
        let work = |numbers: &mut dyn Iterator<Item = u64>, _: &dyn Fn(())| numbers.count();
        assert_eq!(on_threads(2, 0..9, || true, work, |()| ()), [0, 0]);
    }
}

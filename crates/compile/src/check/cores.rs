//! Divides work among cores. Any part of the work may divide further: it takes the cores that are free, and the number
//! of threads never exceeds the number of cores.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};
use std::thread;

use wyrmgate_base::cancel;

/// The number of idle cores.
#[derive(Debug)]
pub struct Cores(AtomicIsize);

impl Cores {
    /// Returns all cores except the current one.
    pub fn others() -> Cores {
        let all = thread::available_parallelism().map_or(1, usize::from);
        Cores(AtomicIsize::new(isize::try_from(all - 1).unwrap_or(0)))
    }

    /// Returns no other cores, for measurements.
    pub fn none() -> Cores {
        Cores(AtomicIsize::new(0))
    }

    /// Processes every member, on this core and on those that are or become idle. The results have the same order.
    pub fn each<T: Sync, R: Send>(&self, all: &[T], one: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let work = Work {
            all,
            next: AtomicUsize::new(0),
            one,
        };
        let cancellation = cancel::current();
        let mut done = thread::scope(|scope| {
            let mut helpers = Vec::new();
            let mut done = Vec::new();
            while let Some((at, item)) = work.take() {
                if work.is_more()
                    && let Some(core) = self.take()
                {
                    let (work, own) = (&work, cancellation.clone());
                    helpers.push(scope.spawn(move || cancel::within(own, || work.help(core))));
                }
                done.push((at, (work.one)(item)));
            }
            let _lent = self.lend();
            for helper in helpers {
                done.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            done
        });
        done.sort_unstable_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, result)| result).collect()
    }

    fn take(&self) -> Option<Moved<'_>> {
        let one_less = |free: isize| (free > 0).then(|| free - 1);
        let taken = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less);
        taken.ok().map(|_| Moved(self, 1))
    }

    /// Lends this core to others while this thread waits.
    fn lend(&self) -> Moved<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Moved(self, -1)
    }
}

/// A core that is in use, or that another thread may use meanwhile, and what the number of idle cores changes by when this
/// is dropped. A thread that has taken a lent core continues; the number of idle cores can then be negative.
struct Moved<'c>(&'c Cores, isize);

impl Drop for Moved<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_add(self.1, Ordering::Relaxed);
    }
}

struct Work<'w, T, F> {
    all: &'w [T],
    next: AtomicUsize,
    one: F,
}

impl<'w, T, F> Work<'w, T, F> {
    fn take(&self) -> Option<(usize, &'w T)> {
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        Some((at, self.all.get(at)?))
    }

    fn is_more(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.all.len()
    }

    fn help<R>(&self, _core: Moved<'_>) -> Vec<(usize, R)>
    where
        F: Fn(&T) -> R,
    {
        let mut done = Vec::new();
        while let Some((at, item)) = self.take() {
            done.push((at, (self.one)(item)));
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_cores_are_given_back() {
        let cores = Cores(AtomicIsize::new(3));
        let outer: Vec<i64> = (0..20).collect();
        let sums = cores.each(&outer, |n| {
            let inner: Vec<i64> = (0..50).collect();
            let products = cores.each(&inner, |m| n * m);
            products.iter().sum::<i64>()
        });
        let wanted: Vec<i64> = outer.iter().map(|n| n * 49 * 25).collect();
        assert_eq!(sums, wanted);
        assert_eq!(cores.0.into_inner(), 3);
    }

    #[test]
    fn without_a_free_core_all_is_done_on_this_one() {
        let cores = Cores(AtomicIsize::new(0));
        let own = thread::current().id();
        let done = cores.each(&[(), (), ()], |()| thread::current().id());
        assert_eq!(done, [own; 3]);
    }
}

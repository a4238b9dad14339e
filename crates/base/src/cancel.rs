//! Cooperative cancellation of long computations.
//!
//! A computation runs within a [`Cancellation`] and passes [`checkpoint`]s. Once it is canceled, the next checkpoint
//! unwinds to where it was started. Code in between needs no changes: outside of a cancellation, a checkpoint does
//! nothing.
//!
//! A computation that can end early with what it has found so far runs [`until`] a deadline, and asks whether it
//! [`is_late`].

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

thread_local! {
    /// The cancellation of the current computation of this thread.
    static CURRENT: RefCell<Option<Cancellation>> = const { RefCell::new(None) };
    /// The deadline of the current computation of this thread.
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Cancels a computation from another thread.
#[derive(Debug, Clone, Default)]
pub struct Cancellation(Arc<AtomicBool>);

/// The computation was canceled, and has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("canceled")]
pub struct Cancelled;

impl Cancellation {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Computes on this thread until the work is done or canceled. Data that the work shares with others must be
    /// consistent at every checkpoint.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
        let done = catch_unwind(AssertUnwindSafe(|| within(Some(self.clone()), work)));
        done.or_else(|payload| match payload.is::<Cancelled>() {
            true => Err(Cancelled),
            false => resume_unwind(payload),
        })
    }
}

/// Unwinds if the current computation of this thread was canceled.
pub fn checkpoint() {
    let is_canceled = CURRENT.with_borrow(|current| {
        let flag = current.as_ref();
        flag.is_some_and(|current| current.0.load(Ordering::Relaxed))
    });
    if is_canceled {
        resume_unwind(Box::new(Cancelled)); // not a panic: no hook is called and nothing is printed
    }
}

/// Returns the cancellation of this thread's computation, for threads that help with it.
pub fn current() -> Option<Cancellation> {
    CURRENT.with_borrow(Clone::clone)
}

/// Computes a part of what [`current`] cancels. The thread that requested it catches the unwinding.
pub fn within<T>(cancellation: Option<Cancellation>, work: impl FnOnce() -> T) -> T {
    let _restored = Restore(CURRENT.replace(cancellation));
    work()
}

/// Computes with a deadline, at which work that can end early does so.
pub fn until<T>(deadline: Option<Instant>, work: impl FnOnce() -> T) -> T {
    struct RestoredDeadline(Option<Instant>);
    impl Drop for RestoredDeadline {
        fn drop(&mut self) {
            DEADLINE.set(self.0);
        }
    }
    let _restored = RestoredDeadline(DEADLINE.replace(deadline));
    work()
}

/// Returns whether the deadline of this thread's computation has passed.
pub fn is_late() -> bool {
    DEADLINE
        .get()
        .is_some_and(|deadline| Instant::now() >= deadline)
}

struct Restore(Option<Cancellation>);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computation_ends_at_the_next_checkpoint_after_it_was_canceled() {
        let cancellation = Cancellation::default();
        let mut rounds = 0;
        let ended = cancellation.run(|| {
            loop {
                checkpoint();
                rounds += 1;
                if rounds == 3 {
                    cancellation.cancel();
                }
            }
        });
        let ended: Result<(), Cancelled> = ended;
        assert_eq!((ended, rounds), (Err(Cancelled), 3));
        checkpoint(); // this thread is canceled no more
        assert_eq!(Cancellation::default().run(|| 7), Ok(7));
    }

    #[test]
    fn work_is_late_after_its_deadline_and_only_within() {
        assert!(!is_late());
        assert!(until(Some(Instant::now()), is_late));
        let later = Instant::now() + std::time::Duration::from_secs(3_600);
        assert!(!until(Some(later), is_late) && !until(None, is_late) && !is_late());
    }

    #[test]
    fn threads_that_help_are_canceled_too() {
        let cancellation = Cancellation::default();
        cancellation.cancel();
        let ended = cancellation.run(|| {
            let own = current();
            let helped = std::thread::scope(|scope| {
                let helper = scope.spawn(|| within(own, checkpoint));
                helper.join().map_err(|payload| resume_unwind(payload))
            });
            helped.is_ok()
        });
        assert_eq!(ended, Err(Cancelled));
    }
}

//! Long computations, which Ctrl-C stops.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use wyrmgate_base::cancel::Cancellation;

/// How often signals are looked for.
const EVERY: Duration = Duration::from_millis(50);

/// Computes on a thread of its own, without the interpreter lock. When a signal arrives, the computation ends at its next
/// checkpoint, and the exception of the signal is returned.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let cancellation = Cancellation::default();
    py.detach(|| {
        thread::scope(|scope| {
            let (tell, told) = channel::<()>();
            let worker = scope.spawn(|| {
                let done = cancellation.run(work);
                drop(tell);
                done
            });
            let mut signal = Ok(());
            while let Err(RecvTimeoutError::Timeout) = told.recv_timeout(EVERY) {
                signal = signal.and_then(|()| signaled());
                if signal.is_err() {
                    cancellation.cancel();
                }
            }
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            signal?;
            done.map_err(|_| PyKeyboardInterrupt::new_err(()))
        })
    })
}

/// Returns the exception of a signal that has arrived.
pub fn signaled() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

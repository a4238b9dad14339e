//! Ctrl-C during a long run, or the end of its time: reports the results so far. A second Ctrl-C ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::Stop;

/// Exit code after Ctrl-C: 128 plus the signal number.
const INTERRUPTED: i32 = 130;

/// Returns a flag that becomes true at the first Ctrl-C.
pub fn flag() -> Result<Arc<AtomicBool>, Stop> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .map_err(Stop::failure)?;
    // The thread ends with the program.
    std::thread::spawn(move || {
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                if set.swap(true, Ordering::Relaxed) {
                    std::process::exit(INTERRUPTED);
                }
            }
        });
    });
    Ok(flag)
}

/// Returns a flag that becomes true at the first Ctrl-C, or after this number of seconds.
pub fn flag_within(seconds: Option<u64>) -> Result<Arc<AtomicBool>, Stop> {
    let flag = flag()?;
    if let Some(seconds) = seconds {
        let set = flag.clone();
        // The thread ends with the program.
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(seconds));
            set.store(true, Ordering::Relaxed);
        });
    }
    Ok(flag)
}

//! Ctrl-C during a long run: reports the results so far. A second Ctrl-C ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

//! Ctrl-C in the middle of a long run: what is known so far is told. A second one ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Stop;

/// The exit code of a program that was ended by Ctrl-C: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

/// Becomes true at the first Ctrl-C.
pub fn flag() -> Result<Arc<AtomicBool>, Stop> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .map_err(Stop::failure)?;
    // It ends with the program.
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

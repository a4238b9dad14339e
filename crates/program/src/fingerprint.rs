//! A number stored with a program.

use std::sync::OnceLock;

/// What states name a program by, kept once it has been worked out. A copy of it is empty: the program may be changed then.
#[derive(Debug, Default)]
pub struct Fingerprint(OnceLock<u64>);

impl Fingerprint {
    /// The number, which is worked out by whoever asks first.
    pub fn get_or_init(&self, work_out: impl FnOnce() -> u64) -> u64 {
        *self.0.get_or_init(work_out)
    }
}

impl Clone for Fingerprint {
    fn clone(&self) -> Self {
        Fingerprint::default()
    }
}

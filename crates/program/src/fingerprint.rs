//! A number stored with a program.

use std::sync::OnceLock;

/// The number by which states identify a program, cached once it has been computed. A copy is empty, because the
/// program may be changed then.
#[derive(Debug, Default)]
pub struct Fingerprint(OnceLock<u64>);

impl Fingerprint {
    /// Returns the number; the first caller computes it.
    pub fn get_or_init(&self, work_out: impl FnOnce() -> u64) -> u64 {
        *self.0.get_or_init(work_out)
    }
}

impl Clone for Fingerprint {
    fn clone(&self) -> Self {
        Fingerprint::default()
    }
}

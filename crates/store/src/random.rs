//! Random numbers for writers.

use super::StoreError;
use wyrmgate_runtime::surroundings::{self, NoEntropy};

/// Returns 64 bits. Fails only if the operating system provides no randomness.
pub(super) fn number() -> Result<u64, StoreError> {
    Ok(surroundings::number()?)
}

/// Fills the buffer with random bits.
pub(super) fn fill(bytes: &mut [u8]) -> Result<(), StoreError> {
    Ok(surroundings::fill(bytes)?)
}

impl From<NoEntropy> for StoreError {
    fn from(error: NoEntropy) -> Self {
        StoreError::Unavailable(error.to_string())
    }
}

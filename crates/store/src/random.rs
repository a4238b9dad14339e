//! Numbers that no two writers draw.

use super::StoreError;
use wyrmgate_runtime::surroundings::{self, NoEntropy};

/// 64 bits; fails only if the operating system gives no randomness.
pub(super) fn number() -> Result<u64, StoreError> {
    Ok(surroundings::number()?)
}

/// As many bits as there is room for.
pub(super) fn fill(bytes: &mut [u8]) -> Result<(), StoreError> {
    Ok(surroundings::fill(bytes)?)
}

impl From<NoEntropy> for StoreError {
    fn from(error: NoEntropy) -> Self {
        StoreError::Unavailable(error.to_string())
    }
}

//! Errors of a store. They are for the operator, never for a player.

use wyrmgate_base::presume::BrokenInvariant;
use wyrmgate_runtime::surroundings::NoEntropy;

/// An error of the store. Its text is for the log and never leaves the server.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// Nothing was written; the same call may succeed later.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// The write was sent but no response came, so it may or may not have happened. Retry with the same key.
    #[error("the outcome of a write is unknown: {0}")]
    OutcomeUnknown(String),
    /// Stored data is damaged, or has a format that this program does not know.
    #[error("stored data is damaged: {0}")]
    Corrupt(String),
    /// There is no space left; nothing was written.
    #[error("the store is full: {0}")]
    Full(String),
    /// The store cannot be opened as configured.
    #[error("the store is misconfigured: {0}")]
    Misconfigured(String),
    /// The caller has a defect; nothing was written.
    #[error(transparent)]
    Broken(#[from] BrokenInvariant),
}

impl StoreError {
    /// Returns a word for metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            StoreError::Unavailable(_) => "unavailable",
            StoreError::OutcomeUnknown(_) => "unknown",
            StoreError::Corrupt(_) => "damaged",
            StoreError::Full(_) => "full",
            StoreError::Misconfigured(_) => "misconfigured",
            StoreError::Broken(_) => "broken",
        }
    }
}

impl From<NoEntropy> for StoreError {
    fn from(error: NoEntropy) -> Self {
        StoreError::Unavailable(error.to_string())
    }
}

//! What can go wrong with a store; all of it is for the operator, none of it for a player.

use wyrmgate_base::presume::Broken;

/// A fault of the store. The text is for the log and never leaves the server.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// Nothing was written; the same call may work later.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// The write was sent and no answer came: it may or may not be there. Repeat with the same key.
    #[error("the outcome of a write is unknown: {0}")]
    OutcomeUnknown(String),
    /// What was read is not what was written, or is of a format this program does not know.
    #[error("stored data is damaged: {0}")]
    Corrupt(String),
    /// No room is left; nothing was written.
    #[error("the store is full: {0}")]
    Full(String),
    /// The store cannot be opened as configured.
    #[error("the store is misconfigured: {0}")]
    Misconfigured(String),
    /// Whoever calls the store has a defect; nothing was written.
    #[error(transparent)]
    Broken(#[from] Broken),
}

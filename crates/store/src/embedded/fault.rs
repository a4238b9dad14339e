//! Converts errors of redb to errors of the store.

use std::io::ErrorKind;

use super::super::StoreError;

impl From<redb::StorageError> for StoreError {
    fn from(error: redb::StorageError) -> Self {
        let text = error.to_string();
        match error {
            redb::StorageError::Corrupted(_) => StoreError::Corrupt(text),
            redb::StorageError::Io(io) if is_full(io.kind()) => StoreError::Full(text),
            _ => StoreError::Unavailable(text),
        }
    }
}

impl From<redb::TableError> for StoreError {
    fn from(error: redb::TableError) -> Self {
        match error {
            redb::TableError::Storage(storage) => storage.into(),
            // The tables are created with their types at opening; any other error means the file belongs to another
            // program.
            other => StoreError::Corrupt(other.to_string()),
        }
    }
}

impl From<redb::TransactionError> for StoreError {
    fn from(error: redb::TransactionError) -> Self {
        match error {
            redb::TransactionError::Storage(storage) => storage.into(),
            other => StoreError::Unavailable(other.to_string()),
        }
    }
}

/// A failed commit may have reached the disk.
impl From<redb::CommitError> for StoreError {
    fn from(error: redb::CommitError) -> Self {
        StoreError::OutcomeUnknown(error.to_string())
    }
}

impl From<redb::DatabaseError> for StoreError {
    fn from(error: redb::DatabaseError) -> Self {
        match error {
            redb::DatabaseError::DatabaseAlreadyOpen => {
                StoreError::Misconfigured("another process has opened the file".to_owned())
            }
            redb::DatabaseError::Storage(redb::StorageError::Corrupted(why)) => {
                StoreError::Corrupt(why)
            }
            other => StoreError::Misconfigured(other.to_string()),
        }
    }
}

fn is_full(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
    )
}

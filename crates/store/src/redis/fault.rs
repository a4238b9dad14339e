//! Converts errors of Redis to errors of the store.

use redis::{ErrorKind, RedisError};

use super::super::StoreError;

/// How a command failed, as far as a writer must know.
pub(super) enum Fault {
    /// It did not run, or was refused as a whole.
    Refused(StoreError),
    /// It was sent, and its result is unknown.
    Silence(String),
}

impl Fault {
    pub(super) fn of(error: &RedisError) -> Self {
        let text = error.to_string();
        match error.kind() {
            ErrorKind::Server(_) | ErrorKind::Extension => Fault::Refused(refusal(error, text)),
            ErrorKind::Io | ErrorKind::Parse if !error.is_connection_refusal() => {
                Fault::Silence(text)
            }
            _ => Fault::Refused(StoreError::Unavailable(text)),
        }
    }

    /// Returns the error of a read.
    pub(super) fn of_read(self) -> StoreError {
        match self {
            Fault::Refused(error) => error,
            Fault::Silence(text) => StoreError::Unavailable(text),
        }
    }

    /// Returns the error of a call that may have changed something.
    pub(super) fn of_write(self) -> StoreError {
        match self {
            Fault::Refused(error) => error,
            Fault::Silence(text) => StoreError::OutcomeUnknown(text),
        }
    }
}

/// Returns the error for a write that the master has, but that may not survive the loss of the master.
pub(super) fn unconfirmed() -> StoreError {
    StoreError::OutcomeUnknown("no replica confirmed the write in time".to_owned())
}

fn refusal(error: &RedisError, text: String) -> StoreError {
    match code(error).as_deref() {
        Some("OOM") => StoreError::Full(text),
        Some("WRONGTYPE") => StoreError::Corrupt(text),
        _ => StoreError::Unavailable(text),
    }
}

/// Returns the error code of the server; that of the first error if several commands were sent together.
fn code(error: &RedisError) -> Option<String> {
    if let Some(code) = error.code() {
        return Some(code.to_owned());
    }
    let errors = error.clone().into_server_errors()?;
    errors.first().map(|(_, error)| error.code().to_owned())
}

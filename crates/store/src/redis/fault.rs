//! What follows from an error of Redis: one table for all its replies.

use redis::{ErrorKind, RedisError};

use super::super::StoreError;

/// How a command failed, as far as a writer must know.
pub(super) enum CommandFault {
    /// It did not run, or was refused as a whole.
    Refused(StoreError),
    /// It was sent, and its result is unknown.
    Silence(String),
}

/// What an error means for the calls after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    /// Nothing: the error concerns one call, or the keys that it names.
    Nothing,
    /// The server serves nobody for now, and may recover without our help.
    Waiting,
    /// The connection leads to a server that is no master any more, or that has forgotten who we are. The call was refused and
    /// can be repeated on another connection.
    Reconnecting,
    /// There was no response: the connection may be dead.
    Silence,
}

/// The error that the caller gets.
type Told = fn(String) -> StoreError;

/// A row for each code that begins an error reply. The last one is for all others.
const REPLIES: [(&str, Told, Follows); 18] = {
    use Follows::{Nothing, Reconnecting, Waiting};
    use StoreError::{Corrupt, Full, Unavailable};
    [
        // A replica: another server is the master now.
        ("READONLY", Unavailable, Reconnecting),
        // A replica without its master, and with `replica-serve-stale-data no`.
        ("MASTERDOWN", Unavailable, Reconnecting),
        // A password was set after we connected.
        ("NOAUTH", Unavailable, Reconnecting),
        ("WRONGPASS", Unavailable, Waiting),
        // The user lacks a permission.
        ("NOPERM", Unavailable, Waiting),
        // It reads its files.
        ("LOADING", Unavailable, Waiting),
        // It cannot write its files.
        ("MISCONF", Unavailable, Waiting),
        // It has fewer replicas than `min-replicas-to-write`.
        ("NOREPLICAS", Unavailable, Waiting),
        // Its memory is full.
        ("OOM", Full, Waiting),
        // A foreign script runs for too long.
        ("BUSY", Unavailable, Waiting),
        // Slots without a master.
        ("CLUSTERDOWN", Unavailable, Waiting),
        // The cluster client follows the first two and repeats the third; some callers see what is left after some attempts.
        ("MOVED", Unavailable, Nothing),
        ("ASK", Unavailable, Nothing),
        ("TRYAGAIN", Unavailable, Nothing),
        // `Connection` sends the text of the script.
        ("NOSCRIPT", Unavailable, Nothing),
        ("EXECABORT", Unavailable, Nothing),
        // Somebody else's value has the name of ours.
        ("WRONGTYPE", Corrupt, Nothing),
        ("ERR", Unavailable, Nothing),
    ]
};

impl CommandFault {
    pub(super) fn of(error: &RedisError) -> Self {
        let text = error.to_string();
        match Follows::of(error) {
            Follows::Silence if !error.is_connection_refusal() => CommandFault::Silence(text),
            _ => CommandFault::Refused(match reply(error) {
                Some((_, told, _)) => told(text),
                None => StoreError::Unavailable(text),
            }),
        }
    }

    /// Returns the error of a read.
    pub(super) fn of_read(self) -> StoreError {
        match self {
            CommandFault::Refused(error) => error,
            CommandFault::Silence(text) => StoreError::Unavailable(text),
        }
    }

    /// Returns the error of a call that may have changed something.
    pub(super) fn of_write(self) -> StoreError {
        match self {
            CommandFault::Refused(error) => error,
            CommandFault::Silence(text) => StoreError::OutcomeUnknown(text),
        }
    }
}

impl Follows {
    pub(super) fn of(error: &RedisError) -> Self {
        match (reply(error), error.kind()) {
            (Some((.., follows)), _) => *follows,
            (None, ErrorKind::Io | ErrorKind::Parse) => Follows::Silence,
            (None, _) => Follows::Waiting,
        }
    }
}

/// Returns the error for a write that the master has, but that may not survive the loss of the master.
pub(super) fn unconfirmed() -> StoreError {
    StoreError::OutcomeUnknown("no replica confirmed the write in time".to_owned())
}

/// Returns the row of an error that a server has sent.
fn reply(error: &RedisError) -> Option<&'static (&'static str, Told, Follows)> {
    if !matches!(error.kind(), ErrorKind::Server(_) | ErrorKind::Extension) {
        return None;
    }
    let row = |code: &str| REPLIES.iter().find(|(of, ..)| *of == code);
    let (code, text) = (code(error).unwrap_or_default(), error.to_string());
    // Redis 6 puts the error of a command in a script into an error of the script: `ERR Error running script …: -OOM command …`.
    let within = text.split(" -").skip(1).map(|rest| rest.split(' ').next());
    let within = within.flatten().find_map(row);
    let known = row(&code).filter(|(code, ..)| *code != "ERR");
    known.or(within).or(REPLIES.last())
}

/// Returns the error code of the server; that of the first error if several commands were sent together.
fn code(error: &RedisError) -> Option<String> {
    if let Some(code) = error.code() {
        return Some(code.to_owned());
    }
    let errors = error.clone().into_server_errors()?;
    errors.first().map(|(_, error)| error.code().to_owned())
}

#[cfg(test)]
mod tests {
    use redis::{ErrorKind, ServerErrorKind};

    use super::*;

    #[test]
    fn a_script_of_redis_6_fails_like_its_command() {
        let said = |text: &str| {
            let kind = ErrorKind::Server(ServerErrorKind::ResponseError);
            let text = text.to_owned();
            Follows::of(&RedisError::from((
                kind,
                "An error was signalled by the server",
                text,
            )))
        };
        let within = "Error running script (call to f_1): @user_script:23: @user_script: 23: -READONLY You can't write against a read only replica.";
        assert_eq!(said(within), Follows::Reconnecting);
        assert_eq!(said("no such thing"), Follows::Nothing);
    }

    #[test]
    fn no_code_has_two_rows() {
        let mut codes: Vec<_> = REPLIES.iter().map(|(code, ..)| code).collect();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), REPLIES.len());
    }
}

//! A request to change a session, and the change that answers it.

use std::sync::Arc;

use crate::access::token::Token;
use crate::content::live::Live;
use crate::content::log::LogEntry;
use crate::storing::answering::IdempotencyKey;
use wyrmgate_store::Bytes;

/// A request that changes a session: which one, who makes it, and what retries of it get.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    pub session: &'a str,
    pub token: Option<&'a Token>,
    pub key: Option<&'a IdempotencyKey>,
    pub describe: Describe<'a>,
}

/// Builds the response to a change, which is stored under a key for retries. Called before the change is written.
pub type Describe<'a> = &'a dyn Fn(&CommittedChange) -> Bytes;

/// The response to a request that may carry a key.
#[derive(Debug, Clone)]
pub enum Answered<T = CommittedChange> {
    /// Executed now.
    Fresh(T),
    /// Executed earlier under the same key, with the stored response.
    Replayed(Bytes),
}

/// A committed change.
#[derive(Debug, Clone)]
pub struct CommittedChange {
    /// The session after the change.
    pub live: Arc<Live>,
    pub entry: LogEntry,
    /// Whether the change is public.
    pub is_public: bool,
    /// The credential that the change issues.
    pub token: Option<Token>,
}

impl<'a> Call<'a> {
    /// A call that is never retried.
    pub fn once(session: &'a str, token: Option<&'a Token>) -> Call<'a> {
        Call {
            session,
            token,
            key: None,
            describe: &|_| Bytes::default(),
        }
    }
}

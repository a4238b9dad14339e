//! Plain data types of a store.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use super::StoreError;
use super::bytes::{Bytes, Digest, Secret};
use super::listing::Listing;
use super::mark::ChangeMark;
use wyrmgate_runtime::surroundings;

/// The position of a record.
///
/// ```
/// # use wyrmgate_store::Position;
/// let now = Position { revision: 7, version: 4 };
/// assert_eq!(now.after(true), Position { revision: 8, version: 5 });
/// assert_eq!(now.after(false), Position { revision: 8, version: 4 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Position {
    /// Increased by every commit; a writer must know it. Never shown to clients, because it would reveal secret
    /// submissions.
    pub revision: u64,
    /// Increased only by public commits; visible to clients. Equals the number of log entries.
    pub version: u64,
}

impl Position {
    /// Returns the position after a commit. `public` says whether it carries an entry.
    pub fn after(self, public: bool) -> Self {
        Position {
            revision: self.revision.saturating_add(1),
            version: self.version.saturating_add(u64::from(public)),
        }
    }
}

/// The current state of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRecord {
    /// Revision and version.
    pub position: Position,
    /// The mark of the latest commit, secret or not. Never shown to clients.
    pub mark: ChangeMark,
    /// The mark of the latest public commit. Together with the number, it identifies the version.
    pub version_mark: ChangeMark,
    /// Written at creation and constant.
    pub fixed: Bytes,
    /// Small and mutable: seats and stage.
    pub status: Bytes,
    /// The state.
    pub snapshot: Bytes,
    /// When the session expires, in Unix milliseconds.
    pub expires_at_ms: Option<u64>,
}

impl SessionRecord {
    /// Applies a commit.
    pub(super) fn apply(&mut self, commit: &Commit) {
        self.position = self.position.after(commit.entry.is_some());
        self.mark = commit.mark;
        if commit.entry.is_some() {
            self.version_mark = commit.mark;
        }
        self.expires_at_ms = commit.expires_at_ms;
        if let Some(status) = &commit.status {
            self.status = status.clone();
        }
        if let Some(snapshot) = &commit.snapshot {
            self.snapshot = snapshot.clone();
        }
    }
}

/// A public change in a session's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeEntry {
    /// The version after the change; the first entry has 1.
    pub version: u64,
    /// The mark of the commit that wrote it.
    pub mark: ChangeMark,
    /// The content, as the writer encoded it.
    pub bytes: Bytes,
}

/// Makes a write happen once, however often it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// Digest of caller and key. Its scope is the session.
    pub key: Digest,
    /// Digest of the request's content, which distinguishes a retry from another use of the same key.
    pub fingerprint: Digest,
    /// The response to a retry.
    pub answer: Bytes,
}

/// The record of the first success of a keyed write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The version after that write.
    pub version: u64,
    /// The content digest of the first request; compare it with the retry's.
    pub fingerprint: Digest,
    /// The first response.
    pub answer: Bytes,
}

/// A new session. The counters begin at revision 1 and at version 1 with an entry, 0 without.
#[derive(Debug, Clone, Default)]
pub struct Create {
    /// From [`session_id`].
    pub session: String,
    /// The mark of the first revision and version.
    pub mark: ChangeMark,
    /// See [`SessionRecord::fixed`].
    pub fixed: Bytes,
    /// See [`SessionRecord::status`].
    pub status: Bytes,
    /// See [`SessionRecord::snapshot`].
    pub snapshot: Bytes,
    /// Stored separately; see [`super::Store::secret`].
    pub secret: Option<Secret>,
    /// The first log entry.
    pub entry: Option<Bytes>,
    /// Where the session is listed.
    pub listing: Listing,
    /// Present if the client sent a key.
    pub idempotency: Option<Idempotency>,
    /// When the session expires, in Unix milliseconds. `None` is never.
    pub expires_at_ms: Option<u64>,
}

impl Create {
    /// Creates a session with everything empty; set the public fields.
    pub fn new(session: &str) -> Self {
        Create {
            session: session.to_owned(),
            ..Create::default()
        }
    }
}

/// The result of a create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Created {
    /// It was written.
    Done(Position),
    /// The same key created this session earlier; nothing was written.
    Duplicate(Recorded),
    /// The id is taken, by another key or none; nothing was written.
    Exists,
    /// A session with this id was removed a short while ago; nothing was written.
    Removed,
}

/// How long the id of a removed session stays taken. A create that was sent before the removal may arrive after it, and
/// must not bring the session back.
pub(super) const TAKEN_MS: u64 = 60 * 60 * 1_000;

/// A change of a session. `None` leaves a part unchanged.
#[derive(Debug, Clone, Default)]
pub struct Commit {
    /// The session to change.
    pub session: String,
    /// The revision this change was computed from.
    pub expected_revision: u64,
    /// The mark of that revision.
    pub expected_mark: ChangeMark,
    /// The mark of this change.
    pub mark: ChangeMark,
    /// Present if the client sent a key. Without one an engine still never applies a commit twice.
    pub idempotency: Option<Idempotency>,
    /// See [`SessionRecord::status`].
    pub status: Option<Bytes>,
    /// See [`SessionRecord::snapshot`].
    pub snapshot: Option<Bytes>,
    /// The change for the log. The version grows if and only if this is present.
    pub entry: Option<Bytes>,
    /// Replaces the whole previous listing.
    pub listing: Option<Listing>,
    /// The new expiry, in Unix milliseconds. `None` is never.
    pub expires_at_ms: Option<u64>,
}

impl Commit {
    /// Creates a commit that changes nothing but the revision; set the public fields.
    pub fn new(session: &str, expected_revision: u64) -> Self {
        Commit {
            session: session.to_owned(),
            expected_revision,
            ..Commit::default()
        }
    }
}

/// The result of a commit; see [`super::Store::commit`] for their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Committed {
    /// It was written and is durable.
    Done(Position),
    /// The key was used earlier; nothing was written.
    Duplicate(Recorded),
    /// Another writer was faster; this is the current record. Nothing was written.
    Stale(SessionRecord),
    /// There is no such session.
    Absent,
}

wyrmgate_base::named_enum! {
    /// The failures that an acknowledged write survives, from least to most.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Durability {
        /// Nothing: the data lives in the process.
        Memory = "memory",
        /// The end of the process. The last second may be lost with the machine.
        Local = "local",
        /// A power failure.
        Fsync = "fsync",
        /// The loss of a machine.
        Replicated = "replicated",
    }
}

impl fmt::Display for Durability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns a new session id: 128 bits, URL-safe, opaque. With a key, the id is derived from it, so that a retried
/// create meets its first attempt in one atomic step. Without, it is random and fails only if the operating system
/// provides no randomness.
pub fn session_id(key: Option<&Digest>) -> Result<String, StoreError> {
    let mut bytes = [0; 16];
    match key {
        Some(key) => blake3::Hasher::new_derive_key("wyrmgate 2026 session id of a keyed create")
            .update(key)
            .finalize_xof()
            .fill(&mut bytes),
        None => surroundings::fill(&mut bytes)?,
    }
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// What a store says of itself.
#[derive(Debug, Clone)]
pub struct StoreFacts {
    /// What runs it, in words.
    pub version: String,
    /// Its clock, in Unix milliseconds; of several, the one furthest from ours.
    pub clock_ms: u64,
}

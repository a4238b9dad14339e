//! The tables of the file, one per line below.

use redb::{ReadTransaction, ReadableTable, WriteTransaction};

use super::super::{Bytes, ChangeMark, Position, SessionRecord, StoreError};
use super::file::{open_table, release};
use super::sealed::{OpenTable, Sealed, Writing};

macro_rules! tables {
    ($($(#[$doc:meta])* $field:ident $definition:ident $name:literal: $key:ty => $value:ty;)*) => {
        $($(#[$doc])* pub(super) const $definition: Sealed<$key, $value> = Sealed::new(concat!("sealed ", $name));)*

        /// All tables, open for writing. The methods of a session keep them consistent.
        pub(super) struct OpenTables<'t> {
            $($(#[$doc])* pub(super) $field: Writing<'t, $key, $value>,)*
            pub(super) now_ms: u64,
        }

        impl<'t> OpenTables<'t> {
            /// Opens the tables of a transaction.
            pub(super) fn open(write: &'t WriteTransaction, now_ms: u64) -> Result<Self, StoreError> {
                let mut fault = None;
                let opened = ($(open_table(write, $definition.definition(), &mut fault),)*);
                match opened {
                    ($(Some($field),)*) => Ok(OpenTables { $($field: $definition.rows($field),)* now_ms }),
                    ($($field,)*) => {
                        $(release($field);)*
                        let unknown = || StoreError::Corrupt("cannot open a table".to_owned());
                        Err(fault.unwrap_or_else(unknown))
                    }
                }
            }
        }
    };
}

tables! {
    /// Session → the part fixed at creation.
    fixed FIXED "fixed": &'static str => &'static [u8];
    /// Session → what commits change.
    heads HEADS "heads": &'static str => Head;
    /// Session and version → mark and content of the log entry.
    log LOG "log": (&'static str, u64) => (u64, &'static [u8]);
    /// Session and key → version, fingerprint, answer.
    answers ANSWERS "answers": (&'static str, &'static [u8; 32]) => Answer;
    /// Session → secret.
    secrets SECRETS "secrets": &'static str => &'static [u8];
    /// Session → its placements (index and score), and what earlier versions showed of it in lists.
    listings LISTINGS "listings": &'static str => ListingRow;
    /// Index, score, session: the lists in order.
    places PLACES "places": (&'static str, u64, &'static str) => ();
    /// Expiry and session, so that expired sessions are found first.
    expiries EXPIRIES "expiries": (u64, &'static str) => ();
    /// Digest → bytes.
    blobs BLOBS "blobs": &'static [u8; 32] => &'static [u8];
    /// When somebody last checked whether the file can be written.
    touched TOUCHED "touched": () => u64;
}

/// Revision ([`REMOVED`] if only the id is still taken), version, expiry ([`NEVER`] if none), the marks of revision and version,
/// status, snapshot.
pub(super) type Head = (u64, u64, u64, u64, u64, &'static [u8], &'static [u8]);
/// A head that was read.
pub(super) type HeadOf<'r> = (u64, u64, u64, u64, u64, &'r [u8], &'r [u8]);
/// Version, fingerprint, answer.
pub(super) type Answer = (u64, &'static [u8; 32], &'static [u8]);
/// A response that was read.
pub(super) type AnswerOf<'r> = (u64, &'r [u8; 32], &'r [u8]);
/// Placements, and what earlier versions showed in lists.
pub(super) type ListingRow = (Vec<(&'static str, u64)>, &'static [u8]);

/// Represents "no expiry".
pub(super) const NEVER: u64 = u64::MAX;

/// The revision of a removed session. All others begin at 1.
pub(super) const REMOVED: u64 = 0;

/// Reads the record of a living session, without the part fixed at creation, which commits never change.
pub(super) fn living(
    heads: &OpenTable<impl RowsOfSessions, &'static str, Head>,
    fixed: &Fixed<impl RowsOfSessions>,
    session: &str,
    now_ms: u64,
) -> Result<Option<SessionRecord>, StoreError> {
    match heads.get(session, |head| record_of(head, now_ms))? {
        Some(record) => Ok(record),
        None => nothing_of(fixed, session).map(|()| None),
    }
}

/// The rows of a table by session, open for reading or for writing.
pub(super) trait RowsOfSessions: ReadableTable<&'static str, &'static [u8]> {}

impl<T: ReadableTable<&'static str, &'static [u8]>> RowsOfSessions for T {}

/// The table of the parts fixed at creation.
type Fixed<T> = OpenTable<T, &'static str, &'static [u8]>;

/// Fails if there is still a part of a session without a head.
pub(super) fn nothing_of(
    fixed: &Fixed<impl RowsOfSessions>,
    session: &str,
) -> Result<(), StoreError> {
    match fixed.table.get(session)? {
        Some(_) => Err(StoreError::Corrupt(format!(
            "session {session} has no head"
        ))),
        None => Ok(()),
    }
}

fn record_of(
    (revision, version, expiry, mark, version_mark, status, snapshot): HeadOf<'_>,
    now_ms: u64,
) -> Option<SessionRecord> {
    is_alive(revision, expiry, now_ms).then(|| SessionRecord {
        position: Position { revision, version },
        mark: ChangeMark::from_bits(mark),
        version_mark: ChangeMark::from_bits(version_mark),
        fixed: Bytes::default(),
        status: status.into(),
        snapshot: snapshot.into(),
        expires_at_ms: read_expiry(expiry),
    })
}

/// Adds the part fixed at creation to a record.
pub(super) fn whole(
    record: SessionRecord,
    fixed: &Fixed<impl RowsOfSessions>,
    session: &str,
) -> Result<SessionRecord, StoreError> {
    let missing =
        || StoreError::Corrupt(format!("session {session} has no part fixed at creation"));
    let fixed = fixed
        .get(session, |bytes| Bytes::from(bytes))?
        .ok_or_else(missing)?;
    Ok(SessionRecord { fixed, ..record })
}

/// Returns the expiry in a head.
pub(super) fn read_expiry(stored: u64) -> Option<u64> {
    (stored != NEVER).then_some(stored)
}

/// Returns whether a head is that of a session that is there, by its revision and expiry.
pub(super) fn is_alive(revision: u64, expiry: u64, now: u64) -> bool {
    revision != REMOVED && expiry > now
}

/// Checks whether the file can be read.
pub(super) fn probe(read: &ReadTransaction) -> Result<(), StoreError> {
    TOUCHED.open(read)?.get((), |_| ())?;
    Ok(())
}

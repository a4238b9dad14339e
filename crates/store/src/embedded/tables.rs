//! The tables of the file, one per line below.

use redb::{ReadTransaction, ReadableTable, Table, TableDefinition, WriteTransaction};

use super::super::{Bytes, Mark, Position, Record, StoreError};
use super::file::{File, open_table};

/// The layout version, stored in the file. Increase it with every change below.
const FORMAT: u64 = 2;
/// The layout version before marks. Such a file gets the missing tables.
const WITHOUT_MARKS: u64 = 1;
const FORMAT_KEY: &str = "format";

/// `format` → number.
const META: TableDefinition<&str, u64> = TableDefinition::new("meta");

macro_rules! tables {
    ($($(#[$doc:meta])* $field:ident $definition:ident $name:literal: $key:ty => $value:ty;)*) => {
        $($(#[$doc])* pub(super) const $definition: TableDefinition<$key, $value> = TableDefinition::new($name);)*

        /// All tables, open for writing. The methods of a session keep them consistent.
        pub(super) struct Tables<'t> {
            $($(#[$doc])* pub(super) $field: Table<'t, $key, $value>,)*
            pub(super) now_ms: u64,
        }

        impl<'t> Tables<'t> {
            /// Opens the tables of a transaction. After an error, the caller must close the file for writing: the
            /// transaction never ends.
            pub(super) fn open(write: &'t WriteTransaction, now_ms: u64) -> Result<Self, StoreError> {
                let mut fault = None;
                let opened = ($(open_table(write, $definition, &mut fault),)*);
                match opened {
                    ($(Some($field),)*) => Ok(Tables { $($field,)* now_ms }),
                    some => {
                        // Dropping them would take a lock that may be poisoned.
                        std::mem::forget(some);
                        let unknown = || StoreError::Corrupt("cannot open a table".to_owned());
                        Err(fault.unwrap_or_else(unknown))
                    }
                }
            }
        }

        fn create_all(write: &WriteTransaction) -> Result<bool, StoreError> {
            $(write.open_table($definition)?;)*
            Ok(true)
        }
    };
}

tables! {
    /// Session → the part fixed at creation.
    fixed FIXED "fixed": &'static str => &'static [u8];
    /// Session → what commits change.
    heads HEADS "heads": &'static str => Head;
    /// Session and version → log entry.
    log LOG "log": (&'static str, u64) => &'static [u8];
    /// Session → the marks of its revision and its version. A missing row means zeros.
    marks MARKS "marks": &'static str => (u64, u64);
    /// Session and version → mark of the log entry.
    log_marks LOG_MARKS "log marks": (&'static str, u64) => u64;
    /// Session and key → version, fingerprint, answer.
    answers ANSWERS "answers": (&'static str, &'static [u8; 32]) => Answer;
    /// Session → secret.
    secrets SECRETS "secrets": &'static str => &'static [u8];
    /// Session → its placements (index and score), summary.
    listings LISTINGS "listings": &'static str => ListingRow;
    /// Index, score, session: the lists in order.
    places PLACES "places": (&'static str, u64, &'static str) => ();
    /// Expiry and session, so that expired sessions are found first.
    expiries EXPIRIES "expiries": (u64, &'static str) => ();
    /// Digest → bytes.
    blobs BLOBS "blobs": &'static [u8; 32] => &'static [u8];
}

/// Revision ([`REMOVED`] if only the id is still taken), version, expiry ([`NEVER`] if none), status, snapshot.
pub(super) type Head = (u64, u64, u64, &'static [u8], &'static [u8]);
/// Version, fingerprint, answer.
pub(super) type Answer = (u64, &'static [u8; 32], &'static [u8]);
/// Placements, summary.
pub(super) type ListingRow = (Vec<(&'static str, u64)>, &'static [u8]);

/// Represents "no expiry".
pub(super) const NEVER: u64 = u64::MAX;

/// The revision of a removed session. All others begin at 1.
pub(super) const REMOVED: u64 = 0;

/// Reads the record of a living session, without the part fixed at creation, which commits never change.
pub(super) fn living(
    heads: &impl ReadableTable<&'static str, Head>,
    marks: &impl ReadableTable<&'static str, (u64, u64)>,
    session: &str,
    now_ms: u64,
) -> Result<Option<Record>, StoreError> {
    let Some(head) = heads.get(session)? else {
        return Ok(None);
    };
    let (revision, version, expiry, status, snapshot) = head.value();
    if !is_alive(revision, expiry, now_ms) {
        return Ok(None);
    }
    let marks = marks.get(session)?.map(|row| row.value());
    let (mark, version_mark) = marks.unwrap_or_default();
    Ok(Some(Record {
        position: Position { revision, version },
        mark: Mark::from_bits(mark),
        version_mark: Mark::from_bits(version_mark),
        fixed: Bytes::default(),
        status: status.into(),
        snapshot: snapshot.into(),
        expires_at_ms: read_expiry(expiry),
    }))
}

/// Adds the part fixed at creation to a record.
pub(super) fn whole(
    record: Record,
    fixed: &impl ReadableTable<&'static str, &'static [u8]>,
    session: &str,
) -> Result<Record, StoreError> {
    let row = fixed.get(session)?.ok_or_else(|| {
        StoreError::Corrupt(format!("session {session} has no part fixed at creation"))
    })?;
    let fixed = row.value().into();
    Ok(Record { fixed, ..record })
}

/// Returns the expiry in a head.
pub(super) fn read_expiry(stored: u64) -> Option<u64> {
    (stored != NEVER).then_some(stored)
}

/// Returns whether a head is that of a session that is there, by its revision and expiry.
pub(super) fn is_alive(revision: u64, expiry: u64, now: u64) -> bool {
    revision != REMOVED && expiry > now
}

/// Creates all missing tables, or refuses a file with another layout.
pub(super) fn prepare(file: &File) -> Result<(), StoreError> {
    file.write(|write| {
        let found = {
            let mut meta = write.open_table(META)?;
            let found = meta.get(FORMAT_KEY)?.map(|number| number.value());
            if matches!(found, None | Some(WITHOUT_MARKS)) {
                meta.insert(FORMAT_KEY, FORMAT)?;
            }
            found
        };
        match found {
            Some(FORMAT) => Ok(false),
            Some(WITHOUT_MARKS) | None => create_all(write),
            Some(other) => Err(StoreError::Misconfigured(format!(
                "the file has format {other}; this version reads format {FORMAT}"
            ))),
        }
    })
}

/// Checks whether the file can be read.
pub(super) fn probe(read: &ReadTransaction) -> Result<(), StoreError> {
    read.open_table(META)?.get(FORMAT_KEY)?;
    Ok(())
}

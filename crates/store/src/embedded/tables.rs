//! The tables of the file, one per line below.

use redb::{ReadTransaction, ReadableTable, TableDefinition, WriteTransaction};

use super::super::StoreError;
use super::file::File;

/// The layout version, stored in the file. Increase it with every change below.
const FORMAT: u64 = 2;
/// The layout version before marks. Such a file gets the missing tables.
const WITHOUT_MARKS: u64 = 1;
const FORMAT_KEY: &str = "format";

type Definition<K, V> = TableDefinition<'static, K, V>;

/// `format` → number.
const META: Definition<&str, u64> = Definition::new("meta");
/// Session → the part fixed at creation.
pub(super) const FIXED: Definition<&str, &[u8]> = Definition::new("fixed");
/// Session → what commits change.
pub(super) const HEADS: Definition<&str, Head> = Definition::new("heads");
/// Session and version → log entry.
pub(super) const LOG: Definition<(&str, u64), &[u8]> = Definition::new("log");
/// Session → the marks of its revision and its version. A missing row means zeros.
pub(super) const MARKS: Definition<&str, (u64, u64)> = Definition::new("marks");
/// Session and version → mark of the log entry.
pub(super) const LOG_MARKS: Definition<(&str, u64), u64> = Definition::new("log marks");
/// Session and key → version, fingerprint, answer.
pub(super) const ANSWERS: Definition<(&str, &[u8; 32]), Answer> = Definition::new("answers");
/// Session → secret.
pub(super) const SECRETS: Definition<&str, &[u8]> = Definition::new("secrets");
/// Session → its placements (index and score), summary.
pub(super) const LISTINGS: Definition<&str, ListingRow> = Definition::new("listings");
/// Index, score, session: the lists in order.
pub(super) const PLACES: Definition<(&str, u64, &str), ()> = Definition::new("places");
/// Expiry and session, so that expired sessions are found first.
pub(super) const EXPIRIES: Definition<(u64, &str), ()> = Definition::new("expiries");
/// Digest → bytes.
pub(super) const BLOBS: Definition<&[u8; 32], &[u8]> = Definition::new("blobs");

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

fn create_all(write: &WriteTransaction) -> Result<bool, StoreError> {
    write.open_table(FIXED)?;
    write.open_table(HEADS)?;
    write.open_table(LOG)?;
    write.open_table(MARKS)?;
    write.open_table(LOG_MARKS)?;
    write.open_table(ANSWERS)?;
    write.open_table(SECRETS)?;
    write.open_table(LISTINGS)?;
    write.open_table(PLACES)?;
    write.open_table(EXPIRIES)?;
    write.open_table(BLOBS)?;
    Ok(true)
}

/// Checks whether the file can be read.
pub(super) fn probe(read: &ReadTransaction) -> Result<(), StoreError> {
    read.open_table(META)?.get(FORMAT_KEY)?;
    Ok(())
}

//! The format of the file, and files of earlier versions: their rows have no checksums, and marks are in tables of their own.

use redb::{
    Key, ReadTransaction, ReadableTable, TableDefinition, TableHandle, Value, WriteTransaction,
};

use super::super::StoreError;
use super::file::OpenFile;
use super::sealed::Writing;
use super::tables::{Answer, ListingRow, OpenTables};

/// The version of the layout in `tables.rs`, stored in the file. Increase it with every change there.
const FORMAT: u64 = 3;
/// The versions before marks and before checksums.
const WITHOUT_MARKS: u64 = 1;
const WITHOUT_SUMS: u64 = 2;

/// `format` → number.
const META: TableDefinition<&str, u64> = TableDefinition::new("meta");
const FORMAT_KEY: &str = "format";

type Old<K, V> = TableDefinition<'static, K, V>;
type Head = (u64, u64, u64, &'static [u8], &'static [u8]);

const HEADS: Old<&str, Head> = Old::new("heads");
const MARKS: Old<&str, (u64, u64)> = Old::new("marks");
const LOG: Old<(&str, u64), &[u8]> = Old::new("log");
const LOG_MARKS: Old<(&str, u64), u64> = Old::new("log marks");
const ANSWERS: Old<(&str, &[u8; 32]), Answer> = Old::new("answers");
const LISTINGS: Old<&str, ListingRow> = Old::new("listings");
const BLOBS: Old<&[u8; 32], &[u8]> = Old::new("blobs");

/// Creates all missing tables, brings a file of an earlier version into this layout, or refuses a file with another one.
pub(super) fn prepare(file: &OpenFile) -> Result<(), StoreError> {
    file.write(|write| {
        let found = {
            let mut meta = write.open_table(META)?;
            let found = meta.get(FORMAT_KEY)?.map(|number| number.value());
            meta.insert(FORMAT_KEY, FORMAT)?;
            found
        };
        match found {
            Some(FORMAT) => return Ok(false),
            None | Some(WITHOUT_MARKS | WITHOUT_SUMS) => {}
            Some(other) => {
                return Err(StoreError::Misconfigured(format!(
                    "the file has format {other}; this version reads format {FORMAT}"
                )));
            }
        }
        let mut tables = OpenTables::open(write, 0)?;
        if found.is_some() {
            tracing::warn!("adding checksums to a file of an earlier version; this happens once");
            copy(write, &mut tables)?;
        }
        drop(tables);
        Ok(true)
    })
}

/// Refuses a file whose rows have no checksums, or whose layout is unknown.
pub(super) fn refuse_others(file: &OpenFile) -> Result<(), StoreError> {
    file.read(refuse_others_in)
}

pub(super) fn refuse_others_in(read: &ReadTransaction) -> Result<(), StoreError> {
    let found = read.open_table(META)?.get(FORMAT_KEY)?;
    match found.map(|number| number.value()) {
        Some(FORMAT) => Ok(()),
        Some(WITHOUT_MARKS | WITHOUT_SUMS) => Err(StoreError::Misconfigured(
            "the file has no checksums yet; start the server on it once, which adds them"
                .to_owned(),
        )),
        other => Err(StoreError::Misconfigured(format!(
            "the file has format {}; this version reads format {FORMAT}",
            other.unwrap_or_default()
        ))),
    }
}

/// Copies all rows into the present tables, and removes the tables of before.
fn copy(write: &WriteTransaction, to: &mut OpenTables<'_>) -> Result<(), StoreError> {
    copy_rows(write, Old::new("fixed"), &mut to.fixed)?;
    copy_rows(write, Old::new("secrets"), &mut to.secrets)?;
    copy_rows(write, Old::new("places"), &mut to.places)?;
    copy_rows(write, Old::new("expiries"), &mut to.expiries)?;
    copy_rows(write, ANSWERS, &mut to.answers)?;
    copy_rows(write, LISTINGS, &mut to.listings)?;
    copy_rows(write, BLOBS, &mut to.blobs)?;
    copy_heads(write, to)?;
    copy_log(write, to)?;
    for table in [HEADS.name(), MARKS.name(), LOG.name(), LOG_MARKS.name()] {
        write.delete_table(Old::<&str, ()>::new(table))?;
    }
    Ok(())
}

fn copy_rows<K: Key + 'static, V: Value + 'static>(
    write: &WriteTransaction,
    from: Old<K, V>,
    to: &mut Writing<'_, K, V>,
) -> Result<(), StoreError> {
    for row in write.open_table(from)?.iter()? {
        let (key, value) = row?;
        to.insert(key.value(), value.value())?;
    }
    write.delete_table(from)?;
    Ok(())
}

fn copy_heads(write: &WriteTransaction, to: &mut OpenTables<'_>) -> Result<(), StoreError> {
    let (heads, marks) = (write.open_table(HEADS)?, write.open_table(MARKS)?);
    for row in heads.iter()? {
        let (session, head) = row?;
        let (revision, version, expiry, status, snapshot) = head.value();
        let marks = marks.get(session.value())?.map(|row| row.value());
        let (mark, version_mark) = marks.unwrap_or_default();
        let head = (
            revision,
            version,
            expiry,
            mark,
            version_mark,
            status,
            snapshot,
        );
        to.heads.insert(session.value(), head)?;
    }
    Ok(())
}

fn copy_log(write: &WriteTransaction, to: &mut OpenTables<'_>) -> Result<(), StoreError> {
    let (log, marks) = (write.open_table(LOG)?, write.open_table(LOG_MARKS)?);
    for row in log.iter()? {
        let (key, entry) = row?;
        let mark = marks.get(key.value())?.map(|row| row.value());
        to.log
            .insert(key.value(), (mark.unwrap_or_default(), entry.value()))?;
    }
    Ok(())
}

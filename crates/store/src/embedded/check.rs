//! Verifies a file: every session, every ruleset, every row of the lists.

use std::collections::BTreeSet;
use std::path::Path;

use redb::{Builder, DatabaseError, Key, ReadTransaction, ReadableDatabase, ReadableTable, Value};
use serde::Serialize;

use super::super::portable::Counts;
use super::super::{Digest, StoreError};
use super::disk::lock;
use super::export::image;
use super::file::{OpenFile, guarded};
use super::format;
use super::sealed::Sealed;
use super::tables::{ANSWERS, BLOBS, EXPIRIES, FIXED, HEADS, LISTINGS, LOG, PLACES, SECRETS};
use wyrmgate_base::hex;

/// What a check has found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    /// What is whole.
    #[serde(flatten)]
    pub whole: Counts,
    /// The ids of damaged sessions, in order.
    pub damaged_sessions: Vec<String>,
    /// The digests of damaged rulesets.
    pub damaged_rulesets: Vec<String>,
    /// The tables with rows or pages that cannot be read.
    pub damaged_tables: Vec<String>,
}

impl CheckReport {
    pub fn is_whole(&self) -> bool {
        self.damaged_sessions.is_empty()
            && self.damaged_rulesets.is_empty()
            && self.damaged_tables.is_empty()
    }
}

/// Reads the format of a file of an embedded store that no process has open. Nothing is written.
pub fn look(path: &Path) -> Result<(), StoreError> {
    drop(lock(path, false)?);
    guarded(|| match Builder::new().open_read_only(path) {
        Ok(db) => format::refuse_others_in(&db.begin_read()?),
        // Its process was killed; the next one repairs it.
        Err(DatabaseError::RepairAborted) => Ok(()),
        Err(error) => Err(error.into()),
    })
}

/// Reads a whole file of an embedded store that no process has open, and verifies its checksums. `on_item` is called after
/// each session and each ruleset.
pub fn check(path: &Path, on_item: &mut dyn FnMut()) -> Result<CheckReport, StoreError> {
    let file = OpenFile::open_existing(path)?;
    format::refuse_others(&file)?;
    let mut report = CheckReport::default();
    file.picture()?.read(|read| {
        let (sessions, rulesets) = names(read, &mut report);
        for session in sessions {
            match guarded(|| image(read, &session)) {
                Ok(image) => report.whole.sessions += u64::from(image.is_some()),
                Err(_) => report.damaged_sessions.push(session),
            }
            on_item();
        }
        for digest in rulesets {
            match guarded(|| BLOBS.open(read)?.get(&digest, |_| ())) {
                Ok(found) => report.whole.blobs += u64::from(found.is_some()),
                Err(_) => report.damaged_rulesets.push(hex::encode(&digest)),
            }
            on_item();
        }
        Ok(())
    })?;
    Ok(report)
}

/// Returns all sessions and rulesets that any table names, so that those are found whose own rows are lost.
fn names(read: &ReadTransaction, report: &mut CheckReport) -> (BTreeSet<String>, Vec<Digest>) {
    let (mut sessions, mut rulesets) = (BTreeSet::new(), Vec::new());
    let mut name = |session: &str| sessions.extend([session.to_owned()]);
    walk(read, &HEADS, report, &mut name);
    walk(read, &FIXED, report, &mut name);
    walk(read, &SECRETS, report, &mut name);
    walk(read, &LISTINGS, report, &mut name);
    walk(read, &LOG, report, |(session, _)| name(session));
    walk(read, &ANSWERS, report, |(session, _)| name(session));
    walk(read, &EXPIRIES, report, |(_, session)| name(session));
    walk(read, &PLACES, report, |(_, _, session)| name(session));
    walk(read, &BLOBS, report, |digest| rulesets.push(*digest));
    rulesets.dedup();
    (sessions, rulesets)
}

/// Passes the keys of a table on, from both ends as far as its pages can be read.
fn walk<K: Key + 'static, V: Value + 'static>(
    read: &ReadTransaction,
    of: &Sealed<K, V>,
    report: &mut CheckReport,
    mut each: impl FnMut(K::SelfType<'_>),
) {
    let mut is_damaged = false;
    for is_backwards in [false, true] {
        let walked = guarded(|| {
            let rows = of.open(read)?;
            let mut left = rows.table.iter()?;
            while let Some(row) = match is_backwards {
                true => left.next_back(),
                false => left.next(),
            } {
                let (key, row) = row?;
                is_damaged |= rows.value(&key, &row).is_err();
                each(key.value());
            }
            Ok(())
        });
        if walked.is_ok() {
            break;
        }
        is_damaged = true;
    }
    if is_damaged {
        report.damaged_tables.push(of.name().to_owned());
    }
}

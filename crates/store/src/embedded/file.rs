//! The database file and the only access to it. redb reports most damage as an error and some as a panic (as of 4.4).
//! Every read and write therefore passes through [`guarded`], so that a damaged page is an error like any other and
//! ends no thread.
//!
//! After an error of the disk, redb refuses everything. The file is then opened again in place, which reads little, because
//! each commit saves what redb would otherwise have to find out by reading the whole file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, RwLock};
use redb::{
    Database, Key, ReadTransaction, ReadableDatabase, StorageBackend, Table, TableDefinition,
    Value, WriteTransaction,
};

use super::super::StoreError;
use super::disk::{Disk, lock};

/// Cache size for backends other than a file of the system.
const SMALL_CACHE_BYTES: usize = 64 * 1024;

/// Memory for pages of the file.
const CACHE_BYTES: usize = 64 << 20;

/// When the file could not be opened again for so long, only a new process may help.
const HOPELESS: Duration = Duration::from_secs(60);

/// An open file.
pub(super) struct OpenFile {
    disk: Disk,
    cache_bytes: usize,
    /// Absent while the file cannot be opened again, and after it was closed.
    db: RwLock<Option<Database>>,
    /// Since when it cannot be opened again.
    broken_since: Mutex<Option<Instant>>,
}

/// A snapshot of the file.
pub(super) struct FileSnapshot(ReadTransaction);

impl OpenFile {
    /// Opens the file, or creates it and its folder.
    pub(super) fn open(path: &Path) -> Result<OpenFile, StoreError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(unusable)?;
        }
        OpenFile::over(lock(path, true)?, CACHE_BYTES)
    }

    /// Opens a file that exists.
    pub(super) fn open_existing(path: &Path) -> Result<OpenFile, StoreError> {
        OpenFile::over(lock(path, false)?, CACHE_BYTES)
    }

    /// Opens another backend than a file, with a small cache so that reads reach the backend.
    pub(super) fn open_on(backend: impl StorageBackend) -> Result<OpenFile, StoreError> {
        OpenFile::over(Disk::new(backend), SMALL_CACHE_BYTES)
    }

    fn over(disk: Disk, cache_bytes: usize) -> Result<OpenFile, StoreError> {
        let db = open(&disk, cache_bytes)?;
        disk.hide_unreadable_pages();
        Ok(OpenFile {
            disk,
            cache_bytes,
            db: RwLock::new(Some(db)),
            broken_since: Mutex::new(None),
        })
    }

    /// Returns a snapshot of the file, which no writer disturbs.
    pub(super) fn picture(&self) -> Result<FileSnapshot, StoreError> {
        guarded(|| {
            let db = self.db.read();
            Ok(FileSnapshot(db.as_ref().ok_or_else(closed)?.begin_read()?))
        })
    }

    /// Reads from a snapshot of the file.
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&ReadTransaction) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.picture()?.read(work)
    }

    /// Commits what `work` writes if it returns `true`, and discards it otherwise. Opens the file again if the disk failed.
    pub(super) fn write(
        &self,
        work: impl FnOnce(&WriteTransaction) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        if self.db.read().is_none() {
            self.open_again();
        }
        let mut is_committing = false;
        let written = caught(|| {
            let mut write = {
                let db = self.db.read();
                db.as_ref().ok_or_else(closed)?.begin_write()?
            };
            write.set_quick_repair(true);
            if !work(&write)? {
                return Ok(write.abort()?);
            }
            is_committing = true;
            Ok(write.commit()?)
        });
        let written = written.unwrap_or_else(|| {
            Err(match is_committing {
                true => StoreError::OutcomeUnknown(DAMAGED.to_owned()),
                false => StoreError::Corrupt(DAMAGED.to_owned()),
            })
        });
        if let Err(
            StoreError::Unavailable(_) | StoreError::Full(_) | StoreError::OutcomeUnknown(_),
        ) = written
        {
            self.open_again();
        }
        written
    }

    /// Returns whether only a new process can use the file again.
    pub(super) fn needs_restart(&self) -> bool {
        let since = *self.broken_since.lock();
        since.is_some_and(|since| since.elapsed() > HOPELESS)
    }

    fn open_again(&self) {
        let mut db = self.db.write();
        close(db.take());
        let mut broken_since = self.broken_since.lock();
        match open(&self.disk, self.cache_bytes) {
            Ok(opened) => (*db, *broken_since) = (Some(opened), None),
            Err(error) => {
                tracing::error!(%error, "cannot open the file again after an error of the disk");
                broken_since.get_or_insert_with(Instant::now);
            }
        }
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        close(self.db.get_mut().take());
    }
}

impl FileSnapshot {
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&ReadTransaction) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        guarded(|| work(&self.0))
    }
}

/// Opens one of several tables, unless an earlier one could not be opened. A panic while tables are open would poison a
/// lock that each takes when it is dropped, and a second panic would end the process. It must therefore not get that
/// far.
pub(super) fn open_table<'t, K: Key + 'static, V: Value + 'static>(
    write: &'t WriteTransaction,
    definition: TableDefinition<'_, K, V>,
    fault: &mut Option<StoreError>,
) -> Option<Table<'t, K, V>> {
    if fault.is_some() {
        return None;
    }
    let opened = guarded(|| Ok(write.open_table(definition)?));
    opened.map_err(|error| *fault = Some(error)).ok()
}

/// Closes a table, which panics if its lock is poisoned.
pub(super) fn release<T>(table: T) {
    let _ = caught(|| drop(table));
}

const DAMAGED: &str = "pages of the file are damaged";

fn open(disk: &Disk, cache_bytes: usize) -> Result<Database, StoreError> {
    guarded(|| {
        let mut builder = Database::builder();
        builder.set_cache_size(cache_bytes);
        Ok(builder.create_with_backend(disk.clone())?)
    })
}

/// Closing writes too, and nobody is left to receive an error.
fn close(db: Option<Database>) {
    let _ = caught(|| drop(db));
}

fn closed() -> StoreError {
    StoreError::Unavailable("the file is closed".to_owned())
}

fn unusable(error: std::io::Error) -> StoreError {
    StoreError::Misconfigured(error.to_string())
}

/// Runs a call of the storage library. A panic is an error.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    caught(work).unwrap_or_else(|| Err(StoreError::Corrupt(DAMAGED.to_owned())))
}

/// Runs a call of the storage library. Returns `None` if it panicked. That leaves none of our data half changed: the result
/// of a read is dropped, and so is the transaction of a write. redb's own locks may be poisoned, which makes later calls
/// panic, and these are caught in the same way.
fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    if done.is_none() {
        tracing::error!("{DAMAGED}: the storage library panicked on one of them");
    }
    done
}

//! The database file and the only access to it. redb reports most damage as an error and some as a panic (as of 4.4).
//! Every read and write therefore passes through [`guarded`], so that a damaged page is an error like any other and
//! ends no thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use redb::{
    Database, Key, ReadTransaction, ReadableDatabase, StorageBackend, Table, TableDefinition,
    Value, WriteTransaction,
};

use super::super::StoreError;

/// Cache size for backends other than a file of the system.
const SMALL_CACHE_BYTES: usize = 64 * 1024;

/// Memory for pages of the file.
const CACHE_BYTES: usize = 64 << 20;

/// An open file.
pub(super) struct File {
    /// Present until the file is closed.
    db: Option<Database>,
    /// Set after a write hit a damaged page, because the file's own bookkeeping is then unreliable.
    is_closed_for_writing: AtomicBool,
}

/// A snapshot of the file.
pub(super) struct Picture(ReadTransaction);

impl File {
    /// Opens the file, or creates it and its folder.
    pub(super) fn open(path: &Path) -> Result<File, StoreError> {
        if let Some(folder) = path.parent() {
            let unusable = |error: std::io::Error| StoreError::Misconfigured(error.to_string());
            std::fs::create_dir_all(folder).map_err(unusable)?;
        }
        guarded(|| Ok(builder().create(path)?)).map(File::of)
    }

    /// Opens another backend than a file, with a small cache so that reads reach the backend.
    pub(super) fn open_on(backend: impl StorageBackend) -> Result<File, StoreError> {
        guarded(|| {
            let mut builder = builder();
            builder.set_cache_size(SMALL_CACHE_BYTES);
            Ok(builder.create_with_backend(backend)?)
        })
        .map(File::of)
    }

    fn of(db: Database) -> File {
        File {
            db: Some(db),
            is_closed_for_writing: AtomicBool::new(false),
        }
    }

    fn db(&self) -> Result<&Database, StoreError> {
        let closed = || StoreError::Unavailable("the file is closed".to_owned());
        self.db.as_ref().ok_or_else(closed)
    }

    /// Returns a snapshot of the file, which no writer disturbs.
    pub(super) fn picture(&self) -> Result<Picture, StoreError> {
        guarded(|| Ok(Picture(self.db()?.begin_read()?)))
    }

    /// Reads from a snapshot of the file.
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&ReadTransaction) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.picture()?.read(work)
    }

    /// Commits what `work` writes if it returns `true`, and discards it otherwise.
    pub(super) fn write(
        &self,
        work: impl FnOnce(&WriteTransaction) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        if self.is_closed_for_writing.load(Ordering::Relaxed) {
            return Err(StoreError::Corrupt(
                "a write hit a damaged page; writes are disabled until a restart".to_owned(),
            ));
        }
        let mut is_committing = false;
        let written = caught(|| {
            let write = self.db()?.begin_write()?;
            if !work(&write)? {
                return Ok(write.abort()?);
            }
            is_committing = true;
            Ok(write.commit()?)
        });
        written.unwrap_or_else(|| {
            self.close_for_writing();
            Err(match is_committing {
                true => StoreError::OutcomeUnknown(DAMAGED.to_owned()),
                false => StoreError::Corrupt(DAMAGED.to_owned()),
            })
        })
    }
}

impl File {
    /// Runs a part of a write that a caller waits for.
    pub(super) fn attempt<T>(
        &self,
        work: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        caught(work).unwrap_or_else(|| {
            self.close_for_writing();
            Err(StoreError::Corrupt(DAMAGED.to_owned()))
        })
    }

    pub(super) fn close_for_writing(&self) {
        self.is_closed_for_writing.store(true, Ordering::Relaxed);
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let db = self.db.take();
        // Closing writes too, and nobody is left to receive an error.
        let _ = guarded(|| {
            drop(db);
            Ok(())
        });
    }
}

impl Picture {
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

const DAMAGED: &str = "pages of the file are damaged";

fn builder() -> redb::Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

fn guarded<T>(work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    caught(work).unwrap_or_else(|| Err(StoreError::Corrupt(DAMAGED.to_owned())))
}

/// Runs a call of the storage library. Returns `None` if it panicked. That leaves none of our data half changed: the result
/// of a read is dropped, and after a write the file is closed for writing. redb's own locks may be poisoned, which makes
/// later calls panic, and these are caught in the same way.
fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    if done.is_none() {
        tracing::error!("{DAMAGED}: the storage library panicked on one of them");
    }
    done
}

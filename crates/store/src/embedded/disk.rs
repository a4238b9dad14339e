//! What the file lies on. It can be opened again in place, and pages that cannot be read count as damaged ones.

use std::fs::TryLockError;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redb::StorageBackend;
use redb::backends::FileBackend;

use super::super::StoreError;

/// The content of a page that cannot be read. No page of redb begins like this.
const UNREADABLE: u8 = 0xFF;

/// Clones share one file.
#[derive(Debug, Clone)]
pub(super) struct Disk {
    backend: Arc<dyn StorageBackend>,
    hides_unreadable_pages: Arc<AtomicBool>,
}

impl Disk {
    pub(super) fn new(backend: impl StorageBackend) -> Disk {
        Disk {
            backend: Arc::new(backend),
            hides_unreadable_pages: Arc::default(),
        }
    }

    /// From now on, pages that cannot be read are damaged pages. After an error, redb would refuse all others as well.
    pub(super) fn hide_unreadable_pages(&self) {
        self.hides_unreadable_pages.store(true, Ordering::Relaxed);
    }
}

/// Opens a file that no other process has open, readable for its owner only if it is created: it holds seeds and hands.
pub(super) fn lock(path: &Path, is_created: bool) -> Result<Disk, StoreError> {
    let mut options = std::fs::File::options();
    options.read(true).write(true).create(is_created);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let unusable = |error: io::Error| StoreError::Misconfigured(error.to_string());
    let file = options.open(path).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(Disk::new(FileBackend::new(file)?)),
        Err(TryLockError::WouldBlock) => Err(redb::DatabaseError::DatabaseAlreadyOpen.into()),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

/// Locks are ours, see [`lock`], and last as long as the file is open.
impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        self.backend.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let Err(error) = self.backend.read(offset, out) else {
            return Ok(());
        };
        if !self.hides_unreadable_pages.load(Ordering::Relaxed) {
            return Err(error);
        }
        tracing::error!(%error, offset, "cannot read a page of the file");
        out.fill(UNREADABLE);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.backend.set_len(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.backend.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.backend.write(offset, data)
    }
}

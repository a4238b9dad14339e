//! Pages that are damaged while the file is open: requests that need one get an error, and all others are served as
//! before.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::{sleep, timeout};
use wyrmgate::store::{Commit, Create, Index, ListQuery, Store, StoreError, open_on};

use crate::cases::bytes;
use crate::torn::Disk;

const SESSIONS: usize = 60;
/// The number of bytes that are read when a file opens: its header and the roots of its tables.
const SOUND: u64 = 4096;
/// The time limit of a call.
const PATIENCE: Duration = Duration::from_secs(10);

/// The damage of a page.
#[derive(Clone, Copy, Debug)]
enum Rot {
    Zeros,
    Ones,
    /// The average distance between damaged bytes.
    Some(usize),
}

impl Rot {
    fn befall(self, page: &mut [u8]) {
        match self {
            Rot::Zeros => page.fill(0),
            Rot::Ones => page.fill(0xFF),
            Rot::Some(step) => page.iter_mut().step_by(step).for_each(|byte| *byte ^= 0x55),
        }
    }
}

/// A disk that is damaged from some moment on.
#[derive(Debug)]
struct Rotting {
    disk: Disk,
    rot: Rot,
    is_rotten: Arc<AtomicBool>,
}

impl redb::StorageBackend for Rotting {
    fn len(&self) -> io::Result<u64> {
        self.disk.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.disk.read(offset, out)?;
        if self.is_rotten.load(Ordering::Relaxed) && offset >= SOUND {
            self.rot.befall(out);
        }
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.disk.set_len(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.disk.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.disk.write(offset, data)
    }
}

fn session(number: usize) -> String {
    format!("session{number:015}")
}

/// Returns an intact file with sessions of several pages each.
async fn filled() -> Vec<u8> {
    let disk = Disk::default();
    let store = open_on(disk.clone()).unwrap();
    for number in 0..SESSIONS {
        let mut create = Create::new(&session(number));
        create.snapshot = vec![number as u8; 3_000].into();
        create.entry = Some(bytes("begun"));
        store.create(create).await.unwrap();
    }
    drop(store);
    closed(&disk).await
}

/// Returns the bytes of a file once its last thread has closed it. A file that was not closed is read as a whole when it
/// opens, and never again.
async fn closed(disk: &Disk) -> Vec<u8> {
    /// The place in redb's header of the flag for files that need repair, and its bit.
    const STATE: (usize, u8) = (9, 2);
    let closing = async {
        loop {
            let bytes = disk.bytes();
            if bytes[STATE.0] & STATE.1 == 0 {
                return bytes;
            }
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, closing)
        .await
        .expect("the file is closed")
}

/// Returns the errors that users of the store receive.
async fn use_all(store: &dyn Store) -> Vec<StoreError> {
    let mut faults = Vec::new();
    for number in 0..SESSIONS {
        let id = session(number);
        faults.extend(store.load(&id).await.err());
        faults.extend(store.events(&id, 0, 10).await.err());
        faults.extend(store.secret(&id).await.err());
        let mut commit = Commit::new(&id, 1);
        commit.snapshot = Some(bytes("after"));
        faults.extend(store.commit(commit).await.err());
        faults.extend(store.create(Create::new(&format!("{id}-new"))).await.err());
    }
    let list = store.list(ListQuery {
        index: Index::RUNNING,
        after: None,
        limit: 10,
    });
    faults.extend(list.await.err());
    faults.extend(store.probe().await.err());
    if let Ok(mut items) = store.export().await {
        while let Some(item) = items.recv().await {
            faults.extend(item.err());
        }
    }
    faults
}

#[tokio::test]
async fn a_page_that_is_damaged_later_is_an_error_and_stops_nobody() {
    let file = filled().await;
    for rot in [
        Rot::Zeros,
        Rot::Ones,
        Rot::Some(1),
        Rot::Some(7),
        Rot::Some(64),
        Rot::Some(509),
    ] {
        let is_rotten = Arc::new(AtomicBool::new(false));
        let store = open_on(Rotting {
            disk: Disk::holding(file.clone()),
            rot,
            is_rotten: is_rotten.clone(),
        })
        .unwrap();
        is_rotten.store(true, Ordering::Relaxed);
        let used = timeout(PATIENCE, use_all(&*store)).await;
        let faults = used.expect("every call ends");
        let is_told = faults
            .iter()
            .any(|fault| matches!(fault, StoreError::Corrupt(_)));
        assert!(is_told, "{rot:?}: {faults:?}");
        // Closing it must not panic either.
        drop(store);
    }
}

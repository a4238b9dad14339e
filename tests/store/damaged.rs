//! Damage and full disks: what is damaged is an error, never a wrong answer, and it stops nobody else. The store recovers in
//! place.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use tokio::time::{sleep, timeout};
use wyrmgate::store::{
    ChangeEntry, Commit, Committed, Create, Created, Idempotency, Index, ListQuery, Placement,
    Secret, SessionRecord, Store, StoreError, check_file, open, open_on,
};

use crate::cases::bytes;
use crate::torn::Disk;

const SESSIONS: usize = 40;
const COMMITS: u64 = 5;
/// The time in which readiness must follow.
const TOLD: Duration = Duration::from_secs(2);

/// Files with flipped bits; `WYRMGATE_FLIPS` says how many.
fn flips() -> u64 {
    std::env::var("WYRMGATE_FLIPS").map_or(60, |flips| flips.parse().unwrap())
}

fn session(number: usize) -> String {
    format!("session{number:015}")
}

/// What a session answers.
type Told = (
    Option<SessionRecord>,
    Vec<ChangeEntry>,
    Option<Secret>,
    bool,
);

async fn ask(store: &dyn Store, session: &str) -> Result<Told, StoreError> {
    Ok((
        store.load(session).await?,
        store.events(session, 0, usize::MAX).await?,
        store.secret(session).await?,
        store.recall(session, &[7; 32]).await?.is_some(),
    ))
}

async fn fill(store: &dyn Store) {
    for number in 0..SESSIONS {
        let id = session(number);
        let mut create = Create::new(&id);
        create.fixed = vec![number as u8; 700].into();
        create.snapshot = vec![number as u8; 2_000].into();
        create.secret = Some(Secret(vec![number as u8; 32].into()));
        create.listing.placements = vec![Placement {
            index: Index::OPEN,
            score: number as u64,
        }];
        store.create(create).await.unwrap();
        for revision in 1..=COMMITS {
            store.commit(change(&id, revision)).await.unwrap();
        }
    }
    store.put_blob(&[9; 32], bytes("rules")).await.unwrap();
}

fn change(session: &str, revision: u64) -> Commit {
    let mut commit = Commit::new(session, revision);
    commit.entry = Some(vec![revision as u8; 300].into());
    commit.snapshot = Some(vec![revision as u8; 2_000].into());
    commit.idempotency = (revision == 2).then(|| Idempotency {
        key: [7; 32],
        fingerprint: [8; 32],
        answer: bytes("answer"),
    });
    commit
}

async fn opened(path: &Path) -> Result<Arc<dyn Store>, StoreError> {
    open(&format!("embedded:{}", path.display())).await
}

/// The bytes of a filled file, and what its sessions answer.
async fn filled(folder: &Path) -> (Vec<u8>, Vec<Told>) {
    let path = folder.join("whole.redb");
    let store = opened(&path).await.unwrap();
    fill(&*store).await;
    let mut told = Vec::new();
    for number in 0..SESSIONS {
        told.push(ask(&*store, &session(number)).await.unwrap());
    }
    drop(store);
    (closed(&path).await, told)
}

/// Returns the bytes of a file once its last thread has closed it.
async fn closed(path: &Path) -> Vec<u8> {
    let is_closed = async || check_file(path, &mut || ()).is_ok_and(|report| report.is_whole());
    crate::nodes::until(is_closed).await;
    std::fs::read(path).unwrap()
}

#[tokio::test]
async fn flipped_bits_are_errors_and_stop_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, told) = filled(folder.path()).await;
    let path = folder.path().join("damaged.redb");
    let (mut refused, mut damaged, mut unlisted, mut unwritable) = (0, 0, 0, 0);
    for seed in 0..flips() {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut file = whole.clone();
        for _ in 0..random.random_range(1..6) {
            let at = random.random_range(0..file.len());
            file[at] ^= 1 << random.random_range(0..8);
        }
        std::fs::write(&path, &file).unwrap();
        let Ok(store) = opened(&path).await else {
            refused += 1;
            continue;
        };
        for (number, told) in told.iter().enumerate() {
            let id = session(number);
            match ask(&*store, &id).await {
                // A damaged key hides a whole row, such as a stored response. The check of the file finds it.
                Ok(answer) if answer != *told => {
                    let other = folder.path().join("checked.redb");
                    std::fs::write(&other, &file).unwrap();
                    let is_whole =
                        check_file(&other, &mut || ()).is_ok_and(|report| report.is_whole());
                    assert!(!is_whole, "seed {seed}: {id} is wrong: {answer:?}");
                }
                Ok(_) => {}
                Err(StoreError::Corrupt(_)) => damaged += 1,
                Err(error) => panic!("seed {seed}: {error}"),
            }
        }
        let mut unwritten = 0;
        for number in 0..SESSIONS {
            let done = timeout(TOLD, store.commit(change(&session(number), COMMITS + 1))).await;
            match done.expect("every call ends") {
                Ok(Committed::Done(_)) => {}
                Err(StoreError::Corrupt(_)) => unwritten += 1,
                other => panic!("seed {seed}: {other:?}"),
            }
        }
        // Damage in a page that all tables share, such as their directory, stops all writes.
        unwritable += u64::from(unwritten > SESSIONS / 2);
        let query = ListQuery {
            index: Index::OPEN,
            after: None,
            limit: SESSIONS,
        };
        unlisted += u64::from(store.list(query).await.is_err());
    }
    println!(
        "{refused} files refused, {damaged} damaged sessions, {unlisted} lists unreadable, {unwritable} files unwritable"
    );
    assert!(refused + unlisted + unwritable < flips() / 4);
    assert!(damaged > 0);
}

/// A disk with limited room, and pages that cannot be read.
#[derive(Clone, Debug)]
struct Faulty {
    disk: Disk,
    room: Arc<AtomicU64>,
    /// The first byte of a page that cannot be read.
    unreadable: Arc<AtomicU64>,
    is_stuck: Arc<AtomicBool>,
}

impl Faulty {
    fn new(disk: Disk) -> Faulty {
        Faulty {
            disk,
            room: Arc::new(AtomicU64::new(u64::MAX)),
            unreadable: Arc::new(AtomicU64::new(u64::MAX)),
            is_stuck: Arc::default(),
        }
    }
}

impl redb::StorageBackend for Faulty {
    fn len(&self) -> io::Result<u64> {
        self.disk.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let bad = self.unreadable.load(Ordering::SeqCst);
        if (offset..offset + out.len() as u64).contains(&bad) {
            return Err(io::Error::other("this sector is gone"));
        }
        self.disk.read(offset, out)
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        if length > self.room.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.disk.set_len(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        if self.is_stuck.load(Ordering::SeqCst) {
            return Err(io::Error::other("the disk does not flush"));
        }
        self.disk.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        if offset + data.len() as u64 > self.room.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.disk.write(offset, data)
    }
}

async fn becomes_ready(store: &dyn Store) {
    let ready = async {
        while store.probe().await.is_err() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(TOLD, ready)
        .await
        .expect("the store does not recover");
}

#[tokio::test]
async fn a_page_that_cannot_be_read_costs_what_lies_on_it() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, told) = filled(folder.path()).await;
    let pages = whole.len() / 4096;
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut damaged = 0;
    for _ in 0..flips() / 4 {
        let disk = Faulty::new(Disk::holding(whole.clone()));
        let store = open_on(disk.clone()).unwrap();
        let page = random.random_range(1..pages) as u64;
        disk.unreadable.store(page * 4096, Ordering::SeqCst);
        for (number, told) in told.iter().enumerate() {
            match ask(&*store, &session(number)).await {
                Ok(answer) => assert!(answer == *told),
                Err(StoreError::Corrupt(_)) => damaged += 1,
                Err(error) => panic!("page {page}: {error}"),
            }
        }
        let created = store.create(Create::new("new")).await;
        let is_fine = matches!(created, Ok(Created::Done(_)) | Err(StoreError::Corrupt(_)));
        assert!(is_fine, "page {page}: {created:?}");
    }
    assert!(damaged > 0);
}

#[tokio::test]
async fn a_full_disk_and_one_that_fails_are_told_and_survived() {
    let disk = Faulty::new(Disk::default());
    let store = open_on(disk.clone()).unwrap();
    fill(&*store).await;
    let length = redb::StorageBackend::len(&disk).unwrap();
    for round in 0..3 {
        disk.room.store(length, Ordering::SeqCst);
        let mut kept = Vec::new();
        for number in 0.. {
            let mut create = Create::new(&format!("{round}-{number}"));
            create.snapshot = vec![1; 60_000].into();
            match store.create(create).await {
                Ok(_) => kept.push(number),
                Err(StoreError::Full(_) | StoreError::OutcomeUnknown(_)) => break,
                Err(error) => panic!("{error}"),
            }
        }
        // A check is smaller than a session, and may still have room.
        assert!(store.probe().await.is_err());
        // What is there can be read, also from the disk.
        for number in 0..SESSIONS {
            assert!(store.load(&session(number)).await.unwrap().is_some());
        }
        assert!(!store.needs_restart());
        disk.room.store(u64::MAX, Ordering::SeqCst);
        becomes_ready(&*store).await;
        for number in kept {
            let found = store.load(&format!("{round}-{number}")).await.unwrap();
            assert!(found.is_some(), "{round}-{number} was acknowledged");
        }
        store
            .create(Create::new(&format!("after {round}")))
            .await
            .unwrap();

        disk.is_stuck.store(true, Ordering::SeqCst);
        assert!(store.create(Create::new("stuck")).await.is_err());
        assert!(store.probe().await.is_err());
        disk.is_stuck.store(false, Ordering::SeqCst);
        becomes_ready(&*store).await;
    }
}

/// The file of a killed process is not read as a whole when it opens: a damaged page costs one session then, too.
#[tokio::test]
async fn damage_after_a_kill_costs_one_session() {
    let disk = Disk::default();
    let store = open_on(disk.clone()).unwrap();
    fill(&*store).await;
    let mut file = disk.bytes(); // nobody has closed it
    let victim = file
        .windows(600)
        .rposition(|part| part == [11; 600])
        .unwrap();
    file[victim] ^= 1;
    let reopened = open_on(Disk::holding(file)).unwrap();
    let mut damaged = Vec::new();
    for number in 0..SESSIONS {
        if ask(&*reopened, &session(number)).await.is_err() {
            damaged.push(number);
        }
    }
    assert!(damaged.len() <= 1, "{damaged:?}");
    reopened.create(Create::new("new")).await.unwrap();
}

#[tokio::test]
async fn a_check_names_what_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let (mut file, _) = filled(folder.path()).await;
    let path = folder.path().join("damaged.redb");
    std::fs::write(&path, &file).unwrap();
    let mut items = 0;
    let report = check_file(&path, &mut || items += 1).unwrap();
    assert!(report.is_whole());
    assert_eq!(
        (report.whole.sessions, report.whole.blobs, items),
        (SESSIONS as u64, 1, SESSIONS + 1)
    );

    let victim = file
        .windows(600)
        .rposition(|part| part == [11; 600])
        .unwrap();
    file[victim] ^= 1;
    std::fs::write(&path, &file).unwrap();
    let report = check_file(&path, &mut || ()).unwrap();
    assert_eq!(report.damaged_sessions, [session(11)]);
    assert_eq!(report.damaged_tables, ["sealed fixed"]);
    assert!(check_file(&folder.path().join("none"), &mut || ()).is_err());
}

/// A file of the version before checksums and marks in one row.
#[tokio::test]
async fn a_file_without_checksums_gets_them() {
    type Head = (u64, u64, u64, &'static [u8], &'static [u8]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("earlier.redb");
    {
        let db = redb::Database::create(&path).unwrap();
        let write = db.begin_write().unwrap();
        let meta = redb::TableDefinition::<&str, u64>::new("meta");
        write.open_table(meta).unwrap().insert("format", 2).unwrap();
        let fixed = redb::TableDefinition::<&str, &[u8]>::new("fixed");
        write
            .open_table(fixed)
            .unwrap()
            .insert("a", &b"fixed"[..])
            .unwrap();
        let heads = redb::TableDefinition::<&str, Head>::new("heads");
        let head = (2, 1, u64::MAX, &b"status"[..], &b"snapshot"[..]);
        write.open_table(heads).unwrap().insert("a", head).unwrap();
        let marks = redb::TableDefinition::<&str, (u64, u64)>::new("marks");
        write
            .open_table(marks)
            .unwrap()
            .insert("a", (5, 4))
            .unwrap();
        let log = redb::TableDefinition::<(&str, u64), &[u8]>::new("log");
        write
            .open_table(log)
            .unwrap()
            .insert(("a", 1), &b"entry"[..])
            .unwrap();
        write.commit().unwrap();
    }
    let why = check_file(&path, &mut || ()).unwrap_err().to_string();
    assert!(why.contains("no checksums yet"), "{why}");
    for _ in 0..2 {
        let store = opened(&path).await.unwrap();
        let record = store.load("a").await.unwrap().unwrap();
        assert_eq!((record.position.revision, record.position.version), (2, 1));
        let marks = [record.mark, record.version_mark].map(|mark| mark.to_string());
        assert_eq!(marks, [5, 4].map(|mark| format!("{mark:012x}")));
        assert_eq!(
            (&*record.fixed, &*record.snapshot),
            (&b"fixed"[..], &b"snapshot"[..])
        );
        assert_eq!(
            store.events("a", 0, 9).await.unwrap()[0].bytes,
            bytes("entry")
        );
        drop(store);
        closed(&path).await;
    }
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wyrmgate.redb");
    let _store = opened(&path).await.unwrap();
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

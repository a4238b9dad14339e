//! Torn writes: the file opens and contains every acknowledged change, whatever part of the last writes has reached the
//! disk.
//!
//! The store fills a file that records each write. Then the disk is reconstructed as a crash may have left it.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use wyrmgate::store::{Commit, Committed, Create, Created, Store, open_on};

use crate::cases::bytes;

/// Number of bytes at the end of a write that are torn.
const TORN: usize = 64 << 10;
/// Number of sessions that are written.
const SESSIONS: usize = 5;
const COMMITS: u64 = 60;
/// A disk writes this number of bytes at once, or none of them.
const SECTOR: usize = 512;
/// Number of crashes in which unflushed writes reach the disk in another order.
const SHUFFLED: u64 = 150;
/// Writes up to this length, such as the header's, are torn at each byte; longer ones at some, or at all with
/// `WYRMGATE_TORN=all`.
const SHORT: usize = 512;
const STRIDE: usize = 127;

#[derive(Clone, Debug)]
enum Op {
    Write(u64, Vec<u8>),
    SetLength(u64),
    Flush,
}

/// A disk with its recorded writes.
#[derive(Clone, Debug, Default)]
pub struct Disk(Arc<Mutex<Told>>);

#[derive(Debug, Default)]
struct Told {
    bytes: Vec<u8>,
    ops: Vec<Op>,
}

impl Told {
    fn apply(&mut self, op: &Op) {
        match op {
            Op::Write(at, bytes) => {
                let (from, to) = (*at as usize, *at as usize + bytes.len());
                if self.bytes.len() < to {
                    self.bytes.resize(to, 0);
                }
                self.bytes[from..to].copy_from_slice(bytes);
            }
            Op::SetLength(length) => self.bytes.resize(*length as usize, 0),
            Op::Flush => {}
        }
    }
}

impl Disk {
    pub fn holding(bytes: Vec<u8>) -> Disk {
        let ops = Vec::new();
        Disk(Arc::new(Mutex::new(Told { bytes, ops })))
    }

    fn told(&self, op: Op) {
        let mut told = self.0.lock().unwrap();
        told.apply(&op);
        told.ops.push(op);
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().bytes.clone()
    }

    fn ops(&self) -> Vec<Op> {
        self.0.lock().unwrap().ops.clone()
    }
}

impl redb::StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.lock().unwrap().bytes.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let told = self.0.lock().unwrap();
        let from = offset as usize;
        let part = told.bytes.get(from..from + out.len());
        out.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.told(Op::SetLength(length));
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        self.told(Op::Flush);
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.told(Op::Write(offset, data.to_vec()));
        Ok(())
    }
}

/// Returns the acknowledged commits after this part of the writes.
struct Acknowledged {
    ops: usize,
    session: String,
    version: u64,
}

/// The history of a disk before the crash.
struct Life {
    ops: Vec<Op>,
    acknowledged: Vec<Acknowledged>,
}

async fn live() -> Life {
    let disk = Disk::default();
    let store = open_on(disk.clone()).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(16);
    let mut acknowledged = Vec::new();
    let session = |number: usize| format!("session{number:015}");
    let mut note = |session: String, version| {
        let ops = disk.ops().len();
        acknowledged.push(Acknowledged {
            ops,
            session,
            version,
        });
    };
    let mut revisions = [0; SESSIONS];
    for (number, revision) in revisions.iter_mut().enumerate() {
        let mut create = Create::new(&session(number));
        create.entry = Some(text(1));
        assert!(matches!(
            store.create(create).await.unwrap(),
            Created::Done(_)
        ));
        *revision = 1;
        note(session(number), 1);
    }
    for _ in 0..COMMITS {
        let number = random.random_range(0..SESSIONS);
        let mut commit = Commit::new(&session(number), revisions[number]);
        commit.entry = Some(text(revisions[number] + 1));
        commit.snapshot = Some(vec![7; random.random_range(0..3_000)].into());
        let Committed::Done(now) = store.commit(commit).await.unwrap() else {
            panic!("nobody else writes")
        };
        revisions[number] = now.revision;
        note(session(number), now.version);
    }
    // Writes of an orderly close do not belong to a crash.
    let ops = disk.ops();
    drop(store);
    Life { ops, acknowledged }
}

fn text(version: u64) -> wyrmgate::store::Bytes {
    bytes(&format!("change {version}"))
}

impl Life {
    /// Returns the first operation of the last [`TORN`] bytes.
    fn first_torn(&self) -> usize {
        let mut left = TORN;
        for (at, op) in self.ops.iter().enumerate().rev() {
            let length = match op {
                Op::Write(_, bytes) => bytes.len(),
                Op::SetLength(_) | Op::Flush => 0,
            };
            match left.checked_sub(length) {
                Some(rest) => left = rest,
                None => return at,
            }
        }
        0
    }

    /// Returns the latest version of each session that was acknowledged by then.
    fn acknowledged_by(&self, ops: usize) -> BTreeMap<&str, u64> {
        let by_then = self.acknowledged.iter().filter(|one| one.ops <= ops);
        by_then
            .map(|one| (one.session.as_str(), one.version))
            .collect()
    }

    /// Opens the remains and checks every acknowledged change.
    async fn judge(&self, left: Vec<u8>, ops: usize, how: &str) {
        let store = open_on(Disk::holding(left)).unwrap_or_else(|error| panic!("{how}: {error}"));
        for (session, version) in self.acknowledged_by(ops) {
            find(&*store, session, version, how).await;
        }
    }
}

async fn find(store: &dyn Store, session: &str, version: u64, how: &str) {
    let record = store.load(session).await.unwrap();
    let record = record.unwrap_or_else(|| panic!("{how}: {session} is gone"));
    let log = store.events(session, 0, 1_000).await.unwrap();
    assert!(
        record.position.version >= version,
        "{how}: {session} has lost version {version}"
    );
    assert_eq!(log.len() as u64, record.position.version, "{how}");
    for (entry, number) in log.iter().zip(1..) {
        assert_eq!(
            (entry.version, &entry.bytes),
            (number, &text(number)),
            "{how}"
        );
    }
}

#[tokio::test]
async fn every_prefix_of_what_was_written_last_opens_with_all_that_was_acknowledged() {
    let life = live().await;
    let first = life.first_torn();
    let every = std::env::var("WYRMGATE_TORN").is_ok_and(|wanted| wanted == "all");
    let mut disk = Told::default();
    life.ops[..first].iter().for_each(|op| disk.apply(op));
    let mut crashes = 0;
    for (at, op) in life.ops.iter().enumerate().skip(first) {
        if let Op::Write(offset, bytes) = op {
            let stride = if every || bytes.len() <= SHORT {
                1
            } else {
                STRIDE
            };
            for length in (0..bytes.len()).step_by(stride) {
                let mut torn = Told {
                    bytes: disk.bytes.clone(),
                    ops: Vec::new(),
                };
                torn.apply(&Op::Write(*offset, bytes[..length].to_vec()));
                let how = format!("{length} bytes of write {at}");
                life.judge(torn.bytes, at, &how).await;
                crashes += 1;
            }
        }
        disk.apply(op);
    }
    life.judge(disk.bytes, life.ops.len(), "all of it").await;
    println!("{crashes} crashes in the last {TORN} bytes");
    assert!(crashes > 500, "{crashes}");
}

/// Unflushed writes may reach the disk in any order, in whole sectors: any of them may be missing.
#[tokio::test]
async fn writes_that_were_not_flushed_may_come_in_any_order() {
    let life = live().await;
    let first = life.first_torn();
    for seed in 0..SHUFFLED {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let crash = random.random_range(first..life.ops.len());
        let flushed = life.ops[..crash]
            .iter()
            .rposition(|op| matches!(op, Op::Flush));
        let flushed = flushed.map_or(0, |at| at + 1);
        let mut disk = Told::default();
        life.ops[..flushed].iter().for_each(|op| disk.apply(op));
        for op in &life.ops[flushed..crash] {
            match op {
                Op::Write(offset, bytes) => {
                    for (sector, at) in bytes.chunks(SECTOR).zip((*offset..).step_by(SECTOR)) {
                        if random.random_bool(0.5) {
                            disk.apply(&Op::Write(at, sector.to_vec()));
                        }
                    }
                }
                // The length is metadata of the folder, which is written in order.
                op => disk.apply(op),
            }
        }
        let how = format!("seed {seed}: some of writes {flushed} to {crash}");
        life.judge(disk.bytes, crash, &how).await;
    }
}

//! The default engine: one file, one process, no setup.
//!
//! `tables.rs` defines the layout, `write.rs` the writes, `writer.rs` the thread that groups them, and `file.rs` the
//! access to the file. Reads run on the calling thread, on a snapshot that no writer disturbs. They touch few pages,
//! which are nearly always cached, so they are not sent to another thread.
//!
//! A write is acknowledged after its transaction was flushed: killing the process at any moment loses nothing that was
//! acknowledged. After an error of the disk, the file is opened again in place. Damage fails the operations that need what is
//! damaged: rows carry checksums (`sealed.rs`), and a write that fails is repeated without the others of its group.

mod check;
mod disk;
mod export;
mod fault;
mod file;
mod format;
mod sealed;
mod tables;
mod write;
mod writer;

use std::path::Path;
use std::sync::{Arc, Weak};

use async_trait::async_trait;
use redb::{ReadTransaction, StorageBackend};

use super::agenda::{Place, SingleShard};
use super::clock::now_ms;
use super::image::{Image, Imported, Items};
use super::notifier::Subscription;
use super::{
    Bytes, ChangeEntry, ChangeMark, Commit, Committed, Create, Created, Cursor, Digest, Durability,
    Index, IndexWatch, ListQuery, ListedSession, ListingPage, Recorded, Secret, SessionRecord,
    Store, StoreError, WatchTerms,
};
pub use check::{CheckReport, check, look};
use file::OpenFile;
use tables::{ANSWERS, BLOBS, FIXED, HEADS, HeadOf, LOG, PLACES, SECRETS};
use write::recorded;
use writer::{Job, Listeners, WriteQueue};

/// Sorts after every session id, because ids are ASCII.
const LAST: &str = "\u{10ffff}";

/// The embedded engine; see the module.
pub(super) struct EmbeddedStore {
    writer: WriteQueue,
    file: Arc<OpenFile>,
    listeners: Arc<Listeners>,
}

impl EmbeddedStore {
    /// Opens the file, or creates it and its folder.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let named = |error| match error {
            StoreError::Misconfigured(why) => {
                StoreError::Misconfigured(format!("{}: {why}", path.display()))
            }
            StoreError::Corrupt(why) => StoreError::Corrupt(format!("{}: {why}", path.display())),
            other => other,
        };
        let file = OpenFile::open(path).map_err(named)?;
        EmbeddedStore::start(file).map_err(named)
    }

    /// Opens a store on another backend than a file of the system.
    pub(super) fn open_on(backend: impl StorageBackend) -> Result<Self, StoreError> {
        EmbeddedStore::start(OpenFile::open_on(backend)?)
    }

    fn start(file: OpenFile) -> Result<Self, StoreError> {
        format::prepare(&file)?;
        let (file, listeners) = (Arc::new(file), Arc::<Listeners>::default());
        let writer = WriteQueue::start(file.clone(), listeners.clone())?;
        Ok(EmbeddedStore {
            writer,
            file,
            listeners,
        })
    }

    /// Reads data of a live session, whose version `work` receives, from one snapshot of the file.
    fn read_living<T: Default>(
        &self,
        session: &str,
        work: impl FnOnce(&ReadTransaction, u64) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.file.read(|read| match version(read, session)? {
            Some(version) => work(read, version),
            None => Ok(T::default()),
        })
    }
}

/// Returns the version of a session that has not expired.
fn version(read: &ReadTransaction, session: &str) -> Result<Option<u64>, StoreError> {
    let of_living = |(revision, version, expiry, ..): HeadOf<'_>| {
        tables::is_alive(revision, expiry, now_ms()).then_some(version)
    };
    match HEADS.open(read)?.get(session, of_living)? {
        Some(version) => Ok(version),
        None => tables::nothing_of(&FIXED.open(read)?, session).map(|()| None),
    }
}

/// Returns whether a session has not expired. Lists leave out a damaged one, which stops nobody else.
fn lives(read: &ReadTransaction, session: &str) -> Result<bool, StoreError> {
    match version(read, session) {
        Ok(version) => Ok(version.is_some()),
        Err(StoreError::Corrupt(why)) => {
            tracing::debug!(session, why, "a damaged session is left out of a list");
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

fn listed(
    read: &ReadTransaction,
    session: &str,
    score: u64,
) -> Result<Option<ListedSession>, StoreError> {
    if !lives(read, session)? {
        return Ok(None);
    }
    let record = load(read, session)?;
    Ok(record.map(|record| ListedSession {
        session: session.to_owned(),
        score,
        fixed: record.fixed,
        status: record.status,
    }))
}

fn load(read: &ReadTransaction, session: &str) -> Result<Option<SessionRecord>, StoreError> {
    let (heads, fixed) = (HEADS.open(read)?, FIXED.open(read)?);
    let Some(record) = tables::living(&heads, &fixed, session, now_ms())? else {
        return Ok(None);
    };
    tables::whole(record, &fixed, session).map(Some)
}

/// Reads entries of a session with its version. None of them may be missing.
fn events(
    read: &ReadTransaction,
    session: &str,
    version: u64,
    after: u64,
    limit: usize,
) -> Result<Vec<ChangeEntry>, StoreError> {
    let log = LOG.open(read)?;
    let first = after.saturating_add(1);
    let rows = log.table.range((session, first)..=(session, u64::MAX))?;
    let mut entries = Vec::new();
    for (row, version) in rows.take(limit).zip(first..) {
        let (key, row) = row?;
        let (mark, bytes) = log.value(&key, &row)?;
        if key.value().1 != version {
            break;
        }
        entries.push(ChangeEntry {
            version,
            mark: ChangeMark::from_bits(mark),
            bytes: bytes.into(),
        });
    }
    let expected = version.saturating_sub(after).min(limit as u64);
    match entries.len() as u64 == expected {
        true => Ok(entries),
        false => Err(StoreError::Corrupt(format!(
            "session {session} lacks log entries"
        ))),
    }
}

fn list(read: &ReadTransaction, query: &ListQuery) -> Result<ListingPage, StoreError> {
    let rows = PLACES.open(read)?;
    let places = &rows.table;
    let name = query.index.name();
    let mut found = match &query.after {
        Some(end) => places.range((name, 0, "")..(name, end.score, end.session.as_str()))?,
        None => places.range((name, 0, "")..=(name, u64::MAX, LAST))?,
    };
    let mut page = ListingPage::default();
    for row in found.by_ref().rev().take(query.limit) {
        let (key, row) = row?;
        let (_, score, session) = key.value();
        if rows.value(&key, &row).is_ok() {
            page.items.extend(listed(read, session, score)?);
        }
        page.next = Some(Cursor {
            score,
            session: session.to_owned(),
        });
    }
    if found.next_back().is_none() {
        page.next = None;
    }
    Ok(page)
}

/// The shards of all indexes, one each. Does not keep the file open after the store has closed it.
struct DueShard(Weak<OpenFile>);

impl SingleShard for DueShard {
    /// Returns the first entries, without those of expired sessions.
    fn first(&self, index: &Index, limit: usize) -> Result<Vec<Place>, StoreError> {
        match self.0.upgrade() {
            Some(file) => file.read(|read| first(read, index, limit)),
            None => Ok(Vec::new()),
        }
    }
}

fn first(read: &ReadTransaction, index: &Index, limit: usize) -> Result<Vec<Place>, StoreError> {
    let places = PLACES.open(read)?;
    let name = index.name();
    let mut first = Vec::new();
    for row in places.table.range((name, 0, "")..=(name, u64::MAX, LAST))? {
        let (key, row) = row?;
        let (_, score, session) = key.value();
        if places.value(&key, &row).is_ok() && lives(read, session)? {
            first.push((score, session.to_owned()));
        }
        if first.len() >= limit {
            break;
        }
    }
    Ok(first)
}

#[async_trait]
impl Store for EmbeddedStore {
    async fn create(&self, create: Create) -> Result<Created, StoreError> {
        self.writer.ask(|reply| Job::Create(create, reply)).await
    }

    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        self.writer.ask(|reply| Job::Commit(commit, reply)).await
    }

    async fn load(&self, session: &str) -> Result<Option<SessionRecord>, StoreError> {
        self.file.read(|read| load(read, session))
    }

    async fn recall(&self, session: &str, key: &Digest) -> Result<Option<Recorded>, StoreError> {
        self.read_living(session, |read, _| {
            ANSWERS.open(read)?.get((session, key), recorded)
        })
    }

    async fn events(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<ChangeEntry>, StoreError> {
        self.read_living(session, |read, version| {
            events(read, session, version, after, limit)
        })
    }

    async fn secret(&self, session: &str) -> Result<Option<Secret>, StoreError> {
        self.read_living(session, |read, _| {
            SECRETS
                .open(read)?
                .get(session, |bytes| Secret(bytes.into()))
        })
    }

    async fn remove(&self, session: &str) -> Result<bool, StoreError> {
        self.writer
            .ask(|reply| Job::Remove(session.to_owned(), reply))
            .await
    }

    async fn list(&self, query: ListQuery) -> Result<ListingPage, StoreError> {
        self.file.read(|read| list(read, &query))
    }

    fn watch(&self, terms: WatchTerms) -> IndexWatch {
        let shard = DueShard(Arc::downgrade(&self.file));
        self.listeners.agendas.watch(terms, Arc::new(shard))
    }

    async fn subscribe(&self, session: &str) -> Result<Subscription, StoreError> {
        Ok(self.listeners.hub.join(session))
    }

    async fn put_blob(&self, digest: &Digest, bytes: Bytes) -> Result<(), StoreError> {
        if self.blob(digest).await?.is_some() {
            return Ok(());
        }
        self.writer
            .ask(|reply| Job::PutBlob(*digest, bytes, reply))
            .await
    }

    async fn blob(&self, digest: &Digest) -> Result<Option<Bytes>, StoreError> {
        self.file
            .read(|read| BLOBS.open(read)?.get(digest, |bytes| Bytes::from(bytes)))
    }

    async fn export(&self) -> Result<Items, StoreError> {
        export::export(&self.file)
    }

    async fn import(&self, image: Image) -> Result<Imported, StoreError> {
        let image = Box::new(image);
        self.writer.ask(|reply| Job::Import(image, reply)).await
    }

    fn durability(&self) -> Durability {
        Durability::Fsync
    }

    async fn awake_since_ms(&self) -> u64 {
        self.listeners.agendas.awake_since_ms()
    }

    async fn probe(&self) -> Result<(), StoreError> {
        if !self.writer.has_written_lately() {
            // A write also opens a file again that could not be opened before.
            self.writer.ask(Job::Touch).await?;
        }
        self.writer.refused_lately()?;
        self.file.read(tables::probe)
    }

    fn needs_restart(&self) -> bool {
        self.file.needs_restart() || self.writer.has_ended()
    }
}

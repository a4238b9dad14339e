//! The default engine: one file, one process, no setup.
//!
//! `tables.rs` defines the layout, `write.rs` the writes, `writer.rs` the thread that groups them, and `file.rs` the
//! access to the file. Reads run on the calling thread, on a snapshot that no writer disturbs. They touch few pages,
//! which are nearly always cached, so they are not sent to another thread.
//!
//! A write is acknowledged after its transaction was flushed: killing the process at any moment loses nothing that was
//! acknowledged. After an error of the disk, the file stays closed for writing until the process restarts. A damaged
//! page fails every operation that needs it; see `file.rs`.

mod export;
mod fault;
mod file;
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
    Bytes, Commit, Committed, Create, Created, Cursor, Digest, Durability, Entry, Index, ListQuery,
    Listed, Mark, Page, Record, Recorded, Secret, Store, StoreError, Watch, WatchTerms,
};
use file::File;
use tables::{ANSWERS, BLOBS, FIXED, HEADS, LISTINGS, LOG, LOG_MARKS, MARKS, PLACES, SECRETS};
use write::recorded;
use writer::{Job, Listeners, Writer};

/// Sorts after every session id, because ids are ASCII.
const LAST: &str = "\u{10ffff}";

/// The embedded engine; see the module.
pub(super) struct EmbeddedStore {
    writer: Writer,
    file: Arc<File>,
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
        let file = File::open(path).map_err(named)?;
        EmbeddedStore::start(file).map_err(named)
    }

    /// Opens a store on another backend than a file of the system.
    pub(super) fn open_on(backend: impl StorageBackend) -> Result<Self, StoreError> {
        EmbeddedStore::start(File::open_on(backend)?)
    }

    fn start(file: File) -> Result<Self, StoreError> {
        tables::prepare(&file)?;
        let (file, listeners) = (Arc::new(file), Arc::<Listeners>::default());
        let writer = Writer::start(file.clone(), listeners.clone())?;
        Ok(EmbeddedStore {
            writer,
            file,
            listeners,
        })
    }

    /// Reads data of a live session from one snapshot of the file.
    fn read_living<T: Default>(
        &self,
        session: &str,
        work: impl FnOnce(&ReadTransaction) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.file.read(|read| match lives(read, session)? {
            true => work(read),
            false => Ok(T::default()),
        })
    }
}

fn lives(read: &ReadTransaction, session: &str) -> Result<bool, StoreError> {
    let row = read.open_table(HEADS)?.get(session)?;
    let is_alive = |(revision, _, expiry, ..): (u64, u64, u64, &[u8], &[u8])| {
        tables::is_alive(revision, expiry, now_ms())
    };
    Ok(row.is_some_and(|row| is_alive(row.value())))
}

fn listed(read: &ReadTransaction, session: &str, score: u64) -> Result<Option<Listed>, StoreError> {
    if !lives(read, session)? {
        return Ok(None);
    }
    let row = read.open_table(LISTINGS)?.get(session)?;
    let summary = row.map(|row| row.value().1.into()).unwrap_or_default();
    Ok(Some(Listed {
        session: session.to_owned(),
        score,
        summary,
    }))
}

fn load(read: &ReadTransaction, session: &str) -> Result<Option<Record>, StoreError> {
    let (heads, marks) = (read.open_table(HEADS)?, read.open_table(MARKS)?);
    let Some(record) = tables::living(&heads, &marks, session, now_ms())? else {
        return Ok(None);
    };
    tables::whole(record, &read.open_table(FIXED)?, session).map(Some)
}

fn events(
    read: &ReadTransaction,
    session: &str,
    after: u64,
    limit: usize,
) -> Result<Vec<Entry>, StoreError> {
    let (log, marks) = (read.open_table(LOG)?, read.open_table(LOG_MARKS)?);
    let rows = log.range((session, after.saturating_add(1))..=(session, u64::MAX))?;
    rows.take(limit)
        .map(|row| {
            let (key, bytes) = row?;
            let mark = marks.get(key.value())?.map(|row| row.value());
            Ok(Entry {
                version: key.value().1,
                mark: Mark::from_bits(mark.unwrap_or_default()),
                bytes: bytes.value().into(),
            })
        })
        .collect()
}

fn list(read: &ReadTransaction, query: &ListQuery) -> Result<Page, StoreError> {
    let places = read.open_table(PLACES)?;
    let name = query.index.name();
    let mut rows = match &query.after {
        Some(end) => places.range((name, 0, "")..(name, end.score, end.session.as_str()))?,
        None => places.range((name, 0, "")..=(name, u64::MAX, LAST))?,
    };
    let mut page = Page::default();
    for row in rows.by_ref().rev().take(query.limit) {
        let key = row?.0;
        let (_, score, session) = key.value();
        page.items.extend(listed(read, session, score)?);
        page.next = Some(Cursor {
            score,
            session: session.to_owned(),
        });
    }
    if rows.next_back().is_none() {
        page.next = None;
    }
    Ok(page)
}

/// The shards of all indexes, one each. Does not keep the file open after the store has closed it.
struct DueShard(Weak<File>);

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
    let places = read.open_table(PLACES)?;
    let name = index.name();
    let mut first = Vec::new();
    for row in places.range((name, 0, "")..=(name, u64::MAX, LAST))? {
        let key = row?.0;
        let (_, score, session) = key.value();
        if lives(read, session)? {
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

    async fn load(&self, session: &str) -> Result<Option<Record>, StoreError> {
        self.file.read(|read| load(read, session))
    }

    async fn recall(&self, session: &str, key: &Digest) -> Result<Option<Recorded>, StoreError> {
        self.read_living(session, |read| {
            let row = read.open_table(ANSWERS)?.get((session, key))?;
            Ok(row.map(|row| recorded(row.value())))
        })
    }

    async fn events(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Entry>, StoreError> {
        self.read_living(session, |read| events(read, session, after, limit))
    }

    async fn secret(&self, session: &str) -> Result<Option<Secret>, StoreError> {
        self.read_living(session, |read| {
            let row = read.open_table(SECRETS)?.get(session)?;
            Ok(row.map(|row| Secret(row.value().into())))
        })
    }

    async fn remove(&self, session: &str) -> Result<bool, StoreError> {
        self.writer
            .ask(|reply| Job::Remove(session.to_owned(), reply))
            .await
    }

    async fn list(&self, query: ListQuery) -> Result<Page, StoreError> {
        self.file.read(|read| list(read, &query))
    }

    fn watch(&self, terms: WatchTerms) -> Watch {
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
        self.file.read(|read| {
            let row = read.open_table(BLOBS)?.get(digest)?;
            Ok(row.map(|row| row.value().into()))
        })
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
        if self.writer.last_failed() {
            return Err(StoreError::Unavailable(
                "the latest write failed".to_owned(),
            ));
        }
        self.file.read(tables::probe)
    }
}

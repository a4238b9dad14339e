//! Storage of versioned bytes under a key, independent of their meaning.
//!
//! A stored session is a [`SessionRecord`]: a part fixed at creation, a small status, a snapshot, a log of public entries, the
//! responses to keyed requests, and a secret that only [`Store::secret`] reads. Every write is a [`Store::create`] or a
//! [`Store::commit`], and each of them is atomic.
//!
//! ```
//! # use wyrmgate_store::{self as store, Commit, Committed, Create, Position, Store};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), store::StoreError> {
//! let store = store::open("memory").await?;
//! let id = store::session_id(None)?;
//! let mut new = Create::new(&id);
//! new.snapshot = b"nothing moved yet".as_slice().into();
//! store.create(new).await?;
//!
//! let mut commit = Commit::new(&id, 1);
//! commit.snapshot = Some(b"one pawn moved".as_slice().into());
//! commit.entry = Some(b"pawn moved".as_slice().into()); // public: the version grows
//! let answer = store.commit(commit.clone()).await?;
//! assert_eq!(answer, Committed::Done(Position { revision: 2, version: 1 }));
//!
//! // The second writer on revision 1 loses and receives the current record.
//! let Committed::Stale(present) = store.commit(commit).await? else { panic!() };
//! assert_eq!(&*present.snapshot, b"one pawn moved");
//! # Ok(())
//! # }
//! ```
//!
//! # Revision and version
//!
//! A record has two counters (see [`Position`]). The *revision* grows with every commit and is what
//! writers compare. The *version* is what clients see; it grows by one exactly when the commit carries
//! a public [`Commit::entry`], and that entry is logged under the new version. A secret submission is a
//! commit without an entry: it changes the revision and the snapshot, and clients cannot notice it.
//!
//! # Marks
//!
//! A store can lose acknowledged writes, for example when a lagging replica takes over or an old copy of a file is
//! restored. Later changes then reuse the numbers of the lost ones. Each change therefore carries a random [`ChangeMark`]. A
//! commit must know the mark of its base revision, and a log entry keeps the mark of its version, so that a client with
//! the number of a lost version can be told.
//!
//! # Due work
//!
//! Nobody polls for due sessions: [`Store::watch`] offers them when their time comes; see `agenda/mod.rs`.
//!
//! # Absences
//!
//! Nothing here knows games, seats, tokens or JSON, and nothing outside this crate knows Redis or redb. Every engine
//! passes the same contract tests, `tests/store.rs`.

mod agenda;
mod bulletin;
mod bytes;
mod clock;
mod embedded;
mod error;
mod image;
mod listing;
mod mark;
mod memory;
mod notifier;
mod portable;
mod redis;
mod types;

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::BoxFuture;

pub use self::redis::{OnPush, Wire};
pub use agenda::{IndexWatch, Turn, WatchFigures, WatchGauge, WatchTerms};
pub use bytes::{Bytes, Digest, Secret};
pub use embedded::{CheckReport, check as check_file, look as look_at_file};
pub use error::StoreError;
pub use image::{Image, Imported, Item, Items};
pub use listing::{Cursor, Index, ListQuery, ListedSession, Listing, ListingPage, Placement};
pub use mark::{ChangeMark, NoMark};
pub use notifier::{Notification, Subscription};
pub use portable::{Counts, PortableError, PortableReader, PortableWriter};
pub use types::{
    ChangeEntry, Commit, Committed, Create, Created, Durability, Idempotency, Position, Recorded,
    SessionRecord, StoreFacts, session_id,
};

/// The interface of all storage engines, used as `Arc<dyn Store>`.
///
/// A call that returns `Ok` after a write is visible to every later read through any node on the same
/// store, and durable at the level that [`Store::durability`] names.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Writes a new session; see [`Created`] for the answers.
    ///
    /// A create with an [`Idempotency`] must take its id from [`session_id`] with the same key, so that
    /// the retry arrives at the first session and is answered [`Created::Duplicate`].
    async fn create(&self, create: Create) -> Result<Created, StoreError>;

    /// Replaces the record if nobody else did meanwhile.
    ///
    /// The answer is decided in this order: a known key → [`Committed::Duplicate`]; no session →
    /// [`Committed::Absent`]; another revision, or another mark of it → [`Committed::Stale`]; else everything is written.
    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError>;

    /// Returns the session as it is, without secret and log; `None` if absent or expired.
    async fn load(&self, session: &str) -> Result<Option<SessionRecord>, StoreError>;

    /// Returns the response recorded under an idempotency key of this session.
    async fn recall(&self, session: &str, key: &Digest) -> Result<Option<Recorded>, StoreError>;

    /// Returns up to `limit` log entries with a version greater than `after`, in order and without gaps. Empty for an
    /// absent session.
    async fn events(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<ChangeEntry>, StoreError>;

    /// Returns the secret given at creation. Only code that draws randomness or reveals a seed calls this.
    async fn secret(&self, session: &str) -> Result<Option<Secret>, StoreError>;

    /// Removes the session and everything that belongs to it; returns `false` if there was none. Its id cannot be used again
    /// for a while.
    async fn remove(&self, session: &str) -> Result<bool, StoreError>;

    /// Returns one page of an index, highest score first, at a cost that does not grow with the index. A page may be
    /// short, even empty, and still have a `next`.
    async fn list(&self, query: ListQuery) -> Result<ListingPage, StoreError>;

    /// Offers the sessions placed in a timed index as their time comes, whichever node placed them. Of several nodes that
    /// watch usually one gets a session; if that one dies, another one does. Must be called within a runtime.
    fn watch(&self, terms: WatchTerms) -> IndexWatch;

    /// Subscribes to new versions of a session, whichever node wrote them. Subscribe first, then read the log: a version that
    /// is written in between is in the log or announced to the subscription.
    async fn subscribe(&self, session: &str) -> Result<Subscription, StoreError>;

    /// Stores immutable bytes under their digest, which the caller computes. Storing them again changes nothing.
    async fn put_blob(&self, digest: &Digest, bytes: Bytes) -> Result<(), StoreError>;

    /// Returns the bytes that [`Store::put_blob`] stored.
    async fn blob(&self, digest: &Digest) -> Result<Option<Bytes>, StoreError>;

    /// Returns everything in the store, session by session, each of them as it is at one moment. The embedded engine
    /// shows all of them as they are now, whatever is written while the items are taken.
    async fn export(&self) -> Result<Items, StoreError>;

    /// Writes a session as it is, counters and log included, unless there is one of its name. No subscriber is notified.
    async fn import(&self, image: Image) -> Result<Imported, StoreError>;

    /// Returns what an acknowledged write survives.
    fn durability(&self) -> Durability;

    /// Returns since when nodes have been there without a gap to serve the sessions of this store, in Unix milliseconds, as
    /// far as this node can know. A node that has just started may wait a moment to hear of others.
    async fn awake_since_ms(&self) -> u64;

    /// Fails unless the store can be read and written now.
    async fn probe(&self) -> Result<(), StoreError>;

    /// Returns what the store says of itself. A store in this process has the version and the clock of this program.
    async fn facts(&self) -> Result<StoreFacts, StoreError> {
        Ok(StoreFacts {
            version: format!("of wyrmgate {}", env!("CARGO_PKG_VERSION")),
            clock_ms: clock::now_ms(),
        })
    }

    /// Returns whether only a new process can use the store again.
    fn needs_restart(&self) -> bool {
        false
    }
}

/// Opens the store that a setting names: `memory`, `embedded:PATH`, `redis://…`, `redis+sentinel://…` or
/// `redis+cluster://…`. The future is
/// boxed because the body of an `async fn` is compiled again in each crate that awaits it, with all it awaits.
pub fn open(spec: &str) -> BoxFuture<'_, Result<Arc<dyn Store>, StoreError>> {
    Box::pin(open_named(spec))
}

async fn open_named(spec: &str) -> Result<Arc<dyn Store>, StoreError> {
    let path = spec.strip_prefix("embedded:");
    if let Some(path) = path.filter(|path| !path.is_empty() && !path.contains('?')) {
        return Ok(Arc::new(embedded::EmbeddedStore::open(Path::new(path))?));
    }
    if redis::is_redis(spec) {
        return Ok(Arc::new(redis::RedisStore::open(spec).await?));
    }
    match spec {
"memory" => Ok(Arc::new(memory::MemoryStore::default())),
        // The setting may hold a password: it is not repeated.
        _ => Err(StoreError::Misconfigured(
            "use `memory`, `embedded:PATH`, `redis://HOST:PORT`, `redis+sentinel://HOST:PORT,HOST:PORT/NAME` or \
             `redis+cluster://HOST:PORT,HOST:PORT`"
                .to_owned(),
        )),
    }
}

/// Opens a Redis store over a connection to one server that the caller opens and repairs. Push messages of the server go
/// to the function that the caller receives.
pub async fn open_over<F>(
    connect: impl FnOnce(OnPush) -> F,
    asked: Option<Durability>,
) -> Result<Arc<dyn Store>, StoreError>
where
    F: Future<Output = ::redis::RedisResult<Box<dyn Wire>>>,
{
    Ok(Arc::new(
        redis::RedisStore::open_over(connect, asked).await?,
    ))
}

/// Opens an embedded store on something else than a file of the system: in tests, on one that tears.
pub fn open_on(backend: impl ::redb::StorageBackend) -> Result<Arc<dyn Store>, StoreError> {
    Ok(Arc::new(embedded::EmbeddedStore::open_on(backend)?))
}

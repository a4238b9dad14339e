//! The engine for many nodes: all state is in Redis, and nodes are stateless.
//!
//! `keys.rs` defines the layout, the `.lua` files are the writes, and `scripts.rs` sends them. `lists.rs` merges the
//! indexes of the buckets, `due.rs` tracks due work, `fleet.rs` decides which node does it, `shards.rs` maps buckets to
//! masters of a cluster, and `notifier.rs` handles subscriptions. `address.rs` parses the setting, `inspect.rs` checks the
//! servers, `guard.rs` watches them afterwards, `fault.rs` says what follows from each error, `link.rs` is a server or a
//! cluster, `sentinel.rs` finds the master of a server with replicas, `renewal.rs` replaces clients that stop responding or
//! lead to the wrong server, and `worker_connections.rs` gives each worker thread its own connection.
//!
//! One connection serves work between requests, and each worker thread has another. With a single server, the first
//! connection also carries subscriptions. With a cluster, a further connection does, because a server ends
//! subscriptions by itself when a slot moves, which the client would take for the response to the current command.
//! Requires Redis 6 or newer (or a compatible server) with `maxmemory-policy noeviction`.
//!
//! The durability of an acknowledged write depends on the server's configuration, which is read again and again and returned
//! by [`Store::durability`]. Only replication is requested with each write. Expiry follows the server's clock.

mod address;
mod connection;
mod due;
mod export;
mod fault;
mod fleet;
mod guard;
mod hearing;
mod inspect;
mod keys;
mod limits;
mod link;
mod lists;
mod notifier;
mod opening;
mod renewal;
mod reply;
mod script;
mod scripts;
mod sentinel;
mod shards;
mod socket;
mod tls;
mod words;
mod worker_connections;

use std::sync::Arc;

use async_trait::async_trait;
use redis::{RedisResult, Value};
use wyrmgate_runtime::surroundings;

use self::address::Address;
pub(super) use self::address::is_redis;
use self::connection::Connection;
use self::due::DueEntries;
use self::fault::{CommandFault, unconfirmed};
use self::guard::Guard;
use self::keys::Keys;
use self::link::News;
pub use self::link::{OnPush, Wire};
use self::notifier::{Pushes, RedisNotifier};
use self::shards::Shards;
use super::clock::{is_past, now_ms};
use super::image::{Image, Imported, Items};
use super::notifier::Subscription;
use super::{
    Bytes, ChangeEntry, Commit, Committed, Create, Created, Digest, Durability, IndexWatch,
    ListQuery, ListingPage, Recorded, Secret, SessionRecord, Store, StoreError, StoreFacts,
    WatchTerms,
};

/// The Redis engine; see the module.
pub(super) struct RedisStore {
    connection: Connection,
    shards: Arc<Shards>,
    notifier: RedisNotifier,
    due: Arc<DueEntries>,
    guard: Arc<Guard>,
}

impl RedisStore {
    /// Connects to the server or cluster that a setting names, and verifies it.
    pub(super) async fn open(spec: &str) -> Result<Self, StoreError> {
        let pushes = Pushes::default();
        let on_news = pushes.handler();
        let address = Address::parse(spec)?;
        let (connection, durability) = Connection::open(address, on_news.clone()).await?;
        let listening = match connection.is_cluster {
            true => Connection::open(Address::parse(spec)?, on_news).await?.0,
            false => connection.clone(),
        };
        RedisStore::start(connection, listening, &pushes, durability).await
    }

    /// Uses a connection to one server that the caller makes.
    pub(super) async fn open_over<F>(
        connect: impl FnOnce(OnPush) -> F,
        asked: Option<Durability>,
    ) -> Result<Self, StoreError>
    where
        F: Future<Output = RedisResult<Box<dyn Wire>>>,
    {
        let pushes = Pushes::default();
        let on_news = pushes.handler();
        let on_push = move |push| on_news(News::Pushed(push));
        let wire = connect(Box::new(on_push)).await;
        let wire = wire.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        let (connection, durability) = Connection::over(wire, asked).await?;
        let listening = connection.clone();
        RedisStore::start(connection, listening, &pushes, durability).await
    }

    async fn start(
        mut connection: Connection,
        listening: Connection,
        pushes: &Pushes,
        durability: Durability,
    ) -> Result<Self, StoreError> {
        let shards = Arc::new(Shards::default());
        let me = surroundings::number()?;
        connection.is_in_doubt = pushes.lost.clone();
        let guard = Guard::start(connection.clone(), shards.clone(), durability, me).await?;
        let notifier = RedisNotifier::start(listening, pushes, &shards, me);
        let channel = connection.channel_of_due.to_string();
        let hearing = notifier.hearing(channel.clone());
        let due = DueEntries::new(connection.clone(), shards.clone(), hearing, me);
        notifier.pass_on(&channel, &due);
        Ok(RedisStore {
            shards,
            connection,
            notifier,
            due,
            guard,
        })
    }

    async fn get(&self, key: String) -> Result<Option<Vec<u8>>, StoreError> {
        self.connection.run(redis::cmd("GET").arg(key)).await
    }
}

#[async_trait]
impl Store for RedisStore {
    async fn create(&self, create: Create) -> Result<Created, StoreError> {
        scripts::create(&self.connection, create).await
    }

    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        scripts::commit(&self.connection, commit).await
    }

    async fn load(&self, session: &str) -> Result<Option<SessionRecord>, StoreError> {
        let mut question = redis::cmd("HMGET");
        question
            .arg(Keys::of(session).hash())
            .arg(&reply::RECORD_FIELDS);
        let answer: Value = self.connection.run(&question).await?;
        reply::record(answer)
    }

    async fn recall(&self, session: &str, key: &Digest) -> Result<Option<Recorded>, StoreError> {
        let mut question = redis::cmd("HGET");
        question.arg(Keys::of(session).answers()).arg(&key[..]);
        let answer: Option<Vec<u8>> = self.connection.run(&question).await?;
        answer.map(|stored| reply::recorded(&stored)).transpose()
    }

    async fn events(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<ChangeEntry>, StoreError> {
        let Some(first) = after.checked_add(1).filter(|_| limit > 0) else {
            return Ok(Vec::new());
        };
        let mut question = redis::cmd("XRANGE");
        question
            .arg(Keys::of(session).log())
            .arg(format!("{first}-0"))
            .arg("+");
        question
            .arg("COUNT")
            .arg(i64::try_from(limit).unwrap_or(i64::MAX));
        let answer: Vec<(String, Vec<Vec<u8>>)> = self.connection.run(&question).await?;
        let answer = answer.into_iter();
        answer
            .map(|(id, fields)| reply::entry(&id, fields))
            .collect()
    }

    async fn secret(&self, session: &str) -> Result<Option<Secret>, StoreError> {
        Ok(self
            .get(Keys::of(session).secret())
            .await?
            .map(|bytes| Secret(bytes.into())))
    }

    async fn remove(&self, session: &str) -> Result<bool, StoreError> {
        scripts::remove(&self.connection, session).await
    }

    async fn list(&self, query: ListQuery) -> Result<ListingPage, StoreError> {
        lists::read(&self.connection, &self.shards, &query).await
    }

    fn watch(&self, terms: WatchTerms) -> IndexWatch {
        self.due.watch(terms)
    }

    async fn subscribe(&self, session: &str) -> Result<Subscription, StoreError> {
        self.notifier.join(session).await
    }

    async fn put_blob(&self, digest: &Digest, bytes: Bytes) -> Result<(), StoreError> {
        let mut command = redis::cmd("SET");
        command.arg(keys::blob(digest)).arg(&*bytes).arg("NX");
        let answer = self.connection.write_one::<Value>(&command).await;
        match answer.map_err(CommandFault::of_write)?.is_confirmed {
            true => Ok(()),
            false => Err(unconfirmed()),
        }
    }

    async fn blob(&self, digest: &Digest) -> Result<Option<Bytes>, StoreError> {
        Ok(self.get(keys::blob(digest)).await?.map(Bytes::from))
    }

    async fn export(&self) -> Result<Items, StoreError> {
        Ok(export::export(self.connection.clone()))
    }

    async fn import(&self, image: Image) -> Result<Imported, StoreError> {
        match is_past(image.record.expires_at_ms, now_ms()) {
            true => Ok(Imported::Expired),
            false => export::import(&self.connection, image).await,
        }
    }

    fn durability(&self) -> Durability {
        self.guard.durability()
    }

    async fn awake_since_ms(&self) -> u64 {
        self.due.awake_since_ms().await
    }

    async fn probe(&self) -> Result<(), StoreError> {
        self.guard.probe().await
    }

    async fn facts(&self) -> Result<StoreFacts, StoreError> {
        inspect::facts(&self.connection).await
    }
}

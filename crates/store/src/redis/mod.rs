//! The engine for many nodes: all truth is in Redis, the nodes hold nothing.
//!
//! `keys.rs` is the layout, the `.lua` files are the writes, `scripts.rs` sends them, `lists.rs` merges
//! the buckets' indexes, `due.rs` knows what is due and `fleet.rs` who sees to it, `shards.rs` knows which master of a cluster has which bucket, `bells.rs` listens.
//! `address.rs` reads the setting, `inspect.rs` looks at the servers, `link.rs` is a server or a cluster, `renewal.rs`
//! replaces a client that has fallen silent, `lanes.rs` gives threads that serve a connection of their own.
//!
//! One connection carries what is asked between requests, and each thread that serves has another. To a single server the
//! first one listens as well. To a cluster still another one does, because a server ends subscriptions by itself where a slot
//! moves, which the client would take for the answer to the command under way. Needs Redis 6 or newer (or a server
//! that speaks the same) with `maxmemory-policy noeviction`.
//!
//! What an acknowledged write survives is the server's affair; it is read from its configuration at
//! opening and told by [`Store::durability`]. Only replication is asked for with each write. Expiry is by
//! the server's clock.

mod address;
mod bells;
mod connection;
mod due;
mod export;
mod fault;
mod fleet;
mod inspect;
mod keys;
mod lanes;
mod link;
mod lists;
mod renewal;
mod reply;
mod script;
mod scripts;
mod shards;
mod tls;

use std::sync::Arc;

use async_trait::async_trait;
use redis::{RedisResult, Value};

use self::address::Address;
pub(super) use self::address::is_redis;
use self::bells::{Bells, Pushes};
use self::connection::Connection;
use self::due::Due;
use self::fault::{Fault, unconfirmed};
use self::keys::Keys;
use self::link::News;
pub use self::link::{OnPush, Wire};
use self::lists::{Part, Way};
use self::shards::Shards;
use super::clock::{is_past, now_ms};
use super::doorbell::Doorbell;
use super::image::{Image, Imported, Items};
use super::random;
use super::{
    Bytes, Commit, Committed, Create, Created, Cursor, Digest, Durability, Entry, Index, ListQuery,
    Listed, Page, Record, Recorded, Secret, Store, StoreError, Watch, WatchTerms,
};

/// See the module.
pub(super) struct RedisStore {
    connection: Connection,
    shards: Arc<Shards>,
    bells: Bells,
    due: Arc<Due>,
    durability: Durability,
}

impl RedisStore {
    /// Connects to what a setting names and verifies it.
    pub(super) async fn open(spec: &str) -> Result<Self, StoreError> {
        let pushes = Pushes::default();
        let receiver = pushes.clone();
        let on_news = move |news| bells::on_news(&receiver, news);
        let address = Address::parse(spec)?;
        let (connection, durability) = Connection::open(address, on_news.clone()).await?;
        let listening = match connection.is_cluster() {
            true => Connection::open(Address::parse(spec)?, on_news).await?.0,
            false => connection.clone(),
        };
        RedisStore::start(connection, listening, &pushes, durability)
    }

    /// Over a connection to one server that the caller makes.
    pub(super) async fn open_over<F>(
        connect: impl FnOnce(OnPush) -> F,
        asked: Option<Durability>,
    ) -> Result<Self, StoreError>
    where
        F: Future<Output = RedisResult<Box<dyn Wire>>>,
    {
        let pushes = Pushes::default();
        let receiver = pushes.clone();
        let on_push = move |push| bells::on_news(&receiver, News::Pushed(push));
        let wire = connect(Box::new(on_push)).await;
        let wire = wire.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        let (connection, durability) = Connection::over(wire, asked).await?;
        let listening = connection.clone();
        RedisStore::start(connection, listening, &pushes, durability)
    }

    fn start(
        connection: Connection,
        listening: Connection,
        pushes: &Pushes,
        durability: Durability,
    ) -> Result<Self, StoreError> {
        let shards = Arc::new(Shards::default());
        let me = random::number()?;
        let bells = Bells::start(listening, pushes, &shards, me);
        let channel = connection.channel_of_due().to_owned();
        let hearing = bells.hearing(channel.clone());
        let due = Due::new(connection.clone(), shards.clone(), hearing, me);
        bells.pass_on(&channel, &due);
        Ok(RedisStore {
            shards,
            connection,
            bells,
            due,
            durability,
        })
    }

    async fn part(
        &self,
        index: &Index,
        way: Way,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Part, StoreError> {
        lists::read(&self.connection, &self.shards, index, way, after, limit).await
    }

    async fn get(&self, key: String) -> Result<Option<Vec<u8>>, StoreError> {
        self.connection
            .run(redis::cmd("GET").arg(key))
            .await
            .map_err(Fault::of_read)
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

    async fn load(&self, session: &str) -> Result<Option<Record>, StoreError> {
        let mut question = redis::cmd("HMGET");
        question
            .arg(Keys::of(session).hash())
            .arg(&reply::RECORD_FIELDS);
        let answer: Value = self
            .connection
            .run(&question)
            .await
            .map_err(Fault::of_read)?;
        reply::record(answer)
    }

    async fn recall(&self, session: &str, key: &Digest) -> Result<Option<Recorded>, StoreError> {
        let mut question = redis::cmd("HGET");
        question.arg(Keys::of(session).answers()).arg(&key[..]);
        let answer: Option<Vec<u8>> = self
            .connection
            .run(&question)
            .await
            .map_err(Fault::of_read)?;
        answer.map(|stored| reply::recorded(&stored)).transpose()
    }

    async fn events(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Entry>, StoreError> {
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
        let answer: Vec<(String, Vec<Vec<u8>>)> = self
            .connection
            .run(&question)
            .await
            .map_err(Fault::of_read)?;
        answer.into_iter().map(reply::entry).collect()
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

    async fn list(&self, query: ListQuery) -> Result<Page, StoreError> {
        let ListQuery {
            index,
            after,
            limit,
        } = query;
        let part = self.part(&index, Way::Down, after.as_ref(), limit).await?;
        Ok(Page {
            items: part.items,
            next: part.next,
        })
    }

    async fn due(
        &self,
        index: &Index,
        up_to: u64,
        limit: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        let mut due = Vec::new();
        let mut after = None;
        while due.len() < limit {
            let (way, rest) = (Way::UpTo(up_to), limit - due.len());
            let part = self.part(index, way, after.as_ref(), rest).await?;
            due.extend(part.items);
            after = part.next;
            if after.is_none() {
                break;
            }
        }
        Ok(due)
    }

    fn watch(&self, terms: WatchTerms) -> Watch {
        self.due.watch(terms)
    }

    async fn subscribe(&self, session: &str) -> Result<Doorbell, StoreError> {
        self.bells.join(session).await
    }

    async fn put_blob(&self, digest: &Digest, bytes: Bytes) -> Result<(), StoreError> {
        let mut command = redis::cmd("SET");
        command.arg(keys::blob(digest)).arg(&*bytes).arg("NX");
        let answer = self.connection.write_one::<Value>(&command).await;
        match answer.map_err(Fault::of_write)?.is_confirmed {
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
        self.durability
    }

    async fn probe(&self) -> Result<(), StoreError> {
        self.connection
            .run::<Value>(&redis::cmd("PING"))
            .await
            .map_err(Fault::of_read)?;
        Ok(())
    }
}

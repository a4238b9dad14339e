//! The one connection, what we ask of the server before we use it, and how long we wait for it.

use std::collections::HashMap;
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, Cmd, FromRedisValue, IntoConnectionInfo, Pipeline, ProtocolVersion, PushInfo};
use tokio::time::timeout;

use super::super::{Durability, StoreError};
use super::fault::Fault;

/// For one answer of a server we are connected to.
const RESPONSE: Duration = Duration::from_secs(2);
const CONNECT: Duration = Duration::from_secs(1);
/// For a whole call, reconnecting included.
const CALL: Duration = Duration::from_secs(3);
/// Attempts to reconnect before waiting calls are told; the next call tries again.
const RECONNECTS: usize = 4;
const RECONNECT_FIRST: Duration = Duration::from_millis(50);
const RECONNECT_LAST: Duration = Duration::from_millis(400);

/// A connection shared by all callers; clones are cheap.
#[derive(Clone)]
pub(super) struct Connection(ConnectionManager);

impl Connection {
    /// Connects and verifies that the server can be trusted with games.
    pub(super) async fn open(
        url: &str,
        on_push: impl Fn(PushInfo) + Send + Sync + 'static,
    ) -> Result<(Self, Durability), StoreError> {
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(RESPONSE))
            .set_connection_timeout(Some(CONNECT))
            .set_number_of_retries(RECONNECTS)
            .set_min_delay(RECONNECT_FIRST)
            .set_max_delay(RECONNECT_LAST)
            .set_automatic_resubscription()
            .set_push_sender(move |push| -> Result<(), ()> {
                on_push(push);
                Ok(())
            });
        let connecting = ConnectionManager::new_with_config(client(url)?, config);
        let manager = match timeout(CALL, connecting).await {
            Ok(Ok(manager)) => manager,
            Ok(Err(error)) => return Err(StoreError::Unavailable(error.to_string())),
            Err(_) => return Err(StoreError::Unavailable("no connection in time".to_owned())),
        };
        let connection = Connection(manager);
        refuse_eviction(&connection).await?;
        let durability = durability(&connection).await?;
        Ok((connection, durability))
    }

    /// Runs a command.
    pub(super) async fn run<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, Fault> {
        let mut manager = self.0.clone();
        in_time(command.query_async(&mut manager)).await
    }

    /// Runs commands together; not atomic.
    pub(super) async fn run_all<T: FromRedisValue>(&self, commands: &Pipeline) -> Result<T, Fault> {
        let mut manager = self.0.clone();
        in_time(commands.query_async(&mut manager)).await
    }

    /// Runs a script by its digest; sends its text if the server does not know it.
    pub(super) async fn run_script<T: FromRedisValue>(
        &self,
        script: &redis::ScriptInvocation<'_>,
    ) -> Result<T, Fault> {
        let mut manager = self.0.clone();
        in_time(script.invoke_async(&mut manager)).await
    }

    pub(super) async fn subscribe(&self, channel: &str) -> Result<(), Fault> {
        let mut manager = self.0.clone();
        in_time(manager.subscribe(channel)).await
    }

    pub(super) async fn unsubscribe(&self, channel: &str) -> Result<(), Fault> {
        let mut manager = self.0.clone();
        in_time(manager.unsubscribe(channel)).await
    }
}

async fn in_time<T>(call: impl Future<Output = redis::RedisResult<T>>) -> Result<T, Fault> {
    match timeout(CALL, call).await {
        Ok(result) => result.map_err(|error| Fault::of(&error)),
        Err(_) => Err(Fault::Silence("no answer in time".to_owned())),
    }
}

/// RESP3 whatever the address says: the doorbell rings on the same connection.
fn client(url: &str) -> Result<Client, StoreError> {
    // The error may repeat the address, and the address may hold a password.
    let unusable = |error: redis::RedisError| {
        StoreError::Misconfigured(format!("not a Redis address: {}", error.category()))
    };
    let info = url.into_connection_info().map_err(unusable)?;
    let settings = info
        .redis_settings()
        .clone()
        .set_protocol(ProtocolVersion::RESP3);
    Client::open(info.set_redis_settings(settings)).map_err(unusable)
}

/// A server that throws keys away when memory is short would throw games away.
async fn refuse_eviction(connection: &Connection) -> Result<(), StoreError> {
    match info(connection, "memory").await?.get("maxmemory_policy") {
        Some("noeviction") => Ok(()),
        Some(policy) => Err(StoreError::Misconfigured(format!(
            "Redis has `maxmemory-policy {policy}` and may throw games away; set it to `noeviction`"
        ))),
        None => Err(StoreError::Misconfigured(
            "Redis hides its `maxmemory-policy`".to_owned(),
        )),
    }
}

/// What the server does with an acknowledged write.
async fn durability(connection: &Connection) -> Result<Durability, StoreError> {
    if info(connection, "persistence").await?.get("aof_enabled") != Some("1") {
        return Ok(Durability::Memory);
    }
    let question = redis::cmd("CONFIG")
        .arg("GET")
        .arg("appendfsync")
        .to_owned();
    // Where CONFIG is forbidden, the weaker promise is the honest one.
    let answer: HashMap<String, String> = connection.run(&question).await.unwrap_or_default();
    match answer.get("appendfsync").map(String::as_str) {
        Some("always") => Ok(Durability::Fsync),
        Some("no") => Ok(Durability::Memory),
        _ => Ok(Durability::Local),
    }
}

/// A section of INFO, as `name:value` lines.
struct Info(String);

impl Info {
    fn get(&self, name: &str) -> Option<&str> {
        self.0
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
    }
}

async fn info(connection: &Connection, section: &str) -> Result<Info, StoreError> {
    let answer = connection
        .run::<String>(redis::cmd("INFO").arg(section))
        .await;
    answer.map(Info).map_err(Fault::of_read)
}

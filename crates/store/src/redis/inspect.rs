//! Checks that every master is configured safely for games.

use std::collections::HashMap;

use super::super::clock::now_ms;
use super::super::{Durability, StoreError, StoreFacts};
use super::connection::Connection;

/// The first version with sharded channels.
const SHARDED_CHANNELS_SINCE: u32 = 7;

/// Properties that all masters share.
pub(super) struct MasterProperties {
    /// The durability of an acknowledged write on each of them.
    pub(super) durability: Durability,
    /// Whether all support sharded channels.
    pub(super) sharded_channels: bool,
}

/// Refuses configurations that would lose games.
pub(super) async fn inspect(connection: &Connection) -> Result<MasterProperties, StoreError> {
    refuse_eviction(connection).await?;
    Ok(MasterProperties {
        durability: durability(connection).await?,
        sharded_channels: connection.is_cluster && knows_sharded_channels(connection).await?,
    })
}

/// Refuses a server that evicts keys when memory is short, because it would evict games.
async fn refuse_eviction(connection: &Connection) -> Result<(), StoreError> {
    for master in info(connection, "memory").await? {
        match master.get("maxmemory_policy") {
            Some("noeviction") => {}
            Some(policy) => {
                return Err(StoreError::Misconfigured(format!(
                    "Redis has `maxmemory-policy {policy}` and may evict games; set it to `noeviction`"
                )));
            }
            None => {
                return Err(StoreError::Misconfigured(
                    "cannot read Redis's `maxmemory-policy`".to_owned(),
                ));
            }
        }
    }
    Ok(())
}

/// Returns the weakest durability of any master.
async fn durability(connection: &Connection) -> Result<Durability, StoreError> {
    let masters = info(connection, "persistence").await?;
    if masters
        .iter()
        .any(|master| master.get("aof_enabled") != Some("1"))
    {
        return Ok(Durability::Memory);
    }
    let least = flushing(connection).await.into_iter().min();
    Ok(least.unwrap_or(Durability::Local))
}

/// Returns when each master flushes its log to disk. Empty if CONFIG is forbidden; the weaker promise is then the
/// honest one.
async fn flushing(connection: &Connection) -> Vec<Durability> {
    let mut question = redis::cmd("CONFIG");
    question.arg("GET").arg("appendfsync");
    let answers = connection.ask_masters::<HashMap<String, String>>(&question);
    let answers = answers.await.unwrap_or_default();
    let level =
        |answer: HashMap<String, String>| match answer.get("appendfsync").map(String::as_str) {
            Some("always") => Durability::Fsync,
            Some("no") => Durability::Memory,
            _ => Durability::Local,
        };
    answers.into_iter().map(level).collect()
}

/// Returns the version of a master, and the clock that is furthest from ours.
pub(super) async fn facts(connection: &Connection) -> Result<StoreFacts, StoreError> {
    let servers = info(connection, "server").await?;
    let version = servers.first().and_then(|of| of.get("redis_version"));
    let question = redis::cmd("TIME");
    let clocks = connection.ask_masters::<(u64, u64)>(&question).await?;
    let clocks = clocks
        .iter()
        .map(|(seconds, micros)| seconds * 1000 + micros / 1000);
    let now = now_ms();
    Ok(StoreFacts {
        version: format!("Redis {}", version.unwrap_or_default()),
        clock_ms: clocks
            .max_by_key(|clock| clock.abs_diff(now))
            .unwrap_or(now),
    })
}

async fn knows_sharded_channels(connection: &Connection) -> Result<bool, StoreError> {
    let is_new = |master: &Info| {
        let version = master.get("redis_version").unwrap_or_default();
        let major = version
            .split('.')
            .next()
            .and_then(|major| major.parse().ok());
        major.is_some_and(|major: u32| major >= SHARDED_CHANNELS_SINCE)
    };
    Ok(info(connection, "server").await?.iter().all(is_new))
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

/// Returns a section from every master.
async fn info(connection: &Connection, section: &str) -> Result<Vec<Info>, StoreError> {
    let question = redis::cmd("INFO").arg(section).to_owned();
    let answers = connection.ask_masters::<String>(&question).await?;
    Ok(answers.into_iter().map(Info).collect())
}

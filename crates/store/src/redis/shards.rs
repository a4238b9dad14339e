//! Queries to many buckets at once: one batch per master of a cluster instead of one call per bucket.
//!
//! The assignment of buckets to masters is looked up once and cached. If a slot has moved since, the batch fails, the
//! queries are repeated one by one, which finds every key, and the next batch looks the assignment up again.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::try_join_all;
use parking_lot::Mutex;
use redis::{Cmd, FromRedisValue, Pipeline, Value};

use super::super::StoreError;
use super::connection::Connection;
use super::keys::number;

/// The masters of the buckets, as far as they are known.
#[derive(Default)]
pub(super) struct Shards {
    masters: Mutex<Option<Arc<Masters>>>,
}

/// Slot ranges by their last slot, with the name of their master, in order.
struct Masters(Vec<(u16, String)>);

/// A query to one bucket.
type Question = (u16, Cmd);

impl Shards {
    /// Returns the responses in the order of the queries.
    pub(super) async fn ask<T: FromRedisValue>(
        &self,
        connection: &Connection,
        questions: Vec<Question>,
    ) -> Result<Vec<T>, StoreError> {
        let answers = if connection.is_cluster {
            self.ask_cluster(connection, &questions).await
        } else {
            ask_together(connection, questions.iter()).await
        };
        let read = |answer| T::from_redis_value(answer).map_err(|_| super::reply::unexpected());
        answers?.into_iter().map(read).collect()
    }

    /// Returns the responses to queries for one master of a cluster. Queries that fail now yield `None`.
    pub(super) async fn try_ask(
        &self,
        connection: &Connection,
        questions: Vec<Question>,
    ) -> Vec<Option<Value>> {
        let mut batch = Pipeline::with_capacity(questions.len());
        let Some(first) = questions.first().map(|(bucket, _)| *bucket) else {
            return Vec::new();
        };
        let count = questions.len();
        for (_, command) in questions {
            batch.add_command(command);
        }
        let answers = match connection.run_each(&batch, first).await {
            Ok(answers) if answers.len() == count => answers,
            _ => vec![Value::Nil; count],
        };
        let answered =
            |answer| (!matches!(answer, Value::ServerError(_) | Value::Nil)).then_some(answer);
        let answers: Vec<_> = answers.into_iter().map(answered).collect();
        if answers.iter().any(Option::is_none) {
            self.forget(); // a slot has moved, perhaps
        }
        answers
    }

    /// Publishes a message on a channel of a bucket.
    pub(super) async fn say_on(
        &self,
        connection: &Connection,
        say: &Cmd,
        bucket: u16,
    ) -> Result<(), StoreError> {
        let said = connection.run_at::<Value>(say, slot(bucket)).await;
        if said.is_err() {
            self.forget();
        }
        said.map(|_| ())
    }

    /// Looks up the masters of the buckets if they are unknown. If this fails, queries to the wrong master fail.
    pub(super) async fn learn(&self, connection: &Connection) {
        if connection.is_cluster
            && let Err(error) = self.masters(connection).await
        {
            tracing::debug!(%error, "cannot look up the master nodes");
        }
    }

    /// Groups buckets by their master, if known, in batches of limited size.
    pub(super) fn by_master(&self, buckets: Vec<u16>) -> Vec<Vec<u16>> {
        let Some(masters) = self.masters.lock().clone() else {
            return vec![buckets];
        };
        let mut groups: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
        for bucket in buckets {
            groups.entry(masters.of(bucket)).or_default().push(bucket);
        }
        groups.into_values().collect()
    }

    /// Drops the cached masters.
    pub(super) fn forget(&self) {
        *self.masters.lock() = None;
    }

    async fn ask_cluster(
        &self,
        connection: &Connection,
        questions: &[Question],
    ) -> Result<Vec<Value>, StoreError> {
        let masters = self.masters(connection).await?;
        match ask_masters(connection, &masters, questions).await {
            Ok(answers) => Ok(answers),
            Err(_) => {
                self.forget();
                try_join_all(questions.iter().map(|(_, command)| connection.run(command))).await
            }
        }
    }

    /// Returns one slot of each master, or any slot if there is only one server.
    pub(super) async fn slots_of_masters(
        &self,
        connection: &Connection,
    ) -> Result<Vec<u16>, StoreError> {
        if !connection.is_cluster {
            return Ok(vec![0]);
        }
        let masters = self.masters(connection).await?;
        let of_masters = masters.0.iter().map(|(slot, master)| (master, *slot));
        let of_masters: BTreeMap<&String, u16> = of_masters.collect();
        Ok(of_masters.into_values().collect())
    }

    async fn masters(&self, connection: &Connection) -> Result<Arc<Masters>, StoreError> {
        let known = self.masters.lock().clone();
        if let Some(masters) = known {
            return Ok(masters);
        }
        let answer = connection.run(redis::cmd("CLUSTER").arg("SLOTS")).await?;
        let masters = Arc::new(Masters::read(answer));
        *self.masters.lock() = Some(masters.clone());
        Ok(masters)
    }
}

/// The first and last slot of a range, its master (address, port, id …) and its replicas.
type Range = (u16, u16, Value);

impl Masters {
    /// Parses the response to `CLUSTER SLOTS`. Unreadable ranges have no master, so their queries fail and are repeated
    /// singly.
    fn read(answer: Vec<Value>) -> Self {
        let ranges = answer.into_iter().filter_map(|range| {
            let mut parts = Vec::<Value>::from_redis_value(range).ok()?.into_iter();
            let range: Range = (
                u16::from_redis_value(parts.next()?).ok()?,
                u16::from_redis_value(parts.next()?).ok()?,
                parts.next()?,
            );
            Some((range.1, format!("{:?}", range.2)))
        });
        let mut masters: Vec<_> = ranges.collect();
        masters.sort();
        Masters(masters)
    }

    fn of(&self, bucket: u16) -> &str {
        let slot = slot(bucket);
        let at = self.0.partition_point(|(last, _)| *last < slot);
        self.0.get(at).map_or("", |(_, master)| master)
    }
}

/// Returns the slot of a bucket's keys.
fn slot(bucket: u16) -> u16 {
    const SLOTS: u16 = 16_384;
    crc16(number(bucket).as_bytes()) % SLOTS
}

/// Computes the CRC16 of the cluster protocol (XMODEM).
fn crc16(bytes: &[u8]) -> u16 {
    const POLYNOMIAL: u16 = 0x1021;
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| match crc & 0x8000 {
            0 => crc << 1,
            _ => (crc << 1) ^ POLYNOMIAL,
        })
    })
}

/// Sends one batch per master concurrently.
async fn ask_masters(
    connection: &Connection,
    masters: &Masters,
    questions: &[Question],
) -> Result<Vec<Value>, StoreError> {
    let mut by_master: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, (bucket, _)) in questions.iter().enumerate() {
        by_master.entry(masters.of(*bucket)).or_default().push(at);
    }
    let batches = by_master.into_values().map(|places| async move {
        let batch = places.iter().filter_map(|at| questions.get(*at));
        let answers = ask_together(connection, batch).await?;
        Ok::<_, StoreError>(places.into_iter().zip(answers))
    });
    let mut answers: Vec<_> = try_join_all(batches).await?.into_iter().flatten().collect();
    answers.sort_by_key(|(at, _)| *at);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}

/// Sends everything in one batch, to the master of the first bucket.
async fn ask_together<'a>(
    connection: &Connection,
    questions: impl Iterator<Item = &'a Question>,
) -> Result<Vec<Value>, StoreError> {
    let mut batch = Pipeline::new();
    let mut first = None;
    for (bucket, command) in questions {
        first.get_or_insert(*bucket);
        batch.add_command(command.clone());
    }
    match first {
        Some(bucket) => connection.run_all(&batch, bucket).await,
        None => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use redis::cluster_routing::Slot;

    use super::*;
    use crate::redis::keys::{BUCKETS, tag};

    #[test]
    fn buckets_lie_in_the_slots_that_the_client_computes() {
        for bucket in 0..BUCKETS {
            assert_eq!(Slot::new(slot(bucket)), Some(Slot::for_key(tag(bucket))));
        }
    }
}

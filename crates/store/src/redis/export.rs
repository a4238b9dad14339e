//! Exports everything in Redis: names by SCAN, each session by one script. Sessions created in the meantime may be
//! missing; each exported session is complete.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use redis::{Cmd, FromRedisValue, Value};
use tokio::sync::mpsc::{self, Sender};

use super::super::image::{Image, Imported, Item, Items, WAITING_MAX};
use super::super::{Digest, Index, Listing, Placement, Recorded, Secret, StoreError};
use super::connection::{Connection, WriteResponse};
use super::fault::{CommandFault, unconfirmed};
use super::keys::{self, Keys};
use super::reply;
use super::script::Script;
use super::scripts::{give_expiry, give_listing, written};
use super::shards::Shards;

static IMAGE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("image.lua")));
static IMPORT: LazyLock<Script> = LazyLock::new(|| {
    Script::new(concat!(
        include_str!("places.lua"),
        include_str!("import.lua")
    ))
});

/// Number of names per SCAN step.
const NAMES: u32 = 1_000;

type Send = Sender<Result<Item, StoreError>>;

pub(super) fn export(connection: Connection) -> Items {
    let (send, items) = mpsc::channel(WAITING_MAX);
    tokio::spawn(async move {
        let sent = async {
            send_sessions(&connection, &send).await?;
            send_blobs(&connection, &send).await
        };
        if let Err(error) = sent.await {
            // The receiver may have gone.
            let _ = send.send(Err(error)).await;
        }
    });
    items
}

async fn send_sessions(connection: &Connection, send: &Send) -> Result<(), StoreError> {
    for key in names(connection, "{*}s:*").await? {
        let Some((_, session)) = key.split_once("}s:") else {
            continue;
        };
        if let Some(image) = image(connection, session).await?
            && send.send(Ok(Item::Session(Box::new(image)))).await.is_err()
        {
            return Ok(());
        }
    }
    Ok(())
}

async fn send_blobs(connection: &Connection, send: &Send) -> Result<(), StoreError> {
    for key in names(connection, "blob:*").await? {
        let Some(digest) = keys::digest_of_blob(&key) else {
            continue;
        };
        let bytes: Option<Vec<u8>> = connection.run(redis::cmd("GET").arg(&key)).await?;
        if let Some(bytes) = bytes
            && send
                .send(Ok(Item::Blob(digest, bytes.into())))
                .await
                .is_err()
        {
            return Ok(());
        }
    }
    Ok(())
}

/// Returns all keys that match a pattern, from every master, each once and in order.
async fn names(connection: &Connection, pattern: &str) -> Result<Vec<String>, StoreError> {
    let mut names = HashSet::new();
    for slot in Shards::default().slots_of_masters(connection).await? {
        let mut cursor = "0".to_owned();
        loop {
            let mut scan = Cmd::new();
            scan.arg("SCAN").arg(&cursor).arg("MATCH").arg(pattern);
            scan.arg("COUNT").arg(NAMES);
            let step: (String, Vec<String>) = connection.run_at(&scan, slot).await?;
            names.extend(step.1);
            cursor = step.0;
            if cursor == "0" {
                break;
            }
        }
    }
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort();
    Ok(names)
}

async fn image(connection: &Connection, session: &str) -> Result<Option<Image>, StoreError> {
    let keys = Keys::of(session);
    let call = IMAGE.call(&keys.all());
    let answer: WriteResponse<Value> = connection
        .write(&call)
        .await
        .map_err(CommandFault::of_read)?;
    if answer.value == Value::Nil {
        return Ok(None); // it was removed meanwhile
    }
    let parts = <(Value, String, Log, Answers, Option<Vec<u8>>)>::from_redis_value(answer.value);
    let (record, listed, log, answers, secret) = parts.map_err(|_| reply::unexpected())?;
    let record = reply::record(record)?.ok_or_else(reply::unexpected)?;
    Ok(Some(Image {
        session: session.to_owned(),
        record,
        secret: secret.map(|secret| Secret(secret.into())),
        log: log
            .into_iter()
            .map(|(id, fields)| reply::entry(&id, fields))
            .collect::<Result<_, _>>()?,
        answers: answers
            .into_iter()
            .map(|(key, stored)| read_answer(key, &stored))
            .collect::<Result<_, _>>()?,
        listing: Listing {
            placements: read_claims(&listed),
        },
    }))
}

type Log = Vec<(String, Vec<Vec<u8>>)>;
type Answers = HashMap<Vec<u8>, Vec<u8>>;

fn read_answer(key: Vec<u8>, stored: &[u8]) -> Result<(Digest, Recorded), StoreError> {
    let key = Digest::try_from(key).map_err(|_| reply::unexpected())?;
    Ok((key, reply::recorded(stored)?))
}

fn read_claims(claims: &str) -> Vec<Placement> {
    let read = |line: &str| {
        let (index, score) = line.rsplit_once(' ')?;
        Some(Index::named(index).at(u64::from_str_radix(score, 16).ok()?))
    };
    claims.lines().filter_map(read).collect()
}

/// Writes a session that does not exist, in one step.
pub(super) async fn import(connection: &Connection, image: Image) -> Result<Imported, StoreError> {
    let keys = Keys::of(&image.session);
    let record = &image.record;
    let mut call = IMPORT.call(&written(&keys));
    call.arg(&keys.tag)
        .arg(&image.session)
        .arg(record.position.revision)
        .arg(record.position.version)
        .arg(record.mark.to_string())
        .arg(record.version_mark.to_string())
        .arg(&*record.fixed)
        .arg(&*record.status)
        .arg(&*record.snapshot);
    give_listing(&mut call, Some(&image.listing));
    give_expiry(&mut call, record.expires_at_ms);
    let secret = image.secret.as_ref().map(|secret| &*secret.0);
    call.arg(u8::from(secret.is_some()))
        .arg(secret.unwrap_or_default())
        .arg(&*connection.channel_of_due)
        .arg(image.log.len());
    for entry in &image.log {
        call.arg(entry.version)
            .arg(entry.mark.to_string())
            .arg(&*entry.bytes);
    }
    for (key, recorded) in &image.answers {
        call.arg(&key[..]).arg(reply::stored(recorded));
    }
    let answer: WriteResponse<Value> = connection
        .write(&call)
        .await
        .map_err(CommandFault::of_write)?;
    if !answer.is_confirmed {
        return Err(unconfirmed());
    }
    match answer.value {
        Value::Nil => Ok(Imported::Written),
        present => {
            let present = reply::record(present)?.ok_or_else(reply::unexpected)?;
            Ok(image.compared_with(&present))
        }
    }
}

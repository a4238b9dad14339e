//! Exports the whole file from one snapshot, while writers continue.

use std::collections::BTreeMap;

use redb::{ReadTransaction, ReadableTable};
use tokio::sync::mpsc::{self, Sender};

use super::super::image::{Image, Item, Items, WAITING_MAX};
use super::super::{Index, Listing, Secret, StoreError};
use super::file::{OpenFile, guarded};
use super::tables::{ANSWERS, BLOBS, HEADS, LISTINGS, SECRETS};
use super::write::recorded;

type Send = Sender<Result<Item, StoreError>>;

/// Reads on a separate thread, which ends when nobody takes the items any more.
pub(super) fn export(file: &OpenFile) -> Result<Items, StoreError> {
    let picture = file.picture()?;
    let (send, items) = mpsc::channel(WAITING_MAX);
    std::thread::Builder::new()
        .name("store-export".to_owned())
        .spawn(move || {
            let sent = picture.read(|read| {
                send_sessions(read, &send)?;
                send_blobs(read, &send)
            });
            if let Err(error) = sent {
                // The receiver may have gone.
                let _ = send.blocking_send(Err(error));
            }
        })
        .map_err(|error| StoreError::Unavailable(error.to_string()))?;
    Ok(items)
}

/// A damaged session is an error among the items.
fn send_sessions(read: &ReadTransaction, send: &Send) -> Result<(), StoreError> {
    for row in HEADS.open(read)?.table.iter()? {
        let session = row?.0;
        let item = match guarded(|| image(read, session.value())) {
            Ok(None) => continue,
            Ok(Some(image)) => Ok(Item::Session(Box::new(image))),
            Err(error) => Err(error),
        };
        if send.blocking_send(item).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// Returns everything of a session, if it has not expired.
pub(super) fn image(read: &ReadTransaction, session: &str) -> Result<Option<Image>, StoreError> {
    let Some(record) = super::load(read, session)? else {
        return Ok(None);
    };
    let mut answers = BTreeMap::new();
    let rows = ANSWERS.open(read)?;
    let keys = (session, &[0; 32])..=(session, &[0xff; 32]);
    for row in rows.table.range(keys)? {
        let (key, row) = row?;
        answers.insert(*key.value().1, recorded(rows.value(&key, &row)?));
    }
    let version = record.position.version;
    Ok(Some(Image {
        session: session.to_owned(),
        record,
        secret: SECRETS
            .open(read)?
            .get(session, |bytes| Secret(bytes.into()))?,
        log: super::events(read, session, version, 0, usize::MAX)?,
        answers,
        listing: listing(read, session)?,
    }))
}

fn listing(read: &ReadTransaction, session: &str) -> Result<Listing, StoreError> {
    let listing = LISTINGS.open(read)?.get(session, |(places, _)| {
        let placements = places
            .into_iter()
            .map(|(index, score)| Index::named(index).at(score));
        Listing {
            placements: placements.collect(),
        }
    });
    Ok(listing?.unwrap_or_default())
}

fn send_blobs(read: &ReadTransaction, send: &Send) -> Result<(), StoreError> {
    let blobs = BLOBS.open(read)?;
    for row in blobs.table.iter()? {
        let (digest, row) = row?;
        let bytes = blobs.value(&digest, &row);
        let item = bytes.map(|bytes| Item::Blob(*digest.value(), bytes.into()));
        if send.blocking_send(item).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

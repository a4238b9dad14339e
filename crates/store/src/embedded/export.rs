//! Exports the whole file from one snapshot, while writers continue.

use std::collections::BTreeMap;

use redb::{ReadTransaction, ReadableTable};
use tokio::sync::mpsc::{self, Sender};

use super::super::image::{Image, Item, Items, WAITING_MAX};
use super::super::{Index, Listing, Placement, Record, Secret, StoreError};
use super::file::File;
use super::tables::{ANSWERS, BLOBS, HEADS, LISTINGS, SECRETS};
use super::write::recorded;

type Send = Sender<Result<Item, StoreError>>;

/// Reads on a separate thread, which ends when nobody takes the items any more.
pub(super) fn export(file: &File) -> Result<Items, StoreError> {
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

fn send_sessions(read: &ReadTransaction, send: &Send) -> Result<(), StoreError> {
    for row in read.open_table(HEADS)?.iter()? {
        let session = row?.0;
        let session = session.value();
        let Some(record) = super::load(read, session)? else {
            continue;
        };
        let image = image(read, session, record)?;
        if send
            .blocking_send(Ok(Item::Session(Box::new(image))))
            .is_err()
        {
            return Ok(());
        }
    }
    Ok(())
}

fn image(read: &ReadTransaction, session: &str, record: Record) -> Result<Image, StoreError> {
    let secret = read.open_table(SECRETS)?.get(session)?;
    let mut answers = BTreeMap::new();
    let keys = (session, &[0; 32])..=(session, &[0xff; 32]);
    for row in read.open_table(ANSWERS)?.range(keys)? {
        let (key, row) = row?;
        answers.insert(*key.value().1, recorded(row.value()));
    }
    Ok(Image {
        session: session.to_owned(),
        record,
        secret: secret.map(|row| Secret(row.value().into())),
        log: super::events(read, session, 0, usize::MAX)?,
        answers,
        listing: listing(read, session)?,
    })
}

fn listing(read: &ReadTransaction, session: &str) -> Result<Listing, StoreError> {
    let Some(row) = read.open_table(LISTINGS)?.get(session)? else {
        return Ok(Listing::default());
    };
    let (places, summary) = row.value();
    let place = |(index, score)| Placement {
        index: Index::named(index),
        score,
    };
    Ok(Listing {
        placements: places.into_iter().map(place).collect(),
        summary: summary.into(),
    })
}

fn send_blobs(read: &ReadTransaction, send: &Send) -> Result<(), StoreError> {
    for row in read.open_table(BLOBS)?.iter()? {
        let (digest, bytes) = row?;
        let item = Item::Blob(*digest.value(), bytes.value().into());
        if send.blocking_send(Ok(item)).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

//! Exports the whole file from one snapshot, while writers continue.

use redb::{ReadTransaction, ReadableTable};
use tokio::sync::mpsc::{self, Sender};

use super::super::clock::now_ms;
use super::super::image::{Image, Item, Items, WAITING_MAX};
use super::super::{Entry, Index, Listing, Mark, Placement, Position, Record, Secret, StoreError};
use super::file::File;
use super::tables;
use super::tables::{ANSWERS, BLOBS, FIXED, HEADS, LISTINGS, LOG, LOG_MARKS, MARKS, SECRETS};
use super::write::{Marks, read_expiry, recorded};

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
    let now = now_ms();
    for row in read.open_table(HEADS)?.iter()? {
        let (session, head) = row?;
        let (revision, version, expiry, status, snapshot) = head.value();
        if !tables::is_alive(revision, expiry, now) {
            continue;
        }
        let expires_at_ms = read_expiry(expiry);
        let session = session.value();
        let fixed = super::fixed(read.open_table(FIXED)?.get(session)?, session)?;
        let marks = read.open_table(MARKS)?.get(session)?;
        let marks = marks
            .map(|row| Marks::read(row.value()))
            .unwrap_or_default();
        let record = Record {
            position: Position { revision, version },
            mark: marks.revision,
            version_mark: marks.version,
            fixed,
            status: status.into(),
            snapshot: snapshot.into(),
            expires_at_ms,
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
    let mut answers = Vec::new();
    let keys = (session, &[0; 32])..=(session, &[0xff; 32]);
    for row in read.open_table(ANSWERS)?.range(keys)? {
        let (key, row) = row?;
        answers.push((*key.value().1, recorded(row.value())));
    }
    Ok(Image {
        session: session.to_owned(),
        record,
        secret: secret.map(|row| Secret(row.value().into())),
        log: log(read, session)?,
        answers,
        listing: listing(read, session)?,
    })
}

fn log(read: &ReadTransaction, session: &str) -> Result<Vec<Entry>, StoreError> {
    let (entries, marks) = (read.open_table(LOG)?, read.open_table(LOG_MARKS)?);
    let mut log = Vec::new();
    for row in entries.range((session, 0)..=(session, u64::MAX))? {
        let (key, bytes) = row?;
        let mark = marks.get(key.value())?.map(|row| row.value());
        log.push(Entry {
            version: key.value().1,
            mark: Mark::from_bits(mark.unwrap_or_default()),
            bytes: bytes.value().into(),
        });
    }
    Ok(log)
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

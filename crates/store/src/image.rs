//! Whole sessions and whole stores: for backups, and for moving to another engine.

use tokio::sync::mpsc;

use super::listing::Listing;
use super::types::{Bytes, Digest, Entry, Record, Recorded, Secret};
use super::{Store, StoreError};

/// Items that wait for whoever takes them; the reading goes on as they are taken.
pub(super) const WAITING_MAX: usize = 64;

/// All that there is of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The session's id.
    pub session: String,
    pub record: Record,
    pub secret: Option<Secret>,
    /// All entries, from version 1.
    pub log: Vec<Entry>,
    /// In the order of the keys.
    pub answers: Vec<(Digest, Recorded)>,
    pub listing: Listing,
}

/// A part of a store that can be moved by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    Session(Box<Image>),
    /// See [`Store::put_blob`].
    Blob(Digest, Bytes),
}

/// Everything in a store, each thing once; ends after the last one or after an error.
pub type Items = mpsc::Receiver<Result<Item, StoreError>>;

/// What became of an item that was put into a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    /// It was not there, and is now.
    Written,
    /// It was there already, with the same revision.
    Same,
    /// Something else is there under this name, and was left alone.
    Different,
    /// Its time is over.
    Expired,
}

impl Item {
    /// Puts it into a store. Repeating is harmless.
    pub async fn import(self, store: &dyn Store) -> Result<Imported, StoreError> {
        match self {
            Item::Session(image) => store.import(*image).await,
            Item::Blob(digest, bytes) => {
                if store.blob(&digest).await?.is_some() {
                    return Ok(Imported::Same);
                }
                store.put_blob(&digest, bytes).await?;
                Ok(Imported::Written)
            }
        }
    }
}

impl Image {
    /// What is there already, compared with this.
    pub(super) fn compared_with(&self, present: &Record) -> Imported {
        let of = |record: &Record| (record.position, record.mark, record.version_mark);
        match of(present) == of(&self.record) {
            true => Imported::Same,
            false => Imported::Different,
        }
    }
}

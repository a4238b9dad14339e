//! Complete sessions and stores, for backups and for moving to another engine.

use tokio::sync::mpsc;

use super::listing::Listing;
use super::types::{Bytes, Digest, Entry, Record, Recorded, Secret};
use super::{Store, StoreError};

/// Number of items read ahead of the consumer.
pub(super) const WAITING_MAX: usize = 64;

/// All data of one session.
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

/// A unit of a store that can be moved by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    Session(Box<Image>),
    /// See [`Store::put_blob`].
    Blob(Digest, Bytes),
}

/// Everything in a store, each item once. Ends after the last item or after an error.
pub type Items = mpsc::Receiver<Result<Item, StoreError>>;

/// The result of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    /// The item was written.
    Written,
    /// The item existed with the same revision.
    Same,
    /// Another item has this name and was left unchanged.
    Different,
    /// The session has expired.
    Expired,
}

impl Item {
    /// Imports the item into a store. Repeating it is harmless.
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
    /// Compares this image with the existing record.
    pub(super) fn compared_with(&self, present: &Record) -> Imported {
        let of = |record: &Record| (record.position, record.mark, record.version_mark);
        match of(present) == of(&self.record) {
            true => Imported::Same,
            false => Imported::Different,
        }
    }
}

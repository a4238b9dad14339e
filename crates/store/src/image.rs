//! Complete sessions and stores: what the memory store holds, and what backups and moves to another engine copy.

use std::collections::BTreeMap;

use tokio::sync::mpsc;

use super::bytes::{Bytes, Digest, Secret};
use super::listing::Listing;
use super::types::{ChangeEntry, Commit, Create, Idempotency, Position, Recorded, SessionRecord};
use super::{Store, StoreError};

/// Number of items read ahead of the consumer.
pub(super) const WAITING_MAX: usize = 64;

/// All data of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The session's id.
    pub session: String,
    pub record: SessionRecord,
    pub secret: Option<Secret>,
    /// All entries, from version 1.
    pub log: Vec<ChangeEntry>,
    /// By idempotency key.
    pub answers: BTreeMap<Digest, Recorded>,
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

impl From<Create> for Image {
    fn from(create: Create) -> Image {
        let record = SessionRecord {
            position: Position::default().after(create.entry.is_some()),
            mark: create.mark,
            version_mark: create.mark,
            fixed: create.fixed,
            status: create.status,
            snapshot: create.snapshot,
            expires_at_ms: create.expires_at_ms,
        };
        let mut image = Image {
            session: create.session,
            record,
            secret: create.secret,
            log: Vec::new(),
            answers: BTreeMap::new(),
            listing: create.listing,
        };
        image.note(create.entry, create.idempotency);
        image
    }
}

impl Image {
    /// Returns the answer that a repeated request gets.
    pub(super) fn known(&self, idempotency: Option<&Idempotency>) -> Option<Recorded> {
        self.answers.get(&idempotency?.key).cloned()
    }

    /// Applies everything of a commit except its listing.
    pub(super) fn apply(&mut self, commit: Commit) -> Position {
        self.record.apply(&commit);
        self.note(commit.entry, commit.idempotency);
        self.record.position
    }

    /// Adds what a change that just took place leaves behind.
    fn note(&mut self, entry: Option<Bytes>, idempotency: Option<Idempotency>) {
        let (version, mark) = (self.record.position.version, self.record.mark);
        self.log.extend(entry.map(|bytes| ChangeEntry {
            version,
            mark,
            bytes,
        }));
        self.answers.extend(idempotency.map(|of| {
            let recorded = Recorded {
                version,
                fingerprint: of.fingerprint,
                answer: of.answer,
            };
            (of.key, recorded)
        }));
    }

    /// Compares this image with the existing record.
    pub(super) fn compared_with(&self, present: &SessionRecord) -> Imported {
        let of = |record: &SessionRecord| (record.position, record.mark, record.version_mark);
        match of(present) == of(&self.record) {
            true => Imported::Same,
            false => Imported::Different,
        }
    }
}

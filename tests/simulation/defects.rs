//! Deliberate defects: the checks must find each of them.

use std::sync::Arc;

use async_trait::async_trait;
use wyrmgate::store::{
    Bytes, ChangeEntry, Commit, Committed, Create, Created, Digest, Durability, Image, Imported,
    IndexWatch, Items, ListQuery, ListingPage, Recorded, Secret, SessionRecord, Store, StoreError,
    Subscription, WatchTerms,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A script in which the second text replaces the first one.
    Script(&'static str, &'static str),
    /// A change is written whatever revision it is based on.
    Overwrites,
    /// Idempotency keys are not passed on.
    ForgetsKeys,
    /// A missing answer is taken for a refusal.
    TakesSilenceForNo,
    /// A missing answer is taken for success.
    TakesSilenceForYes,
    /// A long page of the log lacks an entry.
    SkipsEntries,
    /// Scripts that write lists run although a slot is moving, because the test for the key that never exists is missing.
    WritesWhileMoving,
}

impl Defect {
    /// Returns the text of a script with the defect.
    pub fn in_script(self, text: &str) -> String {
        match self {
            Defect::Script(from, to) => text.replace(from, to),
            _ => text.to_owned(),
        }
    }
}

/// Returns the store with the defect, if it is a defect of the store.
pub fn faulty(store: Arc<dyn Store>, defect: Option<Defect>) -> Arc<dyn Store> {
    match defect {
        None | Some(Defect::Script(..) | Defect::WritesWhileMoving) => store,
        Some(defect) => Arc::new(Faulty { store, defect }),
    }
}

struct Faulty {
    store: Arc<dyn Store>,
    defect: Defect,
}

#[async_trait]
impl Store for Faulty {
    async fn create(&self, create: Create) -> Result<Created, StoreError> {
        self.store.create(create).await
    }

    async fn commit(&self, mut commit: Commit) -> Result<Committed, StoreError> {
        if self.defect == Defect::ForgetsKeys {
            commit.idempotency = None;
        }
        let again = commit.clone();
        match (self.store.commit(commit).await, self.defect) {
            (Ok(Committed::Stale(present)), Defect::Overwrites) => {
                let mut commit = again;
                commit.expected_revision = present.position.revision;
                commit.expected_mark = present.mark;
                self.store.commit(commit).await
            }
            (Err(StoreError::OutcomeUnknown(why)), Defect::TakesSilenceForNo) => {
                Err(StoreError::Unavailable(why))
            }
            (Err(StoreError::OutcomeUnknown(_)), Defect::TakesSilenceForYes) => {
                let before = wyrmgate::store::Position {
                    revision: again.expected_revision,
                    version: again.expected_revision,
                };
                Ok(Committed::Done(before.after(again.entry.is_some())))
            }
            (answer, _) => answer,
        }
    }

    async fn events(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<ChangeEntry>, StoreError> {
        let mut entries = self.store.events(session, after, limit).await?;
        if self.defect == Defect::SkipsEntries && entries.len() > 2 {
            entries.remove(1);
        }
        Ok(entries)
    }

    async fn load(&self, session: &str) -> Result<Option<SessionRecord>, StoreError> {
        self.store.load(session).await
    }

    async fn recall(&self, session: &str, key: &Digest) -> Result<Option<Recorded>, StoreError> {
        self.store.recall(session, key).await
    }

    async fn secret(&self, session: &str) -> Result<Option<Secret>, StoreError> {
        self.store.secret(session).await
    }

    async fn remove(&self, session: &str) -> Result<bool, StoreError> {
        self.store.remove(session).await
    }

    async fn list(&self, query: ListQuery) -> Result<ListingPage, StoreError> {
        self.store.list(query).await
    }

    async fn subscribe(&self, session: &str) -> Result<Subscription, StoreError> {
        self.store.subscribe(session).await
    }

    async fn put_blob(&self, digest: &Digest, bytes: Bytes) -> Result<(), StoreError> {
        self.store.put_blob(digest, bytes).await
    }

    async fn blob(&self, digest: &Digest) -> Result<Option<Bytes>, StoreError> {
        self.store.blob(digest).await
    }

    async fn export(&self) -> Result<Items, StoreError> {
        self.store.export().await
    }

    async fn import(&self, image: Image) -> Result<Imported, StoreError> {
        self.store.import(image).await
    }

    fn durability(&self) -> Durability {
        self.store.durability()
    }

    async fn awake_since_ms(&self) -> u64 {
        self.store.awake_since_ms().await
    }

    fn watch(&self, terms: WatchTerms) -> IndexWatch {
        self.store.watch(terms)
    }

    async fn probe(&self) -> Result<(), StoreError> {
        self.store.probe().await
    }
}

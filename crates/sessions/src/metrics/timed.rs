//! A store wrapper that measures every call.

use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use tracing::{Instrument, Span};

use super::Metrics;
use wyrmgate_store::{
    Bytes, ChangeEntry, Commit, Committed, Create, Created, Digest, Durability, Image, Imported,
    IndexWatch, Items, ListQuery, ListingPage, Recorded, Secret, SessionRecord, Store, StoreError,
    StoreFacts, Subscription, WatchTerms,
};

/// Forwards every call and records its duration and its result.
pub struct TimedStore {
    inner: Arc<dyn Store>,
    metrics: Arc<Metrics>,
}

impl TimedStore {
    pub fn new(inner: Arc<dyn Store>, metrics: Arc<Metrics>) -> TimedStore {
        TimedStore { inner, metrics }
    }

    async fn timed<T>(
        &self,
        call: &'static str,
        answer: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let began = Instant::now();
        // Background polling of a node belongs to no trace.
        let span = match Span::current().is_none() {
            true => Span::none(),
            false => tracing::info_span!("store", call),
        };
        let answer = answer.instrument(span).await;
        let outcome = answer.as_ref().map_or_else(StoreError::kind, |_| "ok");
        self.metrics.stored(call, outcome, began.elapsed());
        answer
    }
}

#[async_trait]
impl Store for TimedStore {
    async fn create(&self, create: Create) -> Result<Created, StoreError> {
        self.timed("create", self.inner.create(create)).await
    }

    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        self.timed("commit", self.inner.commit(commit)).await
    }

    async fn load(&self, session: &str) -> Result<Option<SessionRecord>, StoreError> {
        self.timed("load", self.inner.load(session)).await
    }

    async fn recall(&self, session: &str, key: &Digest) -> Result<Option<Recorded>, StoreError> {
        self.timed("recall", self.inner.recall(session, key)).await
    }

    async fn events(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<ChangeEntry>, StoreError> {
        let events = self.inner.events(session, after, limit);
        self.timed("events", events).await
    }

    async fn secret(&self, session: &str) -> Result<Option<Secret>, StoreError> {
        self.timed("secret", self.inner.secret(session)).await
    }

    async fn remove(&self, session: &str) -> Result<bool, StoreError> {
        self.timed("remove", self.inner.remove(session)).await
    }

    async fn list(&self, query: ListQuery) -> Result<ListingPage, StoreError> {
        self.timed("list", self.inner.list(query)).await
    }

    fn watch(&self, terms: WatchTerms) -> IndexWatch {
        self.inner.watch(terms)
    }

    async fn subscribe(&self, session: &str) -> Result<Subscription, StoreError> {
        self.timed("subscribe", self.inner.subscribe(session)).await
    }

    async fn put_blob(&self, digest: &Digest, bytes: Bytes) -> Result<(), StoreError> {
        self.timed("put_blob", self.inner.put_blob(digest, bytes))
            .await
    }

    async fn blob(&self, digest: &Digest) -> Result<Option<Bytes>, StoreError> {
        self.timed("blob", self.inner.blob(digest)).await
    }

    async fn export(&self) -> Result<Items, StoreError> {
        self.timed("export", self.inner.export()).await
    }

    async fn import(&self, image: Image) -> Result<Imported, StoreError> {
        self.timed("import", self.inner.import(image)).await
    }

    fn durability(&self) -> Durability {
        self.inner.durability()
    }

    async fn awake_since_ms(&self) -> u64 {
        self.inner.awake_since_ms().await
    }

    async fn probe(&self) -> Result<(), StoreError> {
        self.timed("probe", self.inner.probe()).await
    }

    async fn facts(&self) -> Result<StoreFacts, StoreError> {
        self.timed("facts", self.inner.facts()).await
    }

    fn needs_restart(&self) -> bool {
        self.inner.needs_restart()
    }
}

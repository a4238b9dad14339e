//! The in-memory engine, for tests and temporary servers. Everything is lost with the process.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

use async_trait::async_trait;
use foldhash::quality::RandomState;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::mpsc;

use super::agenda::{Agendas, Place as Due, SingleShard};
use super::clock::{is_past, now_ms};
use super::image::{Image, Imported, Item, Items, WAITING_MAX};
use super::notifier::{Notification, Notifier, Subscription};
use super::types::TAKEN_MS;
use super::{
    Bytes, ChangeEntry, Commit, Committed, Create, Created, Cursor, Digest, Durability, Index,
    IndexWatch, ListQuery, ListedSession, Listing, ListingPage, Recorded, Secret, SessionRecord,
    Store, StoreError, WatchTerms,
};

/// Number of shards: enough that concurrent writers rarely meet.
const SHARDS: usize = 64;
/// Number of expired sessions that each create removes from its shard, so that a shard cannot grow with expired ones.
const BURIALS_PER_CREATE: usize = 2;

/// The in-memory engine; see the module.
pub(super) struct MemoryStore {
    shards: Vec<Mutex<MemoryShard>>,
    hasher: RandomState,
    indexes: Arc<Mutex<Indexes>>,
    agendas: Agendas,
    blobs: Mutex<HashMap<Digest, Bytes>>,
    hub: Arc<Notifier>,
}

#[derive(Default)]
struct MemoryShard {
    /// A fast hash will do: ids are random numbers or digests, which no client can choose.
    sessions: HashMap<String, Image, RandomState>,
    /// Ids of removed sessions, and until when they are taken.
    removed: HashMap<String, u64, RandomState>,
    /// Of sessions and of removed ones.
    expiries: BTreeSet<(u64, String)>,
}

/// Score and session, so that iteration is in list order.
type Place = (u64, String);

#[derive(Default)]
struct Indexes(HashMap<Index, BTreeMap<Place, ListedData>>);

/// The data that a list needs without reading a shard.
#[derive(Clone)]
struct ListedData {
    summary: Bytes,
    expires_at_ms: Option<u64>,
}

impl MemoryStore {
    pub(super) fn new() -> Self {
        MemoryStore {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            hasher: RandomState::default(),
            indexes: Arc::default(),
            agendas: Agendas::default(),
            blobs: Mutex::default(),
            hub: Notifier::new(),
        }
    }

    fn shard(&self, session: &str) -> MutexGuard<'_, MemoryShard> {
        let slot = self.hasher.hash_one(session) as usize % SHARDS;
        #[expect(
            clippy::indexing_slicing,
            reason = "`slot` is below SHARDS, the length of the list"
        )]
        self.shards[slot].lock()
    }

    /// Takes a session and its places away. The caller holds the shard.
    fn bury(&self, shard: &mut MemoryShard, session: &str) -> bool {
        if let Some(until) = shard.removed.remove(session) {
            shard.expiries.remove(&(until, session.to_owned()));
        }
        let Some(dead) = shard.sessions.remove(session) else {
            return false;
        };
        if let Some(at) = dead.record.expires_at_ms {
            shard.expiries.remove(&(at, session.to_owned()));
        }
        self.indexes.lock().remove(session, &dead.listing);
        true
    }

    /// Returns everything, ordered by name.
    fn everything(&self) -> Vec<Item> {
        let now = now_ms();
        let mut images = Vec::new();
        for shard in &self.shards {
            let shard = shard.lock();
            let sessions = shard.sessions.values();
            let living = sessions.filter(|of| !is_past(of.record.expires_at_ms, now));
            images.extend(living.cloned());
        }
        images.sort_by(|a, b| a.session.cmp(&b.session));
        let sessions = images
            .into_iter()
            .map(|image| Item::Session(Box::new(image)));
        let blobs = self.blobs.lock();
        let mut blobs: Vec<_> = blobs
            .iter()
            .map(|(name, bytes)| (*name, bytes.clone()))
            .collect();
        blobs.sort();
        let blobs = blobs
            .into_iter()
            .map(|(name, bytes)| Item::Blob(name, bytes));
        sessions.chain(blobs).collect()
    }

    fn bury_expired(&self, shard: &mut MemoryShard, now: u64) {
        for _ in 0..BURIALS_PER_CREATE {
            match shard.expiries.first().cloned() {
                Some((at, session)) if at <= now => self.bury(shard, &session),
                _ => return,
            };
        }
    }

    /// Keeps a session whose id is free, and lists it. The caller holds the shard.
    fn keep(&self, shard: &mut MemoryShard, image: Image) {
        self.bury(shard, &image.session); // an expired one that still lay there
        let expires_at_ms = image.record.expires_at_ms;
        self.indexes
            .lock()
            .insert(&image.session, &image.listing, expires_at_ms);
        self.agendas.placed(&image.listing);
        shard.move_expiry(&image.session, None, expires_at_ms);
        shard.sessions.insert(image.session.clone(), image);
    }

    /// Reads data of a live session.
    fn read<T>(&self, session: &str, read: impl FnOnce(&Image) -> T) -> Option<T> {
        self.shard(session)
            .living(session)
            .map(|session| read(session))
    }
}

impl MemoryShard {
    fn living(&mut self, session: &str) -> Option<&mut Image> {
        let found = self.sessions.get_mut(session)?;
        (!is_past(found.record.expires_at_ms, now_ms())).then_some(found)
    }

    /// Keeps an id from being used until a moment.
    fn take(&mut self, session: &str, until: u64) {
        self.removed.insert(session.to_owned(), until);
        self.expiries.insert((until, session.to_owned()));
    }

    fn move_expiry(&mut self, session: &str, old: Option<u64>, new: Option<u64>) {
        if old == new {
            return;
        }
        if let Some(at) = old {
            self.expiries.remove(&(at, session.to_owned()));
        }
        if let Some(at) = new {
            self.expiries.insert((at, session.to_owned()));
        }
    }
}

impl Indexes {
    fn insert(&mut self, session: &str, listing: &Listing, expires_at_ms: Option<u64>) {
        for placement in &listing.placements {
            let shown = ListedData {
                summary: listing.summary.clone(),
                expires_at_ms,
            };
            let index = self.0.entry(placement.index.clone()).or_default();
            index.insert((placement.score, session.to_owned()), shown);
        }
    }

    fn remove(&mut self, session: &str, listing: &Listing) {
        for placement in &listing.placements {
            if let Some(index) = self.0.get_mut(&placement.index) {
                index.remove(&(placement.score, session.to_owned()));
                if index.is_empty() {
                    self.0.remove(&placement.index);
                }
            }
        }
    }
}

impl ListedData {
    fn listed(&self, (score, session): &Place) -> ListedSession {
        ListedSession {
            session: session.clone(),
            score: *score,
            summary: self.summary.clone(),
        }
    }
}

/// The shards of all indexes, one each.
struct DueInMemory(Arc<Mutex<Indexes>>);

impl SingleShard for DueInMemory {
    /// Returns the first entries. Removes those of expired sessions.
    fn first(&self, index: &Index, limit: usize) -> Result<Vec<Due>, StoreError> {
        let now = now_ms();
        let mut indexes = self.0.lock();
        let Some(places) = indexes.0.get_mut(index) else {
            return Ok(Vec::new());
        };
        let mut living = Vec::new();
        let mut dead = Vec::new();
        for (place, shown) in places.iter() {
            match is_past(shown.expires_at_ms, now) {
                true => dead.push(place.clone()),
                false => living.push(place.clone()),
            }
            if living.len() >= limit {
                break;
            }
        }
        for place in dead {
            places.remove(&place);
        }
        Ok(living)
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn create(&self, create: Create) -> Result<Created, StoreError> {
        let id = create.session.as_str();
        let now = now_ms();
        let mut shard = self.shard(id);
        self.bury_expired(&mut shard, now);
        if let Some(present) = shard.living(id) {
            let known = present.known(create.idempotency.as_ref());
            return Ok(known.map_or(Created::Exists, Created::Duplicate));
        }
        if shard.removed.get(id).is_some_and(|until| *until > now) {
            return Ok(Created::Removed);
        }
        let image = Image::from(create);
        let position = image.record.position;
        self.keep(&mut shard, image);
        Ok(Created::Done(position))
    }

    async fn commit(&self, mut commit: Commit) -> Result<Committed, StoreError> {
        let id = std::mem::take(&mut commit.session);
        let mut shard = self.shard(&id);
        let Some(session) = shard.living(&id) else {
            return Ok(Committed::Absent);
        };
        if let Some(recorded) = session.known(commit.idempotency.as_ref()) {
            return Ok(Committed::Duplicate(recorded));
        }
        let present = (session.record.position.revision, session.record.mark);
        if present != (commit.expected_revision, commit.expected_mark) {
            return Ok(Committed::Stale(session.record.clone()));
        }
        let old_expiry = session.record.expires_at_ms;
        let new_expiry = commit.expires_at_ms;
        let public = commit.entry.is_some();
        let listing = commit.listing.take();
        let position = session.apply(commit);
        if listing.is_some() || old_expiry != new_expiry {
            let mut indexes = self.indexes.lock();
            indexes.remove(&id, &session.listing);
            if let Some(listing) = listing {
                session.listing = listing;
            }
            indexes.insert(&id, &session.listing, new_expiry);
            drop(indexes);
            self.agendas.placed(&session.listing);
        }
        shard.move_expiry(&id, old_expiry, new_expiry);
        drop(shard);
        if public {
            self.hub
                .notify(&id, Notification::Version(position.version));
        }
        Ok(Committed::Done(position))
    }

    async fn load(&self, session: &str) -> Result<Option<SessionRecord>, StoreError> {
        Ok(self.read(session, |session| session.record.clone()))
    }

    async fn recall(&self, session: &str, key: &Digest) -> Result<Option<Recorded>, StoreError> {
        Ok(self
            .read(session, |session| session.answers.get(key).cloned())
            .flatten())
    }

    async fn events(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<ChangeEntry>, StoreError> {
        let skip = usize::try_from(after).unwrap_or(usize::MAX);
        let read = |image: &Image| image.log.iter().skip(skip).take(limit).cloned().collect();
        Ok(self.read(session, read).unwrap_or_default())
    }

    async fn secret(&self, session: &str) -> Result<Option<Secret>, StoreError> {
        Ok(self
            .read(session, |session| session.secret.clone())
            .flatten())
    }

    async fn remove(&self, session: &str) -> Result<bool, StoreError> {
        let mut shard = self.shard(session);
        let lived = shard.living(session).is_some();
        if lived {
            self.bury(&mut shard, session);
            shard.take(session, now_ms().saturating_add(TAKEN_MS));
        }
        drop(shard);
        if lived {
            self.hub.notify(session, Notification::Removed);
        }
        Ok(lived)
    }

    async fn list(&self, query: ListQuery) -> Result<ListingPage, StoreError> {
        let indexes = self.indexes.lock();
        let Some(index) = indexes.0.get(&query.index) else {
            return Ok(ListingPage::default());
        };
        let now = now_ms();
        let end = query.after.map(|cursor| (cursor.score, cursor.session));
        let rest = match end {
            Some(end) => index.range(..end),
            None => index.range::<Place, _>(..),
        };
        let mut page = ListingPage::default();
        let mut rest = rest.rev();
        for (place, shown) in rest.by_ref().take(query.limit) {
            page.next = Some(Cursor {
                score: place.0,
                session: place.1.clone(),
            });
            if !is_past(shown.expires_at_ms, now) {
                page.items.push(shown.listed(place));
            }
        }
        if rest.next().is_none() {
            page.next = None;
        }
        Ok(page)
    }

    fn watch(&self, terms: WatchTerms) -> IndexWatch {
        let shard = DueInMemory(self.indexes.clone());
        self.agendas.watch(terms, Arc::new(shard))
    }

    async fn subscribe(&self, session: &str) -> Result<Subscription, StoreError> {
        Ok(self.hub.join(session))
    }

    async fn put_blob(&self, digest: &Digest, bytes: Bytes) -> Result<(), StoreError> {
        self.blobs.lock().entry(*digest).or_insert(bytes);
        Ok(())
    }

    async fn blob(&self, digest: &Digest) -> Result<Option<Bytes>, StoreError> {
        Ok(self.blobs.lock().get(digest).cloned())
    }

    async fn export(&self) -> Result<Items, StoreError> {
        let (send, items) = mpsc::channel(WAITING_MAX);
        let all = self.everything();
        tokio::spawn(async move {
            for item in all {
                if send.send(Ok(item)).await.is_err() {
                    return;
                }
            }
        });
        Ok(items)
    }

    async fn import(&self, image: Image) -> Result<Imported, StoreError> {
        if is_past(image.record.expires_at_ms, now_ms()) {
            return Ok(Imported::Expired);
        }
        let mut shard = self.shard(&image.session);
        if let Some(present) = shard.living(&image.session) {
            return Ok(image.compared_with(&present.record));
        }
        self.keep(&mut shard, image);
        Ok(Imported::Written)
    }

    fn durability(&self) -> Durability {
        Durability::Memory
    }

    async fn awake_since_ms(&self) -> u64 {
        self.agendas.awake_since_ms()
    }

    async fn probe(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

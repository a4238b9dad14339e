//! The in-memory engine, for tests and temporary servers. Everything is lost with the process.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use async_trait::async_trait;
use foldhash::quality::RandomState;
use parking_lot::Mutex;
use tokio::sync::mpsc;

use super::agenda::{Agendas, Place, SingleShard};
use super::clock::{is_past, now_ms};
use super::image::{Image, Imported, Item, Items, WAITING_MAX};
use super::notifier::{Notification, Notifier, Subscription};
use super::types::TAKEN_MS;
use super::{
    Bytes, ChangeEntry, Commit, Committed, Create, Created, Cursor, Digest, Durability, Index,
    IndexWatch, ListQuery, ListedSession, Listing, ListingPage, Recorded, Secret, SessionRecord,
    Store, StoreError, WatchTerms,
};

/// Number of expired sessions that each create removes, so that the store cannot grow with expired ones.
const BURIALS_PER_CREATE: usize = 2;

/// The in-memory engine; see the module.
#[derive(Default)]
pub(super) struct MemoryStore {
    kept: Arc<Mutex<KeptSessions>>,
    agendas: Agendas,
    blobs: Mutex<BTreeMap<Digest, Bytes>>,
    hub: Arc<Notifier>,
}

#[derive(Default)]
struct KeptSessions {
    /// A fast hash will do: ids are random numbers or digests, which no client can choose.
    sessions: HashMap<String, Image, RandomState>,
    /// Ids of removed sessions, and until when they are taken.
    removed: HashMap<String, u64, RandomState>,
    /// Of sessions and of removed ones.
    expiries: BTreeSet<Place>,
    /// In list order.
    indexes: HashMap<Index, BTreeSet<Place>>,
}

impl MemoryStore {
    /// Returns everything, ordered by name.
    fn everything(&self) -> Vec<Item> {
        let (now, kept) = (now_ms(), self.kept.lock());
        let sessions = kept.sessions.values();
        let living = sessions.filter(|of| !is_past(of.record.expires_at_ms, now));
        let mut images: Vec<Image> = living.cloned().collect();
        images.sort_by(|a, b| a.session.cmp(&b.session));
        let sessions = images.into_iter();
        let sessions = sessions.map(|image| Item::Session(Box::new(image)));
        let blobs = self.blobs.lock();
        let blobs = blobs.iter();
        let blobs = blobs.map(|(name, bytes)| Item::Blob(*name, bytes.clone()));
        sessions.chain(blobs).collect()
    }

    /// Reads data of a live session.
    fn read<T>(&self, session: &str, read: impl FnOnce(&Image) -> Option<T>) -> Option<T> {
        self.kept.lock().living(session).and_then(read)
    }
}

impl KeptSessions {
    fn living(&self, session: &str) -> Option<&Image> {
        self.sessions.get(session).filter(|image| is_living(image))
    }

    /// Keeps a session whose id is free, and lists it.
    fn keep(&mut self, image: Image) {
        self.bury(&image.session); // an expired one that still lay there
        self.place(&image.session, &image.listing);
        self.move_expiry(&image.session, None, image.record.expires_at_ms);
        self.sessions.insert(image.session.clone(), image);
    }

    /// Takes a session and its places away.
    fn bury(&mut self, session: &str) {
        let until = self.removed.remove(session);
        self.move_expiry(session, until, None);
        if let Some(dead) = self.sessions.remove(session) {
            self.move_expiry(session, dead.record.expires_at_ms, None);
            self.displace(session, &dead.listing);
        }
    }

    fn bury_expired(&mut self, now: u64) {
        for _ in 0..BURIALS_PER_CREATE {
            match self.expiries.first().cloned() {
                Some((at, session)) if at <= now => self.bury(&session),
                _ => return,
            }
        }
    }

    fn move_expiry(&mut self, session: &str, old: Option<u64>, new: Option<u64>) {
        if let Some(at) = old.filter(|_| old != new) {
            self.expiries.remove(&(at, session.to_owned()));
        }
        if let Some(at) = new.filter(|_| old != new) {
            self.expiries.insert((at, session.to_owned()));
        }
    }

    fn place(&mut self, session: &str, listing: &Listing) {
        for placement in &listing.placements {
            let index = self.indexes.entry(placement.index.clone()).or_default();
            index.insert((placement.score, session.to_owned()));
        }
    }

    fn displace(&mut self, session: &str, listing: &Listing) {
        for placement in &listing.placements {
            if let Some(index) = self.indexes.get_mut(&placement.index) {
                index.remove(&(placement.score, session.to_owned()));
                if index.is_empty() {
                    self.indexes.remove(&placement.index);
                }
            }
        }
    }
}

fn is_living(image: &Image) -> bool {
    !is_past(image.record.expires_at_ms, now_ms())
}

/// The shards of all indexes, one each.
struct DueInMemory(Arc<Mutex<KeptSessions>>);

impl SingleShard for DueInMemory {
    /// Returns the first entries. Removes expired sessions.
    fn first(&self, index: &Index, limit: usize) -> Result<Vec<Place>, StoreError> {
        let mut kept = self.0.lock();
        let (mut living, mut dead) = (Vec::new(), Vec::new());
        for place in kept.indexes.get(index).into_iter().flatten() {
            match kept.living(&place.1) {
                Some(_) => living.push(place.clone()),
                None => dead.push(place.1.clone()),
            }
            if living.len() >= limit {
                break;
            }
        }
        dead.iter().for_each(|session| kept.bury(session));
        Ok(living)
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn create(&self, create: Create) -> Result<Created, StoreError> {
        let id = create.session.as_str();
        let now = now_ms();
        let mut kept = self.kept.lock();
        kept.bury_expired(now);
        if let Some(present) = kept.living(id) {
            let known = present.known(create.idempotency.as_ref());
            return Ok(known.map_or(Created::Exists, Created::Duplicate));
        }
        if kept.removed.get(id).is_some_and(|until| *until > now) {
            return Ok(Created::Removed);
        }
        let image = Image::from(create);
        let position = image.record.position;
        self.agendas.placed(&image.listing);
        kept.keep(image);
        Ok(Created::Done(position))
    }

    async fn commit(&self, mut commit: Commit) -> Result<Committed, StoreError> {
        let id = std::mem::take(&mut commit.session);
        let mut kept = self.kept.lock();
        let found = kept.sessions.get_mut(&id);
        let Some(session) = found.filter(|image| is_living(image)) else {
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
        if let Some(listing) = listing {
            let old = std::mem::replace(&mut session.listing, listing.clone());
            kept.displace(&id, &old);
            kept.place(&id, &listing);
            self.agendas.placed(&listing);
        }
        kept.move_expiry(&id, old_expiry, new_expiry);
        drop(kept);
        if public {
            self.hub
                .notify(&id, Notification::Version(position.version));
        }
        Ok(Committed::Done(position))
    }

    async fn load(&self, session: &str) -> Result<Option<SessionRecord>, StoreError> {
        Ok(self.read(session, |image| Some(image.record.clone())))
    }

    async fn recall(&self, session: &str, key: &Digest) -> Result<Option<Recorded>, StoreError> {
        Ok(self.read(session, |image| image.answers.get(key).cloned()))
    }

    async fn events(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<ChangeEntry>, StoreError> {
        let skip = usize::try_from(after).unwrap_or(usize::MAX);
        let log = self.read(session, |image| {
            Some(image.log.iter().skip(skip).take(limit).cloned().collect())
        });
        Ok(log.unwrap_or_default())
    }

    async fn secret(&self, session: &str) -> Result<Option<Secret>, StoreError> {
        Ok(self.read(session, |image| image.secret.clone()))
    }

    async fn remove(&self, session: &str) -> Result<bool, StoreError> {
        let mut kept = self.kept.lock();
        if kept.living(session).is_none() {
            return Ok(false);
        }
        kept.bury(session);
        let until = now_ms().saturating_add(TAKEN_MS);
        kept.removed.insert(session.to_owned(), until);
        kept.move_expiry(session, None, Some(until));
        drop(kept);
        self.hub.notify(session, Notification::Removed);
        Ok(true)
    }

    async fn list(&self, query: ListQuery) -> Result<ListingPage, StoreError> {
        let kept = self.kept.lock();
        let Some(index) = kept.indexes.get(&query.index) else {
            return Ok(ListingPage::default());
        };
        let end = query.after.map(|cursor| (cursor.score, cursor.session));
        let end = end.map_or(Bound::Unbounded, Bound::Excluded);
        let mut page = ListingPage::default();
        let mut rest = index.range((Bound::Unbounded, end)).rev();
        for (score, session) in rest.by_ref().take(query.limit).cloned() {
            page.items
                .extend(kept.living(&session).map(|image| ListedSession {
                    session: session.clone(),
                    score,
                    fixed: image.record.fixed.clone(),
                    status: image.record.status.clone(),
                }));
            page.next = Some(Cursor { score, session });
        }
        if rest.next().is_none() {
            page.next = None;
        }
        Ok(page)
    }

    fn watch(&self, terms: WatchTerms) -> IndexWatch {
        let shard = DueInMemory(self.kept.clone());
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
        let mut kept = self.kept.lock();
        if let Some(present) = kept.living(&image.session) {
            return Ok(image.compared_with(&present.record));
        }
        self.agendas.placed(&image.listing);
        kept.keep(image);
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

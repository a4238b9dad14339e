//! Timed work: a session in a *timed* index is offered to whoever watches that index as soon as its time comes. Nobody
//! polls for it.
//!
//! An index is divided into *shards*: one in an engine of a single process, one per bucket in Redis. An [`IndexWatch`] knows
//! for each shard when to read it next ([`plan`]). That time may be too early, which costs one read, but it is never
//! too late. The engine announces every entry that comes before all others of its shard ([`Agendas::earlier`]). If an
//! announcement may have been missed, the shards are polled again ([`Agendas::doubt`]). An idle node therefore does
//! nothing, however many entries wait.
//!
//! A due entry is offered as a [`Turn`]. After the turn, the shard is read once more. If the entry is still there, its
//! session is gone and the entry is removed, or the session could not be served and is offered again later.

mod attend;
mod plan;

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::{Mutex, RwLock};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

pub(super) use self::plan::Place;
use self::plan::ShardPlan;
use super::clock::now_ms;
use super::{Index, Listing, StoreError};

/// The index to watch, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchTerms {
    /// A timed index; see [`Index::is_timed`]. Its scores are Unix milliseconds.
    pub index: Index,
    /// Sessions are offered this long after their score.
    pub grace: Duration,
    /// Time for which other nodes leave a shard to the node that serves it. This is also how late a turn may come if
    /// that node dies.
    pub hold: Duration,
    /// Maximum number of concurrent turns.
    pub turns_max: usize,
    /// Number of shards per second that are polled although there was no news of them.
    pub polled_per_second: u16,
}

/// Offers the sessions of one index as their time comes. Made by [`super::Store::watch`].
pub struct IndexWatch {
    turns: mpsc::UnboundedReceiver<Turn>,
    task: JoinHandle<()>,
    /// Dropped with the watch, which tells the engine that nobody watches any more.
    shared: Arc<Shared>,
}

impl IndexWatch {
    /// Returns the next due session. `None` only if the runtime of the watch has ended.
    pub async fn next(&mut self) -> Option<Turn> {
        self.turns.recv().await
    }

    /// Returns a gauge of this watch.
    pub fn gauge(&self) -> WatchGauge {
        WatchGauge(Arc::downgrade(&self.shared))
    }
}

/// Shows what a watch does, for as long as it exists.
#[derive(Clone)]
pub struct WatchGauge(Weak<Shared>);

impl std::fmt::Debug for WatchGauge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("WatchGauge").field(&self.read()).finish()
    }
}

/// What a watch has done since it began, and what is due now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WatchFigures {
    /// Number of reads of a shard.
    pub reads: u64,
    /// Number of queries for the first entries of many shards.
    pub polls: u64,
    /// Number of reads and polls that failed.
    pub failures: u64,
    /// How often the task of the watch woke up.
    pub wake_ups: u64,
    /// Number of due sessions that this node knows: in progress or backed off.
    pub due: usize,
    /// The age in milliseconds of the oldest of them.
    pub oldest_ms: u64,
}

impl WatchGauge {
    /// Reads the gauge. `None` once the watch is gone.
    pub fn read(&self) -> Option<WatchFigures> {
        let shared = self.0.upgrade()?;
        let (due, oldest) = shared.plan.lock().due();
        Some(WatchFigures {
            due,
            oldest_ms: oldest.map_or(0, |score| now_ms().saturating_sub(shared.due(score))),
            ..*shared.figures.lock()
        })
    }
}

impl Drop for IndexWatch {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A due session. The holder does the due work and drops the turn. Another node may hold the same session.
#[derive(Debug)]
pub struct Turn {
    /// The session's id.
    pub session: String,
    /// Its score in the index.
    pub score: u64,
    shard: u16,
    over: mpsc::UnboundedSender<(u16, Place)>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let place = (self.score, std::mem::take(&mut self.session));
        // The watch may be gone.
        let _ = self.over.send((self.shard, place));
    }
}

/// The shards of an engine.
#[async_trait]
pub(super) trait Shards: Send + Sync + 'static {
    /// Returns the constant number of shards.
    fn count(&self) -> u16;

    /// Groups shards for polls: one query per group.
    fn groups(&self, shards: Vec<u16>) -> Vec<Vec<u16>> {
        vec![shards]
    }

    /// Waits until announcements are received, or cannot be.
    async fn hearing(&self) {}

    /// Returns the lowest score of each shard. Omits shards that cannot be read.
    async fn poll(&self, index: &Index, shards: &[u16]) -> Vec<(u16, Option<u64>)>;

    /// Returns the first entries of a shard, up to `limit`, and the lowest score beyond `up_to` as far as the entries
    /// reveal it. Announces the result to other nodes.
    async fn look(&self, look: ShardRead<'_>) -> Result<ShardContent, StoreError>;

    /// Removes an entry that its session does not claim.
    async fn clean_up(&self, index: &Index, place: &Place) -> Result<(), StoreError>;

    /// Returns how many milliseconds this node leaves a shard to the nodes that come first.
    fn patience_ms(&self, _index: &Index, _shelf: u16) -> u64 {
        0
    }
}

/// The shards of an engine of a single process: one for each index.
pub(super) trait SingleShard: Send + Sync + 'static {
    /// Returns the first entries, without those of expired sessions.
    fn first(&self, index: &Index, limit: usize) -> Result<Vec<Place>, StoreError>;
}

#[async_trait]
impl<S: SingleShard> Shards for S {
    fn count(&self) -> u16 {
        1
    }

    async fn poll(&self, index: &Index, _: &[u16]) -> Vec<(u16, Option<u64>)> {
        let first = self.first(index, 1).ok();
        let first = first.map(|first| first.into_iter().next().map(|(score, _)| score));
        first.into_iter().map(|score| (0, score)).collect()
    }

    async fn look(&self, look: ShardRead<'_>) -> Result<ShardContent, StoreError> {
        let ShardRead { up_to, limit, .. } = look;
        let places = self.first(&look.terms.index, limit.saturating_add(1))?;
        Ok(ShardContent::of(places, up_to, limit))
    }

    /// Does nothing, because an entry and its session are written in one step.
    async fn clean_up(&self, _: &Index, _: &Place) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A read of one shard.
pub(super) struct ShardRead<'w> {
    pub(super) terms: &'w WatchTerms,
    pub(super) shard: u16,
    pub(super) up_to: u64,
    pub(super) limit: usize,
    /// Time in milliseconds for which other nodes leave the shard to this one if something is due in it.
    pub(super) hold_ms: u64,
    /// Entries that other nodes need not hear of.
    pub(super) backed_off: Vec<Place>,
}

/// The content of a shard.
#[derive(Debug, Default)]
pub(super) struct ShardContent {
    /// Entries up to the requested score, in order.
    pub(super) due: Vec<Place>,
    /// The lowest score beyond, if `due` is complete.
    pub(super) next: Option<u64>,
    /// Whether more entries may be due.
    pub(super) is_cut: bool,
}

impl ShardContent {
    /// Builds the result from the first entries of a shard, of which at most `limit + 1` were requested.
    pub(super) fn of(mut places: Vec<Place>, up_to: u64, limit: usize) -> ShardContent {
        let due = places.partition_point(|(score, _)| *score <= up_to);
        let next = places.get(due).map(|(score, _)| *score);
        places.truncate(due);
        ShardContent {
            is_cut: places.len() > limit,
            due: places,
            next,
        }
    }
}

/// The state of one watch: what is known of its shards, and a signal for its task.
pub(super) struct Shared {
    terms: WatchTerms,
    plan: Mutex<ShardPlan>,
    changed: Notify,
    /// What it has done so far.
    figures: Mutex<WatchFigures>,
}

impl Shared {
    /// Changes the plan. Wakes the task only if it has something to do earlier than before.
    fn change(&self, change: impl FnOnce(&mut ShardPlan)) {
        let is_earlier = {
            let mut plan = self.plan.lock();
            let before = plan.next_at();
            change(&mut plan);
            let next = plan.next_at();
            plan.is_unsure() || next.is_some_and(|at| before.is_none_or(|before| at < before))
        };
        if is_earlier {
            self.changed.notify_one();
        }
    }

    /// Returns when a score is due.
    fn due(&self, score: u64) -> u64 {
        score.saturating_add(milliseconds(self.terms.grace))
    }
}

/// All watches on a store.
pub(super) struct Agendas {
    watches: RwLock<Vec<Weak<Shared>>>,
    /// Since when nodes have been there without a gap.
    awake_since_ms: AtomicU64,
}

impl Default for Agendas {
    fn default() -> Agendas {
        Agendas {
            watches: RwLock::default(),
            awake_since_ms: AtomicU64::new(now_ms()),
        }
    }
}

impl Agendas {
    pub(super) fn awake_since_ms(&self) -> u64 {
        self.awake_since_ms.load(Relaxed)
    }

    /// Records that another node has been there since then.
    pub(super) fn others_since(&self, at_ms: u64) {
        self.awake_since_ms.fetch_min(at_ms, Relaxed);
    }

    /// Starts a watch. Must be called within a runtime.
    pub(super) fn watch(&self, terms: WatchTerms, shards: Arc<dyn Shards>) -> IndexWatch {
        let shared = Arc::new(Shared {
            plan: Mutex::new(ShardPlan::new(shards.count())),
            terms,
            changed: Notify::new(),
            figures: Mutex::default(),
        });
        {
            let mut watches = self.watches.write();
            watches.retain(|watch| watch.strong_count() > 0);
            watches.push(Arc::downgrade(&shared));
        }
        let (offer, turns) = mpsc::unbounded_channel();
        IndexWatch {
            turns,
            task: tokio::spawn(attend::attend(shared.clone(), shards, offer)),
            shared,
        }
    }

    /// Announces an entry that may come before all others of its shard.
    pub(super) fn earlier(&self, index: &str, shard: u16, score: u64) {
        self.each(index, |watch| {
            let due = watch.due(score);
            watch.change(|plan| plan.hear_earlier(shard, due));
        });
    }

    /// Announces all entries of a session.
    pub(super) fn placed(&self, listing: &Listing) {
        for place in listing.placements.iter() {
            if place.index.is_timed() {
                self.earlier(place.index.name(), 0, place.score);
            }
        }
    }

    /// Records the lowest score that another node has found.
    pub(super) fn first_is(&self, index: &str, shard: u16, score: Option<u64>) {
        self.each(index, |watch| {
            let due = score.map(|score| watch.due(score));
            watch.change(|plan| plan.hear_first(shard, due));
        });
    }

    /// Records that another node serves a shard.
    pub(super) fn is_held(&self, index: &str, shard: u16, until_ms: u64) {
        self.each(index, |watch| {
            watch.change(|plan| plan.hear_first(shard, Some(until_ms)));
        });
    }

    /// Records that announcements may have been missed.
    pub(super) fn doubt(&self) {
        for watch in self.living() {
            watch.change(ShardPlan::doubt);
        }
    }

    /// Returns the names of the watched indexes.
    pub(super) fn names(&self) -> Vec<String> {
        let names = self.living().into_iter();
        let mut names: Vec<_> = names
            .map(|watch| watch.terms.index.name().to_owned())
            .collect();
        names.sort();
        names.dedup();
        names
    }

    fn each(&self, index: &str, tell: impl Fn(&Shared)) {
        let watches = self.watches.read();
        let living = watches.iter().filter_map(Weak::upgrade);
        living
            .filter(|watch| watch.terms.index.name() == index)
            .for_each(|watch| tell(&watch));
    }

    fn living(&self) -> Vec<Arc<Shared>> {
        let watches = self.watches.read();
        watches.iter().filter_map(Weak::upgrade).collect()
    }
}

pub(super) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

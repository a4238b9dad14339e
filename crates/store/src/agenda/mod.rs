//! Who has something to do when: a session that stands in a *timed* index is offered to whoever watches that index as soon
//! as its time has come, and nobody looks for it before.
//!
//! An index lies on *shelves*: one in an engine of one process, one for each bucket in Redis. Of each shelf a [`Watch`] knows
//! when to look at it next ([`plan`]). That may be too early, which costs one look, and is never too late: the engine tells
//! of each place that comes before all others of its shelf ([`Agendas::earlier`]), and where something may not have been
//! heard the shelves are surveyed again ([`Agendas::doubt`]). So an idle node does nothing, however much waits.
//!
//! What is found is a [`Turn`]. When that is over the shelf is looked at once more: a place that is still there was left by
//! a session that is gone, and is tidied away, or could not be served now, and is offered again later.

mod attend;
mod plan;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

pub(super) use self::plan::Place;
use self::plan::Plan;
use super::{Index, Listing, StoreError};

/// Which index is watched, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchTerms {
    /// A timed one, see [`Index::is_timed`]; its scores are Unix milliseconds.
    pub index: Index,
    /// Sessions are offered so long after their score.
    pub grace: Duration,
    /// For so long other nodes leave a shelf alone that one is at work on. Also how late a turn may come if that node dies.
    pub hold: Duration,
    /// Turns at the same time.
    pub turns_max: usize,
    /// Shelves a second that are surveyed although nothing was heard of them.
    pub surveyed_per_second: u16,
}

/// Sessions of one index whose time has come, as it comes. Made by [`super::Store::watch`].
pub struct Watch {
    turns: mpsc::UnboundedReceiver<Turn>,
    task: JoinHandle<()>,
    /// Goes with the watch, by which its engine learns that nobody watches any more.
    _shared: Arc<Shared>,
}

impl Watch {
    /// The next one. `None` only if the runtime that the watch was made in has ended.
    pub async fn next(&mut self) -> Option<Turn> {
        self.turns.recv().await
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A session whose time has come. Whoever has it does what is due, and drops it. Another node may have the same one.
#[derive(Debug)]
pub struct Turn {
    /// The session's id.
    pub session: String,
    /// Its score in the index.
    pub score: u64,
    shelf: u16,
    over: mpsc::UnboundedSender<(u16, Place)>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let place = (self.score, std::mem::take(&mut self.session));
        // Nobody to tell if the watch has gone.
        let _ = self.over.send((self.shelf, place));
    }
}

/// What an engine can say of its shelves.
#[async_trait]
pub(super) trait Shelves: Send + Sync + 'static {
    /// How many there are; never changes.
    fn count(&self) -> u16;

    /// Shelves as they are best surveyed: each group in one question.
    fn groups(&self, shelves: Vec<u16>) -> Vec<Vec<u16>> {
        vec![shelves]
    }

    /// Waits until what is told of shelves is heard, or cannot be.
    async fn hearing(&self) {}

    /// The lowest score of each shelf; shelves that cannot be looked at are left out.
    async fn survey(&self, index: &Index, shelves: &[u16]) -> Vec<(u16, Option<u64>)>;

    /// The first places of a shelf, up to `limit` of them, and the lowest score beyond `up_to` as far as that is known from
    /// them. Tells the other nodes what was found.
    async fn look(&self, look: Look<'_>) -> Result<Found, StoreError>;

    /// Takes a place away that its session does not claim.
    async fn tidy(&self, index: &Index, place: &Place) -> Result<(), StoreError>;

    /// For how long this node leaves a shelf to those who come first, in milliseconds.
    fn patience_ms(&self, _index: &Index, _shelf: u16) -> u64 {
        0
    }
}

/// A look at one shelf.
pub(super) struct Look<'w> {
    pub(super) terms: &'w WatchTerms,
    pub(super) shelf: u16,
    pub(super) up_to: u64,
    pub(super) limit: usize,
    /// Other nodes need not hear of these.
    pub(super) left_alone: Vec<Place>,
}

/// What lies on a shelf.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Scores up to what was asked for, in order.
    pub(super) due: Vec<Place>,
    /// The lowest score beyond, if all that is due is in `due`.
    pub(super) next: Option<u64>,
    /// There may be more that is due.
    pub(super) is_cut: bool,
}

impl Found {
    /// From the first places of a shelf, of which at most `limit + 1` were asked for.
    pub(super) fn of(mut places: Vec<Place>, up_to: u64, limit: usize) -> Found {
        let due = places.partition_point(|(score, _)| *score <= up_to);
        let next = places.get(due).map(|(score, _)| *score);
        places.truncate(due);
        Found {
            is_cut: places.len() > limit,
            due: places,
            next,
        }
    }
}

/// Of one watch: what is known of its shelves, and a call for its task when that changes.
pub(super) struct Shared {
    terms: WatchTerms,
    plan: Mutex<Plan>,
    changed: Notify,
}

impl Shared {
    /// A poisoned lock is as good as new: a plan is at worst too cautious.
    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Plan)) {
        change(&mut self.plan());
        self.changed.notify_one();
    }

    /// When a score is due.
    fn due(&self, score: u64) -> u64 {
        score.saturating_add(milliseconds(self.terms.grace))
    }
}

/// All watches on a store, for whoever knows news.
#[derive(Default)]
pub(super) struct Agendas {
    watches: RwLock<Vec<Weak<Shared>>>,
}

impl Agendas {
    /// A watch that begins as soon as its task runs. Must be called within a runtime.
    pub(super) fn watch(&self, terms: WatchTerms, shelves: Arc<dyn Shelves>) -> Watch {
        let shared = Arc::new(Shared {
            plan: Mutex::new(Plan::new(shelves.count())),
            terms,
            changed: Notify::new(),
        });
        {
            let mut watches = self.watches.write().unwrap_or_else(PoisonError::into_inner);
            watches.retain(|watch| watch.strong_count() > 0);
            watches.push(Arc::downgrade(&shared));
        }
        let (offer, turns) = mpsc::unbounded_channel();
        Watch {
            turns,
            task: tokio::spawn(attend::attend(shared.clone(), shelves, offer)),
            _shared: shared,
        }
    }

    /// A place was written that may come before all others of its shelf.
    pub(super) fn earlier(&self, index: &str, shelf: u16, score: u64) {
        self.each(index, |watch| {
            let due = watch.due(score);
            watch.change(|plan| plan.hear_earlier(shelf, due));
        });
    }

    /// The same of all places of a session.
    pub(super) fn placed(&self, listing: &Listing) {
        for place in listing.placements.iter() {
            if place.index.is_timed() {
                self.earlier(place.index.name(), 0, place.score);
            }
        }
    }

    /// Another node has looked: this is the lowest score.
    pub(super) fn first_is(&self, index: &str, shelf: u16, score: Option<u64>) {
        self.each(index, |watch| {
            let due = score.map(|score| watch.due(score));
            watch.change(|plan| plan.hear_first(shelf, due));
        });
    }

    /// Another node is at work on a shelf.
    pub(super) fn is_held(&self, index: &str, shelf: u16, until_ms: u64) {
        self.each(index, |watch| {
            watch.change(|plan| plan.hear_first(shelf, Some(until_ms)));
        });
    }

    /// News may have been missed.
    pub(super) fn doubt(&self) {
        for watch in self.living() {
            watch.change(Plan::doubt);
        }
    }

    /// The names of the indexes that are watched.
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
        let watches = self.watches.read().unwrap_or_else(PoisonError::into_inner);
        let living = watches.iter().filter_map(Weak::upgrade);
        living
            .filter(|watch| watch.terms.index.name() == index)
            .for_each(|watch| tell(&watch));
    }

    fn living(&self) -> Vec<Arc<Shared>> {
        let watches = self.watches.read().unwrap_or_else(PoisonError::into_inner);
        watches.iter().filter_map(Weak::upgrade).collect()
    }
}

pub(super) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

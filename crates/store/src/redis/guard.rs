//! Whether the servers accept writes, still hold our data, and still promise what they promised.
//!
//! After a second (on a cluster, four) in which nothing else was written, and once a minute in any case, each node writes to
//! every master. So does a question whether the store is ready. It writes the identity that the store got from the node that first used it,
//! and receives the identity that was there: a server that came back empty, or another one under the same address, has none
//! or another. Once a minute, and after every connection that was lost, it also reads the settings again.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock, Weak};
use std::time::Duration;

use futures_util::future::join_all;
use parking_lot::Mutex;
use tokio::time::{Instant, sleep, timeout};

use super::super::{Durability, StoreError};
use super::connection::{Connection, WriteResponse, agree};
use super::fault::{CommandFault, unconfirmed};
use super::inspect::inspect;
use super::keys::{self, BUCKETS};
use super::script::Script;
use super::shards::Shards;

static IDENTITY: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("identity.lua")));

/// Interval at which the state is looked at, and time limit for a probe.
const SECOND: Duration = Duration::from_secs(1);
/// A node that has written nothing to a cluster for so long checks whether writes are accepted.
const QUIET: Duration = Duration::from_secs(4);
/// Interval between checks of the settings.
const MINUTE: Duration = Duration::from_secs(60);
/// A write that was accepted so recently makes another one superfluous.
const RECENT: Duration = Duration::from_millis(500);
/// Distance between the buckets that hold the identity in a cluster. Their slots are spread over all masters.
const OF_CLUSTER: usize = 32;

const FOREIGN: &str = "Redis does not hold the data of this store any more: it came back empty, or another server has its address; \
     restore the data, or restart all nodes to begin anew";

/// The guard of a store; see the module.
pub(super) struct Guard {
    connection: Connection,
    shards: Arc<Shards>,
    /// The identity that a new store gets.
    new: String,
    state: Mutex<GuardState>,
}

struct GuardState {
    durability: Durability,
    /// By bucket.
    identities: HashMap<u16, String>,
    /// The buckets that have another one or none.
    foreign: BTreeSet<u16>,
    /// What is wrong with the settings.
    misconfigured: Option<StoreError>,
    inspected: Instant,
}

impl GuardState {
    /// Returns why the servers cannot be used as they are.
    fn refusal(&self) -> Result<(), StoreError> {
        match &self.misconfigured {
            Some(error) => Err(error.clone()),
            None if self.foreign.is_empty() => Ok(()),
            None => Err(StoreError::Misconfigured(FOREIGN.to_owned())),
        }
    }

    /// Records that a bucket holds other data than before. A store that promises nothing begins anew.
    fn lose(&mut self, bucket: u16) {
        if self.durability == Durability::Memory {
            self.identities.remove(&bucket);
            tracing::error!("Redis has lost its sessions; its settings promise no more");
        } else if self.foreign.insert(bucket) {
            tracing::error!("{FOREIGN}");
        }
    }
}

impl Guard {
    /// Learns the identity of the store, and gives it one if it is new.
    pub(super) async fn start(
        connection: Connection,
        shards: Arc<Shards>,
        durability: Durability,
        me: u64,
    ) -> Result<Arc<Guard>, StoreError> {
        let state = GuardState {
            durability,
            identities: HashMap::new(),
            foreign: BTreeSet::new(),
            misconfigured: None,
            inspected: Instant::now(),
        };
        let guard = Arc::new(Guard {
            connection: connection.for_probes(),
            shards,
            new: format!("{me:016x}"),
            state: Mutex::new(state),
        });
        let buckets = guard.buckets();
        let touched = buckets.into_iter().map(|bucket| guard.touch(bucket));
        let mut answers = join_all(touched).await;
        // A cluster serves with the masters that it has, also a node that starts while one of them is replaced.
        if answers.iter().all(Result::is_err) {
            answers.pop().transpose()?;
        }
        tokio::spawn(watch(Arc::downgrade(&guard)));
        Ok(guard)
    }

    pub(super) fn durability(&self) -> Durability {
        self.state.lock().durability
    }

    /// Fails unless a write was accepted just now and the servers hold what they should.
    pub(super) async fn probe(&self) -> Result<(), StoreError> {
        self.state.lock().refusal()?;
        let is_in_doubt = self.connection.is_in_doubt.load(Ordering::Relaxed);
        if !is_in_doubt && self.connection.has_accepted_within(RECENT) {
            return Ok(());
        }
        let late = |_| StoreError::Unavailable("no response within a second".to_owned());
        timeout(SECOND, self.touch_masters()).await.map_err(late)?
    }

    /// Returns the buckets that hold the identity.
    fn buckets(&self) -> Vec<u16> {
        match self.connection.is_cluster {
            true => (0..BUCKETS).step_by(OF_CLUSTER).collect(),
            false => vec![0],
        }
    }

    /// Writes to every master. Succeeds if one of them accepts it, because a cluster serves with the masters that it has.
    async fn touch_masters(&self) -> Result<(), StoreError> {
        self.shards.learn(&self.connection).await;
        let masters = self.shards.by_master(self.buckets());
        let buckets = masters.iter().filter_map(|buckets| buckets.first());
        let mut refused = None;
        let mut is_accepted = false;
        for answer in join_all(buckets.map(|bucket| self.touch(*bucket))).await {
            match answer {
                Ok(true) => is_accepted = true,
                Ok(false) => refused = Some(unconfirmed()),
                Err(error) => refused = Some(error),
            }
        }
        if refused.is_some() {
            self.shards.forget();
        }
        match refused.filter(|_| !is_accepted) {
            Some(error) => Err(error),
            None => self.state.lock().refusal(),
        }
    }

    /// Writes the identity of a bucket. Returns whether the write is as durable as requested.
    async fn touch(&self, bucket: u16) -> Result<bool, StoreError> {
        let known = self.state.lock().identities.get(&bucket).cloned();
        let mut call = IDENTITY.call(&[keys::identity(bucket)]);
        call.arg(if known.is_none() { &*self.new } else { "" });
        let answer: Result<WriteResponse<String>, CommandFault> =
            self.connection.write(&call).await;
        let answer = answer.map_err(CommandFault::of_write)?;
        let mut state = self.state.lock();
        match known {
            Some(known) if known != answer.value => state.lose(bucket),
            Some(_) => drop(state.foreign.remove(&bucket)),
            None => drop(state.identities.insert(bucket, answer.value)),
        }
        Ok(answer.is_confirmed)
    }

    async fn check(&self) {
        let is_due = {
            let state = self.state.lock();
            state.inspected.elapsed() >= MINUTE || state.refusal().is_err()
        };
        let is_broken = self.connection.is_in_doubt.swap(false, Ordering::Relaxed);
        if is_broken {
            self.connection.doubt();
        }
        let is_in_doubt = is_broken || is_due;
        // A cluster has several masters to write to.
        let quiet = match self.connection.is_cluster {
            true => QUIET,
            false => SECOND,
        };
        if !is_in_doubt && self.connection.has_accepted_within(quiet) {
            return;
        }
        let is_well = self.touch_masters().await.is_ok();
        if is_in_doubt && (self.inspect().await.is_err() || !is_well) {
            self.connection.is_in_doubt.store(true, Ordering::Relaxed);
        }
    }

    /// Reads the settings again.
    async fn inspect(&self) -> Result<(), StoreError> {
        let found = inspect(&self.connection).await;
        let found = found.and_then(|found| agree(self.connection.asked, found.durability));
        let mut state = self.state.lock();
        match found {
            Ok(durability) => {
                if durability != state.durability {
                    let before = state.durability;
                    tracing::warn!(%before, now = %durability, "Redis promises another durability than before");
                }
                state.durability = durability;
                state.misconfigured = None;
            }
            Err(StoreError::Misconfigured(why)) => {
                if state.misconfigured.is_none() {
                    tracing::error!(%why, "not ready, because Redis is misconfigured");
                }
                state.misconfigured = Some(StoreError::Misconfigured(why));
            }
            Err(error) => return Err(error),
        }
        state.inspected = Instant::now();
        Ok(())
    }
}

async fn watch(guard: Weak<Guard>) {
    loop {
        sleep(SECOND).await;
        let Some(guard) = guard.upgrade() else {
            return;
        };
        guard.check().await;
    }
}

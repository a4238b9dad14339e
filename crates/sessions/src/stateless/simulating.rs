//! Simulations: many games between built-in players, run by one node and visible through all of them.
//!
//! A simulation is a record of the store like a session, with an id that no session can have. The node that runs it
//! stores its progress and holds a lease. If that node stops, the lease expires, and another node
//! ([`crate::Duty::Simulations`]) restarts the games. The same seed yields the same games.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::time::timeout;

use crate::Refusal;
use crate::access::token::entropy;
use crate::content::encoding::{from_json, to_json};
use crate::service::turns::CallerTurns;
use crate::service::{SESSION_ID_LEN, Service};
use crate::storing::answering::IdempotencyKey;
use wyrmgate_analysis::simulate::{PartialSimulation, Plan};
use wyrmgate_authoring::rules::Ruleset;
use wyrmgate_base::hex;
use wyrmgate_base::presume::{BrokenInvariant, Presume};
use wyrmgate_program::Program;
use wyrmgate_runtime::queue::beside_while_awaited;
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_search::bot::Bot;
use wyrmgate_store::{
    Bytes, Commit, Committed, Create, Created, Index, Listing, Store, StoreError, session_id,
};

/// Maximum number of games in a simulation.
pub const GAMES_MAX: u64 = 10_000;
/// The lease is renewed when it lasts no longer than this. Each renewal stores the progress.
const RENEW_MS: u64 = 3_000;
/// Duration of the lease of a node that plays. One that does not renew it is considered dead.
const LEASE_MS: u64 = 4_000;
/// The same for a node on which the simulation waits for its turn, so that waiting costs few writes.
const WAITING_LEASE_MS: u64 = 30_000;
/// About how long a simulation plays before it is the turn of another caller.
const TURN: Duration = Duration::from_millis(250);
/// A simulation that has played for this long fails.
const PLAYING_MAX: Duration = Duration::from_secs(60 * 60);
/// Maximum number of attempts, in case a simulation itself kills its nodes.
const ATTEMPTS_MAX: u32 = 3;
/// Prefix of simulation ids. Session ids are shorter than any id with this prefix.
const PREFIX: &str = "sim-";

/// A simulation to run.
#[derive(Debug, Clone)]
pub struct SimulationOrder {
    pub ruleset: Arc<Ruleset>,
    pub options: Map<String, Value>,
    /// One bot for each seat.
    pub players: Vec<Bot>,
    pub games: u64,
    pub seed: Option<[u8; 32]>,
    /// Who asks. Callers take turns.
    pub caller: String,
}

/// A simulation and its progress.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StoredSimulation {
    #[serde(skip)]
    pub id: String,
    pub game: String,
    pub ruleset: String,
    pub options: Map<String, Value>,
    pub players: Vec<Bot>,
    pub games: u64,
    /// The seed in hexadecimal digits. The same seed yields the same games.
    pub seed: String,
    /// Number of finished games.
    pub played: u64,
    /// Present when all games are finished.
    pub summary: Option<Value>,
    pub created_at_ms: u64,
    /// The lease of the node that runs it, in Unix milliseconds.
    #[serde(default)]
    lease_until_ms: u64,
    /// Number of nodes that have started it.
    #[serde(default)]
    attempts: u32,
    /// Whether all attempts failed, or it took too long.
    #[serde(default)]
    pub is_given_up: bool,
}

pub(crate) fn is_simulation(id: &str) -> bool {
    id.starts_with(PREFIX) && id.len() > SESSION_ID_LEN
}

impl Service {
    pub async fn simulate(
        &self,
        order: SimulationOrder,
        key: Option<&IdempotencyKey>,
    ) -> Result<StoredSimulation, Refusal> {
        let seats = order.players.len();
        let ruleset = &order.ruleset;
        let options = ruleset
            .complete_options(seats, &order.options)
            .map_err(Refusal::of_options)?;
        let program = ruleset
            .program(seats, &options)
            .map_err(Refusal::of_options)?;
        let seed = order.seed.map_or_else(entropy, Ok)?;
        let mut simulation = StoredSimulation {
            id: format!("{PREFIX}{}", session_id(key.map(|key| &key.digest))?),
            game: ruleset.name.clone(),
            ruleset: ruleset.digest.clone(),
            options,
            players: order.players,
            games: order.games,
            seed: hex::encode(&seed),
            played: 0,
            summary: None,
            created_at_ms: now_ms(),
            lease_until_ms: 0,
            attempts: 0,
            is_given_up: false,
        };
        simulation.begin();
        let mut create = Create::new(&simulation.id);
        create.status = simulation.encode()?;
        create.listing = simulation.listing();
        create.expires_at_ms = Some(self.expiry());
        // Any node may have to restart it.
        self.keep_ruleset(ruleset).await?;
        self.note_accepted(key).await?;
        let created = self.store.create(create).await?;
        if matches!(created, Created::Exists | Created::Removed) {
            // Created by the same request, whose node died before it could respond.
            return self.simulation(&simulation.id).await;
        }
        let run = LeasedSimulation {
            store: self.store.clone(),
            simulation: simulation.clone(),
            revision: 1,
            expires_at_ms: self.expiry(),
        };
        let turns = self.simulation_turns.of(&order.caller);
        tokio::spawn(run.play(program, seed, turns));
        Ok(simulation)
    }

    /// Ends a simulation and removes it. The node that plays it notices soon.
    pub async fn remove_simulation(
        &self,
        id: &str,
        key: Option<&IdempotencyKey>,
    ) -> Result<(), Refusal> {
        match self.simulation(id).await {
            Err(_) if self.was_accepted(key).await? => return Ok(()),
            found => found?,
        };
        self.note_accepted(key).await?;
        self.store.remove(id).await?;
        Ok(())
    }

    /// Takes over a simulation whose node has stopped. Returns whether this node won it.
    pub(crate) async fn take_over_simulation(&self, id: &str) -> Result<bool, Refusal> {
        let now = now_ms();
        let Some(record) = self.store.load(id).await? else {
            return Ok(false);
        };
        let mut simulation = StoredSimulation::decode(id, &record.status)?;
        if !simulation.is_running() || simulation.lease_until_ms > now {
            return Ok(false);
        }
        simulation.begin();
        let mut run = LeasedSimulation {
            store: self.store.clone(),
            simulation,
            revision: record.position.revision,
            expires_at_ms: self.expiry(),
        };
        if !run.store_progress(LEASE_MS).await || run.simulation.is_given_up {
            return Ok(false);
        }
        let ruleset = self.kept_ruleset(&run.simulation.ruleset).await?;
        let seats = run.simulation.players.len();
        let program = ruleset
            .program(seats, &run.simulation.options)
            .map_err(Refusal::of_options)?;
        let seed = hex::decode(&run.simulation.seed);
        let damaged = || StoreError::Corrupt("the seed of a simulation".into());
        let seed = seed.ok_or_else(damaged)?;
        let turns = self.simulation_turns.of("another node");
        tokio::spawn(run.play(program, seed, turns));
        Ok(true)
    }

    pub async fn simulation(&self, id: &str) -> Result<StoredSimulation, Refusal> {
        if !is_simulation(id) {
            return Err(Refusal::NotFound);
        }
        let record = self.store.load(id).await?.ok_or(Refusal::NotFound)?;
        StoredSimulation::decode(id, &record.status)
    }

    /// Returns one page of all simulations, newest first, and the position of the next page.
    pub async fn simulations(
        &self,
        after: Option<wyrmgate_store::Cursor>,
        limit: usize,
    ) -> Result<(Vec<StoredSimulation>, Option<wyrmgate_store::Cursor>), Refusal> {
        let index = Index::SIMULATIONS;
        let page = self.store.list(index.page(after, limit)).await?;
        let listed = page.items.iter();
        let read = listed.map(|listed| StoredSimulation::decode(&listed.session, &listed.status));
        Ok((read.collect::<Result<_, _>>()?, page.next))
    }
}

impl StoredSimulation {
    fn encode(&self) -> Result<Bytes, BrokenInvariant> {
        to_json(self)
    }

    fn decode(id: &str, bytes: &[u8]) -> Result<StoredSimulation, Refusal> {
        let read: Result<StoredSimulation, StoreError> = from_json(bytes);
        let id = id.to_owned();
        Ok(StoredSimulation { id, ..read? })
    }

    fn listing(&self) -> Listing {
        let listed = Index::SIMULATIONS.at(self.created_at_ms);
        let leased = Index::LEASES.at(self.lease_until_ms);
        let leased = self.is_running().then_some(leased);
        Listing {
            placements: [listed].into_iter().chain(leased).collect(),
        }
    }

    fn is_running(&self) -> bool {
        self.summary.is_none() && !self.is_given_up
    }

    /// Starts another attempt, unless there were too many.
    fn begin(&mut self) {
        self.is_given_up = self.attempts >= ATTEMPTS_MAX;
        self.attempts = self.attempts.saturating_add(1);
        self.played = 0;
        self.renew(LEASE_MS);
    }

    fn renew(&mut self, lease_ms: u64) {
        self.lease_until_ms = now_ms().saturating_add(lease_ms);
    }
}

/// A simulation for which this node holds the lease.
struct LeasedSimulation {
    store: Arc<dyn Store>,
    simulation: StoredSimulation,
    revision: u64,
    expires_at_ms: u64,
}

impl LeasedSimulation {
    /// Plays in turns while the lease lasts.
    async fn play(mut self, program: Arc<Program>, seed: [u8; 32], turns: CallerTurns) {
        let mut course = PartialSimulation::new(&program, self.plan(seed));
        let mut played_for = Duration::ZERO;
        while self.simulation.is_running() {
            let Some(turn) = self.hold(WAITING_LEASE_MS, turns.next()).await else {
                return;
            };
            let (began, program) = (Instant::now(), program.clone());
            let part = beside_while_awaited(move || play_for_a_turn(&program, course));
            let Some(Some((rest, summary))) = self.hold(LEASE_MS, part).await else {
                return; // another node has it, or the thread has ended
            };
            drop(turn);
            course = rest;
            played_for += began.elapsed();
            self.simulation.played = course.played();
            self.simulation.summary = summary;
            let has_failed = course.is_over() && self.simulation.summary.is_none();
            self.simulation.is_given_up = has_failed || played_for >= PLAYING_MAX;
        }
        self.store_progress(LEASE_MS).await;
    }

    /// Waits for something, and renews the lease meanwhile. `None` once the simulation is not ours.
    async fn hold<T>(&mut self, lease_ms: u64, work: impl Future<Output = T>) -> Option<T> {
        let mut work = pin!(work);
        loop {
            let left = self.simulation.lease_until_ms.saturating_sub(now_ms());
            let until_renewal = Duration::from_millis(left.saturating_sub(RENEW_MS));
            if let Ok(done) = timeout(until_renewal, &mut work).await {
                return Some(done);
            }
            if !self.store_progress(lease_ms).await {
                return None;
            }
        }
    }

    fn plan(&self, seed: [u8; 32]) -> Plan {
        Plan {
            first: 1,
            games: self.simulation.games,
            seed,
            threads: 1,
            players: self.simulation.players.clone(),
            records: None,
        }
    }

    fn commit(&self) -> Result<Commit, BrokenInvariant> {
        let mut commit = Commit::new(&self.simulation.id, self.revision);
        commit.status = Some(self.simulation.encode()?);
        commit.listing = Some(self.simulation.listing());
        commit.expires_at_ms = Some(self.expires_at_ms);
        Ok(commit)
    }

    /// Stores the progress. Returns whether the simulation is still ours: neither deleted, expired nor taken over.
    async fn store_progress(&mut self, lease_ms: u64) -> bool {
        self.simulation.renew(lease_ms);
        let committed = match self.commit() {
            Ok(commit) => self.store.commit(commit).await,
            Err(broken) => Err(broken.into()),
        };
        match committed {
            Ok(Committed::Done(position)) => {
                self.revision = position.revision;
                true
            }
            Ok(_) => false,
            Err(error) => {
                tracing::warn!(%error, "cannot store the progress of a simulation");
                false
            }
        }
    }
}

/// Plays some more games; returns the summary once all are played.
fn play_for_a_turn(
    program: &Program,
    mut course: PartialSimulation,
) -> (PartialSimulation, Option<Value>) {
    let (began, mut games) = (Instant::now(), 1);
    while !course.is_over() && began.elapsed() < TURN {
        course.play(program, games, || false, &mut |_| {});
        games *= 2;
    }
    let summary = course.is_over().then(|| course.summary(program));
    let summary = summary.map(serde_json::to_value).transpose();
    let summary = summary.presume("the summary of a simulation serializes to JSON");
    if let Err(broken) = &summary {
        tracing::error!(%broken, "a simulation has no result");
    }
    (course, summary.ok().flatten())
}

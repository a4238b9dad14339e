//! Simulations: many games between built-in players, run by one node and visible through all of them.
//!
//! A simulation is a record of the store like a session, with an id that no session can have. The node that runs it
//! stores its progress and holds a lease. If that node stops, the lease expires, and another node
//! ([`crate::Duty::Simulations`]) restarts the games. The same seed yields the same games.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

use crate::Refusal;
use crate::access::token::entropy;
use crate::service::{Key, SESSION_ID_LEN, Service};
use crate::time::clock;
use wyrmgate_analysis::simulate::{self, Plan};
use wyrmgate_authoring::rules::Ruleset;
use wyrmgate_base::hex;
use wyrmgate_base::presume::{Broken, Presume};
use wyrmgate_program::Program;
use wyrmgate_search::bot::Bot;
use wyrmgate_store::{
    Bytes, Commit, Committed, Create, Created, Index, ListQuery, Listing, Placement, Store,
    StoreError, session_id,
};

/// Maximum number of games in a simulation.
pub const GAMES_MAX: u64 = 10_000;
/// Number of simulations that a node runs concurrently; others wait.
const AT_ONCE: usize = 1;
/// Minimum interval between writes of the progress.
const STORE_EVERY: Duration = Duration::from_millis(500);
/// Maximum interval between writes, each of which renews the lease.
const RENEW: Duration = Duration::from_secs(1);
/// Duration of the lease. A node that writes nothing for this long is considered dead.
const LEASE_MS: u64 = 4_000;
/// Maximum number of attempts, in case a simulation itself kills its nodes.
const ATTEMPTS_MAX: u32 = 3;
/// Prefix of simulation ids. Session ids are shorter than any id with this prefix.
const PREFIX: &str = "sim-";

static RUNNING: Semaphore = Semaphore::const_new(AT_ONCE);

/// A simulation to run.
#[derive(Debug, Clone)]
pub struct SimulationOrder {
    pub ruleset: Arc<Ruleset>,
    pub options: Map<String, Value>,
    /// One bot for each seat.
    pub players: Vec<Bot>,
    pub games: u64,
    pub seed: Option<[u8; 32]>,
}

/// A simulation and its progress.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Simulation {
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
    /// Whether all attempts failed.
    #[serde(default)]
    pub is_given_up: bool,
}

/// Progress of a running simulation.
#[derive(Debug, Clone, Default)]
struct Progress {
    played: u64,
    summary: Option<Value>,
}

pub(crate) fn is_simulation(id: &str) -> bool {
    id.starts_with(PREFIX) && id.len() > SESSION_ID_LEN
}

impl Service {
    pub async fn simulate(
        &self,
        order: SimulationOrder,
        key: Option<&Key>,
    ) -> Result<Simulation, Refusal> {
        let seats = order.players.len();
        let ruleset = &order.ruleset;
        let options = ruleset
            .complete_options(seats, &order.options)
            .map_err(Refusal::of_options)?;
        let program = ruleset
            .program(seats, &options)
            .map_err(Refusal::of_options)?;
        let seed = order.seed.map_or_else(entropy, Ok)?;
        let mut simulation = Simulation {
            id: format!("{PREFIX}{}", session_id(key.map(|key| &key.digest))?),
            game: ruleset.name.clone(),
            ruleset: ruleset.digest.clone(),
            options,
            players: order.players,
            games: order.games,
            seed: hex::encode(&seed),
            played: 0,
            summary: None,
            created_at_ms: clock::now_ms(),
            lease_until_ms: 0,
            attempts: 0,
            is_given_up: false,
        };
        simulation.begin();
        let mut create = Create::new(&simulation.id);
        create.status = simulation.encode()?;
        create.listing = simulation.listing()?;
        create.expires_at_ms = Some(self.expiry());
        // Any node may have to restart it.
        self.keep_ruleset(ruleset).await?;
        self.note_accepted(key).await?;
        let created = self.store.create(create).await?;
        if matches!(created, Created::Exists | Created::Removed) {
            // Created by the same request, whose node died before it could respond.
            return self.simulation(&simulation.id).await;
        }
        let run = Run {
            store: self.store.clone(),
            simulation: simulation.clone(),
            revision: 1,
            expires_at_ms: self.expiry(),
        };
        tokio::spawn(run.play(program, seed));
        Ok(simulation)
    }

    /// Takes over a simulation whose node has stopped. Returns whether this node won it.
    pub(crate) async fn take_over_simulation(&self, id: &str) -> Result<bool, Refusal> {
        let now = clock::now_ms();
        let Some(record) = self.store.load(id).await? else {
            return Ok(false);
        };
        let mut simulation = Simulation::decode(id, &record.status)?;
        if !simulation.is_running() || simulation.lease_until_ms > now {
            return Ok(false);
        }
        simulation.begin();
        let mut run = Run {
            store: self.store.clone(),
            simulation,
            revision: record.position.revision,
            expires_at_ms: self.expiry(),
        };
        if !run.store_progress().await || run.simulation.is_given_up {
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
        tokio::spawn(run.play(program, seed));
        Ok(true)
    }

    pub async fn simulation(&self, id: &str) -> Result<Simulation, Refusal> {
        if !is_simulation(id) {
            return Err(Refusal::NotFound);
        }
        let record = self.store.load(id).await?.ok_or(Refusal::NotFound)?;
        Simulation::decode(id, &record.status)
    }

    /// Returns one page of all simulations, newest first, and the position of the next page.
    pub async fn simulations(
        &self,
        after: Option<wyrmgate_store::Cursor>,
        limit: usize,
    ) -> Result<(Vec<Simulation>, Option<wyrmgate_store::Cursor>), Refusal> {
        let index = Index::SIMULATIONS;
        let page = self
            .store
            .list(ListQuery {
                index,
                after,
                limit,
            })
            .await?;
        let listed = page.items.iter();
        let read = listed.map(|listed| Simulation::decode(&listed.session, &listed.summary));
        Ok((read.collect::<Result<_, _>>()?, page.next))
    }
}

impl Simulation {
    fn encode(&self) -> Result<Bytes, Broken> {
        crate::to_json(self)
    }

    fn decode(id: &str, bytes: &[u8]) -> Result<Simulation, Refusal> {
        let read: Result<Simulation, StoreError> = crate::from_json(bytes);
        let id = id.to_owned();
        Ok(Simulation { id, ..read? })
    }

    fn listing(&self) -> Result<Listing, Broken> {
        let listed = Placement {
            index: Index::SIMULATIONS,
            score: self.created_at_ms,
        };
        let leased = Placement {
            index: Index::LEASES,
            score: self.lease_until_ms,
        };
        let leased = self.is_running().then_some(leased);
        Ok(Listing {
            placements: [listed].into_iter().chain(leased).collect(),
            summary: self.encode()?,
        })
    }

    fn is_running(&self) -> bool {
        self.summary.is_none() && !self.is_given_up
    }

    /// Starts another attempt, unless there were too many.
    fn begin(&mut self) {
        self.is_given_up = self.attempts >= ATTEMPTS_MAX;
        self.attempts = self.attempts.saturating_add(1);
        self.played = 0;
        self.renew();
    }

    fn renew(&mut self) {
        self.lease_until_ms = clock::now_ms().saturating_add(LEASE_MS);
    }
}

/// A simulation for which this node holds the lease.
struct Run {
    store: Arc<dyn Store>,
    simulation: Simulation,
    revision: u64,
    expires_at_ms: u64,
}

impl Run {
    /// Waits for its turn and plays while the lease lasts.
    async fn play(mut self, program: Arc<Program>, seed: [u8; 32]) {
        let _turn = loop {
            match timeout(RENEW, RUNNING.acquire()).await {
                Ok(Ok(turn)) => break turn,
                Ok(Err(_)) => return,
                Err(_) if self.store_progress().await => {}
                Err(_) => return,
            }
        };
        let mut progress_of = begin(program, self.plan(seed));
        loop {
            if let Ok(Err(_)) = timeout(RENEW, progress_of.changed()).await {
                return; // the thread has ended
            }
            let progress = progress_of.borrow_and_update().clone();
            self.simulation.played = progress.played;
            self.simulation.summary = progress.summary;
            if !self.store_progress().await || !self.simulation.is_running() {
                return;
            }
            tokio::time::sleep(STORE_EVERY).await;
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

    fn commit(&self) -> Result<Commit, Broken> {
        let mut commit = Commit::new(&self.simulation.id, self.revision);
        commit.status = Some(self.simulation.encode()?);
        commit.listing = Some(self.simulation.listing()?);
        commit.expires_at_ms = Some(self.expires_at_ms);
        Ok(commit)
    }

    /// Stores the progress. Returns whether the simulation is still ours: neither deleted, expired nor taken over.
    async fn store_progress(&mut self) -> bool {
        self.simulation.renew();
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

/// Plays on a separate thread, for which a stopping server does not wait.
fn begin(program: Arc<Program>, plan: Plan) -> watch::Receiver<Progress> {
    let (sender, receiver) = watch::channel(Progress::default());
    std::thread::spawn(move || {
        let summary = simulate::run(&program, &plan, &mut |_| {
            sender.send_modify(|progress| progress.played += 1);
        });
        match serde_json::to_value(summary)
            .presume("the summary of a simulation serializes to JSON")
        {
            Ok(summary) => sender.send_modify(|progress| progress.summary = Some(summary)),
            Err(broken) => tracing::error!(%broken, "a simulation has no result"),
        }
    });
    receiver
}

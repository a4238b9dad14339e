//! Simulations as a resource: many games between built-in players, run by one node, looked at through any.
//!
//! A simulation is a record of the store like a session's, under an id that no session has. The node that runs it writes
//! down how far it has come; if that node goes away, the simulation stays where it was.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::{Semaphore, watch};

use super::service::Service;
use super::token::entropy;
use super::{Refusal, clock};
use crate::bot::Bot;
use crate::program::Program;
use crate::record::seed_to_hex;
use crate::rules::Ruleset;
use crate::simulate::{self, Plan};
use crate::store::{
    Bytes, Commit, Committed, Create, Index, ListQuery, Listing, Placement, Store, StoreError,
    session_id,
};

/// The most games of one simulation.
pub const GAMES_MAX: u64 = 10_000;
/// Simulations that a node runs at once; others wait.
const AT_ONCE: usize = 1;
/// How often a running simulation is written down.
const WRITE_DOWN: Duration = Duration::from_millis(500);
/// Ids of sessions are shorter than any that begins so.
const PREFIX: &str = "sim-";
const SESSION_ID_LEN: usize = 22;

static RUNNING: Semaphore = Semaphore::const_new(AT_ONCE);

/// What is to be simulated.
#[derive(Debug, Clone)]
pub struct SimulationOrder {
    pub ruleset: Arc<Ruleset>,
    pub options: Map<String, Value>,
    /// One for each seat.
    pub players: Vec<Bot>,
    pub games: u64,
    pub seed: Option<[u8; 32]>,
}

/// What was ordered, and how far it has come.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Simulation {
    #[serde(skip)]
    pub id: String,
    pub game: String,
    pub ruleset: String,
    pub options: Map<String, Value>,
    pub players: Vec<Bot>,
    pub games: u64,
    /// In hexadecimal digits: the same seed gives the same games.
    pub seed: String,
    /// Games that have ended.
    pub played: u64,
    /// Once all have.
    pub summary: Option<Value>,
    pub created_at_ms: u64,
}

/// How far a simulation has come.
#[derive(Debug, Clone, Default)]
struct Progress {
    played: u64,
    summary: Option<Value>,
}

pub(super) fn is_simulation(id: &str) -> bool {
    id.starts_with(PREFIX) && id.len() > SESSION_ID_LEN
}

impl Service {
    pub async fn simulate(&self, order: SimulationOrder) -> Result<Simulation, Refusal> {
        let seats = order.players.len();
        let refused = super::stepping::refused;
        let ruleset = &order.ruleset;
        let options = ruleset
            .complete_options(seats, &order.options)
            .map_err(refused)?;
        let program = ruleset.program(seats, &options).map_err(refused)?;
        let seed = order.seed.map_or_else(entropy, Ok)?;
        let simulation = Simulation {
            id: format!("{PREFIX}{}", session_id(None)?),
            game: ruleset.name.clone(),
            ruleset: ruleset.digest.clone(),
            options,
            players: order.players.clone(),
            games: order.games,
            seed: seed_to_hex(&seed),
            played: 0,
            summary: None,
            created_at_ms: clock::now_ms(),
        };
        let mut create = Create::new(&simulation.id);
        create.status = simulation.encode();
        create.listing = simulation.listing();
        create.expires_at_ms = Some(self.expiry());
        self.store.create(create).await?;
        let plan = Plan {
            games: order.games,
            seed,
            threads: 1,
            players: order.players,
            records: None,
        };
        tokio::spawn(run(
            self.store.clone(),
            simulation.clone(),
            self.expiry(),
            program,
            plan,
        ));
        Ok(simulation)
    }

    pub async fn simulation(&self, id: &str) -> Result<Simulation, Refusal> {
        if !is_simulation(id) {
            return Err(Refusal::NotFound);
        }
        let record = self.store.load(id).await?.ok_or(Refusal::NotFound)?;
        Simulation::decode(id, &record.status)
    }

    /// One page of all simulations, newest first; where the next one begins.
    pub async fn simulations(
        &self,
        after: Option<crate::store::Cursor>,
        limit: usize,
    ) -> Result<(Vec<Simulation>, Option<crate::store::Cursor>), Refusal> {
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
    fn encode(&self) -> Bytes {
        super::to_json(self)
    }

    fn decode(id: &str, bytes: &[u8]) -> Result<Simulation, Refusal> {
        let read: Result<Simulation, StoreError> = super::from_json(bytes);
        let id = id.to_owned();
        Ok(Simulation { id, ..read? })
    }

    fn listing(&self) -> Listing {
        Listing {
            placements: vec![Placement {
                index: Index::SIMULATIONS,
                score: self.created_at_ms,
            }],
            summary: self.encode(),
        }
    }
}

/// Plays in a thread of its own, which nobody waits for when the server stops, and writes down how far it has come.
async fn run(
    store: Arc<dyn Store>,
    mut simulation: Simulation,
    expires_at_ms: u64,
    program: Arc<Program>,
    plan: Plan,
) {
    let Ok(_turn) = RUNNING.acquire().await else {
        return;
    };
    let (tell, mut told) = watch::channel(Progress::default());
    std::thread::spawn(move || {
        let summary = simulate::run(&program, &plan, &mut |_| {
            tell.send_modify(|progress| progress.played += 1);
        });
        let summary = serde_json::to_value(summary).unwrap_or_default();
        tell.send_modify(|progress| progress.summary = Some(summary));
    });
    let mut revision = 1;
    while told.changed().await.is_ok() {
        let progress = told.borrow_and_update().clone();
        simulation.played = progress.played;
        simulation.summary = progress.summary;
        let mut commit = Commit::new(&simulation.id, revision);
        commit.status = Some(simulation.encode());
        commit.listing = Some(simulation.listing());
        commit.expires_at_ms = Some(expires_at_ms);
        match store.commit(commit).await {
            Ok(Committed::Done(position)) => revision = position.revision,
            Ok(_) => return, // removed, or expired
            Err(error) => {
                tracing::warn!(%error, "a simulation cannot be written down");
                return;
            }
        }
        if simulation.summary.is_some() {
            return;
        }
        tokio::time::sleep(WRITE_DOWN).await;
    }
}

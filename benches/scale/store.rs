//! One store with the sessions in it, and the node that serves them.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::Settings;
use crate::fill::{self, Filled};
use crate::lobby;
use crate::moves;
use crate::servers::{Node, Redis};
use crate::times::{Times, median, milliseconds};

/// Number of sessions that receive moves and that the node has in its cache.
const FEW: usize = 600;
/// Until a node has done all that it does at its start.
const IDLE_AFTER: Duration = Duration::from_secs(3);

pub struct Store {
    pub redis: Redis,
    pub node: Node,
    pub filled: Filled,
    /// Bytes of Redis without sessions.
    empty: f64,
    samples: Samples,
}

/// The repeated measurements.
#[derive(Default)]
struct Samples {
    starts: Vec<f64>,
    few: Vec<Times>,
    any: Vec<Times>,
    alone: Vec<Times>,
    pages: Vec<(&'static str, Vec<Times>)>,
    costs: Vec<Cost>,
}

/// Of a move, averaged over a sample.
#[derive(Clone, Copy, Serialize)]
pub struct Cost {
    pub node_us: f64,
    pub redis_us: f64,
    /// Bytes that Redis was sent, and that it sent.
    pub to_redis: f64,
    pub from_redis: f64,
}

#[derive(Serialize)]
pub struct Measured {
    sessions: usize,
    filling: fill::Filling,
    redis_bytes_a_session: f64,
    redis_resident_bytes: f64,
    node_resident_bytes: f64,
    node_start_ms: f64,
    idle_commands_a_second: f64,
    moves_in_a_few: Times,
    moves_in_any: Times,
    moves_one_at_a_time: Times,
    cost_of_a_move: Cost,
    pages: Vec<(&'static str, Times)>,
}

impl Store {
    pub async fn fill(settings: &Settings, count: usize) -> Store {
        let redis = settings.redis();
        redis.is_settled().await;
        let filler = settings.node(&redis, &[]);
        filler.is_ready().await;
        let empty = redis.memory().await;
        eprintln!("{count} sessions");
        let filled = fill::fill(&filler.address, &redis, count, settings.memory * 1e9).await;
        drop(filler);
        // One that remembers nothing.
        let node = settings.node(&redis, &[]);
        node.is_ready().await;
        Store {
            redis,
            node,
            filled,
            empty,
            samples: Samples::default(),
        }
    }

    /// One sample of each measurement.
    pub async fn sample(&mut self, settings: &Settings, round: usize) {
        self.start(settings).await;
        self.moves(settings, round as u64).await;
        for (place, (name, path)) in lobby::questions(&self.filled).into_iter().enumerate() {
            let times = lobby::ask(&self.node.address, &path).await;
            if self.samples.pages.len() == place {
                self.samples.pages.push((name, Vec::new()));
            }
            self.samples.pages[place].1.push(times);
        }
    }

    async fn start(&mut self, settings: &Settings) {
        let began = Instant::now();
        let another = settings.node(&self.redis, &[]);
        another.is_ready().await;
        self.samples.starts.push(milliseconds(began.elapsed()));
    }

    async fn moves(&mut self, settings: &Settings, round: u64) {
        let address = &self.node.address;
        let running = &mut self.filled.running;
        let (connections, count) = (settings.connections, settings.moves);
        let few = FEW.min(running.len());
        let (node, redis) = (self.node.busy(), self.redis.busy().await);
        let (to, from) = self.redis.traffic().await;
        let any = moves::make(address, running, connections, count, round).await;
        let (to_after, from_after) = self.redis.traffic().await;
        let of_each = |spent: f64| spent / count as f64;
        self.samples.costs.push(Cost {
            node_us: of_each(self.node.busy() - node) * 1e6,
            redis_us: of_each(self.redis.busy().await - redis) * 1e6,
            to_redis: of_each(to_after - to),
            from_redis: of_each(from_after - from),
        });
        self.samples.any.push(any);
        let few = moves::make(address, &mut running[..few], connections, count, round).await;
        self.samples.few.push(few);
        let alone = moves::make(address, running, 1, count / 10, round).await;
        self.samples.alone.push(alone);
    }

    /// Commands a second while nobody plays.
    pub async fn idle(&self, seconds: u64) -> f64 {
        tokio::time::sleep(IDLE_AFTER).await;
        let before = self.redis.commands().await;
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        let sent = self.redis.commands().await - before;
        (sent / seconds as f64 * 10.0).round() / 10.0
    }

    /// Bytes of Redis that the sessions take.
    pub async fn bytes(&self) -> f64 {
        self.redis.memory().await - self.empty
    }

    pub async fn measured(&self, bytes: f64, idle: f64) -> Measured {
        let samples = &self.samples;
        let pages = samples.pages.iter();
        let pages = pages.map(|(name, samples)| (*name, Times::median(samples)));
        Measured {
            sessions: self.filled.count,
            redis_bytes_a_session: (bytes / self.filled.count as f64).round(),
            redis_resident_bytes: self.redis.resident().await,
            node_resident_bytes: self.node.resident(),
            node_start_ms: median(samples.starts.clone()),
            idle_commands_a_second: idle,
            moves_in_a_few: Times::median(&samples.few),
            moves_in_any: Times::median(&samples.any),
            moves_one_at_a_time: Times::median(&samples.alone),
            cost_of_a_move: Cost::median(&samples.costs),
            pages: pages.collect(),
            filling: self.filled.filling.clone(),
        }
    }
}

impl Cost {
    fn median(costs: &[Cost]) -> Cost {
        let of = |number: fn(&Cost) -> f64| median(costs.iter().map(number).collect()).round();
        Cost {
            node_us: of(|cost| cost.node_us),
            redis_us: of(|cost| cost.redis_us),
            to_redis: of(|cost| cost.to_redis),
            from_redis: of(|cost| cost.from_redis),
        }
    }
}

impl Measured {
    /// Returns the rows of the table: a name and a number each.
    pub fn rows(&self) -> Vec<(String, f64)> {
        let row = |name: &str, number: f64| (name.to_owned(), number);
        let mut rows = vec![
            row("sessions", self.sessions as f64),
            row("filled in, s", self.filling.seconds.round()),
            row("  requests for that", self.filling.requests as f64),
            row("bytes of Redis a session", self.redis_bytes_a_session),
            row(
                "memory of Redis, MB",
                (self.redis_resident_bytes / 1e6).round(),
            ),
            row(
                "memory of the node, MB",
                (self.node_resident_bytes / 1e6).round(),
            ),
            row("start of a node, ms", self.node_start_ms),
            row("commands/s of an idle node", self.idle_commands_a_second),
            row(
                "processor time of a move, node, µs",
                self.cost_of_a_move.node_us,
            ),
            row("  Redis, µs", self.cost_of_a_move.redis_us),
            row("bytes of a move to Redis", self.cost_of_a_move.to_redis),
            row("  from Redis", self.cost_of_a_move.from_redis),
        ];
        let mut add = |name: &str, times: &Times| {
            rows.push(row(name, times.rate));
            rows.push(row("  p50, ms", times.p50_ms));
            rows.push(row("  p99, ms", times.p99_ms));
        };
        add("moves/s in a few sessions", &self.moves_in_a_few);
        add("moves/s in any sessions", &self.moves_in_any);
        add("moves/s, one at a time", &self.moves_one_at_a_time);
        for (name, times) in &self.pages {
            add(&format!("pages/s of the lobby, {name}"), times);
        }
        rows
    }
}

//! Measures the cost of many sessions in a store, beside a thousand: memory, moves, the lobby, the start of a node, an
//! idle node, expiry, the failover of a master.
//!
//! `cargo bench --bench scale -- --sessions 1000,100000` starts a Redis of its own on loopback for each number, with a node,
//! and
//!
//! 1. plays every session over HTTP, see `kinds.rs` for what they are;
//! 2. measures in rounds, in each of which it comes to all stores, and reports the median of the rounds: so whatever else
//!    the machine does troubles all stores alike;
//! 3. lets many sessions expire at once (copies, by the code of `wyrmgate store copy`), in the smallest and in the largest store.
//!
//! With `--cluster` each store is six processes, and instead of the third a master of the largest is killed. With `--kinds` it tells
//! only what a session of each kind takes. All that it has started it stops; progress goes to stderr.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark may stop at the first surprise"
)]

#[path = "../http/client.rs"]
mod client;
mod expiry;
mod failover;
mod fill;
mod kinds;
mod lobby;
mod moves;
mod play;
mod servers;
mod store;
mod times;

use clap::Parser;
use futures_util::future::join_all;
use serde::Serialize;

use crate::client::Client;
use crate::expiry::Expiry;
use crate::failover::Failover;
use crate::play::Played;
use crate::servers::{Node, Redis};
use crate::store::{Measured, Store};

/// As the server has it.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures the cost of many sessions in a store
#[derive(Debug, Parser)]
#[command(name = "cargo bench --bench scale --")]
pub struct Settings {
    /// How many, for each store
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000])]
    sessions: Vec<usize>,
    /// Rounds of measurements
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Moves of one sample
    #[arg(long, default_value_t = 3_000)]
    moves: usize,
    /// Connections that make moves
    #[arg(long, default_value_t = 32)]
    connections: usize,
    /// Seconds in which the commands of idle nodes are counted
    #[arg(long, default_value_t = 30)]
    idle: u64,
    /// Sessions that expire at about the same time
    #[arg(long, default_value_t = 5_000)]
    expiring: usize,
    /// Memory limit of each Redis in gigabytes; filling stops there
    #[arg(long, default_value_t = 8.0)]
    memory: f64,
    /// A single Redis that runs already, to which the sessions are added
    #[arg(long, value_name = "URL", conflicts_with_all = ["cluster", "redis"])]
    on: Option<String>,
    /// Six processes for each store instead of one; at the end a master is killed
    #[arg(long)]
    cluster: bool,
    /// Only what a session of each kind takes in Redis
    #[arg(long)]
    kinds: bool,
    /// A setting of Redis, such as stream-node-max-bytes=1024
    #[arg(long, value_name = "NAME=VALUE")]
    redis: Vec<String>,
    /// The program to measure [the one that was built with this bench]
    #[arg(long, value_name = "PROGRAM")]
    server: Option<String>,
    /// Print numbers for machines
    #[arg(long)]
    json: bool,
    #[arg(long, hide = true)]
    bench: bool,
}

impl Settings {
    fn node(&self, redis: &Redis, more: &[&str]) -> Node {
        Node::start(&redis.url, self.server.as_deref(), more)
    }

    fn redis_options(&self) -> Vec<String> {
        let parts = self.redis.iter().flat_map(|setting| {
            let (name, value) = setting.split_once('=').expect("a setting is NAME=VALUE");
            [format!("--{name}"), value.to_owned()]
        });
        parts.collect()
    }
}

impl Settings {
    fn redis(&self) -> Redis {
        match &self.on {
            Some(url) => Redis::there(url),
            None if self.cluster => Redis::cluster(&self.redis_options()),
            None => Redis::alone(&self.redis_options()),
        }
    }
}

fn main() {
    let settings = Settings::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    match settings.kinds {
        true => runtime.block_on(tell_kinds(&settings)),
        false => runtime.block_on(tell_stores(&settings)),
    }
}

#[derive(Default, Serialize)]
struct Report {
    stores: Vec<Measured>,
    expiries: Vec<Expiry>,
    failover: Option<Failover>,
}

async fn tell_stores(settings: &Settings) {
    let mut stores = Vec::new();
    for count in &settings.sessions {
        stores.push(Store::fill(settings, *count).await);
    }
    let bytes = join_all(stores.iter().map(Store::bytes)).await;
    let idle = join_all(stores.iter().map(|store| store.idle(settings.idle))).await;
    for round in 1..=settings.rounds {
        eprintln!("round {round} of {}", settings.rounds);
        for store in &mut stores {
            store.sample(settings, round).await;
        }
    }
    let mut report = Report::default();
    for ((store, bytes), idle) in stores.iter().zip(bytes).zip(idle) {
        report.stores.push(store.measured(bytes, idle).await);
    }
    report.print_stores(settings);
    if settings.cluster {
        if let Some(largest) = stores.last_mut() {
            report.failover = Some(failover::measure(settings, largest).await);
        }
    } else if settings.expiring > 0 {
        let models = expiry::models(&stores).await;
        let last = stores.len().saturating_sub(1);
        for (place, store) in stores.iter_mut().enumerate() {
            if place == 0 || place == last {
                report
                    .expiries
                    .push(expiry::measure(settings, store, &models).await);
            }
        }
    }
    report.print_rest(settings);
}

impl Report {
    /// At once, because the rest takes long.
    fn print_stores(&self, settings: &Settings) {
        if settings.json {
            return;
        }
        let columns: Vec<_> = self.stores.iter().map(Measured::rows).collect();
        for (place, (name, _)) in columns.first().into_iter().flatten().enumerate() {
            let numbers = columns.iter().map(|rows| format!("{:>12}", rows[place].1));
            println!("{name:<46}{}", numbers.collect::<String>());
        }
    }

    fn print_rest(&self, settings: &Settings) {
        if settings.json {
            let text = serde_json::to_string_pretty(self).expect("numbers are JSON");
            println!("{text}");
            return;
        }
        for expiry in &self.expiries {
            println!("{}", expiry.told());
        }
        if let Some(failover) = &self.failover {
            println!("{}", failover.told());
        }
    }
}

/// The memory of a session in Redis, in bytes.
#[derive(Serialize)]
struct KindTaken {
    kind: &'static str,
    sessions: usize,
    moves: f64,
    bytes: f64,
}

async fn tell_kinds(settings: &Settings) {
    /// First every bucket's lists must be there.
    const BEFORE: usize = 4_000;
    const EACH: usize = 1_000;
    let redis = Redis::alone(&settings.redis_options());
    let node = settings.node(&redis, &[]);
    node.is_ready().await;
    fill::fill(&node.address, &redis, BEFORE, f64::MAX).await;
    let mut taken = Vec::new();
    for kind in &kinds::KINDS {
        let before = redis.memory().await;
        let mut client = Client::connect(&node.address).await;
        let mut moves = 0;
        for _ in 0..EACH {
            moves += Played::play(&mut client, kind).await.moves;
        }
        let each = |sum: f64| (sum / EACH as f64).round();
        taken.push(KindTaken {
            kind: kind.name,
            sessions: EACH,
            moves: each(moves as f64),
            bytes: each(redis.memory().await - before),
        });
    }
    match settings.json {
        true => println!(
            "{}",
            serde_json::to_string_pretty(&taken).expect("numbers are JSON")
        ),
        false => taken.iter().for_each(|taken| {
            println!(
                "{:<44}{:>4} moves{:>8} bytes",
                taken.kind, taken.moves, taken.bytes
            );
        }),
    }
}

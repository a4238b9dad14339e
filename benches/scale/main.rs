//! What a store of many sessions costs, beside one of a thousand: memory, moves, the lobby, the start of a node, an idle
//! node, expiry, the failover of a master.
//!
//! `cargo bench --bench scale -- --sessions 100000` starts a Redis of its own on loopback, a node on it, and
//!
//! 1. lets 200 *models* be played over HTTP: running games with and without clocks, some that wait for players, some that
//!    are over;
//! 2. fills the store with copies of them, each under an id of its own, by `Store::import`, the code of `wyrmgate store
//!    copy`: a copy has every key and every place in the lists that its model has; it lacks the numbers of the last eight
//!    operations, at most 200 bytes;
//! 3. measures at 1,000 sessions and at all of them, and prints a table.
//!
//! With `--cluster` the same on six processes, and at the end a master is killed. What it has started it stops. With
//! `--redis URL` it fills a server that is there already and goes on where an earlier run has stopped.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark may stop at the first surprise"
)]

#[path = "../http/client.rs"]
mod client;
mod fill;
mod moves;
mod servers;

use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::{Value, json};
use wyrmgate::store::{self, Store};

use crate::client::Client;
use crate::fill::Models;
use crate::servers::{Node, Redis};

/// As the server has it.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What a store of many sessions costs
#[derive(Debug, Parser)]
#[command(name = "cargo bench --bench scale --")]
struct Settings {
    /// How many
    #[arg(long, default_value_t = 100_000)]
    sessions: usize,
    /// Seconds of each measurement
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Connections that make moves
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// The game that is played, one with two seats
    #[arg(long, default_value = "way-of-the-dragon")]
    game: String,
    /// What Redis may use in all, in gigabytes; filling stops there
    #[arg(long, default_value_t = 8.0)]
    memory: f64,
    /// Six processes instead of one, of which a master is killed at the end
    #[arg(long)]
    cluster: bool,
    /// A server that runs already, instead of one of our own
    #[arg(long, value_name = "URL")]
    redis: Option<String>,
    /// The program to measure [the one that was built with this bench]
    #[arg(long, value_name = "PROGRAM")]
    server: Option<String>,
    #[arg(long, hide = true)]
    bench: bool,
}

const FEW: usize = 1_000;

fn main() {
    let settings = Settings::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(measure(&settings));
}

async fn measure(settings: &Settings) {
    let mut redis = match &settings.redis {
        Some(url) => Redis::of_others(url),
        None if settings.cluster => Redis::cluster(),
        None => Redis::alone(),
    };
    let store = store::open(&redis.url).await.expect("the store opens");
    let node = Node::start(&redis.url, settings.server.as_deref());
    let mut models = Models::play(&node.address, &settings.game).await;
    models.read(&*store).await;
    println!(
        "{} models, {} moves in each running one on average",
        models.count(),
        models.moves_on_average()
    );
    let mut table = Vec::new();
    for count in [FEW.min(settings.sessions), settings.sessions] {
        fill::fill(&store, &mut models, count, &redis, settings.memory).await;
        table.push(column(settings, &redis, &node, &models).await);
    }
    print(&table);
    expiry(settings, &store, &redis, &node, &models).await;
    if settings.cluster {
        failover(settings, &mut redis, &node, &models).await;
    }
}

/// All that is measured at one number of sessions.
async fn column(settings: &Settings, redis: &Redis, node: &Node, models: &Models) -> Value {
    let count = models.written();
    let memory = redis.memory().await - models.memory_before;
    let began = Instant::now();
    let another = Node::start(&redis.url, settings.server.as_deref());
    let start = began.elapsed();
    drop(another);
    let idle = idle(redis).await;
    let (all, hot) = (
        models.copies(),
        &models.copies()[..FEW.min(models.copies().len())],
    );
    let hot = moves::make(&node.address, hot, settings.connections, settings.seconds).await;
    let cold = moves::make(&node.address, all, settings.connections, settings.seconds).await;
    let alone = moves::make(&node.address, all, 1, settings.seconds).await;
    let lobby = lobby(&node.address, "waiting").await;
    let finished = lobby_of_game(&node.address, &settings.game).await;
    json!({
        "sessions": count,
        "bytes of Redis a session": (memory / count as f64).round(),
        "start of a node, ms": start.as_millis() as u64,
        "commands/s of an idle node": idle,
        "moves/s in the same 1,000, each after a look": hot.rate.round(),
        "  p99, ms": milliseconds(hot.p99),
        "moves/s in any, each after a look": cold.rate.round(),
        "  p50, ms": milliseconds(cold.p50),
        "  p99 of any, ms": milliseconds(cold.p99),
        "one connection, p50, ms": milliseconds(alone.p50),
        "page of the lobby, p50, ms": milliseconds(lobby.p50),
        "  p99 of a page, ms": milliseconds(lobby.p99),
        "page of a game's finished ones, p50, ms": milliseconds(finished.p50),
    })
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}

fn print(table: &[Value]) {
    let first = table.first().and_then(Value::as_object);
    for name in first.into_iter().flat_map(|first| first.keys()) {
        let row: Vec<_> = table
            .iter()
            .map(|column| format!("{:>12}", column[name].to_string()))
            .collect();
        println!("{name:<42}{}", row.join(""));
    }
}

/// What the one node sends while nobody plays.
async fn idle(redis: &Redis) -> f64 {
    const SECONDS: u64 = 10;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let before = redis.commands().await;
    tokio::time::sleep(Duration::from_secs(SECONDS)).await;
    let sent = redis.commands().await - before;
    (sent / SECONDS as f64 * 10.0).round() / 10.0
}

/// Pages of twenty, from the newest on.
async fn lobby(address: &str, status: &str) -> moves::Times {
    pages(address, &format!("/v1/sessions?limit=20&status={status}")).await
}

async fn lobby_of_game(address: &str, game: &str) -> moves::Times {
    let path = format!("/v1/sessions?limit=20&status=finished&game={game}");
    pages(address, &path).await
}

async fn pages(address: &str, path: &str) -> moves::Times {
    const PAGES: usize = 100;
    let mut client = Client::connect(address).await;
    let (mut times, mut next) = (Vec::new(), None::<String>);
    for _ in 0..PAGES {
        let path = match &next {
            Some(cursor) => format!("{path}&cursor={cursor}"),
            None => path.to_owned(),
        };
        let began = Instant::now();
        let answer = client.call("GET", &path, "", "").await;
        times.push(began.elapsed());
        let page: Value = serde_json::from_str(answer).expect("JSON");
        next = page["next"].as_str().map(str::to_owned);
    }
    moves::Times::of(times, 1.0)
}

/// Many sessions end at about the same time, while moves are made.
async fn expiry(
    settings: &Settings,
    store: &std::sync::Arc<dyn Store>,
    redis: &Redis,
    node: &Node,
    models: &Models,
) {
    let count = (settings.sessions / 5).clamp(1_000, 100_000);
    let lasting = Duration::from_secs_f64(settings.seconds * 2.0);
    let ends_at = fill::now_ms() + 20_000;
    let before = redis.keys().await;
    let began = Instant::now();
    fill::expiring(store, models, count, ends_at, lasting).await;
    let with = redis.keys().await;
    let wait = Duration::from_secs(20).saturating_sub(began.elapsed());
    tokio::time::sleep(wait).await;
    let made = moves::make(
        &node.address,
        models.copies(),
        settings.connections,
        lasting.as_secs_f64(),
    )
    .await;
    let waited = Instant::now();
    while redis.keys().await > before + (with - before) / 100.0 {
        assert!(
            waited.elapsed() < Duration::from_secs(120),
            "expired keys stay"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let after = waited.elapsed();
    println!(
        "{count} sessions expire within {:.0} s: {:.0} moves/s, p99 {} ms meanwhile; {:.1} s later Redis has forgotten 99 % of their keys",
        lasting.as_secs_f64(),
        made.rate,
        milliseconds(made.p99),
        after.as_secs_f64(),
    );
}

/// A master is killed: how long its sessions answer nothing.
async fn failover(settings: &Settings, redis: &mut Redis, node: &Node, models: &Models) {
    redis.kill_a_master();
    let began = Instant::now();
    let mut client = reqwest::Client::builder();
    client = client.timeout(Duration::from_secs(5));
    let client = client.build().expect("a client");
    let mut answered = 0;
    let sample: Vec<_> = models.copies().iter().take(300).collect();
    let mut waiting: Vec<_> = sample.clone();
    while !waiting.is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "no failover");
        let mut still = Vec::new();
        for copy in waiting {
            let url = format!("http://{}/v1/sessions/{}", node.address, copy.id);
            let asked = client.get(url).send().await;
            match asked.is_ok_and(|answer| answer.status().is_success()) {
                true => answered += 1,
                false => still.push(copy),
            }
        }
        waiting = still;
    }
    println!(
        "a master is killed: {answered} sessions of all masters answer again after {:.1} s",
        began.elapsed().as_secs_f64()
    );
    let made = moves::make(
        &node.address,
        models.copies(),
        settings.connections,
        settings.seconds,
    )
    .await;
    println!(
        "then {:.0} moves/s, p99 {} ms",
        made.rate,
        milliseconds(made.p99)
    );
}

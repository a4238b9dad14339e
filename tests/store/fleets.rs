//! Fleets of nodes on one store: the commands that they send while idle, and that due work is done in time, once, also
//! while nodes are killed.
//!
//! A node is a thread with a runtime and a store of its own, that watches all that the service watches. Killing it ends the
//! thread with all its connections; it says nothing more. `WYRMGATE_FAULT_SECONDS=120 cargo test --release --test store
//! fleets -- --nocapture` is the long form.

use std::ops::Range;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use redis::cmd;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};
use wyrmgate::metrics::Metrics;
use wyrmgate::rules::Library;
use wyrmgate::session::{Duty, Service};
use wyrmgate::store::{
    Bytes, ChangeMark, Commit, Committed, Create, Index, Listing, Placement, SessionRecord, Store,
    open, session_id,
};

use crate::cases::now_ms;
use crate::nodes::{Cluster, tell, until};
use crate::server::Server;

const SEED: u64 = 15;
/// Maximum number of commands per second of an idle node, …
const IDLE: f64 = 20.0;
/// … and how much more for a thousand sessions that wait.
const A_THOUSAND_WAIT: f64 = 1.0;
const WAITING: u64 = 1_000;
/// See `session/content/deadline.rs`.
pub const GRACE_MS: u64 = 250;
/// The maximum delay of a time-out.
const LATE_MS: u64 = 1_000;
/// Number of time-outs of each session.
pub const TIMES: usize = 3;
const SESSIONS: usize = 150;

/// `WYRMGATE_FAULT_SECONDS` states for how long nodes are killed, for a long test.
fn faults() -> Duration {
    let stated = std::env::var("WYRMGATE_FAULT_SECONDS").ok();
    let seconds = stated.map_or(6, |text| text.parse().expect("a number of seconds"));
    Duration::from_secs(seconds)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_node_on_redis_is_idle_and_in_time() {
    let server = Server::start();
    is_idle_and_in_time(&server.url(), &[&server], 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nodes_on_redis_are_idle_and_in_time() {
    let server = Server::start();
    is_idle_and_in_time(&server.url(), &[&server], 3).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twelve_nodes_on_redis_are_idle_and_in_time() {
    let server = Server::start();
    is_idle_and_in_time(&server.url(), &[&server], 12).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fleets_on_a_cluster_are_idle_and_in_time() {
    let cluster = Cluster::start(3, 3).await;
    let masters: Vec<&Server> = cluster.nodes.iter().take(3).collect();
    for nodes in [1, 3, 12] {
        cluster.forget_everything().await;
        is_idle_and_in_time(&cluster.url(), &masters, nodes).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_master_dies_while_time_is_up_and_nothing_is_lost_or_done_twice() {
    let mut cluster = Cluster::start(3, 3).await;
    let url = cluster.url();
    let store = open(&url).await.unwrap();
    let nodes: Vec<_> = (0..3).map(|_| Node::start(&url)).collect();
    sleep(Duration::from_secs(3)).await;
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let began = now_ms();
    let mut sessions = Vec::new();
    for _ in 0..SESSIONS {
        let deadline = began + random.random_range(500..8_000);
        sessions.push(create(&*store, deadline).await);
    }
    sleep(Duration::from_secs(2)).await;
    let killed = now_ms();
    cluster.nodes[0].kill();
    for session in &sessions {
        until(async || store.load(session).await.is_ok()).await;
    }
    let back = now_ms();
    sleep(Duration::from_millis(
        8_000 + TIMES as u64 * (NEXT_MS.end + LATE_MS),
    ))
    .await;
    let mut latest = 0;
    for session in &sessions {
        // Work that was due shortly before may have been done and then lost with the master.
        latest = latest.max(latest_but(&*store, session, killed - LATE_MS..back).await);
    }
    println!(
        "a master is killed, its sessions answer again after {} ms: {} time-outs, at most {latest} ms late after that, seed {SEED}",
        back - killed,
        SESSIONS * TIMES
    );
    drop(nodes);
}

async fn is_idle_and_in_time(url: &str, masters: &[&Server], count: usize) {
    let store = open(url).await.unwrap();
    let mut nodes: Vec<_> = (0..count).map(|_| Node::start(url)).collect();
    // Their first commands are over then, also on a busy machine.
    sleep(Duration::from_secs(6)).await;
    let of_all = IDLE * count as f64;
    let idle = commands_a_second(masters).await;
    assert!(idle <= of_all, "{count} idle nodes: {idle} commands/s");
    for number in 0..WAITING {
        create(&*store, now_ms() + 3_600_000 + number).await;
    }
    let waiting = commands_a_second(masters).await;
    let most = of_all + A_THOUSAND_WAIT * WAITING as f64 / 1_000.0;
    assert!(waiting <= most, "{count} nodes, a thousand wait: {waiting}");

    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let began = now_ms();
    let mut sessions = Vec::new();
    for _ in 0..SESSIONS {
        let time = faults().as_millis() as u64;
        sessions.push(create(&*store, began + 500 + random.random_range(0..time)).await);
    }
    let kills = kill_at_random(url, &mut nodes, &mut random).await;
    // The last deadline, and the time-outs that may follow it.
    sleep(Duration::from_millis(
        500 + TIMES as u64 * (NEXT_MS.end + LATE_MS),
    ))
    .await;
    let mut latest = 0;
    for session in &sessions {
        latest = latest.max(latest_of(&*store, session).await);
    }
    println!(
        "{count} nodes: {idle:.1} commands/s when idle, {waiting:.1} with {WAITING} waiting; {kills} killed, {} time-outs, \
         at most {latest} ms late, seed {SEED}",
        SESSIONS * TIMES
    );
}

/// Kills and replaces nodes at random times; in the end there are as many as in the beginning.
async fn kill_at_random(url: &str, nodes: &mut [Node], random: &mut ChaCha8Rng) -> usize {
    let began = Instant::now();
    let mut kills = 0;
    // A single node is never killed, because no other one could take over.
    while began.elapsed() < faults() {
        sleep(Duration::from_millis(random.random_range(300..900))).await;
        if nodes.len() > 1 {
            let victim = random.random_range(0..nodes.len());
            nodes[victim] = Node::start(url);
            kills += 1;
        }
    }
    kills
}

/// The time from a time-out to the next deadline of the session.
pub const NEXT_MS: Range<u64> = 200..1_200;

/// Returns the delay of the latest time-out of a session. Each must have happened once, and none early.
pub async fn latest_of(store: &dyn Store, session: &str) -> u64 {
    latest_but(store, session, 0..0).await
}

/// Returns the same, with delays counted from the end of an outage for work that was due in it.
async fn latest_but(store: &dyn Store, session: &str, outage: Range<u64>) -> u64 {
    let entries = store.events(session, 0, 100).await.unwrap();
    assert_eq!(entries.len(), TIMES, "{session} timed out so often");
    let mut latest = 0;
    let mut before = 0;
    for entry in entries {
        let [due, at] = numbers(&entry.bytes);
        assert!(due > before, "{session} timed out twice for {due}");
        assert!(at >= due, "{session}: {} ms early", due - at);
        let possible = if outage.contains(&due) {
            outage.end
        } else {
            due
        };
        latest = latest.max(at.saturating_sub(possible));
        before = due;
    }
    assert!(latest < LATE_MS, "{session}: {latest} ms late");
    latest
}

fn numbers<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let text = str::from_utf8(bytes).unwrap();
    let numbers: Vec<u64> = text.split(' ').map(|word| word.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

/// Creates a session with this deadline. Its status has the deadline and the number of time-outs.
pub async fn create(store: &dyn Store, deadline: u64) -> String {
    let session = session_id(None).unwrap();
    let mut create = Create::new(&session);
    create.status = status(deadline, 0);
    create.listing = listing(Some(deadline));
    create.mark = ChangeMark::draw().unwrap();
    store.create(create).await.unwrap();
    session
}

fn status(deadline: u64, times: u64) -> Bytes {
    format!("{deadline} {times}").as_bytes().into()
}

fn listing(deadline: Option<u64>) -> Listing {
    let place = |score| Placement {
        index: Index::DEADLINES,
        score,
    };
    Listing {
        placements: deadline.map(place).into_iter().collect(),
    }
}

/// Times out a session as the service does: decides by the present record, and writes unless another node was faster.
async fn time_out(store: &dyn Store, session: &str) {
    let Some(record) = store.load(session).await.unwrap_or_default() else {
        return;
    };
    let [deadline, times] = numbers(&record.status);
    let now = now_ms();
    if deadline + GRACE_MS > now || times as usize >= TIMES {
        return;
    }
    let times = times + 1;
    let room = NEXT_MS.end - NEXT_MS.start;
    let next = (now + NEXT_MS.start + deadline % room).max(deadline + 1);
    let mut commit = after(session, &record);
    commit.entry = Some(format!("{deadline} {now}").as_bytes().into());
    commit.status = Some(status(next, times));
    commit.listing = Some(listing(((times as usize) < TIMES).then_some(next)));
    if let Ok(done) = store.commit(commit).await {
        assert!(!matches!(done, Committed::Absent));
    }
}

fn after(session: &str, record: &SessionRecord) -> Commit {
    let mut commit = Commit::new(session, record.position.revision);
    commit.expected_mark = record.mark;
    commit.mark = ChangeMark::draw().unwrap();
    commit
}

pub struct Node {
    kill: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Node {
    pub fn start(url: &str) -> Node {
        let url = url.to_owned();
        let (kill, killed) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                tokio::select! {
                    () = serve(&url) => {}
                    _ = killed => {}
                }
            });
        });
        Node {
            kill: Some(kill),
            thread: Some(thread),
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        drop(self.kill.take());
        self.thread.take().unwrap().join().unwrap();
    }
}

async fn serve(url: &str) {
    let store = open(url).await.unwrap();
    let (library, metrics) = (Arc::new(Library::default()), Arc::new(Metrics::default()));
    let lifetime = Duration::from_secs(3_600);
    let service = Service::new(store.clone(), library, metrics, lifetime);
    let others = [Duty::Bots, Duty::Simulations].map(|duty| service.watch(duty));
    let mut clocks = service.watch(Duty::Clocks).unwrap();
    while let Some(turn) = clocks.next().await {
        let store = store.clone();
        tokio::spawn(async move { time_out(&*store, &turn.session).await });
    }
    drop(others);
}

/// Returns the number of commands that the masters have received, except from replicas and from this test, including
/// those within scripts.
async fn commands_a_second(masters: &[&Server]) -> f64 {
    const SECONDS: u64 = 5;
    for master in masters {
        tell::<()>(master, cmd("CONFIG").arg("RESETSTAT")).await;
    }
    sleep(Duration::from_secs(SECONDS)).await;
    let mut calls = 0;
    for master in masters {
        let stats: String = tell(master, cmd("INFO").arg("commandstats")).await;
        calls += stats.lines().filter_map(calls_in).sum::<u64>();
    }
    calls as f64 / SECONDS as f64
}

fn calls_in(line: &str) -> Option<u64> {
    const OTHERS: [&str; 6] = ["config", "info", "hello", "client", "replconf", "ping"];
    let (name, rest) = line.strip_prefix("cmdstat_")?.split_once(":calls=")?;
    let is_others = OTHERS.iter().any(|other| name.starts_with(other));
    let calls = rest.split(',').next()?.parse().ok();
    calls.filter(|_| !is_others)
}

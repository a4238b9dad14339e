//! Upgrades of a fleet: nodes run beside nodes of an earlier version, which poll and do not notify others of their
//! writes, and after them.
//!
//! The scripts of that version, in `tests/fixtures/earlier`, stand for its nodes.

use std::time::Duration;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use redis::aio::MultiplexedConnection;
use redis::{Script, pipe};
use tokio::time::{Instant, sleep, timeout};
use wyrmgate::store::{ChangeMark, Index, WatchTerms, open, session_id};

use crate::cases::now_ms;
use crate::fleets::{GRACE_MS, NEXT_MS, Node, TIMES, create, latest_of};
use crate::nodes::raw;
use crate::server::Server;

const BUCKETS: u16 = 1_024;
/// Polling interval of a node of that version.
const LOOK: Duration = Duration::from_millis(125);
const SESSIONS: usize = 30;
/// The range of the first deadlines.
const FIRST_MS: std::ops::Range<u64> = 1_500..3_500;

/// A node of an earlier version.
struct Earlier {
    connection: MultiplexedConnection,
    create: Script,
    commit: Script,
}

impl Earlier {
    async fn start(server: &Server) -> Earlier {
        const SESSION: &str = include_str!("../fixtures/earlier/session.lua");
        let script = |rest: &str| Script::new(&[SESSION, rest].concat());
        Earlier {
            connection: raw(server).await,
            create: script(include_str!("../fixtures/earlier/create.lua")),
            commit: script(include_str!("../fixtures/earlier/commit.lua")),
        }
    }

    /// Creates a session, like `fleets::create`.
    async fn create(&mut self, deadline: u64) -> String {
        let session = session_id(None).unwrap();
        let mut call = begin(&self.create, &session);
        let mark = ChangeMark::draw().unwrap().to_string();
        let placements = placements(Some(deadline));
        let status = format!("{deadline} 0");
        for text in [
            "",
            "",
            "",
            &status,
            "",
            "",
            "",
            "",
            "",
            &placements,
            "",
            "",
            &mark,
        ] {
            call.arg(text);
        }
        let _: String = call.invoke_async(&mut self.connection).await.unwrap();
        session
    }

    /// Polls all buckets until then, and serves what is due.
    async fn serve(&mut self, until: Instant) {
        while Instant::now() < until {
            let up_to = format!("[{:016x}~", now_ms() - GRACE_MS);
            let mut looks = pipe();
            for bucket in 0..BUCKETS {
                let look = looks.cmd("ZRANGEBYLEX").arg(format!("{{{bucket}}}t"));
                look.arg("-").arg(&up_to);
            }
            let due: Vec<Vec<String>> = looks.query_async(&mut self.connection).await.unwrap();
            for place in due.into_iter().flatten() {
                self.time_out(&place[16..]).await;
            }
            sleep(LOOK).await;
        }
    }

    /// Times out a session, like `fleets::time_out`.
    async fn time_out(&mut self, session: &str) {
        let mut ask = redis::cmd("HMGET");
        ask.arg(key(session, "s:")).arg("r").arg("t").arg("a");
        let (revision, status, before): (String, String, String) =
            ask.query_async(&mut self.connection).await.unwrap();
        let (deadline, times) = status.split_once(' ').unwrap();
        let (deadline, times): (u64, usize) = (deadline.parse().unwrap(), times.parse().unwrap());
        let now = now_ms();
        if deadline + GRACE_MS > now || times >= TIMES {
            return;
        }
        let (times, next) = (times + 1, (now + NEXT_MS.start).max(deadline + 1));
        let status = format!("{next} {times}");
        let entry = format!("{deadline} {now}");
        let placements = placements((times < TIMES).then_some(next));
        let mark = ChangeMark::draw().unwrap().to_string();
        let mut call = begin(&self.commit, session);
        for text in [
            "",
            "",
            &revision,
            "tel",
            &status,
            "",
            &entry,
            &placements,
            "",
            "",
            &before,
            &mark,
        ] {
            call.arg(text);
        }
        // If another node was faster, it answers with the present state.
        let _: redis::Value = call.invoke_async(&mut self.connection).await.unwrap();
    }
}

fn begin<'a>(script: &'a Script, session: &str) -> redis::ScriptInvocation<'a> {
    let mut call = script.prepare_invoke();
    for kind in ["s:", "e:", "i:", "k:"] {
        call.key(key(session, kind));
    }
    call.arg(tag(session)).arg(session);
    call.arg(format!("{:016x}", rand::rng().random::<u64>()));
    call.arg("PUBLISH");
    call
}

fn tag(session: &str) -> String {
    let hash = blake3::hash(session.as_bytes());
    let [low, high, ..] = *hash.as_bytes();
    format!("{{{}}}", u16::from_le_bytes([low, high]) % BUCKETS)
}

fn key(session: &str, kind: &str) -> String {
    [&tag(session), kind, session].concat()
}

fn placements(deadline: Option<u64>) -> String {
    let place = |deadline| format!("t {deadline:016x}\n");
    deadline.map(place).unwrap_or_default()
}

/// Returns the time until the last deadline has passed.
fn to_the_end() -> Duration {
    let each = NEXT_MS.end + 1_000;
    Duration::from_millis(FIRST_MS.end + TIMES as u64 * each)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_of_two_versions_serve_each_others_sessions_once_and_in_time() {
    let server = Server::start();
    let store = open(&server.url()).await.unwrap();
    let mut earlier = Earlier::start(&server).await;
    let nodes: Vec<_> = (0..2).map(|_| Node::start(&server.url())).collect();
    sleep(Duration::from_secs(2)).await;
    let mut random = ChaCha8Rng::seed_from_u64(21);
    let mut sessions = Vec::new();
    for _ in 0..SESSIONS {
        let deadline = now_ms() + random.random_range(FIRST_MS);
        sessions.push(create(&*store, deadline).await);
        sessions.push(earlier.create(deadline).await);
    }
    earlier.serve(Instant::now() + to_the_end()).await;
    for session in &sessions {
        latest_of(&*store, session).await;
    }
    drop(nodes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_starts_after_the_last_one_of_an_earlier_version_knows_what_that_one_wrote() {
    let server = Server::start();
    let store = open(&server.url()).await.unwrap();
    let before = Node::start(&server.url());
    sleep(Duration::from_secs(2)).await;
    let mut earlier = Earlier::start(&server).await;
    let mut random = ChaCha8Rng::seed_from_u64(22);
    let mut sessions = Vec::new();
    for _ in 0..SESSIONS {
        let deadline = now_ms() + random.random_range(FIRST_MS);
        sessions.push(earlier.create(deadline).await);
    }
    drop(earlier);
    let after = Node::start(&server.url());
    sleep(to_the_end()).await;
    for session in &sessions {
        latest_of(&*store, session).await;
    }
    drop((before, after));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_told_is_found_by_the_slow_survey() {
    let server = Server::start();
    let store = open(&server.url()).await.unwrap();
    let mut watch = store.watch(WatchTerms {
        index: Index::DEADLINES,
        grace: Duration::ZERO,
        hold: Duration::from_millis(100),
        turns_max: 8,
        polled_per_second: BUCKETS / 2,
    });
    sleep(Duration::from_secs(2)).await;
    let mut earlier = Earlier::start(&server).await;
    let session = earlier.create(now_ms() + 100).await;
    let turn = timeout(Duration::from_secs(8), watch.next()).await;
    assert_eq!(turn.expect("nobody looks").unwrap().session, session);
}

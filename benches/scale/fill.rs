//! Fills a store by playing every session over HTTP.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::client::Client;
use crate::kinds;
use crate::play::Played;
use crate::servers::Redis;

/// Number of concurrent connections.
const AT_ONCE: usize = 64;
/// Number of running sessions that later measurements make moves in.
const REMEMBERED: usize = 200_000;
const TOLD: Duration = Duration::from_secs(10);

/// The written sessions, as far as the measurements need them.
#[derive(Default)]
pub struct Filled {
    pub count: usize,
    /// A sample of running sessions from the whole store.
    pub running: Vec<Played>,
    /// Creation time and id of those that wait for a player, oldest first.
    pub waiting: Vec<(i64, String)>,
    pub filling: Filling,
}

/// The rate of creation.
#[derive(Clone, Default, Serialize)]
pub struct Filling {
    pub seconds: f64,
    pub requests: usize,
    pub moves: usize,
}

/// The sessions that one connection has written.
#[derive(Default)]
struct Part {
    played: Vec<Played>,
    waiting: Vec<(i64, String)>,
    requests: usize,
    moves: usize,
}

/// Plays until there are `count` sessions, or until Redis uses `bytes`.
pub async fn fill(address: &str, redis: &Redis, count: usize, bytes: f64) -> Filled {
    let began = Instant::now();
    let next = Arc::new(AtomicUsize::new(0));
    let is_full = Arc::new(AtomicBool::new(false));
    let every = count.div_ceil(REMEMBERED).max(1);
    let connections = (0..AT_ONCE.min(count)).map(|_| {
        let (address, next, is_full) = (address.to_owned(), next.clone(), is_full.clone());
        tokio::spawn(async move {
            let mut client = Client::connect(&address).await;
            let mut part = Part::default();
            while !is_full.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    break;
                }
                let played = Played::play(&mut client, kinds::of(number)).await;
                part.take(played, number % every == 0);
            }
            part
        })
    });
    let connections: Vec<_> = connections.collect();
    let mut told = Instant::now();
    while connections
        .iter()
        .any(|connection| !connection.is_finished())
    {
        tokio::time::sleep(Duration::from_millis(100)).await;
        if told.elapsed() > TOLD {
            told = Instant::now();
            let memory = redis.memory().await;
            let done = next.load(Ordering::Relaxed).min(count);
            let rate = done as f64 / began.elapsed().as_secs_f64();
            eprintln!(
                "  {done} of {count} sessions, {rate:.0} a second, {:.2} GB",
                memory / 1e9
            );
            is_full.store(memory > bytes, Ordering::Relaxed);
        }
    }
    let mut filled = Filled::default();
    for connection in connections {
        filled.add(connection.await.expect("the sessions are played"));
    }
    // Connections play the sessions that they have begun to the end.
    filled.count = next.load(Ordering::Relaxed).min(count);
    filled.waiting.sort_unstable();
    filled.filling.seconds = began.elapsed().as_secs_f64();
    if is_full.load(Ordering::Relaxed) {
        eprintln!("  the memory is used up at {} sessions", filled.count);
    }
    filled
}

impl Part {
    fn take(&mut self, played: Played, is_remembered: bool) {
        let seats = played.tokens.len();
        // The requests: the session, its seats, a view once all have joined, the moves.
        self.requests += 1 + seats + usize::from(seats > 1) + played.moves;
        self.moves += played.moves;
        if seats == 1 {
            self.waiting.push((played.created_at_ms, played.id));
        } else if played.owing.is_some() && is_remembered {
            self.played.push(played);
        }
    }
}

impl Filled {
    fn add(&mut self, part: Part) {
        self.running.extend(part.played);
        self.waiting.extend(part.waiting);
        self.filling.requests += part.requests;
        self.filling.moves += part.moves;
    }
}

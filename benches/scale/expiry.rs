//! Many sessions expire at about the same time, while moves are made.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::Settings;
use crate::fill;
use crate::moves;
use crate::store::Store;
use crate::times::Times;

/// A session expires so long after its last change.
const LIFETIME: &str = "20s";
const LIFETIME_S: u64 = 20;
/// Moves of one sample.
const MOVES: usize = 500;
/// After the last session should have expired.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Serialize)]
pub struct Expiry {
    /// That expired.
    sessions: usize,
    /// From the first to the last.
    within_s: f64,
    moves_before: Times,
    moves_meanwhile: Times,
    /// From when the last one should have expired, until none stands in a list; `None` if that took too long.
    gone_after_s: Option<f64>,
    /// Of theirs, that Redis has forgotten by then.
    expired_keys: f64,
}

/// A node with a short lifetime of sessions writes some; another one, which knows nothing of that, serves all others.
pub async fn measure(settings: &Settings, store: &mut Store) -> Expiry {
    let writer = settings.node(&store.redis, &["--session-lifetime", LIFETIME]);
    writer.is_ready().await;
    let (mortal, expired) = (store.redis.mortal().await, store.redis.expired().await);
    let began = Instant::now();
    let count = settings.expiring;
    eprintln!("{count} sessions that expire");
    let written = fill::fill(&writer.address, &store.redis, count, f64::MAX).await;
    drop(writer);
    let within = began.elapsed();
    let first_ends = began + Duration::from_secs(LIFETIME_S);
    let last_ends = first_ends + within;
    let before = until(settings, store, first_ends).await;
    let meanwhile = until(settings, store, last_ends).await;
    let mut is_over = false;
    while !is_over && last_ends.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(100)).await;
        is_over = store.redis.mortal().await <= mortal;
    }
    let after = (last_ends.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    Expiry {
        sessions: written.count,
        within_s: (within.as_secs_f64() * 10.0).round() / 10.0,
        moves_before: before,
        moves_meanwhile: meanwhile,
        gone_after_s: is_over.then_some(after),
        expired_keys: store.redis.expired().await - expired,
    }
}

/// Samples until then, at least one.
async fn until(settings: &Settings, store: &mut Store, end: Instant) -> Times {
    let mut samples = Vec::new();
    while samples.is_empty() || Instant::now() < end {
        let running = &mut store.filled.running;
        let (address, seed) = (&store.node.address, samples.len() as u64);
        samples.push(moves::make(address, running, settings.connections, MOVES, seed).await);
        // Moves must not use the games up.
        tokio::time::sleep(Duration::from_millis(400)).await;
    }
    Times::median(&samples)
}

impl Expiry {
    pub fn told(&self) -> String {
        let gone = match self.gone_after_s {
            Some(after) => format!("{after} s later none stands in a list"),
            None => format!("{} s later some still stand in lists", PATIENCE.as_secs()),
        };
        format!(
            "{} sessions expire within {} s: p99 of a move {} ms before and {} ms meanwhile (most {} and {} ms); {gone}",
            self.sessions,
            self.within_s,
            self.moves_before.p99_ms,
            self.moves_meanwhile.p99_ms,
            self.moves_before.most_ms,
            self.moves_meanwhile.most_ms,
        )
    }
}

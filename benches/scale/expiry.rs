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
    /// From when the last one should have expired, until Redis has as many keys as before.
    keys_gone_after_s: f64,
}

/// A node with a short lifetime of sessions writes some; another one, which knows nothing of that, serves all others.
pub async fn measure(settings: &Settings, store: &mut Store) -> Expiry {
    let writer = settings.node(&store.redis, &["--session-lifetime", LIFETIME]);
    writer.is_ready().await;
    let keys = store.redis.keys().await;
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
    while store.redis.keys().await > keys {
        assert!(last_ends.elapsed() < PATIENCE, "expired keys stay");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Expiry {
        sessions: written.count,
        within_s: (within.as_secs_f64() * 10.0).round() / 10.0,
        moves_before: before,
        moves_meanwhile: meanwhile,
        keys_gone_after_s: (last_ends.elapsed().as_secs_f64() * 10.0).round() / 10.0,
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
        format!(
            "{} sessions expire within {} s: p99 of a move {} ms before and {} ms meanwhile (most {} and {} ms); {} s later \
             Redis has no more keys than before",
            self.sessions,
            self.within_s,
            self.moves_before.p99_ms,
            self.moves_meanwhile.p99_ms,
            self.moves_before.most_ms,
            self.moves_meanwhile.most_ms,
            self.keys_gone_after_s,
        )
    }
}

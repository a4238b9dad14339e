//! Many sessions expire at about the same time, while moves are made.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::stream::{self, StreamExt};
use serde::Serialize;
use wyrmgate::store::{self, Image, Item, session_id};

use crate::Settings;
use crate::moves;
use crate::store::Store;
use crate::times::Times;

/// Time from the first write until all expire.
const LIFETIME: Duration = Duration::from_secs(30);
/// Duration of the measurement of moves during the expiry.
const MEANWHILE: Duration = Duration::from_secs(5);
/// Number of moves in one sample.
const MOVES: usize = 500;
/// Maximum wait after the sessions should have expired.
const PATIENCE: Duration = Duration::from_secs(60);
/// Number of sessions that serve as models for copies.
const MODELS: usize = 200;
const AT_ONCE: usize = 64;

#[derive(Serialize)]
pub struct Expiry {
    /// Number of sessions that expired in the same millisecond.
    sessions: usize,
    moves_before: Times,
    moves_meanwhile: Times,
    /// Time until no list contains one; `None` if that took too long.
    gone_after_s: Option<f64>,
    /// Number of their keys that Redis has dropped by then.
    expired_keys: f64,
}

/// Number of sessions in the store at first.
pub async fn models(stores: &[Store]) -> Vec<Image> {
    let Some(first) = stores.first() else {
        return Vec::new();
    };
    let store = store::open(&first.redis.url)
        .await
        .expect("the store opens");
    let mut items = store.export().await.expect("the store is read");
    let mut images = Vec::new();
    while images.len() < MODELS
        && let Some(item) = items.recv().await
    {
        if let Item::Session(image) = item.expect("the store is read") {
            images.push(*image);
        }
    }
    images
}

/// Expiries are at full hours, so large numbers of sessions expire at the same moment. Copies of models simulate this.
pub async fn measure(settings: &Settings, store: &mut Store, models: &[Image]) -> Expiry {
    let (mortal, expired) = (store.redis.mortal().await, store.redis.expired().await);
    let end = Instant::now() + LIFETIME;
    let count = settings.expiring;
    eprintln!("{count} sessions that expire");
    write(&store.redis.url, models, count, end).await;
    assert!(
        Instant::now() < end,
        "they are not written in time: try fewer"
    );
    assert!(store.redis.mortal().await > mortal, "nothing is to expire");
    let before = until(settings, store, end).await;
    let meanwhile = until(settings, store, end + MEANWHILE).await;
    let mut is_over = store.redis.mortal().await <= mortal;
    while !is_over && end.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(100)).await;
        is_over = store.redis.mortal().await <= mortal;
    }
    let after = (end.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    Expiry {
        sessions: count,
        moves_before: before,
        moves_meanwhile: meanwhile,
        gone_after_s: is_over.then_some(after),
        expired_keys: store.redis.expired().await - expired,
    }
}

async fn write(url: &str, models: &[Image], count: usize, end: Instant) {
    let store = store::open(url).await.expect("the store opens");
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let at = now.expect("after 1970") + (end - Instant::now());
    let copies = (0..count).map(|number| {
        let mut image = models[number % models.len()].clone();
        image.session = session_id(None).expect("randomness");
        image.record.expires_at_ms = Some(at.as_millis() as u64);
        let store = store.clone();
        async move { store.import(image).await.expect("it is written") }
    });
    let mut written = stream::iter(copies).buffer_unordered(AT_ONCE);
    while written.next().await.is_some() {}
}

/// Takes samples until then, at least one.
async fn until(settings: &Settings, store: &mut Store, end: Instant) -> Times {
    let mut samples = Vec::new();
    while samples.is_empty() || Instant::now() < end {
        let running = &mut store.filled.running;
        let (address, seed) = (&store.node.address, samples.len() as u64);
        samples.push(moves::make(address, running, settings.connections, MOVES, seed).await);
        // The games must last for all moves.
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Times::median(&samples)
}

impl Expiry {
    pub fn told(&self) -> String {
        let gone = match self.gone_after_s {
            Some(after) => format!("after {after} s none stands in a list"),
            None => format!("after {} s some still stand in lists", PATIENCE.as_secs()),
        };
        format!(
            "{} sessions expire at once: p99 of a move {} ms before and {} ms meanwhile (most {} and {} ms); {gone}",
            self.sessions,
            self.moves_before.p99_ms,
            self.moves_meanwhile.p99_ms,
            self.moves_before.most_ms,
            self.moves_meanwhile.most_ms,
        )
    }
}

//! Moves in sessions picked at random.

use std::time::{Duration, Instant};

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

use crate::client::Client;
use crate::fill::Copied;

pub struct Times {
    /// A second.
    pub rate: f64,
    pub p50: Duration,
    pub p99: Duration,
}

impl Times {
    pub fn of(mut times: Vec<Duration>, seconds: f64) -> Times {
        times.sort_unstable();
        let at = |share: f64| {
            let time = times.get((times.len() as f64 * share) as usize);
            time.copied().unwrap_or_default()
        };
        Times {
            rate: times.len() as f64 / seconds,
            p50: at(0.5),
            p99: at(0.99),
        }
    }
}

/// Each connection has sessions of its own. Every session is asked for its version first, which is not timed.
pub async fn make(address: &str, copies: &[Copied], connections: usize, seconds: f64) -> Times {
    let mut tasks = Vec::new();
    let share = (copies.len() / connections).max(1);
    let began = Instant::now();
    let time = Duration::from_secs_f64(seconds);
    for (number, copies) in copies.chunks(share).take(connections).enumerate() {
        let (address, copies) = (address.to_owned(), copies.to_vec());
        tasks.push(tokio::spawn(async move {
            let mut random = ChaCha8Rng::seed_from_u64(number as u64);
            let mut client = Client::connect(&address).await;
            let mut times = Vec::new();
            while began.elapsed() < time {
                let copy = &copies[random.random_range(0..copies.len())];
                if let Some(took) = one(&mut client, copy).await {
                    times.push(took);
                }
            }
            times
        }));
    }
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await.expect("the moves are made"));
    }
    Times::of(times, seconds)
}

async fn one(client: &mut Client, copy: &Copied) -> Option<Duration> {
    let path = format!("/v1/sessions/{}", copy.id);
    let now: Value = serde_json::from_str(client.call("GET", &path, "", "").await).ok()?;
    let (version, seat) = (now["version"].as_u64()?, now["owing"][0].as_u64()?);
    let path = format!("{path}/moves");
    let choice = format!(r#"{{"id":"{version}.{seat}.0"}}"#);
    let began = Instant::now();
    client
        .call("POST", &path, &copy.tokens[seat as usize - 1], &choice)
        .await;
    Some(began.elapsed())
}

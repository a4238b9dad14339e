//! A master is killed: for how long its sessions take no moves.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;

use crate::Settings;
use crate::moves;
use crate::play::Played;
use crate::store::Store;
use crate::times::Times;

const SAMPLE: usize = 300;
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Serialize)]
pub struct Failover {
    sessions: usize,
    /// Number of sampled sessions that took a move.
    sample: usize,
    /// Number of these sessions that took a move only after a retry.
    interrupted: usize,
    /// Seconds from the kill until the last of them took a move.
    after_s: f64,
    moves_before: Times,
    moves_after: Times,
}

pub async fn measure(settings: &Settings, store: &mut Store) -> Failover {
    let (connections, count) = (settings.connections, settings.moves);
    let running = &mut store.filled.running;
    running.retain(|session| session.owing.is_some());
    let before = moves::make(&store.node.address, running, connections, count, 1).await;
    running.retain(|session| session.owing.is_some());
    let step = (running.len() / SAMPLE).max(1);
    store.redis.kill_a_master();
    let killed = Instant::now();
    let client = reqwest::Client::builder().timeout(Duration::from_secs(5));
    let client = client.build().expect("a client");
    let mut waiting: Vec<&mut Played> = running.iter_mut().step_by(step).take(SAMPLE).collect();
    let (sample, mut interrupted) = (waiting.len(), None);
    while !waiting.is_empty() {
        assert!(killed.elapsed() < PATIENCE, "no failover");
        let mut still = Vec::new();
        for session in waiting {
            if !takes_a_move(&client, &store.node.address, session).await {
                still.push(session);
            }
        }
        waiting = still;
        interrupted.get_or_insert(waiting.len());
    }
    let after_s = (killed.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    let after = moves::make(&store.node.address, running, connections, count, 2).await;
    Failover {
        sessions: store.filled.count,
        sample,
        interrupted: interrupted.unwrap_or_default(),
        after_s,
        moves_before: before,
        moves_after: after,
    }
}

/// Whether it did. A repetition has the same key, so that it is made once.
async fn takes_a_move(client: &reqwest::Client, address: &str, session: &mut Played) -> bool {
    let Some(seat) = session.owing else {
        return true;
    };
    let order = json!({ "id": format!("{}.{seat}.0", session.version) });
    let url = format!("http://{address}/v1/sessions/{}/moves", session.id);
    let request = client.post(url).json(&order);
    let request = request.bearer_auth(&session.tokens[seat as usize - 1]);
    let request = request.header("Idempotency-Key", format!("after-{}", session.version));
    let Ok(answer) = request.send().await else {
        return false;
    };
    if !answer.status().is_success() {
        assert!(answer.status().is_server_error(), "{}", answer.status());
        return false;
    }
    let Ok(now) = answer.json().await else {
        return false;
    };
    session.follow(&now);
    true
}

impl Failover {
    pub fn told(&self) -> String {
        format!(
            "a master of {} sessions is killed: {} of {} take no move at once, all do after {} s; then {} moves/s ({} before), \
             p99 {} ms ({} before)",
            self.sessions,
            self.interrupted,
            self.sample,
            self.after_s,
            self.moves_after.rate,
            self.moves_before.rate,
            self.moves_after.p99_ms,
            self.moves_before.p99_ms,
        )
    }
}

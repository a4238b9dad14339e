//! Kills a master while moves are made, and measures for how long its sessions accept no moves, and how many acknowledged
//! moves are lost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::{Client, StatusCode};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::Settings;
use crate::moves;
use crate::play::Played;
use crate::store::Store;
use crate::times::{Times, median};

/// The number of sessions in which moves are made meanwhile.
const SAMPLE: usize = 300;
/// The time for which moves are made before the master is killed.
const BEFORE: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(60);
/// The time between two moves of a session.
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Default, Serialize)]
pub struct Failover {
    sessions: usize,
    /// Number of sampled sessions in which moves were made.
    sample: usize,
    /// Number of these sessions that took a move only after a retry.
    interrupted: usize,
    /// Seconds from the kill until half of the interrupted sessions had taken a move, and until all had.
    half_after_s: f64,
    after_s: f64,
    /// Moves of the sample that were acknowledged before all sessions took moves again, and how many of them are gone.
    acknowledged: usize,
    lost: u64,
    sessions_with_losses: usize,
    moves_before: Times,
    moves_after: Times,
}

/// A session of the sample.
struct Sampled<'s> {
    session: &'s mut Played,
    /// When it took its first move after the kill.
    again: Option<Instant>,
    was_refused: bool,
    acknowledged: usize,
    lost: u64,
}

/// The state that all sessions share.
struct Course {
    address: String,
    client: Client,
    is_killed: AtomicBool,
}

pub async fn measure(settings: &Settings, store: &mut Store) -> Failover {
    let (connections, count) = (settings.connections, settings.moves);
    let address = store.node.address.clone();
    let running = &mut store.filled.running;
    running.retain(|session| session.owing.is_some());
    let moves_before = moves::make(&address, running, connections, count, 1).await;
    running.retain(|session| session.owing.is_some());
    let step = (running.len() / SAMPLE).max(1);
    let sampled = running.iter_mut().step_by(step).take(SAMPLE);
    let mut sampled: Vec<Sampled<'_>> = sampled.map(Sampled::of).collect();
    let client = Client::builder().timeout(Duration::from_secs(5));
    let course = Course {
        address: address.clone(),
        client: client.build().expect("a client"),
        is_killed: AtomicBool::new(false),
    };
    let making = sampled.iter_mut().map(|session| session.go_on(&course));
    let redis = &mut store.redis;
    let killing = async {
        sleep(BEFORE).await;
        redis.kill_a_master();
        course.is_killed.store(true, Ordering::SeqCst);
        Instant::now()
    };
    let (killed, _) = tokio::join!(killing, join_all(making));
    for session in &mut sampled {
        session.compare(&course).await;
    }
    let mut report = Failover::of(&sampled, killed);
    drop(sampled);
    report.sessions = store.filled.count;
    report.moves_before = moves_before;
    report.moves_after = moves::make(&address, running, connections, count, 2).await;
    report
}

impl<'s> Sampled<'s> {
    fn of(session: &'s mut Played) -> Self {
        Sampled {
            session,
            again: None,
            was_refused: false,
            acknowledged: 0,
            lost: 0,
        }
    }

    /// Makes moves until one is accepted after the kill, independently of other sessions.
    async fn go_on(&mut self, course: &Course) {
        let began = Instant::now();
        while self.again.is_none() && self.session.owing.is_some() {
            assert!(began.elapsed() < PATIENCE, "no failover");
            self.takes_a_move(course).await;
            sleep(PAUSE).await;
        }
    }

    /// Makes a move. Retries use the same key, so that it is made only once.
    async fn takes_a_move(&mut self, course: &Course) {
        let Some(seat) = self.session.owing else {
            return;
        };
        let is_after = course.is_killed.load(Ordering::SeqCst);
        let (id, version) = (&self.session.id, self.session.version);
        let order = json!({ "id": format!("{version}.{seat}.0") });
        let url = format!("http://{}/v1/sessions/{id}/moves", course.address);
        let request = course.client.post(url).json(&order);
        let request = request.bearer_auth(&self.session.tokens[seat as usize - 1]);
        let key = format!("{version}-{}", self.acknowledged);
        let request = request.header("Idempotency-Key", key);
        let status = match request.send().await {
            Ok(answer) if answer.status().is_success() => {
                let Ok(now) = answer.json::<Value>().await else {
                    return;
                };
                self.session.follow(&now);
                self.acknowledged += 1;
                self.again = is_after.then(Instant::now);
                return;
            }
            Ok(answer) => answer.status(),
            Err(_) => StatusCode::SERVICE_UNAVAILABLE,
        };
        self.was_refused = true;
        if status.is_client_error() {
            // Its version is lost.
            self.compare(course).await;
        }
    }

    /// Compares the session with the acknowledged moves, and counts those that are missing.
    async fn compare(&mut self, course: &Course) {
        let url = format!("http://{}/v1/sessions/{}", course.address, self.session.id);
        let now = async { course.client.get(url).send().await?.json::<Value>().await };
        let Ok(now) = now.await else { return };
        if let Some(version) = now["version"].as_u64() {
            self.lost += self.session.version.saturating_sub(version);
            self.session.follow(&now);
        }
    }
}

impl Failover {
    fn of(sampled: &[Sampled<'_>], killed: Instant) -> Failover {
        let seconds = |at: &Instant| at.saturating_duration_since(killed).as_secs_f64();
        let interrupted: Vec<&Sampled<'_>> = sampled
            .iter()
            .filter(|session| session.was_refused)
            .collect();
        let again = interrupted
            .iter()
            .filter_map(|session| session.again.as_ref());
        let again: Vec<f64> = again.map(seconds).collect();
        let tenths = |seconds: f64| (seconds * 10.0).round() / 10.0;
        Failover {
            sample: sampled.len(),
            interrupted: interrupted.len(),
            after_s: tenths(again.iter().copied().fold(0.0, f64::max)),
            half_after_s: tenths(median(again)),
            acknowledged: sampled.iter().map(|session| session.acknowledged).sum(),
            lost: sampled.iter().map(|session| session.lost).sum(),
            sessions_with_losses: sampled.iter().filter(|session| session.lost > 0).count(),
            ..Failover::default()
        }
    }

    pub fn told(&self) -> String {
        format!(
            "a master of {} sessions is killed while {} of them take moves: {} take none at once, half of these do after {} s and \
             all after {} s; of {} acknowledged moves {} are lost, in {} sessions; then {} moves/s ({} before), p99 {} ms ({} before)",
            self.sessions,
            self.sample,
            self.interrupted,
            self.half_after_s,
            self.after_s,
            self.acknowledged,
            self.lost,
            self.sessions_with_losses,
            self.moves_after.rate,
            self.moves_before.rate,
            self.moves_after.p99_ms,
            self.moves_before.p99_ms,
        )
    }
}

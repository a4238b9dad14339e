//! Clocks run on all nodes and time out once, in time, also while nodes are killed. Idle nodes send almost no commands
//! to the store.

use std::time::Duration;

use jiff::Timestamp;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use reqwest::Client;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::cluster::tell;
use crate::process::Process;
use crate::server::Server;

const SEED: u64 = 16;
const GAMES: usize = 30;
const NODES: usize = 3;
const KILLS: usize = 4;
const DECISION_MS: u64 = 3_000;
/// Maximum number of commands per second of an idle node.
const IDLE: u64 = 20;
/// Time within which a new node has heard of the others. One that is alone before that believes that nobody was there to take
/// moves, and gives the players their time again.
const HEARD: Duration = Duration::from_millis(1_300);
/// Maximum delay before a time-out is published.
const LATE_MS: i64 = 1_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_run_on_while_nodes_are_killed() {
    let server = Server::start();
    let mut nodes: Vec<_> = (0..NODES).map(|_| Process::start(&server.url())).collect();
    sleep(Duration::from_secs(3)).await;
    let idle = commands(&server, 5).await;
    assert!(idle <= IDLE * NODES as u64, "{idle} commands a second");

    let client = Client::new();
    let mut games = Vec::new();
    for number in 0..GAMES {
        games.push(begin(&client, &nodes[number % NODES].url).await);
        sleep(Duration::from_millis(40)).await;
    }
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    for _ in 0..KILLS {
        sleep(Duration::from_millis(random.random_range(300..1_200))).await;
        let victim = random.random_range(0..nodes.len());
        if nodes.len() > 1 {
            nodes.swap_remove(victim).kill();
        }
        if random.random_bool(0.5) {
            nodes.push(Process::start(&server.url()));
            sleep(HEARD).await;
        }
    }
    sleep(Duration::from_millis(DECISION_MS + 2_000)).await;
    for (path, deadline) in &games {
        let url = format!("{}{path}/events?limit=100", nodes[0].url);
        let page: Value = client.get(url).send().await.unwrap().json().await.unwrap();
        is_timed_out_once(&page, *deadline);
    }
}

/// A game between two people, and the first deadline.
async fn begin(client: &Client, url: &str) -> (String, Timestamp) {
    let order = json!({
        "game": "tic-tac-toe", "seats": ["open", "open"], "clock": {"decision_ms": DECISION_MS, "at_end": "default"},
    });
    let create = client.post(format!("{url}/v1/sessions")).json(&order);
    let created: Value = create.send().await.unwrap().json().await.unwrap();
    let path = format!("/v1/sessions/{}", created["id"].as_str().unwrap());
    for seat in [1, 2] {
        let claim = client.put(format!("{url}{path}/seats/{seat}"));
        let claimed = claim.json(&json!({})).send().await.unwrap();
        assert!(claimed.status().is_success());
    }
    let view = client
        .get(format!("{url}{path}/view"))
        .send()
        .await
        .unwrap();
    let view: Value = view.json().await.unwrap();
    let deadline = view["deadlines"][0]["at"].as_str().unwrap();
    (path, deadline.parse().unwrap())
}

/// The first time-out, whose deadline was published.
fn is_timed_out_once(page: &Value, deadline: Timestamp) {
    let changes = page["items"].as_array().unwrap();
    let has = |change: &&Value| {
        let events = change["events"].as_array().unwrap();
        events.iter().any(|event| event["type"] == "timed-out")
    };
    let at = |change: &Value| change["at"].as_str().unwrap().parse::<Timestamp>().unwrap();
    let timed_out: Vec<_> = changes.iter().filter(has).collect();
    let first = timed_out.first().expect("nobody was timed out");
    let late = at(first).as_millisecond() - deadline.as_millisecond();
    assert!((0..LATE_MS).contains(&late), "{late} ms late");
    // If the rules have no default, the seat becomes free, and no clock runs.
    assert_eq!(timed_out.len(), 1, "{timed_out:?}");
}

/// Returns the commands per second of all nodes.
async fn commands(server: &Server, seconds: u64) -> u64 {
    tell::<()>(server, redis::cmd("CONFIG").arg("RESETSTAT")).await;
    sleep(Duration::from_secs(seconds)).await;
    let stats: String = tell(server, redis::cmd("INFO").arg("commandstats")).await;
    let calls = |line: &str| -> Option<u64> {
        let (_, rest) = line.split_once(":calls=")?;
        rest.split(',').next()?.parse().ok()
    };
    stats.lines().filter_map(calls).sum::<u64>() / seconds
}

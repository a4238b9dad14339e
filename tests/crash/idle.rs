//! Readers that wait for changes cost nothing while there are none.

use std::time::Duration;

use reqwest::{Client, Response};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::cluster::tell;
use crate::process::Process;
use crate::server::Server;

const READERS: usize = 60;
const SECONDS: u64 = 10;
/// An idle node asks ten times a second, and now and then whether it hears what it says on a session's channel.
const MOST: f64 = 20.0;

async fn stream(client: &Client, url: &str) -> Response {
    let order = json!({"game": "tic-tac-toe", "seats": ["open", "open"]});
    let created = client.post(format!("{url}/v1/sessions")).json(&order);
    let created: Value = created.send().await.unwrap().json().await.unwrap();
    let id = created["id"].as_str().unwrap();
    let stream = client.get(format!("{url}/v1/sessions/{id}/events"));
    let stream = stream.header("accept", "text/event-stream");
    let stream = stream.send().await.unwrap();
    assert_eq!(stream.status(), 200);
    stream
}

fn calls_in(line: &str) -> Option<u64> {
    let (name, rest) = line.strip_prefix("cmdstat_")?.split_once(":calls=")?;
    let is_ours = ["config", "info", "hello", "client"]
        .iter()
        .any(|ours| name.starts_with(ours));
    let calls = rest.split(',').next()?.parse().ok();
    calls.filter(|_| !is_ours)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_on_which_nothing_happens_ask_nothing_of_redis() {
    let server = Server::start();
    let node = Process::start_with(&server.url(), &["--heartbeat", "1s"]);
    let client = Client::new();
    let mut streams = Vec::new();
    for _ in 0..READERS {
        streams.push(stream(&client, &node.url).await);
    }
    sleep(Duration::from_secs(3)).await;
    tell::<()>(&server, redis::cmd("CONFIG").arg("RESETSTAT")).await;
    sleep(Duration::from_secs(SECONDS)).await;
    let stats: String = tell(&server, redis::cmd("INFO").arg("commandstats")).await;
    let calls: u64 = stats.lines().filter_map(calls_in).sum();
    let a_second = calls as f64 / SECONDS as f64;
    println!("{READERS} idle streams: {a_second:.1} commands/s");
    assert!(a_second <= MOST, "{a_second} commands/s:\n{stats}");
    drop(streams);
}

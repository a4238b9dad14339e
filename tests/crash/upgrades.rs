//! The present program goes on with what an earlier one has written, see `tests/fixtures/earlier`.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Client;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::cluster::tell;
use crate::process::Process;
use crate::server::Server;

/// The sessions, and the versions at which that program left them.
const SESSIONS: [(&str, u64); 4] = [
    ("2zwwDOk0xt2NtzyAyMJMnQ", 3),
    ("on6dWt44H2XEL04kyFQbrw", 4),
    ("FMs_xoqGnMQzqUPbJf6TIA", 5),
    ("Ms32u1EboaI243SLes9eeg", 6),
];
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_of_sessions_that_an_earlier_version_has_written_run_on() {
    let server = Server::start();
    write(&server).await;
    let nodes = [Process::start(&server.url()), Process::start(&server.url())];
    let client = Client::new();
    for (session, version) in SESSIONS {
        let url = format!("{}/v1/sessions/{session}/events?limit=100", nodes[1].url);
        let began = Instant::now();
        let changes = loop {
            let page: Value = client.get(&url).send().await.unwrap().json().await.unwrap();
            let changes = page["items"].as_array().unwrap().clone();
            if changes.iter().any(is_timed_out) {
                break changes;
            }
            assert!(began.elapsed() < PATIENCE, "{session} is not timed out");
            sleep(Duration::from_millis(50)).await;
        };
        // All that was there is still told, and then one thing more.
        let versions = changes
            .iter()
            .map(|change| change["version"].as_u64().unwrap());
        assert_eq!(
            versions.collect::<Vec<_>>(),
            (1..=version + 1).collect::<Vec<_>>()
        );
        assert_eq!(
            changes.iter().filter(|change| is_timed_out(change)).count(),
            1
        );
    }
}

fn is_timed_out(change: &Value) -> bool {
    let events = change["events"].as_array().unwrap();
    events.iter().any(|event| event["type"] == "timed-out")
}

async fn write(server: &Server) {
    let commands = include_str!("../fixtures/earlier/sessions.json");
    let commands: Vec<Vec<Value>> = serde_json::from_str(commands).unwrap();
    for words in commands {
        let mut command = redis::Cmd::new();
        for word in words {
            command.arg(bytes(&word));
        }
        tell::<redis::Value>(server, &command).await;
    }
}

fn bytes(word: &Value) -> Vec<u8> {
    match word["base64"].as_str() {
        Some(text) => STANDARD.decode(text).unwrap(),
        None => word.as_str().unwrap().as_bytes().to_vec(),
    }
}

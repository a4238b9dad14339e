//! A stream that is followed from node to node: wherever it breaks off, it goes on from its last id.

use std::time::{Duration, Instant};

use reqwest::{Client, Response};
use serde_json::Value;
use tokio::time::sleep;

/// Follows a session to its end, or until it is removed. `url` says whom to ask next.
pub async fn follow(
    client: &Client,
    mut url: impl FnMut() -> String,
    patience: Duration,
) -> Vec<Value> {
    let mut reader = Follower {
        changes: Vec::new(),
        last_id: "0".to_owned(),
        rest: String::new(),
        is_done: false,
    };
    let mut began = Instant::now();
    while !reader.is_done {
        let stream = client
            .get(url())
            .header("accept", "text/event-stream")
            .header("last-event-id", &reader.last_id);
        match stream.send().await {
            Ok(stream) if stream.status() == 404 => return reader.changes,
            Ok(stream) if stream.status() == 200 => {
                reader.read(stream).await;
                began = Instant::now();
            }
            // A node that is gone, or has no store at the moment.
            Ok(_) | Err(_) => {
                assert!(began.elapsed() < patience, "no node streams");
                sleep(Duration::from_millis(20)).await;
            }
        }
    }
    reader.changes
}

struct Follower {
    changes: Vec<Value>,
    last_id: String,
    /// A message that has not come whole.
    rest: String,
    is_done: bool,
}

impl Follower {
    async fn read(&mut self, mut stream: Response) {
        self.rest.clear();
        while let Ok(Some(chunk)) = stream.chunk().await {
            self.rest.push_str(std::str::from_utf8(&chunk).unwrap());
            while let Some((message, rest)) = self.rest.split_once("\n\n") {
                let (message, rest) = (message.to_owned(), rest.to_owned());
                self.rest = rest;
                self.take(&message);
            }
        }
    }

    fn take(&mut self, message: &str) {
        let field = |name: &str| {
            let mut lines = message.lines();
            lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
        };
        match field("event") {
            Some("change") => {
                self.changes
                    .push(serde_json::from_str(field("data").unwrap()).unwrap());
                self.last_id = field("id").unwrap().to_owned();
            }
            Some("end") => self.is_done = true,
            _ => {}
        }
    }
}

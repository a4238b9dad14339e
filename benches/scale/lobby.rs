//! Pages of the lobby: at its beginning, in its middle and at its end, and with filters.

use std::time::Instant;

use serde_json::Value;

use crate::client::Client;
use crate::fill::Filled;
use crate::times::Times;

const REQUESTS: usize = 60;
const LIMIT: usize = 20;

/// Returns the name and the path of each request.
pub fn questions(filled: &Filled) -> Vec<(&'static str, String)> {
    let path = |rest: &str| format!("/v1/sessions?limit={LIMIT}{rest}");
    let mut questions = vec![("the first page", path(""))];
    let waiting = &filled.waiting;
    for (name, place) in [
        ("a page in the middle", waiting.len() / 2),
        ("the last page", LIMIT),
    ] {
        if let Some((score, id)) = waiting.get(place) {
            questions.push((name, path(&format!("&cursor={score:016x}{id}"))));
        }
    }
    questions.push(("of those that are over", path("&status=finished")));
    questions.push((
        "of a game's that are over",
        path("&status=finished&game=tic-tac-toe"),
    ));
    questions.push(("with open seats", path("&status=running&open_seats=true")));
    questions
}

/// The same page again and again, over one connection.
pub async fn ask(address: &str, path: &str) -> Times {
    let mut client = Client::connect(address).await;
    let mut times = Vec::with_capacity(REQUESTS);
    let began = Instant::now();
    for _ in 0..REQUESTS {
        let began = Instant::now();
        client.call("GET", path, "", "").await;
        times.push(began.elapsed());
    }
    let took = began.elapsed();
    let page: Value =
        serde_json::from_str(client.call("GET", path, "", "").await).expect("a page in JSON");
    assert!(page["items"].is_array(), "no page: {page}");
    Times::of(times, took)
}

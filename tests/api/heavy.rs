//! Work that takes long: it has a queue of its own, a named budget, and ends with its request.

use std::time::{Duration, Instant};

use reqwest::{RequestBuilder, StatusCode};
use serde_json::{Value, json};
use wyrmgate::config::Config;

use super::support::{Server, TRADE, config, expect, shipped, text};

/// Far into a game for six of which much is hidden: where worlds are hard to find.
async fn hard() -> (Server, String) {
    let server = Server::with(Config {
        rules: shipped(),
        ..config()
    })
    .await;
    let seed = "7".repeat(64);
    let wanted = json!({"game": "sneaky-dragons", "seats": 6, "seed": seed});
    let mut last = step(&server, wanted).await;
    for number in 0..150 {
        let Some(decision) = last["decisions"].get(0) else {
            break;
        };
        let choices = decision["choices"].as_array().unwrap();
        let id = &choices[(number * 7) % choices.len()]["id"];
        let choice = json!({"seat": decision["seat"], "id": id});
        last = step(&server, json!({"state": last["state"], "choice": choice})).await;
    }
    let state = text(&last, "state");
    (server, state)
}

async fn step(server: &Server, wanted: Value) -> Value {
    let answer = server.post("/v1/steps", wanted).send().await.unwrap();
    expect(answer, StatusCode::OK).await
}

fn imagine(server: &Server, state: &str) -> RequestBuilder {
    let wanted = json!({"state": state, "imagine": {"seat": 1, "count": 64}});
    server.post("/v1/steps", wanted)
}

#[tokio::test]
async fn imagining_has_a_budget_ends_with_its_request_and_keeps_nobody_waiting() {
    let (server, state) = hard().await;
    let began = Instant::now();
    let answer = imagine(&server, &state).send().await.unwrap();
    let took = began.elapsed();
    let status = answer.status();
    let answer: Value = answer.json().await.unwrap();
    let found = answer["worlds"].as_array().map_or(0, Vec::len);
    if status == StatusCode::OK {
        assert!(found > 0 || answer["worlds_limit"].is_null());
    } else {
        assert_eq!(answer["code"], "rules-budget-exceeded", "{answer}");
        assert_eq!(answer["limit"], "imagine-time");
    }
    assert!(took < Duration::from_secs(9), "{took:?}");
    if took < Duration::from_secs(4) {
        return; // easier than it was meant to be: nothing to be broken off
    }
    // The client goes away, and with it the work.
    let gone = tokio::time::timeout(Duration::from_millis(400), imagine(&server, &state).send());
    assert!(gone.await.is_err());
    tokio::time::sleep(Duration::from_millis(200)).await;
    let began = Instant::now();
    let easy = json!({"game": TRADE, "seats": 2, "imagine": {"seat": 1, "count": 1}});
    let answer = server.post("/v1/steps", easy).send().await.unwrap();
    assert!(matches!(
        answer.status(),
        StatusCode::OK | StatusCode::NOT_FOUND
    ));
    assert!(
        began.elapsed() < Duration::from_secs(2),
        "{:?}",
        began.elapsed()
    );
    // The queue takes so many; others are served all the time.
    let all: Vec<_> = (0..40)
        .map(|_| tokio::spawn(imagine(&server, &state).send()))
        .collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let began = Instant::now();
    let games = server.get("/v1/games").send().await.unwrap();
    assert_eq!(games.status(), StatusCode::OK);
    assert!(
        began.elapsed() < Duration::from_secs(2),
        "{:?}",
        began.elapsed()
    );
    let mut refused = 0;
    for one in all {
        let answer = one.await.unwrap().unwrap();
        if answer.status() == StatusCode::SERVICE_UNAVAILABLE {
            assert!(answer.headers().contains_key("retry-after"));
            let problem: Value = answer.json().await.unwrap();
            assert_eq!(problem["code"], "overloaded");
            refused += 1;
        }
    }
    assert!(refused >= 20, "{refused}");
}

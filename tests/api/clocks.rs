//! Clocks: deadlines that are told, and what happens when they have passed.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::races::embedded;
use super::support::{Server, TOLL, config, expect, refused};

#[tokio::test]
async fn deadlines_are_told_to_those_who_see_who_decides() {
    let server = Server::start().await;
    let clock = json!({"decision_ms": 60_000, "game_ms": 90_000, "increment_ms": 1_000});
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "clock": clock});
    let session = server.create(wanted).await;
    assert_eq!(session.created["clock"], clock);
    assert_eq!(session.created["deadlines"], json!([]));
    let tokens = [session.claim(1).await, session.claim(2).await];
    let first = session.get("/view", Some(&tokens[0])).await;
    assert_eq!(first["deadlines"][0]["seat"], 1);
    session.move_by(&tokens[0], json!({"id": "3.1.0"})).await;
    let second = session.get("", None).await;
    assert_eq!(second["deadlines"][0]["seat"], 2);
    assert!(second["deadlines"][0]["at"].as_str() >= first["deadlines"][0]["at"].as_str());
    for clock in [
        json!({}),
        json!({"decision_ms": 5}),
        json!({"increment_ms": 1000}),
    ] {
        let wanted = json!({"game": TOLL, "clock": clock});
        refused(server.post("/v1/sessions", wanted), 400, "malformed").await;
    }
}

#[tokio::test]
async fn where_the_rules_declare_no_default_a_late_seat_is_freed_once_and_not_early() {
    let server = Server::start().await;
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "clock": {"decision_ms": 400}});
    let session = server.create(wanted).await;
    let tokens = [session.claim(1).await, session.claim(2).await];
    let early = session.get("/events?after=3", None).await;
    assert_eq!(early["items"], json!([]));
    let late = session
        .ask("/events?after=3", None)
        .header("prefer", "wait=10");
    let late = expect(late.send().await.unwrap(), StatusCode::OK).await;
    let events = json!([{"type": "timed-out", "seat": 1}, {"type": "seat-left", "seat": 1}]);
    assert_eq!(late["items"][0]["events"], events);
    tokio::time::sleep(Duration::from_millis(900)).await;
    assert_eq!(session.version().await, 4);
    refused(
        session.ask("/actions", Some(&tokens[0])),
        401,
        "unauthenticated",
    )
    .await;
    // Whoever takes the seat has a clock again.
    session.claim(1).await;
    let view = session.get("/view", None).await;
    assert_eq!(view["deadlines"][0]["seat"], 1);
}

#[tokio::test]
async fn a_clock_goes_on_while_the_server_is_away() {
    let (_folder, store) = embedded();
    let mut config = config();
    config.store = store;
    let server = Server::with(config.clone()).await;
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "clock": {"game_ms": 300}});
    let session = server.create(wanted).await;
    let path = session.path.clone();
    session.claim(1).await;
    session.claim(2).await;
    drop(session);
    drop(server);
    let server = Server::with(config).await;
    let timed_out = async {
        loop {
            let session = server.get(&path).send().await.unwrap();
            let session: Value = session.json().await.unwrap();
            if session["seats"][0]["status"] == "open" {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), timed_out)
        .await
        .unwrap();
}

//! Games without a session: sealed states, the same decisions, events and views, imagined states.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::support::{Server, TOLL, TRADE, expect, refused, text};

const SEED: &str = "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

async fn step(server: &Server, wanted: Value) -> Value {
    let answer = server.post("/v1/steps", wanted).send().await.unwrap();
    expect(answer, StatusCode::OK).await
}

#[tokio::test]
async fn a_game_is_played_without_a_session_just_as_in_one() {
    let server = Server::start().await;
    for game in [TOLL, TRADE] {
        let wanted = json!({"game": game, "seats": ["open", "open"], "seed": SEED});
        let session = server.create(wanted).await;
        let tokens = [session.claim(1).await, session.claim(2).await];
        let mut game = step(&server, json!({"game": game, "seats": 2, "seed": SEED})).await;
        let mut steps = 0;
        while game["status"] == "running" {
            let seat = game["owing"][0].as_u64().unwrap();
            let token = &tokens[seat as usize - 1];
            let there = session.view(token).await;
            let own = json!({"state": game["state"], "viewer": seat});
            let here = step(&server, own).await;
            assert_eq!(here["view"]["zones"], there["state"]["zones"]);
            let choice = &here["decisions"][0]["choices"][0];
            let listed = &there["decisions"][0]["choices"][0];
            for member in ["args", "option", "label", "refers"] {
                assert_eq!(choice[member], listed[member]);
            }
            let moved = session.move_by(token, json!({"id": listed["id"]})).await;
            assert!(moved.status().is_success());
            let choice = json!({"seat": seat, "id": choice["id"]});
            game = step(&server, json!({"state": game["state"], "choice": choice})).await;
            steps += 1;
        }
        assert!(steps > 3);
        assert_eq!(game["outcome"], session.get("", None).await["outcome"]);
        let over = json!({"state": game["state"], "choice": {"id": "1.1.0"}});
        refused(server.post("/v1/steps", over), 409, "session-over").await;
    }
}

#[tokio::test]
async fn a_sealed_state_is_opened_by_nobody_else_and_cannot_be_changed() {
    let server = Server::start().await;
    let one = step(&server, json!({"game": TOLL})).await;
    let state = text(&one, "state");
    let mut touched = state.clone().into_bytes();
    let middle = touched.len() / 2;
    touched[middle] = if touched[middle] == b'A' { b'B' } else { b'A' };
    let touched = String::from_utf8(touched).unwrap();
    for state in [touched.as_str(), "", "AAAA", "not base64!"] {
        let step = server.post("/v1/steps", json!({"state": state}));
        refused(step, 404, "not-found").await;
    }
    let illegal = json!({"state": state, "choice": {"args": {"n": 5}}});
    let problem = refused(server.post("/v1/steps", illegal), 409, "illegal-choice").await;
    assert_eq!(problem["reason"]["clauses"][0]["id"], "TOL-01");
    let stale = json!({"state": state, "choice": {"id": "7.1.0"}});
    refused(server.post("/v1/steps", stale), 412, "stale-version").await;
    refused(server.post("/v1/steps", json!({})), 400, "malformed").await;
    let both = json!({"state": state, "game": TOLL});
    refused(server.post("/v1/steps", both), 400, "malformed").await;
}

#[tokio::test]
async fn imagined_states_look_the_same_to_their_seat_and_can_be_played_on() {
    let server = Server::start().await;
    let wanted =
        json!({"game": TRADE, "seats": 2, "viewer": 1, "imagine": {"seat": 1, "count": 8}});
    let one = step(&server, wanted).await;
    let worlds = one["worlds"].as_array().unwrap();
    assert_eq!(worlds.len(), 8);
    let mut hands = std::collections::BTreeSet::new();
    for world in worlds {
        let own = step(&server, json!({"state": world, "viewer": 1})).await;
        assert_eq!(own["view"], one["view"]);
        assert_eq!(own["decisions"], one["decisions"]);
        let other = step(&server, json!({"state": world, "viewer": 2})).await;
        hands.insert(other["view"]["zones"].to_string());
        let choice = json!({"seat": 1, "id": own["decisions"][0]["choices"][0]["id"]});
        step(&server, json!({"state": world, "choice": choice})).await;
        let again = json!({"state": world, "imagine": {"seat": 1, "count": 1}});
        refused(server.post("/v1/steps", again), 422, "unprocessable").await;
    }
    assert!(hands.len() > 1, "nobody knows the other hand");
    let many = json!({"game": TRADE, "imagine": {"seat": 1, "count": 65}});
    refused(server.post("/v1/steps", many), 400, "malformed").await;
}

//! Games without a session: sealed states, the same decisions, events and views, imagined states.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::support::{Server, TOLL, TRADE, expect, refused, shipped, text};

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

async fn with_shipped_games() -> Server {
    Server::with(wyrmgate::config::Config {
        rules: shipped(),
        ..crate::support::config()
    })
    .await
}

#[tokio::test]
async fn a_list_of_steps_is_answered_one_by_one() {
    let server = Server::start().await;
    let begun = step(&server, json!({"game": TRADE, "seed": SEED})).await;
    let state = begun["state"].clone();
    let choices = begun["decisions"][0]["choices"].as_array().unwrap();
    let mut steps: Vec<Value> = choices
        .iter()
        .map(|choice| json!({"choice": {"seat": 1, "id": choice["id"]}}))
        .collect();
    steps.push(json!({"choice": {"seat": 1, "id": "7.1.0"}}));
    steps.push(json!({"viewer": 8}));
    steps.push(json!({"viewers": [1, "public"]}));
    let list = json!({"state": state, "viewer": "owing", "steps": steps});
    let all = step(&server, list).await;
    let all = all["steps"].as_array().unwrap();
    assert_eq!(all.len(), choices.len() + 3);
    for (choice, listed) in choices.iter().zip(all) {
        let alone =
            json!({"state": state, "viewer": "owing", "choice": {"seat": 1, "id": choice["id"]}});
        let alone = step(&server, alone).await;
        assert_eq!(alone["viewer"], alone["owing"][0]);
        for member in ["viewer", "view", "decisions", "events", "version", "owing"] {
            assert_eq!(alone[member], listed[member], "{member}");
        }
        step(&server, json!({"state": listed["state"]})).await;
    }
    let [stale, seat, several] = &all[choices.len()..] else {
        panic!("{all:?}");
    };
    assert_eq!(stale["problem"]["code"], "stale-version");
    let number = choices.len() + 1;
    let pointer = &seat["problem"]["errors"][0]["pointer"];
    assert_eq!(*pointer, format!("/steps/{number}/viewer"));
    assert!(
        seat["problem"]["request_id"]
            .as_str()
            .is_some_and(|id| !id.is_empty())
    );
    for (perspective, viewer) in several["perspectives"]
        .as_array()
        .unwrap()
        .iter()
        .zip([1, 0])
    {
        let viewer = Some(viewer).filter(|viewer| *viewer > 0);
        assert_eq!(perspective["viewer"], json!(viewer));
        let viewer = viewer.map_or(json!("public"), |seat| json!(seat));
        let alone = step(&server, json!({"state": state, "viewer": viewer})).await;
        assert_eq!(perspective["view"], alone["view"]);
        assert_eq!(perspective["decisions"], alone["decisions"]);
    }
    for wrong in [
        json!({"steps": []}),
        json!({"state": state, "steps": [{}, {"steps": []}]}),
        json!({"state": state, "steps": [{"viewers": vec![1; 11]}]}),
        json!({"state": state, "steps": [{"viewers": [1, 0]}]}),
        json!({"state": state, "steps": [{"imagine": {"seat": 1, "count": 1}}]}),
        json!({"state": state, "imagine": {"seat": 1, "count": 1}, "steps": [{}]}),
        json!({"state": state, "viewer": "all"}),
        json!({"state": state, "viewer": 1, "viewers": [1]}),
        json!({"state": state, "include": ["views"]}),
        json!({"game": TRADE, "seed": SEED, "explicit_chance": true}),
    ] {
        refused(server.post("/v1/steps", wrong), 400, "malformed").await;
    }
}

#[tokio::test]
async fn a_list_has_a_limit_and_parts_can_be_left_out() {
    let server = Server::start().await;
    let state = step(&server, json!({"game": TRADE, "seed": SEED})).await["state"].clone();
    let many: Vec<Value> = (0..257).map(|_| json!({"state": state})).collect();
    refused(
        server.post("/v1/steps", json!({"steps": many})),
        400,
        "malformed",
    )
    .await;
    let list = json!({"state": state, "include": ["state"], "steps": &many[..256]});
    let all = step(&server, list).await;
    let members: Vec<&String> = all["steps"][255].as_object().unwrap().keys().collect();
    assert_eq!(
        members,
        [
            "state", "ruleset", "version", "status", "owing", "viewer", "outcome"
        ]
    );
}

/// Plays by numbers alone, in spaces of whole choices and of parts. The numbers are those of the action space.
#[tokio::test]
async fn a_program_plays_by_the_numbers_of_the_action_space() {
    let server = with_shipped_games().await;
    for (game, is_factored) in [
        ("kuhn-poker", false),
        ("hearts", true),
        ("goofspiel", false),
    ] {
        let include = ["state", "actions", "mask", "decisions", "returns"];
        let wanted = json!({"game": game, "seed": SEED, "viewer": "owing", "include": include});
        let mut now = step(&server, wanted).await;
        let path = format!("/v1/rulesets/{}/actions", text(&now, "ruleset"));
        let space = server.get(&path).send().await.unwrap();
        let space = expect(space, StatusCode::OK).await;
        assert_eq!(space["factored"], is_factored);
        let size = space["size"].as_u64().unwrap();
        let mut parts: Vec<u64> = Vec::new();
        for turn in 0..60 {
            if now["status"] == "finished" {
                break;
            }
            let numbers: Vec<u64> = serde_json::from_value(now["actions"].clone()).unwrap();
            let mask = BASE64_STANDARD.decode(text(&now, "mask")).unwrap();
            let bits = (0..size).filter(|n| mask[*n as usize / 8] >> (n % 8) & 1 == 1);
            assert_eq!(bits.collect::<Vec<_>>(), numbers);
            if parts.is_empty() {
                let choices = now["decisions"][0]["choices"].as_array().unwrap();
                let mut firsts: Vec<u64> = choices
                    .iter()
                    .map(|choice| choice["action"][0].as_u64().unwrap())
                    .collect();
                firsts.sort_unstable();
                firsts.dedup();
                assert_eq!(firsts, numbers);
            }
            parts.push(numbers[turn % numbers.len()]);
            let order = json!({"state": now["state"], "action": parts, "viewer": "owing", "include": include});
            now = step(&server, order).await;
            match now.get("begun") {
                Some(begun) => assert_eq!(*begun, json!(parts)),
                None => parts.clear(),
            }
        }
        let illegal = json!({"state": now["state"], "action": [size]});
        let code = match now["status"] == "finished" {
            true => "session-over",
            false => "illegal-choice",
        };
        refused(server.post("/v1/steps", illegal), 409, code).await;
        let words = format!("{path}?numbers=0,{}", size - 1);
        let words = expect(server.get(&words).send().await.unwrap(), StatusCode::OK).await;
        assert!(
            words["actions"][1]["text"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        );
        if game == "kuhn-poker" {
            let (returns, worth) = (&now["returns"], &space["returns"]);
            assert_eq!(worth["low"], -2.0);
            assert!(returns[0].as_f64().unwrap() != 0.0 && worth["zero_sum"] == true);
            assert_eq!(space["max_game_length"], 3);
        }
    }
    let digest = expect(
        server.get("/v1/games/pig").send().await.unwrap(),
        StatusCode::OK,
    )
    .await;
    let path = format!("/v1/rulesets/{}/actions", text(&digest, "ruleset"));
    refused(
        server.get(&format!("{path}?options=target:none")),
        422,
        "unprocessable",
    )
    .await;
    refused(server.get(&format!("{path}?seats=9")), 422, "unprocessable").await;
    refused(
        server.get(&format!("{path}?numbers=9999")),
        422,
        "unprocessable",
    )
    .await;
    refused(server.get(&format!("{path}?numbers=one")), 400, "malformed").await;
}

/// Walks through the whole tree of a game with one request a ply; chance is a node of its own.
#[tokio::test]
async fn who_decides_what_chance_brings_sees_every_outcome() {
    let server = with_shipped_games().await;
    let wanted = json!({"game": "kuhn-poker", "explicit_chance": true});
    let root = step(&server, wanted).await;
    assert_eq!(
        (&root["chance"]["outcomes"], root.get("view")),
        (&json!(3), None)
    );
    let choice = json!({"state": root["state"], "choice": {"id": "0.1.0"}});
    refused(server.post("/v1/steps", choice), 409, "not-your-turn").await;
    let outcome = json!({"state": root["state"], "chance": 3});
    refused(server.post("/v1/steps", outcome), 422, "unprocessable").await;
    let (mut ply, mut ends, mut worth) = (vec![(root, 1.0)], 0, 0.0);
    while !ply.is_empty() {
        let mut steps = Vec::new();
        for (node, probability) in &ply {
            if let Some(outcomes) = node["chance"]["outcomes"].as_u64() {
                let each = probability / outcomes as f64;
                let way = |outcome| (json!({"state": node["state"], "chance": outcome}), each);
                steps.extend((0..outcomes).map(way));
            } else if node["status"] == "finished" {
                ends += 1;
                worth += probability * node["returns"][0].as_f64().unwrap();
            } else {
                let actions = node["actions"].as_array().unwrap();
                let each = probability / actions.len() as f64;
                let way = |action| (json!({"state": node["state"], "action": [action]}), each);
                steps.extend(actions.iter().map(way));
            }
        }
        if steps.is_empty() {
            break;
        }
        let (steps, probabilities): (Vec<Value>, Vec<f64>) = steps.into_iter().unzip();
        let include = ["state", "actions", "returns"];
        let list = json!({"include": include, "steps": steps});
        let answer = step(&server, list).await;
        let answers = answer["steps"].as_array().unwrap().clone();
        ply = answers.into_iter().zip(probabilities).collect();
    }
    // Six deals with five ends each. Played at random, the first seat wins an eighth of a coin: it may bet first.
    assert_eq!(ends, 30);
    assert!((worth - 0.125).abs() < 1e-9, "{worth}");
}

/// A step that no game can take is refused with its list, whether or not there is its game.
#[tokio::test]
async fn a_list_with_a_step_that_no_game_can_take_is_refused() {
    let server = Server::start().await;
    for (status, code, wrong) in [
        (400, "malformed", json!({"chance": 2_147_483_648_u64})),
        (400, "malformed", json!({"action": [2_147_483_648_u64]})),
        (400, "malformed", json!({"choice": {}})),
        (
            400,
            "malformed",
            json!({"choice": {"id": "0.1.0", "seat": 9}}),
        ),
        (
            422,
            "unprocessable",
            json!({"options": {"x": 2_147_483_648_u64}}),
        ),
        (422, "unprocessable", json!({"options": {"x": [1]}})),
        (422, "unprocessable", json!({"seats": 0})),
    ] {
        let wanted = json!({"game": "none", "steps": [wrong]});
        refused(server.post("/v1/steps", wanted), status, code).await;
    }
    let fits = json!({"game": "none", "steps": [{"options": {"x": 5.0}}]});
    let answer = server.post("/v1/steps", fits).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
}

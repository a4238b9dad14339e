//! A secret choice for each member of a list: a seat answers for one after the other, takes its last answer back, and nobody
//! else notices.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::support::{Server, Session, bearing, config, expect, refused, shipped};

const GAME: &str = "crown-hill";

async fn server() -> Server {
    let mut config = config();
    config.rules = shipped();
    Server::with(config).await
}

async fn play(session: &Session<'_>, token: &str, option: &str, args: Value) -> Value {
    let version = session.version().await;
    let body = json!({"version": version, "option": option, "args": args});
    let answer = session.move_by(token, body).await;
    assert!(
        answer.status().is_success(),
        "{option}: {}",
        answer.status()
    );
    answer.json().await.unwrap()
}

async fn asked(session: &Session<'_>, token: &str) -> (Value, Value) {
    let view = session.get("/view?include=actions", Some(token)).await;
    (view["decisions"][0].clone(), view["given"].clone())
}

/// What others see.
async fn seen(session: &Session<'_>, token: &str) -> Vec<(Option<String>, String)> {
    let mut seen = Vec::new();
    for viewer in [Some(token), None] {
        for rest in ["", "/view?include=actions", "/events", "/undos"] {
            if rest == "/undos" && viewer.is_none() {
                continue;
            }
            let answer = session.ask(rest, viewer).send().await.unwrap();
            let tag = answer.headers().get("etag").cloned();
            let tag = tag.map(|tag| tag.to_str().unwrap().to_owned());
            seen.push((tag, answer.text().await.unwrap()));
        }
    }
    seen
}

#[tokio::test]
async fn orders_are_given_one_by_one_and_nobody_notices() {
    let server = server().await;
    let (session, [ann, bob]) = server.duel(GAME).await;
    let before = seen(&session, &bob).await;
    let (first, given) = asked(&session, &ann).await;
    assert_eq!(given, Value::Null);
    let ids: Vec<&str> = first["id"].as_str().unwrap().split('.').collect();
    assert_eq!(ids.len(), 3, "{ids:?}");
    let receipt = play(
        &session,
        &ann,
        "march",
        json!({"a": "army-1-1", "l": "land-larkfield"}),
    )
    .await;
    assert_eq!(receipt["secret"], true);
    assert_eq!(receipt["owing"], json!([1, 2]));
    let (second, given) = asked(&session, &ann).await;
    assert_ne!(first["id"], second["id"]);
    assert_eq!(second["choices"][0]["args"], json!({"a": "army-1-2"}));
    assert_eq!(
        given[0]["args"],
        json!({"a": "army-1-1", "l": "land-larkfield"})
    );
    assert!(
        given[0]["label"].as_str().unwrap().contains("Larkfield"),
        "{given}"
    );
    // What was listed for the army before is no choice for this one.
    let stale = json!({"id": first["choices"][0]["id"]});
    refused(session.order(&ann, stale), 412, "stale-version").await;
    let stale = json!({"decision": first["id"], "option": "stay", "args": {"a": "army-1-2"}});
    refused(session.order(&ann, stale), 412, "stale-version").await;
    assert_eq!(seen(&session, &bob).await, before);
    let last = json!({"id": second["choices"][0]["id"], "decision": second["id"]});
    expect(session.move_by(&ann, last).await, StatusCode::OK).await;
    let (none, given) = asked(&session, &ann).await;
    assert_eq!((none, given.as_array().unwrap().len()), (Value::Null, 2));
    assert_eq!(seen(&session, &bob).await, before);

    // The last one goes back, then the one before; then she gives others.
    for left in [1, 0] {
        let undo = server.post(&session.at("/undos"), json!({}));
        expect(
            bearing(undo, Some(&ann)).send().await.unwrap(),
            StatusCode::OK,
        )
        .await;
        let (decision, given) = asked(&session, &ann).await;
        assert_eq!(given.as_array().map_or(0, Vec::len), left);
        assert_eq!(decision["id"], [&first, &second][left]["id"]);
    }
    assert_eq!(seen(&session, &bob).await, before);
    let undo = || bearing(server.post(&session.at("/undos"), json!({})), Some(&ann));
    refused(undo(), 409, "not-undoable").await;
    play(&session, &ann, "stay", json!({"a": "army-1-1"})).await;
    play(
        &session,
        &ann,
        "march",
        json!({"a": "army-1-2", "l": "land-crown_hill"}),
    )
    .await;
    play(&session, &bob, "stay", json!({"a": "army-2-1"})).await;
    let receipt = play(&session, &bob, "stay", json!({"a": "army-2-2"})).await;
    assert_eq!(
        (&receipt["secret"], &receipt["owing"]),
        (&json!(false), &json!([1, 2]))
    );
    let by: Vec<u64> = receipt["choices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|made| made["seat"].as_u64().unwrap())
        .collect();
    assert_eq!(by, [1, 1, 2, 2]);
    let view = session.view(&bob).await;
    let hill = &view["state"]["zones"]["land-crown_hill"]["components"];
    assert_eq!(hill[0]["id"], "army-1-2");
}

#[tokio::test]
async fn an_answer_that_was_taken_back_leaves_no_trace_in_the_record() {
    let server = server().await;
    let (session, tokens) = server.duel(GAME).await;
    play(
        &session,
        &tokens[0],
        "march",
        json!({"a": "army-1-1", "l": "land-larkfield"}),
    )
    .await;
    play(&session, &tokens[1], "stay", json!({"a": "army-2-1"})).await;
    let undo = server.post(&session.at("/undos"), json!({}));
    expect(
        bearing(undo, Some(&tokens[0])).send().await.unwrap(),
        StatusCode::OK,
    )
    .await;
    session.play_out(&tokens, |count| count / 2).await;
    let record = session.get("/record", None).await;
    super::endings::replayed(&record, &shipped()).unwrap();
}

#[tokio::test]
async fn who_runs_out_of_time_gives_the_default_for_all_members() {
    let server = server().await;
    let wanted = json!({"game": GAME, "clock": {"decision_ms": 400, "at_end": "default"}});
    let (session, [ann, bob]) = server.duel_of(wanted).await;
    play(&session, &ann, "stay", json!({"a": "army-1-1"})).await;
    play(
        &session,
        &ann,
        "march",
        json!({"a": "army-1-2", "l": "land-crown_hill"}),
    )
    .await;
    let version = session.version().await;
    for _ in 0..200 {
        if session.version().await > version {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    let events = session
        .get(&format!("/events?after={version}&limit=1"), Some(&bob))
        .await;
    let events = events["items"][0]["events"].as_array().unwrap().clone();
    let of = |kind: &str| events.iter().filter(|event| event["type"] == kind).count();
    assert_eq!((of("timed-out"), of("chose")), (1, 2), "{events:?}");
}

//! Ends that no rule describes: resignations, draws by agreement, games called off, claims.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::races::embedded;
use super::support::{Server, Session, TOLL, TRADE, config, expect, refused};

impl Session<'_> {
    async fn end(&self, rest: &str, token: &str, body: Value) -> Value {
        let sent = self.server.post(&self.at(rest), body).bearer_auth(token);
        expect(sent.send().await.unwrap(), StatusCode::OK).await
    }

    async fn cannot_end(&self, rest: &str, token: &str, body: Value, code: &str) -> Value {
        let status = if code == "forbidden" { 403 } else { 409 };
        let sent = self.server.post(&self.at(rest), body).bearer_auth(token);
        refused(sent, status, code).await
    }

    /// The types of the events of the last change.
    async fn last_events(&self) -> Vec<Value> {
        let after = self.version().await - 1;
        let page = self.get(&format!("/events?after={after}"), None).await;
        let events = page["items"][0]["events"].as_array().unwrap().clone();
        events.iter().map(|event| event["type"].clone()).collect()
    }
}

/// Replays a record with the program; returns what it reports if it refuses the record.
pub fn verified(record: &Value) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("record.json");
    std::fs::write(&file, record.to_string()).unwrap();
    let rules = super::support::fixtures();
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_wyrmgate"))
        .args([
            "replay".as_ref(),
            "--rules".as_ref(),
            rules.as_os_str(),
            file.as_os_str(),
        ])
        .output()
        .unwrap();
    match ran.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&ran.stderr).into_owned()),
    }
}

#[tokio::test]
async fn who_resigns_loses_and_records_and_past_versions_tell() {
    for store in ["memory".to_owned(), embedded().1] {
        let mut config = config();
        config.store = store;
        let server = Server::with(config).await;
        let (session, [first, second]) = server.duel(TOLL).await;
        session.move_by(&first, json!({"id": "3.1.0"})).await;
        let ended = session.end("/resignations", &first, json!({})).await;
        let outcome = json!({"winners": [2], "drawn": false, "reason": "resigned", "ranking": [
            {"seat": 2, "place": 1, "keys": []}, {"seat": 1, "place": 2, "keys": []}]});
        assert_eq!(
            (&ended["status"], &ended["outcome"]),
            (&json!("finished"), &outcome)
        );
        assert_eq!(session.last_events().await, ["resigned", "finished"]);
        let view = session.get("/view", Some(&second)).await;
        assert_eq!((&view["outcome"], &view["owing"]), (&outcome, &json!([])));
        assert_eq!(view["state"]["outcome"], outcome);
        let version = session.version().await;
        let now = session.get(&format!("/view?at={version}"), None).await;
        assert_eq!(now["state"]["outcome"], outcome);
        let before = session
            .get(&format!("/view?at={}", version - 1), None)
            .await;
        assert_eq!(
            (&before["outcome"], &before["owing"]),
            (&Value::Null, &json!([2]))
        );
        // It is over like any other game.
        let late = session.order(&second, json!({"version": version, "args": {"n": 1}}));
        refused(late, 409, "session-over").await;
        session
            .cannot_end("/resignations", &second, json!({}), "session-over")
            .await;
        let record = session.get("/record", None).await;
        assert_eq!(record["outcome"], outcome);
        verified(&record).unwrap();
        let mut forged = record.clone();
        forged["outcome"]["winners"] = json!([1, 2]);
        assert!(verified(&forged).is_err());
        forged["outcome"] = json!({"winners": [], "drawn": false, "reason": "aborted", "ranking": outcome["ranking"]});
        assert!(verified(&forged).is_err(), "its ranking is another one");
        // A fork goes on where they stopped.
        let fork = server
            .post(&session.at("/forks"), json!({}))
            .bearer_auth(&first);
        let fork = expect(fork.send().await.unwrap(), StatusCode::CREATED).await;
        assert_eq!(
            (&fork["status"], &fork["owing"]),
            (&json!("running"), &json!([2]))
        );
    }
}

#[tokio::test]
async fn with_more_seats_a_built_in_player_plays_on() {
    let server = Server::start().await;
    let seats = json!(["open", "open", "open"]);
    let session = server.create(json!({"game": TRADE, "seats": seats})).await;
    assert_eq!(session.created["endings"]["resignations"], "greedy");
    let mut tokens = Vec::new();
    for seat in 1..=3 {
        tokens.push(session.claim(seat).await);
    }
    let ended = session.end("/resignations", &tokens[1], json!({})).await;
    assert_eq!(
        (&ended["status"], &ended["outcome"]),
        (&json!("running"), &Value::Null)
    );
    let now = session.get("", None).await;
    assert_eq!(now["seats"][1]["bot"], "greedy");
    refused(
        session.ask("/view", Some(&tokens[1])),
        401,
        "unauthenticated",
    )
    .await;
    let never = json!({"game": TRADE, "seats": seats, "endings": {"resignations": "never"}});
    let session = server.create(never).await;
    let first = session.claim(1).await;
    session
        .cannot_end("/resignations", &first, json!({}), "not-now")
        .await;
    session.claim(2).await;
    session.claim(3).await;
    session
        .cannot_end("/resignations", &first, json!({}), "forbidden")
        .await;
    let wrong = json!({"game": TRADE, "seats": seats, "endings": {"resignations": "loses"}});
    refused(server.post("/v1/sessions", wrong), 422, "unprocessable").await;
}

#[tokio::test]
async fn a_draw_needs_everybody_and_lapses_with_the_next_move() {
    let server = Server::start().await;
    let (without, [first, _]) = server.duel(TOLL).await;
    assert_eq!(
        without.created["endings"]["draws"], false,
        "its rules know no draw"
    );
    without
        .cannot_end("/draw-offers", &first, json!({}), "forbidden")
        .await;
    let wanted = json!({"game": TOLL, "endings": {"draws": true}});
    let (session, [first, second]) = server.duel_of(wanted.clone()).await;
    session
        .cannot_end("/draw-offers", &second, json!({"agree": true}), "not-now")
        .await;
    let open = session.end("/draw-offers", &first, json!({})).await;
    assert_eq!(open["draw_offer"], json!([1]));
    let version = session.version().await;
    let id = format!("{version}.1.0");
    expect(
        session.move_by(&first, json!({"id": id})).await,
        StatusCode::CREATED,
    )
    .await;
    assert_eq!(session.get("", None).await["draw_offer"], json!([]));
    session.end("/draw-offers", &first, json!({})).await;
    session
        .end("/draw-offers", &second, json!({"agree": false}))
        .await;
    assert_eq!(session.last_events().await, ["draw-declined"]);
    session.end("/draw-offers", &first, json!({})).await;
    session
        .end("/draw-offers", &first, json!({"agree": false}))
        .await;
    assert_eq!(session.last_events().await, ["draw-withdrawn"]);
    session.end("/draw-offers", &second, json!({})).await;
    let ended = session.end("/draw-offers", &first, json!({})).await;
    assert_eq!(ended["outcome"]["drawn"], true);
    assert_eq!(ended["outcome"]["reason"], "agreed");
    assert_eq!(session.last_events().await, ["draw-accepted", "finished"]);
    verified(&session.get("/record", None).await).unwrap();
    let mut wanted = wanted;
    wanted["seats"] = json!(["open", "random"]);
    let alone = server.create(wanted).await;
    let first = alone.claim(1).await;
    alone
        .cannot_end("/draw-offers", &first, json!({}), "not-now")
        .await;
}

/// Answers that were secret until then stay so.
#[tokio::test]
async fn a_game_is_called_off_before_anybody_has_moved_twice() {
    let server = Server::start().await;
    let (session, [first, second]) = server.duel(TRADE).await;
    let choices = session.choices(&first).await;
    session.move_by(&first, json!({"id": choices[0]})).await;
    let ended = session.end("/abort", &second, json!({})).await;
    let outcome = &ended["outcome"];
    assert_eq!(
        (&outcome["winners"], &outcome["drawn"]),
        (&json!([]), &json!(false))
    );
    assert_eq!(outcome["reason"], "aborted");
    let record = session.get("/record", None).await;
    assert_eq!(record["log"], json!([]));
    verified(&record).unwrap();

    let (session, [first, second]) = server.duel(TOLL).await;
    session.move_by(&first, json!({"id": "3.1.0"})).await;
    session.move_by(&second, json!({"id": "4.2.0"})).await;
    session.move_by(&first, json!({"id": "5.1.0"})).await;
    session
        .cannot_end("/abort", &second, json!({}), "not-now")
        .await;
    // Whether an answer was given in secret shows in no refusal.
    for answers in [false, true] {
        let (session, tokens) = server.duel(TRADE).await;
        for token in &tokens {
            let choices = session.choices(token).await;
            session.move_by(token, json!({"id": choices[0]})).await;
        }
        if answers {
            let choices = session.choices(&tokens[0]).await;
            session.move_by(&tokens[0], json!({"id": choices[0]})).await;
        }
        let ended = session.end("/abort", &tokens[1], json!({})).await;
        assert_eq!(ended["outcome"]["reason"], "aborted");
    }
    let stranger = server.post(&session.at("/abort"), json!({}));
    refused(stranger, 401, "unauthenticated").await;
    let ended = session
        .end("/abort", &session.owner.clone(), json!({}))
        .await;
    assert_eq!(ended["outcome"]["reason"], "abandoned");
    verified(&session.get("/record", None).await).unwrap();
    let never = json!({"game": TOLL, "endings": {"aborts": false}});
    let (session, [first, _]) = server.duel_of(never).await;
    session
        .cannot_end("/abort", &first, json!({}), "forbidden")
        .await;
}

#[tokio::test]
async fn who_is_absent_for_long_enough_loses_and_no_sooner() {
    let server = Server::start().await;
    let wanted = json!({"game": TOLL, "endings": {"claims_after_ms": 1_000}});
    let (session, [first, second]) = server.duel_of(wanted).await;
    session
        .cannot_end("/claims", &first, json!({}), "not-now")
        .await;
    let early = session
        .cannot_end("/claims", &second, json!({}), "not-now")
        .await;
    assert!(
        early["detail"].as_str().unwrap().contains("1 seconds"),
        "{early}"
    );
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let ended = session.end("/claims", &second, json!({})).await;
    assert_eq!(
        (&ended["outcome"]["winners"], &ended["outcome"]["reason"]),
        (&json!([2]), &json!("claimed"))
    );

    let seats = json!(["open", "open", "open"]);
    let endings = json!({"claims_after_ms": 1_000, "resignations": "never"});
    let wanted = json!({"game": TRADE, "seats": seats, "endings": endings});
    let session = server.create(wanted).await;
    let first = session.claim(1).await;
    session.claim(2).await;
    session.claim(3).await;
    let choices = session.choices(&first).await;
    session.move_by(&first, json!({"id": choices[0]})).await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    session.end("/claims", &first, json!({})).await;
    assert_eq!(
        session.last_events().await,
        ["claimed", "seat-left", "seat-left"]
    );
    let off = json!({"game": TOLL, "endings": {"claims_after_ms": null}});
    let (session, [_, second]) = server.duel_of(off).await;
    session
        .cannot_end("/claims", &second, json!({}), "forbidden")
        .await;
    let wrong = json!({"game": TOLL, "endings": {"claims_after_ms": 10}});
    refused(server.post("/v1/sessions", wrong), 422, "unprocessable").await;
}

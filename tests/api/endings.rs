//! Ends that no rule describes: resignations, draws by agreement, games called off, claims.

use std::path::Path;
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::races::embedded;
use super::support::{
    Server, Session, TOLL, TRADE, WINK, config, expect, fixtures, refused, shipped,
};

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
    /// The outcome of a game that ends by itself within ten seconds.
    async fn outcome_in_time(&self) -> Value {
        for _ in 0..100 {
            let session = self.get("", None).await;
            if session["status"] == "finished" {
                return session["outcome"].clone();
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the game does not end")
    }

    async fn last_events(&self) -> Vec<Value> {
        let after = self.version().await - 1;
        let page = self.get(&format!("/events?after={after}"), None).await;
        let events = page["items"][0]["events"].as_array().unwrap().clone();
        events.iter().map(|event| event["type"].clone()).collect()
    }
}

/// Replays a record with the program; returns what it reports if it refuses the record.
pub fn verified(record: &Value) -> Result<(), String> {
    replayed(record, &super::support::fixtures()).map(|_| ())
}

/// The same with these rules; returns what it says.
pub fn replayed(record: &Value, rules: &Path) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("record.json");
    std::fs::write(&file, record.to_string()).unwrap();
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
        true => Ok(String::from_utf8_lossy(&ran.stdout).into_owned()),
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
        let told = replayed(&record, &fixtures()).unwrap();
        assert!(told.contains("Seat 2 wins (resigned)"), "{told}");
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
    let (without, [first, _]) = server.duel(WINK).await;
    assert_eq!(
        without.created["endings"]["draws"], false,
        "its rules know no draw"
    );
    let told = without
        .cannot_end("/draw-offers", &first, json!({}), "forbidden")
        .await;
    assert!(told["detail"].to_string().contains("rules of this game"));
    let wrong = json!({"game": WINK, "seats": ["open", "open"], "endings": {"draws": true}});
    refused(server.post("/v1/sessions", wrong), 422, "unprocessable").await;
    for (game, draws) in [(WINK, false), (TOLL, true)] {
        let game = server
            .get(&format!("/v1/games/{game}"))
            .send()
            .await
            .unwrap();
        let game = expect(game, StatusCode::OK).await;
        assert_eq!(game["endings"], json!({"draws": draws, "resigns": false}));
    }
    let (off, [first, _]) = server
        .duel_of(json!({"game": TOLL, "endings": {"draws": false}}))
        .await;
    off.cannot_end("/draw-offers", &first, json!({}), "forbidden")
        .await;
    let wanted = json!({"game": TOLL});
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

    // A clock decides, unless it has freed the seat.
    let clock = json!({"decision_ms": 300, "at_end": "free"});
    let endings = json!({"claims_after_ms": 1_000});
    let wanted = json!({"game": TOLL, "clock": clock, "endings": endings});
    let (session, [_, second]) = server.duel_of(wanted).await;
    let early = session.cannot_end("/claims", &second, json!({}), "not-now");
    let early = early.await["detail"].to_string();
    assert!(early.contains("the clock decides"), "{early}");
    tokio::time::sleep(Duration::from_millis(2_000)).await;
    let ended = session.end("/claims", &second, json!({})).await;
    assert_eq!(ended["outcome"]["winners"], json!([2]));

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
    // Earlier, all others have to want it.
    let endings = json!({"claims_after_ms": 60_000, "resignations": "greedy"});
    let rules = "game: wait\ntitle: Wait\nplayers: 3\neffects:\n  play: |\n    repeat 99 times:\n      choose n in 1..2 by seat(1) \"How many?\"\n    finish drawn\n";
    let upload = server.post("/v1/rulesets", json!({"files": {"wait.yaml": rules}}));
    let uploaded = expect(upload.send().await.unwrap(), StatusCode::CREATED).await;
    let wanted = json!({"ruleset": uploaded["digest"], "endings": endings});
    let session = server.create(wanted).await;
    let absent = session.claim(1).await;
    let [second, third] = [session.claim(2).await, session.claim(3).await];
    session
        .cannot_end("/claims", &absent, json!({}), "not-now")
        .await;
    for _ in 0..2 {
        session.end("/claims", &second, json!({})).await;
        assert_eq!(session.get("", None).await["absence_votes"], json!([2]));
    }
    session.end("/claims", &third, json!({})).await;
    let replaced = session.get("", None).await;
    assert_eq!(replaced["seats"][0]["status"], "bot", "{replaced}");
    assert_eq!(replaced["absence_votes"], Value::Null);
    // A built-in player that thinks is not absent.
    let wanted = json!({"ruleset": uploaded["digest"], "seats": ["search-3", "open", "open"], "endings": {"claims_after_ms": 60_000}});
    let session = server.create(wanted).await;
    let [second, _] = [session.claim(2).await, session.claim(3).await];
    session
        .cannot_end("/claims", &second, json!({}), "not-now")
        .await;
    assert_eq!(session.get("", None).await["absence_votes"], Value::Null);

    // A clock decides alone when somebody has been absent for too long; all others together need not wait for it.
    let wanted =
        json!({"game": TOLL, "endings": {"claims_after_ms": 1_000}, "clock": {"game_ms": 240_000}});
    let (session, [_, second]) = server.duel_of(wanted).await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let early = session
        .cannot_end("/claims", &second, json!({}), "not-now")
        .await;
    assert!(
        early["detail"].as_str().unwrap().contains("clock"),
        "{early}"
    );
    let wanted = json!({"ruleset": uploaded["digest"], "clock": {"decision_ms": 240_000}, "endings": {"resignations": "greedy"}});
    let session = server.create(wanted).await;
    let [_, second, third] = [
        session.claim(1).await,
        session.claim(2).await,
        session.claim(3).await,
    ];
    session.end("/claims", &second, json!({})).await;
    session.end("/claims", &third, json!({})).await;
    assert_eq!(session.get("", None).await["seats"][0]["status"], "bot");

    let off = json!({"game": TOLL, "endings": {"claims_after_ms": null}});
    let (session, [_, second]) = server.duel_of(off).await;
    session
        .cannot_end("/claims", &second, json!({}), "forbidden")
        .await;
    let wrong = json!({"game": TOLL, "endings": {"claims_after_ms": 10}});
    refused(server.post("/v1/sessions", wrong), 422, "unprocessable").await;
}

/// A server with the shipped games.
async fn with_shipped_games() -> Server {
    let mut config = config();
    config.rules = shipped();
    Server::with(config).await
}

impl Server {
    /// A running session of a game with this many people.
    async fn table(&self, mut wanted: Value, seats: u8) -> (Session<'_>, Vec<String>) {
        wanted["seats"] = (0..seats).map(|_| json!("open")).collect();
        let session = self.create(wanted).await;
        let mut tokens = Vec::new();
        for seat in 1..=seats {
            tokens.push(session.claim(seat).await);
        }
        (session, tokens)
    }
}

#[tokio::test]
async fn a_seat_that_resigns_leaves_as_the_rules_say_and_the_others_are_asked_again() {
    let server = with_shipped_games().await;
    let wanted =
        json!({"game": "goofspiel", "options": {"ranks": 3}, "undo": "free", "forks": "always"});
    let (session, tokens) = server.table(wanted, 3).await;
    assert_eq!(session.created["endings"]["resignations"], "loses");
    let choices = session.choices(&tokens[0]).await;
    session.move_by(&tokens[0], json!({"id": choices[0]})).await;
    let before = session.version().await;
    let stays = session.end("/resignations", &tokens[2], json!({})).await;
    assert_eq!(
        (&stays["status"], &stays["outcome"]),
        (&json!("running"), &Value::Null)
    );
    let types = session.last_events().await;
    assert_eq!(types, ["resigned", "set", "moved", "moved", "moved"]);
    // The answer that was secret until then is forgotten.
    let view = session.get("/view", Some(&tokens[0])).await;
    assert_eq!(view["owing"], json!([1, 2]));
    assert_eq!(
        view["state"]["vars"]["resigned"],
        json!([false, false, true])
    );
    assert_eq!(session.choices(&tokens[0]).await.len(), 3);
    let then = session.get(&format!("/view?at={before}"), None).await;
    assert_eq!(
        (&then["owing"], &then["state"]["vars"]["resigned"][2]),
        (&json!([1, 2, 3]), &json!(false))
    );
    let again = session.cannot_end("/resignations", &tokens[2], json!({}), "not-now");
    assert!(again.await["detail"].to_string().contains("has resigned"));
    let late = session.order(
        &tokens[2],
        json!({"version": before + 1, "args": {"bid": "card-3-1"}}),
    );
    refused(late, 409, "not-your-turn").await;
    let back = server
        .post(&session.at("/undos"), json!({"to": before}))
        .bearer_auth(&tokens[0]);
    refused(back, 409, "not-undoable").await;
    for seat in [0, 1] {
        let choices = session.choices(&tokens[seat]).await;
        session
            .move_by(&tokens[seat], json!({"id": choices[2]}))
            .await;
    }
    let fork = server
        .post(&session.at("/forks"), json!({}))
        .bearer_auth(&tokens[0]);
    let fork = expect(fork.send().await.unwrap(), StatusCode::CREATED).await;
    assert_eq!(fork["owing"], json!([1, 2]));
    // Whoever is left wins.
    let ended = session.end("/resignations", &tokens[1], json!({})).await;
    assert_eq!(
        (&ended["outcome"]["winners"], &ended["outcome"]["reason"]),
        (&json!([1]), &json!("resigned"))
    );
    let record = session.get("/record", None).await;
    assert_eq!(
        record["log"][0],
        json!({"seat": 3, "decision": 0, "args": {}, "resigns": true, "reason": "resigned"})
    );
    let told = replayed(&record, &shipped()).unwrap();
    assert!(
        told.contains("seat 3: resigns") && told.contains("Seat 1 wins (resigned)"),
        "{told}"
    );
    let mut forged = record.clone();
    forged["log"][0]["seat"] = json!(4);
    assert!(
        replayed(&forged, &shipped()).is_err(),
        "there is no such seat"
    );
    forged["log"] = json!([record["log"][0], record["log"][0]]);
    assert!(
        replayed(&forged, &shipped()).is_err(),
        "nobody resigns twice"
    );
}

#[tokio::test]
async fn the_rules_may_end_the_game_and_who_sits_in_a_team_wins_with_it() {
    let server = with_shipped_games().await;
    let (session, tokens) = server.table(json!({"game": "coup"}), 2).await;
    let ended = session.end("/resignations", &tokens[0], json!({})).await;
    assert_eq!(
        (&ended["outcome"]["winners"], &ended["outcome"]["reason"]),
        (&json!([2]), &json!("resigned"))
    );
    replayed(&session.get("/record", None).await, &shipped()).unwrap();
    let clock = json!({"decision_ms": 300, "at_end": "lose"});
    let (session, _) = server
        .table(json!({"game": "coup", "clock": clock}), 2)
        .await;
    assert_eq!(session.outcome_in_time().await["reason"], "time");
    let mut record = session.get("/record", None).await;
    replayed(&record, &shipped()).unwrap();
    for forged in ["rules", "agreed"] {
        record["outcome"]["reason"] = json!(forged);
        assert!(replayed(&record, &shipped()).is_err(), "{forged}");
    }
    record["log"].as_array_mut().unwrap().last_mut().unwrap()["reason"] = json!("agreed");
    assert!(replayed(&record, &shipped()).is_err(), "nobody leaves so");
    let teams = json!({"game": "drakon", "options": {"variant": "teams"}});
    let (session, tokens) = server.table(teams, 4).await;
    session.end("/resignations", &tokens[0], json!({})).await;
    let ended = session.end("/resignations", &tokens[2], json!({})).await;
    assert_eq!(
        (&ended["outcome"]["winners"], &ended["outcome"]["reason"]),
        (&json!([2, 4]), &json!("resigned"))
    );
    replayed(&session.get("/record", None).await, &shipped()).unwrap();
}

#[tokio::test]
async fn who_has_resigned_is_asked_for_no_draw_no_undo_and_no_pause() {
    let server = with_shipped_games().await;
    let wanted = json!({"game": "goofspiel", "undo": "agreed", "clock": {"game_ms": 600_000}});
    let (session, tokens) = server.table(wanted, 3).await;
    session.end("/resignations", &tokens[2], json!({})).await;
    session
        .cannot_end("/draw-offers", &tokens[2], json!({}), "not-now")
        .await;
    for token in &tokens[..2] {
        let pause = server
            .put(&session.at("/pause"), json!({"paused": true}))
            .bearer_auth(token);
        expect(pause.send().await.unwrap(), StatusCode::OK).await;
    }
    assert_eq!(session.last_events().await, ["pause-wanted", "paused"]);
    session.end("/draw-offers", &tokens[0], json!({})).await;
    let ended = session.end("/draw-offers", &tokens[1], json!({})).await;
    assert_eq!(ended["outcome"]["reason"], "agreed");
}

#[tokio::test]
async fn who_runs_out_of_time_or_is_absent_resigns_where_that_is_to_lose() {
    let server = with_shipped_games().await;
    let clock = json!({"decision_ms": 300, "at_end": "lose"});
    let (session, _) = server
        .table(json!({"game": "pig", "clock": clock}), 3)
        .await;
    let outcome = session.outcome_in_time().await;
    assert_eq!(
        (&outcome["winners"], &outcome["reason"]),
        (&json!([3]), &json!("time"))
    );
    replayed(&session.get("/record", None).await, &shipped()).unwrap();
    let wrong =
        json!({"game": "hearts", "seats": ["open", "open", "open", "open"], "clock": clock});
    refused(server.post("/v1/sessions", wrong), 422, "unprocessable").await;
    let wanted = json!({"game": "pig", "endings": {"claims_after_ms": 1_000}});
    let (session, tokens) = server.table(wanted, 3).await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let stays = session.end("/claims", &tokens[1], json!({})).await;
    assert_eq!(stays["status"], "running");
    assert_eq!(session.get("/view", None).await["owing"], json!([2]));
}

#[tokio::test]
async fn the_default_plays_on() {
    let server = Server::start().await;
    let endings = json!({"resignations": "default"});
    let (session, tokens) = server
        .table(json!({"game": TRADE, "endings": endings}), 3)
        .await;
    session.end("/resignations", &tokens[1], json!({})).await;
    let now = session.get("", None).await;
    assert_eq!(now["seats"][1]["bot"], "default");
    assert_eq!(
        session.get("/view", Some(&tokens[0])).await["owing"],
        json!([1, 2, 3])
    );
    for token in [&tokens[0], &tokens[2]] {
        let choices = session.choices(token).await;
        session.move_by(token, json!({"id": choices[0]})).await;
    }
    assert_eq!(session.get("/view", None).await["state"]["round"], 2);
    let (session, [first, second]) = server
        .duel_of(json!({"game": WINK, "endings": endings}))
        .await;
    session.end("/resignations", &first, json!({})).await;
    // It takes the default, one grain, and the other one may wink.
    let view = session.get("/view", Some(&second)).await;
    assert_eq!(
        (&view["state"]["vars"]["grains"], &view["owing"]),
        (&json!(8), &json!([2]))
    );
}

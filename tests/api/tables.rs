//! Tables: who watches, who takes back, who goes on from where; players that think.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::races::embedded;
use super::support::{
    Server, Session, TOLL, TRADE, bearing, config, expect, refused, shipped, text,
};

async fn undo(session: &Session<'_>, token: &str, body: Value) -> reqwest::RequestBuilder {
    let request = session.server.post(&session.at("/undos"), body);
    request.bearer_auth(token)
}

async fn duel<'a>(server: &'a Server, wanted: Value) -> (Session<'a>, [String; 2]) {
    let session = server.create(wanted).await;
    let tokens = [session.claim(1).await, session.claim(2).await];
    (session, tokens)
}

#[tokio::test]
async fn the_game_is_seen_as_it_was_at_a_version() {
    let server = Server::start().await;
    let (session, [first, second]) = server.duel(TOLL).await;
    let before = session.get("/view", Some(&first)).await;
    session.move_by(&first, json!({"id": "3.1.0"})).await;
    session.move_by(&second, json!({"id": "4.2.0"})).await;
    let then = session.get("/view?at=3", Some(&first)).await;
    assert_eq!(then["state"], before["state"]);
    assert_eq!(
        (&then["version"], &then["owing"]),
        (&json!(3), &before["owing"])
    );
    let waiting = session.get("/view?at=1", None).await;
    assert_eq!(
        (&waiting["status"], &waiting["state"]),
        (&json!("waiting"), &Value::Null)
    );
    refused(session.ask("/view?at=9", None), 404, "not-found").await;
    refused(session.ask("/view?at=x", None), 400, "malformed").await;
}

#[tokio::test]
async fn spectators_see_what_was_settled() {
    let server = Server::start().await;
    let wanted = |spectators: Value| json!({"game": TOLL, "seats": ["open", "open"], "spectators": spectators});
    let (closed, [first, _]) = duel(&server, wanted(json!({"policy": "nothing"}))).await;
    for rest in ["/view", "/events", "/view?at=1"] {
        refused(closed.ask(rest, None), 403, "forbidden").await;
        expect(
            closed.ask(rest, Some(&first)).send().await.unwrap(),
            StatusCode::OK,
        )
        .await;
    }
    let delayed = json!({"policy": "delayed", "delay_versions": 2});
    let (behind, [first, _]) = duel(&server, wanted(delayed.clone())).await;
    assert_eq!(behind.created["spectators"], delayed);
    behind.move_by(&first, json!({"id": "3.1.0"})).await;
    assert_eq!(behind.get("/view", None).await["version"], 2);
    assert_eq!(behind.get("/view", Some(&first)).await["version"], 4);
    assert_eq!(
        behind.get("/events?limit=100", None).await["items"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    refused(behind.ask("/view?at=3", None), 404, "not-found").await;
    let (later, [first, _]) = duel(
        &server,
        wanted(json!({"policy": "delayed", "delay_ms": 600})),
    )
    .await;
    later.move_by(&first, json!({"id": "3.1.0"})).await;
    assert!(later.get("/view", None).await["version"].as_u64() < Some(4));
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert_eq!(later.get("/view", None).await["version"], 4);
    let wrong = server.post(
        "/v1/sessions",
        wanted(json!({"policy": "live", "delay_ms": 5})),
    );
    refused(wrong, 422, "unprocessable").await;
}

#[tokio::test]
async fn a_private_session_is_watched_with_its_spectator_token() {
    let server = Server::start().await;
    let session = server
        .create(json!({"game": TOLL, "visibility": "private"}))
        .await;
    let watch = text(&session.created, "spectator_token");
    assert!(watch.starts_with("wg_watch_"));
    refused(session.ask("/view", None), 404, "not-found").await;
    let view = session.get("/view", Some(&watch)).await;
    assert_eq!(view["seat"], Value::Null);
    let claim = server
        .put(&session.at("/seats/1"), json!({}))
        .bearer_auth(&watch);
    refused(claim, 404, "not-found").await;
}

#[tokio::test]
async fn a_seat_gets_another_token_and_the_old_one_is_of_no_use() {
    let server = Server::start().await;
    let (session, [first, second]) = server.duel(TOLL).await;
    let renew = |token: &str| {
        let wanted = server.put(&session.at("/seats/1"), json!({"renew": true}));
        wanted.bearer_auth(token)
    };
    refused(renew(&second), 403, "forbidden").await;
    let renewed = expect(renew(&first).send().await.unwrap(), StatusCode::CREATED).await;
    let new = text(&renewed, "token");
    refused(
        session.ask("/actions", Some(&first)),
        401,
        "unauthenticated",
    )
    .await;
    assert_eq!(session.get("/actions", Some(&new)).await["seat"], 1);
    // A player who has lost the link asks the owner.
    let owner = session.owner.clone();
    let recovered = expect(renew(&owner).send().await.unwrap(), StatusCode::CREATED).await;
    refused(session.ask("/actions", Some(&new)), 401, "unauthenticated").await;
    session
        .get("/actions", Some(&text(&recovered, "token")))
        .await;
}

#[tokio::test]
async fn what_taught_nobody_anything_can_be_taken_back() {
    let server = Server::start().await;
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "undo": "free"});
    let (session, [first, second]) = duel(&server, wanted).await;
    let before = session.get("/view", Some(&first)).await;
    session.move_by(&first, json!({"id": "3.1.0"})).await;
    refused(
        undo(&session, &second, json!({})).await,
        409,
        "not-undoable",
    )
    .await;
    let undone = undo(&session, &first, json!({"to": 3})).await;
    let undone = expect(undone.send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(
        (&undone["version"], &undone["open"]),
        (&json!(5), &Value::Null)
    );
    let after = session.get("/view", Some(&first)).await;
    assert_eq!(after["state"], before["state"]);
    // The log says so, and goes on.
    let events = session.get("/events?after=4", None).await;
    assert_eq!(
        events["items"][0]["events"],
        json!([{"type": "undone", "seat": 1, "to": 3}])
    );
    let over = session.play_out(&[first.clone(), second], |_| 0).await;
    assert_eq!(over["status"], "finished");
    let record = session.get("/record", None).await;
    assert_eq!(record["outcome"], over["outcome"]);
    refused(undo(&session, &first, json!({})).await, 409, "session-over").await;
}

#[tokio::test]
async fn others_are_asked_before_something_is_taken_back() {
    let server = Server::start().await;
    let (session, [first, second]) = server.duel(TOLL).await;
    session.move_by(&first, json!({"id": "3.1.0"})).await;
    let wish = undo(&session, &first, json!({})).await;
    let wish = expect(wish.send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(wish["open"], json!({"seat": 1, "to": 3, "agreed": []}));
    let no = undo(&session, &second, json!({"agree": false})).await;
    let no = expect(no.send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(no["open"], Value::Null);
    // A refused request is no move: it can be repeated.
    let wish = undo(&session, &first, json!({"to": 3})).await;
    expect(wish.send().await.unwrap(), StatusCode::OK).await;
    let yes = undo(&session, &second, json!({"agree": true})).await;
    expect(yes.send().await.unwrap(), StatusCode::OK).await;
    let actions = session.get("/actions", Some(&first)).await;
    assert_eq!(actions["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn nothing_is_taken_back_where_that_was_settled_and_after_something_was_learned() {
    let server = Server::start().await;
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "undo": "never"});
    let (session, [first, _]) = duel(&server, wanted).await;
    session.move_by(&first, json!({"id": "3.1.0"})).await;
    refused(undo(&session, &first, json!({})).await, 403, "forbidden").await;
    // Secret answers that were revealed together are known to all.
    let wanted = json!({"game": TRADE, "seats": ["open", "open"], "undo": "free"});
    let (session, tokens) = duel(&server, wanted).await;
    while session.version().await < 5 {
        for token in &tokens {
            if let Some(id) = session.choices(token).await.first() {
                session.move_by(token, json!({"id": id})).await;
            }
        }
    }
    for token in &tokens {
        refused(undo(&session, token, json!({})).await, 409, "not-undoable").await;
    }
}

#[tokio::test]
async fn a_session_is_forked_at_a_version() {
    let server = Server::start().await;
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "forks": "always"});
    let (session, [first, second]) = duel(&server, wanted).await;
    session.move_by(&first, json!({"id": "3.1.0"})).await;
    session.move_by(&second, json!({"id": "4.2.0"})).await;
    let fork =
        |token: Option<&str>, body: Value| bearing(server.post(&session.at("/forks"), body), token);
    refused(fork(None, json!({})), 401, "unauthenticated").await;
    refused(
        fork(Some(&first), json!({"version": 99})),
        422,
        "unprocessable",
    )
    .await;
    let forked = fork(Some(&first), json!({"version": 4}));
    let forked = expect(forked.send().await.unwrap(), StatusCode::CREATED).await;
    assert_eq!(
        (&forked["status"], &forked["practice"]),
        (&json!("running"), &json!(true))
    );
    let path = format!("/v1/sessions/{}", text(&forked, "id"));
    let there = server
        .get(&format!("{path}/view?at=1"))
        .send()
        .await
        .unwrap();
    let there = expect(there, StatusCode::OK).await;
    let then = session.get("/view?at=4", None).await;
    assert_eq!(there["state"]["zones"], then["state"]["zones"]);
    // By default only once the game is over.
    let (session, [first, _]) = server.duel(TOLL).await;
    let early = server
        .post(&session.at("/forks"), json!({}))
        .bearer_auth(&first);
    refused(early, 409, "session-running").await;
}

#[tokio::test]
async fn a_record_is_taken_up_where_it_ends() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TOLL).await;
    session.play_out(&tokens, |_| 0).await;
    let mut record = session.get("/record", None).await;
    record["log"].as_array_mut().unwrap().truncate(2);
    record.as_object_mut().unwrap().remove("outcome");
    // JSON does not tell 2.0 from 2.
    record["seats"] = json!(2.0);
    let taken = server
        .create(json!({"record": record, "seats": ["open", "open"]}))
        .await;
    assert_eq!(taken.created["status"], "running");
    let tokens = [taken.claim(1).await, taken.claim(2).await];
    let over = taken.play_out(&tokens, |_| 0).await;
    let again = taken.get("/record", None).await;
    assert_eq!(again["outcome"], over["outcome"]);
    record["log"][0]["args"] = json!({"n": 99});
    let wrong = server.post("/v1/sessions", json!({"record": record}));
    let problem = refused(wrong, 422, "unprocessable").await;
    assert_eq!(problem["errors"][0]["pointer"], "/record");
}

#[tokio::test]
async fn a_session_begins_with_moves_and_its_record_can_be_text() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TOLL).await;
    session.play_out(&tokens, |_| 0).await;
    let record = session.ask("/record", None).header("accept", "text/plain");
    let record = record.send().await.unwrap();
    assert_eq!(
        record.headers()["content-type"],
        "text/plain; charset=utf-8"
    );
    let whole = record.text().await.unwrap();
    let (_, moves) = whole.split_once("\n\n").unwrap();
    let words: Vec<&str> = moves.split_whitespace().take(3).collect();
    let game = session.created["ruleset"].clone();
    let begun = |moves: &str| json!({"ruleset": game, "moves": moves, "seats": ["open", "open"]});
    let taken = server.create(begun(&words.join(" "))).await;
    let tokens = [taken.claim(1).await, taken.claim(2).await];
    assert_eq!(taken.get("", None).await["status"], "running", "{whole}");
    taken.play_out(&tokens, |_| 0).await;
    assert_eq!(
        taken.get("/record", None).await["log"][1]["seat"],
        2,
        "{whole}"
    );
    let wrong = server.post("/v1/sessions", begun("1. nonsense"));
    let problem = refused(wrong, 422, "unprocessable").await;
    assert_eq!(problem["errors"][0]["pointer"], "/moves");
}

/// Everybody counts to three; what the winner has is handed on, up to five.
const CAMPAIGN: &str = "game: campaign\ntitle: Campaign\nplayers: [2]\nbound: 9\noptions:\n  \
    gold: {type: 0..5, default: 1, campaign: most}\n  proud: {type: bool, default: false, campaign: is_rich}\n  \
    kept: {type: 0..3, default: 2}\nqueries:\n  most: max(seats, score[it])\n  is_rich: most > 2\neffects:\n  play: |\n    \
    turn of seat(1):\n      choose n in 1..3: active scores n * (gold + kept - 2)\n      if proud: say \"Proud\"\n    finish ranked by score[it]\n";

#[tokio::test]
async fn a_campaign_hands_values_to_the_rematch_and_its_record_holds_them() {
    let server = Server::start().await;
    let files = json!({"files": {"game.yaml": CAMPAIGN}});
    let kept = server.post("/v1/rulesets", files).send().await.unwrap();
    let ruleset = expect(kept, StatusCode::CREATED).await["digest"].clone();
    let wanted = json!({"ruleset": ruleset, "options": {"kept": 3}});
    let (session, tokens) = server.duel_of(wanted).await;
    let mut id = text(&session.created, "id");
    // 1 * 2, then 2 * 3, which is more than the option allows, so it stays.
    for (number, gold, proud) in [(0, 2, false), (2, 2, true)] {
        let path = format!("/v1/sessions/{id}");
        let mover = tokens.iter().map(|token| {
            server
                .get(&format!("{path}/view?include=actions"))
                .bearer_auth(token)
        });
        for (request, token) in mover.zip(&tokens) {
            let view = expect(request.send().await.unwrap(), StatusCode::OK).await;
            let choices = &view["decisions"][0]["choices"];
            if !choices.is_null() {
                let body = json!({"id": choices[number]["id"]});
                let made = server
                    .post(&format!("{path}/moves"), body)
                    .bearer_auth(token);
                expect(made.send().await.unwrap(), StatusCode::CREATED).await;
                break;
            }
        }
        let wanted = server.post("/v1/sessions", json!({"rematch_of": id}));
        let rematch = wanted.bearer_auth(&tokens[0]).send().await.unwrap();
        let rematch = expect(rematch, StatusCode::CREATED).await;
        let record = server.get(&format!("{path}/record")).send().await.unwrap();
        let record = expect(record, StatusCode::OK).await;
        assert_eq!(record["options"]["kept"], 3);
        id = text(&rematch, "id");
        let session = server
            .get(&format!("/v1/sessions/{id}"))
            .send()
            .await
            .unwrap();
        let session = expect(session, StatusCode::OK).await;
        let options = json!({"gold": gold, "proud": proud, "kept": 3});
        assert_eq!(session["options"], options);
    }
}

const DISCS: &str = "game: discs
players: 2
zones: {square: {each: {column: 1..3, row: 1..2}, grid: [column, row], coordinates: a1}}
start: {on: square, rows: 3/3 x, letters: {xo: disc}, then: [{xo: beginner}]}
vars: {disc: {each: square, type: seat}, beginner: {type: seat, start: seat(1)}}
notation: {letters: {disc: xo, active: xo}, position: [\"{disc[it]}\", \"{active}\"], choices: {s: \"{s}\"}}
effects:
  play: |
    set_up
    turns from beginner:
      choose s in square where disc[it] = none: disc[s] = active
      else: finish drawn
";

#[tokio::test]
async fn a_session_begins_from_a_position_and_views_and_events_have_the_notation() {
    let server = Server::start().await;
    let sent = server.post("/v1/rulesets", json!({"files": {"game.yaml": DISCS}}));
    let kept = expect(sent.send().await.unwrap(), StatusCode::CREATED).await;
    let game = text(&kept, "digest");
    let from =
        |position: &str| json!({"ruleset": game, "position": position, "seats": ["open", "open"]});
    let session = server.create(from("x1o/3 o")).await;
    assert_eq!(session.created["practice"], true);
    let tokens = [session.claim(1).await, session.claim(2).await];
    let view = session.get("/view", Some(&tokens[1])).await;
    assert_eq!(view["position"], "x1o/3 o");
    assert_eq!(view["owing"], json!([2]));
    let version = session.version().await;
    let placed = json!({"args": {"s": "b2"}, "version": version});
    let made = session.move_by(&tokens[1], placed);
    expect(made.await, StatusCode::CREATED).await;
    let view = session.get("/view", None).await;
    assert_eq!(view["position"], "xoo/3 x");
    let events = session.get("/events?after=1", None).await;
    let events = events["items"].as_array().unwrap().iter();
    let mut events = events.flat_map(|change| change["events"].as_array().unwrap());
    let chose = events.find(|event| event["type"] == "chose").unwrap();
    assert_eq!(chose["notation"], "b2");
    for (position, wrong) in [("x1z/3 o", "`z` means nothing"), ("3x/4 o", "")] {
        let problem = refused(
            server.post("/v1/sessions", from(position)),
            422,
            "unprocessable",
        );
        let problem = problem.await;
        assert_eq!(problem["errors"][0]["pointer"], "/position");
        assert!(text(&problem, "detail").contains(wrong), "{problem}");
    }
    let none = json!({"game": TOLL, "position": "3/3 x"});
    let problem = refused(server.post("/v1/sessions", none), 422, "unprocessable").await;
    assert_eq!(problem["errors"][0]["pointer"], "/position");
}

/// A game of which many positions are listed gets machine code: the choices stay what they were, in the same order.
#[tokio::test]
async fn choices_are_the_same_once_machine_code_lists_them() {
    let server = Server::start().await;
    let sent = server.post("/v1/rulesets", json!({"files": {"game.yaml": DISCS}}));
    let kept = expect(sent.send().await.unwrap(), StatusCode::CREATED).await;
    let of = json!({"ruleset": text(&kept, "digest")});
    let (session, tokens) = server.duel_of(of.clone()).await;
    let (other, others) = server.duel_of(of).await;
    let interpreted = other.play_for(2, &others, |count| count / 2).await;
    let interpreted = (interpreted["version"].clone(), other.view(&others[0]).await);
    for _ in 0..400 {
        session.view(&tokens[0]).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let fast = session.play_for(2, &tokens, |count| count / 2).await;
    let fast = (fast["version"].clone(), session.view(&tokens[0]).await);
    assert_eq!(fast.0, interpreted.0);
    for member in ["decisions", "position"] {
        assert_eq!(fast.1[member], interpreted.1[member]);
    }
    let notations = fast.1["decisions"][0]["choices"].as_array().unwrap();
    assert!(
        notations
            .iter()
            .all(|choice| choice["notation"].is_string())
    );
}

#[tokio::test]
async fn a_rematch_is_one_and_seats_go_round() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TOLL).await;
    let id = text(&session.created, "id");
    let rematch = |token: &str| {
        let wanted = server.post("/v1/sessions", json!({"rematch_of": id}));
        wanted.bearer_auth(token)
    };
    refused(rematch(&tokens[0]), 409, "session-running").await;
    session.play_out(&tokens, |_| 0).await;
    let before = session.ask("", Some(&tokens[1])).send().await.unwrap();
    let tag = before.headers()["etag"].clone();
    assert_eq!(before.json::<Value>().await.unwrap().get("rematch"), None);
    let one = expect(
        rematch(&tokens[0]).send().await.unwrap(),
        StatusCode::CREATED,
    )
    .await;
    let other = expect(
        rematch(&tokens[1]).send().await.unwrap(),
        StatusCode::CREATED,
    )
    .await;
    assert_eq!(one["id"], other["id"]);
    assert_eq!(other.get("owner_token"), None);
    // Whoever looks at the finished session again learns of the rematch.
    let known = session
        .ask("", Some(&tokens[1]))
        .header("if-none-match", tag);
    let known = expect(known.send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(known["rematch"], one["id"]);
    let path = format!("/v1/sessions/{}/view", text(&one, "id"));
    let view = server
        .get(&path)
        .bearer_auth(&tokens[0])
        .send()
        .await
        .unwrap();
    let view = expect(view, StatusCode::OK).await;
    assert_eq!(
        (&view["seat"], &view["status"]),
        (&json!(2), &json!("running"))
    );
}

#[tokio::test]
async fn players_that_think_play_to_the_end() {
    let server = Server::start().await;
    for game in [TOLL, TRADE] {
        let seats = json!(["greedy", "search-1"]);
        let session = server.create(json!({"game": game, "seats": seats})).await;
        assert_eq!(session.created["seats"][1]["bot"], "search-1");
        let mut over = session.get("", None).await;
        for _ in 0..500 {
            if over["status"] == "finished" {
                break;
            }
            // They play whether somebody looks or not.
            tokio::time::sleep(Duration::from_millis(40)).await;
            over = session.get("", None).await;
        }
        assert_eq!(over["status"], "finished");
    }
}

/// Returns the value of a metric.
async fn metric(server: &Server, name: &str) -> f64 {
    let answer = server.get("/metrics").send().await.unwrap();
    let text = answer.text().await.unwrap();
    let line = text.lines().find(|line| line.starts_with(name));
    let line = line.unwrap_or_else(|| panic!("{name} is not in {text}"));
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

/// Each choice of a bot is due for other nodes a while later, unless it is made by then.
#[tokio::test]
async fn a_long_game_of_bots_costs_few_reads_of_due_work() {
    let (_folder, store) = embedded();
    let mut config = config();
    (config.store, config.rules) = (store, shipped());
    let server = Server::with(config).await;
    let seats = json!(["search-1", "search-1"]);
    let wanted = json!({"game": "drakon", "seats": seats});
    let session = server.create(wanted).await;
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(4_500) || session.version().await <= 3 {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "they do not play"
        );
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    let seconds = began.elapsed().as_secs_f64();
    for (work, most) in [("pending_bots", 5.0 * seconds), ("clocks", seconds)] {
        let name = |act| format!("wyrmgate_due_acts_total{{work=\"{work}\",act=\"{act}\"}}");
        let (reads, wakes) = (name("read"), name("wake-up"));
        let (reads, wakes) = (metric(&server, &reads).await, metric(&server, &wakes).await);
        assert!(reads <= most, "{work}: {reads} reads");
        assert!(wakes <= 5.0 * most + 5.0, "{work}: {wakes} wake-ups");
    }
    let waits = "wyrmgate_wait_seconds_count{work=\"bots\"}";
    assert!(metric(&server, waits).await > 0.0);
}

#[tokio::test]
async fn a_bot_that_searches_keeps_its_deadline() {
    let mut config = config();
    config.rules = shipped();
    let server = Server::with(config).await;
    let clock = json!({"decision_ms": 1_000});
    let seats = json!(["search-3", "open"]);
    let wanted = json!({"game": "drakon", "seats": seats, "clock": clock});
    let session = server.create(wanted).await;
    session.claim(2).await;
    let began = Instant::now();
    let mut owing = session.get("", None).await["owing"].clone();
    assert_eq!(owing, json!([1]), "the bot thinks");
    while owing == json!([1]) {
        tokio::time::sleep(Duration::from_millis(10)).await;
        owing = session.get("", None).await["owing"].clone();
    }
    let took = began.elapsed();
    assert!(took < Duration::from_millis(1_600), "{took:?}");
}

#[tokio::test]
async fn a_fork_before_the_end_makes_the_session_practice_and_tells_everybody() {
    let server = Server::start().await;
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "forks": "always"});
    let (session, tokens) = duel(&server, wanted).await;
    let version = session.version().await;
    let fork = || {
        let fork = server.post(
            &session.at("/forks"),
            json!({"seats": ["random", "random"]}),
        );
        fork.bearer_auth(&tokens[0])
    };
    assert_eq!(session.get("", None).await["practice"], false);
    for _ in 0..2 {
        let forked = expect(fork().send().await.unwrap(), StatusCode::CREATED).await;
        assert_eq!(forked["practice"], true);
    }
    let now = session.get("", None).await;
    assert_eq!(
        (&now["practice"], &now["version"]),
        (&json!(true), &json!(version + 1))
    );
    let events = session.get(&format!("/events?after={version}"), None).await;
    assert_eq!(events["items"][0]["events"], json!([{"type": "forked"}]));
    let lobby = server
        .get("/v1/sessions?status=running")
        .send()
        .await
        .unwrap();
    let lobby = expect(lobby, StatusCode::OK).await;
    let id = text(&session.created, "id");
    let listed = lobby["items"].as_array().unwrap().iter();
    let listed = listed.filter(|line| line["id"] == id.as_str());
    assert!(listed.clone().count() == 1 && listed.clone().all(|line| line["practice"] == true));

    // A game that is over keeps what it was.
    let over = server
        .create(json!({"game": TOLL, "seats": ["open", "open"]}))
        .await;
    let tokens = [over.claim(1).await, over.claim(2).await];
    over.play_out(&tokens, |_| 0).await;
    let fork = server.post(&over.at("/forks"), json!({}));
    expect(
        fork.bearer_auth(&tokens[0]).send().await.unwrap(),
        StatusCode::CREATED,
    )
    .await;
    assert_eq!(over.get("", None).await["practice"], false);
}

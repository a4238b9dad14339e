//! Clocks: published deadlines, and their effect once they have passed.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use reqwest::StatusCode;
use serde_json::{Value, json};
use wyrmgate::metrics::Metrics;
use wyrmgate::rules::Library;
use wyrmgate::session::{Call, Claim, Clock, Seat, Service, SessionOrder, Terms, Visibility};
use wyrmgate::store;

use super::races::embedded;
use super::support::{Server, TOLL, WINK, config, expect, fixtures, refused};

#[tokio::test]
async fn deadlines_are_told_to_those_who_see_who_decides() {
    let server = Server::start().await;
    let clock = json!({"decision_ms": 60_000, "game_ms": 90_000, "increment_ms": 1_000, "at_end": "default"});
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "clock": clock});
    let session = server.create(wanted).await;
    assert_eq!(session.created["clock"], clock);
    assert_eq!(session.created["deadlines"], json!([]));
    let tokens = [session.claim(1).await, session.claim(2).await];
    let first = session.get("/view", Some(&tokens[0])).await;
    assert_eq!(first["deadlines"][0]["seat"], 1);
    let receipt = session.move_by(&tokens[0], json!({"id": "3.1.0"})).await;
    let receipt = expect(receipt, StatusCode::CREATED).await;
    let second = session.get("", None).await;
    assert_eq!(receipt["times"], second["times"]);
    assert_eq!(
        session.get("/moves/4", None).await["times"],
        second["times"]
    );
    assert_eq!(second["deadlines"][0]["seat"], 2);
    assert!(second["deadlines"][0]["at"].as_str() >= first["deadlines"][0]["at"].as_str());
    // Everybody sees what all seats have left of the game, and pictures say it as a time that is left.
    assert_eq!(first["times"][1], json!({"seat": 2, "left_ms": 90_000}));
    let now = session.get("/view", None).await;
    let left = now["times"][0]["left_ms"].as_u64().unwrap();
    assert!((80_000..=91_000).contains(&left), "{now}");
    let past = session.get("/view?at=1", None).await;
    assert_eq!(past["times"], Value::Null);
    let picture = session
        .ask("/board.txt", None)
        .header("accept", "text/plain");
    let picture = picture.send().await.unwrap().text().await.unwrap();
    let has_time =
        |seconds: u64| picture.contains(&format!("{}:{:02}", seconds / 60, seconds % 60));
    assert!((left / 1000 - 1..=left / 1000).any(has_time), "{picture}");
    assert!(
        (50..=60).any(has_time),
        "the seat that decides has a minute for it: {picture}"
    );
    for clock in [
        json!({}),
        json!({"decision_ms": 5}),
        json!({"increment_ms": 1000}),
        json!({"decision_ms": 500, "periods": 2, "period_ms": 500}),
        json!({"game_ms": 500, "periods": 2}),
        json!({"game_ms": 500, "periods": 2, "period_ms": 500, "delay_ms": 5}),
    ] {
        let wanted = json!({"game": TOLL, "clock": clock});
        refused(server.post("/v1/sessions", wanted), 422, "unprocessable").await;
    }
}

#[tokio::test]
async fn where_the_rules_declare_no_default_a_late_seat_is_freed_once_and_not_early() {
    let server = Server::start().await;
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "clock": {"decision_ms": 400, "at_end": "default"}});
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
    // A new player of the seat has a clock again.
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
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "clock": {"game_ms": 300, "at_end": "default"}});
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

/// Nobody could move while the server was away, so time for a decision begins anew; but only once.
#[tokio::test]
async fn a_deadline_that_passed_while_the_server_was_away_is_moved_once() {
    let (_folder, store) = embedded();
    let mut config = config();
    config.store = store;
    let server = Server::with(config.clone()).await;
    let clock = json!({"decision_ms": 1_500, "at_end": "default"});
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "clock": clock});
    let session = server.create(wanted).await;
    let path = session.path.clone();
    session.claim(1).await;
    session.claim(2).await;
    let announced = session.get("", None).await["deadlines"][0]["at"].clone();
    drop(session);
    drop(server);
    tokio::time::sleep(Duration::from_millis(2_000)).await;
    let server = Server::with(config).await;
    let restarted = Instant::now();
    let look = async || -> Value {
        let session = server.get(&path).send().await.unwrap();
        session.json().await.unwrap()
    };
    while look().await["seats"][0]["status"] != "open" {
        assert!(restarted.elapsed() < Duration::from_secs(5), "never late");
        tokio::time::sleep(Duration::from_millis(20)).await;
        let now = look().await["deadlines"][0]["at"].clone();
        let is_old = now == announced && restarted.elapsed() > Duration::from_millis(500);
        assert!(!is_old, "the new deadline is not announced");
    }
    let granted = restarted.elapsed();
    assert!(granted > Duration::from_millis(1_200), "{granted:?}");
}

#[tokio::test]
async fn time_that_is_up_plays_the_declared_default_once_whoever_finds_it() {
    let (_folder, store) = embedded();
    let mut config = config();
    config.store = store;
    let server = Server::with(config).await;
    let wanted = json!({"game": WINK, "seats": ["open", "open"], "clock": {"decision_ms": 400, "at_end": "default"}});
    let session = server.create(wanted).await;
    let began = std::time::Instant::now();
    let tokens = [session.claim(1).await, session.claim(2).await];
    let late = session
        .ask("/events?after=3", Some(&tokens[1]))
        .header("prefer", "wait=10");
    let late = expect(late.send().await.unwrap(), StatusCode::OK).await;
    assert!(began.elapsed() >= Duration::from_millis(400), "not early");
    assert_eq!(late["items"][0]["version"], 4);
    assert_eq!(
        late["items"][0]["events"][0],
        json!({"type": "timed-out", "seat": 1})
    );
    // Then it is up for the other one, who may decline, and so on; each of them once.
    let last = session
        .ask("/events?after=4", None)
        .header("prefer", "wait=10");
    let last = expect(last.send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(
        last["items"][0]["events"][0],
        json!({"type": "timed-out", "seat": 2})
    );
    let view = session.get("/view?at=5", None).await;
    assert_eq!(view["state"]["vars"]["grains"], 8);
    assert_eq!(view["state"]["vars"]["winks"], json!([0, 0]));
    assert_eq!(view["owing"], json!([2]));
    let move_4 = session.get("/moves/4", None).await;
    assert_eq!(move_4["choices"], json!([{"seat": 1, "bot": false}]));
}

#[tokio::test]
async fn the_time_of_a_game_runs_out_over_several_decisions_and_grows_with_each() {
    let server = Server::start().await;
    let clock = json!({"game_ms": 60_000, "increment_ms": 5_000});
    let wanted = json!({"game": WINK, "seats": ["open", "open"], "clock": clock});
    let session = server.create(wanted).await;
    let tokens = [session.claim(1).await, session.claim(2).await];
    let deadline = async || {
        let view = session.get("/view", None).await;
        let at = view["deadlines"][0]["at"].as_str().unwrap().to_owned();
        (view["deadlines"][0]["seat"].clone(), at)
    };
    let (seat, first) = deadline().await;
    assert_eq!(seat, 1);
    for _ in 0..2 {
        for (token, option) in [
            (0, None),
            (1, Some("decline")),
            (1, None),
            (0, Some("decline")),
        ] {
            let view = session.view(&tokens[token]).await;
            let choices = view["decisions"][0]["choices"].as_array().unwrap();
            let wanted = choices
                .iter()
                .find(|c| option.is_none_or(|o| c["option"] == o));
            let id = &wanted.unwrap()["id"];
            expect(
                session.move_by(&tokens[token], json!({"id": id})).await,
                StatusCode::CREATED,
            )
            .await;
        }
    }
    // Four decisions later: twenty seconds more, less what they took.
    let (seat, later) = deadline().await;
    assert_eq!(seat, 1);
    let of = |text: &str| text.parse::<jiff::Timestamp>().unwrap().as_millisecond();
    let gained = of(&later) - of(&first);
    assert!((20_000..=22_000 + 20_000).contains(&gained), "{gained}");
    // Every change tells the times after it, as its receipt does, also those that are past.
    let page = session.get("/events?after=4", None).await;
    let changes = page["items"].as_array().unwrap();
    let receipt = session
        .get(&format!("/moves/{}", changes[0]["version"]), None)
        .await;
    assert_eq!(receipt["times"], changes[0]["times"]);
    assert_ne!(receipt["times"], changes[3]["times"]);
    let last = &changes.last().unwrap()["times"];
    assert_eq!(*last, session.get("", None).await["times"]);
    let seats = last.as_array().unwrap().iter().map(|time| &time["seat"]);
    assert!(seats.eq([&json!(1), &json!(2)]), "{last}");
}

/// Two nodes over one store, without HTTP in between.
async fn two_nodes() -> [Service; 2] {
    let store = store::open("memory").await.unwrap();
    let (library, _) = Library::read(&fixtures()).unwrap();
    let library = Arc::new(library);
    [(); 2].map(|()| {
        let metrics = Arc::new(Metrics::default());
        Service::new(
            store.clone(),
            library.clone(),
            metrics,
            Duration::from_secs(600),
        )
    })
}

#[tokio::test]
async fn of_two_nodes_that_find_the_same_time_up_one_plays_and_none_too_early() {
    let nodes = two_nodes().await;
    let terms = Terms {
        clock: Some(Clock {
            decision_ms: Some(300),
            ..Clock::default()
        }),
        ..Terms::default()
    };
    let order = SessionOrder {
        reserved: Vec::new(),
        host: None,
        labels: Default::default(),
        ruleset: nodes[0].library().game(WINK).unwrap(),
        options: Default::default(),
        seats: vec![Seat::Open, Seat::Open],
        visibility: Visibility::Public,
        seed: None,
        terms,
        waits: Default::default(),
        before: None,
    };
    let id = nodes[0].create(&order, None).await.unwrap().live.id.clone();
    for seat in [1, 2] {
        let claim = Claim {
            player: None,
            reserve_for: None,
            profile: Default::default(),
            seat,
            name: None,
            bot: None,
            renew: false,
            invite: None,
            secret: None,
            entropy: None,
        };
        nodes[1].claim(Call::once(&id, None), &claim).await.unwrap();
    }
    let mut changes = 0;
    for _ in 0..40 {
        let live = nodes[0].load(&id).await.unwrap();
        let deadline = live.deadlines(None)[0].1;
        let before = live.version();
        let (one, other) = tokio::join!(nodes[0].time_out(&id), nodes[1].time_out(&id));
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap()
            .as_millis() as u64;
        let changed = u64::from(one.unwrap()) + u64::from(other.unwrap());
        let after = nodes[0].load(&id).await.unwrap().version();
        assert_eq!(after - before, changed, "one change for each that says so");
        assert!(changed <= 1, "both have played");
        assert!(changed == 0 || now >= deadline, "too early");
        changes += changed;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!((2..=4).contains(&changes), "{changes}");
}

#[tokio::test]
async fn whoever_runs_out_of_time_meets_what_the_session_says() {
    let server = Server::start().await;
    let ended = async |at_end: Value| {
        let clock = json!({"game_ms": 200, "at_end": at_end});
        let wanted = json!({"game": TOLL, "seats": ["open", "open"], "clock": clock});
        let session = server.create(wanted).await;
        session.claim(1).await;
        session.claim(2).await;
        let late = session.ask("/events?after=3", None);
        let late = late.header("prefer", "wait=10").send().await.unwrap();
        let late = expect(late, StatusCode::OK).await;
        let events = late["items"][0]["events"].as_array().unwrap().clone();
        let types: Vec<Value> = events.iter().map(|event| event["type"].clone()).collect();
        (session, types)
    };
    // With two seats, the other one wins unless the session says otherwise.
    for at_end in [Value::Null, json!("lose")] {
        let (session, types) = ended(at_end).await;
        assert_eq!(types, ["timed-out", "finished"]);
        let outcome = &session.get("", None).await["outcome"];
        assert_eq!(
            (&outcome["winners"], &outcome["reason"]),
            (&json!([2]), &json!("time"))
        );
        let record = session.get("/record", None).await;
        super::endings::verified(&record).unwrap();
    }
    assert_eq!(ended(json!("random")).await.1[..2], ["timed-out", "chose"]);
    let (session, types) = ended(json!("free")).await;
    assert_eq!(types, ["timed-out", "seat-left"]);
    assert_eq!(session.get("", None).await["deadlines"], json!([]));
    let (session, types) = ended(json!("bot")).await;
    assert_eq!(types[..2], ["timed-out", "seat-taken"]);
    assert_eq!(session.get("", None).await["seats"][0]["bot"], "greedy");
    let three = json!({"game": super::support::TRADE, "seats": ["open", "open", "open"],
        "clock": {"game_ms": 200, "at_end": "lose"}});
    refused(server.post("/v1/sessions", three), 422, "unprocessable").await;
}

#[tokio::test]
async fn clocks_stand_still_in_a_pause() {
    let server = Server::start().await;
    let clock = json!({"game_ms": 1_000});
    let endings = json!({"claims_after_ms": 1_000});
    let wanted = json!({"game": TOLL, "clock": clock, "endings": endings});
    let (session, [first, second]) = server.duel_of(wanted).await;
    let pause = async |token: &str, paused: bool| {
        let asked = server.put(&session.at("/pause"), json!({"paused": paused}));
        let sent = asked.bearer_auth(token).send().await.unwrap();
        expect(sent, StatusCode::OK).await
    };
    let asked = pause(&first, true).await;
    assert_eq!(
        (&asked["paused"], &asked["pause_wanted_by"]),
        (&json!(false), &json!([1]))
    );
    assert_eq!(pause(&second, false).await["pause_wanted_by"], json!([]));
    pause(&first, true).await;
    assert_eq!(pause(&second, true).await["paused"], true);
    assert_eq!(session.get("", None).await["deadlines"], json!([]));
    let stopped = session.order(
        &first,
        json!({"version": session.version().await, "args": {"n": 1}}),
    );
    refused(stopped, 409, "not-now").await;
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(session.get("", None).await["status"], "running");
    // Nobody is absent who cannot move.
    let claim = server.post(&session.at("/claims"), json!({}));
    refused(claim.bearer_auth(&second), 409, "not-now").await;
    pause(&second, false).await;
    // The clock goes on ten seconds later, with what was left.
    let deadline = session.get("", None).await["deadlines"][0]["at"].clone();
    let version = session.version().await;
    let moved = session
        .move_by(&first, json!({"version": version, "args": {"n": 1}}))
        .await;
    expect(moved, StatusCode::CREATED).await;
    assert!(deadline.is_string());
    let left = session.get("/view", None).await["times"][0]["left_ms"].clone();
    assert!(left.as_u64() > Some(900), "{left}");
    // The owner needs nobody.
    assert_eq!(pause(&session.owner.clone(), true).await["paused"], true);
    // A game that is over has no pause.
    let resigned = server.post(&session.at("/resignations"), json!({}));
    let resigned = resigned.bearer_auth(&first).send().await.unwrap();
    assert_eq!(expect(resigned, StatusCode::OK).await["paused"], false);
    let (without, [first, _]) = server.duel(TOLL).await;
    let asked = server.put(&without.at("/pause"), json!({"paused": true}));
    refused(asked.bearer_auth(&first), 403, "forbidden").await;
}

//! Standing orders: answers in advance, and that nobody else can tell.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::secrets::{timeless, without_mark};
use super::streams::Reader;
use super::support::{Server, Session, TRADE, WINK, expect, refused};

const AT_ONCE: &str = r#"{"least_ms": 0, "most_ms": 0}"#;

async fn table<'a>(server: &'a Server, game: &str) -> (Session<'a>, [String; 2]) {
    let replies: Value = serde_json::from_str(AT_ONCE).unwrap();
    let wanted = json!({"game": game, "seats": ["open", "open"], "replies": replies, "seed": "05".repeat(32)});
    let session = server.create(wanted).await;
    let tokens = [session.claim(1).await, session.claim(2).await];
    (session, tokens)
}

async fn give(session: &Session<'_>, token: &str, orders: Value) -> Value {
    let order = session
        .server
        .put(&session.at("/standing-orders"), json!({"orders": orders}));
    let given = order.bearer_auth(token).send().await.unwrap();
    expect(given, StatusCode::OK).await
}

fn decline() -> Value {
    json!([{"decision": "wink", "answer": {"option": "decline"}}])
}

/// The session once it has this version.
async fn version(session: &Session<'_>, version: u64) {
    let view = session
        .get(&format!("/view?min_version={version}"), None)
        .await;
    assert_eq!(view["version"], version);
}

/// Everything that somebody can ask for, but for what names the session and the time.
async fn seen(session: &Session<'_>, token: Option<&str>) -> Vec<String> {
    let mut all = Vec::new();
    let rests = [
        "",
        "/view?include=actions",
        "/actions",
        "/events",
        "/events?form=patch",
        "/moves/4",
        "/moves/5",
        "/seats/2",
        "/board.svg",
        "/board.txt",
    ];
    for rest in rests {
        let answer = session.ask(rest, token).header("x-request-id", "same");
        let answer = answer.send().await.unwrap();
        let (status, tag) = (
            answer.status(),
            format!("{:?}", answer.headers().get("etag")),
        );
        let id = session.created["id"].as_str().unwrap();
        let text = answer.text().await.unwrap().replace(id, "ID");
        let tag = without_mark(&tag);
        all.push(format!("{rest} {status} {tag} {}", timeless(&text)));
    }
    all
}

#[tokio::test]
async fn nobody_else_can_tell_an_answer_in_advance_from_one_by_hand() {
    let server = Server::start().await;
    let (by_hand, hands) = table(&server, WINK).await;
    let (by_order, orders) = table(&server, WINK).await;
    let before = seen(&by_order, Some(&orders[0])).await;
    give(&by_order, &orders[1], decline()).await;
    assert_eq!(
        seen(&by_order, Some(&orders[0])).await,
        before,
        "that an order is given"
    );
    let mut streams = Vec::new();
    for (session, tokens) in [(&by_hand, &hands), (&by_order, &orders)] {
        let mut reader = Reader::open(session.ask("/events", Some(&tokens[0]))).await;
        reader.next().await.unwrap();
        let moved = session
            .move_by(&tokens[0], json!({"version": 3, "args": {"n": 2}}))
            .await;
        let moved = expect(moved, StatusCode::CREATED).await;
        assert_eq!(
            moved["version"], 4,
            "the move is one change, the answer another"
        );
        assert_eq!(moved["owing"], json!([2]));
        streams.push(reader);
    }
    let declined = by_hand
        .move_by(&hands[1], json!({"version": 4, "option": "decline"}))
        .await;
    expect(declined, StatusCode::CREATED).await;
    version(&by_order, 5).await;
    for viewer in [0, 1] {
        let (one, other) = (Some(hands[viewer].as_str()), Some(orders[viewer].as_str()));
        assert_eq!(seen(&by_hand, one).await, seen(&by_order, other).await);
    }
    assert_eq!(seen(&by_hand, None).await, seen(&by_order, None).await);
    let mut told = Vec::new();
    for reader in &mut streams {
        for _ in 0..2 {
            let change = reader.next().await.unwrap();
            told.push((change.event, change.id, timeless(&change.data.to_string())));
        }
    }
    assert_eq!(told[..2], told[2..]);
    // Records say nothing else either: who chose what, and no more. (An order that still stood would answer at once, and
    // overtake whoever plays on by hand.)
    give(&by_order, &orders[1], json!([])).await;
    let record =
        |session| async move { Session::get(session, "/record", None).await["log"].clone() };
    for (session, tokens) in [(&by_hand, &hands), (&by_order, &orders)] {
        session.play_out(tokens, |_| 0).await;
    }
    let (one, other) = (record(&by_hand).await, record(&by_order).await);
    assert_eq!(one[0], other[0]);
    assert_eq!(one[1], other[1]);
}

#[tokio::test]
async fn orders_are_seen_by_their_seat_alone_and_leave_with_it() {
    let server = Server::start().await;
    let (session, tokens) = table(&server, WINK).await;
    let given = give(&session, &tokens[1], decline()).await;
    assert_eq!(
        session.get("/standing-orders", Some(&tokens[1])).await,
        given
    );
    let none = session.get("/standing-orders", Some(&tokens[0])).await;
    assert_eq!(none, json!({"orders": []}));
    refused(
        session.ask("/standing-orders", None),
        401,
        "unauthenticated",
    )
    .await;
    refused(
        session.ask("/standing-orders", Some(&session.owner)),
        403,
        "forbidden",
    )
    .await;
    // A lost token that is replaced keeps them; another player does not.
    let renewed = server.put(&session.at("/seats/2"), json!({"renew": true}));
    let renewed = expect(
        renewed.bearer_auth(&tokens[1]).send().await.unwrap(),
        StatusCode::CREATED,
    )
    .await;
    let token = renewed["token"].as_str().unwrap();
    assert_eq!(session.get("/standing-orders", Some(token)).await, given);
    let left = server.request(reqwest::Method::DELETE, &session.at("/seats/2"));
    assert!(
        left.bearer_auth(token)
            .send()
            .await
            .unwrap()
            .status()
            .is_success()
    );
    let token = session.claim(2).await;
    assert_eq!(session.get("/standing-orders", Some(&token)).await, none);
}

#[tokio::test]
async fn an_order_waits_for_its_decision_its_event_its_conditions_and_its_turn() {
    let server = Server::start().await;
    let (session, tokens) = table(&server, WINK).await;
    let chose = |n: u64| json!({"type": "chose", "args": {"n": n}});
    let orders = json!([
        {"decision": "play", "answer": {"option": "decline"}},
        {"decision": "wink", "event": chose(2), "answer": {"option": "", "args": {"k": 1}}},
    ]);
    // `decline` is no option of that decision, nor is the empty text of any.
    let order = server.put(&session.at("/standing-orders"), json!({"orders": orders}));
    let problem = refused(order.bearer_auth(&tokens[1]), 422, "unprocessable").await;
    assert_eq!(problem["errors"][0]["pointer"], "/orders/0/answer/option");

    let orders = json!([
        {"decision": "wink", "event": chose(2), "answer": {"args": {"k": 3}}, "once": true},
        {"decision": "wink", "if": [{"at": "/vars/grains", "is": "<", "value": 5}], "answer": {"args": {"k": 2}}},
    ]);
    give(&session, &tokens[1], orders).await;
    let move_by = async |seat: usize, version: u64, choice: Value| {
        let mut order = json!({"version": version});
        order
            .as_object_mut()
            .unwrap()
            .extend(choice.as_object().unwrap().clone());
        expect(
            session.move_by(&tokens[seat], order).await,
            StatusCode::CREATED,
        )
        .await
    };
    // Nine grains. One is taken: neither event nor condition fits, and seat 2 is asked.
    move_by(0, 3, json!({"args": {"n": 1}})).await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert_eq!(session.version().await, 4);
    move_by(1, 4, json!({"option": "decline"})).await;
    move_by(1, 5, json!({"args": {"n": 1}})).await;
    move_by(0, 6, json!({"option": "decline"})).await;
    // Two are taken: the first order answers, once.
    move_by(0, 7, json!({"args": {"n": 2}})).await;
    version(&session, 9).await;
    let view = session.get("/view", None).await;
    assert_eq!(view["state"]["vars"]["winks"], json!([0, 3]));
    let left = session.get("/standing-orders", Some(&tokens[1])).await;
    assert_eq!(left["orders"].as_array().unwrap().len(), 1);
    // Four are left after the next two: now the condition holds.
    move_by(1, 9, json!({"args": {"n": 1}})).await;
    move_by(0, 10, json!({"option": "decline"})).await;
    move_by(0, 11, json!({"args": {"n": 2}})).await;
    version(&session, 13).await;
    let view = session.get("/view", None).await;
    assert_eq!(view["state"]["vars"]["winks"], json!([0, 5]));
}

#[tokio::test]
async fn forced_passes_are_taken_and_choices_are_not() {
    let server = Server::start().await;
    let (session, tokens) = table(&server, WINK).await;
    let only = json!([{"answer": {"only": true}}]);
    give(&session, &tokens[0], only.clone()).await;
    give(&session, &tokens[1], only).await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(session.version().await, 3, "seat 1 has three choices");
    // 9 - 3 - 3 - 2 = 1: the last grain is the only choice of seat 2.
    for (version, seat, choice) in [
        (3, 0, json!({"args": {"n": 3}})),
        (4, 1, json!({"option": "decline"})),
        (5, 1, json!({"args": {"n": 3}})),
        (6, 0, json!({"option": "decline"})),
        (7, 0, json!({"args": {"n": 2}})),
        (8, 1, json!({"option": "decline"})),
    ] {
        let mut order = choice;
        order["version"] = json!(version);
        expect(
            session.move_by(&tokens[seat], order).await,
            StatusCode::CREATED,
        )
        .await;
    }
    version(&session, 10).await;
    let end = session.get("", None).await;
    assert_eq!(end["outcome"]["winners"], json!([1]));
}

#[tokio::test]
async fn in_a_simultaneous_decision_an_order_answers_in_secret() {
    let server = Server::start().await;
    let (session, tokens) = table(&server, TRADE).await;
    let view = session.view(&tokens[1]).await;
    let card = view["decisions"][0]["choices"][1]["args"]["c"].clone();
    let others = seen(&session, Some(&tokens[0])).await;
    give(
        &session,
        &tokens[1],
        json!([{"answer": {"args": {"c": card}}, "once": true}]),
    )
    .await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert_eq!(seen(&session, Some(&tokens[0])).await, others);
    assert!(
        session.choices(&tokens[1]).await.is_empty(),
        "it has answered"
    );
    let choices = session.choices(&tokens[0]).await;
    expect(
        session.move_by(&tokens[0], json!({"id": choices[0]})).await,
        StatusCode::CREATED,
    )
    .await;
    assert_eq!(
        session.get("/standing-orders", Some(&tokens[1])).await,
        json!({"orders": []})
    );
}

#[tokio::test]
async fn an_order_takes_the_time_that_the_session_says_and_a_hand_may_be_faster() {
    let server = Server::start().await;
    let wanted = json!({"game": WINK, "seats": ["open", "open"], "replies": {"least_ms": 1000, "most_ms": 1200}});
    let session = server.create(wanted).await;
    let tokens = [session.claim(1).await, session.claim(2).await];
    give(&session, &tokens[1], decline()).await;
    let moved = session
        .move_by(&tokens[0], json!({"version": 3, "args": {"n": 1}}))
        .await;
    expect(moved, StatusCode::CREATED).await;
    let waited = std::time::Instant::now();
    version(&session, 5).await;
    assert!(
        waited.elapsed() >= Duration::from_millis(900),
        "{:?}",
        waited.elapsed()
    );
    for (seat, order) in [
        (1, json!({"version": 5, "args": {"n": 1}})),
        (0, json!({"version": 6, "option": "decline"})),
        (0, json!({"version": 7, "args": {"n": 1}})),
        (1, json!({"version": 8, "args": {"k": 2}})),
    ] {
        expect(
            session.move_by(&tokens[seat], order).await,
            StatusCode::CREATED,
        )
        .await;
    }
    tokio::time::sleep(Duration::from_millis(1600)).await;
    assert_eq!(
        session.version().await,
        9,
        "what was answered by hand is not answered again"
    );
}

#[tokio::test]
async fn orders_that_mean_nothing_are_malformed_and_pointed_at() {
    let server = Server::start().await;
    let (session, tokens) = table(&server, WINK).await;
    let answer = json!({"option": "decline"});
    let many: Vec<Value> = vec![json!({"answer": answer}); 17];
    for (orders, pointer) in [
        (
            json!([{"decision": "nothing", "answer": answer}]),
            "/orders/0/decision",
        ),
        (
            json!([{"answer": answer}, {"answer": {}}]),
            "/orders/1/answer",
        ),
        (
            json!([{"answer": {"only": true, "option": "yes"}}]),
            "/orders/0/answer",
        ),
        (
            json!([{"event": {"seat": 1}, "answer": answer}]),
            "/orders/0/event",
        ),
        (
            json!([{"if": [{"at": "grains", "is": "=", "value": 1}], "answer": answer}]),
            "/orders/0/if",
        ),
        (
            json!([{"if": [{"at": "/vars", "is": "=", "value": {}}], "answer": answer}]),
            "/orders/0/if",
        ),
        (json!(many), "/orders"),
    ] {
        let order = server.put(&session.at("/standing-orders"), json!({"orders": orders}));
        let (status, code) = match pointer {
            "/orders/0/decision" => (422, "unprocessable"),
            _ => (400, "malformed"),
        };
        let problem = refused(order.bearer_auth(&tokens[1]), status, code).await;
        assert_eq!(problem["errors"][0]["pointer"], pointer);
    }
    let order = json!({"game": WINK, "replies": {"least_ms": 5, "most_ms": 4}});
    refused(server.post("/v1/sessions", order), 422, "unprocessable").await;
}

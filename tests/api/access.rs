//! Seats, names, guests and spectators: who gets in, under which name, and what they see.

use reqwest::{RequestBuilder, StatusCode};
use serde_json::{Value, json};

use super::support::{Server, Session, TOLL, TRADE, expect, refused, text};

const SECRET: &str = "0123456789abcdef0123456789ABCDEF";

fn claim(session: &Session<'_>, seat: u8, body: Value) -> RequestBuilder {
    session
        .server
        .put(&session.at(&format!("/seats/{seat}")), body)
}

async fn claimed(request: RequestBuilder) -> Value {
    expect(request.send().await.unwrap(), StatusCode::CREATED).await
}

/// The response to the first claim is lost: the guest has no credential, only the secret that it has chosen.
#[tokio::test]
async fn a_claim_with_a_secret_of_ones_own_can_be_repeated() {
    let server = Server::start().await;
    for visibility in ["public", "private"] {
        let session = server
            .create(json!({"game": TOLL, "visibility": visibility}))
            .await;
        let with = |mut body: Value| {
            body["invite_code"] = session.created["invite_code"].clone();
            body
        };
        let of = |secret: &str| with(json!({"name": "Ann", "secret": secret}));
        let lost = claimed(claim(&session, 1, of(SECRET))).await;
        let again = claimed(claim(&session, 1, of(SECRET))).await;
        assert_eq!(again, lost);
        // Without a name it says nothing else; with another one it would be forgotten without a word.
        let nameless = claimed(claim(&session, 1, with(json!({"secret": SECRET})))).await;
        assert_eq!(nameless, lost);
        let renamed = with(json!({"name": "Bob", "secret": SECRET}));
        refused(claim(&session, 1, renamed), 422, "unprocessable").await;
        let other = SECRET.replace("01", "10");
        refused(claim(&session, 1, of(&other)), 409, "seat-taken").await;
        refused(claim(&session, 1, with(json!({}))), 409, "seat-taken").await;
        // The same secret at another seat is another claim, also once the game has begun and every seat is taken.
        let second = claimed(claim(&session, 2, of(SECRET))).await;
        assert_ne!(second["token"], lost["token"]);
        let again = claimed(claim(&session, 1, of(SECRET))).await;
        assert_eq!(again["token"], lost["token"]);
        let token = text(&lost, "token");
        assert_eq!(session.get("/view", Some(&token)).await["seat"], 1);
        // Whoever has renewed the token since then keeps the seat.
        let renew = claim(&session, 1, json!({"renew": true})).bearer_auth(&token);
        claimed(renew).await;
        refused(claim(&session, 1, of(SECRET)), 409, "session-full").await;
    }
}

#[tokio::test]
async fn a_key_and_a_secret_together_give_the_token_again() {
    let server = Server::start().await;
    let session = server.create(json!({"game": TOLL})).await;
    let keyed = |secret: &str| {
        let claim = claim(&session, 1, json!({"secret": secret}));
        claim.header("idempotency-key", "join")
    };
    let first = claimed(keyed(SECRET)).await;
    let again = keyed(SECRET).send().await.unwrap();
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    assert_eq!(expect(again, StatusCode::CREATED).await, first);
    let other = SECRET.replace("01", "10");
    refused(keyed(&other), 422, "idempotency-mismatch").await;
}

#[tokio::test]
async fn a_secret_is_long_and_various_and_only_for_people_who_take_a_seat() {
    let server = Server::start().await;
    let session = server.create(json!({"game": TOLL})).await;
    let long = "abcdefgh".repeat(17);
    let dull = "abc".repeat(20);
    for secret in [&SECRET[..31], &long, &dull, &SECRET.replace('0', " "), ""] {
        let problem = refused(
            claim(&session, 1, json!({"secret": secret})),
            422,
            "unprocessable",
        )
        .await;
        assert_eq!(problem["errors"][0]["pointer"], "/secret");
    }
    for body in [
        json!({"bot": "random", "secret": SECRET}),
        json!({"renew": true, "secret": SECRET}),
    ] {
        let claim = claim(&session, 1, body).bearer_auth(&session.owner);
        refused(claim, 422, "unprocessable").await;
    }
}

#[tokio::test]
async fn names_are_trimmed_and_those_that_look_the_same_are_marked() {
    let server = Server::start().await;
    let session = server
        .create(json!({"game": TOLL, "seats": ["open", "open"]}))
        .await;
    for (name, shown) in [
        (" Ann ", "Ann"),
        ("می\u{200c}خواهم", "می\u{200c}خواهم"),
        ("ශ්\u{200d}රී", "ශ්\u{200d}රී"),
        ("❤\u{fe0f}", "❤\u{fe0f}"),
    ] {
        let taken = claimed(claim(&session, 1, json!({"name": name}))).await;
        assert_eq!(taken["name"], shown);
        assert_eq!(taken.get("same_name"), None);
        let token = text(&taken, "token");
        let leave = server.request(reqwest::Method::DELETE, &session.at("/seats/1"));
        leave.bearer_auth(token).send().await.unwrap();
    }
    for name in [
        "\u{2800}",
        " \u{2800} ",
        "\u{fffe}",
        "A\u{200d}nn",
        "A\u{202e}nn",
        "A\u{ad}nn",
        "A\nn",
    ] {
        let claim = claim(&session, 1, json!({"name": name}));
        let problem = refused(claim, 422, "unprocessable").await;
        assert_eq!(problem["errors"][0]["pointer"], "/name", "{name:?}");
    }
    claimed(claim(&session, 1, json!({"name": "Ann"}))).await;
    // The first letter is Cyrillic or Greek.
    let second = claimed(claim(&session, 2, json!({"name": "\u{391}nn\u{2800}"}))).await;
    assert_eq!(second["same_name"], true);
    let seats = &session.get("", None).await["seats"];
    assert_eq!(
        (&seats[0]["same_name"], &seats[1]["same_name"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(session.get("/seats/1", None).await["same_name"], true);
}

/// What shows something of a game: each path, and how it is asked for.
const OF_THE_GAME: [&str; 8] = [
    "/view",
    "/view?at=1",
    "/events",
    "/stream",
    "/board.svg",
    "/board.txt",
    "/moves/3",
    "/actions",
];

#[tokio::test]
async fn an_invite_code_takes_a_seat_and_shows_nothing_of_the_game() {
    let server = Server::start().await;
    let wanted = json!({"game": TRADE, "visibility": "private", "seats": ["open", "open"]});
    let session = server.create(wanted).await;
    let invite = text(&session.created, "invite_code");
    let guest = |rest: &str| session.ask(rest, Some(&invite));
    let by_invite = json!({"invite_code": invite});
    let first = text(
        &claimed(claim(&session, 1, by_invite.clone())).await,
        "token",
    );
    // Before the game there is nothing to see but the table.
    let table = session.get("", Some(&invite)).await;
    assert_eq!(
        (&table["version"], &table["seats"][0]["status"]),
        (&json!(2), &json!("taken"))
    );
    session.get("/view", Some(&invite)).await;
    session.get("/events", Some(&invite)).await;
    let second = text(
        &claimed(claim(&session, 2, by_invite.clone())).await,
        "token",
    );
    let ticket = server.post(&session.at("/stream-tickets"), json!({}));
    refused(ticket.bearer_auth(&invite), 403, "forbidden").await;
    for path in OF_THE_GAME {
        refused(guest(path), 403, "forbidden").await;
    }
    let fork = server.post(&session.at("/forks"), json!({}));
    refused(fork.bearer_auth(&invite), 403, "forbidden").await;
    // Who sits where is what a guest has to know to take the seat of somebody who has left.
    let leave = server.request(reqwest::Method::DELETE, &session.at("/seats/2"));
    leave.bearer_auth(&second).send().await.unwrap();
    let table = session.get("", Some(&invite)).await;
    assert_eq!(table["status"], "running");
    assert_eq!(
        (&table["version"], &table["owing"]),
        (&json!(1), &json!([]))
    );
    assert_eq!(table["seats"][1]["status"], "open");
    session.get("/seats/2", Some(&invite)).await;
    let second = text(&claimed(claim(&session, 2, by_invite)).await, "token");
    // Also nothing of a game that is over.
    session.play_out(&[first, second], |_| 0).await;
    for path in OF_THE_GAME.into_iter().chain(["/record"]) {
        refused(guest(path), 403, "forbidden").await;
    }
    let over = session.get("", Some(&invite)).await;
    assert_eq!(
        (&over["status"], &over["outcome"]),
        (&json!("finished"), &Value::Null)
    );
}

/// A spectator of a stateless game sees as much as one of a session: who has to decide, and none of the choices.
#[tokio::test]
async fn the_public_of_a_step_sees_no_choices() {
    let server = Server::start().await;
    let step = async |wanted: Value| {
        let step = server.post("/v1/steps", wanted).send().await.unwrap();
        expect(step, StatusCode::OK).await
    };
    let include = ["state", "view", "decisions", "actions", "mask"];
    let wanted =
        |viewer: Value| json!({"game": TRADE, "seats": 2, "viewer": viewer, "include": include});
    let public = step(wanted(json!("public"))).await;
    let (session, _) = server.duel(TRADE).await;
    let there = session.get("/view?include=actions", None).await;
    assert_eq!(public["decisions"], there["decisions"]);
    assert_eq!(public["decisions"], json!([]));
    assert_eq!(public["view"]["decisions"], there["state"]["decisions"]);
    assert_eq!(public["actions"], json!([]));
    assert_eq!(text(&public, "mask").trim_matches(['A', '=']), "");
    let several = step(json!({"game": TRADE, "seats": 2, "viewers": [1, "public"]})).await;
    assert_eq!(several["perspectives"][1]["decisions"], json!([]));
    assert_eq!(several["perspectives"][0]["decisions"][0]["seat"], 1);
    // Nobody in particular: a program that plays all seats.
    let all = step(json!({"game": TRADE, "seats": 2})).await;
    assert_eq!(all["decisions"][0]["seat"], 1);
}

/// The position is the current one, and only the seat is wrong: waiting for another version would be of no use.
#[tokio::test]
async fn a_decision_of_another_seat_at_this_version_is_not_stale() {
    let server = Server::start().await;
    let (session, [first, second]) = server.duel(TOLL).await;
    let of = |token: &str, decision: &str| {
        session.order(token, json!({"args": {"n": 1}, "decision": decision}))
    };
    refused(of(&first, "3.2"), 409, "not-your-turn").await;
    refused(of(&second, "3.1"), 409, "not-your-turn").await;
    refused(of(&second, "3.2"), 409, "not-your-turn").await;
    refused(of(&first, "2.2"), 412, "stale-version").await;
    refused(of(&first, "33.1"), 412, "stale-version").await;
    let begun = server.post("/v1/steps", json!({"game": TOLL})).send();
    let state = expect(begun.await.unwrap(), StatusCode::OK).await["state"].clone();
    let step = |id: &str| server.post("/v1/steps", json!({"state": state, "choice": {"id": id}}));
    refused(step("0.2.0"), 409, "not-your-turn").await;
    refused(step("1.1.0"), 412, "stale-version").await;
}

/// A request and its approvals belong to the people who were there.
#[tokio::test]
async fn an_undo_request_ends_when_a_seat_changes_hands() {
    let server = Server::start().await;
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "undo": "agreed"});
    let (session, [first, second]) = server.duel_of(wanted).await;
    session.move_by(&first, json!({"id": "3.1.0"})).await;
    let undo = |token: &str, body: Value| {
        let undo = server.post(&session.at("/undos"), body);
        undo.bearer_auth(token)
    };
    let wished = undo(&first, json!({"to": 3})).send().await.unwrap();
    assert_eq!(expect(wished, StatusCode::OK).await["open"]["seat"], 1);
    let leave = server.request(reqwest::Method::DELETE, &session.at("/seats/1"));
    leave.bearer_auth(&first).send().await.unwrap();
    session.claim(1).await;
    for answer in [true, false] {
        let undo = undo(&second, json!({"agree": answer}));
        refused(undo, 409, "not-undoable").await;
    }
}

//! Requests that are sent twice.

use reqwest::{Method, StatusCode};
use serde_json::json;

use super::support::{Server, TOLL, expect, refused, text};

#[tokio::test]
async fn a_repeated_move_has_one_effect_and_one_answer() {
    let server = Server::start().await;
    let (session, [first, second]) = server.duel(TOLL).await;
    let order = || {
        let order = session.order(&first, json!({"args": {"n": 2}}));
        order.header("idempotency-key", "move-1")
    };
    let once = order().send().await.unwrap();
    assert!(!once.headers().contains_key("idempotent-replayed"));
    let location = once.headers()["location"].clone();
    let once = expect(once, StatusCode::CREATED).await;
    expect(
        session.move_by(&second, json!({"id": "4.2.0"})).await,
        StatusCode::CREATED,
    )
    .await;

    let twice = order().send().await.unwrap();
    assert_eq!(twice.headers()["idempotent-replayed"], "true");
    assert_eq!(twice.headers()["location"], location);
    assert_eq!(expect(twice, StatusCode::CREATED).await, once);
    assert_eq!(session.version().await, 5);
}

#[tokio::test]
async fn a_key_is_for_one_content() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    let order = |n| {
        let order = session.order(&first, json!({"args": {"n": n}}));
        order.header("idempotency-key", "move-1")
    };
    expect(order(2).send().await.unwrap(), StatusCode::CREATED).await;
    refused(order(1), 422, "idempotency-mismatch").await;
    assert_eq!(session.version().await, 4);
}

#[tokio::test]
async fn the_same_key_of_another_caller_is_another_key() {
    let server = Server::start().await;
    let (session, [first, second]) = server.duel(TOLL).await;
    for token in [&first, &second] {
        let order = session.order(token, json!({"args": {"n": 1}}));
        let order = order.header("idempotency-key", "mine");
        expect(order.send().await.unwrap(), StatusCode::CREATED).await;
    }
}

#[tokio::test]
async fn a_refusal_under_a_key_is_repeated_too() {
    let server = Server::start().await;
    let (session, [first, second]) = server.duel(TOLL).await;
    let early = || {
        let order = session.order(&second, json!({"args": {"n": 1}}));
        order.header("idempotency-key", "early")
    };
    refused(early(), 409, "not-your-turn").await;
    expect(
        session.move_by(&first, json!({"id": "3.1.0"})).await,
        StatusCode::CREATED,
    )
    .await;
    let again = early().send().await.unwrap();
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    refused(early(), 409, "not-your-turn").await;
    assert_eq!(session.version().await, 4);
}

#[tokio::test]
async fn a_repeated_creation_finds_the_same_session() {
    let server = Server::start().await;
    let create = |game: &str| {
        let create = server.post(
            "/v1/sessions",
            json!({"game": game, "visibility": "private"}),
        );
        create.header("idempotency-key", "0f5a3c6e-create")
    };
    let once = expect(create(TOLL).send().await.unwrap(), StatusCode::CREATED).await;
    let twice = create(TOLL).send().await.unwrap();
    assert_eq!(twice.headers()["idempotent-replayed"], "true");
    let twice = expect(twice, StatusCode::CREATED).await;
    assert_eq!(once["id"], twice["id"]);
    refused(create("trade"), 422, "idempotency-mismatch").await;
}

#[tokio::test]
async fn a_repeated_claim_of_a_player_gets_the_same_token() {
    let server = Server::start().await;
    let session = server.create(json!({"game": TOLL})).await;
    let claim = || {
        let claim = server.put(&session.at("/seats/1"), json!({"name": "Ada"}));
        let claim = claim.bearer_auth(&session.owner);
        claim.header("idempotency-key", "9b1d-claim")
    };
    let once = expect(claim().send().await.unwrap(), StatusCode::CREATED).await;
    let twice = claim().send().await.unwrap();
    assert_eq!(twice.headers()["idempotent-replayed"], "true");
    let twice = expect(twice, StatusCode::CREATED).await;
    assert_eq!(once, twice);
    assert_eq!(
        session.get("/seats/1", Some(&text(&once, "token"))).await["name"],
        "Ada"
    );
}

#[tokio::test]
async fn keys_are_short_and_visible() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    for key in ["", "two words", &"x".repeat(65)] {
        let order = session.order(&first, json!({"args": {"n": 1}}));
        refused(order.header("idempotency-key", key), 400, "malformed").await;
    }
}

#[tokio::test]
async fn leaving_twice_under_a_key_is_leaving_once() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    for replayed in [false, true] {
        let leave = server.request(Method::DELETE, &session.at("/seats/1"));
        let leave = leave.bearer_auth(&first).header("idempotency-key", "bye");
        let left = leave.send().await.unwrap();
        assert_eq!(left.status(), StatusCode::NO_CONTENT);
        assert_eq!(left.headers().contains_key("idempotent-replayed"), replayed);
    }
    assert_eq!(session.version().await, 4);
}

//! Tokens of a session that are given out anew.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::streams::Reader;
use super::support::{Server, Session, TOLL, expect, refused, text};

async fn private(server: &Server) -> Session<'_> {
    let wanted = json!({"game": TOLL, "visibility": "private", "seats": ["open", "open"]});
    server.create(wanted).await
}

async fn renew(session: &Session<'_>, kind: &str, owner: &str) -> Value {
    let order = session
        .server
        .put(&session.at(&format!("/tokens/{kind}")), json!({}));
    let renewed = order.bearer_auth(owner).send().await.unwrap();
    expect(renewed, StatusCode::OK).await
}

#[tokio::test]
async fn a_spectator_token_is_given_out_anew_and_the_old_ones_streams_end() {
    let server = Server::start().await;
    let session = private(&server).await;
    let old = text(&session.created, "spectator_token");
    let mut reader = Reader::open(session.ask("/events", Some(&old))).await;
    reader.next().await.unwrap();
    let renewed = renew(&session, "spectator", &session.owner).await;
    assert_eq!(renewed["kind"], "spectator");
    let new = text(&renewed, "token");
    let end = tokio::time::timeout(Duration::from_secs(1), reader.until("end"));
    let end = end.await.unwrap();
    assert_eq!(end.last().unwrap().event, "end");
    assert!(end.iter().all(|message| message.event != "change"));
    refused(session.ask("/view", Some(&old)), 404, "not-found").await;
    let events = session.get("/events?after=1", Some(&new)).await;
    let told = json!([{"type": "token-renewed", "kind": "spectator"}]);
    assert_eq!(events["items"][0]["events"], told);
}

#[tokio::test]
async fn invite_codes_and_the_owners_token_are_renewed_by_the_owner_alone() {
    let server = Server::start().await;
    let session = private(&server).await;
    let invite = text(&session.created, "invite_code");
    let order = |kind: &str| server.put(&session.at(&format!("/tokens/{kind}")), json!({}));
    refused(order("invite").bearer_auth(&invite), 403, "forbidden").await;
    refused(order("invite"), 404, "not-found").await;
    let renewed = renew(&session, "invite", &session.owner).await;
    refused(session.ask("", Some(&invite)), 404, "not-found").await;
    session.get("", Some(&text(&renewed, "token"))).await;

    // Repeated with its key, the request of the old token still tells the new one.
    let again = async || {
        let order = order("owner").bearer_auth(&session.owner);
        let order = order
            .header("idempotency-key", "once")
            .send()
            .await
            .unwrap();
        expect(order, StatusCode::OK).await
    };
    let first = again().await;
    assert_eq!(first, again().await);
    refused(
        order("invite").bearer_auth(&session.owner),
        404,
        "not-found",
    )
    .await;
    renew(&session, "invite", &text(&first, "token")).await;

    let open = server.create(json!({"game": TOLL})).await;
    let order = server.put(&open.at("/tokens/spectator"), json!({}));
    refused(order.bearer_auth(&open.owner), 404, "not-found").await;
    let order = server.put(&open.at("/tokens/seat"), json!({}));
    refused(order.bearer_auth(&open.owner), 404, "not-found").await;
}

#[tokio::test]
async fn a_stream_of_everybody_that_a_renewed_token_has_opened_ends_too() {
    let server = Server::start().await;
    let session = server.create(json!({"game": TOLL})).await;
    let mut stream = Reader::open(session.ask("/events", Some(&session.owner))).await;
    stream.until("snapshot").await;
    let renew = server.put(&session.at("/tokens/owner"), json!({}));
    let renewed = renew.bearer_auth(&session.owner).send().await.unwrap();
    expect(renewed, StatusCode::OK).await;
    let last = stream.until("end").await.pop().unwrap();
    assert_eq!(last.event, "end");
    assert!(stream.next().await.is_none());
}

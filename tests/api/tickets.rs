//! Tickets: how a browser opens a stream.

use reqwest::{RequestBuilder, StatusCode};
use serde_json::{Value, json};

use super::races::embedded;
use super::streams::Reader;
use super::support::{Server, Session, TRADE, bearing, config, expect, refused, text};

async fn ticket(session: &Session<'_>, token: Option<&str>) -> String {
    let drawn = session
        .server
        .post(&session.at("/stream-tickets"), json!({}));
    let drawn = expect(
        bearing(drawn, token).send().await.unwrap(),
        StatusCode::CREATED,
    )
    .await;
    text(&drawn, "ticket")
}

fn stream(session: &Session<'_>, ticket: &str) -> RequestBuilder {
    let request = session.ask(&format!("/events?ticket={ticket}"), None);
    request.header("accept", "text/event-stream")
}

#[tokio::test]
async fn a_ticket_opens_one_stream_of_its_bearer_and_no_second_one() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    let ticket = ticket(&session, Some(&tokens[1])).await;
    assert!(
        !ticket.contains(&tokens[1][8..24]),
        "the token does not show"
    );
    let mut reader = Reader::open(stream(&session, &ticket)).await;
    let snapshot = reader.next().await.unwrap();
    assert_eq!(snapshot.data["seat"], 2);
    assert_eq!(snapshot.data, session.view(&tokens[1]).await);
    refused(stream(&session, &ticket), 401, "unauthenticated").await;
}

#[tokio::test]
async fn a_ticket_is_for_one_session_and_for_reading_its_events() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    let (other, _) = server.duel(TRADE).await;
    let drawn = ticket(&session, Some(&tokens[0])).await;
    refused(stream(&other, &drawn), 401, "unauthenticated").await;
    let page = session.ask(&format!("/events?ticket={drawn}"), None);
    refused(page.header("accept", "application/json"), 403, "forbidden").await;
    refused(
        stream(&session, &drawn).bearer_auth(&tokens[0]),
        403,
        "forbidden",
    )
    .await;
    refused(
        session.ask(&format!("/view?ticket={drawn}"), None),
        400,
        "malformed",
    )
    .await;
    refused(session.ask("/view", Some(&drawn)), 401, "unauthenticated").await;
    // None of these has taken it.
    Reader::open(stream(&session, &drawn)).await;
    for wrong in [tokens[0].as_str(), "wg_ticket_AAAA", "", "wg_ticket_"] {
        refused(stream(&session, wrong), 401, "unauthenticated").await;
    }
    let query = session.ask(&format!("/events?token={}", tokens[0]), None);
    refused(query, 400, "malformed").await;
}

#[tokio::test]
async fn a_ticket_is_of_no_use_once_its_token_is_not() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    let drawn = ticket(&session, Some(&tokens[0])).await;
    let renewed = server.put(&session.at("/seats/1"), json!({"renew": true}));
    let renewed = renewed.bearer_auth(&tokens[0]).send().await.unwrap();
    expect(renewed, StatusCode::CREATED).await;
    refused(stream(&session, &drawn), 401, "unauthenticated").await;
}

#[tokio::test]
async fn whoever_may_not_watch_gets_no_ticket() {
    let server = Server::start().await;
    let wanted =
        json!({"game": TRADE, "seats": ["open", "open"], "spectators": {"policy": "nothing"}});
    let session = server.create(wanted).await;
    let tokens = [session.claim(1).await, session.claim(2).await];
    let drawn = |token: Option<&str>| {
        bearing(
            server.post(&session.at("/stream-tickets"), json!({})),
            token,
        )
    };
    refused(drawn(None), 403, "forbidden").await;
    assert!(
        drawn(Some(&tokens[0]))
            .send()
            .await
            .unwrap()
            .status()
            .is_success()
    );
    let wanted = json!({"game": TRADE, "visibility": "private"});
    let session = server.create(wanted).await;
    let drawn = server.post(&session.at("/stream-tickets"), json!({}));
    refused(drawn, 404, "not-found").await;
}

#[tokio::test]
async fn a_ticket_is_good_on_another_node_and_used_up_there_too() {
    let (_folder, store) = embedded();
    let mut config = config();
    config.store = store;
    let server = Server::with(config.clone()).await;
    let (session, tokens) = server.duel(TRADE).await;
    let (first, second) = (
        ticket(&session, Some(&tokens[0])).await,
        ticket(&session, Some(&tokens[0])).await,
    );
    Reader::open(stream(&session, &first)).await;
    let path = session.path.clone();
    drop(session);
    drop(server);
    let server = Server::with(config).await;
    let session = Session {
        server: &server,
        path,
        owner: String::new(),
        created: Value::Null,
    };
    refused(stream(&session, &first), 401, "unauthenticated").await;
    let mut reader = Reader::open(stream(&session, &second)).await;
    assert_eq!(reader.next().await.unwrap().data["seat"], 1);
}

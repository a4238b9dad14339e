//! Messages at the table: who reads them, who writes them, and where they never appear.

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use wyrmgate::config::Config;

use super::races::embedded;
use super::redis;
use super::streams::Reader;
use super::support::{Server, Session, TOLL, bearing, config, expect, refused, text};

fn say(session: &Session<'_>, token: Option<&str>, text: &str, to: &str) -> RequestBuilder {
    let body = json!({"text": text, "to": to});
    bearing(session.server.post(&session.at("/messages"), body), token)
}

async fn said(request: RequestBuilder) -> String {
    text(
        &expect(request.send().await.unwrap(), StatusCode::CREATED).await,
        "id",
    )
}

/// The texts that a reader gets.
async fn read(session: &Session<'_>, token: Option<&str>) -> Vec<Value> {
    let page = session.get("/messages", token).await;
    let items = page["items"].as_array().unwrap();
    items.iter().map(|item| item["text"].clone()).collect()
}

async fn guest(server: &Server, name: &str) -> (String, String) {
    let created = server.post("/v1/players", json!({"name": name}));
    let created = expect(created.send().await.unwrap(), StatusCode::CREATED).await;
    (text(&created, "id"), text(&created, "token"))
}

/// A session for three, in which the first two seats play together.
async fn teams(server: &Server) -> (Session<'_>, [String; 3]) {
    let house = "extends: trade\nadd: {queries.team(seat p): \"seats where (index(seats, it) = 3) = (index(seats, p) = 3)\"}\n";
    let house = server.post("/v1/rulesets", json!({"files": {"house.yaml": house}}));
    let house = expect(house.send().await.unwrap(), StatusCode::CREATED).await;
    let wanted = json!({"ruleset": house["digest"], "seats": ["open", "open", "open"]});
    let session = server.create(wanted).await;
    let tokens = [
        session.claim(1).await,
        session.claim(2).await,
        session.claim(3).await,
    ];
    (session, tokens)
}

#[tokio::test]
async fn everybody_at_the_table_reads_and_a_team_reads_alone_in_every_store() {
    let (_folder, file) = embedded();
    let redis = redis::Server::start();
    for store in ["memory".to_owned(), file, redis.url()] {
        let server = Server::with(Config { store, ..config() }).await;
        let (session, [first, second, third]) = teams(&server).await;
        let version = session.version().await;
        assert_eq!(read(&session, None).await, Vec::<Value>::new());
        said(say(&session, Some(&first), "Good luck!", "table")).await;
        said(say(&session, Some(&session.owner), "Welcome", "table")).await;
        said(say(&session, Some(&second), "Watch seat 3", "team")).await;
        let all = [json!("Good luck!"), json!("Welcome"), json!("Watch seat 3")];
        for token in [&first, &second] {
            assert_eq!(read(&session, Some(token)).await, all);
        }
        for token in [Some(&third), Some(&session.owner), None] {
            let read = read(&session, token.map(String::as_str)).await;
            assert_eq!(read, all[..2], "{token:?}");
        }
        // A seat that plays alone has no team, and neither has the owner.
        refused(
            say(&session, Some(&third), "I", "team"),
            422,
            "unprocessable",
        )
        .await;
        let owner = say(&session, Some(&session.owner), "You", "team");
        refused(owner, 403, "forbidden").await;
        refused(
            say(&session, None, "Hello", "table"),
            401,
            "unauthenticated",
        )
        .await;
        let (_, stranger) = guest(&server, "Sam").await;
        let stranger = say(&session, Some(&stranger), "Hello", "table");
        refused(stranger, 401, "unauthenticated").await;
        // Nothing of it is in the game.
        assert_eq!(session.version().await, version);
        let page = session.get("/messages?mute=1,2", Some(&first)).await;
        assert_eq!(page["items"][0]["text"], "Welcome");
        assert_eq!(page["items"].as_array().unwrap().len(), 1);
        let muted = session.ask("/messages?mute=9", None);
        refused(muted, 400, "malformed").await;
    }
}

#[tokio::test]
async fn a_message_is_one_short_line_of_which_ten_fit_into_a_minute() {
    let server = Server::start().await;
    let (session, [first, second]) = server.duel(TOLL).await;
    for wrong in [
        "",
        "  ",
        "two\nlines",
        "bell\u{7}",
        "turn\u{202e}ed",
        &"x".repeat(301),
    ] {
        let wrong = say(&session, Some(&first), wrong, "table");
        refused(wrong, 422, "unprocessable").await;
    }
    let longest = "ñ".repeat(300);
    for _ in 0..10 {
        said(say(&session, Some(&first), &longest, "table")).await;
    }
    let more = say(&session, Some(&first), "more", "table")
        .send()
        .await
        .unwrap();
    let wait: u64 = more.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((50..=60).contains(&wait), "{wait}");
    refused(
        say(&session, Some(&first), "more", "table"),
        429,
        "rate-limited",
    )
    .await;
    said(say(&session, Some(&second), "Enough", "table")).await;
    refused(
        say(&session, Some(&first), "we", "team"),
        422,
        "unprocessable",
    )
    .await;
}

#[tokio::test]
async fn who_may_not_watch_live_reads_nothing() {
    let server = Server::start().await;
    for spectators in [
        json!({"policy": "nothing"}),
        json!({"policy": "delayed", "delay_versions": 2}),
    ] {
        let wanted = json!({"game": TOLL, "spectators": spectators});
        let (session, [first, _]) = server.duel_of(wanted).await;
        said(say(&session, Some(&first), "psst", "table")).await;
        refused(session.ask("/messages", None), 403, "forbidden").await;
        assert_eq!(read(&session, Some(&session.owner)).await, ["psst"]);
    }
    let private = json!({"game": TOLL, "visibility": "private", "seats": ["open", "random"]});
    let session = server.create(private).await;
    refused(session.ask("/messages", None), 404, "not-found").await;
    let (session, [first, _]) = server
        .duel_of(json!({"game": TOLL, "messages": "off"}))
        .await;
    assert_eq!(session.created["messages"], "off");
    refused(
        say(&session, Some(&first), "psst", "table"),
        404,
        "not-found",
    )
    .await;
    refused(session.ask("/messages", Some(&first)), 404, "not-found").await;
}

#[tokio::test]
async fn a_stream_tells_of_messages_and_a_tag_sees_them_although_the_version_stays() {
    let server = Server::start().await;
    let (session, [first, second, third]) = teams(&server).await;
    let stream = |token: &str| session.ask("/stream?messages=true", Some(token));
    let mut team = Reader::open(stream(&first)).await;
    let mut other = Reader::open(stream(&third)).await;
    let mut plain = Reader::open(session.ask("/stream", Some(&third))).await;
    for reader in [&mut team, &mut other, &mut plain] {
        assert_eq!(reader.next().await.unwrap().event, "snapshot");
    }
    let tag = async |token: &str| {
        let page = session.ask("/messages", Some(token)).send().await.unwrap();
        page.headers()["etag"].to_str().unwrap().to_owned()
    };
    let status = async |token: &str, tag: &str| {
        let page = session.ask("/messages", Some(token));
        let page = page.header("if-none-match", tag).send().await.unwrap();
        page.status()
    };
    let before = [tag(&first).await, tag(&third).await];
    said(say(&session, Some(&second), "secret", "team")).await;
    assert_eq!(status(&first, &before[0]).await, StatusCode::OK);
    // To those who may not read it, nothing has happened.
    assert_eq!(status(&third, &before[1]).await, StatusCode::NOT_MODIFIED);
    let open = said(say(&session, Some(&second), "open", "table")).await;
    let told = team.until("message").await.pop().unwrap();
    assert_eq!(
        (&told.data["text"], &told.data["to"]),
        (&json!("secret"), &json!("team"))
    );
    assert_eq!(told.id, None);
    for reader in [&mut team, &mut other] {
        let told = reader.until("message").await.pop().unwrap();
        assert_eq!(
            (&told.data["text"], &told.data["seat"]),
            (&json!("open"), &json!(2))
        );
    }
    let path = session.at(&format!("/messages/{open}"));
    let delete = |token: &str| server.request(Method::DELETE, &path).bearer_auth(token);
    refused(delete(&second), 403, "forbidden").await;
    let unknown = server.request(Method::DELETE, &session.at("/messages/nothing"));
    refused(unknown.bearer_auth(&session.owner), 404, "not-found").await;
    let gone = delete(&session.owner).send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    let told = other.until("message").await.pop().unwrap();
    assert_eq!(
        (&told.data["id"], &told.data["text"]),
        (&json!(open), &Value::Null)
    );
    assert_eq!(read(&session, Some(&third)).await, [Value::Null]);
    // The plain stream has heard of nothing but the game.
    let choice = session.choices(&third).await[0].clone();
    for (token, choice) in [
        (&first, session.choices(&first).await[0].clone()),
        (&second, session.choices(&second).await[0].clone()),
        (&third, choice),
    ] {
        let moved = session.move_by(token, json!({"id": choice})).await;
        assert!(moved.status().is_success());
    }
    assert_eq!(plain.next().await.unwrap().event, "change");
}

#[tokio::test]
async fn texts_are_in_no_record_and_go_with_their_session_and_with_their_player() {
    let (_folder, file) = embedded();
    let redis = redis::Server::start();
    for store in ["memory".to_owned(), file, redis.url()] {
        let server = Server::with(Config { store, ..config() }).await;
        let (_, ann) = guest(&server, "Annabel").await;
        let wanted = json!({"game": TOLL, "seats": ["open", "open"], "forks": "always"});
        let session = server.create(wanted).await;
        let seat = session.at("/seats/1");
        let claim = server.put(&seat, json!({})).bearer_auth(&ann);
        let claimed = expect(claim.send().await.unwrap(), StatusCode::CREATED).await;
        let second = session.claim(2).await;
        // A repeated request is answered from what is stored of the first: nothing that could be forgotten.
        for _ in 0..2 {
            let told = say(&session, Some(&ann), "unforgettable", "table");
            let told = told.header("idempotency-key", "once").send().await.unwrap();
            let told = expect(told, StatusCode::CREATED).await;
            assert_eq!(told.get("text"), None);
        }
        assert_eq!(read(&session, None).await, ["unforgettable"]);
        let resign = session.at("/resignations");
        let resign = server.post(&resign, json!({})).bearer_auth(&second);
        expect(resign.send().await.unwrap(), StatusCode::OK).await;
        for rest in ["", "/events", "/view", "/record", "/board.svg"] {
            let shown = session.ask(rest, Some(&ann)).send().await.unwrap();
            let shown = shown.text().await.unwrap();
            assert!(!shown.contains("unforgettable"), "{rest}: {shown}");
        }
        // Another game, which Ann has left before she is forgotten.
        let left = server
            .create(json!({"game": TOLL, "seats": ["open", "open"]}))
            .await;
        let seat = left.at("/seats/2");
        let claim = server.put(&seat, json!({})).bearer_auth(&ann);
        expect(claim.send().await.unwrap(), StatusCode::CREATED).await;
        said(say(&left, Some(&ann), "also here", "table")).await;
        let leave = server.request(Method::DELETE, &seat).bearer_auth(&ann);
        assert!(leave.send().await.unwrap().status().is_success());
        let page = left.get("/messages", None).await;
        assert_eq!(page["items"][0]["name"], "Annabel");
        let forget = server.request(Method::DELETE, "/v1/players/me");
        let gone = forget.bearer_auth(&ann).send().await.unwrap();
        assert_eq!(gone.status(), StatusCode::NO_CONTENT);
        for of in [&session, &left] {
            let page = of.get("/messages", None).await;
            assert_eq!(page["items"][0]["text"], Value::Null);
            assert_eq!(page["items"][0].get("name"), None);
        }
        // Her seat token is valid still, and so is her past without a text.
        let token = text(&claimed, "token");
        said(say(&session, Some(&token), "nobody", "table")).await;
        let remove = server.request(Method::DELETE, &session.path);
        let removed = remove.bearer_auth(&session.owner).send().await.unwrap();
        assert_eq!(removed.status(), StatusCode::NO_CONTENT);
        refused(session.ask("/messages", None), 404, "not-found").await;
    }
}

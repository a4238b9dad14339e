//! Values that are given instead of listed: numbers of long ranges, and texts.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Server, Session, config, expect, refused};
use wyrmgate::config::Config;

const RULES: &str = r#"game: auction
title: Auction
players: 2
bound: 9
vars:
  word: {each: seats, type: text, most: 12, see: owner}
  paid: {each: seats, type: int}
clauses:
  BID-01: Bids are multiples of seven.
  BID-02: A word is not the one of the other.
effects:
  play: |
    turns from seat(1):
      choose n in 0..2000000000 where n mod 7 = 0 [BID-01] "How much?": paid[active] = n
      choose "What?" by active:
        option call "Call {t}" text t up to 12 letters where t != word[left(active)] [BID-02]: word[active] = t
        option rest "Rest": paid[active] = 0
      if turn = 2: finish ranked by paid[it]
"#;

async fn auction(server: &Server) -> (Session<'_>, [String; 2]) {
    let files = json!({"files": {"auction.yaml": RULES}});
    let uploaded = server.post("/v1/rulesets", files).send().await.unwrap();
    let uploaded = expect(uploaded, StatusCode::CREATED).await;
    server.duel_of(json!({"ruleset": uploaded["digest"]})).await
}

async fn decision(session: &Session<'_>, token: &str) -> Value {
    let actions = session.get("/actions", Some(token)).await;
    actions["items"][0].clone()
}

async fn give(session: &Session<'_>, token: &str, mut choice: Value) -> Value {
    choice["version"] = session.version().await.into();
    expect(session.move_by(token, choice).await, StatusCode::CREATED).await
}

#[tokio::test]
async fn a_number_of_a_long_range_is_given_and_its_range_described() {
    let server = Server::start().await;
    let (session, [first, _]) = auction(&server).await;
    let owed = decision(&session, &first).await;
    assert_eq!(owed["complete"], false);
    let arg = &owed["template"][0]["args"][0];
    assert_eq!(arg["minimum"], 0);
    assert_eq!(arg["maximum"], 2_000_000_000);
    let listed: Vec<i64> = owed["choices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["args"]["n"].as_i64().unwrap())
        .collect();
    assert_eq!(listed.len(), 16);
    assert!(listed.iter().all(|n| n % 7 == 0), "{listed:?}");
    assert!(listed.is_sorted() && listed[0] == 0 && listed[15] > 1_999_999_900);
    for (n, clause) in [(8, "BID-01"), (2_000_000_001, "")] {
        let wrong = json!({"args": {"n": n}, "version": session.version().await});
        let problem = refused(session.order(&first, wrong), 409, "illegal-choice").await;
        let cited = problem["reason"]["clauses"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one["id"] == clause));
        assert_eq!(cited, !clause.is_empty(), "{problem}");
    }
    give(&session, &first, json!({"args": {"n": 700_000_007}})).await;
    assert_eq!(
        session.view(&first).await["state"]["vars"]["paid"],
        json!([700_000_007, 0])
    );
    // An example is a choice with an id, like any other.
    let choices = session.choices(&first).await;
    session.move_by(&first, json!({"id": choices[0]})).await;
}

#[tokio::test]
async fn a_text_is_normalized_and_read_by_those_who_may() {
    let server = Server::start().await;
    let (session, [first, second]) = auction(&server).await;
    give(&session, &first, json!({"args": {"n": 7}})).await;
    let owed = decision(&session, &first).await;
    assert_eq!(owed["template"][0]["args"][0]["max_length"], 12);
    for (text, code, status) in [
        ("a\u{202e}b", "unprocessable", 422),
        ("  ", "unprocessable", 422),
        ("thirteen long", "illegal-choice", 409),
        ("two\nlines", "unprocessable", 422),
    ] {
        let wrong =
            json!({"option": "call", "args": {"t": text}, "version": session.version().await});
        refused(session.order(&first, wrong), status, code).await;
    }
    give(
        &session,
        &first,
        json!({"option": "call", "args": {"t": " <b>cafe\u{301} "}}),
    )
    .await;
    let mine = session.view(&first).await;
    assert_eq!(mine["state"]["vars"]["word"][0], "<b>café");
    let other = session.view(&second).await;
    assert_eq!(other["state"]["vars"]["word"][0], Value::Null);
    give(&session, &second, json!({"args": {"n": 14}})).await;
    let same =
        json!({"option": "call", "args": {"t": "<b>café"}, "version": session.version().await});
    let problem = refused(session.order(&second, same), 409, "illegal-choice").await;
    assert_eq!(problem["reason"]["clauses"][0]["id"], "BID-02");
    give(
        &session,
        &second,
        json!({"option": "call", "args": {"t": "tea"}}),
    )
    .await;
    // The record has what was given, and verifies.
    let record = session.get("/record", None).await;
    let written = record.to_string();
    assert!(
        written.contains("<b>café") && written.contains("tea"),
        "{written}"
    );
    let again = server.create(json!({"record": record})).await;
    assert_eq!(again.created["status"], "finished", "{}", again.created);
}

#[tokio::test]
async fn an_operator_forbids_words_or_all_texts() {
    let folder = tempfile::tempdir().unwrap();
    let words = folder.path().join("words.txt");
    std::fs::write(&words, "Rude\n\nworse\n").unwrap();
    let setting = words.to_string_lossy().into_owned();
    let server = Server::with(Config {
        free_text: setting,
        ..config()
    })
    .await;
    let (session, [first, _]) = auction(&server).await;
    give(&session, &first, json!({"args": {"n": 7}})).await;
    let call = |text: &str| json!({"option": "call", "args": {"t": text}});
    let mut wrong = call("so RUDE!");
    wrong["version"] = session.version().await.into();
    refused(session.order(&first, wrong), 403, "text-refused").await;
    give(&session, &first, call("crude")).await;

    let server = Server::with(Config {
        free_text: "off".into(),
        ..config()
    })
    .await;
    let files = json!({"files": {"auction.yaml": RULES}});
    let uploaded = server.post("/v1/rulesets", files).send().await.unwrap();
    let uploaded = expect(uploaded, StatusCode::CREATED).await;
    let wanted = json!({"ruleset": uploaded["digest"]});
    refused(server.post("/v1/sessions", wanted), 403, "text-refused").await;
}

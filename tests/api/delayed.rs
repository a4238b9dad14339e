//! Spectators with a delay, and those who see nothing, must not learn how the game stands now: not from any answer, its
//! headers or its code, and not from the time at which it comes.

use std::time::{Duration, Instant};

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use super::streams::Reader;
use super::support::{Server, Session, TOLL, bearing, config, expect, text};

/// Headers that differ between any two answers.
const VOLATILE: [&str; 4] = ["date", "x-request-id", "ratelimit", "connection"];
/// More than the versions of these games.
const VERSIONS: u64 = 12;
const GUESSED: &str = "0123456789ab";

/// A request that anybody can send.
struct Question {
    method: Method,
    path: String,
    headers: Vec<(&'static str, String)>,
    body: Option<Value>,
}

impl Question {
    fn get(path: impl Into<String>) -> Question {
        Question {
            method: Method::GET,
            path: path.into(),
            headers: Vec::new(),
            body: None,
        }
    }

    fn post(path: &str, body: Value) -> Question {
        Question {
            method: Method::POST,
            body: Some(body),
            ..Question::get(path)
        }
    }

    fn with(mut self, name: &'static str, value: impl Into<String>) -> Question {
        self.headers.push((name, value.into()));
        self
    }

    fn of(&self, session: &Session<'_>, token: Option<&str>) -> RequestBuilder {
        let path = session.at(&self.path);
        let request = bearing(session.server.request(self.method.clone(), &path), token);
        let headers = self.headers.iter();
        let request = headers.fold(request, |request, (name, value)| {
            request.header(*name, value)
        });
        match &self.body {
            Some(body) => request.json(body),
            None => request,
        }
    }
}

/// Everything that a spectator can ask, with guesses of versions that it has not seen.
fn questions() -> Vec<Question> {
    let mut all = Vec::new();
    for path in [
        "",
        "/seats/1",
        "/view",
        "/events",
        "/events?include=view,actions",
        "/events?form=patch",
        "/actions",
        "/record",
        "/standing-orders",
        "/board.svg",
        "/board.png",
        "/board.txt",
    ] {
        all.push(Question::get(path));
        all.push(Question::get(path).with("accept", "text/plain"));
    }
    all.push(Question::get("/events").with("accept", "application/jsonl"));
    for version in 1..VERSIONS {
        for path in [
            format!("/view?at={version}"),
            format!("/board.svg?at={version}"),
            format!("/moves/{version}"),
            format!("/events?after={version}"),
            format!("/events?after={version}&form=patch"),
            format!("/events?after={version}-{GUESSED}"),
        ] {
            all.push(Question::get(path));
        }
        let known = format!("\"{version}-{GUESSED}-p\"");
        all.push(Question::get("").with("if-none-match", known.clone()));
        let order = json!({"id": format!("{version}.1.0")});
        all.push(Question::post("/moves", order.clone()).with("if-match", known));
        all.push(Question::post("/action-checks", order));
        all.push(Question::post("/undos", json!({"to": version})));
    }
    for path in ["", "/view", "/actions"] {
        let path = format!("{path}?min_version={VERSIONS}");
        all.push(Question::get(path).with("prefer", "wait=0"));
    }
    all
}

/// Returns the content of a response without the time of day.
async fn told(request: RequestBuilder) -> String {
    let answer = request.send().await.unwrap();
    let mut told = format!("{}\n", answer.status());
    let mut headers: Vec<String> = answer
        .headers()
        .iter()
        .filter(|(name, _)| !VOLATILE.contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {value:?}\n"))
        .collect();
    headers.sort();
    told += &headers.concat();
    let body = answer.bytes().await.unwrap();
    match serde_json::from_slice::<Value>(&body) {
        Ok(mut body) => {
            if let Some(problem) = body.as_object_mut() {
                problem.remove("request_id");
            }
            told + &body.to_string()
        }
        Err(_) => told + &String::from_utf8_lossy(&body),
    }
}

/// Returns the beginning of a stream, or its refusal.
async fn stream_tells(session: &Session<'_>, token: Option<&str>, path: &str) -> String {
    let request = session
        .ask(path, token)
        .header("accept", "text/event-stream");
    let mut answer = request.send().await.unwrap();
    if answer.status() != StatusCode::OK {
        let mut problem: Value = answer.json().await.unwrap();
        problem.as_object_mut().unwrap().remove("request_id");
        return problem.to_string();
    }
    let first = answer.chunk().await.unwrap().unwrap();
    String::from_utf8(first.to_vec()).unwrap()
}

async fn all_told(session: &Session<'_>, token: Option<&str>) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for question in questions() {
        let asked = format!(
            "{} {} {:?}",
            question.method, question.path, question.headers
        );
        all.push((asked, told(question.of(session, token)).await));
    }
    for version in 1..VERSIONS {
        for path in [
            format!("/stream?after={version}"),
            format!("/stream?after={version}&form=patch"),
            format!("/stream?after={version}-{GUESSED}&form=patch"),
        ] {
            let told = stream_tells(session, token, &path).await;
            all.push((path, told));
        }
    }
    all
}

#[tokio::test]
async fn spectators_with_a_delay_learn_nothing_of_the_present() {
    let server = Server::start().await;
    for spectators in [
        json!({"policy": "delayed", "delay_ms": 3_600_000}),
        json!({"policy": "nothing"}),
    ] {
        let wanted = json!({"game": TOLL, "seats": ["open", "open"], "spectators": spectators,
            "visibility": "private", "clock": {"decision_ms": 3_600_000}});
        let session = server.create(wanted).await;
        // Who sees nothing needs no token for it.
        let credentials = ["invite_code", "owner_token", "spectator_token"].into_iter();
        let credentials = credentials.filter_map(|name| session.created[name].as_str());
        let credentials: Vec<&str> = credentials.collect();
        let mut tokens = Vec::new();
        for seat in [1, 2] {
            let claim = server.put(&session.at(&format!("/seats/{seat}")), json!({}));
            let claim = claim.bearer_auth(credentials[0]).send().await.unwrap();
            tokens.push(text(&expect(claim, StatusCode::CREATED).await, "token"));
        }
        let mut before = Vec::new();
        for credential in &credentials {
            before.push(all_told(&session, Some(credential)).await);
        }
        for _ in 0..2 {
            for token in &tokens {
                let choices = session.choices(token).await;
                if let Some(id) = choices.first() {
                    let moved = session.move_by(token, json!({"id": id})).await;
                    expect(moved, StatusCode::CREATED).await;
                }
            }
        }
        let now = session.get("", Some(&tokens[0])).await;
        assert!(now["version"].as_u64() > Some(4) && now["status"] == "running");
        for (credential, before) in credentials.iter().zip(before) {
            let after = all_told(&session, Some(credential)).await;
            for ((asked, before), (_, after)) in before.into_iter().zip(after) {
                assert_eq!(before, after, "{spectators}: {asked} tells of hidden moves");
            }
        }
    }
}

#[tokio::test]
async fn no_wait_of_a_spectator_ends_with_a_hidden_move() {
    let server = Server::start().await;
    let spectators = json!({"policy": "delayed", "delay_ms": 3_600_000});
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "spectators": spectators});
    let session = server.create(wanted).await;
    let tokens = [session.claim(1).await, session.claim(2).await];
    for path in [
        "?min_version=4",
        "/view?min_version=4",
        "/actions?min_version=4",
        "/events?after=1",
    ] {
        let began = Instant::now();
        let asked = session.ask(path, None).header("prefer", "wait=1");
        let waiting = tokio::spawn(asked.send());
        tokio::time::sleep(Duration::from_millis(100)).await;
        for token in &tokens {
            for id in session.choices(token).await.iter().take(1) {
                session.move_by(token, json!({"id": id})).await;
            }
        }
        waiting.await.unwrap().unwrap();
        let took = began.elapsed();
        assert!(
            took >= Duration::from_millis(950),
            "{path} ended after {took:?}"
        );
    }
}

/// The comments of a stream within a second, while seats change or nothing happens.
async fn comments(
    stream: &mut Reader,
    session: &Session<'_>,
    token: &mut String,
    changes: bool,
) -> usize {
    let before = stream.comments;
    let until = Instant::now() + Duration::from_millis(1_100);
    while Instant::now() < until {
        if changes {
            *token = renewed(session, token).await;
        }
        let pause = Duration::from_millis(50);
        assert!(
            tokio::time::timeout(pause, stream.next()).await.is_err(),
            "a hidden change"
        );
    }
    stream.comments - before
}

async fn renewed(session: &Session<'_>, token: &str) -> String {
    let renewed = session
        .server
        .put(&session.at("/seats/1"), json!({"renew": true}));
    let renewed = renewed.bearer_auth(token).send().await.unwrap();
    text(&expect(renewed, StatusCode::CREATED).await, "token")
}

#[tokio::test]
async fn the_times_of_comments_in_a_stream_tell_nothing_of_hidden_changes() {
    let mut config = config();
    config.heartbeat = Duration::from_millis(200);
    let server = Server::with(config).await;
    let spectators = json!({"policy": "delayed", "delay_ms": 3_600_000});
    let wanted = json!({"game": TOLL, "seats": ["open", "open"], "spectators": spectators});
    let session = server.create(wanted).await;
    let mut token = session.claim(1).await;
    session.claim(2).await;
    let mut stream = Reader::open(session.ask("/stream", None)).await;
    stream.next().await.unwrap();
    for changes in [false, true, false] {
        let heard = comments(&mut stream, &session, &mut token, changes).await;
        assert!(
            (4..=6).contains(&heard),
            "{heard} comments, with changes: {changes}"
        );
    }
}

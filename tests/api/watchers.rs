//! Many readers, and slow ones.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::streams::Reader;
use super::support::{Server, TOLL, config, expect, text};

/// Each takes two files, one on either end: few enough for the usual limit of 1,024 open files.
const WATCHERS: usize = 300;
/// The event of every move is so long that no buffer of the system holds many of them.
const WORDY: &str = r#"
game: wordy
title: Wordy
players: [1]
bound: 1000
effects:
  play: |
    repeat 400 times:
      turn of seat(1):
        choose n in 1..2 "Which?"
        repeat 400 times: say "This is said so often that nobody wants to hear it any more, least of all a slow reader."
    finish drawn
"#;

async fn watch(server: &Server, path: &str, buffer: u32) -> TcpStream {
    let address = server.url.trim_start_matches("http://").parse().unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(buffer).unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// Reads until the text has come.
async fn hear(stream: &mut TcpStream, wanted: &str) -> String {
    let (mut heard, mut bytes) = (String::new(), [0; 4096]);
    while !heard.contains(wanted) {
        let count = stream.read(&mut bytes).await.unwrap();
        assert!(count > 0, "closed after {heard}");
        heard += &String::from_utf8_lossy(&bytes[..count]);
    }
    heard
}

#[tokio::test]
async fn many_idle_watchers_are_all_told_of_a_move() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TOLL).await;
    let path = session.at("/events");
    let mut watchers = Vec::new();
    for _ in 0..WATCHERS {
        let mut stream = watch(&server, &path, 4096).await;
        hear(&mut stream, "event: snapshot").await;
        watchers.push(stream);
    }
    let moved = session.move_by(&tokens[0], json!({"id": "3.1.0"})).await;
    expect(moved, StatusCode::CREATED).await;
    for stream in &mut watchers {
        let heard = tokio::time::timeout(
            Duration::from_secs(10),
            hear(stream, "event: change\nid: 4"),
        );
        heard.await.unwrap();
    }
}

#[tokio::test]
async fn a_slow_reader_is_told_to_begin_anew_and_closed_and_others_do_not_notice() {
    let mut config = config();
    config.stream_behind = 10;
    let server = Server::with(config).await;
    let rules = server.post("/v1/rulesets", json!({"files": {"game.yaml": WORDY}}));
    let rules = expect(rules.send().await.unwrap(), StatusCode::CREATED).await;
    let session = server
        .create(json!({"ruleset": text(&rules, "digest")}))
        .await;
    let token = session.claim(1).await;
    let mut quick = Reader::open(session.ask("/events", None)).await;
    quick.next().await.unwrap();
    let mut slow = watch(&server, &session.at("/events"), 2048).await;
    hear(&mut slow, "event: snapshot").await;
    let first = session.version().await;
    let last = first + 120;
    for version in first..last {
        let order = json!({"version": version, "args": {"n": 1}});
        expect(session.move_by(&token, order).await, StatusCode::CREATED).await;
        let change = quick.next().await.unwrap();
        assert_eq!(
            change.id,
            Some(version + 1),
            "in step, without gap or repeat"
        );
    }
    let heard = hear(&mut slow, "event: resync").await;
    let changes = heard.matches("event: change").count();
    assert!(
        changes < 110,
        "{changes} changes waited for a reader that took none"
    );
    let said: Value = serde_json::from_str(
        heard
            .split("event: resync\ndata: ")
            .nth(1)
            .unwrap()
            .lines()
            .next()
            .unwrap(),
    )
    .unwrap();
    assert_eq!(said["version"], last);
    // The end of the chunked body, and then nothing more.
    let mut rest = String::new();
    let ended = tokio::time::timeout(Duration::from_secs(5), hear(&mut slow, "0\r\n\r\n"));
    rest += &match heard.ends_with("0\r\n\r\n") {
        true => String::new(),
        false => ended.await.unwrap(),
    };
    assert!(!rest.contains("event: change"));
}

#[tokio::test]
async fn a_spectator_who_is_told_later_waits_until_there_is_something_to_tell() {
    let server = Server::start().await;
    for delay in [json!({"delay_ms": 700}), json!({"delay_versions": 1})] {
        let mut spectators = delay.clone();
        spectators["policy"] = json!("delayed");
        let wanted = json!({"game": TOLL, "seats": ["open", "open"], "spectators": spectators});
        let session = server.create(wanted).await;
        let tokens = [session.claim(1).await, session.claim(2).await];
        let first = session.move_by(&tokens[0], json!({"id": "3.1.0"})).await;
        expect(first, StatusCode::CREATED).await;
        // Whatever it may see so far, there is more behind that.
        let known = session.get("/events?limit=100", None).await;
        let known = known["items"].as_array().unwrap().last().unwrap()["version"].clone();
        let known = known.as_u64().unwrap();
        assert!(known < 4, "{delay}: {known}");
        let asked = session.ask(&format!("/events?after={known}"), None);
        let waiting = tokio::spawn(asked.header("prefer", "wait=10").send());
        let view = session.ask(&format!("/view?min_version={}", known + 1), None);
        let viewing = tokio::spawn(view.send());
        tokio::time::sleep(Duration::from_millis(50)).await;
        let second = session.move_by(&tokens[1], json!({"id": "4.2.0"})).await;
        expect(second, StatusCode::CREATED).await;
        let answer = tokio::time::timeout(Duration::from_secs(5), waiting).await;
        let page = expect(answer.unwrap().unwrap().unwrap(), StatusCode::OK).await;
        assert_eq!(page["items"][0]["version"], known + 1, "{delay}");
        let view = expect(viewing.await.unwrap().unwrap(), StatusCode::OK).await;
        assert!(view["version"].as_u64().unwrap() > known, "{delay}");
    }
}

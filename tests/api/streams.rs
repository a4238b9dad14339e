//! The history, in all its forms.

use std::time::Duration;

use futures_util::StreamExt;
use reqwest::{RequestBuilder, StatusCode};
use serde_json::{Value, json};

use super::support::{Server, Session, TOLL, TRADE, config, expect, refused};

/// A message of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub event: String,
    /// The version in it.
    pub id: Option<u64>,
    /// The whole of it.
    pub cursor: Option<String>,
    pub data: Value,
}

/// Reads messages until one of this name, or until the stream ends.
pub struct Reader {
    chunks: futures_util::stream::BoxStream<'static, reqwest::Result<Vec<u8>>>,
    text: String,
    pub comments: usize,
}

impl Reader {
    pub async fn open(request: RequestBuilder) -> Reader {
        let request = request.header("accept", "text/event-stream");
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let chunks = response.bytes_stream();
        Reader {
            chunks: chunks
                .map(|chunk| chunk.map(|bytes| bytes.to_vec()))
                .boxed(),
            text: String::new(),
            comments: 0,
        }
    }

    pub async fn next(&mut self) -> Option<Message> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let message = parse(block);
                self.text = rest.to_owned();
                match message {
                    Some(message) => return Some(message),
                    None => self.comments += 1,
                }
                continue;
            }
            let chunk = self.chunks.next().await?;
            self.text += std::str::from_utf8(&chunk.ok()?).unwrap();
        }
    }

    pub async fn until(&mut self, event: &str) -> Vec<Message> {
        let mut messages = Vec::new();
        while let Some(message) = self.next().await {
            let is_last = message.event == event;
            messages.push(message);
            if is_last {
                break;
            }
        }
        messages
    }
}

fn parse(block: &str) -> Option<Message> {
    let field = |name: &str| {
        let mut lines = block.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    };
    Some(Message {
        event: field("event")?.to_owned(),
        id: field("id").map(|id| id.split('-').next().unwrap().parse().unwrap()),
        cursor: field("id").map(str::to_owned),
        data: serde_json::from_str(field("data")?).unwrap(),
    })
}

fn changes(messages: &[Message]) -> Vec<Value> {
    let changes = messages.iter().filter(|message| message.event == "change");
    changes.map(|message| message.data.clone()).collect()
}

async fn pages(session: &Session<'_>, token: Option<&str>, limit: usize) -> Vec<Value> {
    let mut items = Vec::new();
    let mut after = json!("0");
    while let Some(cursor) = after.as_str() {
        let rest = format!("/events?limit={limit}&after={cursor}");
        let page = session.get(&rest, token).await;
        items.extend(page["items"].as_array().unwrap().clone());
        after = page["next"].clone();
    }
    items
}

#[tokio::test]
async fn the_same_history_comes_as_pages_lines_and_stream() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    session.play_out(&tokens, |_| 0).await;
    for token in [Some(tokens[0].as_str()), Some(tokens[1].as_str()), None] {
        let paged = pages(&session, token, 2).await;
        let versions: Vec<u64> = paged
            .iter()
            .map(|item| item["version"].as_u64().unwrap())
            .collect();
        let present = session.version().await;
        assert_eq!(versions, (1..=present).collect::<Vec<_>>());

        let lines = session
            .ask("/events", token)
            .header("accept", "application/jsonl");
        let lines = lines.send().await.unwrap();
        assert_eq!(lines.headers()["content-type"], "application/jsonl");
        let lines = lines.text().await.unwrap();
        let lines: Vec<Value> = lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines, paged);

        let mut reader = Reader::open(session.ask("/events?after=0", token)).await;
        let messages = reader.until("end").await;
        assert_eq!(messages[0].event, "snapshot");
        assert_eq!(changes(&messages), paged);
        let last = messages.last().unwrap();
        assert!(last.data["outcome"]["ranking"].is_array(), "{last:?}");
        assert!(
            reader.next().await.is_none(),
            "the stream ends with the game"
        );
    }
}

#[tokio::test]
async fn a_stream_tells_what_happens_as_it_happens() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    let mut reader = Reader::open(session.ask("/events", Some(&first))).await;
    let snapshot = reader.next().await.unwrap();
    assert_eq!(snapshot.event, "snapshot");
    assert_eq!(snapshot.id, Some(3));
    assert_eq!(snapshot.data, session.view(&first).await);
    let receipt = session.move_by(&first, json!({"id": "3.1.0"})).await;
    let receipt = expect(receipt, StatusCode::CREATED).await;
    let change = reader.next().await.unwrap();
    assert_eq!(change.id, Some(4));
    assert_eq!(change.data["events"], receipt["events"]);
}

#[tokio::test]
async fn the_stream_is_an_operation_of_its_own_too() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    for rest in ["?after=1", "?after=1&include=view&fields=version,owing"] {
        let mut messages = Vec::new();
        for resource in ["/events", "/stream"] {
            let path = format!("{resource}{rest}");
            let mut reader = Reader::open(session.ask(&path, Some(&first))).await;
            let (snapshot, change) = (reader.next().await, reader.next().await);
            assert_eq!(change.as_ref().unwrap().id, Some(2));
            messages.push((snapshot, change));
        }
        assert_eq!(messages[0], messages[1]);
    }
    // Whatever a client accepts: there is one form.
    let plain = session
        .ask("/stream", None)
        .header("accept", "application/json");
    let plain = plain.send().await.unwrap();
    assert_eq!(plain.headers()["content-type"], "text/event-stream");
    refused(session.ask("/stream?limit=3", None), 400, "malformed").await;
    refused(
        session.ask("/stream?fields=versoin", None),
        400,
        "malformed",
    )
    .await;
}

#[tokio::test]
async fn a_stream_resumes_without_gap_or_repeat() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TOLL).await;
    let mut seen: Vec<Value> = Vec::new();
    let mut last = 0;
    let mut cursor = "0".to_owned();
    for turn in 0..6 {
        // Connect, read whatever is there up to some point, and break off.
        let request = session
            .ask("/events", None)
            .header("last-event-id", &cursor);
        let mut reader = Reader::open(request).await;
        reader.next().await.unwrap();
        let present = session.version().await;
        while last < present {
            let message = reader.next().await.unwrap();
            last = message.id.unwrap();
            cursor = message.cursor.unwrap();
            seen.push(message.data);
        }
        drop(reader);
        let token = &tokens[turn % 2];
        if let Some(id) = session.choices(token).await.first() {
            expect(
                session.move_by(token, json!({"id": id})).await,
                StatusCode::CREATED,
            )
            .await;
        }
    }
    let known = seen.len();
    assert_eq!(seen, pages(&session, None, 100).await[..known]);
    assert!(known >= 8);
    let bad = session
        .ask("/events", None)
        .header("last-event-id", "yesterday");
    refused(bad.header("accept", "text/event-stream"), 400, "malformed").await;
}

#[tokio::test]
async fn a_stream_resumes_after_a_restart() {
    let (_folder, store) = super::races::embedded();
    let mut config = config();
    config.store = store;
    let server = Server::with(config.clone()).await;
    let (session, tokens) = server.duel(TOLL).await;
    let mut reader = Reader::open(session.ask("/events?after=0", None)).await;
    let path = session.path.clone();
    for _ in 0..4 {
        reader.next().await.unwrap();
    }
    expect(
        session.move_by(&tokens[0], json!({"id": "3.1.0"})).await,
        StatusCode::CREATED,
    )
    .await;
    drop(reader);
    drop(session);
    drop(server);

    let server = Server::with(config).await;
    let request = server
        .get(&format!("{path}/events"))
        .header("last-event-id", "3");
    let mut reader = Reader::open(request).await;
    assert_eq!(reader.next().await.unwrap().event, "snapshot");
    assert_eq!(reader.next().await.unwrap().id, Some(4));
    let order = server.post(&format!("{path}/moves"), json!({"id": "4.2.0"}));
    expect(
        order.bearer_auth(&tokens[1]).send().await.unwrap(),
        StatusCode::CREATED,
    )
    .await;
    assert_eq!(reader.next().await.unwrap().id, Some(5));
}

#[tokio::test]
async fn an_idle_stream_is_kept_alive_by_comments() {
    let mut config = config();
    config.heartbeat = Duration::from_millis(100);
    let server = Server::with(config).await;
    let (session, [first, _]) = server.duel(TOLL).await;
    let mut reader = Reader::open(session.ask("/events", None)).await;
    reader.next().await.unwrap();
    let moving = async {
        tokio::time::sleep(Duration::from_millis(450)).await;
        session.move_by(&first, json!({"id": "3.1.0"})).await;
    };
    let (message, ()) = tokio::join!(reader.next(), moving);
    assert_eq!(message.unwrap().id, Some(4));
    assert!(reader.comments >= 3, "{}", reader.comments);
}

#[tokio::test]
async fn a_stopping_server_says_bye_and_is_gone_within_three_seconds() {
    let server = Server::start().await;
    let (session, _) = server.duel(TOLL).await;
    let mut reader = Reader::open(session.ask("/events", None)).await;
    reader.next().await.unwrap();
    let began = std::time::Instant::now();
    let stopper = server.stopper();
    let stopping = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(stopper.stop());
    });
    let messages = reader.until("bye").await;
    assert_eq!(messages.last().unwrap().event, "bye");
    assert!(began.elapsed() < Duration::from_millis(500), "at once");
    tokio::task::spawn_blocking(|| stopping.join().unwrap())
        .await
        .unwrap();
    assert!(began.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn a_long_poll_waits_for_something_to_happen() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    let poll = session
        .ask("/events?after=3", None)
        .header("prefer", "wait=10");
    let moving = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        session.move_by(&first, json!({"id": "3.1.0"})).await;
    };
    let began = std::time::Instant::now();
    let (answer, ()) = tokio::join!(poll.send(), moving);
    assert!(began.elapsed() < Duration::from_secs(3));
    let answer = answer.unwrap();
    assert_eq!(answer.headers()["preference-applied"], "wait=10");
    let page = expect(answer, StatusCode::OK).await;
    assert_eq!(page["items"][0]["version"], 4);

    // Patience has an end, and an empty page is an answer.
    let poll = session
        .ask("/events?after=4", None)
        .header("prefer", "wait=1");
    let page = expect(poll.send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(page["items"], json!([]));
}

#[tokio::test]
async fn a_view_waits_for_a_version() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    let look = session.ask("/view?min_version=4", None);
    let moving = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        session.move_by(&first, json!({"id": "3.1.0"})).await;
    };
    let (answer, ()) = tokio::join!(look.send(), moving);
    let view = expect(answer.unwrap(), StatusCode::OK).await;
    assert_eq!(view["version"], 4);
}

//! Compressed answers: what is compressed and what is not, and the entity tags of both.

use std::io::Read;

use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use super::support::{Server, TRADE, config, shipped};

/// An answer to a client that accepts gzip, or to one that does not.
struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    async fn of(request: reqwest::RequestBuilder) -> Answer {
        let response = request.send().await.unwrap();
        Answer {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.bytes().await.unwrap().to_vec(),
        }
    }

    fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }

    fn unpacked(&self) -> Vec<u8> {
        assert_eq!(self.header("content-encoding"), "gzip");
        let mut plain = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(&*self.body);
        decoder.read_to_end(&mut plain).unwrap();
        plain
    }
}

#[tokio::test]
async fn texts_from_one_kilobyte_are_compressed_for_who_accepts_it() {
    let server = Server::start().await;
    let (session, [token, _]) = server.duel(TRADE).await;
    for path in [
        "/board.svg",
        "/board.txt",
        "/view?include=actions",
        "/view",
        "",
        "/events?limit=100",
    ] {
        let ask = || session.ask(path, Some(&token)).header("accept", "*/*");
        let plain = Answer::of(ask()).await;
        let packed = Answer::of(ask().header("accept-encoding", "br, gzip;q=0.8")).await;
        if plain.body.len() < 1024 {
            assert_eq!(packed.body, plain.body, "{path}");
            assert_eq!(packed.header("content-encoding"), "", "{path}");
            continue;
        }
        assert_eq!(packed.unpacked(), plain.body, "{path}");
        assert!(packed.body.len() * 2 < plain.body.len(), "{path}");
        for answer in [&plain, &packed] {
            assert!(answer.header("vary").contains("Accept-Encoding"), "{path}");
        }
        let refused = Answer::of(ask().header("accept-encoding", "gzip;q=0, *;q=0")).await;
        assert_eq!(refused.header("content-encoding"), "", "{path}");
    }
    let picture = Answer::of(
        session
            .ask("/board.svg", Some(&token))
            .header("accept-encoding", "gzip"),
    )
    .await;
    assert!(
        picture.header("content-encoding") == "gzip",
        "a picture is large enough"
    );
    // Pixels are compressed already.
    let pixels = Answer::of(
        session
            .ask("/board.png", Some(&token))
            .header("accept-encoding", "gzip"),
    )
    .await;
    assert_eq!(pixels.header("content-encoding"), "");
}

/// Each representation has a strong tag of its own, and both stand for the same version.
#[tokio::test]
async fn a_compressed_answer_has_its_own_entity_tag_which_is_known_again() {
    let server = Server::start().await;
    let (session, [token, _]) = server.duel(TRADE).await;
    let ask = |encoding: &'static str, known: &str| {
        let request = session
            .ask("/board.svg", Some(&token))
            .header("accept-encoding", encoding);
        match known {
            "" => request,
            known => request.header("if-none-match", known),
        }
    };
    let plain = Answer::of(ask("identity", "")).await;
    let packed = Answer::of(ask("gzip", "")).await;
    let (plain_tag, packed_tag) = (plain.header("etag"), packed.header("etag"));
    assert!(plain_tag.starts_with('"') && packed_tag.starts_with('"'));
    assert_ne!(plain_tag, packed_tag);
    for encoding in ["gzip", "identity"] {
        for known in [plain_tag, packed_tag] {
            let list = format!("\"other\", {known}");
            let again = Answer::of(ask(encoding, &list)).await;
            assert_eq!(again.status, 304, "{encoding} {known}");
            assert_eq!(
                again.header("etag"),
                known,
                "the representation that the client has"
            );
            assert!(again.header("vary").contains("Accept-Encoding"));
            assert!(again.body.is_empty());
        }
    }
    // A move may name the position by either tag.
    let view = Answer::of(
        session
            .ask("/view?include=actions", Some(&token))
            .header("accept-encoding", "gzip"),
    )
    .await;
    let choice = &session.view(&token).await;
    let order = |tag: &str| {
        let body = json!({"option": null, "args": {}});
        session
            .order(&token, body)
            .header("if-match", tag.to_owned())
    };
    assert!(choice["version"].is_u64());
    let stale = Answer::of(order("\"1-s1;gzip\"")).await;
    assert_eq!(stale.status, 412);
    let current = Answer::of(order(view.header("etag"))).await;
    assert_ne!(
        current.status,
        412,
        "{}",
        String::from_utf8_lossy(&current.body)
    );
}

/// A token beside texts of others, compressed, could be guessed from lengths (BREACH).
#[tokio::test]
async fn answers_with_tokens_are_not_compressed_and_answers_to_moves_are() {
    let server = Server::start().await;
    let long = "a".repeat(64);
    let wanted = json!({"game": TRADE, "visibility": "private", "seats": ["open", "open"]});
    let made = Answer::of(
        server
            .post("/v1/sessions", wanted)
            .header("accept-encoding", "gzip"),
    )
    .await;
    assert_eq!(made.header("content-encoding"), "");
    let made: Value = serde_json::from_slice(&made.body).unwrap();
    assert!(made["owner_token"].is_string());
    let seat = format!("/v1/sessions/{}/seats/1", made["id"].as_str().unwrap());
    let claim = json!({"name": long, "invite_code": made["invite_code"]});
    let claimed = Answer::of(server.put(&seat, claim).header("accept-encoding", "gzip")).await;
    assert_eq!(claimed.header("content-encoding"), "");
    assert!(String::from_utf8(claimed.body).unwrap().contains("token"));

    let mut config = config();
    config.rules = shipped();
    let server = Server::with(config).await;
    let (session, [token, other]) = server.duel("chess").await;
    for token in [token, other] {
        let Some(choice) = session.choices(&token).await.into_iter().next() else {
            continue;
        };
        let path = session.at("/moves?include=actions,view");
        let request = server
            .post(&path, json!({"id": choice}))
            .bearer_auth(&token);
        let made = Answer::of(request.header("accept-encoding", "gzip")).await;
        assert!(made.status < 300);
        let receipt: Value = serde_json::from_slice(&made.unpacked()).unwrap();
        assert!(receipt["view"].is_object());
        return;
    }
    panic!("nobody can choose");
}

/// A stream is not held back to be compressed.
#[tokio::test]
async fn streams_are_not_compressed() {
    let server = Server::start().await;
    let (session, [token, _]) = server.duel(TRADE).await;
    let request = session
        .ask("/stream", Some(&token))
        .header("accept-encoding", "gzip");
    let mut stream = request.send().await.unwrap();
    assert!(stream.headers().get("content-encoding").is_none());
    assert!(
        stream.chunk().await.unwrap().is_some(),
        "the first message comes at once"
    );
}

//! A server that webhooks call: it records messages and answers as the test tells it to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use hmac::{Hmac, Mac};
use serde_json::Value;
use sha2::Sha256;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use wyrmgate::webhook_sender::SignedMessage;

/// A message for whoever calls a receiver without a session.
pub fn message() -> SignedMessage {
    SignedMessage {
        id: "msg_1".into(),
        seconds: 1,
        signatures: "v1,abc".into(),
        body: b"{}".to_vec(),
        traceparent: None,
    }
}

/// A received message.
#[derive(Debug, Clone)]
pub struct Got {
    pub line: String,
    pub headers: HashMap<String, String>,
    pub body: String,
    /// The body as it is, if it is not text.
    pub bytes: Vec<u8>,
}

impl Got {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// The event it is about.
    pub fn of(&self) -> String {
        self.json()["type"].as_str().unwrap().to_owned()
    }

    /// Whether one of its signatures was made with this secret, by the words of Standard Webhooks.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let key = BASE64
            .decode(secret.strip_prefix("whsec_").unwrap())
            .unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        let (id, time) = (self.header("webhook-id"), self.header("webhook-timestamp"));
        mac.update(format!("{id}.{time}.{}", self.body).as_bytes());
        let signed = format!("v1,{}", BASE64.encode(mac.finalize().into_bytes()));
        let mut signatures = self.header("webhook-signature").split(' ');
        signatures.any(|signature| signature == signed)
    }
}

/// It listens until it is dropped.
pub struct Receiver {
    pub port: u16,
    got: Arc<Mutex<Vec<Got>>>,
    answer: Arc<Mutex<String>>,
    task: tokio::task::JoinHandle<()>,
}

impl Receiver {
    pub async fn start() -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let got = Arc::new(Mutex::new(Vec::new()));
        let answer = Arc::new(Mutex::new("204 No Content".to_owned()));
        let (notes, answers) = (got.clone(), answer.clone());
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (notes, answers) = (notes.clone(), answers.clone());
                tokio::spawn(async move { serve(stream, &notes, &answers).await });
            }
        });
        Receiver {
            port,
            got,
            answer,
            task,
        }
    }

    /// `http://127.0.0.1:9000`
    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn url(&self) -> String {
        format!("{}/hooks?from=wyrmgate", self.origin())
    }

    /// From now on it answers so: a status line, perhaps after `later `, and perhaps headers below it.
    pub fn answer(&self, head: &str) {
        *self.answer.lock().unwrap() = head.to_owned();
    }

    pub fn got(&self) -> Vec<Got> {
        self.got.lock().unwrap().clone()
    }

    /// Waits until it was sent so much.
    pub async fn wait(&self, count: usize) -> Vec<Got> {
        for _ in 0..500 {
            let got = self.got();
            if got.len() >= count {
                return got;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("only {} messages came: {:#?}", self.got().len(), self.got());
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// One request.
pub async fn serve(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    notes: &Mutex<Vec<Got>>,
    answer: &Mutex<String>,
) {
    let mut text = Vec::new();
    let mut part = [0; 4096];
    loop {
        if let Some(got) = read(&text) {
            notes.lock().unwrap().push(got);
            break;
        }
        match stream.read(&mut part).await {
            Ok(0) | Err(_) => return,
            Ok(length) => text.extend_from_slice(&part[..length]),
        }
    }
    let head = answer.lock().unwrap().clone();
    if head == "silence" {
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
    let head = match head.strip_prefix("later ") {
        Some(head) => {
            tokio::time::sleep(Duration::from_millis(300)).await;
            head
        }
        None => &head,
    };
    let head = format!("HTTP/1.1 {head}\r\nContent-Length: 0\r\n\r\n");
    let _ = stream.write_all(head.as_bytes()).await;
    let _ = stream.shutdown().await;
}

/// A request, once it is whole.
fn read(bytes: &[u8]) -> Option<Got> {
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n")?;
    let (head, body) = (std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 4..]);
    let (line, rest) = head.split_once("\r\n")?;
    let headers = rest.split("\r\n").filter_map(|line| line.split_once(": "));
    let headers: HashMap<_, _> = headers
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length: usize = headers.get("content-length")?.parse().ok()?;
    (body.len() >= length).then(|| Got {
        line: line.to_owned(),
        headers,
        body: String::from_utf8_lossy(body).into_owned(),
        bytes: body.to_vec(),
    })
}

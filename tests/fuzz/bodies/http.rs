//! Bytes sent to the service: heads of requests, and what follows. It answers in HTTP, never with its own failure, and goes on.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::LazyLock;
use std::time::Duration;

use wyrmgate::api;
use wyrmgate::config::Config;

use super::rules;

const LENGTH_MAX: usize = 16 << 10;
/// Streams and long polls are left after so long.
const PATIENCE: Duration = Duration::from_millis(30);
const DEADLINE: Duration = Duration::from_secs(20);

/// A server in this process.
static SERVER: LazyLock<SocketAddr> = LazyLock::new(|| {
    let config = Config {
        listen: "127.0.0.1:0".into(),
        rules: rules::path("tests/fixtures/rules"),
        store: "memory".into(),
        workers: 1,
        ..Config::default()
    };
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let running = api::start(config).await.unwrap();
            tell.send(running.address).unwrap();
            running.run().await.unwrap();
        });
    });
    told.recv().unwrap()
});

pub fn run(data: &[u8]) {
    if data.len() > LENGTH_MAX || data.is_empty() {
        return;
    }
    let answer = exchange(data, PATIENCE);
    answers(&answer);
    // Whatever was sent, the next one is served.
    if data.len().is_multiple_of(16) {
        const HEALTH: &[u8] = b"GET /v1/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        // The system may drop one of thousands of connections a second.
        let is_served = (0..3).any(|_| !exchange(HEALTH, DEADLINE).is_empty());
        assert!(is_served, "the service answers nothing any more");
    }
}

fn exchange(data: &[u8], patience: Duration) -> Vec<u8> {
    let mut stream = TcpStream::connect(*SERVER).unwrap();
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(patience)).unwrap();
    stream.set_write_timeout(Some(DEADLINE)).unwrap();
    // The service may refuse before it has read everything.
    let _ = stream.write_all(data);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    let mut part = [0; 16 << 10];
    while let Ok(length @ 1..) = stream.read(&mut part) {
        answer.extend_from_slice(&part[..length]);
    }
    answer
}

fn answers(answer: &[u8]) {
    if answer.is_empty() {
        return;
    }
    let text = String::from_utf8_lossy(answer);
    assert!(text.starts_with("HTTP/1."), "no HTTP: {text}");
    for line in text.lines().filter(|line| line.starts_with("HTTP/1.")) {
        let status = line.split(' ').nth(1).unwrap_or_default();
        let is_own_failure = status.starts_with('5') && !matches!(status, "501" | "503" | "505");
        assert!(!is_own_failure, "{text}");
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let heads = [
        "GET /v1/games HTTP/1.1\r\nHost: a\r\nAccept: application/json;q=0.5, */*;q=0.1\r\nAccept-Language: es-MX, en;q=0.3\r\n\r\n",
        "GET /v1/games/trade HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"abc\", W/\"d\"\r\nConnection: close\r\n\r\n",
        "GET /v1/sessions?limit=2&after=abc HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer abc\r\n\r\n",
        "GET /v1/sessions/s_1/events?after=3 HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nLast-Event-ID: 7\r\nPrefer: wait=1\r\n\r\n",
        "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nIdempotency-Key: k1\r\nContent-Length: 39\r\n\r\n{\"game\":\"trade\",\"seats\":[\"open\",\"bot\"]}",
        "POST /v1/steps HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1a\r\n{\"game\":\"toll\",\"seats\":2} \r\n0\r\n\r\n",
        "OPTIONS /v1/sessions HTTP/1.1\r\nHost: a\r\nOrigin: https://example.org\r\nAccess-Control-Request-Method: POST\r\n\r\n",
        "HEAD /openapi.json HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nTraceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n\r\n",
        "DELETE /v1/sessions/s_1 HTTP/1.0\r\nX-Forwarded-For: 10.0.0.1, ::1\r\nExpect: 100-continue\r\n\r\n",
        "PUT /v1/sessions/s%2F1/seats/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nPrefer: return=minimal, wait=99999999999999999999\r\n\r\n",
    ];
    heads.iter().map(|head| head.as_bytes().to_vec()).collect()
}

//! Error bodies for transport-level responses. When a request cannot be parsed (its head is malformed, too large or too
//! late), the HTTP library answers without a body. This module adds a problem to that response on its way to the
//! client.
//!
//! It also closes stalled connections: those whose client reads nothing for a long time, and those that do not finish
//! the head of their first request in time. Bytes that have arrived are read first, so that a pause of this process
//! cuts nobody off. Clients open connections before they need them; one on which nothing has been sent may wait as long as
//! one between two requests.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::web::Data;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use crate::api::request::app::App;
use crate::api::request::request_ids::fresh_id;
use crate::api::serving::envelope;
use crate::api::shared::problem::{Problem, ProblemCode};

/// Time after which a connection is closed if the client reads nothing.
const STALLED_MAX: Duration = Duration::from_secs(60);

/// Time after which idle connections are closed (keep-alive).
pub const IDLE_MAX: Duration = Duration::from_secs(75);

/// Time after which a connection is closed on which the client has never said anything.
const SILENT_MAX: Duration = Duration::from_secs(15);

/// Time in which the head of the first request must arrive, from its first byte on.
const HEAD_DEADLINE: Duration = Duration::from_secs(5);

/// A connection that adds bodies to transport-level error responses.
pub struct TransportErrors<T> {
    stream: T,
    /// The client that receives the responses.
    client: Option<Client>,
    /// Present until the head of the first request has arrived.
    head: Option<Head>,
    /// Runs while the client reads nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    stalled_max: Duration,
    /// The bytes to send in place of a response without a body, and how many of them have been sent.
    replacement: Vec<u8>,
    sent: usize,
}

impl<T> TransportErrors<T> {
    pub fn new(stream: T, client: Option<Client>) -> TransportErrors<T> {
        TransportErrors {
            stream,
            client,
            head: Some(Head::within(SILENT_MAX, HEAD_DEADLINE)),
            stalled: None,
            stalled_max: STALLED_MAX,
            replacement: Vec::new(),
            sent: 0,
        }
    }
}

impl<T: AsyncWrite + Unpin> TransportErrors<T> {
    fn poll_taken(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let taken = Pin::new(&mut self.stream).poll_write(cx, bytes);
        if taken.is_ready() {
            self.stalled = None;
            return taken;
        }
        let stalled_max = self.stalled_max;
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(stalled_max)));
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    fn poll_replacement(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(rest) = self
            .replacement
            .get(self.sent..)
            .filter(|rest| !rest.is_empty())
        {
            match ready!(Pin::new(&mut self.stream).poll_write(cx, rest))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => self.sent += written,
            }
        }
        self.replacement.clear();
        self.sent = 0;
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for TransportErrors<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        let Some(head) = &mut self.head else {
            return read;
        };
        let new = buffer.filled().get(before..).unwrap_or_default();
        if head.ends_in(new) {
            self.head = None;
            return read;
        }
        if read.is_ready() {
            return read;
        }
        // Nothing is left to read.
        ready!(head.late.as_mut().poll(cx));
        let has_begun = head.has_begun;
        self.head = None;
        if has_begun {
            self.replacement = complete(StatusCode::REQUEST_TIMEOUT, self.client.as_ref());
        }
        Poll::Ready(Ok(())) // the end, for those who read
    }
}

/// The client of a connection.
pub struct Client {
    pub app: Data<App>,
    pub peer: Option<SocketAddr>,
}

/// The head of an arriving request.
struct Head {
    late: Pin<Box<Sleep>>,
    /// The time that remains when the first line begins.
    deadline: Duration,
    /// Whether the first line has begun. Empty lines before it are ignored.
    has_begun: bool,
    /// Whether the last complete line is empty.
    is_line_empty: bool,
}

impl Head {
    /// `idle`: the time that may pass before the first line begins.
    fn within(idle: Duration, deadline: Duration) -> Head {
        Head {
            late: Box::pin(sleep(idle)),
            deadline,
            has_begun: false,
            is_line_empty: true,
        }
    }

    /// Returns whether the head ends in these bytes, with an empty line.
    fn ends_in(&mut self, bytes: &[u8]) -> bool {
        for byte in bytes {
            match byte {
                b'\n' if self.has_begun && self.is_line_empty => return true,
                b'\n' => self.is_line_empty = true,
                b'\r' => {}
                _ => {
                    if !self.has_begun {
                        self.late.as_mut().reset(Instant::now() + self.deadline);
                    }
                    (self.has_begun, self.is_line_empty) = (true, false);
                }
            }
        }
        false
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for TransportErrors<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_replacement(cx))?;
        let Some((before, status)) = bare_answer(bytes) else {
            return self.poll_taken(cx, bytes);
        };
        if !before.is_empty() {
            // Send earlier responses first; the response without a body follows with the next call.
            return self.poll_taken(cx, before);
        }
        self.replacement = complete(status, self.client.as_ref());
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_replacement(cx))?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_replacement(cx))?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

const START: &[u8] = b"HTTP/1.1 ";
/// In a response without a body, after which the library closes the connection. Our own errors all have bodies.
const NO_BODY: &[u8] = b"\r\ncontent-length: 0\r\n";
/// Maximum size of a response without a body.
const BARE_MAX: usize = 256;

/// Returns the status of the response without a body at the end of these bytes, and the bytes before it.
fn bare_answer(bytes: &[u8]) -> Option<(&[u8], StatusCode)> {
    if !bytes.ends_with(b"\r\n\r\n") {
        return None;
    }
    let from = bytes.len().saturating_sub(BARE_MAX);
    let tail = bytes.get(from..)?;
    let at = find_last(tail, START)?;
    let head = tail.get(at..)?;
    let status = std::str::from_utf8(head.get(START.len()..START.len() + 3)?).ok()?;
    let status: StatusCode = status.parse().ok()?;
    let is_error = status.is_client_error() || status.is_server_error();
    let is_bare = find_last(head, NO_BODY).is_some();
    (is_error && is_bare).then_some((bytes.get(..from + at)?, status))
}

fn find_last(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len())
        .rposition(|window| window == wanted)
}

/// Returns the whole response as sent over the connection.
fn complete(status: StatusCode, client: Option<&Client>) -> Vec<u8> {
    let id = fresh_id();
    let problem = Problem::new(ProblemCode::of_status(status)).named(&id);
    let body = problem.json();
    let mut headers = HeaderMap::new();
    envelope::harden(&mut headers);
    if let Some(Client { app, peer }) = client {
        let quota = app.rates.quota_of(*peer, &app.config);
        quota.add_headers(&mut headers);
    }
    let mut answer = format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\
         content-type: application/problem+json\r\nx-request-id: {id}\r\n",
        body.len()
    )
    .into_bytes();
    for (name, value) in &headers {
        answer.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    answer.extend([b"\r\n", &*body].concat());
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: &str = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\ndate: Sat, 21 Nov 2026 11:16:37 GMT\r\n\r\n";

    #[test]
    fn a_bare_answer_is_found_at_the_end_of_others() {
        let before = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
        let bytes = format!("{before}{BARE}");
        let (found, status) = bare_answer(bytes.as_bytes()).unwrap();
        assert_eq!(found, before.as_bytes());
        assert_eq!(status, StatusCode::BAD_REQUEST);
        let later = bytes.replace("connection: close\r\n", "");
        assert_eq!(bare_answer(later.as_bytes()).unwrap().0, before.as_bytes());
        assert!(bare_answer(before.as_bytes()).is_none());
        assert!(bare_answer(b"HTTP/1.1 304 Not Modified\r\ncontent-length: 0\r\n\r\n").is_none());
    }

    #[tokio::test]
    async fn whoever_takes_nothing_is_given_up_and_whoever_is_slow_is_not() {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let (near, mut far) = tokio::io::duplex(4);
        let mut connection = TransportErrors::new(near, None);
        connection.stalled_max = Duration::from_millis(200);
        let reading = async {
            let mut bytes = [0; 8];
            for _ in 0..5 {
                tokio::time::sleep(Duration::from_millis(80)).await;
                far.read_exact(&mut bytes[..2]).await.unwrap();
            }
        };
        let (written, ()) = tokio::join!(connection.write_all(&[7; 12]), reading);
        written.unwrap();
        let stalled = connection.write_all(&[7; 12]).await.unwrap_err();
        assert_eq!(stalled.kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn a_head_ends_with_an_empty_line_that_is_not_the_first() {
        let ends = |parts: &[&str]| {
            let mut head = Head::within(IDLE_MAX, HEAD_DEADLINE);
            let mut parts = parts.iter();
            parts.position(|part| head.ends_in(part.as_bytes()))
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        let runtime = runtime.unwrap();
        let _entered = runtime.enter();
        assert_eq!(ends(&["GET / HTTP/1.1\r\nhost: x\r\n\r\n"]), Some(0));
        assert_eq!(ends(&["GET / HTTP/1.1\r", "\n\r", "\nbody"]), Some(2));
        assert_eq!(ends(&["GET / HTTP/1.1\n\n"]), Some(0));
        assert_eq!(ends(&["\r\n\r\n\n", "GET / HTTP/1.1\r\n"]), None);
    }

    /// Returns the number of bytes read, and what was answered, if these bytes arrive and both deadlines have passed.
    async fn read_late(arrived: &[u8]) -> (usize, String) {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let (near, mut far) = tokio::io::duplex(1024);
        let mut connection = TransportErrors::new(near, None);
        connection.head = Some(Head::within(Duration::ZERO, Duration::ZERO));
        // The process pauses and the deadline passes.
        std::thread::sleep(Duration::from_millis(20));
        far.write_all(arrived).await.unwrap();
        let mut read = [0; 64];
        let mut count = connection.read(&mut read).await.unwrap();
        if connection.head.is_some() {
            count += connection.read(&mut read).await.unwrap();
        }
        connection.shutdown().await.unwrap();
        drop(connection);
        let mut said = String::new();
        far.read_to_string(&mut said).await.unwrap();
        (count, said)
    }

    #[tokio::test]
    async fn a_head_that_does_not_end_is_answered_and_one_that_has_come_is_read() {
        let head = b"GET / HTTP/1.1\r\n\r\n";
        assert_eq!(read_late(head).await, (head.len(), String::new()));
        let (count, said) = read_late(&head[..9]).await;
        assert_eq!(count, 9);
        assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
    }

    #[tokio::test]
    async fn a_connection_on_which_nothing_was_sent_is_closed_without_an_answer() {
        assert_eq!(read_late(b"").await, (0, String::new()));
        assert_eq!(read_late(b"\r\n").await, (2, String::new()));
    }

    #[tokio::test]
    async fn a_connection_may_be_opened_long_before_it_is_needed() {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let (near, mut far) = tokio::io::duplex(1024);
        let mut connection = TransportErrors::new(near, None);
        let deadline = Duration::from_millis(400);
        connection.head = Some(Head::within(IDLE_MAX, deadline));
        let mut read = [0; 64];
        let asking = async {
            sleep(deadline * 2).await;
            far.write_all(b"GET / HTTP/1.1\r\n").await.unwrap();
            sleep(deadline / 4).await;
            far.write_all(b"\r\n").await.unwrap();
        };
        let reading = async {
            let first = connection.read(&mut read).await.unwrap();
            first + connection.read(&mut read).await.unwrap()
        };
        assert_eq!(tokio::join!(reading, asking).0, 18);
    }

    #[tokio::test]
    async fn it_is_sent_as_a_problem() {
        use tokio::io::AsyncWriteExt;
        let mut connection = TransportErrors::new(Vec::new(), None);
        connection.write_all(BARE.as_bytes()).await.unwrap();
        connection.flush().await.unwrap();
        let sent = String::from_utf8(connection.stream).unwrap();
        assert!(sent.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{sent}");
        assert!(sent.contains(r#""code":"malformed""#), "{sent}");
    }
}

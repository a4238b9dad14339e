//! One kept-alive connection, with as little work as possible, so that the load is lighter than the server.

use std::fmt::Write;
use std::str;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub struct Client {
    stream: TcpStream,
    request: String,
    /// Received bytes that nobody has consumed yet.
    buffer: Vec<u8>,
    /// How much of the buffer the last answer fills.
    taken: usize,
}

impl Client {
    pub async fn connect(address: &str) -> Client {
        let stream = TcpStream::connect(address)
            .await
            .expect("the server listens");
        stream.set_nodelay(true).expect("a socket option");
        Client {
            stream,
            request: String::new(),
            buffer: Vec::with_capacity(16 * 1024),
            taken: 0,
        }
    }

    /// The body of the answer.
    pub async fn call(&mut self, method: &str, path: &str, token: &str, body: &str) -> &str {
        self.request.clear();
        write!(self.request, "{method} {path} HTTP/1.1\r\nHost: bench\r\n")
            .expect("a string grows");
        if !token.is_empty() {
            write!(self.request, "Authorization: Bearer {token}\r\n").expect("a string grows");
        }
        if !body.is_empty() {
            let length = body.len();
            write!(
                self.request,
                "Content-Type: application/json\r\nContent-Length: {length}\r\n"
            )
            .expect("a string grows");
        }
        write!(self.request, "\r\n{body}").expect("a string grows");
        self.stream
            .write_all(self.request.as_bytes())
            .await
            .expect("the server reads");
        self.answer().await
    }

    async fn answer(&mut self) -> &str {
        self.buffer.drain(..self.taken);
        self.taken = 0;
        loop {
            if let Some((head, length)) = head_of(&self.buffer)
                && self.buffer.len() >= head + length
            {
                self.taken = head + length;
                return str::from_utf8(&self.buffer[head..head + length]).expect("UTF-8");
            }
            let read = self.stream.read_buf(&mut self.buffer).await;
            assert!(read.expect("the server answers") > 0, "the server hung up");
        }
    }
}

/// Where the body begins and how long it is, of an answer with a good status.
fn head_of(buffer: &[u8]) -> Option<(usize, usize)> {
    let end = buffer.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = str::from_utf8(&buffer[..end]).expect("UTF-8");
    assert!(head.starts_with("HTTP/1.1 2"), "a refusal: {head}");
    let length = head.lines().find_map(length_of).unwrap_or(0);
    Some((end, length))
}

fn length_of(line: &str) -> Option<usize> {
    let (name, value) = line.split_once(':')?;
    if !name.eq_ignore_ascii_case("content-length") {
        return None;
    }
    value.trim().parse().ok()
}

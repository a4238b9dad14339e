//! Moves per second over HTTP on the memory store: the server on one core, the load on the other.
//!
//! `cargo bench --bench http` plays two-seat games of one of the shipped rulesets over kept-alive connections to this machine
//! alone, for a few seconds, and prints moves per second and the median and 99th percentile of one move. Both seats
//! of a session are played over one connection; every move is a `POST` of a choice's id, answered with its receipt.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark may stop at the first surprise"
)]

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const CONNECTIONS: usize = 64;
const WARM_UP: Duration = Duration::from_secs(1);
const MEASURED: Duration = Duration::from_secs(5);
const GAME: &str = "way-of-the-dragon";
/// Set in the copy of this program that makes the load.
const IS_LOAD: &str = "WYRMGATE_BENCH_ADDRESS";

fn main() {
    match env::var(IS_LOAD) {
        Ok(address) => load(&address),
        Err(_) => start(),
    }
}

/// Starts the server on one core and a copy of this program on the other, and stops what it started.
fn start() {
    let mut server = pinned("0", env!("CARGO_BIN_EXE_wyrmgate"))
        .args(["serve", "--store", "memory", "--listen", "127.0.0.1:0"])
        .args(["--rules", concat!(env!("CARGO_MANIFEST_DIR"), "/rules")])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let address = address_of(&mut server);
    let program = env::current_exe().expect("this program has a path");
    let load = pinned("1", &program.to_string_lossy())
        .env(IS_LOAD, address)
        .status();
    server.kill().expect("the server is ours to stop");
    server.wait().expect("the server ends");
    assert!(load.is_ok_and(|status| status.success()), "the load failed");
}

/// On the given core where `taskset` is known, else anywhere.
fn pinned(core: &str, program: &str) -> Command {
    let known = Command::new("taskset")
        .arg("-V")
        .stdout(Stdio::null())
        .status();
    if known.is_ok_and(|status| status.success()) {
        let mut command = Command::new("taskset");
        command.args(["-c", core, program]);
        return command;
    }
    Command::new(program)
}

/// The address that the server prints.
fn address_of(server: &mut Child) -> String {
    let lines = BufReader::new(server.stdout.take().expect("stdout is piped")).lines();
    let line = lines
        .map_while(Result::ok)
        .find(|line| line.contains("listening on"))
        .expect("the server says where it listens");
    let (_, address) = line.split_once("http://").expect("an address");
    address.trim().to_string()
}

fn load(address: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let mut times = runtime.block_on(async {
        let began = Instant::now();
        let players = (0..CONNECTIONS).map(|_| tokio::spawn(play(address.to_string(), began)));
        let mut times = Vec::new();
        for player in players.collect::<Vec<_>>() {
            times.extend(player.await.expect("a connection plays to the end"));
        }
        times
    });
    times.sort_unstable();
    let at = |share: f64| {
        times
            .get((times.len() as f64 * share) as usize)
            .copied()
            .unwrap_or_default()
    };
    println!("{GAME}, memory store, {CONNECTIONS} connections");
    println!(
        "  {:8.0} moves a second",
        times.len() as f64 / MEASURED.as_secs_f64()
    );
    println!(
        "  {:8.2} ms median, {:.2} ms 99th percentile",
        at(0.5).as_secs_f64() * 1e3,
        at(0.99).as_secs_f64() * 1e3
    );
}

/// Plays game after game until the time is up; how long each measured move took.
async fn play(address: String, began: Instant) -> Vec<Duration> {
    let stream = TcpStream::connect(&address)
        .await
        .expect("the server listens");
    stream.set_nodelay(true).expect("a socket option");
    let mut client = Client {
        stream,
        buffer: Vec::new(),
    };
    let mut times = Vec::new();
    while began.elapsed() < WARM_UP + MEASURED {
        game(&mut client, began, &mut times).await;
    }
    times
}

async fn game(client: &mut Client, began: Instant, times: &mut Vec<Duration>) {
    let order = json!({"game": GAME, "seats": ["open", "open"]});
    let session = client.call("POST", "/v1/sessions", "", &order).await;
    let path = format!("/v1/sessions/{}", session["id"].as_str().expect("an id"));
    let mut tokens = Vec::new();
    let mut answer = Value::Null;
    for seat in 1..=2 {
        answer = client
            .call("PUT", &format!("{path}/seats/{seat}"), "", &json!({}))
            .await;
        tokens.push(answer["token"].as_str().expect("a token").to_string());
    }
    let look = client.call("GET", &path, "", &Value::Null).await;
    let mut version = answer["version"].as_u64().expect("a version");
    let mut owing = look["owing"][0].as_u64();
    while let Some(seat) = owing {
        let token = tokens.get(seat as usize - 1).expect("both seats are ours");
        let choice = json!({"id": format!("{version}.{seat}.0")});
        let sent = Instant::now();
        answer = client
            .call("POST", &format!("{path}/moves"), token, &choice)
            .await;
        if began.elapsed() > WARM_UP + MEASURED {
            return;
        }
        if began.elapsed() > WARM_UP {
            times.push(sent.elapsed());
        }
        version = answer["version"].as_u64().expect("a version");
        owing = answer["owing"][0].as_u64();
    }
}

/// One kept-alive connection.
struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    async fn call(&mut self, method: &str, path: &str, token: &str, body: &Value) -> Value {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let bearer = match token {
            "" => String::new(),
            token => format!("Authorization: Bearer {token}\r\n"),
        };
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: bench\r\n{bearer}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        self.stream
            .write_all(request.as_bytes())
            .await
            .expect("the server reads");
        self.answer().await
    }

    async fn answer(&mut self) -> Value {
        loop {
            if let Some((head, length)) = head_of(&self.buffer)
                && self.buffer.len() >= head + length
            {
                let rest = self.buffer.split_off(head + length);
                let answer = std::mem::replace(&mut self.buffer, rest);
                let body = answer.get(head..).unwrap_or_default();
                return serde_json::from_slice(body).expect("an answer in JSON");
            }
            let mut part = [0; 16 * 1024];
            let read = self
                .stream
                .read(&mut part)
                .await
                .expect("the server answers");
            assert!(read > 0, "the server hung up");
            self.buffer
                .extend_from_slice(part.get(..read).unwrap_or_default());
        }
    }
}

/// Where the body begins and how long it is.
fn head_of(buffer: &[u8]) -> Option<(usize, usize)> {
    let end = buffer.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(buffer.get(..end)?).to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))?;
    Some((end, length.trim().parse().ok()?))
}

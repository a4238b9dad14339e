//! The servers that are measured: started on one core with the load on another, and stopped by their handle.

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use clap::ValueEnum;

use crate::load::{Plan, Rates};
use crate::redis::RedisServer;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    #[value(hide = true)]
    Echo,
    #[value(hide = true)]
    Script,
    #[value(hide = true)]
    Grouped,
    Memory,
    Redis,
    Embedded,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Echo => "echo",
            Kind::Script => "script",
            Kind::Grouped => "grouped",
            Kind::Memory => "memory",
            Kind::Redis => "redis",
            Kind::Embedded => "embedded",
        }
    }

    /// The least that a server with this store has to do.
    pub fn floor(self) -> Kind {
        match self {
            Kind::Memory => Kind::Echo,
            Kind::Redis => Kind::Script,
            Kind::Embedded => Kind::Grouped,
            floor => floor,
        }
    }

    pub fn is_floor(self) -> bool {
        self.floor() == self
    }

    fn needs_redis(self) -> bool {
        self.floor() == Kind::Script
    }
}

/// Starts the server and a copy of this program that makes the load, and stops what it started.
pub fn measure(kind: Kind, plan: &Plan) -> Rates {
    let redis = kind.needs_redis().then(RedisServer::start);
    let folder = tempfile::tempdir().expect("a folder for the store");
    let url = redis.as_ref().map(RedisServer::url).unwrap_or_default();
    let mut server = Stopped(start(kind, plan, &url, folder.path()));
    let address = address_of(&mut server.0);
    wait_until_ready(kind, &address);
    let before = cpu_seconds(server.0.id());
    let this = this_program();
    let mut load = pinned("1", &this);
    load.args([
        "--load",
        &address,
        "--game",
        &plan.game,
        "--include",
        &plan.include,
    ])
    .args(["--connections", &plan.connections.to_string()])
    .args(["--seconds", &plan.measured.as_secs_f64().to_string()])
    .stdout(Stdio::piped());
    if kind.is_floor() {
        load.arg("--echo");
    }
    // Redis needs the core that the load is on; and whoever waits for one answer alone would sleep.
    if plan.awake && plan.connections > 1 && !kind.needs_redis() {
        load.arg("--awake");
    }
    let output = load.output().expect("the load starts");
    assert!(output.status.success(), "the load failed");
    let mut rates: Rates = serde_json::from_slice(&output.stdout).expect("what the load counted");
    rates.server_cpu = cpu_seconds(server.0.id()) - before;
    rates
}

fn start(kind: Kind, plan: &Plan, redis: &str, folder: &Path) -> Child {
    let store = match kind {
        Kind::Redis => redis.to_owned(),
        Kind::Embedded => format!("embedded:{}", folder.join("sessions.redb").display()),
        _ => "memory".to_owned(),
    };
    let mut command = match kind.is_floor() {
        true => {
            let mut command = pinned("0", &this_program());
            command.args(["--floor", kind.name(), "--redis", redis]);
            command.current_dir(folder);
            command
        }
        false => {
            let built = env!("CARGO_BIN_EXE_wyrmgate");
            let mut command = pinned("0", plan.server.as_deref().unwrap_or(built));
            command
                .args(["serve", "--listen", "127.0.0.1:0", "--workers", "1"])
                .args(["--rules", concat!(env!("CARGO_MANIFEST_DIR"), "/rules")])
                .args(["--store", &store]);
            command
        }
    };
    command
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts")
}

/// Ends with its owner.
struct Stopped(Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        // It may have ended by itself; either way it is gone afterwards.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn this_program() -> String {
    let path = env::current_exe().expect("this program has a path");
    path.to_string_lossy().into_owned()
}

/// On the given core where `taskset` is known, else anywhere.
pub fn pinned(core: &str, program: &str) -> Command {
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

/// The address that a server prints.
fn address_of(server: &mut Child) -> String {
    let lines = BufReader::new(server.stdout.take().expect("stdout is piped")).lines();
    let line = lines
        .map_while(Result::ok)
        .find(|line| line.contains("listening on"))
        .expect("the server says where it listens");
    let (_, address) = line.split_once("http://").expect("an address");
    address.trim().to_owned()
}

/// A server listens before it has read its rules, which is no part of what a move costs.
fn wait_until_ready(kind: Kind, address: &str) {
    if kind.is_floor() {
        return;
    }
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream
        .write_all(b"GET /readyz HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n")
        .expect("the server reads");
    let mut answer = String::new();
    stream
        .read_to_string(&mut answer)
        .expect("the server answers");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

/// CPU time that a process has used so far, in seconds; 0 where `/proc` does not tell.
fn cpu_seconds(pid: u32) -> f64 {
    const TICKS_A_SECOND: f64 = 100.0;
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name, in brackets, may contain anything; fields 14 and 15 of the line are user and system time.
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let ticks = |field: usize| -> f64 {
        let text = after_name.split_whitespace().nth(field - 3);
        text.and_then(|text| text.parse().ok()).unwrap_or(0.0)
    };
    (ticks(14) + ticks(15)) / TICKS_A_SECOND
}

//! The club of `examples/club.py`: its members play on two nodes, and one of them is killed.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;
use wyrmgate::session::{Token, TokenRights};

use crate::process::Process;
use crate::server::Server;

const MEMBERS: usize = 60;
const DEADLINE: Duration = Duration::from_secs(90);

#[test]
fn a_club_on_two_nodes_plays_on_when_one_is_killed() {
    let redis = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let key = Token::random(TokenRights::Key).unwrap();
    let entry = json!({"name": "club", "hash": key.hash(), "scopes": ["create", "players"]});
    std::fs::write(&file, json!({"keys": [entry]}).to_string()).unwrap();
    let keys = ["--keys", file.to_str().unwrap()];
    let node = || Process::start_with(&redis.url(), &keys);
    let (first, second) = (node(), node());
    let mut club = Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/club.py"))
        .arg(format!("{},{}", first.url, second.url))
        .args([&key.reveal(), "tic-tac-toe", &MEMBERS.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(Duration::from_millis(1_000));
    second.kill();
    let began = Instant::now();
    while club.try_wait().unwrap().is_none() && began.elapsed() < DEADLINE {
        sleep(Duration::from_millis(100));
    }
    let _ = club.kill(); // it is over, or hangs
    let said = club.wait_with_output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let games = MEMBERS / 2;
    assert!(
        said.starts_with(&format!("{games} games of {MEMBERS} members are over; ")),
        "{said}"
    );
}

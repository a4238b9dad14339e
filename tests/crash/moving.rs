//! Stored data is moved out of a running server, into a file and from engine to engine, and stays the same.

use std::path::Path;
use std::process::{Command, Output};

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::process::Process;
use crate::rewritten::Table;
use crate::server::Server;

fn wyrmgate(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wyrmgate"))
        .args(arguments)
        .output()
        .unwrap()
}

/// Runs `wyrmgate store …`; its exit code and what it prints as JSON.
fn store(arguments: &[&str]) -> (i32, Value) {
    let output = wyrmgate(&[&["store"], arguments, &["--json"]].concat());
    let said = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code().unwrap(), said)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[tokio::test]
async fn a_running_server_is_backed_up_and_stores_are_moved() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let (keys, key) = keys(folder.path());
    let ours = format!("embedded:{}", file("ours.redb").display());
    let server = Process::start_with(&ours, &["--keys", text(&keys)]);
    let tables = played(&server.url, &key).await;

    // Without the key there is none; with it, games go on meanwhile.
    let naked = Client::new().get(format!("{}/backup", server.url));
    assert_eq!(
        naked.send().await.unwrap().status(),
        StatusCode::UNAUTHORIZED
    );
    let backup = file("backup.jsonl");
    let from = ["backup", text(&backup), "--url", &server.url, "--key", &key];
    let (code, said) = store(&from);
    assert_eq!((code, &said["sessions"]), (0, &json!(3)), "{said}");
    assert!(said["blobs"].as_u64() > Some(0));
    tables[0].play(&server.url).await;
    server.kill();

    // From engine to engine and back: the same, to the byte.
    let redis = Server::start();
    let there = redis.url();
    let back = format!("embedded:{}", file("back.redb").display());
    for (from, to) in [(&ours, &there), (&there, &back)] {
        let (code, said) = store(&["copy", from, to]);
        let put = &said["put"];
        assert_eq!((code, &put["missing"]), (0, &json!(0)), "{said}");
        assert_eq!(
            put["written"].as_u64(),
            Some(3 + said["blobs"].as_u64().unwrap())
        );
        // Repeating changes nothing.
        let (code, said) = store(&["copy", from, to]);
        assert_eq!((code, &said["put"]["written"]), (0, &json!(0)), "{said}");
    }
    let [first, last] = ["ours.jsonl", "back.jsonl"].map(file);
    for (path, store_at) in [(&first, &ours), (&last, &back)] {
        assert_eq!(store(&["export", text(path), "--store", store_at]).0, 0);
        assert_eq!(store(&["verify", text(path)]).0, 0);
    }
    assert!(std::fs::read(&first).unwrap() == std::fs::read(&last).unwrap());

    // The backup is older by one move: that session is left alone, and said to be.
    let (code, said) = store(&["import", text(&backup), "--store", &back]);
    let put = &said["put"];
    assert_eq!((code, &put["different"]), (1, &json!(1)), "{said}");
    assert_eq!(put["different_sessions"], json!([tables[0].id()]));

    // A game goes on from a backup where it was then.
    let restored = format!("embedded:{}", file("restored.redb").display());
    assert_eq!(store(&["import", text(&backup), "--store", &restored]).0, 0);
    let server = Process::start(&restored);
    tables[0].play(&server.url).await;
}

#[test]
fn what_is_damaged_or_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("whole.jsonl");
    let empty = format!("embedded:{}", folder.path().join("empty.redb").display());
    drop(Process::start(&empty));
    assert_eq!(store(&["export", text(&file), "--store", &empty]).0, 0);
    let whole = std::fs::read_to_string(&file).unwrap();
    let header = whole.lines().next().unwrap();
    for broken in [
        "",
        "milk, bread, eggs\n",
        &format!("{header}\n"),
        &whole.replace("digest\":\"", "digest\":\"0"),
    ] {
        std::fs::write(&file, broken).unwrap();
        let output = wyrmgate(&["store", "import", text(&file), "--store", &empty]);
        assert_eq!(output.status.code(), Some(1), "{broken}");
    }
    for misuse in [
        &["copy", "memory", &empty][..],
        &["copy", &empty, &empty],
        &["copy", "mongo:x", &empty],
        &["import", text(&file)],
    ] {
        assert_eq!(store(misuse).0, 2, "{misuse:?}");
    }
}

/// A file of keys, and the one key in it.
fn keys(folder: &Path) -> (std::path::PathBuf, String) {
    let made = wyrmgate(&["key", "ops", "--scopes", "create,backup", "--json"]);
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    let file = folder.join("keys.yaml");
    std::fs::write(&file, json!({"keys": [made["entry"]]}).to_string()).unwrap();
    (file, made["key"].as_str().unwrap().to_owned())
}

/// Three games of different lengths.
async fn played(url: &str, key: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    for moves in 1..=3 {
        let table = Table::open_as(url, Some(key)).await;
        for _ in 0..moves {
            table.play(url).await;
        }
        tables.push(table);
    }
    tables
}

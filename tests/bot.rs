//! Clients: the beginner's bot of `examples/bot.py` plays every shipped game to its end, every other integration works, and
//! the Python package in `python/` passes its tests.

#![cfg(test)]

use std::process::Command;

use serde_json::{Value, json};

#[path = "api/support.rs"]
mod support;

#[cfg(unix)]
#[path = "bot/alerts.rs"]
mod alerts;
#[cfg(unix)]
#[path = "bot/club.rs"]
mod club;
#[cfg(unix)]
#[path = "bot/integrations.rs"]
mod integrations;
#[cfg(target_os = "linux")]
#[path = "bot/package.rs"]
mod package;
#[cfg(unix)]
#[expect(dead_code, reason = "the tests of crashes use all of it")]
#[path = "crash/process.rs"]
mod process;
#[cfg(unix)]
#[expect(dead_code, reason = "the tests of the store use all of it")]
#[path = "store/server.rs"]
mod server;
#[cfg(unix)]
#[path = "bot/services.rs"]
mod services;
#[cfg(unix)]
#[path = "bot/shipping.rs"]
mod shipping;

use support::{Server, config, shipped};

const BOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bot.py");

async fn server() -> Server {
    let mut config = config();
    config.rules = shipped();
    Server::with(config).await
}

async fn games(server: &Server) -> Vec<Value> {
    let games = server.get("/v1/games").send().await.unwrap();
    let games: Value = games.json().await.unwrap();
    games["items"].as_array().unwrap().clone()
}

/// Runs the bot; answers with the outcome it prints.
async fn play(arguments: Vec<String>) -> Value {
    let output = tokio::task::spawn_blocking(move || {
        let python = Command::new("python3").arg(BOT).args(arguments).output();
        python.expect("python3 can be run")
    });
    let output = output.await.unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test]
async fn it_has_at_most_thirty_lines() {
    let text = std::fs::read_to_string(BOT).unwrap();
    assert!(text.lines().count() <= 30);
}

#[tokio::test]
async fn it_plays_every_game_against_built_in_bots() {
    let server = server().await;
    for game in games(&server).await {
        let name = game["name"].as_str().unwrap().to_owned();
        let outcome = play(vec![server.url.clone(), name]).await;
        assert!(outcome["ranking"].is_array(), "{outcome}");
    }
}

/// Every fourth game: that each can be played is shown above; here seats wait for each other, in whatever game.
#[tokio::test]
async fn it_plays_against_itself() {
    let server = server().await;
    for game in games(&server).await.iter().step_by(4) {
        let fewest = game["players"][0].as_u64().unwrap() as usize;
        let wanted = json!({"game": game["name"], "seats": vec!["open"; fewest]});
        let session = server.create(wanted).await;
        let id = session.created["id"].as_str().unwrap();
        let seats = (1..=fewest).map(|seat| {
            let seat = vec![server.url.clone(), id.to_owned(), seat.to_string()];
            tokio::spawn(play(seat))
        });
        let seats: Vec<_> = seats.collect();
        let mut outcomes = Vec::new();
        for seat in seats {
            outcomes.push(seat.await.unwrap());
        }
        let over = session.get("", None).await;
        assert!(outcomes.iter().all(|outcome| *outcome == over["outcome"]));
    }
}

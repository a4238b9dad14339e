//! Games from the first request to the outcome.

use serde_json::json;

use super::support::{Server, TOLL, TRADE, config, shipped};

#[tokio::test]
async fn a_whole_game_is_played_by_choice_ids() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TOLL).await;
    let over = session.play_out(&tokens, |count| count - 1).await;
    // Ten coins, three at a time: seat 2 takes the last one.
    assert_eq!(over["outcome"]["winners"], json!([2]));
    assert_eq!(over["version"], 7);
}

#[tokio::test]
async fn every_shipped_game_is_played() {
    // Some games of the gallery last for hundreds of moves.
    const ROUNDS: usize = 25;
    let mut config = config();
    config.rules = shipped();
    let server = Server::with(config).await;
    let games = server.get("/v1/games").send().await.unwrap();
    let games: serde_json::Value = games.json().await.unwrap();
    for game in games["items"].as_array().unwrap() {
        let seats = vec!["open"; game["players"][0].as_u64().unwrap() as usize];
        let wanted = json!({"game": game["name"], "seats": seats});
        let session = server.create(wanted).await;
        let mut tokens = Vec::new();
        for seat in 1..=seats.len() {
            tokens.push(session.claim(seat as u8).await);
        }
        let mut step = 0;
        let pick = |count: usize| {
            step += 7;
            step % count
        };
        let name = game["name"].as_str().unwrap();
        let is_long = shipped().join("gallery").join(name).exists();
        let rounds = if is_long { ROUNDS } else { usize::MAX };
        let played = session.play_for(rounds, &tokens, pick).await;
        assert!(is_long || played["outcome"].is_object(), "{played}");
    }
}

#[tokio::test]
async fn bots_alone_play_a_game_at_once() {
    let server = Server::start().await;
    let session = server
        .create(json!({"game": TRADE, "seats": ["random", "random", "random"]}))
        .await;
    assert_eq!(session.created["status"], "finished");
    assert_eq!(
        session.created["outcome"]["ranking"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

#[tokio::test]
async fn a_bot_moves_right_after_a_person() {
    let server = Server::start().await;
    let session = server
        .create(json!({"game": TOLL, "seats": ["open", "random"]}))
        .await;
    let token = session.claim(1).await;
    let before = session.version().await;
    let receipt = session.move_by(&token, json!({"version": before, "args": {"n": 1}}));
    let receipt: serde_json::Value = receipt.await.json().await.unwrap();
    assert_eq!(receipt["version"], before + 1, "{receipt}");
    let choices = json!([{"seat": 1, "bot": false}, {"seat": 2, "bot": true}]);
    assert_eq!(receipt["choices"], choices);
    assert_eq!(session.get("", None).await["owing"], json!([1]));
}

//! `kill -9` of the one node of a file, in the middle of games: whatever was acknowledged is there afterwards.

use std::time::Duration;

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::process::Process;

const GAMES: usize = 4;
const CRASHES: usize = 3;

/// A game of one client against a bot, and what the server has acknowledged of it.
struct Player {
    client: Client,
    path: String,
    token: String,
    /// Changes as they were told, by version.
    acknowledged: Vec<(u64, Value)>,
    /// The last move sent, if its answer never came: its number and body.
    unanswered: Option<(u64, Value)>,
    moves: u64,
}

impl Player {
    async fn join(url: &str) -> Player {
        let client = Client::builder()
            .timeout(Duration::from_secs(10))
            .build()
            .unwrap();
        let wanted = json!({"game": "magic-dragon", "seats": ["open", "random"]});
        let created = client.post(format!("{url}/v1/sessions")).json(&wanted);
        let created: Value = created.send().await.unwrap().json().await.unwrap();
        let path = format!("/v1/sessions/{}", created["id"].as_str().unwrap());
        let claim = client.put(format!("{url}{path}/seats/1"));
        let claimed: Value = claim.send().await.unwrap().json().await.unwrap();
        let token = claimed["token"].as_str().unwrap().to_owned();
        Player {
            client,
            path,
            token,
            acknowledged: Vec::new(),
            unanswered: None,
            moves: 0,
        }
    }

    async fn view(&self, url: &str) -> reqwest::Result<Value> {
        let view = self
            .client
            .get(format!("{url}{}/view?include=actions", self.path));
        view.bearer_auth(&self.token).send().await?.json().await
    }

    async fn send(
        &self,
        url: &str,
        number: u64,
        body: &Value,
    ) -> reqwest::Result<(StatusCode, Value)> {
        let order = self
            .client
            .post(format!("{url}{}/moves", self.path))
            .json(body);
        let order = order.bearer_auth(&self.token);
        let answer = order
            .header("idempotency-key", format!("move-{number}"))
            .send()
            .await?;
        Ok((answer.status(), answer.json().await?))
    }

    /// Plays on until the game is over or the server is gone.
    async fn play(&mut self, url: &str) -> reqwest::Result<()> {
        loop {
            let view = self.view(url).await?;
            if view["status"] == "finished" {
                return Ok(());
            }
            // The bot has always moved already, so it is our turn.
            let choices = view["decisions"][0]["choices"].as_array().unwrap();
            let body = json!({"id": choices[choices.len() / 2]["id"]});
            self.moves += 1;
            self.unanswered = Some((self.moves, body.clone()));
            let (status, receipt) = self.send(url, self.moves, &body).await?;
            self.note(status, receipt);
        }
    }

    fn note(&mut self, status: StatusCode, receipt: Value) {
        assert!(status.is_success(), "{receipt}");
        self.unanswered = None;
        let version = receipt["version"].as_u64().unwrap();
        self.acknowledged.push((version, receipt["events"].clone()));
    }

    /// After a restart: everything acknowledged is there, and the retry has one effect.
    async fn check(&mut self, url: &str) {
        let history = self.history(url).await;
        for (version, events) in &self.acknowledged {
            let change = &history[*version as usize - 1];
            assert_eq!(change["version"], *version);
            assert_eq!(change["events"], *events);
        }
        let Some((number, body)) = self.unanswered.take() else {
            return;
        };
        let before = history.len() as u64;
        let (status, first) = self.send(url, number, &body).await.unwrap();
        let (_, second) = self.send(url, number, &body).await.unwrap();
        assert_eq!(first, second, "one effect, one answer");
        self.note(status, first);
        let after = self.history(url).await.len() as u64;
        let last = self.acknowledged.last().unwrap().0;
        assert!(
            after == last && after - before <= 1,
            "{before} {after} {last}"
        );
    }

    async fn history(&self, url: &str) -> Vec<Value> {
        let lines = self.client.get(format!("{url}{}/events", self.path));
        let lines = lines
            .bearer_auth(&self.token)
            .header("accept", "application/jsonl");
        let lines = lines.send().await.unwrap().text().await.unwrap();
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_acknowledged_move_survives_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("embedded:{}", folder.path().join("sessions.redb").display());
    let mut players: Vec<Player> = Vec::new();
    let mut cut_off = 0;
    for crash in 0..CRASHES {
        let process = Process::start(&store);
        let url = process.url.clone();
        for player in &mut players {
            player.check(&url).await;
        }
        for _ in 0..GAMES {
            players.push(Player::join(&url).await);
        }
        let playing: Vec<_> = players
            .drain(..)
            .map(|mut player| {
                let url = url.clone();
                tokio::spawn(async move {
                    // Ends with an error when the server is killed.
                    let _ = player.play(&url).await;
                    player
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(20 + 50 * crash as u64)).await;
        process.kill();
        for player in playing {
            players.push(player.await.unwrap());
        }
        cut_off += players
            .iter()
            .filter(|player| player.unanswered.is_some())
            .count();
    }
    // Unless a request was under way, nothing has been shown.
    assert!(cut_off > 0, "no request was cut off");

    let process = Process::start(&store);
    for player in &mut players {
        player.check(&process.url).await;
        player.play(&process.url).await.unwrap();
        player.check(&process.url).await;
        let versions = player.history(&process.url).await;
        let versions = versions
            .iter()
            .map(|change| change["version"].as_u64().unwrap());
        assert!(
            versions.eq(1..=player.acknowledged.last().unwrap().0),
            "no gap"
        );
    }
}

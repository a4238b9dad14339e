//! Built-in players at tables of two nodes: whoever asks which node, each of them moves once.

use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::process::Process;
use crate::server::Server;

const TABLES: usize = 3;
const PATIENCE: Duration = Duration::from_secs(60);

async fn get(client: &Client, url: String) -> Value {
    let answer = client.get(url).send().await.unwrap();
    answer.json().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_built_in_player_moves_once_however_many_nodes_there_are() {
    let server = Server::start();
    let nodes = [Process::start(&server.url()), Process::start(&server.url())];
    let client = Client::new();
    let mut tables = Vec::new();
    for number in 0..TABLES {
        let wanted = json!({"game": "tic-tac-toe", "seats": ["search-1", "greedy"]});
        let url = &nodes[number % 2].url;
        let created = client.post(format!("{url}/v1/sessions")).json(&wanted);
        let created: Value = created.send().await.unwrap().json().await.unwrap();
        let id = created["id"]
            .as_str()
            .unwrap_or_else(|| panic!("{created}"));
        tables.push(format!("/v1/sessions/{id}"));
    }
    for table in &tables {
        let began = Instant::now();
        // Both nodes are asked, so that both of them know the table.
        for node in nodes.iter().cycle() {
            let view = get(&client, format!("{}{table}/view", node.url)).await;
            if view["status"] == "finished" {
                break;
            }
            assert!(began.elapsed() < PATIENCE, "{view}");
            sleep(Duration::from_millis(20)).await;
        }
        let page = get(&client, format!("{}{table}/events?limit=100", nodes[0].url)).await;
        let changes = page["items"].as_array().unwrap();
        let versions = changes.iter().map(|change| change["version"].as_u64());
        assert!(versions.eq((1..=changes.len() as u64).map(Some)), "{page}");
        let events = changes
            .iter()
            .flat_map(|change| change["events"].as_array().unwrap());
        let chose = events.filter(|event| event["type"] == "chose");
        let seats: Vec<&Value> = chose.map(|event| &event["seat"]).collect();
        assert!((5..=9).contains(&seats.len()), "{page}");
        for (number, seat) in seats.into_iter().enumerate() {
            assert_eq!(*seat, json!(number % 2 + 1), "a player moved twice: {page}");
        }
    }
}

//! A store that lost the end of a history, here because an older copy was restored: nobody receives the new end as if
//! it were the lost one.

use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use crate::cluster::raw;
use crate::process::Process;
use crate::server::Server;

pub struct Table {
    client: Client,
    path: String,
    token: String,
}

impl Table {
    async fn open(url: &str) -> Table {
        Table::open_as(url, None).await
    }

    pub async fn open_as(url: &str, key: Option<&str>) -> Table {
        let client = Client::new();
        let wanted = json!({"game": "magic-dragon", "seats": ["open", "random"]});
        let created = client.post(format!("{url}/v1/sessions")).json(&wanted);
        let created = match key {
            Some(key) => created.bearer_auth(key),
            None => created,
        };
        let created: Value = created.send().await.unwrap().json().await.unwrap();
        let path = format!("/v1/sessions/{}", created["id"].as_str().unwrap());
        let claim = client.put(format!("{url}{path}/seats/1"));
        let claimed: Value = claim.send().await.unwrap().json().await.unwrap();
        let token = claimed["token"].as_str().unwrap().to_owned();
        Table {
            client,
            path,
            token,
        }
    }

    pub fn id(&self) -> &str {
        self.path.rsplit('/').next().unwrap()
    }

    fn get(&self, url: &str, what: &str) -> RequestBuilder {
        let get = self.client.get(format!("{url}{}/{what}", self.path));
        get.bearer_auth(&self.token)
    }

    async fn send(&self, url: &str, body: &Value, tag: Option<&str>) -> Response {
        let make = self.client.post(format!("{url}{}/moves", self.path));
        let make = make.bearer_auth(&self.token).json(body);
        let make = match tag {
            Some(tag) => make.header("if-match", tag),
            None => make,
        };
        make.send().await.unwrap()
    }

    /// Makes one move; the tag of the view after it.
    pub async fn play(&self, url: &str) -> String {
        let view = self.get(url, "view?include=actions").send().await.unwrap();
        let view: Value = view.json().await.unwrap();
        let choices = view["decisions"][0]["choices"].as_array().unwrap();
        let body = json!({"id": choices[0]["id"]});
        let made = self.send(url, &body, None).await;
        assert_eq!(made.status(), StatusCode::CREATED);
        self.tag(url).await
    }

    async fn tag(&self, url: &str) -> String {
        let view = self.get(url, "view").send().await.unwrap();
        view.headers()["etag"].to_str().unwrap().to_owned()
    }

    /// Cursors into the lost end are refused; earlier ones are still valid.
    async fn check(&self, url: &str, kept: &str, lost: &str) {
        let body = json!({"args": {}});
        let refused = self.send(url, &body, Some(lost)).await;
        is_rewritten(refused).await;
        let known = self.send(url, &body, Some(kept)).await.status();
        assert_ne!(known, StatusCode::GONE);
        for accept in ["application/json", "application/jsonl", "text/event-stream"] {
            let after = |tag: &str| {
                let cursor = tag.trim_matches('"').rsplit_once('-').unwrap().0.to_owned();
                let events = self.get(url, &format!("events?after={cursor}"));
                events.header("accept", accept).send()
            };
            is_rewritten(after(lost).await.unwrap()).await;
            assert_eq!(after(kept).await.unwrap().status(), StatusCode::OK);
        }
        let unchanged = self.get(url, "view").header("if-none-match", lost);
        assert_eq!(unchanged.send().await.unwrap().status(), StatusCode::OK);
    }
}

async fn is_rewritten(answer: Response) {
    assert_eq!(answer.status(), StatusCode::GONE);
    let problem: Value = answer.json().await.unwrap();
    assert_eq!(problem["code"], "history-rewritten");
}

#[tokio::test]
async fn an_older_copy_of_a_file_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (file, copy) = (
        folder.path().join("sessions.redb"),
        folder.path().join("copy"),
    );
    let store = format!("embedded:{}", file.display());
    let node = Process::start(&store);
    let table = Table::open(&node.url).await;
    let kept = table.play(&node.url).await;
    node.kill();
    std::fs::copy(&file, &copy).unwrap();
    let node = Process::start(&store);
    table.play(&node.url).await;
    let lost = table.play(&node.url).await;
    node.kill();
    std::fs::copy(&copy, &file).unwrap();

    let node = Process::start(&store);
    table.check(&node.url, &kept, &lost).await;
    // The same numbers again, with something else behind them.
    for _ in 0..3 {
        table.play(&node.url).await;
        table.check(&node.url, &kept, &lost).await;
    }
}

/// As a failover looks to nodes that go on running and remember what was lost.
#[tokio::test]
async fn a_failover_that_lost_commits_is_noticed() {
    let server = Server::start();
    let nodes = [Process::start(&server.url()), Process::start(&server.url())];
    let table = Table::open(&nodes[0].url).await;
    let kept = table.play(&nodes[0].url).await;
    let copy = Copy::of_all(&server).await;
    table.play(&nodes[0].url).await;
    let lost = table.play(&nodes[0].url).await;
    copy.put_back(&server).await;

    // One node writes a version that was there before, the other still remembers the first one of that number.
    table.check(&nodes[1].url, &kept, &lost).await;
    table.play(&nodes[1].url).await;
    table.play(&nodes[1].url).await;
    for node in &nodes {
        table.check(&node.url, &kept, &lost).await;
    }
    table.play(&nodes[0].url).await;
    let told = table
        .get(&nodes[0].url, "events?limit=100")
        .send()
        .await
        .unwrap();
    let told: Value = told.json().await.unwrap();
    let versions: Vec<_> = told["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["version"].as_u64())
        .collect();
    assert_eq!(
        versions,
        (1..=versions.len() as u64).map(Some).collect::<Vec<_>>()
    );
}

/// Every key as it was.
struct Copy(Vec<(Vec<u8>, Vec<u8>)>);

impl Copy {
    async fn of_all(server: &Server) -> Copy {
        let mut connection = raw(server).await;
        let keys: Vec<Vec<u8>> = redis::cmd("KEYS")
            .arg("*")
            .query_async(&mut connection)
            .await
            .unwrap();
        let mut copy = Vec::new();
        for key in keys {
            let dump: Vec<u8> = redis::cmd("DUMP")
                .arg(&key)
                .query_async(&mut connection)
                .await
                .unwrap();
            copy.push((key, dump));
        }
        Copy(copy)
    }

    async fn put_back(&self, server: &Server) {
        let mut connection = raw(server).await;
        redis::cmd("FLUSHALL")
            .exec_async(&mut connection)
            .await
            .unwrap();
        for (key, dump) in &self.0 {
            let mut restore = redis::cmd("RESTORE");
            restore.arg(key).arg(0).arg(dump);
            restore.exec_async(&mut connection).await.unwrap();
        }
    }
}

//! Requests with an `Idempotency-Key` that are sent again: after the node that served them has died at the worst moment, and
//! across an upgrade.

use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use crate::cluster::tell;
use crate::process::Process;
use crate::server::Server;

/// Length of the fingerprint in the prefix of a stored response: the version, a colon, and the fingerprint.
const FINGERPRINT: usize = 32;

async fn created(client: &Client, url: &str) -> (String, String) {
    let order = json!({"game": "tic-tac-toe", "seats": ["open", "random"]});
    let created = client.post(format!("{url}/v1/sessions")).json(&order);
    let created: Value = created.send().await.unwrap().json().await.unwrap();
    let text = |member: &str| created[member].as_str().unwrap().to_owned();
    (text("id"), text("owner_token"))
}

async fn keyed(request: RequestBuilder, key: &str) -> Response {
    request.header("idempotency-key", key).send().await.unwrap()
}

/// The only key of Redis that is like this.
async fn only_key(server: &Server, pattern: &str) -> String {
    let keys: Vec<String> = tell(server, redis::cmd("KEYS").arg(pattern)).await;
    let [only] = keys.as_slice() else {
        panic!("{keys:?}");
    };
    only.clone()
}

/// The record of an answer as a node leaves it that dies after the effect: accepted, and not answered.
async fn forget_answer(server: &Server) {
    let name = only_key(server, "*s:answer-*").await;
    let status: Vec<u8> = tell(server, redis::cmd("HGET").arg(&name).arg("t")).await;
    let mut accepted = status.get(..=FINGERPRINT).unwrap().to_vec();
    accepted.push(0); // an answer of no bytes
    let mut write = redis::cmd("HSET");
    let _: u64 = tell(server, write.arg(&name).arg("t").arg(accepted)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removal_whose_node_died_before_it_answered_is_a_success_when_it_is_repeated() {
    let server = Server::start();
    let nodes = [Process::start(&server.url()), Process::start(&server.url())];
    let client = Client::new();
    let (id, owner) = created(&client, &nodes[0].url).await;
    let remove = |node: usize| {
        let url = format!("{}/v1/sessions/{id}", nodes[node].url);
        client.delete(url).bearer_auth(&owner)
    };
    let removed = keyed(remove(0), "away").await;
    assert_eq!(removed.status(), StatusCode::NO_CONTENT);
    forget_answer(&server).await;
    let repeated = keyed(remove(1), "away").await;
    assert_eq!(repeated.status(), StatusCode::NO_CONTENT);
    // From then on it is answered.
    let once_more = keyed(remove(0), "away").await;
    assert_eq!(once_more.status(), StatusCode::NO_CONTENT);
    assert_eq!(once_more.headers()["idempotent-replayed"], "true");
    assert_eq!(
        keyed(remove(0), "another").await.status(),
        StatusCode::NOT_FOUND
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_simulation_whose_node_died_before_it_answered_is_not_begun_twice() {
    let server = Server::start();
    let nodes = [Process::start(&server.url()), Process::start(&server.url())];
    let client = Client::new();
    let begin = |node: usize, games: u64| {
        let order = json!({"game": "tic-tac-toe", "players": ["random", "random"], "games": games});
        let url = format!("{}/v1/simulations", nodes[node].url);
        client.post(url).json(&order)
    };
    let first: Value = keyed(begin(0, 20), "once").await.json().await.unwrap();
    forget_answer(&server).await;
    let again = keyed(begin(1, 20), "once").await;
    assert_eq!(again.status(), StatusCode::CREATED);
    let again: Value = again.json().await.unwrap();
    assert_eq!(
        (&again["id"], &again["seed"]),
        (&first["id"], &first["seed"])
    );
    let another = keyed(begin(1, 21), "once").await;
    assert_eq!(another.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

/// Another version may compare requests in another way: then the first answer is given as it is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_is_repeated_across_an_upgrade_gets_its_first_answer() {
    let server = Server::start();
    let node = Process::start(&server.url());
    let client = Client::new();
    let (id, owner) = created(&client, &node.url).await;
    let renew = || {
        let url = format!("{}/v1/sessions/{id}/seats/1", node.url);
        client
            .put(url)
            .json(&json!({"name": "Ada"}))
            .bearer_auth(&owner)
    };
    let first = keyed(renew(), "join").await;
    assert!(first.status().is_success());
    let first: Value = first.json().await.unwrap();

    let answers = only_key(&server, &format!("*i:{id}")).await;
    let kept: Vec<(Vec<u8>, Vec<u8>)> = tell(&server, redis::cmd("HGETALL").arg(&answers)).await;
    for (key, mut value) in kept {
        let begin = value.iter().position(|byte| *byte == b':').unwrap() + 1;
        value[begin..begin + FINGERPRINT].fill(0xA5); // as some other version makes it
        let mut write = redis::cmd("HSET");
        let _: u64 = tell(&server, write.arg(&answers).arg(key).arg(value)).await;
    }
    let again = keyed(renew(), "join").await;
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    let again: Value = again.json().await.unwrap();
    assert_eq!(again, first);
}

/// Two nodes that serve the same removal at the same time may each find the session gone while they are at it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removal_that_two_nodes_serve_at_once_succeeds_at_both() {
    const SESSIONS: usize = 60;
    let server = Server::start();
    let nodes = [Process::start(&server.url()), Process::start(&server.url())];
    let client = Client::new();
    for _ in 0..SESSIONS {
        let (id, owner) = created(&client, &nodes[0].url).await;
        let remove = |node: usize| {
            let url = format!("{}/v1/sessions/{id}", nodes[node].url);
            keyed(client.delete(url).bearer_auth(&owner), "away")
        };
        let (first, second) = tokio::join!(remove(0), remove(1));
        let both = [first.status(), second.status()];
        assert_eq!(both, [StatusCode::NO_CONTENT; 2]);
    }
}

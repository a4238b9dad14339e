//! Simulations as a resource.

use std::time::Duration;

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use super::support::{Server, TOLL, config, expect, refused, text};

async fn finished(server: &Server, id: &str) -> Value {
    let path = format!("/v1/simulations/{id}");
    for _ in 0..200 {
        let found = server.get(&path).send().await.unwrap();
        let found = expect(found, StatusCode::OK).await;
        if found["status"] == "finished" {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("a simulation does not end");
}

#[tokio::test]
async fn players_are_pitted_against_each_other() {
    let server = Server::start().await;
    let seed = "ab".repeat(32);
    let wanted = json!({"game": TOLL, "players": ["search-1", "random"], "games": 6, "seed": seed});
    let mut outcomes = Vec::new();
    for _ in 0..2 {
        let created = server
            .post("/v1/simulations", wanted.clone())
            .send()
            .await
            .unwrap();
        let location = created.headers()["location"].to_str().unwrap().to_owned();
        let created = expect(created, StatusCode::CREATED).await;
        let id = text(&created, "id");
        assert_eq!(location, format!("/v1/simulations/{id}"));
        let done = finished(&server, &id).await;
        assert_eq!((&done["played"], &done["seed"]), (&json!(6), &json!(seed)));
        let players = done["summary"]["players"].as_array().unwrap();
        assert_eq!(players.len(), 2);
        assert!(players[0]["low"].as_f64() <= players[0]["share"].as_f64());
        outcomes.push(done["summary"].clone());
        // No session is called so.
        refused(server.get(&format!("/v1/sessions/{id}")), 404, "not-found").await;
    }
    assert_eq!(
        outcomes[0], outcomes[1],
        "the same seed gives the same games"
    );
    let page = server.get("/v1/simulations?limit=1").send().await.unwrap();
    let page = expect(page, StatusCode::OK).await;
    assert_eq!(page["items"].as_array().unwrap().len(), 1);
    let next = text(&page, "next");
    let rest = server
        .get(&format!("/v1/simulations?cursor={next}"))
        .send()
        .await
        .unwrap();
    assert_eq!(
        expect(rest, StatusCode::OK).await["items"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

/// A request of a client behind a proxy.
fn of(client: &str, request: RequestBuilder) -> RequestBuilder {
    request.header("x-forwarded-for", client)
}

#[tokio::test]
async fn callers_take_turns_and_end_what_they_began() {
    let mut config = config();
    config.proxies = 1;
    let server = Server::with(config).await;
    let simulate = async |client: &str, games: u64| {
        let wanted = json!({"game": TOLL, "players": ["search-1", "search-1"], "games": games});
        let created = of(client, server.post("/v1/simulations", wanted));
        let created = expect(created.send().await.unwrap(), StatusCode::CREATED).await;
        text(&created, "id")
    };
    let mut long = Vec::new();
    for _ in 0..4 {
        long.push(simulate("10.0.0.1", 10_000).await);
    }
    let short = simulate("10.0.0.2", 3).await;
    finished(&server, &short).await;
    for id in &long {
        let path = format!("/v1/simulations/{id}");
        let running = server.get(&path).send().await.unwrap();
        assert_eq!(expect(running, StatusCode::OK).await["status"], "running");
        let delete = || server.request(Method::DELETE, &path);
        for _ in 0..2 {
            let again = delete().header("idempotency-key", id.as_str());
            assert_eq!(again.send().await.unwrap().status(), 204);
        }
        refused(server.get(&path), 404, "not-found").await;
        refused(delete(), 404, "not-found").await;
    }
}

#[tokio::test]
async fn simulations_that_make_no_sense_are_refused() {
    let server = Server::start().await;
    for (body, pointer) in [
        (
            json!({"game": TOLL, "players": ["random"], "games": 1}),
            "/options",
        ),
        (
            json!({"game": TOLL, "players": ["random", "random"], "games": 0}),
            "/games",
        ),
        (
            json!({"game": TOLL, "players": ["random", "human"], "games": 1}),
            "/players/1",
        ),
        (json!({"players": ["random", "random"], "games": 1}), ""),
    ] {
        let (status, code) = match pointer {
            "/options" => (422, "unprocessable"),
            _ => (400, "malformed"),
        };
        let problem = refused(server.post("/v1/simulations", body), status, code).await;
        assert_eq!(problem["errors"][0]["pointer"], pointer);
    }
    for id in ["sim-", "nothing", "sim-aaaaaaaaaaaaaaaaaaaaaaaa"] {
        refused(
            server.get(&format!("/v1/simulations/{id}")),
            404,
            "not-found",
        )
        .await;
    }
}

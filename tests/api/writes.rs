//! Every write of the description, sent twice: one effect, one response, and no secret for strangers.

use std::collections::BTreeSet;
use std::fs;

use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use wyrmgate::api::{self, OperatorScope};
use wyrmgate::config::{Config, CredentialFiles};
use wyrmgate::session::{Token, TokenRights};

use super::receiver::Receiver;
use super::support::{Server, TOLL, TRADE, bearing, config, expect, refused, text};

/// Requests that compute something and change nothing take no key.
const STATELESS: [&str; 3] = ["checkAction", "checkRuleset", "step"];

/// A write, made as its caller makes it.
pub struct Write {
    method: Method,
    pub path: String,
    token: String,
    pub body: Value,
    /// Content that the same key is refused for.
    other: Value,
    /// Credentials of all who may read the session: its owner, and its seats.
    pub readers: [String; 3],
}

/// A server on which everything can be written, and a key of its operator.
pub struct Place {
    pub server: Server,
    pub key: String,
    receiver: Receiver,
    _folder: tempfile::TempDir,
}

impl Place {
    pub async fn open() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys.yaml");
        let key = Token::random(TokenRights::Key).unwrap();
        let scopes = [
            OperatorScope::Create,
            OperatorScope::Upload,
            OperatorScope::Simulate,
            OperatorScope::Players,
        ];
        let entry = json!({"name": "lobby", "hash": key.hash(), "scopes": scopes});
        fs::write(&file, json!({"keys": [entry]}).to_string()).unwrap();
        let receiver = Receiver::start().await;
        let server = Server::with(Config {
            credentials: CredentialFiles {
                keys: Some(file),
                issuers: None,
            },
            webhooks: true,
            webhook_allow: vec![receiver.origin().parse().unwrap()],
            ..config()
        })
        .await;
        Place {
            server,
            key: key.reveal(),
            receiver,
            _folder: folder,
        }
    }

    pub async fn create(&self, wanted: Value) -> (String, String) {
        let create = self.server.post("/v1/sessions", wanted);
        let created = create.bearer_auth(&self.key).send().await.unwrap();
        let created = expect(created, StatusCode::CREATED).await;
        let path = format!("/v1/sessions/{}", text(&created, "id"));
        (path, text(&created, "owner_token"))
    }

    pub async fn claim(&self, session: &str, seat: u8) -> String {
        let claim = self
            .server
            .put(&format!("{session}/seats/{seat}"), json!({}));
        text(
            &expect(claim.send().await.unwrap(), StatusCode::CREATED).await,
            "token",
        )
    }

    async fn webhook(&self, session: &str, owner: &str) -> String {
        let wanted = json!({"url": self.receiver.url(), "events": ["session.finished"]});
        let create = self.server.post(&format!("{session}/webhooks"), wanted);
        let created = create.bearer_auth(owner).send().await.unwrap();
        text(&expect(created, StatusCode::CREATED).await, "id")
    }

    /// The write with this operation id, in a session of its own in which it can be made.
    pub async fn write(&self, operation: &str) -> Option<Write> {
        let clock = json!({"game_ms": 600_000});
        let clock = (operation != "claimAbsence").then_some(clock); // the clock would decide
        let wanted = json!({"game": TOLL, "undo": "free", "forks": "always", "visibility": "public",
            "endings": {"draws": true, "claims_after_ms": 1_000}, "clock": clock});
        let (session, owner) = self.create(wanted).await;
        let [first, second] = [self.claim(&session, 1).await, self.claim(&session, 2).await];
        let at = |rest: &str| format!("{session}{rest}");
        let write = |method, path: String, token: &str, body: Value, other: Value| {
            let token = token.to_owned();
            Some(Write {
                method,
                path,
                token,
                body,
                other,
                readers: [owner.clone(), first.clone(), second.clone()],
            })
        };
        let url = self.receiver.url();
        match operation {
            "makeMove" => {
                let (body, other) = (json!({"args": {"n": 2}}), json!({"args": {"n": 1}}));
                write(Method::POST, at("/moves"), &first, body, other)
            }
            "resign" | "abort" | "claimAbsence" => {
                let rest = match operation {
                    "resign" => "/resignations",
                    "abort" => "/abort",
                    _ => "/claims",
                };
                if operation == "claimAbsence" {
                    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
                }
                write(Method::POST, at(rest), &second, Value::Null, Value::Null)
            }
            "offerDraw" => {
                let (body, other) = (json!({}), json!({"agree": true}));
                write(Method::POST, at("/draw-offers"), &first, body, other)
            }
            "pause" => {
                let (body, other) = (json!({"paused": true}), json!({"paused": false}));
                write(Method::PUT, at("/pause"), &first, body, other)
            }
            "undo" => {
                let made = self.server.post(&at("/moves"), json!({"id": "3.1.0"}));
                expect(
                    made.bearer_auth(&first).send().await.unwrap(),
                    StatusCode::CREATED,
                )
                .await;
                write(
                    Method::POST,
                    at("/undos"),
                    &first,
                    json!({"to": 3}),
                    json!({"to": 2}),
                )
            }
            "claimSeat" => {
                let (body, other) = (json!({"renew": true}), json!({"name": "Ada"}));
                write(Method::PUT, at("/seats/1"), &first, body, other)
            }
            "leaveSeat" => write(
                Method::DELETE,
                at("/seats/1"),
                &first,
                Value::Null,
                Value::Null,
            ),
            "setStandingOrders" => {
                let order = json!({"answer": {"only": true}});
                let (body, other) = (json!({"orders": [order]}), json!({"orders": []}));
                write(Method::PUT, at("/standing-orders"), &first, body, other)
            }
            "renewToken" => write(
                Method::PUT,
                at("/tokens/owner"),
                &owner,
                json!({}),
                Value::Null,
            ),
            "createStreamTicket" => write(
                Method::POST,
                at("/stream-tickets"),
                &first,
                json!({}),
                Value::Null,
            ),
            "forkSession" => write(
                Method::POST,
                at("/forks"),
                &first,
                json!({"version": 3}),
                json!({"version": 2}),
            ),
            "removeSession" => write(
                Method::DELETE,
                session.clone(),
                &owner,
                Value::Null,
                Value::Null,
            ),
            "createWebhook" => {
                let body = json!({"url": url, "events": ["session.finished"]});
                let other = json!({"url": url, "events": ["session.started"]});
                write(Method::POST, at("/webhooks"), &owner, body, other)
            }
            "changeWebhook" | "removeWebhook" | "renewWebhookSecret" | "pingWebhook" => {
                let id = self.webhook(&session, &owner).await;
                let at = |rest: &str| format!("{session}/webhooks/{id}{rest}");
                let order = |event: &str| json!({"url": url, "events": [event]});
                match operation {
                    "changeWebhook" => {
                        let (body, other) = (order("session.changed"), order("session.started"));
                        write(Method::PUT, at(""), &owner, body, other)
                    }
                    "removeWebhook" => {
                        write(Method::DELETE, at(""), &owner, Value::Null, Value::Null)
                    }
                    "renewWebhookSecret" => {
                        let other = json!({"keep_previous_ms": 0});
                        write(Method::PUT, at("/secret"), &owner, json!({}), other)
                    }
                    _ => write(Method::POST, at("/pings"), &owner, json!({}), Value::Null),
                }
            }
            "createSession" => {
                let (body, other) = (
                    json!({"game": TOLL, "visibility": "private"}),
                    json!({"game": TOLL}),
                );
                write(Method::POST, "/v1/sessions".into(), &self.key, body, other)
            }
            "createSessions" => {
                let body = json!({"sessions": [{"game": TOLL, "visibility": "private"}]});
                let other = json!({"sessions": [{"game": TOLL}]});
                let path = "/v1/session-batches".into();
                write(Method::POST, path, &self.key, body, other)
            }
            "createGuest" => {
                let (body, other) = (json!({"name": "Ann"}), json!({"name": "Bob"}));
                write(Method::POST, "/v1/players".into(), &self.key, body, other)
            }
            "createSeek" => {
                let (body, other) = (json!({"game": TRADE}), json!({"game": TRADE, "seats": 3}));
                write(Method::POST, "/v1/seeks".into(), &self.key, body, other)
            }
            "withdrawSeek" => {
                let seek = self
                    .server
                    .post("/v1/seeks", json!({"game": TRADE, "seats": 3}));
                let found = seek.bearer_auth(&self.key).send().await.unwrap();
                let found = expect(found, StatusCode::CREATED).await;
                let path = format!("/v1/seeks/{}", text(&found["session"], "id"));
                let token = text(&found, "token");
                write(Method::DELETE, path, &token, Value::Null, Value::Null)
            }
            "writeMessage" => {
                let (body, other) = (json!({"text": "Hello"}), json!({"text": "Good day"}));
                write(Method::POST, at("/messages"), &first, body, other)
            }
            "deleteMessage" => {
                let said = self.server.post(&at("/messages"), json!({"text": "Hello"}));
                let said = said.bearer_auth(&first).send().await.unwrap();
                let id = text(&expect(said, StatusCode::CREATED).await, "id");
                let path = at(&format!("/messages/{id}"));
                write(Method::DELETE, path, &owner, Value::Null, Value::Null)
            }
            "putBrowser" | "removeBrowsers" => {
                let guest = self.server.post("/v1/players", json!({}));
                let guest = expect(guest.send().await.unwrap(), StatusCode::CREATED).await;
                let (path, token) = ("/v1/players/me/push".into(), text(&guest, "token"));
                if operation == "removeBrowsers" {
                    return write(Method::DELETE, path, &token, Value::Null, Value::Null);
                }
                // The example of RFC 8291.
                let of = |number| {
                    let keys = json!({"auth": "BTBZMqHH6r4Tts7J_aSIgg",
                        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"});
                    json!({"endpoint": format!("{url}&of={number}"), "keys": keys})
                };
                write(Method::PUT, path, &token, of(1), of(2))
            }
            "setKeyWebhook" | "removeKeyWebhook" => {
                let path = "/v1/keys/me/webhook".into();
                if operation == "removeKeyWebhook" {
                    return write(Method::DELETE, path, &self.key, Value::Null, Value::Null);
                }
                let body = json!({"url": url, "events": ["decision.owed"]});
                let other = json!({"url": url, "events": ["session.started"]});
                write(Method::PUT, path, &self.key, body, other)
            }
            "setPlayerWebhook" | "removePlayerWebhook" => {
                let guest = self.server.post("/v1/players", json!({}));
                let guest = expect(guest.send().await.unwrap(), StatusCode::CREATED).await;
                let (path, token) = ("/v1/players/me/webhook".into(), text(&guest, "token"));
                if operation == "removePlayerWebhook" {
                    return write(Method::DELETE, path, &token, Value::Null, Value::Null);
                }
                let body = json!({"url": url, "events": ["decision.owed"]});
                let other = json!({"url": url, "events": ["session.started"]});
                write(Method::PUT, path, &token, body, other)
            }
            "changePlayer" | "forgetPlayer" => {
                let guest = self.server.post("/v1/players", json!({}));
                let guest = expect(guest.send().await.unwrap(), StatusCode::CREATED).await;
                let (path, token) = ("/v1/players/me".into(), text(&guest, "token"));
                if operation == "forgetPlayer" {
                    return write(Method::DELETE, path, &token, Value::Null, Value::Null);
                }
                let (body, other) = (json!({"name": "Ann"}), json!({"name": "Bob"}));
                write(Method::PUT, path, &token, body, other)
            }
            "createTournament" => {
                let of = |name| json!({"name": name, "game": TOLL, "format": "round-robin", "clock": {"game_ms": 60_000}});
                let path = "/v1/tournaments".into();
                write(Method::POST, path, &self.key, of("One"), of("Two"))
            }
            "startTournament" | "endTournament" | "joinTournament" | "leaveTournament" => {
                let wanted = json!({"name": "One", "game": TOLL, "format": "round-robin",
                    "clock": {"game_ms": 60_000}, "players": ["ann", "ben"]});
                let created = self.server.post("/v1/tournaments", wanted);
                let created = created.bearer_auth(&self.key).send().await.unwrap();
                let created = expect(created, StatusCode::CREATED).await;
                let path = format!("/v1/tournaments/{}", text(&created, "id"));
                if operation == "endTournament" {
                    return write(Method::DELETE, path, &self.key, Value::Null, Value::Null);
                }
                if operation == "startTournament" {
                    let path = format!("{path}/start");
                    return write(Method::POST, path, &self.key, Value::Null, Value::Null);
                }
                let guest = self.server.post("/v1/players", json!({}));
                let guest = expect(guest.send().await.unwrap(), StatusCode::CREATED).await;
                let (path, token) = (format!("{path}/players/me"), text(&guest, "token"));
                if operation == "joinTournament" {
                    return write(Method::PUT, path, &token, Value::Null, Value::Null);
                }
                let join = self.server.request(Method::PUT, &path).bearer_auth(&token);
                expect(join.send().await.unwrap(), StatusCode::OK).await;
                write(Method::DELETE, path, &token, Value::Null, Value::Null)
            }
            "removeSimulation" => {
                let body = json!({"game": TOLL, "players": ["random", "random"], "games": 1});
                let created = self.server.post("/v1/simulations", body);
                let created = created.bearer_auth(&self.key).send().await.unwrap();
                let id = text(&expect(created, StatusCode::CREATED).await, "id");
                let path = format!("/v1/simulations/{id}");
                write(Method::DELETE, path, &self.key, Value::Null, Value::Null)
            }
            "simulate" => {
                let of =
                    |games| json!({"game": TOLL, "players": ["random", "random"], "games": games});
                write(
                    Method::POST,
                    "/v1/simulations".into(),
                    &self.key,
                    of(2),
                    of(3),
                )
            }
            "createRuleset" => {
                let file = |title| format!("extends: {TOLL}\nchange: {{title: {title}}}\n");
                let of = |title| json!({"files": {"house.yaml": file(title)}});
                write(
                    Method::POST,
                    "/v1/rulesets".into(),
                    &self.key,
                    of("House"),
                    of("Home"),
                )
            }
            _ => None,
        }
    }

    pub fn send(&self, write: &Write, body: &Value, key: Option<&str>) -> RequestBuilder {
        let request = self.server.request(write.method.clone(), &write.path);
        let request = match body {
            Value::Null => request,
            body => request.json(body),
        };
        let request = bearing(request, Some(&write.token));
        match key {
            Some(key) => request.header("idempotency-key", key),
            None => request,
        }
    }
}

/// Operations that are not reads: their ids, and whether they take a key.
pub fn writes() -> Vec<(String, bool)> {
    let document: Value = serde_json::from_str(&api::strict_openapi_json()).unwrap();
    let items = document["paths"].as_object().unwrap().values();
    let operations = items.flat_map(|item| item.as_object().unwrap());
    let operations = operations.filter(|(method, _)| *method != "get");
    let described = operations.map(|(_, operation)| {
        let mut parameters = operation["parameters"].as_array().into_iter().flatten();
        let has_key = parameters.any(|parameter| parameter["name"] == "Idempotency-Key");
        (text(operation, "operationId"), has_key)
    });
    described.collect()
}

/// Everything of a response that must be the same again.
async fn told(response: Response) -> (StatusCode, Option<String>, String) {
    let header = response.headers().get("location");
    let location = header.map(|location| location.to_str().unwrap().to_owned());
    (response.status(), location, response.text().await.unwrap())
}

#[test]
fn every_write_takes_a_key_and_nothing_else_does() {
    let keyless = writes().into_iter().filter(|(_, has_key)| !has_key);
    let keyless: BTreeSet<String> = keyless.map(|(id, _)| id).collect();
    assert_eq!(keyless, STATELESS.map(str::to_owned).into());
}

#[tokio::test]
async fn every_write_that_is_repeated_gets_its_first_response_before_anything_is_judged() {
    let place = Place::open().await;
    for (operation, _) in writes().into_iter().filter(|(_, has_key)| *has_key) {
        let write = place.write(&operation).await;
        let write = write.unwrap_or_else(|| panic!("say how `{operation}` is tested"));
        let key = format!("key-{operation}");
        let send = |body| place.send(&write, body, Some(&key)).send();
        let first = send(&write.body).await.unwrap();
        assert!(
            first.status().is_success(),
            "{operation}: {}",
            first.text().await.unwrap()
        );
        assert_eq!(first.headers()["durability"], "memory", "{operation}");
        assert!(
            !first.headers().contains_key("idempotent-replayed"),
            "{operation}"
        );
        let first = told(first).await;
        let again = send(&write.body).await.unwrap();
        assert_eq!(
            again.headers()["idempotent-replayed"],
            "true",
            "{operation}"
        );
        assert_eq!(again.headers()["durability"], "memory", "{operation}");
        assert_eq!(told(again).await, first, "{operation}");
        if !write.other.is_null() {
            let other = place.send(&write, &write.other, Some(&key));
            refused(other, 422, "idempotency-mismatch").await;
        }
    }
}

#[tokio::test]
async fn spaces_order_and_fractions_do_not_make_another_content() {
    let place = Place::open().await;
    let write = place.write("undo").await.unwrap();
    let texts = [r#"{"to": 3}"#, r#" {"to":3.0} "#];
    let send = |body: &'static str| {
        let request = place.send(&write, &Value::Null, Some("spelled"));
        let request = request.header("content-type", "application/json");
        request.body(body).send()
    };
    let [first, again] = [send(texts[0]).await.unwrap(), send(texts[1]).await.unwrap()];
    assert_eq!(told(first).await, told(again).await);
}

#[tokio::test]
async fn a_key_without_a_credential_of_ones_own_shows_no_secret_twice() {
    let server = Server::start().await;
    let wanted = json!({"game": TOLL, "visibility": "private"});
    let session = server.create(wanted).await;
    let invite = text(&session.created, "invite_code");
    let public = server.create(json!({"game": TOLL})).await;
    let claim = |path: String, body: Value| {
        let claim = server.put(&path, body);
        claim.header("idempotency-key", "join")
    };
    let open = || claim(public.at("/seats/1"), json!({}));
    let in_body = || claim(session.at("/seats/1"), json!({"invite_code": invite}));
    // An invite code is for many: whoever shows it is nobody in particular.
    let in_header = || claim(session.at("/seats/2"), json!({})).bearer_auth(&invite);
    let create = || {
        let create = server.post(
            "/v1/sessions",
            json!({"game": TOLL, "visibility": "private"}),
        );
        create.header("idempotency-key", "join")
    };
    let ticket = || {
        let ticket = server.post(&public.at("/stream-tickets"), json!({}));
        ticket.header("idempotency-key", "join")
    };
    let requests: [&dyn Fn() -> RequestBuilder; 5] =
        [&open, &in_body, &in_header, &create, &ticket];
    for (number, request) in requests.into_iter().enumerate() {
        let first = request().send().await.unwrap();
        let first = told(first).await;
        assert_eq!(first.0, StatusCode::CREATED, "{number}: {}", first.2);
        assert!(first.2.contains("\"wg_"), "{number}: {}", first.2);
        let again = request().send().await.unwrap();
        assert_eq!(again.headers()["idempotent-replayed"], "true", "{number}");
        let path = again.url().path().to_owned();
        let location = again.headers().get("location").cloned();
        let again = expect(again, StatusCode::CREATED).await;
        assert!(
            !again.to_string().contains("wg_"),
            "{number} {path}: {again}"
        );
        assert!(
            !format!("{location:?}").contains("wg_"),
            "{number}: {location:?}"
        );
        // All else is as it was.
        let mut first: Value = serde_json::from_str(&first.2).unwrap();
        for secret in [
            "token",
            "owner_token",
            "invite_code",
            "spectator_token",
            "ticket",
        ] {
            first.as_object_mut().unwrap().remove(secret);
        }
        assert_eq!(again, first, "{number}");
    }
}

#[tokio::test]
async fn a_stored_response_shows_no_secret_to_whoever_reads_the_store() {
    let place = Place::open().await;
    let write = place.write("claimSeat").await.unwrap();
    let first = place.send(&write, &write.body, Some("a-key"));
    let first = expect(first.send().await.unwrap(), StatusCode::CREATED).await;
    let token = text(&first, "token");
    // Another caller with the same key is another caller, and the old token of the seat opens nothing but this response.
    let stranger = place.server.put(&write.path, write.body.clone());
    let stranger = stranger.header("idempotency-key", "a-key");
    refused(stranger, 401, "unauthenticated").await;
    let old = place
        .server
        .get(&format!("{}/view", write.path.trim_end_matches("/seats/1")));
    refused(old.bearer_auth(&write.token), 401, "unauthenticated").await;
    let new = place
        .server
        .get(&format!("{}/view", write.path.trim_end_matches("/seats/1")));
    assert_eq!(
        new.bearer_auth(&token).send().await.unwrap().status(),
        StatusCode::OK
    );
}

#[tokio::test]
async fn strangers_write_nothing_into_the_store_by_being_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.redb");
    let server = Server::with(Config {
        store: format!("embedded:{}", file.display()),
        ..config()
    })
    .await;
    let (session, [first, second]) = server.duel(TOLL).await;
    let stored = async || {
        let metrics = server
            .get("/metrics")
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        let commits = metrics.lines().find(|line| {
            line.contains("store") && line.contains("count") && line.contains("\"commit\"")
        });
        commits.unwrap_or_else(|| panic!("{metrics}")).to_owned()
    };
    let before = stored().await;
    let other = Token::random(TokenRights::Seat).unwrap().reveal();
    for number in 0..20 {
        for token in [None, Some(other.as_str())] {
            let order = server.post(&session.at("/moves"), json!({"args": {"n": 1}}));
            let order = order.header("idempotency-key", format!("new-{number}"));
            refused(bearing(order, token), 401, "unauthenticated").await;
        }
        let claim = server.put(&session.at("/seats/1"), json!({}));
        let claim = claim.header("idempotency-key", format!("claim-{number}"));
        refused(claim, 409, "session-full").await;
    }
    assert_eq!(stored().await, before);
    // A player is known, and its refusals stay what they were.
    let early = || {
        let order = session.order(&second, json!({"args": {"n": 1}}));
        order.header("idempotency-key", "early")
    };
    refused(early(), 409, "not-your-turn").await;
    assert_ne!(stored().await, before);
    session.move_by(&first, json!({"id": "3.1.0"})).await;
    let again = early().send().await.unwrap();
    assert_eq!(again.headers()["idempotent-replayed"], "true");
}

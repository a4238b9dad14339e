//! Webhooks: what the owner of a session has told to other servers.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use wyrmgate::config::Config;
use wyrmgate::metrics::Metrics;
use wyrmgate::rules::Library;
use wyrmgate::session::{
    Call, Claim, Deliverer, Duty, Schedule, Seat, Service, SessionOrder, Terms, Token, Visibility,
    WebhookEvent, WebhookOrder,
};
use wyrmgate::webhook_sender::Ports;
use wyrmgate::webhook_sender::{Policy, WebhookSender};
use wyrmgate::{api, store};

use super::races::embedded;
use super::receiver::{Got, Receiver};
use super::support::{Server, Session, TOLL, TRADE, config, expect, fixtures, refused, text};

const ALL: [&str; 4] = [
    "session.started",
    "session.changed",
    "decision.owed",
    "session.finished",
];

/// Lets webhooks call these receivers.
fn calling(receivers: &[&Receiver]) -> Config {
    let allow = receivers
        .iter()
        .map(|receiver| receiver.origin().parse().unwrap());
    Config {
        webhooks: true,
        webhook_allow: allow.collect(),
        webhook_retry: Duration::from_millis(100),
        ..config()
    }
}

async fn register(session: &Session<'_>, url: &str, events: &[&str]) -> Value {
    let wanted = json!({"url": url, "events": events});
    let order = session.server.post(&session.at("/webhooks"), wanted);
    let created = order.bearer_auth(&session.owner).send().await.unwrap();
    expect(created, StatusCode::CREATED).await
}

async fn look(session: &Session<'_>, id: &str) -> Value {
    session
        .get(&format!("/webhooks/{id}"), Some(&session.owner))
        .await
}

/// Looks until the webhook is as it should be.
async fn until(session: &Session<'_>, id: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..500 {
        let webhook = look(session, id).await;
        if is_so(&webhook) {
            return webhook;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{}", look(session, id).await);
}

async fn open_duel(server: &Server) -> Session<'_> {
    server
        .create(json!({"game": TOLL, "seats": ["open", "open"]}))
        .await
}

fn told(got: &[Got]) -> Vec<(String, u64)> {
    let version = |got: &Got| got.json()["data"]["version"].as_u64().unwrap();
    got.iter().map(|got| (got.of(), version(got))).collect()
}

#[tokio::test]
async fn what_happens_is_told_signed_in_order_and_thin() {
    let receiver = Receiver::start().await;
    let mut config = calling(&[&receiver]);
    config.pages.public_url = Some("https://play.example.org".parse().unwrap());
    let server = Server::with(config).await;
    let session = open_duel(&server).await;
    let webhook = register(&session, &receiver.url(), &ALL).await;
    let secret = text(&webhook, "secret");
    let tokens = [session.claim(1).await, session.claim(2).await];
    session.move_by(&tokens[0], json!({"id": "3.1.0"})).await;
    let got = receiver.wait(6).await;
    let expected = [
        ("session.changed", 2),
        ("session.started", 3),
        ("session.changed", 3),
        ("decision.owed", 3),
        ("session.changed", 4),
        ("decision.owed", 4),
    ];
    assert_eq!(
        told(&got),
        expected.map(|(name, version)| (name.to_owned(), version))
    );
    let ids: BTreeSet<_> = got.iter().map(|got| got.header("webhook-id")).collect();
    assert_eq!(ids.len(), got.len());
    for got in &got {
        assert!(got.is_signed_with(&secret));
        assert_eq!(got.header("webhook-signature").split(' ').count(), 1);
        let now = jiff::Timestamp::now().as_second();
        let at: i64 = got.header("webhook-timestamp").parse().unwrap();
        assert!((now - 60..=now).contains(&at));
        fits(&got.json());
    }
    assert_eq!(got[3].json()["data"]["seats"], json!([1]));
    assert_eq!(got[5].json()["data"]["seats"], json!([2]));
    let id = session.path.rsplit('/').next().unwrap();
    let data = json!({
        "session": id, "game": TOLL, "version": 4, "status": "running", "owing": [2], "deadlines": [],
        "url": format!("https://play.example.org{}", session.path),
    });
    assert_eq!(got[4].json()["data"], data);
    let end = session.play_out(&tokens, |_| 0).await;
    let last = receiver.wait(6 + 3).await;
    let finished = until_finished(&receiver).await;
    assert_eq!(finished.json()["data"]["version"], end["version"]);
    assert_eq!(finished.json()["data"]["status"], "finished");
    assert!(last.len() >= 9);
    let text = server
        .get("/metrics")
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert!(
        text.contains("wyrmgate_webhook_attempts_total{outcome=\"delivered\"}"),
        "{text}"
    );
}

async fn until_finished(receiver: &Receiver) -> Got {
    for _ in 0..500 {
        let got = receiver.got();
        if let Some(last) = got.iter().find(|got| got.of() == "session.finished") {
            return last.clone();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the end was not told: {:?}", told(&receiver.got()));
}

/// To the description of messages in the OpenAPI document.
fn fits(message: &Value) {
    let document: Value = serde_json::from_str(&api::strict_openapi_json()).unwrap();
    let of = message["type"].as_str().unwrap();
    let schema =
        &document["webhooks"][of]["post"]["requestBody"]["content"]["application/json"]["schema"];
    let schema = json!({"allOf": [schema], "components": document["components"]});
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(message), "{message}");
    let known = document["components"]["schemas"]["WebhookData"]["properties"]
        .as_object()
        .unwrap();
    let members = message["data"].as_object().unwrap();
    assert!(
        members.keys().all(|name| known.contains_key(name)),
        "{message}"
    );
}

#[tokio::test]
async fn secret_answers_hands_and_names_are_not_told() {
    let receiver = Receiver::start().await;
    let server = Server::with(calling(&[&receiver])).await;
    let (session, tokens) = server.duel(TRADE).await;
    register(&session, &receiver.url(), &ALL).await;
    let choices = session.choices(&tokens[0]).await;
    let answer = session.move_by(&tokens[0], json!({"id": choices[0]})).await;
    expect(answer, StatusCode::OK).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(receiver.got().is_empty(), "a secret answer was told");
    let choices = session.choices(&tokens[1]).await;
    session.move_by(&tokens[1], json!({"id": choices[0]})).await;
    let got = receiver.wait(2).await;
    assert_eq!(got[1].json()["data"]["seats"], json!([1, 2]));
    for got in &got {
        for hidden in ["card", "args", "wg_", "seed", "hand"] {
            assert!(!got.body.contains(hidden), "{}", got.body);
        }
    }
}

#[tokio::test]
async fn a_receiver_that_fails_is_called_again_with_the_same_id() {
    let receiver = Receiver::start().await;
    receiver.answer("500 Internal Server Error");
    let server = Server::with(calling(&[&receiver])).await;
    let session = open_duel(&server).await;
    let webhook = register(&session, &receiver.url(), &["session.changed"]).await;
    let id = text(&webhook, "id");
    session.claim(1).await;
    let got = receiver.wait(2).await;
    assert_eq!(got[0].header("webhook-id"), got[1].header("webhook-id"));
    assert_eq!(got[0].body, got[1].body);
    let failing = look(&session, &id).await;
    assert_eq!(failing["status"], "active");
    assert_eq!(failing["waiting"], 1);
    assert!(failing["next_attempt_at"].is_string());
    receiver.answer("200 OK");
    let well = until(&session, &id, |webhook| webhook["waiting"] == 0).await;
    assert_eq!(well["failures"], 0);
    let deliveries = well["deliveries"].as_array().unwrap();
    assert_eq!(deliveries[0]["outcome"], "rejected");
    assert_eq!(deliveries[0]["status"], 500);
    assert_eq!(deliveries[1]["attempt"], 2);
    let last = deliveries.last().unwrap();
    assert_eq!(
        (&last["outcome"], &last["version"]),
        (&json!("delivered"), &json!(2))
    );
    assert_eq!(last["message"], got[0].header("webhook-id"));
    // Later messages follow.
    let before = receiver.got().len();
    session.claim(2).await;
    assert_eq!(told(&receiver.wait(before + 1).await).last().unwrap().1, 3);
}

#[tokio::test]
async fn a_receiver_that_is_gone_or_fails_for_too_long_is_called_no_more_until_it_is_put_anew() {
    let (gone, failing) = (Receiver::start().await, Receiver::start().await);
    gone.answer("410 Gone");
    failing.answer("302 Found\r\nLocation: https://example.org/");
    let mut config = calling(&[&gone, &failing]);
    config.webhook_give_up = Duration::from_millis(300);
    let server = Server::with(config).await;
    let session = open_duel(&server).await;
    let first = text(
        &register(&session, &gone.url(), &["session.changed"]).await,
        "id",
    );
    let second = text(
        &register(&session, &failing.url(), &["session.changed"]).await,
        "id",
    );
    session.claim(1).await;
    let webhook = until(&session, &first, |webhook| webhook["status"] == "disabled").await;
    assert_eq!(webhook["reason"], "gone");
    let webhook = until(&session, &second, |webhook| webhook["status"] == "disabled").await;
    assert_eq!(webhook["reason"], "failing");
    assert_eq!(webhook["deliveries"][0]["outcome"], "redirected");
    assert_eq!(gone.got().len(), 1);
    gone.answer("200 OK");
    session.claim(2).await;
    let wanted = json!({"url": gone.url(), "events": ["session.changed"]});
    let put = server.put(&session.at(&format!("/webhooks/{first}")), wanted);
    let put = put.bearer_auth(&session.owner).send().await.unwrap();
    let webhook = expect(put, StatusCode::OK).await;
    assert_eq!(
        (&webhook["status"], &webhook["waiting"]),
        (&json!("active"), &json!(0))
    );
    let leave = server.request(Method::DELETE, &session.at("/seats/2"));
    leave.bearer_auth(&session.owner).send().await.unwrap();
    assert_eq!(told(&gone.wait(2).await)[1].1, 4);
}

#[tokio::test]
async fn only_the_owner_has_to_do_with_webhooks_and_only_once_sees_the_secret() {
    let receiver = Receiver::start().await;
    let server = Server::with(calling(&[&receiver])).await;
    let session = open_duel(&server).await;
    let seat = session.claim(1).await;
    let body = || json!({"url": receiver.url(), "events": ["session.finished"]});
    let path = session.at("/webhooks");
    refused(server.post(&path, body()), 401, "unauthenticated").await;
    refused(
        server.post(&path, body()).bearer_auth(&seat),
        403,
        "forbidden",
    )
    .await;
    refused(session.ask("/webhooks", Some(&seat)), 403, "forbidden").await;
    let keyed = || {
        server
            .post(&path, body())
            .bearer_auth(&session.owner)
            .header("idempotency-key", "once")
    };
    let first = keyed().send().await.unwrap();
    let location = first.headers()["location"].to_str().unwrap().to_owned();
    let first = expect(first, StatusCode::CREATED).await;
    assert_eq!(location, format!("{path}/{}", text(&first, "id")));
    let again = keyed().send().await.unwrap();
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    assert_eq!(expect(again, StatusCode::CREATED).await, first);
    let all = session.get("/webhooks", Some(&session.owner)).await;
    assert_eq!(all["items"].as_array().unwrap().len(), 1);
    assert_eq!(all["next"], Value::Null);
    assert!(!all.to_string().contains("whsec"));
    for _ in 0..4 {
        register(&session, &receiver.url(), &["session.finished"]).await;
    }
    let many = server.post(&path, body()).bearer_auth(&session.owner);
    refused(many, 403, "webhook-refused").await;
    let page = session.get("/webhooks?limit=3", Some(&session.owner)).await;
    let next = text(&page, "next");
    let rest = session
        .get(
            &format!("/webhooks?limit=3&cursor={next}"),
            Some(&session.owner),
        )
        .await;
    assert_eq!(rest["items"].as_array().unwrap().len(), 2);
    let remove = || {
        server
            .request(Method::DELETE, &location)
            .bearer_auth(&session.owner)
    };
    expect(remove().send().await.unwrap(), StatusCode::NO_CONTENT).await;
    refused(remove(), 404, "not-found").await;
    // Nothing of it is seen by others.
    let public = session.get("", None).await.to_string();
    assert!(!public.contains("webhook") && !public.contains("hooks"));
}

#[tokio::test]
async fn a_test_tells_at_once_how_it_went_and_old_secrets_sign_for_a_while() {
    let receiver = Receiver::start().await;
    let server = Server::with(calling(&[&receiver])).await;
    let session = open_duel(&server).await;
    let webhook = register(&session, &receiver.url(), &["session.finished"]).await;
    let (id, first) = (text(&webhook, "id"), text(&webhook, "secret"));
    let path = session.at(&format!("/webhooks/{id}"));
    let ping = async || {
        let ping = server.request(Method::POST, &format!("{path}/pings"));
        let ping = ping.bearer_auth(&session.owner).send().await.unwrap();
        expect(ping, StatusCode::OK).await
    };
    let delivery = ping().await;
    assert_eq!(
        (&delivery["outcome"], &delivery["event"]),
        (&json!("delivered"), &json!("webhook.ping"))
    );
    assert!(receiver.got()[0].is_signed_with(&first));
    fits(&receiver.got()[0].json());
    receiver.answer("404 Not Found");
    assert_eq!(ping().await["status"], 404);
    assert_eq!(
        look(&session, &id).await["deliveries"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let renew = async |body: Value| {
        let renew = server
            .put(&format!("{path}/secret"), body)
            .bearer_auth(&session.owner);
        expect(renew.send().await.unwrap(), StatusCode::OK).await
    };
    let second = text(&renew(json!({})).await, "secret");
    assert_ne!(first, second);
    ping().await;
    let both = &receiver.got()[2];
    assert!(both.is_signed_with(&first) && both.is_signed_with(&second));
    let third = text(&renew(json!({"keep_previous_ms": 0})).await, "secret");
    ping().await;
    let one = &receiver.got()[3];
    assert!(one.is_signed_with(&third) && !one.is_signed_with(&second));
}

#[tokio::test]
async fn addresses_that_are_not_called_are_refused() {
    let receiver = Receiver::start().await;
    let server = Server::with(calling(&[&receiver])).await;
    let session = open_duel(&server).await;
    let order = |url: &str| {
        let wanted = json!({"url": url, "events": ["session.changed"]});
        server
            .post(&session.at("/webhooks"), wanted)
            .bearer_auth(&session.owner)
    };
    for url in [
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://169.254.169.254/",
        "http://example.org/",
        "https://example.org:22/",
    ] {
        let problem = refused(order(url), 403, "webhook-refused").await;
        assert!(problem["detail"].is_string());
    }
    for url in ["https://u:p@example.org/", "hooks", "https://2130706433/"] {
        let problem = refused(order(url), 422, "unprocessable").await;
        assert_eq!(problem["errors"][0]["pointer"], "/url");
    }
    // A name that leads to this machine is found out when it is called.
    let order = order("https://localhost/");
    let webhook = expect(order.send().await.unwrap(), StatusCode::CREATED).await;
    let id = text(&webhook, "id");
    session.claim(1).await;
    let webhook = until(&session, &id, |webhook| webhook["failures"] != 0).await;
    let delivery = |webhook: &Value| {
        let delivery = &webhook["deliveries"][0];
        let took = delivery["took_ms"].as_u64().unwrap();
        (delivery["outcome"].clone(), took)
    };
    // The owner gets the same response for a name that resolves to this machine as for one that does not exist.
    let wanted = json!({"url": "https://nobody.invalid/", "events": ["session.changed"]});
    let request = server.post(&session.at("/webhooks"), wanted);
    let other = request.bearer_auth(&session.owner).send().await.unwrap();
    let other = text(&expect(other, StatusCode::CREATED).await, "id");
    session.claim(2).await;
    let other = until(&session, &other, |webhook| webhook["failures"] != 0).await;
    let [(inside, took), (nowhere, as_long)] = [delivery(&webhook), delivery(&other)];
    assert_eq!(
        (&inside, &nowhere),
        (&json!("unreachable"), &json!("unreachable"))
    );
    assert!(took.abs_diff(as_long) < 500, "{took} {as_long}");
}

#[tokio::test]
async fn webhooks_are_off_unless_the_operator_turns_them_on() {
    let server = Server::start().await;
    let session = open_duel(&server).await;
    let wanted = json!({"url": "https://example.org/", "events": ["session.changed"]});
    let order = server
        .post(&session.at("/webhooks"), wanted)
        .bearer_auth(&session.owner);
    let problem = refused(order, 403, "webhook-refused").await;
    assert!(text(&problem, "detail").contains("--webhooks"));
    let root = server.get("/v1").send().await.unwrap();
    let root = expect(root, StatusCode::OK).await;
    assert_eq!(root["limits"]["session_webhooks"], 0);
}

#[tokio::test(flavor = "multi_thread")] // the receiver answers while the server stops
async fn what_was_not_delivered_when_the_server_stopped_is_delivered_by_the_next_one() {
    let receiver = Receiver::start().await;
    receiver.answer("503 Service Unavailable");
    let (_folder, store) = embedded();
    let mut config = calling(&[&receiver]);
    config.store = store;
    let server = Server::with(config.clone()).await;
    let session = open_duel(&server).await;
    register(&session, &receiver.url(), &["session.changed"]).await;
    session.claim(1).await;
    let before = receiver.wait(1).await;
    drop(session);
    drop(server);
    receiver.answer("200 OK");
    let seen = receiver.got().len();
    let _server = Server::with(config).await;
    let after = receiver.wait(seen + 1).await;
    assert_eq!(
        after.last().unwrap().header("webhook-id"),
        before[0].header("webhook-id")
    );
}

#[tokio::test(flavor = "multi_thread")] // the receiver answers while the server stops
async fn a_call_that_has_begun_when_the_server_stops_is_finished_and_written_down() {
    let receiver = Receiver::start().await;
    receiver.answer("later 204 No Content");
    let (_folder, store) = embedded();
    let mut config = calling(&[&receiver]);
    config.store = store;
    let server = Server::with(config.clone()).await;
    let session = open_duel(&server).await;
    let webhook = register(&session, &receiver.url(), &["session.changed"]).await;
    session.claim(1).await;
    receiver.wait(1).await;
    let (path, owner) = (session.path.clone(), session.owner.clone());
    drop(server);
    let server = Server::with(config).await;
    let at = format!("{path}/webhooks/{}", text(&webhook, "id"));
    let read = server.get(&at).bearer_auth(&owner).send().await.unwrap();
    let read = expect(read, StatusCode::OK).await;
    assert_eq!(read["deliveries"][0]["outcome"], "delivered", "{read:#}");
}

/// Two nodes over one store, without HTTP in between.
async fn two_nodes(receiver: &Receiver) -> [Service; 2] {
    let store = store::open("memory").await.unwrap();
    let library = Arc::new(Library::read(&fixtures()).unwrap().0);
    [(); 2].map(|()| {
        let policy = Policy {
            allow: vec![receiver.origin().parse().unwrap()],
            ports: vec![Ports::only(443)],
        };
        let schedule = Schedule {
            lease_ms: 400,
            ..Schedule::default()
        };
        let deliverer = Deliverer::new(WebhookSender::unencrypted(policy), schedule, None).unwrap();
        let metrics = Arc::new(Metrics::default());
        let lifetime = Duration::from_secs(600);
        Service::new(store.clone(), library.clone(), metrics, lifetime)
            .delivering_webhooks(deliverer)
    })
}

#[tokio::test]
async fn what_a_node_has_left_another_one_delivers_and_never_both_at_once() {
    let receiver = Receiver::start().await;
    let nodes = two_nodes(&receiver).await;
    let order = SessionOrder {
        reserved: Vec::new(),
        host: None,
        labels: Default::default(),
        ruleset: nodes[0].library().game(TOLL).unwrap(),
        options: Default::default(),
        seats: vec![Seat::Open, Seat::Open],
        visibility: Visibility::Public,
        seed: None,
        terms: Terms::default(),
        waits: Default::default(),
        before: None,
    };
    let creation = nodes[0].create(&order, None).await.unwrap();
    let (id, owner): (_, Token) = (creation.live.id.clone(), creation.owner);
    let webhook = WebhookOrder {
        format: Default::default(),
        url: receiver.url(),
        events: vec![WebhookEvent::Changed],
    };
    let name = nodes[0].webhook_id().unwrap();
    nodes[0]
        .add_webhook(Call::once(&id, Some(&owner)), &name, &webhook)
        .await
        .unwrap();
    let claim = Claim {
        player: None,
        reserve_for: None,
        profile: Default::default(),
        seat: 1,
        name: None,
        bot: None,
        renew: false,
        invite: None,
        secret: None,
        entropy: None,
    };
    nodes[0].claim(Call::once(&id, None), &claim).await.unwrap();
    // The first node has it to itself, and does nothing.
    nodes[1].deliver(&id).await.unwrap();
    assert!(receiver.got().is_empty());
    tokio::time::sleep(Duration::from_millis(500)).await;
    let mut watch = nodes[1].watch(Duty::Webhooks).unwrap();
    let found = watch.next().await.unwrap();
    assert_eq!(*found.session, *id);
    let (one, other) = tokio::join!(nodes[1].deliver(&id), nodes[0].deliver(&id));
    one.unwrap();
    other.unwrap();
    assert_eq!(told(&receiver.got()), [("session.changed".to_owned(), 2)]);
    let live = nodes[0].load(&id).await.unwrap();
    assert_eq!(live.status.webhooks.as_ref().unwrap().due_at_ms(), None);
    assert_eq!(live.version(), 2, "a delivery is no change of the game");
}

#[tokio::test]
async fn the_example_receiver_believes_what_is_signed() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let origin = format!("http://127.0.0.1:{port}");
    let mut config = calling(&[]);
    config.webhook_allow = vec![origin.parse().unwrap()];
    let server = Server::with(config).await;
    let session = open_duel(&server).await;
    let webhook = register(&session, &origin, &["session.changed", "decision.owed"]).await;
    let receiver = Command::new("python3")
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/examples/webhook_receiver.py"
        ))
        .arg(port.to_string())
        .env("WEBHOOK_SECRET", text(&webhook, "secret"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("this test needs python3");
    let mut receiver = Ended(receiver);
    let mut lines = BufReader::new(receiver.0.stdout.take().unwrap()).lines();
    let mut line = move || lines.next().unwrap().unwrap();
    assert_eq!(line(), "listening");
    let forged = reqwest::Client::new()
        .post(&origin)
        .header("webhook-timestamp", "1")
        .body("{}");
    assert_eq!(
        forged.send().await.unwrap().status(),
        StatusCode::UNAUTHORIZED
    );
    session.claim(1).await;
    session.claim(2).await;
    assert_eq!(
        [line(), line(), line()],
        [
            "session.changed 2",
            "session.changed 3",
            "decision.owed 3 1"
        ]
    );
}

/// A process that ends with the test.
struct Ended(std::process::Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn the_trace_of_a_request_is_passed_on() {
    let receiver = Receiver::start().await;
    let server = Server::with(calling(&[&receiver])).await;
    let session = open_duel(&server).await;
    register(&session, &receiver.url(), &["session.changed"]).await;
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let claim = server
        .put(&session.at("/seats/1"), json!({}))
        .header("traceparent", trace);
    claim.send().await.unwrap();
    session.claim(2).await;
    let got = receiver.wait(2).await;
    // A build with spans of its own passes on one of those, of the same trace.
    assert_eq!(got[0].header("traceparent")[..35], trace[..35]);
    assert!(!got[1].headers.contains_key("traceparent") || cfg!(feature = "otel"));
}

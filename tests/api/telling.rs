//! What is told outside: to the holder of an operator key, once a day, and to browsers that are not open.

use std::process::{Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use wyrmgate::config::Config;

use super::players::Club;
use super::receiver::{Got, Receiver};
use super::support::{Server, config, expect, refused, text};

/// The session and the event of each message.
fn told(got: &[Got]) -> Vec<(String, Value)> {
    let of = |got: &Got| (got.of(), got.json()["data"]["session"].clone());
    got.iter().map(of).collect()
}

#[tokio::test]
async fn the_holder_of_a_key_is_told_of_all_sessions_that_the_key_created() {
    let (all, tagged) = (Receiver::start().await, Receiver::start().await);
    let allowed = [&all, &tagged].map(|receiver| receiver.origin().parse().unwrap());
    let calling = Config {
        webhooks: true,
        webhook_allow: allowed.to_vec(),
        ..super::support::config()
    };
    let club = Club::with(calling).await;
    let server = &club.server;
    let hook = |key: usize, body: Value| {
        let put = server.put("/v1/keys/me/webhook", body);
        put.bearer_auth(&club.keys[key])
    };
    let create = async |key: usize, tags: Value| {
        let wanted = json!({"game": "toll", "seats": ["open", "open"], "visibility": "private", "labels": {"tags": tags}});
        let create = server.post("/v1/sessions", wanted);
        let created = create.bearer_auth(&club.keys[key]).send().await.unwrap();
        expect(created, StatusCode::CREATED).await
    };
    let finish = async |created: &Value| {
        let path = format!("/v1/sessions/{}", text(created, "id"));
        let mut tokens = Vec::new();
        for seat in [1, 2] {
            let body = json!({"invite_code": created["invite_code"]});
            let claim = server.put(&format!("{path}/seats/{seat}"), body);
            let claimed = expect(claim.send().await.unwrap(), StatusCode::CREATED).await;
            tokens.push(text(&claimed, "token"));
        }
        let resign = server.post(&format!("{path}/resignations"), json!({}));
        let resigned = resign.bearer_auth(&tokens[0]).send().await.unwrap();
        expect(resigned, StatusCode::OK).await;
    };
    let old = create(0, json!([])).await;
    let events = json!(["decision.owed", "session.finished"]);
    let wanted = json!({"url": all.url(), "events": events});
    let set = hook(0, wanted.clone()).send().await.unwrap();
    let set = expect(set, StatusCode::OK).await;
    assert_eq!(set["tags"], json!([]));
    // Another key is told of nothing but its own, with the tag that it names.
    let of_tag = json!({"url": tagged.url(), "events": ["session.finished"], "tags": ["cup"], "format": "slack"});
    let kept = expect(hook(1, of_tag).send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(kept["tags"], json!(["cup"]));
    let [new, cup, other] = [
        create(0, json!(["cup"])).await,
        create(1, json!(["cup", "open"])).await,
        create(1, json!(["open"])).await,
    ];
    for created in [&old, &new, &cup, &other] {
        finish(created).await;
    }
    let got = all.wait(4).await;
    let id = |created: &Value| created["id"].clone();
    let mut found = told(&got);
    found.sort_by_key(|(event, session)| (*session != id(&old), event.clone()));
    let expected = [&old, &old, &new, &new].map(id);
    let events = ["decision.owed", "session.finished"];
    for (at, (event, session)) in found.iter().enumerate() {
        assert_eq!((event.as_str(), session), (events[at % 2], &expected[at]));
    }
    let secret = text(&set, "secret");
    assert!(got.iter().all(|got| got.is_signed_with(&secret)));
    // All seats matter to the holder of a key.
    let owed = got.iter().find(|got| got.of() == "decision.owed").unwrap();
    assert_eq!(owed.json()["data"]["seats"], json!([1]));
    let got = tagged.wait(1).await;
    assert_eq!(got[0].json()["text"], "Toll: the game is over.");
    // The owner of a session does not see it, and after its end nothing more is told.
    let hooks = server.get(&format!("/v1/sessions/{}/webhooks", text(&new, "id")));
    let hooks = hooks
        .bearer_auth(text(&new, "owner_token"))
        .send()
        .await
        .unwrap();
    assert_eq!(expect(hooks, StatusCode::OK).await["items"], json!([]));
    let last = create(0, json!([])).await;
    let gone = server.request(Method::DELETE, "/v1/keys/me/webhook");
    let gone = gone.bearer_auth(&club.keys[0]).send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    finish(&last).await;
    finish(&create(0, json!([])).await).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!((all.got().len(), tagged.got().len()), (4, 1));
    // It needs a key, an address that may be called, and tags that sessions can have.
    let open = server.put("/v1/keys/me/webhook", wanted);
    refused(open, 401, "unauthenticated").await;
    let inside = json!({"url": "http://10.0.0.1/", "events": ["session.finished"]});
    refused(hook(2, inside), 403, "webhook-refused").await;
    let wrong = json!({"url": all.url(), "events": ["session.finished"], "tags": ["two words"]});
    refused(hook(0, wrong), 422, "unprocessable").await;
}

fn calling(receivers: &[&Receiver]) -> Config {
    let allowed = receivers
        .iter()
        .map(|receiver| receiver.origin().parse().unwrap());
    Config {
        webhooks: true,
        webhook_allow: allowed.collect(),
        pages: wyrmgate::config::Pages {
            public_url: Some("https://play.example.org".parse().unwrap()),
            ..Default::default()
        },
        ..config()
    }
}

async fn guest(server: &Server) -> String {
    let created = server.post("/v1/players", json!({}));
    text(
        &expect(created.send().await.unwrap(), StatusCode::CREATED).await,
        "token",
    )
}

/// A session in which this guest owes the first decision. Returns its id.
async fn wanted(server: &Server, token: &str) -> String {
    let session = server
        .create(json!({"game": "toll", "seats": ["open", "open"]}))
        .await;
    session.claim(2).await;
    let claim = server
        .put(&session.at("/seats/1"), json!({}))
        .bearer_auth(token);
    expect(claim.send().await.unwrap(), StatusCode::CREATED).await;
    text(&session.created, "id")
}

#[tokio::test]
async fn a_digest_says_at_most_once_a_day_how_many_games_wait() {
    let (channel, program) = (Receiver::start().await, Receiver::start().await);
    let server = Server::with(calling(&[&channel, &program])).await;
    let [ann, bob, idle] = [
        guest(&server).await,
        guest(&server).await,
        guest(&server).await,
    ];
    let games = [wanted(&server, &ann).await, wanted(&server, &ann).await];
    let game = wanted(&server, &bob).await;
    let hook = async |token: &str, body: Value| {
        let put = server
            .put("/v1/players/me/webhook", body)
            .bearer_auth(token);
        expect(put.send().await.unwrap(), StatusCode::OK).await
    };
    let daily = |of: &Receiver, format: &str| json!({"url": of.url(), "events": [], "format": format, "digest": "daily"});
    let set = hook(&bob, daily(&program, "json")).await;
    assert_eq!(set["digest"], "daily");
    hook(&ann, daily(&channel, "slack")).await;
    hook(&idle, daily(&channel, "slack")).await;
    let got = channel.wait(1).await;
    let said = text(&got[0].json(), "text");
    let (first, links) = said.split_once(". ").unwrap();
    assert_eq!(first, "2 games wait for you");
    for game in games {
        assert!(
            links.contains(&format!("https://play.example.org/#/t/{game}")),
            "{said}"
        );
    }
    let got = program.wait(1).await;
    assert!(got[0].is_signed_with(&text(&set, "secret")));
    let waiting = got[0].json();
    assert_eq!(waiting["type"], "games.waiting");
    let sessions = json!([{"session": game, "game": "toll", "url": format!("https://play.example.org/v1/sessions/{game}")}]);
    assert_eq!(waiting["data"]["sessions"], sessions);
    // To set it again brings no second one on the same day, and nothing is said to somebody for whom nothing waits.
    hook(&ann, daily(&channel, "discord")).await;
    let never = json!({"url": program.url(), "events": ["decision.owed"]});
    assert_eq!(hook(&bob, never).await["digest"], "never");
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!((channel.got().len(), program.got().len()), (1, 1));
    let none = json!({"url": program.url(), "events": []});
    let none = server.put("/v1/players/me/webhook", none).bearer_auth(&bob);
    refused(none, 422, "unprocessable").await;
}

/// What a browser does with its keys, by the cryptography of Node: it makes some, or opens a message and checks who sent it.
const BROWSER: &str = r#"
const { webcrypto: { subtle }, randomBytes } = require("node:crypto");
const url = (bytes) => Buffer.from(bytes).toString("base64url");
const curve = { name: "ECDH", namedCurve: "P-256" };
const hkdf = async (salt, secret, info, bytes) => {
  const key = await subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  return subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, bytes * 8);
};
const make = async () => {
  const { publicKey, privateKey } = await subtle.generateKey(curve, true, ["deriveBits"]);
  return { p256dh: url(await subtle.exportKey("raw", publicKey)), auth: url(randomBytes(16)), jwk: await subtle.exportKey("jwk", privateKey) };
};
const open = async ({ p256dh, auth, jwk, body, authorization }) => {
  const bytes = Buffer.from(body, "base64");
  const [salt, length] = [bytes.subarray(0, 16), bytes[20]];
  const [sender, sealed] = [bytes.subarray(21, 21 + length), bytes.subarray(21 + length)];
  const own = await subtle.importKey("jwk", jwk, curve, false, ["deriveBits"]);
  const shared = await subtle.deriveBits({ name: "ECDH", public: await subtle.importKey("raw", sender, curve, false, []) }, own, 256);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), Buffer.from(p256dh, "base64url"), sender]);
  const secret = await hkdf(Buffer.from(auth, "base64url"), shared, info, 32);
  const key = await hkdf(salt, secret, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const iv = await hkdf(salt, secret, Buffer.from("Content-Encoding: nonce\0"), 12);
  const aes = await subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
  const text = Buffer.from(await subtle.decrypt({ name: "AES-GCM", iv }, aes, sealed)).toString();
  const [, token, server] = authorization.match(/^vapid t=(\S+), k=(\S+)$/);
  const [head, claims, signature] = token.split(".");
  const of = await subtle.importKey("raw", Buffer.from(server, "base64url"), { name: "ECDSA", namedCurve: "P-256" }, false, ["verify"]);
  const isSigned = await subtle.verify({ name: "ECDSA", hash: "SHA-256" }, of, Buffer.from(signature, "base64url"), Buffer.from(`${head}.${claims}`));
  const read = (part) => JSON.parse(Buffer.from(part, "base64url"));
  return { message: JSON.parse(text.slice(0, text.lastIndexOf("\x02"))), head: read(head), claims: read(claims), isSigned, server };
};
const asked = JSON.parse(require("node:fs").readFileSync(0));
(asked.body ? open(asked) : make()).then((done) => console.log(JSON.stringify(done)));
"#;

fn browser(asked: &Value) -> Value {
    use std::io::Write;
    let mut node = Command::new("node")
        .args(["-e", BROWSER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = node.stdin.take().unwrap();
    input.write_all(asked.to_string().as_bytes()).unwrap();
    drop(input);
    serde_json::from_slice(&node.wait_with_output().unwrap().stdout).unwrap()
}

#[tokio::test]
async fn a_closed_browser_is_told_in_a_message_that_only_it_can_read() {
    let service = Receiver::start().await;
    service.answer("201 Created");
    let server = Server::with(calling(&[&service])).await;
    let ann = guest(&server).await;
    let public = server.get("/v1/push-key").send().await.unwrap();
    let public = text(&expect(public, StatusCode::OK).await, "public_key");
    let keys = browser(&json!({}));
    let endpoint = format!("{}/send/abc", service.origin());
    let put = |endpoint: &str, keys: &Value| -> RequestBuilder {
        let keys = json!({"p256dh": keys["p256dh"], "auth": keys["auth"]});
        let body = json!({"endpoint": endpoint, "keys": keys});
        server.put("/v1/players/me/push", body).bearer_auth(&ann)
    };
    // One game is there before the browser, another one comes later.
    let first = wanted(&server, &ann).await;
    let done = put(&endpoint, &keys).send().await.unwrap();
    assert_eq!(done.status(), StatusCode::NO_CONTENT);
    let second = wanted(&server, &ann).await;
    let got = service.wait(1).await;
    assert_eq!(got[0].line, "POST /send/abc HTTP/1.1");
    assert_eq!(got[0].header("content-encoding"), "aes128gcm");
    assert_eq!(got[0].header("ttl"), "86400");
    let mut asked = keys.clone();
    asked["body"] = json!(BASE64.encode(&got[0].bytes));
    asked["authorization"] = json!(got[0].header("authorization"));
    let opened = browser(&asked);
    let message = json!({"type": "decision.owed", "session": second, "title": "Toll"});
    assert_eq!(opened["message"], message);
    assert_eq!(
        (&opened["isSigned"], &opened["server"]),
        (&json!(true), &json!(public))
    );
    assert_eq!(opened["head"]["alg"], "ES256");
    assert_eq!(opened["claims"]["aud"], service.origin());
    assert_eq!(opened["claims"]["sub"], "https://play.example.org");
    // The service that carries it learns nothing of the game.
    let carried = String::from_utf8_lossy(&got[0].bytes).into_owned();
    assert!(!carried.contains("Toll") && !carried.contains(&second));
    // The browser is gone: it is called once more, and never again.
    service.answer("404 Not Found");
    let resign = server.post(&format!("/v1/sessions/{first}/resignations"), json!({}));
    expect(
        resign.bearer_auth(&ann).send().await.unwrap(),
        StatusCode::OK,
    )
    .await;
    service.wait(2).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    service.answer("201 Created");
    let resign = server.post(&format!("/v1/sessions/{second}/resignations"), json!({}));
    expect(
        resign.bearer_auth(&ann).send().await.unwrap(),
        StatusCode::OK,
    )
    .await;
    wanted(&server, &ann).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(service.got().len(), 2);
    // What cannot be called, or sealed for, is refused; and a browser can be removed.
    refused(put("http://10.0.0.1/send", &keys), 403, "webhook-refused").await;
    let wrong = json!({"p256dh": keys["p256dh"].as_str().unwrap().replace('B', "A"), "auth": "x".repeat(22)});
    refused(put(&endpoint, &wrong), 422, "unprocessable").await;
    put(&endpoint, &keys).send().await.unwrap();
    let remove = server.request(
        Method::DELETE,
        &format!("/v1/players/me/push?endpoint={endpoint}"),
    );
    let removed = remove.bearer_auth(&ann).send().await.unwrap();
    assert_eq!(removed.status(), StatusCode::NO_CONTENT);
    wanted(&server, &ann).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(service.got().len(), 2);
}

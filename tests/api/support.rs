//! The application itself on a free port, and a client that speaks HTTP to it.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::path::PathBuf;
use std::time::Duration;

use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use wyrmgate::api;
use wyrmgate::config::Config;

#[path = "conform.rs"]
mod conform;

pub use conform::conforms;

pub const TRADE: &str = "trade";
pub const TOLL: &str = "toll";
/// Two take turns, with a declared default; after each turn the other one may decide something that it may decline.
pub const WINK: &str = "wink";

/// Our own small games, so that a change of a shipped one breaks no test of the service.
pub fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/rules")
}

pub fn shipped() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("rules")
}

pub fn config() -> Config {
    Config {
        listen: "127.0.0.1:0".into(),
        rules: fixtures(),
        store: "memory".into(),
        workers: 2,
        ..Config::default()
    }
}

/// Starts the application. A server that was just stopped in this process may hold its file a moment longer.
async fn start(config: Config) -> api::RunningService {
    for _ in 0..50 {
        match api::start(config.clone()).await {
            Err(api::StartError::Store(_)) => tokio::time::sleep(Duration::from_millis(100)).await,
            started => return started.unwrap(),
        }
    }
    panic!("the store cannot be opened");
}

/// A running server; stops when dropped.
pub struct Server {
    pub url: String,
    client: reqwest::Client,
    stopper: api::Stopper,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    pub async fn start() -> Server {
        Server::with(config()).await
    }

    pub async fn with(config: Config) -> Server {
        let (tell, told) = tokio::sync::oneshot::channel();
        let thread = std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let running = start(config).await;
                assert!(running.broken.is_empty(), "{:?}", running.broken);
                let _ = tell.send((running.address, running.stopper()));
                running.run().await.unwrap();
            });
        });
        let (address, stopper) = told.await.unwrap();
        Server {
            url: format!("http://{address}"),
            client: reqwest::Client::builder()
                .timeout(Duration::from_secs(20))
                .build()
                .unwrap(),
            stopper,
            thread: Some(thread),
        }
    }

    /// A request without a credential.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    pub fn post(&self, path: &str, body: Value) -> RequestBuilder {
        self.request(Method::POST, path).json(&body)
    }

    pub fn put(&self, path: &str, body: Value) -> RequestBuilder {
        self.request(Method::PUT, path).json(&body)
    }

    pub fn stopper(&self) -> api::Stopper {
        self.stopper.clone()
    }

    /// A session, created as asked.
    pub async fn create(&self, wanted: Value) -> Session<'_> {
        let created = self.post("/v1/sessions", wanted).send().await.unwrap();
        let created = expect(created, StatusCode::CREATED).await;
        Session {
            server: self,
            path: format!("/v1/sessions/{}", text(&created, "id")),
            owner: text(&created, "owner_token"),
            created,
        }
    }

    /// A session for two in which both seats are taken, with their tokens.
    pub async fn duel(&self, game: &str) -> (Session<'_>, [String; 2]) {
        self.duel_of(json!({"game": game})).await
    }

    /// The same, of a game or a ruleset.
    pub async fn duel_of(&self, mut wanted: Value) -> (Session<'_>, [String; 2]) {
        wanted["seats"] = json!(["open", "open"]);
        let session = self.create(wanted).await;
        let first = session.claim(1).await;
        let second = session.claim(2).await;
        (session, [first, second])
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let stopper = self.stopper.clone();
        // The server has a thread of its own; ask it from another one, because this may be within a runtime.
        let stopping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .build()
                .unwrap();
            runtime.block_on(stopper.stop());
        });
        stopping.join().unwrap();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// A session on a server.
pub struct Session<'a> {
    pub server: &'a Server,
    pub path: String,
    pub owner: String,
    pub created: Value,
}

impl Session<'_> {
    pub fn at(&self, rest: &str) -> String {
        format!("{}{rest}", self.path)
    }

    /// Takes a seat; answers with its token.
    pub async fn claim(&self, seat: u8) -> String {
        let claimed = self
            .server
            .put(&self.at(&format!("/seats/{seat}")), json!({}));
        let claimed = expect(claimed.send().await.unwrap(), StatusCode::CREATED).await;
        text(&claimed, "token")
    }

    pub async fn get(&self, rest: &str, token: Option<&str>) -> Value {
        let response = self.ask(rest, token).send().await.unwrap();
        expect(response, StatusCode::OK).await
    }

    pub fn ask(&self, rest: &str, token: Option<&str>) -> RequestBuilder {
        bearing(self.server.get(&self.at(rest)), token)
    }

    pub fn order(&self, token: &str, body: Value) -> RequestBuilder {
        self.server
            .post(&self.at("/moves"), body)
            .bearer_auth(token)
    }

    pub async fn move_by(&self, token: &str, body: Value) -> Response {
        self.order(token, body).send().await.unwrap()
    }

    pub async fn view(&self, token: &str) -> Value {
        self.get("/view?include=actions", Some(token)).await
    }

    /// The ids of the choices this seat has.
    pub async fn choices(&self, token: &str) -> Vec<String> {
        let view = self.view(token).await;
        let decisions = view["decisions"].as_array().unwrap();
        let choices = decisions
            .iter()
            .flat_map(|d| d["choices"].as_array().unwrap());
        choices.map(|choice| text(choice, "id")).collect()
    }

    pub async fn version(&self) -> u64 {
        self.get("", None).await["version"].as_u64().unwrap()
    }

    /// Plays to the end; `pick` receives the number of choices and returns the one to take.
    pub async fn play_out(&self, tokens: &[String], pick: impl FnMut(usize) -> usize) -> Value {
        self.play_for(usize::MAX, tokens, pick).await
    }

    /// Plays until every seat has made at most this number of choices.
    pub async fn play_for(
        &self,
        rounds: usize,
        tokens: &[String],
        mut pick: impl FnMut(usize) -> usize,
    ) -> Value {
        let mut round = 0;
        loop {
            let session = self.get("", tokens.first().map(String::as_str)).await;
            if session["status"] == "finished" || round == rounds {
                return session;
            }
            round += 1;
            for token in tokens {
                let choices = self.choices(token).await;
                if choices.is_empty() {
                    continue;
                }
                let id = &choices[pick(choices.len())];
                let moved = self.move_by(token, json!({"id": id})).await;
                assert!(
                    moved.status().is_success(),
                    "{}",
                    moved.text().await.unwrap()
                );
            }
        }
    }
}

pub fn bearing(request: RequestBuilder, token: Option<&str>) -> RequestBuilder {
    match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    }
}

pub fn text(value: &Value, member: &str) -> String {
    let found = value[member].as_str();
    found
        .unwrap_or_else(|| panic!("no `{member}` in {value}"))
        .to_owned()
}

/// The JSON of an answer that must have this status.
pub async fn expect(response: Response, status: StatusCode) -> Value {
    let found = response.status();
    let path = response.url().path().to_owned();
    let body = response.text().await.unwrap();
    assert_eq!(found, status, "{body}");
    if body.is_empty() {
        return Value::Null;
    }
    let body = serde_json::from_str(&body).unwrap();
    conforms(&path, status.as_u16(), &body);
    body
}

/// A problem with this status and code, whole and in its form.
pub async fn refused(request: RequestBuilder, status: u16, code: &str) -> Value {
    let response = request.send().await.unwrap();
    let path = response.url().path().to_owned();
    let found = response.status().as_u16();
    let media_type = response.headers().get("content-type").cloned();
    let id = response.headers().get("x-request-id").cloned();
    let retry = response.headers().get("retry-after").is_some();
    let body = response.text().await.unwrap();
    assert_eq!(found, status, "{body}");
    assert_eq!(media_type.unwrap(), "application/problem+json");
    let problem: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(problem["code"], code, "{problem}");
    assert_eq!(problem["status"], status);
    assert_eq!(problem["type"], format!("/problems/{code}"));
    assert_eq!(problem["request_id"], id.unwrap().to_str().unwrap());
    assert_eq!(problem["retry_after"].is_u64(), retry);
    if !matches!(code, "method-not-allowed") {
        conforms(&path, status, &problem);
    }
    problem
}

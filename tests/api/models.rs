//! Language models at the table (Model Context Protocol): whole games by tools alone, and what each model may see.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use wyrmgate::session::{Kind, Token};

use super::support::{Server, config, shipped, text};

/// A model with a session of its own.
struct Model {
    client: Client,
    url: String,
    session: Option<String>,
    calls: u64,
    /// Sent with every request.
    headers: Vec<(&'static str, String)>,
}

impl Model {
    async fn at(server: &Server) -> Model {
        Model::with(server, Vec::new()).await
    }

    async fn with(server: &Server, headers: Vec<(&'static str, String)>) -> Model {
        let mut model = Model {
            headers,
            client: Client::new(),
            url: format!("{}/mcp", server.url),
            session: None,
            calls: 0,
        };
        let begun = model.ask("initialize", initialize()).await;
        assert_eq!(begun["serverInfo"]["name"], "wyrmgate");
        model
            .send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        model
    }

    async fn send(&self, message: Value) -> reqwest::Response {
        let mut request = self.client.post(&self.url).json(&message);
        request = request.header("accept", "application/json, text/event-stream");
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        request.send().await.unwrap()
    }

    /// The result of a request.
    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let message =
            json!({"jsonrpc": "2.0", "id": self.calls, "method": method, "params": params});
        let response = self.send(message).await;
        assert_eq!(response.status(), StatusCode::OK);
        let id = response.headers().get("mcp-session-id").cloned();
        self.session = id
            .map(|id| id.to_str().unwrap().to_owned())
            .or(self.session.take());
        let body = response.text().await.unwrap();
        let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
        let mut messages = data.filter_map(|data| serde_json::from_str::<Value>(data).ok());
        let answer = messages.find(|message| message["id"] == self.calls);
        answer.unwrap_or_else(|| panic!("no answer in {body}"))["result"].clone()
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Result<String, String> {
        let result = self
            .ask("tools/call", json!({"name": tool, "arguments": arguments}))
            .await;
        told(&result)
    }
}

fn initialize() -> Value {
    json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

fn told(result: &Value) -> Result<String, String> {
    let text = result["content"][0]["text"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(!text.contains("wg_"), "a token: {text}");
    match result["isError"] == true {
        true => Err(text),
        false => Ok(text),
    }
}

async fn shipped_games() -> Server {
    let mut config = config();
    config.rules = shipped();
    Server::with(config).await
}

/// The id of a new table.
fn table(opened: &str) -> String {
    opened.split(' ').nth(1).unwrap().to_owned()
}

fn has_choices(text: &str) -> bool {
    text.lines().any(|line| line.ends_with(".N"))
}

fn count(text: &str) -> usize {
    let head = text.lines().find(|line| line.ends_with(".N")).unwrap();
    head.split(' ').next().unwrap().parse().unwrap()
}

/// The dragons in the hand that a text shows, each of which exists once.
fn dragons(text: &str) -> Vec<String> {
    let hand = text
        .lines()
        .find(|line| line.contains("Hand") && line.contains('['));
    let cards = hand
        .unwrap()
        .split('[')
        .filter(|card| card.starts_with("Dragon"));
    let dragons: Vec<String> = cards
        .map(|card| card.trim_end_matches(['*', ']', ' ']).to_owned())
        .collect();
    assert!(!dragons.is_empty(), "{text}");
    dragons
}

#[tokio::test]
async fn a_model_plays_whole_games_of_all_five_titles() {
    let server = shipped_games().await;
    let mut model = Model::at(&server).await;
    let games = model.call("games", json!({})).await.unwrap();
    assert!(games.lines().count() > 20, "all games: {games}");
    for game in [
        "way-of-the-dragon",
        "magic-dragon",
        "mount-drago",
        "drakon",
        "sneaky-dragons",
    ] {
        assert!(games.contains(game), "{games}");
        let opened = model
            .call("new_table", json!({"game": game, "level": "random"}))
            .await
            .unwrap();
        let table = table(&opened);
        let mut seen = model
            .call("join", json!({"table": table, "name": "model"}))
            .await
            .unwrap();
        let mut turns: usize = 0;
        loop {
            assert!(seen.chars().count() < 8_000, "{seen}");
            if has_choices(&seen) {
                let choice = (turns * 7 % count(&seen)).to_string();
                seen = model.call("move", json!({"choice": choice})).await.unwrap();
            } else {
                let result = model.call("result", json!({})).await.unwrap();
                if result.contains("\"finished\"") {
                    assert!(result.contains("winners"), "{result}");
                    break;
                }
                seen = model.call("wait", json!({"seconds": 5})).await.unwrap();
            }
            turns += 1;
            assert!(turns < 3_000, "{game} does not end: {seen}");
        }
    }
}

#[tokio::test]
async fn two_models_in_one_game_see_only_their_own_hands() {
    let server = shipped_games().await;
    let (mut first, mut second) = (Model::at(&server).await, Model::at(&server).await);
    let opened = first
        .call(
            "new_table",
            json!({"game": "magic-dragon", "seats": 2, "bots": 0}),
        )
        .await
        .unwrap();
    let table = table(&opened);
    first.call("join", json!({"table": table})).await.unwrap();
    second.call("join", json!({"table": table})).await.unwrap();
    let own = first.call("look", json!({})).await.unwrap();
    let theirs = second.call("look", json!({})).await.unwrap();
    for card in dragons(&theirs) {
        assert!(!own.contains(&card), "{card} in {own}");
    }
    for card in dragons(&own) {
        assert!(!theirs.contains(&card), "{card} in {theirs}");
    }
    // Nobody can act for the other seat.
    let refused = second
        .call("look", json!({"table": table, "seat": 1}))
        .await
        .unwrap();
    assert!(
        !refused.contains("(you)") && !has_choices(&refused),
        "{refused}"
    );
    let refused = second
        .call("move", json!({"table": table, "seat": 1, "choice": "0"}))
        .await
        .unwrap_err();
    assert!(refused.contains("take one with `join`"), "{refused}");
    // Waiting ends when the other has moved.
    let (waits, moves) = match has_choices(&own) {
        true => (&mut second, &mut first),
        false => (&mut first, &mut second),
    };
    let waiting = waits.call("wait", json!({"seconds": 20}));
    let moving = async {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        moves.call("move", json!({"choice": "0"})).await.unwrap();
    };
    let (waited, ()) = tokio::join!(waiting, moving);
    let told = waited.unwrap();
    assert!(
        told.to_lowercase().contains("seat"),
        "what the other did: {told}"
    );
}

#[tokio::test]
async fn refusals_are_told_with_what_to_do() {
    let server = shipped_games().await;
    let mut model = Model::at(&server).await;
    let mut refused = async |tool, arguments| model.call(tool, arguments).await.unwrap_err();
    assert!(
        refused("move", json!({"choice": "0"}))
            .await
            .contains("`join`")
    );
    assert!(refused("join", json!({})).await.contains("needs `table`"));
    assert!(
        refused("look", json!({"tabel": "x"}))
            .await
            .contains("no parameter `tabel`; it has `table`")
    );
    let unknown = refused("new_table", json!({"game": "ches"})).await;
    assert!(unknown.contains("did you mean `chess`?"), "{unknown}");
    let opened = model
        .call("new_table", json!({"game": "tic-tac-toe"}))
        .await
        .unwrap();
    model
        .call("join", json!({"table": table(&opened)}))
        .await
        .unwrap();
    let mut refused = async |choice| {
        model
            .call("move", json!({"choice": choice}))
            .await
            .unwrap_err()
    };
    assert!(refused("Square").await.contains("several choices fit"));
    assert!(
        refused("castle")
            .await
            .contains("no choice contains `castle`")
    );
    let stale = refused("1.1.0").await;
    assert!(
        stale.contains("stale-version") && has_choices(&stale),
        "{stale}"
    );
    assert!(
        model
            .call("move", json!({"choice": "square 2 2"}))
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn rules_and_pictures_are_resources_and_there_are_two_prompts() {
    let server = shipped_games().await;
    let mut model = Model::at(&server).await;
    let tools = model.ask("tools/list", json!({})).await;
    let names: Vec<&str> = tools["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "games",
            "rules",
            "new_table",
            "join",
            "look",
            "move",
            "wait",
            "result"
        ]
    );
    let listed = model.ask("resources/list", json!({})).await;
    let uris = listed["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of["uri"].as_str().unwrap());
    assert!(
        uris.clone()
            .any(|uri| uri == "wyrmgate://games/drakon/rules")
    );
    let templates = model.ask("resources/templates/list", json!({})).await;
    assert_eq!(templates["resourceTemplates"].as_array().unwrap().len(), 4);
    let clause = model
        .ask(
            "resources/read",
            json!({"uri": "wyrmgate://games/drakon/clauses/DKN-01"}),
        )
        .await;
    assert!(
        clause["contents"][0]["text"]
            .as_str()
            .unwrap()
            .starts_with("DKN-01 "),
        "{clause}"
    );
    let opened = model
        .call("new_table", json!({"game": "tic-tac-toe"}))
        .await
        .unwrap();
    model
        .call("join", json!({"table": table(&opened)}))
        .await
        .unwrap();
    let drawn = model
        .ask(
            "tools/call",
            json!({"name": "look", "arguments": {"picture": true}}),
        )
        .await;
    let picture = &drawn["content"][1];
    assert_eq!(picture["type"], "image");
    assert_eq!(picture["mimeType"], "image/png");
    let pixels = picture["data"].as_str().unwrap();
    assert!(pixels.starts_with("iVBORw0KGgo"), "{pixels}");
    for (name, media, member, begin) in [
        ("board.png", "image/png", "blob", pixels),
        ("board.svg", "image/svg+xml", "text", "<svg "),
    ] {
        let uri = format!("wyrmgate://tables/{}/{name}", table(&opened));
        let read = model.ask("resources/read", json!({"uri": uri})).await;
        let contents = &read["contents"][0];
        assert_eq!(contents["mimeType"], media);
        assert!(
            contents[member].as_str().unwrap().starts_with(begin),
            "{contents}"
        );
    }
    let prompts = model.ask("prompts/list", json!({})).await;
    assert_eq!(prompts["prompts"].as_array().unwrap().len(), 2);
    let prompt = model
        .ask(
            "prompts/get",
            json!({"name": "play", "arguments": {"game": "drakon"}}),
        )
        .await;
    assert!(
        prompt["messages"][0]["content"]["text"]
            .as_str()
            .unwrap()
            .contains("`drakon`")
    );
    let id = model.session.unwrap();
    let ended = model.client.delete(&model.url).header("mcp-session-id", id);
    let ended = ended.send().await.unwrap();
    assert_eq!(ended.status(), StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn every_way_to_accept_both_forms_is_understood_and_others_are_told_why() {
    let server = Server::start().await;
    let begin = |path: &str, accept: Option<&str>| {
        let message =
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize()});
        let request = server.post(path, message);
        match accept {
            Some(accept) => request.header("accept", accept),
            None => request,
        }
    };
    for accept in [
        None,
        Some("*/*"),
        Some("application/json, */*;q=0.1"),
        Some("Application/JSON;charset=utf-8,text/*"),
        Some("text/event-stream, application/*"),
    ] {
        for path in ["/mcp", "/mcp/"] {
            let status = begin(path, accept).send().await.unwrap().status();
            assert_eq!(status, StatusCode::OK, "{path} {accept:?}");
        }
    }
    for accept in ["application/json", "text/event-stream", "text/html"] {
        let refused = begin("/mcp", Some(accept)).send().await.unwrap();
        assert_eq!(refused.status(), StatusCode::NOT_ACCEPTABLE);
        let reason = refused.text().await.unwrap();
        assert!(reason.contains("`Accept` must allow both"), "{reason}");
    }
}

#[tokio::test]
async fn an_operator_can_switch_it_off_and_pages_need_permission() {
    let mut off = config();
    off.mcp = false;
    let server = Server::with(off).await;
    let asked = server.post("/mcp", json!({})).send().await.unwrap();
    assert_eq!(asked.status(), StatusCode::NOT_FOUND);
    let server = Server::start().await;
    let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize()});
    let from_page = server
        .post("/mcp", begin)
        .header("origin", "http://evil.example");
    let from_page = from_page.header("accept", "application/json, text/event-stream");
    assert_eq!(
        from_page.send().await.unwrap().status(),
        StatusCode::FORBIDDEN
    );
}

#[tokio::test]
async fn requests_that_follow_from_a_model_count_for_its_client_and_carry_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let key = Token::random(Kind::Key).unwrap();
    let entry = json!({"name": "lobby", "hash": serde_json::to_value(key.hash()).unwrap(), "scopes": ["create"]});
    std::fs::write(&file, json!({"keys": [entry]}).to_string()).unwrap();
    let mut config = config();
    // One for the session of the protocol, one for a table.
    config.rates = config.rates.with("create=2/h".parse().unwrap());
    config.proxies = 1;
    config.keys = Some(file);
    let server = Server::with(config).await;
    let open = json!({"game": "toll"});
    let forwarded = |last: u8| ("x-forwarded-for", format!("10.0.0.{last}"));
    let mut stranger = Model::with(&server, vec![forwarded(1)]).await;
    let refused = stranger.call("new_table", open.clone()).await.unwrap_err();
    assert!(refused.contains("an operator key is required"), "{refused}");
    for client in [2, 3] {
        let bearer = ("authorization", format!("Bearer {}", key.reveal()));
        let mut model = Model::with(&server, vec![forwarded(client), bearer]).await;
        model.call("new_table", open.clone()).await.unwrap();
        let refused = model.call("new_table", open.clone()).await.unwrap_err();
        assert!(refused.contains("rate-limited"), "{refused}");
    }
}

#[tokio::test]
async fn a_model_has_what_its_own_session_has_and_loses_it_with_its_seat() {
    let server = shipped_games().await;
    let (mut player, mut thief) = (Model::at(&server).await, Model::at(&server).await);
    let wanted = json!({"game": "magic-dragon", "seats": ["open", "open"]});
    let session = server.create(wanted).await;
    let table = text(&session.created, "id");
    let seat = json!({"table": table, "seat": 1});
    player.call("join", seat.clone()).await.unwrap();
    session.claim(2).await;
    let secrets = dragons(&player.call("look", json!({})).await.unwrap());
    let is_told = |told: &str| secrets.iter().any(|secret| told.contains(secret));
    // Without a seat there, whatever names the table, a model sees what everybody sees.
    let public = session.ask("/board.png?size=800", None).send().await;
    let public = BASE64_STANDARD.encode(public.unwrap().bytes().await.unwrap());
    for name in [
        table.clone(),
        format!("{table}%3Fseat=1"),
        format!("../sessions/{table}"),
        format!("{table}/view?x="),
    ] {
        for file in ["board.png", "board.svg"] {
            let uri = format!("wyrmgate://tables/{name}/{file}");
            let read = thief.ask("resources/read", json!({"uri": uri})).await;
            let drawn = &read["contents"][0];
            assert!(drawn["blob"].as_str().is_none_or(|drawn| drawn == public));
            assert!(!is_told(&drawn.to_string()), "{uri}");
        }
    }
    assert!(!is_told(&thief.call("look", seat.clone()).await.unwrap()));
    // The id of another session cannot be guessed.
    let call = json!({"name": "look", "arguments": {}});
    let call = json!({"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": call});
    for stolen in ["", "1", "00000000-0000-4000-8000-000000000000"] {
        thief.session = Some(stolen.to_owned());
        let answer = thief.send(call.clone()).await;
        assert!(answer.status().is_client_error(), "{}", answer.status());
        assert!(!is_told(&answer.text().await.unwrap()));
    }
    // The owner gives the seat to somebody else: the model keeps nothing of it.
    let freed = server.request(Method::DELETE, &session.at("/seats/1"));
    let freed = freed.bearer_auth(&session.owner).send().await.unwrap();
    assert_eq!(freed.status(), StatusCode::NO_CONTENT);
    for taken in [false, true] {
        if taken {
            session.claim(1).await;
        }
        for (tool, arguments) in [
            ("look", seat.clone()),
            ("look", json!({"picture": true})),
            ("move", json!({"choice": "1.1.0"})),
            ("wait", json!({"seconds": 1})),
        ] {
            let refused = player.call(tool, arguments).await.unwrap_err();
            assert!(refused.contains("unauthenticated"), "{tool}: {refused}");
            assert!(!is_told(&refused), "{tool}: {refused}");
        }
    }
    // A session that has ended is gone with everything that it had.
    let id = player.session.clone().unwrap();
    let ended = player.client.delete(&player.url);
    ended.header("mcp-session-id", id).send().await.unwrap();
    assert_eq!(player.send(call).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn opening_sessions_of_the_protocol_is_limited_and_so_is_what_they_ask() {
    let mut config = config();
    for rate in ["create=2/h", "list=6/h"] {
        config.rates = config.rates.with(rate.parse().unwrap());
    }
    let server = Server::with(config).await;
    let mut first = Model::at(&server).await;
    Model::at(&server).await;
    let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize()});
    first.session = None;
    assert_eq!(
        first.send(begin).await.status(),
        StatusCode::TOO_MANY_REQUESTS
    );
    first.session = Some("none".into());
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
    let mut refused = 0;
    for _ in 0..6 {
        let status = first.send(ping.clone()).await.status();
        refused += u32::from(status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused >= 2, "{refused}");
}

/// A model whose client runs the program.
struct Piped {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Piped {
    fn start() -> Piped {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wyrmgate"))
            .args(["mcp", "--rules"])
            .arg(shipped())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Piped { child, lines }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        self.send(&message);
        let line = self.lines.next().unwrap().unwrap();
        serde_json::from_str::<Value>(&line).unwrap()["result"].clone()
    }

    fn send(&mut self, message: &Value) {
        let input = self.child.stdin.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
    }
}

#[test]
fn the_program_serves_a_model_over_its_standard_streams() {
    let mut model = Piped::start();
    model.ask("initialize", initialize());
    model.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let mut call = |tool, arguments| {
        told(&model.ask("tools/call", json!({"name": tool, "arguments": arguments})))
    };
    let opened = call(
        "new_table",
        json!({"game": "tic-tac-toe", "level": "random"}),
    )
    .unwrap();
    let mut seen = call("join", json!({"table": table(&opened)})).unwrap();
    while has_choices(&seen) {
        seen = call("move", json!({"choice": "0"})).unwrap();
    }
    assert!(call("result", json!({})).unwrap().contains("\"finished\""));
    // The program ends with its input.
    drop(model.child.stdin.take());
    assert!(model.child.wait().unwrap().success());
}

//! Language models at the table (Model Context Protocol): whole games by tools alone, and what each model may see.

#![cfg(test)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use wyrmgate::api::{Stopper, start};
use wyrmgate::config::Config;
use wyrmgate::session::{Token, TokenRights};

/// A server, and the program that lets models play there.
struct House {
    url: String,
    mcp: String,
    program: Child,
    client: Client,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
}

impl House {
    async fn open(config: Config) -> House {
        let (tell, told) = tokio::sync::oneshot::channel();
        let thread = std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let running = start(config).await.unwrap();
                let _ = tell.send((running.address, running.stopper()));
                running.run().await.unwrap();
            });
        });
        let (address, stopper) = told.await.unwrap();
        let url = format!("http://{address}");
        let mut program = program(&url)
            .args(["--listen", "127.0.0.1:0", "--proxies", "1"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut said = BufReader::new(program.stdout.take().unwrap());
        said.read_line(&mut line).unwrap();
        House {
            url,
            mcp: line
                .trim()
                .strip_prefix("listening on ")
                .unwrap()
                .to_owned(),
            program,
            client: Client::new(),
            stopper,
            thread: Some(thread),
        }
    }

    async fn begin(&self, path: &str, headers: &[(&str, &str)]) -> StatusCode {
        let message =
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize()});
        let url = self.mcp.replace("/mcp", path);
        let request = self.client.post(url).json(&message);
        let with = |request: reqwest::RequestBuilder, (name, value): &(&str, &str)| {
            request.header(*name, *value)
        };
        let request = headers.iter().fold(request, with);
        request.send().await.unwrap().status()
    }

    async fn ask(&self, method: Method, path: &str, token: &str, body: Value) -> Value {
        let request = self.client.request(method, format!("{}{path}", self.url));
        let request = match token {
            "" => request,
            token => request.bearer_auth(token),
        };
        let answer = request.json(&body).send().await.unwrap();
        assert!(answer.status().is_success(), "{}", answer.status());
        let body = answer.bytes().await.unwrap();
        serde_json::from_slice(&body).unwrap_or_default()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
        let stopper = self.stopper.clone();
        // The server has a thread of its own; ask it from another one, because this may be within a runtime.
        let stopping = std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(stopper.stop());
        });
        let _ = stopping.join();
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn program(server: &str) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_wyrmgate-mcp"));
    program.args(["--server", server]);
    program
}

fn config() -> Config {
    Config {
        listen: "127.0.0.1:0".into(),
        rules: PathBuf::from(ROOT).join("rules"),
        store: "memory".into(),
        workers: 2,
        ..Config::default()
    }
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

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
    async fn at(server: &House) -> Model {
        Model::with(server, Vec::new()).await
    }

    async fn with(server: &House, headers: Vec<(&'static str, String)>) -> Model {
        let mut model = Model {
            headers,
            client: Client::new(),
            url: server.mcp.clone(),
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

async fn shipped_games() -> House {
    House::open(config()).await
}

/// The id of a new table.
fn table(opened: &str) -> String {
    let id = opened.split_whitespace().nth(1);
    id.unwrap().to_owned()
}

fn has_choices(text: &str) -> bool {
    text.lines().any(|line| line.ends_with("(#N):"))
}

/// The numbers in a list of choices.
fn numbers(text: &str) -> Vec<String> {
    let list = text.split_once("(#N):\n").map_or("", |(_, list)| list);
    // Labels can contain a sign, too: `#0 Storyline 1 #4`.
    let begins = |before: &str| {
        let ends = ["; ", ": ", "["];
        before.is_empty() || ends.iter().any(|end| before.ends_with(end))
    };
    let of_line = |line: &'_ str| -> Vec<String> {
        let signs = line
            .match_indices('#')
            .filter(|(at, _)| begins(&line[..*at]));
        let numbers = signs.map(|(at, _)| {
            let digits = line[at + 1..].bytes().take_while(u8::is_ascii_digit);
            line[at + 1..at + 1 + digits.count()].to_owned()
        });
        numbers.filter(|number| !number.is_empty()).collect()
    };
    list.lines().flat_map(of_line).collect()
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

/// A guest of a server, and its credential.
async fn guest(server: &House) -> (&'static str, String) {
    let guest = server.ask(Method::POST, "/v1/players", "", json!({"name": "Model"}));
    let guest = guest.await;
    (
        "authorization",
        format!("Bearer {}", guest["token"].as_str().unwrap()),
    )
}

/// The lines of a text that tell what happened: those before the position, which begins with the title of the game.
fn told_lines(text: &str, title: &str) -> Vec<String> {
    let is_head = |line: &&str| *line == title || line.starts_with(&format!("{title} · "));
    assert!(text.lines().any(|line| is_head(&line)), "{text}");
    let lines = text.lines().take_while(|line| !is_head(line));
    let others = ["table ", "You have seat "];
    let lines = lines.filter(|line| !others.iter().any(|begin| line.starts_with(begin)));
    lines.map(str::to_owned).collect()
}

/// Notes what the legends say. A code always means the same, and a thing always has the same code.
fn note_codes(text: &str, codes: &mut BTreeMap<String, String>) {
    let is_code = |code: &str| !code.is_empty() && code.chars().count() <= 4;
    for line in text.lines().filter(|line| line.starts_with("Legend: ")) {
        for (code, title) in line["Legend: ".len()..]
            .split(" · ")
            .filter_map(|one| one.split_once(' '))
        {
            if is_code(code) {
                let known = codes.entry(title.to_owned()).or_insert(code.to_owned());
                assert_eq!(known, code, "the code of {title} has changed:\n{text}");
            }
        }
    }
}

/// The whole log as the player reads it, without versions.
async fn log(server: &House, table: &str, bearer: &str) -> Vec<String> {
    let (mut lines, mut after) = (Vec::new(), 0);
    loop {
        let url = format!("{}/v1/sessions/{table}/events?after={after}", server.url);
        let page = server.client.get(url).header("authorization", bearer);
        let page = page.header("accept", "text/plain").send().await.unwrap();
        let page = page.text().await.unwrap();
        let before = after;
        for line in page.lines() {
            match line.strip_prefix("version ") {
                Some(version) => after = version.parse().unwrap(),
                None => lines.push(line.to_owned()),
            }
        }
        if after == before {
            return lines;
        }
    }
}

/// Whole games by text alone, choosing by numbers and by words in turn: the choice taken is the one that was named, codes
/// stay, every text is of one version, and what all texts tell together is the log.
#[tokio::test]
async fn a_model_plays_whole_games_of_all_five_titles() {
    let server = shipped_games().await;
    let bearer = guest(&server).await;
    let mut model = Model::with(&server, vec![bearer.clone()]).await;
    let games = model.call("games", json!({})).await.unwrap();
    assert!(games.lines().count() > 20, "all games: {games}");
    for game in [
        "way-of-the-dragon",
        "magic-dragon",
        "mount-drago",
        "drakon",
        "sneaky-dragons",
    ] {
        let line = games.lines().find(|line| line.starts_with(game)).unwrap();
        let title = line.split_once(": ").unwrap().1.split(',').next().unwrap();
        let described = model.call("games", json!({"game": game})).await.unwrap();
        assert!(described.starts_with(title), "{described}");
        let open = json!({"game": game, "level": "random", "name": "model"});
        let mut seen = model.call("new_table", open).await.unwrap();
        let table = table(&seen);
        let (mut told, mut codes) = (told_lines(&seen, title), BTreeMap::new());
        let mut turns: usize = 0;
        while !seen.ends_with("The game is over.\n") {
            assert!(seen.chars().count() < 8_000, "{seen}");
            note_codes(&seen, &mut codes);
            if !has_choices(&seen) {
                assert!(
                    seen.ends_with("Call `wait` for what comes next.\n"),
                    "{seen}"
                );
                seen = model.call("wait", json!({"seconds": 5})).await.unwrap();
            } else {
                let all = numbers(&seen);
                // A list that only counts names an example.
                let example = || seen.split('`').nth(1).unwrap().to_owned();
                let number = all.get(turns * (turns + 7) / 2 % all.len().max(1));
                let number = number.map_or_else(example, |number| format!("#{number}"));
                let line = seen
                    .lines()
                    .find_map(|line| line.strip_prefix(&format!("{number} ")));
                // Events name dice by their titles, because they have been thrown since, and stolen cards, which are seen since.
                let is_plain =
                    |label: &&str| !label.contains(['(', '№']) && !seen.contains("which dice");
                let label = line.filter(is_plain).map(str::to_owned);
                let is_word = |label: &String| turns % 2 == 1 && label.parse::<u64>().is_err();
                let meant = label.clone().filter(is_word).unwrap_or(number);
                let moved = model.call("move", json!({"choice": meant})).await;
                seen = moved.unwrap_or_else(|refused| {
                    panic!(
                        "{meant}: {refused}
{seen}"
                    )
                });
                let news = told_lines(&seen, title);
                // While the model may not play, one change can hold many turns of the bot. Its text then has only the end.
                let is_end = news.iter().any(|line| line == "…");
                let mut own = news.iter().filter(|line| line.starts_with("Seat 1"));
                let is_taken = |label: String| is_end || own.any(|line| line.ends_with(&label));
                assert!(label.is_none_or(is_taken), "{meant}: {seen}");
            }
            told.extend(told_lines(&seen, title));
            turns += 1;
            assert!(turns < 3_000, "{game} does not end: {seen}");
        }
        assert!(seen.contains("Won by") || seen.contains("Drawn"), "{seen}");
        assert_eq!(told, log(&server, &table, &bearer.1).await, "{game}");
        let result = model.call("result", json!({})).await.unwrap();
        assert!(
            result.starts_with(&format!("{game}: finished\nseat 1: ")),
            "{result}"
        );
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
    // Nobody can see or act for the other seat.
    let refused = second.call("look", json!({"table": table, "seat": 1}));
    let refused = refused.await.unwrap_err();
    assert!(refused.contains("take one with `join`"), "{refused}");
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
    let unknown = refused("castle").await;
    assert!(unknown.contains("no choice contains `castle`"), "{unknown}");
    let near = refused("square 2 9").await;
    assert!(near.contains("With `square 2`:\n#"), "{near}");
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
    let mut refused = async |tool, arguments| model.call(tool, arguments).await.unwrap_err();
    let nothing = refused("look", json!({"words": "castle"})).await;
    assert!(nothing.contains("no choice contains `castle`"), "{nothing}");
    for seat in [
        refused("look", json!({"seat": 7})).await,
        refused("wait", json!({"table": "x"})).await,
    ] {
        assert!(
            seat.contains("`my_games`") && seat.contains("`join`"),
            "{seat}"
        );
    }
    let table = refused("look", json!({"table": "x"})).await;
    assert!(
        table.contains("`my_games`") && !table.contains("GET"),
        "{table}"
    );
}

/// A choice may be sent as a number: it is that of the list, or is refused if it is also the label of another choice.
#[tokio::test]
async fn numbers_mean_what_the_list_says() {
    let server = shipped_games().await;
    let mut model = Model::at(&server).await;
    let open = json!({"game": "tic-tac-toe", "level": "random"});
    let mut told = model.call("new_table", open).await.unwrap();
    while has_choices(&told) {
        told = model.call("move", json!({"choice": 0})).await.unwrap();
    }
    assert!(told.ends_with("The game is over.\n"), "{told}");
    let told = model.call("wait", json!({})).await.unwrap();
    assert!(told.ends_with("The game is over.\n"), "{told}");
    let open = json!({"game": "goofspiel", "level": "random"});
    let told = model.call("new_table", open).await.unwrap();
    let line = told.lines().find(|line| line.ends_with(" 12")).unwrap();
    let (number, label) = line.split_once(' ').unwrap();
    assert_ne!(number, "#12");
    let refused = model.call("move", json!({"choice": 12})).await.unwrap_err();
    let both = refused.contains("`#12`") && refused.contains(&format!("`{number}`"));
    assert!(both && refused.contains(label), "{refused}");
    let bid = model.call("move", json!({"choice": number})).await.unwrap();
    let is_own = |line: &str| line.starts_with("Seat 1: ") && line.ends_with(label);
    assert!(bid.lines().any(is_own), "{bid}");
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
            "end",
            "my_games",
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
async fn every_way_to_accept_both_forms_is_understood_and_others_are_not() {
    let server = shipped_games().await;
    for accept in [
        "*/*",
        "application/json, */*;q=0.1",
        "Application/JSON;charset=utf-8,text/*",
        "text/event-stream, application/*",
    ] {
        for path in ["/mcp", "/mcp/"] {
            let status = server.begin(path, &[("accept", accept)]).await;
            assert_eq!(status, StatusCode::OK, "{path} {accept:?}");
        }
    }
    for accept in ["application/json", "text/event-stream", "text/html"] {
        let status = server.begin("/mcp", &[("accept", accept)]).await;
        assert_eq!(status, StatusCode::NOT_ACCEPTABLE);
    }
    assert_eq!(server.begin("/v1", &[]).await, StatusCode::NOT_FOUND);
    let page = [("origin", "http://evil.example")];
    assert_eq!(server.begin("/mcp", &page).await, StatusCode::FORBIDDEN);
    let long = "x".repeat(70_000);
    let sent = server
        .client
        .post(&server.mcp)
        .body(long)
        .send()
        .await
        .unwrap();
    assert_eq!(sent.status(), StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn requests_that_follow_from_a_model_count_for_its_client_and_carry_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let key = Token::random(TokenRights::Key).unwrap();
    let entry = json!({"name": "lobby", "hash": serde_json::to_value(key.hash()).unwrap(), "scopes": ["create"]});
    std::fs::write(&file, json!({"keys": [entry]}).to_string()).unwrap();
    let mut config = config();
    config.rates = config.rates.with("create=1/h".parse().unwrap());
    config.credentials.keys = Some(file);
    config.proxies = 1;
    let server = House::open(config).await;
    let open = json!({"game": "nim"});
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
    let session = server.ask(Method::POST, "/v1/sessions", "", wanted).await;
    let [table, owner] = ["id", "owner_token"].map(|name| session[name].as_str().unwrap());
    let at = |rest: &str| format!("/v1/sessions/{table}{rest}");
    let seat = json!({"table": table, "seat": 1});
    player.call("join", seat.clone()).await.unwrap();
    server
        .ask(Method::PUT, &at("/seats/2"), "", json!({}))
        .await;
    let secrets = dragons(&player.call("look", json!({})).await.unwrap());
    let is_told = |told: &str| secrets.iter().any(|secret| told.contains(secret));
    // Without a seat there, whatever names the table, a model sees what everybody sees.
    let public = format!("{}{}", server.url, at("/board.png?size=800"));
    let public = server.client.get(public).send().await;
    let public = BASE64_STANDARD.encode(public.unwrap().bytes().await.unwrap());
    for name in [
        table.to_owned(),
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
    let seen = thief.call("look", json!({"table": table})).await.unwrap();
    let refused = thief.call("look", seat.clone()).await.unwrap_err();
    assert!(!is_told(&seen) && !is_told(&refused), "{refused}");
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
    server
        .ask(Method::DELETE, &at("/seats/1"), owner, Value::Null)
        .await;
    for taken in [false, true] {
        if taken {
            server
                .ask(Method::PUT, &at("/seats/1"), "", json!({}))
                .await;
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

/// A model whose client runs the program.
struct Piped {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Piped {
    fn start(server: &str) -> Piped {
        let mut child = program(server)
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

#[tokio::test(flavor = "multi_thread")]
async fn the_program_serves_a_model_over_its_standard_streams() {
    let server = shipped_games().await;
    let mut model = Piped::start(&server.url);
    model.ask("initialize", initialize());
    model.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let mut call = |tool, arguments| {
        told(&model.ask("tools/call", json!({"name": tool, "arguments": arguments})))
    };
    let open = json!({"game": "tic-tac-toe", "level": "random"});
    let mut seen = call("new_table", open).unwrap();
    assert!(seen.contains("\nYou have seat 1.\n"), "{seen}");
    while has_choices(&seen) {
        seen = call("move", json!({"choice": "0"})).unwrap();
    }
    assert!(call("result", json!({})).unwrap().contains(": finished\n"));
    // The program ends with its input.
    drop(model.child.stdin.take());
    assert!(model.child.wait().unwrap().success());
}

#[tokio::test]
async fn a_model_that_is_a_player_finds_its_games_again() {
    let server = shipped_games().await;
    let bearer = guest(&server).await;
    let bearer = || vec![bearer.clone()];
    let mut model = Model::with(&server, bearer()).await;
    assert!(model.call("my_games", json!({})).await.is_err());
    let opened = model
        .call("new_table", json!({"game": "tic-tac-toe"}))
        .await
        .unwrap();
    let table = table(&opened);
    // Who sits there already sees the table again.
    let seen = model.call("join", json!({"table": table})).await.unwrap();
    assert!(has_choices(&seen), "{seen}");
    // Another session of the model, which has joined nothing.
    let mut again = Model::with(&server, bearer()).await;
    let games = again.call("my_games", json!({})).await.unwrap();
    let begin = format!("table {table}, tic-tac-toe, seat 1");
    assert_eq!(games, format!("{begin}: you have to choose\n"));
    again
        .call("move", json!({"choice": "square 2 2"}))
        .await
        .unwrap();
    let ended = again.call("end", json!({"how": "resign"})).await.unwrap();
    assert!(ended.ends_with("The game is over.\n"), "{ended}");
    let games = model.call("my_games", json!({})).await.unwrap();
    assert!(
        games.starts_with(&format!("table {table}, tic-tac-toe")),
        "{games}"
    );
    assert!(games.ends_with("seat 1: over\n"), "{games}");
}

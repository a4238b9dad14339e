//! Examples beside a service of others, which a stub plays here: Discord, a mail server, and devices that log in.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use reqwest::{Client, Response, StatusCode};
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde_json::{Value, json};
use wyrmgate::session::{Token, TokenRights};

use crate::process::Process;
use crate::server::free_port;

const DEADLINE: Duration = Duration::from_secs(30);

fn example(name: &str) -> Command {
    let mut command = Command::new("python3");
    command.arg(format!("{}/examples/{name}", env!("CARGO_MANIFEST_DIR")));
    command
}

/// A program that runs until it is dropped.
struct Background(Child);

impl Drop for Background {
    fn drop(&mut self) {
        let _ = self.0.kill(); // it may have ended already
        let _ = self.0.wait();
    }
}

fn wait_until(mut happens: impl FnMut() -> bool) {
    let began = Instant::now();
    while !happens() {
        assert!(began.elapsed() < DEADLINE);
        sleep(Duration::from_millis(50));
    }
}

/// A server, and a key that may create sessions and act for players.
fn keyed(folder: &Path) -> (Process, String) {
    let file = folder.join("keys.yaml");
    let key = Token::random(TokenRights::Key).unwrap();
    let entry = json!({"name": "example", "hash": key.hash(), "scopes": ["create", "players"]});
    std::fs::write(&file, json!({"keys": [entry]}).to_string()).unwrap();
    let node = Process::start_with("memory", &["--keys", file.to_str().unwrap()]);
    (node, key.reveal())
}

/// Discord, as the bot sees it.
struct Discord {
    key: Ed25519KeyPair,
    port: u16,
}

impl Discord {
    fn new() -> Discord {
        let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Discord {
            key: Ed25519KeyPair::from_pkcs8(key.as_ref()).unwrap(),
            port: free_port(),
        }
    }

    fn bot(&self, server: &str, key: &str) -> Background {
        let bot = example("discord_bot.py")
            .args([server, &self.port.to_string()])
            .env("WYRMGATE_KEY", key)
            .env("DISCORD_PUBLIC_KEY", hex(self.key.public_key().as_ref()))
            .stderr(Stdio::null())
            .spawn();
        let bot = Background(bot.unwrap());
        wait_until(|| TcpStream::connect(("127.0.0.1", self.port)).is_ok());
        bot
    }

    /// Sends an interaction with a signature of these bytes at this time.
    async fn send(&self, interaction: &Value, signed: &[u8]) -> Response {
        let request = Client::new().post(format!("http://127.0.0.1:{}", self.port));
        let request = request.header("x-signature-timestamp", "1764500000");
        let signature = hex(self.key.sign(signed).as_ref());
        let request = request.header("x-signature-ed25519", signature);
        request.body(interaction.to_string()).send().await.unwrap()
    }

    async fn interact(&self, interaction: &Value) -> Response {
        let signed = format!("1764500000{interaction}");
        let answer = self.send(interaction, signed.as_bytes()).await;
        assert_eq!(answer.status(), StatusCode::OK);
        answer
    }

    /// The answer to a command in a channel, for instance `move choice=2.1.0`.
    async fn command(&self, channel: &str, user: &str, command: &str) -> Value {
        let asked = interaction(2, channel, user, command);
        self.interact(&asked).await.json().await.unwrap()
    }

    async fn told(&self, channel: &str, user: &str, command: &str) -> String {
        let answer = self.command(channel, user, command).await;
        answer["data"]["content"].as_str().unwrap().to_owned()
    }
}

fn interaction(kind: u8, channel: &str, user: &str, command: &str) -> Value {
    let (name, option) = command.split_once(' ').unwrap_or((command, ""));
    let options: Vec<Value> = option
        .split_once('=')
        .iter()
        .map(|(name, value)| json!({"name": name, "value": value}))
        .collect();
    let user = json!({"id": format!("80351110224678{}", user.len()), "username": user});
    json!({
        "type": kind, "id": "1", "channel_id": channel, "member": {"user": user},
        "data": {"name": name, "options": options},
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn a_discord_bot_has_a_table_in_every_channel_and_keeps_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (node, key) = keyed(folder.path());
    let discord = Discord::new();
    let bot = discord.bot(&node.url, &key);

    let ping = json!({"type": 1});
    let forged = discord.send(&ping, b"something else").await;
    assert_eq!(forged.status(), StatusCode::UNAUTHORIZED);
    let pong: Value = discord.interact(&ping).await.json().await.unwrap();
    assert_eq!(pong, ping);

    let nothing = discord.command("7", "bo", "join").await;
    assert_eq!(nothing["data"]["flags"], 64, "{nothing}");
    let begun = discord.told("7", "ada", "new game=tic-tac-toe").await;
    assert!(
        begun.starts_with("ada sits down to tic-tac-toe."),
        "{begun}"
    );
    let other = discord.told("8", "cleo", "new game=nim").await;
    assert!(other.starts_with("cleo sits down to nim."), "{other}");
    let joined = discord.told("7", "bo", "join").await;
    assert_eq!(joined, "bo sits down to tic-tac-toe. To move: ada");
    let full = discord.command("7", "cleo", "join").await;
    assert_eq!(full["data"]["flags"], 64, "{full}");

    drop(bot);
    let _bot = discord.bot(&node.url, &key);
    let typed = interaction(4, "7", "ada", "move choice=2 2");
    let offered: Value = discord.interact(&typed).await.json().await.unwrap();
    let choices = offered["data"]["choices"].as_array().unwrap();
    assert_eq!(choices.len(), 1, "{offered}");
    assert_eq!(choices[0]["name"], "Square 2 2");
    let chosen = format!("move choice={}", choices[0]["value"].as_str().unwrap());
    let stranger = discord.command("7", "cleo", &chosen).await;
    assert_eq!(stranger["data"]["flags"], 64, "{stranger}");
    let moved = discord.told("7", "ada", &chosen).await;
    assert_eq!(moved, "ada: Square 2 2. To move: bo");
    let again = discord.command("7", "ada", &chosen).await;
    assert_eq!(again["data"]["flags"], 64, "{again}");

    let shown = discord.interact(&interaction(2, "7", "bo", "show")).await;
    let form = shown.headers()["content-type"].to_str().unwrap().to_owned();
    assert!(form.starts_with("multipart/form-data"), "{form}");
    let shown = shown.bytes().await.unwrap();
    let has = |part: &[u8]| shown.windows(part.len()).any(|found| found == part);
    assert!(has(b"\"To move: bo\"") && has(b"\x89PNG"));
    let resigned = discord.told("7", "bo", "resign").await;
    assert_eq!(resigned, "bo resigns. Won by: ada");
}

/// A mail server that takes every mail.
fn mail_server() -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (taken, mails) = channel();
    spawn(move || {
        for stream in listener.incoming() {
            take(stream.unwrap(), &taken);
        }
    });
    (port, mails)
}

fn take(mut stream: TcpStream, taken: &Sender<String>) {
    let lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok);
    stream.write_all(b"220 a stub\r\n").unwrap();
    while let Some(line) = lines.next() {
        if !line.eq_ignore_ascii_case("data") {
            let goes = line.eq_ignore_ascii_case("quit");
            let answer: &[u8] = if goes {
                b"221 bye\r\n"
            } else {
                b"250 good\r\n"
            };
            stream.write_all(answer).unwrap();
            continue;
        }
        stream.write_all(b"354 go on\r\n").unwrap();
        let mail: Vec<String> = lines.by_ref().take_while(|line| line != ".").collect();
        if taken.send(mail.join("\n")).is_err() {
            return; // the test is over
        }
        stream.write_all(b"250 good\r\n").unwrap();
    }
}

fn field<'a>(mail: &'a str, name: &str) -> &'a str {
    let mut lines = mail.lines();
    lines.find_map(|line| line.strip_prefix(name)).unwrap()
}

#[test]
fn a_game_by_mail_believes_only_the_addresses_that_it_has_given() {
    let folder = tempfile::tempdir().unwrap();
    let (node, key) = keyed(folder.path());
    let (port, mails) = mail_server();
    let server = format!("127.0.0.1:{port}");
    let run = |more: &[&str], input: &str| -> Result<(), String> {
        let program = example("play_by_mail.py")
            .args([node.url.as_str(), &server, "games@club.example"])
            .args(more)
            .env("WYRMGATE_KEY", &key)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut program = program.unwrap();
        let mut stdin = program.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        let ended = program.wait_with_output().unwrap();
        let errors = String::from_utf8(ended.stderr).unwrap();
        ended.status.success().then_some(()).ok_or(errors)
    };
    let reply = |from: &str, to: &str, text: &str| {
        let mail =
            format!("From: {from}\nTo: {to}\nSubject: Re: your move\n\n{text}\n\n> 9 quoted\n");
        run(&[], &mail)
    };
    let next = || mails.recv_timeout(DEADLINE).unwrap();

    let (ada, bob) = ("ada@club.example", "bob@club.example");
    run(&["tic-tac-toe", ada, bob], "").unwrap();
    let first = next();
    assert_eq!(field(&first, "To: "), ada);
    assert!(first.contains("\n#8 Square 3 3"), "{first}");
    let address = field(&first, "Reply-To: ").to_owned();
    for (from, to) in [
        (bob, address.clone()),
        (ada, address.replace(".1.1.", ".2.1.")),
        (ada, "games@club.example".to_owned()),
    ] {
        let refused = reply(from, &to, "0").unwrap_err();
        assert!(
            refused.starts_with("the address is not signed for "),
            "{refused}"
        );
    }
    reply(ada, &address, "well").unwrap();
    assert!(next().contains("Please begin your reply"));
    reply(&format!("Ada <{ada}>"), &address, "0").unwrap();
    let second = next();
    assert_eq!(field(&second, "To: "), bob);
    assert!(
        second.contains("\nSeat 1: Mark which square? Square 1 1\n"),
        "{second}"
    );
    reply(ada, &address, "0").unwrap();
    let late = next();
    assert!(late.contains("\n\nthe session is at version 2\n"), "{late}");

    let mut mail = second;
    while !mail.contains("Subject: tic-tac-toe: the game is over") {
        reply(field(&mail, "To: "), field(&mail, "Reply-To: "), "0").unwrap();
        mail = next();
    }
    let ends = [mail, next()];
    assert_eq!([0, 1].map(|end| field(&ends[end], "To: ")), [ada, bob]);
    assert!(mails.try_recv().is_err());
}

#[tokio::test]
async fn a_user_of_an_issuer_plays_on_two_devices_while_the_issuer_rotates_its_keys() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("issuers.yaml");
    let issuer = format!("http://127.0.0.1:{}", free_port());
    let program = example("single_sign_on.py")
        .args(["issuer", issuer.rsplit(':').next().unwrap()])
        .arg(&file)
        .stderr(Stdio::null())
        .spawn();
    let _issuing = Background(program.unwrap());
    wait_until(|| std::fs::read_to_string(&file).is_ok_and(|text| text.ends_with('}')));
    let node = Process::start_with("memory", &["--issuers", file.to_str().unwrap()]);
    let client = Client::new();
    let log_in = || async {
        let asked = client.post(format!("{issuer}/token"));
        let answer = asked.body(json!({"user": "ada"}).to_string()).send().await;
        let answer: Value = answer.unwrap().json().await.unwrap();
        answer["access_token"].as_str().unwrap().to_owned()
    };
    let me = |token: String| {
        let asked = client.get(format!("{}/v1/players/me", node.url));
        async move {
            let answer = asked.bearer_auth(token).send().await.unwrap();
            answer.json::<Value>().await.unwrap()
        }
    };
    let before = log_in().await;
    let known = me(before.clone()).await;
    assert!(known["id"].is_string(), "{known}");
    let rotated = client.post(format!("{issuer}/rotation")).send().await;
    assert_eq!(rotated.unwrap().status(), StatusCode::OK);
    let after = log_in().await;
    assert_ne!(before.split('.').next(), after.split('.').next());
    for token in [before, after] {
        assert_eq!(me(token).await["id"], known["id"]);
    }
    let played = example("single_sign_on.py")
        .args(["play", &issuer, &node.url, "ada", "tic-tac-toe"])
        .output();
    let printed = String::from_utf8(played.unwrap().stdout).unwrap();
    assert!(
        printed.contains("on two devices: {\"winners\":"),
        "{printed}"
    );
}

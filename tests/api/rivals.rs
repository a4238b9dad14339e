//! Every write of a session against every other one, at once: who may do what is decided on the version that is changed.
//!
//! A round sends two kinds of writes several times while somebody else waits for the seat of the first player, and then
//! sends them once more. The log of the session is the order in which the changes were made. A small model walks through it:
//! who holds which seat and which token at which version. Every accepted write must have been permitted at its own version,
//! nobody is thrown out by a token that was not valid for the seat at that moment, and in the end exactly the tokens that the
//! model knows are valid.
//!
//! By default a few pairs are drawn by chance; `WYRMGATE_RACE_ROUNDS=200` makes this many rounds of each pair. A
//! `WYRMGATE_RACE_SEED` repeats the draw of a failure.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use wyrmgate::config::Config;

use super::races::embedded;
use super::redis;
use super::support::{Server, TOLL, config, expect, text};

/// Number of rounds on each store by default.
const ROUNDS: usize = 12;
/// Number of rounds at the same time.
const AT_ONCE: usize = 4;
/// Number of requests of each kind in the first wave of a round.
const COPIES: usize = 3;
const SECRET: &str = "0123456789abcdef0123456789abcdef";

/// Whose initial token a write shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    First,
    Second,
    Owner,
    /// Somebody who has no seat yet; in a private session with its invite code.
    Stranger,
}

/// A write: its name, its method, its path in the session, its body, and who makes it. `{hook}` is the id of a webhook.
struct Write(&'static str, Method, &'static str, fn() -> Value, By);

const NO_BODY: fn() -> Value = || Value::Null;

/// All writes of a session. Simulations, rulesets and steps change no session; a rematch is a session of its own.
fn writes() -> Vec<Write> {
    let hook = || json!({"url": "http://127.0.0.1:9/", "events": ["session.finished"]});
    let empty = || json!({});
    let renew = || json!({"renew": true});
    vec![
        Write(
            "move",
            Method::POST,
            "/moves",
            || json!({"args": {"n": 1}}),
            By::First,
        ),
        Write(
            "move of the other",
            Method::POST,
            "/moves",
            || json!({"args": {"n": 1}}),
            By::Second,
        ),
        Write("undo", Method::POST, "/undos", empty, By::First),
        Write("resign", Method::POST, "/resignations", empty, By::First),
        Write(
            "offer a draw",
            Method::POST,
            "/draw-offers",
            empty,
            By::First,
        ),
        Write(
            "answer a draw",
            Method::POST,
            "/draw-offers",
            empty,
            By::Second,
        ),
        Write("call off", Method::POST, "/abort", empty, By::Owner),
        Write(
            "pause",
            Method::PUT,
            "/pause",
            || json!({"paused": true}),
            By::Owner,
        ),
        Write("claim absence", Method::POST, "/claims", empty, By::Second),
        Write(
            "roll back",
            Method::POST,
            "/undos",
            || json!({"to": 3}),
            By::Owner,
        ),
        Write("renew a seat", Method::PUT, "/seats/1", renew, By::First),
        Write(
            "renew the other seat",
            Method::PUT,
            "/seats/2",
            renew,
            By::Second,
        ),
        Write(
            "have a seat renewed",
            Method::PUT,
            "/seats/1",
            renew,
            By::Owner,
        ),
        Write("leave", Method::DELETE, "/seats/1", NO_BODY, By::First),
        Write(
            "hand over",
            Method::PUT,
            "/seats/1",
            || json!({"reserve_for": "p_00000000000000000000000000000000"}),
            By::First,
        ),
        Write("throw out", Method::DELETE, "/seats/1", NO_BODY, By::Owner),
        Write("claim", Method::PUT, "/seats/1", empty, By::Stranger),
        Write(
            "claim with a secret",
            Method::PUT,
            "/seats/1",
            || json!({"secret": SECRET}),
            By::Stranger,
        ),
        Write(
            "seat a bot",
            Method::PUT,
            "/seats/1",
            || json!({"bot": "random"}),
            By::Owner,
        ),
        Write(
            "orders",
            Method::PUT,
            "/standing-orders",
            || json!({"orders": [{"answer": {"only": true}}]}),
            By::First,
        ),
        Write("fork", Method::POST, "/forks", empty, By::First),
        Write("have it forked", Method::POST, "/forks", empty, By::Owner),
        Write("ticket", Method::POST, "/stream-tickets", empty, By::First),
        Write(
            "owner token",
            Method::PUT,
            "/tokens/owner",
            empty,
            By::Owner,
        ),
        Write(
            "invite code",
            Method::PUT,
            "/tokens/invite",
            empty,
            By::Owner,
        ),
        Write(
            "spectator token",
            Method::PUT,
            "/tokens/spectator",
            empty,
            By::Owner,
        ),
        Write(
            "write a message",
            Method::POST,
            "/messages",
            || json!({"text": "Hello"}),
            By::First,
        ),
        Write("webhook", Method::POST, "/webhooks", hook, By::Owner),
        Write(
            "change a webhook",
            Method::PUT,
            "/webhooks/{hook}",
            hook,
            By::Owner,
        ),
        Write(
            "webhook secret",
            Method::PUT,
            "/webhooks/{hook}/secret",
            empty,
            By::Owner,
        ),
        Write(
            "ping",
            Method::POST,
            "/webhooks/{hook}/pings",
            empty,
            By::Owner,
        ),
        Write(
            "remove a webhook",
            Method::DELETE,
            "/webhooks/{hook}",
            NO_BODY,
            By::Owner,
        ),
        Write("remove", Method::DELETE, "", NO_BODY, By::Owner),
    ]
}

/// A session of one round, with the tokens that it began with.
struct Table<'a> {
    nodes: &'a [Server],
    path: String,
    hook: String,
    is_private: bool,
    first: String,
    second: String,
    owner: String,
    invite: String,
    /// The version at the beginning of the round.
    version: u64,
}

/// A write that was sent, and its answer.
#[derive(Debug)]
struct Sent {
    name: &'static str,
    by: By,
    began: Instant,
    ended: Instant,
    status: u16,
    body: Value,
}

impl Sent {
    fn is_accepted(&self) -> bool {
        (200..300).contains(&self.status)
    }

    fn version(&self) -> Option<u64> {
        self.body["version"].as_u64()
    }

    fn token(&self) -> String {
        text(&self.body, "token")
    }
}

impl Table<'_> {
    async fn open(nodes: &[Server], is_private: bool) -> Table<'_> {
        let server = &nodes[0];
        let visibility = if is_private { "private" } else { "public" };
        let wanted = json!({"game": TOLL, "seats": ["open", "open"], "undo": "free", "forks": "always",
            "endings": {"draws": true}, "clock": {"game_ms": 600_000}, "visibility": visibility});
        let session = server.create(wanted).await;
        let invite = session.created["invite_code"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let mut table = Table {
            nodes,
            path: session.path.clone(),
            hook: String::new(),
            is_private,
            first: String::new(),
            second: String::new(),
            owner: session.owner.clone(),
            invite,
            version: 4,
        };
        let claim = async |seat: u8| {
            let body = table.with_invite(json!({}));
            let claim = server.put(&format!("{}/seats/{seat}", session.path), body);
            text(
                &expect(claim.send().await.unwrap(), 201.try_into().unwrap()).await,
                "token",
            )
        };
        let (first, second) = (claim(1).await, claim(2).await);
        let moved = session
            .move_by(&first, json!({"version": 3, "args": {"n": 2}}))
            .await;
        expect(moved, 201.try_into().unwrap()).await;
        let hook = json!({"url": "http://127.0.0.1:9/", "events": ["session.finished"]});
        let hook = server
            .post(&session.at("/webhooks"), hook)
            .bearer_auth(&session.owner);
        let hook = expect(hook.send().await.unwrap(), 201.try_into().unwrap()).await;
        (table.first, table.second, table.hook) = (first, second, text(&hook, "id"));
        table
    }

    fn with_invite(&self, mut body: Value) -> Value {
        if self.is_private {
            body["invite_code"] = json!(self.invite);
        }
        body
    }

    fn token(&self, by: By) -> Option<&str> {
        match by {
            By::First => Some(&self.first),
            By::Second => Some(&self.second),
            By::Owner => Some(&self.owner),
            By::Stranger => None,
        }
    }

    /// Sends a write to one of the nodes. A move needs a key: it is tied to no version.
    async fn send(&self, write: &Write, node: usize, wait: Duration) -> Sent {
        let Write(name, method, path, body, by) = write;
        tokio::time::sleep(wait).await;
        let path = format!("{}{}", self.path, path.replace("{hook}", &self.hook));
        let mut request = self.nodes[node % self.nodes.len()].request(method.clone(), &path);
        if *by == By::Stranger {
            request = request.json(&self.with_invite(body()));
        } else if *method != Method::DELETE {
            request = request.json(&body());
        }
        if let Some(token) = self.token(*by) {
            request = request.bearer_auth(token);
        }
        if path.ends_with("/moves") {
            request = request.header("idempotency-key", rand::random::<u64>().to_string());
        }
        let began = Instant::now();
        let (status, body) = answer(request).await;
        Sent {
            name,
            by: *by,
            began,
            ended: Instant::now(),
            status,
            body,
        }
    }

    async fn ask(&self, rest: &str, token: Option<&str>) -> (u16, Value) {
        let request = self.nodes[0].get(&format!("{}{rest}", self.path));
        answer(super::support::bearing(request, token)).await
    }
}

async fn answer(request: RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    (status, response.json().await.unwrap_or(Value::Null))
}

/// Makes one round and checks it. Returns what is wrong.
async fn round(
    nodes: &[Server],
    pair: [&Write; 2],
    is_private: bool,
    mut dice: ChaCha8Rng,
) -> Result<(), String> {
    let table = Table::open(nodes, is_private).await;
    let claim = writes()
        .into_iter()
        .find(|write| write.0 == "claim")
        .unwrap();
    let mut wait = || Duration::from_micros(dice.random_range(0..3_000));
    let copies = pair
        .iter()
        .flat_map(|write| std::iter::repeat_n(*write, COPIES));
    let first = copies.chain([&claim; 2]).enumerate();
    let mut sent = join_all(first.map(|(at, write)| table.send(write, at, wait()))).await;
    let again = pair.iter().enumerate();
    sent.extend(join_all(again.map(|(at, write)| table.send(write, at, wait()))).await);
    let judged = judge(&table, &sent).await;
    judged.map_err(|why| {
        let lines = sent.iter().map(|sent| format!("  {sent:?}\n"));
        format!("{why}\n{}", lines.collect::<String>())
    })
}

/// Who holds what at one version.
#[derive(Debug, Clone)]
struct Holders {
    /// The tokens of the seats. `None` for an open seat; empty for a bot.
    seats: [Option<String>; 2],
    owner: String,
}

impl Holders {
    /// Returns whether the writer holds a token that permits this kind of write now.
    fn permit(&self, table: &Table<'_>, sent: &Sent) -> bool {
        match sent.by {
            By::First => self.seats[0].as_deref() == Some(&table.first),
            By::Second => self.seats[1].as_deref() == Some(&table.second),
            By::Owner => self.owner == table.owner,
            By::Stranger => true,
        }
    }
}

async fn judge(table: &Table<'_>, sent: &[Sent]) -> Result<(), String> {
    // Some writes have a queue: one that finds it full has changed nothing.
    let is_failure = |sent: &&Sent| sent.status >= 500 && sent.body["code"] != "overloaded";
    if let Some(unexpected) = sent.iter().find(is_failure) {
        return Err(format!("a failure: {unexpected:?}"));
    }
    let mut accepted: Vec<&Sent> = sent.iter().filter(|sent| sent.is_accepted()).collect();
    // A player can leave only once, but the owner is also answered so when the seat is open.
    accepted.sort_by_key(|sent| sent.name != "leave");
    let owners = accepted.iter().filter(|sent| sent.name == "owner token");
    if owners.clone().count() > 1 {
        return Err("one owner token was renewed twice".into());
    }
    let new_owner = owners.map(|sent| sent.token()).next();
    if accepted.iter().any(|sent| sent.name == "remove") {
        if new_owner.is_some() {
            return Err("a token that had been renewed has removed the session".into());
        }
        let (status, _) = table.ask("", Some(&table.owner)).await;
        return (status == 404)
            .then_some(())
            .ok_or("a removed session is there".into());
    }
    let owner = new_owner.as_ref().unwrap_or(&table.owner);
    let (_, log) = table.ask("/events?limit=100", Some(owner)).await;
    let history = walk(table, &accepted, log["items"].as_array().ok_or("no log")?)?;
    let unlogged = [
        "orders",
        "ticket",
        "write a message",
        "webhook",
        "change a webhook",
        "webhook secret",
        "ping",
        "remove a webhook",
        "throw out",
        "fork",
        "have it forked",
    ];
    for sent in accepted.iter().filter(|sent| unlogged.contains(&sent.name)) {
        let before = accepted.iter().filter(|other| other.ended < sent.began);
        let from = before
            .filter_map(|other| other.version())
            .max()
            .unwrap_or(table.version);
        let mut possible = history.range(from..).map(|(_, holders)| holders);
        if !possible.any(|holders| holders.permit(table, sent)) {
            return Err(format!(
                "not permitted at any version from {from} on: {sent:?}"
            ));
        }
    }
    let (_, last) = history.last_key_value().unwrap();
    if owner != &last.owner {
        return Err("the owner's last token is not the one that was handed out".into());
    }
    check_tokens(table, &accepted, last).await
}

/// Walks through the log and finds the write that made each change. Returns the holders after each version.
fn walk(
    table: &Table<'_>,
    accepted: &[&Sent],
    log: &[Value],
) -> Result<BTreeMap<u64, Holders>, String> {
    let mut now = Holders {
        seats: [Some(table.first.clone()), Some(table.second.clone())],
        owner: table.owner.clone(),
    };
    let mut history = BTreeMap::from([(table.version, now.clone())]);
    let mut used = BTreeSet::new();
    for item in log
        .iter()
        .filter(|item| item["version"].as_u64() > Some(table.version))
    {
        let version = item["version"].as_u64().unwrap();
        let of_version = |sent: &&Sent| sent.version() == Some(version);
        for event in item["events"].as_array().unwrap() {
            let seat = || event["seat"].as_u64().unwrap() as usize - 1;
            // These answers name no version; anyone that was permitted explains the event.
            let unnamed: &[&str] = match event["type"].as_str().unwrap() {
                "seat-left" => &["leave", "throw out"],
                "forked" => &["fork", "have it forked"],
                _ => &[],
            };
            let named = |names: &[&str]| {
                accepted
                    .iter()
                    .copied()
                    .filter(of_version)
                    .find(|sent| names.contains(&sent.name))
            };
            let cause = match event["type"].as_str().unwrap() {
                "seat-left" if named(&["seat a bot", "hand over"]).is_some() => {
                    named(&["seat a bot", "hand over"])
                }
                "seat-left" | "forked" => accepted
                    .iter()
                    .copied()
                    .enumerate()
                    .find(|(at, sent)| {
                        unnamed.contains(&sent.name)
                            && now.permit(table, sent)
                            && !used.contains(at)
                    })
                    .map(|(at, sent)| {
                        used.insert(at);
                        sent
                    }),
                "seat-taken" => named(&["claim", "claim with a secret", "seat a bot"]),
                "seat-renewed" => named(&[
                    "renew a seat",
                    "renew the other seat",
                    "have a seat renewed",
                ]),
                "token-renewed" => named(&["owner token", "invite code", "spectator token"]),
                "undone" => named(&["undo"]),
                "resigned" => named(&["resign"]),
                "draw-offered" | "draw-accepted" => named(&["offer a draw", "answer a draw"]),
                "paused" => named(&["pause"]),
                "aborted" => named(&["call off"]),
                "rolled-back" => named(&["roll back"]),
                // Also bots and standing orders make choices.
                "chose" => match named(&["move", "move of the other"]) {
                    None => continue,
                    cause => cause,
                },
                _ => continue,
            };
            let Some(cause) = cause.filter(|cause| now.permit(table, cause)) else {
                return Err(format!(
                    "nobody was permitted this at version {version}: {event}; {now:?}; {cause:?}"
                ));
            };
            match event["type"].as_str().unwrap() {
                "seat-left" => now.seats[seat()] = None,
                "seat-taken" if now.seats[seat()].is_some() => {
                    return Err(format!("a seat was taken twice: {event}"));
                }
                "seat-taken" if cause.name == "seat a bot" => {
                    now.seats[seat()] = Some(String::new())
                }
                "seat-taken" | "seat-renewed" => now.seats[seat()] = Some(cause.token()),
                "token-renewed" if event["kind"] == "owner" => now.owner = cause.token(),
                _ => {}
            }
        }
        history.insert(version, now.clone());
    }
    // An answer that hands out a token has a version of its own in the log.
    for sent in accepted
        .iter()
        .filter(|sent| sent.body["token"].is_string())
    {
        let at = sent.version().and_then(|version| history.get(&version));
        let holds =
            at.is_some_and(|at| at.owner == sent.token() || at.seats.contains(&Some(sent.token())));
        let is_shared = ["invite code", "spectator token"].contains(&sent.name);
        if !holds && !is_shared {
            return Err(format!("a token that never was valid: {sent:?}"));
        }
    }
    let leaves = accepted
        .iter()
        .enumerate()
        .filter(|(_, sent)| sent.name == "leave");
    if leaves.clone().any(|(at, _)| !used.contains(&at)) {
        return Err("a seat was left that its player did not hold".into());
    }
    Ok(history)
}

/// Exactly the last tokens are valid, and a new player has no standing orders of the one before.
async fn check_tokens(table: &Table<'_>, accepted: &[&Sent], last: &Holders) -> Result<(), String> {
    let handed_out = accepted
        .iter()
        .filter(|sent| !["invite code", "spectator token"].contains(&sent.name));
    let handed_out = handed_out.filter_map(|sent| sent.body["token"].as_str());
    let known = handed_out.chain([&*table.first, &*table.second, &*table.owner]);
    for token in known.collect::<BTreeSet<&str>>() {
        let is_held = last.owner == token || last.seats.iter().flatten().any(|held| held == token);
        let dead = if table.is_private { 404 } else { 401 };
        let (status, _) = table.ask("/view", Some(token)).await;
        if status != if is_held { 200 } else { dead } {
            return Err(format!("{token} gets {status}; held: {is_held}; {last:?}"));
        }
    }
    let first = last.seats[0].as_ref().filter(|token| !token.is_empty());
    let is_new = accepted
        .iter()
        .any(|sent| sent.name.starts_with("claim") && first == Some(&sent.token()));
    if let Some(token) = first.filter(|_| is_new) {
        let (_, orders) = table.ask("/standing-orders", Some(token)).await;
        if orders["orders"] != json!([]) {
            return Err(format!("orders of another player: {orders}"));
        }
    }
    Ok(())
}

fn number(name: &str) -> Option<u64> {
    let stated = std::env::var(name).ok()?;
    Some(stated.parse().expect("a number"))
}

/// Makes the rounds on nodes that share a store.
async fn all_pairs(nodes: &[Server]) {
    for node in nodes {
        // On a busy machine, the first session of a game can take longer than a request may.
        let create = || node.post("/v1/sessions", json!({"game": TOLL}));
        while create().send().await.is_err() {}
    }
    let seed = number("WYRMGATE_RACE_SEED").unwrap_or(50);
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let writes = writes();
    let pairs =
        (0..writes.len()).flat_map(|one| (one..writes.len()).map(move |other| (one, other)));
    let pairs: Vec<(usize, usize)> = pairs.collect();
    let rounds: Vec<(usize, usize)> = match number("WYRMGATE_RACE_ROUNDS") {
        Some(each) => pairs
            .iter()
            .flat_map(|pair| std::iter::repeat_n(*pair, each as usize))
            .collect(),
        None => (0..ROUNDS)
            .map(|_| *pairs.choose(&mut dice).unwrap())
            .collect(),
    };
    let mut wrong = Vec::new();
    for some in rounds.chunks(AT_ONCE) {
        let running = some.iter().map(|(one, other)| {
            let pair = [&writes[*one], &writes[*other]];
            let (is_private, dice) = (dice.random(), ChaCha8Rng::from_rng(&mut dice));
            async move {
                let checked = round(nodes, pair, is_private, dice).await;
                checked.map_err(|why| format!("{} against {}: {why}", pair[0].0, pair[1].0))
            }
        });
        let running: Vec<_> = running.collect();
        wrong.extend(join_all(running).await.into_iter().filter_map(Result::err));
        if wrong.len() > 5 {
            break;
        }
    }
    assert!(
        wrong.is_empty(),
        "seed {seed}, {} of {} rounds:\n{}",
        wrong.len(),
        rounds.len(),
        wrong.join("\n")
    );
}

fn node(store: &str) -> Config {
    Config {
        store: store.to_owned(),
        webhooks: true,
        webhook_allow: vec!["http://127.0.0.1:9".parse().unwrap()],
        ..config()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_write_is_permitted_at_its_own_version_in_memory() {
    all_pairs(&[Server::with(node("memory")).await]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_write_is_permitted_at_its_own_version_in_a_file() {
    let (_folder, store) = embedded();
    all_pairs(&[Server::with(node(&store)).await]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_write_is_permitted_at_its_own_version_on_two_nodes() {
    let redis = redis::Server::start();
    let nodes = [
        Server::with(node(&redis.url())).await,
        Server::with(node(&redis.url())).await,
    ];
    all_pairs(&nodes).await;
}

/// What was found: of many renewals at once with one token, one succeeds, and its token is the one that is valid.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_renewals_with_one_token_exactly_one_succeeds() {
    let (_folder, store) = embedded();
    let server = Server::with(node(&store)).await;
    for (path, body) in [
        ("/tokens/owner", json!({})),
        ("/seats/1", json!({"renew": true})),
    ] {
        let (session, [first, _]) = server.duel(TOLL).await;
        let token = if path == "/seats/1" {
            &first
        } else {
            &session.owner
        };
        let renew = || {
            answer(
                server
                    .put(&session.at(path), body.clone())
                    .bearer_auth(token),
            )
        };
        let answers = join_all((0..9).map(|_| renew())).await;
        let (won, lost): (Vec<_>, Vec<_>) = answers
            .iter()
            .partition(|(status, _)| (200..300).contains(status));
        assert_eq!(won.len(), 1, "{answers:?}");
        assert!(lost.iter().all(|(status, _)| *status == 401), "{answers:?}");
        let new = text(&won[0].1, "token");
        session.get("/view", Some(&new)).await;
        // A key is another matter: the same request gets its first answer again.
        let keyed = || {
            let renew = server
                .put(&session.at(path), body.clone())
                .bearer_auth(&new);
            answer(renew.header("idempotency-key", "again"))
        };
        let first = keyed().await;
        assert!(first.1["token"].is_string(), "{first:?}");
        assert_eq!(keyed().await, first);
    }
}

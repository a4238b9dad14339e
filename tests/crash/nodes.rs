//! Two nodes on one store, killed one after the other under load: those who play and those who watch do not notice. Where
//! commits are waited for until a replica has them, the masters of a cluster die as well.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use reqwest::{Client, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::cluster::{Cluster, tell, until};
use crate::process::Process;
use crate::server::Server;
use crate::watching::follow;

/// The seed of all that is random here: who asks which node, when which node dies.
const SEED: u64 = 6;
const PLAYERS: u64 = 4;
/// Of a cluster, each with a replica.
const MASTERS: usize = 3;
/// Minimum number of killed nodes; more are killed until a client has noticed one.
const KILLS: usize = 3;
/// Nobody waits longer for an answer from any node.
const PATIENCE: Duration = Duration::from_secs(180);
const SETTLE: Duration = Duration::from_millis(20);

/// The state of the test that all of them share.
#[derive(Default)]
struct Course {
    is_watched: bool,
    is_over: AtomicBool,
    moves: AtomicUsize,
    /// Requests that had to be sent again: somebody has noticed.
    repeated: AtomicUsize,
}

/// `WYRMGATE_FAULT_SECONDS` states for how long nodes are killed, for a long test.
fn faults() -> Duration {
    let stated = std::env::var("WYRMGATE_FAULT_SECONDS").ok();
    let seconds = stated.map(|text| text.parse().expect("a number of seconds"));
    seconds.map_or(Duration::ZERO, Duration::from_secs)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_on_redis_may_die() {
    let server = Server::start();
    nodes_may_die(&server.url(), true, async || ()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_on_a_cluster_may_die() {
    let cluster = Cluster::start(3, 0).await;
    nodes_may_die(&cluster.url(), true, async || ()).await;
}

/// Nobody watches here: what is seen before a replica has it can be lost with the master.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_replicated_outlives_the_masters_of_a_cluster() {
    let mut cluster = Cluster::start(MASTERS, MASTERS).await;
    let store = format!("{}?durability=replicated", cluster.url());
    nodes_may_die(&store, false, async || kill_masters(&mut cluster).await).await;
}

async fn nodes_may_die(store: &str, is_watched: bool, more_faults: impl AsyncFnOnce()) {
    let nodes = Nodes::start(store);
    let course = Arc::new(Course {
        is_watched,
        ..Course::default()
    });
    let games: Vec<_> = (0..PLAYERS)
        .map(|number| tokio::spawn(play_games(nodes.clone(), SEED + number, course.clone())))
        .collect();
    // A simulation needs many writes, of which each would wait here.
    let simulation = match is_watched {
        true => Some(order_simulation(&nodes).await),
        false => None,
    };
    let (kills, ()) = tokio::join!(kill_at_random(&nodes, &course), more_faults());
    course.is_over.store(true, Ordering::Relaxed);
    for game in games {
        game.await.unwrap();
    }
    if let Some(simulation) = simulation {
        finished_by_another_node(&nodes, &simulation).await;
    }
    let (moves, repeated) = (course.moves.load(Ordering::Relaxed), course.repeated());
    println!("{moves} moves, {repeated} requests repeated, {kills} nodes killed, seed {SEED}");
}

impl Course {
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn noticed(&self, attempts: u32) {
        let repeated = usize::from(attempts > 1);
        self.repeated.fetch_add(repeated, Ordering::Relaxed);
    }

    fn repeated(&self) -> usize {
        self.repeated.load(Ordering::Relaxed)
    }
}

/// Where the nodes are at the moment.
#[derive(Clone)]
struct Nodes {
    store: Arc<str>,
    running: Arc<Mutex<Vec<Process>>>,
    client: Client,
}

impl Nodes {
    fn start(store: &str) -> Nodes {
        let running = (0..2).map(|_| Process::start(store)).collect();
        Nodes {
            store: store.into(),
            running: Arc::new(Mutex::new(running)),
            client: Client::builder()
                .timeout(Duration::from_secs(10))
                .build()
                .unwrap(),
        }
    }

    fn url(&self, random: &mut ChaCha8Rng) -> String {
        let running = self.running.lock().unwrap();
        running[random.random_range(0..running.len())].url.clone()
    }

    /// kill -9, then a new one in its place.
    async fn replace(&self, random: &mut ChaCha8Rng) {
        let victim = {
            let mut running = self.running.lock().unwrap();
            let victim = random.random_range(0..running.len());
            running.swap_remove(victim)
        };
        victim.kill();
        let store = self.store.clone();
        let started = tokio::task::spawn_blocking(move || Process::start(&store));
        let started = started.await.unwrap();
        self.running.lock().unwrap().push(started);
    }

    /// Asks any node, and another one as long as none answers. Also says how often it was asked.
    async fn ask(
        &self,
        random: &mut ChaCha8Rng,
        request: impl Fn(&Client, &str) -> RequestBuilder,
    ) -> (StatusCode, Value, u32) {
        let began = Instant::now();
        let mut attempt = 0;
        loop {
            attempt += 1;
            let answer = request(&self.client, &self.url(random)).send().await;
            if let Ok(answer) = answer
                && answer.status() != StatusCode::SERVICE_UNAVAILABLE
                && answer.status() != StatusCode::CONFLICT
                && let (status, Ok(body)) = (answer.status(), answer.json().await)
            {
                return (status, body, attempt);
            }
            assert!(began.elapsed() < PATIENCE, "no node answers");
            sleep(SETTLE).await;
        }
    }
}

async fn kill_at_random(nodes: &Nodes, course: &Course) -> usize {
    let began = Instant::now();
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut kills = 0;
    while kills < KILLS || course.repeated() == 0 || began.elapsed() < faults() {
        assert!(
            began.elapsed() < PATIENCE + faults(),
            "nobody notices a fault: nothing is shown"
        );
        sleep(Duration::from_millis(random.random_range(50..400))).await;
        nodes.replace(&mut random).await;
        kills += 1;
    }
    kills
}

/// Kills one master after the other; each comes back, empty, as the replica of the one that took its place.
async fn kill_masters(cluster: &mut Cluster) {
    let began = Instant::now();
    // Who is a master: of each pair one.
    let mut masters: Vec<usize> = (0..MASTERS).collect();
    let mut round = 0;
    while round == 0 || began.elapsed() < faults() {
        let pair = round % MASTERS;
        let victim = masters[pair];
        let heir = (victim + MASTERS) % (2 * MASTERS);
        cluster.nodes[victim].kill();
        until(async || has_role(&cluster.nodes[heir], "role:master").await).await;
        cluster.nodes[victim].restart();
        until(async || has_role(&cluster.nodes[victim], "master_link_status:up").await).await;
        masters[pair] = heir;
        round += 1;
    }
    println!("{round} masters killed");
}

async fn has_role(server: &Server, line: &str) -> bool {
    let info: String = tell(server, redis::cmd("INFO").arg("replication")).await;
    info.contains(line)
}

/// Plays games one after the other, each of them watched where that is wanted.
async fn play_games(nodes: Nodes, seed: u64, course: Arc<Course>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    while !course.is_over() {
        let game = Game::create(&nodes, &mut random).await;
        let seed = random.random();
        let watching = course
            .is_watched
            .then(|| tokio::spawn(watch(nodes.clone(), game.path.clone(), seed)));
        let acknowledged = game.play(&nodes, &mut random, &course).await;
        let history = game.history(&nodes, &mut random).await;
        check(&acknowledged, &game.told(&nodes, &mut random).await);
        game.remove(&nodes, &mut random).await;
        let Some(watching) = watching else { continue };
        let watched = watching.await.unwrap();
        assert_eq!(
            watched,
            history[..watched.len()],
            "a stream with a gap or a repeat"
        );
    }
}

/// Every acknowledged move is there, and each key had one effect.
fn check(acknowledged: &[(u64, Value)], history: &[Value]) {
    let versions = history.iter().map(|change| change["version"].as_u64());
    assert!(
        versions.eq((1..=history.len() as u64).map(Some)),
        "a history with a gap"
    );
    for (version, events) in acknowledged {
        assert_eq!(history[*version as usize - 1]["events"], *events);
    }
    // The bot answers within our move, so that nothing else makes versions while we play.
    for pair in acknowledged.windows(2) {
        assert_eq!(pair[0].0 + 1, pair[1].0, "a move was made twice");
    }
    if let Some((last, _)) = acknowledged.last() {
        assert_eq!(history.len() as u64, *last);
    }
}

struct Game {
    path: String,
    owner: String,
    seat: String,
}

impl Game {
    /// A caller without a credential does not receive secrets again. If a response with one got lost, this begins
    /// another game.
    async fn create(nodes: &Nodes, random: &mut ChaCha8Rng) -> Game {
        loop {
            if let Some(game) = Game::try_create(nodes, random).await {
                return game;
            }
        }
    }

    async fn try_create(nodes: &Nodes, random: &mut ChaCha8Rng) -> Option<Game> {
        let key = format!("create-{:x}", random.random::<u64>());
        let wanted = json!({"game": "magic-dragon", "seats": ["open", "random"]});
        let create = |client: &Client, url: &str| {
            let create = client.post(format!("{url}/v1/sessions")).json(&wanted);
            create.header("idempotency-key", &key)
        };
        let (status, created, _) = nodes.ask(random, create).await;
        assert!(status.is_success(), "{created}");
        let path = format!("/v1/sessions/{}", created["id"].as_str().unwrap());
        let key = format!("claim-{:x}", random.random::<u64>());
        let claim = |client: &Client, url: &str| {
            let claim = client.put(format!("{url}{path}/seats/1"));
            claim.header("idempotency-key", &key)
        };
        let (status, claimed, _) = nodes.ask(random, claim).await;
        assert!(status.is_success(), "{claimed}");
        Some(Game {
            owner: created["owner_token"].as_str()?.to_owned(),
            seat: claimed["token"].as_str()?.to_owned(),
            path,
        })
    }

    async fn play(
        &self,
        nodes: &Nodes,
        random: &mut ChaCha8Rng,
        course: &Course,
    ) -> Vec<(u64, Value)> {
        let mut acknowledged = Vec::new();
        loop {
            let view = |client: &Client, url: &str| {
                let view = client.get(format!("{url}{}/view?include=actions", self.path));
                view.bearer_auth(&self.seat)
            };
            let (_, view, attempts) = nodes.ask(random, view).await;
            course.noticed(attempts);
            if view["status"] == "finished" || course.is_over() {
                return acknowledged;
            }
            let choices = view["decisions"][0]["choices"].as_array().unwrap();
            let choice = &choices[random.random_range(0..choices.len())]["id"];
            let key = format!("move-{}", acknowledged.len());
            let make = |client: &Client, url: &str| {
                let make = client.post(format!("{url}{}/moves", self.path));
                let make = make.json(&json!({"id": choice})).bearer_auth(&self.seat);
                make.header("idempotency-key", &key)
            };
            let (status, receipt, attempts) = nodes.ask(random, make).await;
            assert!(status.is_success(), "{receipt}");
            course.moves.fetch_add(1, Ordering::Relaxed);
            course.noticed(attempts);
            let version = receipt["version"].as_u64().unwrap();
            acknowledged.push((version, receipt["events"].clone()));
        }
    }

    /// As those know it who have no seat.
    async fn history(&self, nodes: &Nodes, random: &mut ChaCha8Rng) -> Vec<Value> {
        self.pages(nodes, random, None).await
    }

    /// As the player knows it.
    async fn told(&self, nodes: &Nodes, random: &mut ChaCha8Rng) -> Vec<Value> {
        self.pages(nodes, random, Some(&self.seat)).await
    }

    async fn pages(
        &self,
        nodes: &Nodes,
        random: &mut ChaCha8Rng,
        token: Option<&str>,
    ) -> Vec<Value> {
        let mut history: Vec<Value> = Vec::new();
        loop {
            let after = history.len();
            let page = |client: &Client, url: &str| {
                let page = client.get(format!("{url}{}/events?limit=100&after={after}", self.path));
                match token {
                    Some(token) => page.bearer_auth(token),
                    None => page,
                }
            };
            let (_, page, _) = nodes.ask(random, page).await;
            history.extend(page["items"].as_array().unwrap().clone());
            if page["next"].is_null() {
                return history;
            }
        }
    }

    /// Ends the stream of whoever still watches.
    async fn remove(&self, nodes: &Nodes, random: &mut ChaCha8Rng) {
        let remove = |client: &Client, url: &str| {
            let remove = client.delete(format!("{url}{}", self.path));
            let remove = remove.bearer_auth(&self.owner);
            remove.header("idempotency-key", "remove")
        };
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            let url = nodes.url(random);
            let removed = remove(&nodes.client, &url).send().await;
            match removed.map(|answer| answer.status()) {
                Ok(StatusCode::NO_CONTENT) => return,
                Ok(StatusCode::SERVICE_UNAVAILABLE) | Err(_) => sleep(SETTLE).await,
                Ok(other) => panic!("{other}"),
            }
        }
    }
}

/// Reads the stream of a viewer without a seat, from one node after the other.
async fn watch(nodes: Nodes, path: String, seed: u64) -> Vec<Value> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    // A client of its own: streams have no time-out.
    let url = || format!("{}{path}/events", nodes.url(&mut random));
    follow(&Client::new(), url, PATIENCE).await
}

/// Ordered from a node that will not live long.
async fn order_simulation(nodes: &Nodes) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let wanted = json!({"game": "magic-dragon", "players": ["random", "random"], "games": 300});
    let order =
        |client: &Client, url: &str| client.post(format!("{url}/v1/simulations")).json(&wanted);
    let (status, ordered, _) = nodes.ask(&mut random, order).await;
    assert!(status.is_success(), "{ordered}");
    ordered["id"].as_str().unwrap().to_owned()
}

async fn finished_by_another_node(nodes: &Nodes, id: &str) {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let began = Instant::now();
    loop {
        let look = |client: &Client, url: &str| client.get(format!("{url}/v1/simulations/{id}"));
        let (_, found, _) = nodes.ask(&mut random, look).await;
        match found["status"].as_str() {
            Some("finished") => return assert_eq!(found["played"], 300),
            // More nodes than that have been killed while they played it.
            Some("failed") => return,
            _ => assert!(
                began.elapsed() < PATIENCE,
                "a simulation is abandoned: {found}"
            ),
        }
        sleep(SETTLE).await;
    }
}

//! The load: connections that play game after game, with both seats of their own sessions, or only call an echo.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::client::Client;

#[derive(Debug, Clone)]
pub struct Plan {
    pub game: String,
    /// What moves ask for, besides their receipt.
    pub include: String,
    pub echo: bool,
    pub connections: usize,
    /// Polls for responses without sleeping (for a client with a core of its own).
    pub awake: bool,
    /// The server program. Defaults to the one that was built with this bench.
    pub server: Option<String>,
    pub warm_up: Duration,
    pub measured: Duration,
}

/// The result of one run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Rates {
    /// Moves (or calls of an echo) in the measured time.
    pub moves: usize,
    pub seconds: f64,
    /// Number of all moves including the warm-up, to which the server's CPU time refers.
    pub moves_in_all: usize,
    /// CPU time of the server, from before the first to after the last move.
    pub server_cpu: f64,
    /// The latency of moves.
    pub median_us: f64,
    pub p99_us: f64,
}

/// The body of an echo request, as long as a move.
const CALL: &str = r#"{"id":"12.1.3"}"#;

/// Prints its [`Rates`] as JSON; the caller fills in the server's CPU time.
pub fn run(address: &str, plan: &Plan) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let rates = runtime.block_on(async {
        if plan.awake {
            tokio::spawn(stay_awake());
        }
        let began = Instant::now();
        let players = (0..plan.connections).map(|_| {
            let player = Player::new(plan, began);
            tokio::spawn(player.play(address.to_owned()))
        });
        let mut times = Vec::new();
        let mut moves_in_all = 0;
        for player in players.collect::<Vec<_>>() {
            let player = player.await.expect("a connection plays to the end");
            times.extend(player.times);
            moves_in_all += player.moves;
        }
        rates(times, moves_in_all, plan)
    });
    println!("{}", serde_json::to_string(&rates).expect("JSON"));
}

/// The server has to wake a sleeping client with an interrupt of another core, which on a virtual machine costs as much
/// as the rest of the response. A server that is fast enough to keep the client busy never pays this price, so the
/// comparison with a floor would be unfair.
async fn stay_awake() {
    loop {
        tokio::task::yield_now().await;
    }
}

fn rates(mut times: Vec<Duration>, moves_in_all: usize, plan: &Plan) -> Rates {
    times.sort_unstable();
    let at = |share: f64| {
        let time = times.get((times.len() as f64 * share) as usize);
        time.copied().unwrap_or_default().as_secs_f64() * 1e6
    };
    Rates {
        moves: times.len(),
        seconds: plan.measured.as_secs_f64(),
        moves_in_all,
        server_cpu: 0.0,
        median_us: at(0.5),
        p99_us: at(0.99),
    }
}

struct Player {
    plan: Plan,
    began: Instant,
    times: Vec<Duration>,
    moves: usize,
}

impl Player {
    fn new(plan: &Plan, began: Instant) -> Player {
        Player {
            plan: plan.clone(),
            began,
            times: Vec::new(),
            moves: 0,
        }
    }

    async fn play(mut self, address: String) -> Player {
        let mut client = Client::connect(&address).await;
        while !self.is_over() {
            match self.plan.echo {
                true => self.echo(&mut client).await,
                false => self.game(&mut client).await,
            }
        }
        self
    }

    fn is_over(&self) -> bool {
        self.began.elapsed() > self.plan.warm_up + self.plan.measured
    }

    fn note(&mut self, sent: Instant) {
        self.moves += 1;
        let at = self.began.elapsed();
        if at > self.plan.warm_up && !self.is_over() {
            self.times.push(sent.elapsed());
        }
    }

    async fn echo(&mut self, client: &mut Client) {
        let sent = Instant::now();
        let path = "/v1/sessions/0123456789012345678901/moves";
        client.call("POST", path, TOKEN, CALL).await;
        self.note(sent);
    }

    async fn game(&mut self, client: &mut Client) {
        let order = format!(r#"{{"game":"{}","seats":["open","open"]}}"#, self.plan.game);
        let session = parsed(client.call("POST", "/v1/sessions", "", &order).await);
        let path = format!("/v1/sessions/{}", session["id"].as_str().expect("an id"));
        let mut tokens = Vec::new();
        for seat in 1..=2 {
            let path = format!("{path}/seats/{seat}");
            let claimed = parsed(client.call("PUT", &path, "", "{}").await);
            tokens.push(claimed["token"].as_str().expect("a token").to_owned());
        }
        let look = client.call("GET", &path, "", "").await;
        let (mut version, mut owing) = (
            number(look, VERSION).expect("a version"),
            number(look, OWING),
        );
        let path = match self.plan.include.as_str() {
            "" => format!("{path}/moves"),
            parts => format!("{path}/moves?include={parts}"),
        };
        while let Some(seat) = owing {
            let token = tokens.get(seat as usize - 1).expect("both seats are ours");
            let choice = format!(r#"{{"id":"{version}.{seat}.0"}}"#);
            let sent = Instant::now();
            let answer = client.call("POST", &path, token, &choice).await;
            (version, owing) = (
                number(answer, VERSION).expect("a version"),
                number(answer, OWING),
            );
            self.note(sent);
            if self.is_over() {
                return;
            }
        }
    }
}

/// As long as a real one.
const TOKEN: &str = "wyrm_seat_0123456789012345678901234567890123456789012";
const VERSION: &str = "\"version\":";
const OWING: &str = "\"owing\":[";

fn parsed(answer: &str) -> Value {
    serde_json::from_str(answer).expect("an answer in JSON")
}

/// Returns the number after a name. Parsing whole responses would cost the load more than the server.
fn number(answer: &str, name: &str) -> Option<u64> {
    let (_, after) = answer.split_once(name)?;
    let end = after.find(|c: char| !c.is_ascii_digit())?;
    after[..end].parse().ok()
}

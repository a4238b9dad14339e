//! Measures the cost of a move over HTTP, beside floors that do less: moves per second and CPU second, and latency.
//!
//! `cargo bench --bench http` starts, one after the other and for several rounds, servers on one core and the load (and Redis)
//! on another, on this machine alone, and prints each rate, and its ratio to its floor within the same round:
//!
//! | Server | Does | Floor |
//! | --- | --- | --- |
//! | `echo` | parses a move as JSON and answers with one as long as a receipt, in bare actix-web | |
//! | `script` | the same, and one Redis script that compares, replaces, logs and expires | |
//! | `grouped` | the same, and one durable redb transaction for up to 16 waiting requests | |
//! | `memory`, `redis`, `embedded` | `wyrmgate serve` with that store | the three above, in this order |
//!
//! `cargo bench --bench http -- --help` tells the settings.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark may stop at the first surprise"
)]

mod client;
mod floors;
mod load;
mod redis;
mod server;
mod table;

use std::time::Duration;

use clap::Parser;

use crate::load::Plan;
use crate::server::Kind;
use crate::table::Measured;

/// The same for the floors as for what is measured against them.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Moves per second over HTTP, beside floors that do less
#[derive(Debug, Parser)]
#[command(name = "cargo bench --bench http --")]
struct Settings {
    /// Only these servers, with their floors: memory, redis, embedded
    #[arg(value_name = "STORE")]
    stores: Vec<Kind>,
    /// The game that is played, one with two seats
    #[arg(long, default_value = "way-of-the-dragon")]
    game: String,
    /// Connections at once; one more run has a single connection, for the time that one move takes
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// Rounds; what is printed are medians
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Seconds that each server is measured in a round
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Moves ask for parts of the game after them, such as `actions,view`
    #[arg(long, default_value = "")]
    include: String,
    /// The load sleeps until there is an answer, also where it need not
    #[arg(long)]
    asleep: bool,
    /// The program to measure [the one that was built with this bench]
    #[arg(long, value_name = "PROGRAM")]
    server: Option<String>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    #[arg(long, hide = true)]
    bench: bool,
    /// Be this server; the bench starts itself so
    #[arg(long, hide = true)]
    floor: Option<Kind>,
    /// Be the load on this address; the bench starts itself so
    #[arg(long, hide = true)]
    load: Option<String>,
    #[arg(long, hide = true)]
    echo: bool,
    /// The load never sleeps
    #[arg(long, hide = true)]
    awake: bool,
    #[arg(long, hide = true)]
    redis: Option<String>,
}

fn main() {
    let settings = Settings::parse();
    if let Some(kind) = settings.floor {
        return floors::serve(kind, settings.redis.as_deref()).expect("the floor serves");
    }
    let plan = Plan {
        game: settings.game.clone(),
        include: settings.include.clone(),
        echo: settings.echo,
        connections: settings.connections,
        awake: settings.awake || (settings.load.is_none() && !settings.asleep),
        server: settings.server.clone(),
        warm_up: Duration::from_secs_f64(settings.seconds / 4.0),
        measured: Duration::from_secs_f64(settings.seconds),
    };
    match settings.load {
        Some(address) => load::run(&address, &plan),
        None => compare(&settings, &plan),
    }
}

fn compare(settings: &Settings, plan: &Plan) {
    let stores = match settings.stores.is_empty() {
        true => vec![Kind::Memory, Kind::Redis, Kind::Embedded],
        false => settings.stores.clone(),
    };
    let servers: Vec<Kind> = stores
        .iter()
        .flat_map(|store| [store.floor(), *store])
        .collect();
    let mut measured = Vec::new();
    for round in 1..=settings.rounds {
        for kind in &servers {
            eprintln!("round {round} of {}: {}", settings.rounds, kind.name());
            let many = server::measure(*kind, plan);
            let one = server::measure(
                *kind,
                &Plan {
                    connections: 1,
                    ..plan.clone()
                },
            );
            measured.push(Measured {
                kind: *kind,
                many,
                one,
            });
        }
    }
    match settings.json {
        true => println!("{}", table::json(plan, &servers, &measured)),
        false => table::print(plan, &servers, &measured),
    }
}

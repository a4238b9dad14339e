//! `wyrmgate serve`: the service.

use std::io::{self, Write};
use std::path::PathBuf;

use super::setup::is_coloured;
use super::{Stop, Verdict};
use crate::api::{self, Running};
use crate::config::Config;

const EXAMPLES: &str = "\
Examples:
  wyrmgate serve
  wyrmgate serve --listen 127.0.0.1:9000 --rules my-rules
  wyrmgate serve --store memory
  WYRMGATE_STORE=redis://127.0.0.1/ wyrmgate serve
  WYRMGATE_LOG=info wyrmgate serve

Problems are logged to standard error; WYRMGATE_LOG says from which level on (error, warn, info, debug, trace).
Ctrl-C or SIGTERM stops the service when the requests under way are answered.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Address and port; port 0 takes any free one
    #[arg(
        long,
        env = "WYRMGATE_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS"
    )]
    listen: String,
    /// The folder with one folder a game
    #[arg(
        long,
        env = "WYRMGATE_RULES",
        default_value = "rules",
        value_name = "DIR"
    )]
    rules: PathBuf,
    /// Where sessions are kept: `memory`, `embedded:PATH` or `redis://HOST`
    #[arg(
        long,
        env = "WYRMGATE_STORE",
        default_value = "embedded:wyrmgate.redb",
        value_name = "STORE"
    )]
    store: String,
    /// Threads that serve requests; as many as there are cores, if not stated
    #[arg(long, env = "WYRMGATE_WORKERS", value_name = "N")]
    workers: Option<usize>,
}

pub fn run(args: Args) -> Result<Verdict, Stop> {
    let defaults = Config::default();
    let config = Config {
        listen: args.listen,
        rules: args.rules,
        store: args.store,
        workers: args.workers.unwrap_or(defaults.workers),
        ..defaults
    };
    tracing_subscriber::fmt()
        .with_env_filter(log_filter())
        .with_writer(std::io::stderr)
        .init();
    api::serve(config, announce).map_err(Stop::failure)?;
    Ok(Verdict::Good)
}

/// What is logged: `WYRMGATE_LOG`, or what an operator has to know.
fn log_filter() -> tracing_subscriber::EnvFilter {
    let wanted = std::env::var("WYRMGATE_LOG").unwrap_or_else(|_| "warn".into());
    tracing_subscriber::EnvFilter::new(wanted)
}

fn announce(running: &Running) {
    for broken in &running.broken {
        eprint!(
            "{}",
            broken
                .report
                .render(&broken.sources, is_coloured(&std::io::stderr()))
        );
        eprintln!("warning: `{}` has errors and is not offered", broken.name);
    }
    let (games, address) = (running.games.join(", "), running.address);
    // Whoever read this may have gone; that is no reason not to serve.
    let _ = writeln!(
        io::stdout(),
        "wyrmgate serves {games}\n  listening on  http://{address}\n  documentation http://{address}/docs/"
    );
}

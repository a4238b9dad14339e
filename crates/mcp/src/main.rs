//! `wyrmgate-mcp`: language models play on any server of Wyrmgate (Model Context Protocol).

use std::fmt::Display;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Parser;
use tokio::net::TcpListener;
use wyrmgate_mcp::{Api, Endpoint, serve};

const EXAMPLES: &str = "\
Examples:
  wyrmgate-mcp
  wyrmgate-mcp --server https://play.example.org
  WYRMGATE_KEY=wg_key_… wyrmgate-mcp --server https://play.example.org
  wyrmgate-mcp --listen 127.0.0.1:8090

A client for language models runs this program and talks to it over standard input and output. With --listen it serves many \
clients at `/mcp`. Either way it plays on a running server (`wyrmgate serve`); see docs/language-models.md.";

/// Lets language models play on a server of Wyrmgate
#[derive(Parser)]
#[command(name = "wyrmgate-mcp", version, after_help = EXAMPLES)]
struct Args {
    /// Server to play on
    #[arg(
        long,
        env = "WYRMGATE_SERVER",
        value_name = "URL",
        default_value = "http://127.0.0.1:8080"
    )]
    server: String,
    /// Operator key, if the server requires one to create tables. With --listen, each client sends its own
    #[arg(
        long,
        env = "WYRMGATE_KEY",
        value_name = "KEY",
        hide_env_values = true,
        conflicts_with = "listen"
    )]
    key: Option<String>,
    /// Serve many clients at `/mcp` of this address, such as 127.0.0.1:8090
    #[arg(long, env = "WYRMGATE_MCP_LISTEN", value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// Origin of web pages that may use it, such as https://example.org; can be repeated
    #[arg(long, value_name = "ORIGIN", requires = "listen")]
    allow_origin: Vec<String>,
    /// Number of reverse proxies in front of this program, each of which names its client in `X-Forwarded-For`
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "listen")]
    proxies: usize,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let api = match Api::at(&args.server, args.key.as_deref()) {
        Ok(api) => api,
        Err(error) => return complain(2, error),
    };
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return complain(1, error),
    };
    let ended = runtime.block_on(async {
        match args.listen {
            Some(address) => {
                listen(address, Endpoint::new(api, args.allow_origin, args.proxies)).await
            }
            None => serve(api).await,
        }
    });
    // Reading standard input cannot be interrupted; the process ends all the same.
    runtime.shutdown_background();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => complain(1, error),
    }
}

/// Serves until the process is interrupted.
async fn listen(address: SocketAddr, endpoint: Endpoint) -> Result<(), String> {
    let said = |error: io::Error| format!("cannot listen on {address}: {error}");
    let listener = TcpListener::bind(address).await.map_err(said)?;
    let bound = listener.local_addr().map_err(said)?;
    // Without somebody who reads it, it serves all the same.
    let _ = writeln!(io::stdout(), "listening on http://{bound}/mcp");
    tokio::select! {
        () = endpoint.serve(listener) => Ok(()),
        interrupted = tokio::signal::ctrl_c() => interrupted.map_err(|error| error.to_string()),
    }
}

fn complain(code: u8, error: impl Display) -> ExitCode {
    let _ = writeln!(io::stderr(), "wyrmgate-mcp: {error}");
    ExitCode::from(code)
}

//! Settings of the service. Each has a default and a description.
//!
//! The order of precedence is: a flag, its environment variable, the file named by `--config`, the default. The command names the
//! variables.

mod file;
mod rates;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{RangedU64ValueParser, TypedValueParser};
use clap::{Args, Command, FromArgMatches};

use wyrmgate_sessions::webhook_sender::{Exempt, Ports};

pub use file::{SettingsError, SettingsFile};
pub use rates::{Bucket, Rate, RateOf, Rates};
pub use values::{PageOrigin, duration};

/// Every setting. The default serves `rules/` on the loopback interface. A YAML file uses the names of the flags, with `_` for
/// `-`.
#[derive(Debug, Clone, Args)]
pub struct Config {
    /// Address and port to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: String,
    /// Folder of rules, one folder per game
    #[arg(long, value_name = "DIR", default_value = "rules")]
    pub rules: PathBuf,
    /// Session store: `memory`, `embedded:PATH`, `redis://HOST` or `redis+cluster://HOST:PORT,HOST:PORT`; see
    /// docs/storage.md
    #[arg(long, value_name = "STORE", default_value = "embedded:wyrmgate.redb")]
    pub store: String,
    /// Number of threads that serve requests [default: number of cores]
    #[arg(long, value_name = "N", default_value_t = cores(), hide_default_value = true, value_parser = workers())]
    pub workers: usize,
    /// Delete a session after this time without changes
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30d")]
    pub session_lifetime: Duration,
    /// Maximum size of a request body in bytes
    #[arg(long, value_name = "BYTES", default_value = "65536")]
    pub body_max: usize,
    /// Maximum time for a request body to arrive
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s")]
    pub body_deadline: Duration,
    /// Interval between keep-alive comments on open streams
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "15s")]
    pub heartbeat: Duration,
    /// Close a stream whose reader falls this many changes behind; the reader then resynchronizes
    #[arg(long, value_name = "N", default_value = "1000")]
    pub stream_behind: u64,
    /// Time that running requests get to finish when the server stops
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "2s")]
    pub stop_deadline: Duration,
    /// Log level: error, warn, info (logs every request), debug or trace
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    pub log: String,
    /// Format of the log on standard error
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub log_format: LogFormat,
    /// Origins of web pages that may call the server (CORS), separated by commas [default: none]
    #[arg(long, value_name = "ORIGINS", value_delimiter = ',')]
    pub allow_origins: Vec<PageOrigin>,
    #[command(flatten)]
    pub credentials: CredentialFiles,
    /// Accept connections from other machines even without API keys
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL", action = clap::ArgAction::Set, default_value = "false")]
    pub open: bool,
    /// Rate limits per client: `create=60/m,list=3000/m,move=600/m,stream=600/m,upload=30/m,step=3000/m` [default: these, for other
    /// machines only; limits that you set also apply to loopback clients]
    #[arg(
        long,
        value_name = "RATES",
        default_value = "",
        hide_default_value = true
    )]
    pub rates: Rates,
    /// Number of trusted proxies in front of the server; the client address is taken from `X-Forwarded-For`
    #[arg(long, value_name = "N", default_value = "0")]
    pub proxies: usize,
    /// Enable webhooks: session owners can register URLs that the server calls on events
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL", action = clap::ArgAction::Set, default_value = "false")]
    pub webhooks: bool,
    /// Webhook targets to allow besides https servers on the public internet: origins (`http://127.0.0.1:9000`), hosts and
    /// networks (`10.0.0.0/8`), separated by commas [default: none]
    #[arg(long, value_name = "TARGETS", value_delimiter = ',')]
    pub webhook_allow: Vec<Exempt>,
    /// Ports that webhooks may call, such as `443,8000-8999`
    #[arg(
        long,
        value_name = "PORTS",
        value_delimiter = ',',
        default_value = "443"
    )]
    pub webhook_ports: Vec<Ports>,
    /// Delay before the first retry of a failed webhook; it triples after each further failure
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    pub webhook_retry: Duration,
    /// Disable a webhook that has failed for this long
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "3d")]
    pub webhook_give_up: Duration,
    #[command(flatten)]
    pub pages: Pages,
    /// Texts that seats write as part of a game: `on`, `off`, or a file of forbidden words, one a line
    #[arg(long, value_name = "on|off|FILE", default_value = "on")]
    pub free_text: String,
    /// URL of an OpenTelemetry collector (OTLP over HTTP), such as `http://127.0.0.1:4318`, that receives a span per
    /// request. Requires a build with the feature `otel` [default: none]
    #[arg(long, value_name = "URL")]
    pub otlp: Option<String>,
}

/// The files that say whose credentials the server accepts.
#[derive(Debug, Clone, Default, Args)]
pub struct CredentialFiles {
    /// YAML file of API keys (see `wyrmgate key`). With it, creating sessions, uploading rules and the like require a key
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// YAML file of issuers whose signed tokens (JWT) say who a player is
    #[arg(long, value_name = "FILE")]
    pub issuers: Option<PathBuf>,
}

/// Where the page with which people play is shown, and where links lead.
#[derive(Debug, Clone, Default, Args)]
pub struct Pages {
    /// Serve the API alone, without the page at `/` with which people play
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL", action = clap::ArgAction::Set, default_value = "false")]
    pub no_pages: bool,
    /// Origins of web pages that may show a table in a frame, from `/embed/`, separated by commas [default: none]
    #[arg(long, value_name = "ORIGINS", value_delimiter = ',')]
    pub embed_origins: Vec<PageOrigin>,
    /// Public URL of the server, such as `https://play.example.org`, for links in webhooks [default: relative links]
    #[arg(long, value_name = "ORIGIN")]
    pub public_url: Option<PageOrigin>,
}

/// Format of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Readable text.
    Text,
    /// One JSON object per line.
    Json,
}

/// More threads than this are more than the server can count.
const WORKERS_MAX: u64 = 512;

fn workers() -> impl TypedValueParser<Value = usize> {
    RangedU64ValueParser::from(1..=WORKERS_MAX)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

/// The settings alone as a command.
fn settings() -> Command {
    Config::augment_args(Command::new("settings").no_binary_name(true))
}

impl Default for Config {
    fn default() -> Self {
        let read = settings().try_get_matches_from([""; 0]);
        let read = read.and_then(|matches| Config::from_arg_matches(&matches));
        read.unwrap_or_else(|error| error.exit())
    }
}

//! Settings of the service. Each has a default and a description.
//!
//! The order of precedence is: a flag, its environment variable, the file named by `--config`, the default.
//! [`Settings`] is one such layer, and [`Config`] is the result of combining them.

mod rates;
mod settings;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use wyrmgate_sessions::webhook_sender::{Exempt, Ports};

pub use rates::{Bucket, Rate, RateOf, Rates};
pub use settings::{LogFormat, Settings, SettingsError};
pub use values::{Lasting, Origin};

/// The complete configuration. The default serves `rules/` on the loopback interface.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address and port to listen on. Port 0 picks a free port.
    pub listen: String,
    /// The rules folder, with one folder per game.
    pub rules: PathBuf,
    /// `memory`, `embedded:PATH`, `redis://HOST` or `redis+cluster://HOST:PORT,HOST:PORT`.
    pub store: String,
    /// Number of threads that serve requests.
    pub workers: usize,
    /// A session expires after this time without changes.
    pub session_lifetime: Duration,
    /// Maximum size of a request body, in bytes.
    pub body_max: usize,
    /// Maximum time for a request body to arrive.
    pub body_deadline: Duration,
    /// Interval between keep-alive comments on open streams.
    pub heartbeat: Duration,
    /// Number of changes after which a stream that lags behind receives `resync` and ends.
    pub stream_behind: u64,
    /// Time that running requests have to finish when the service stops.
    pub stop_deadline: Duration,
    /// Log filter: a level, or `target=level,…`.
    pub log: String,
    pub log_format: LogFormat,
    /// Origins whose pages may call the service from a browser. Empty by default.
    pub allow_origins: Vec<Origin>,
    /// The file of operator keys. Without one, everyone may create sessions, upload rules and so on.
    pub keys: Option<PathBuf>,
    /// Whether to serve other machines even without keys.
    pub open: bool,
    pub rates: Rates,
    /// Number of trusted proxies in front of the server. The client address is taken from `X-Forwarded-For`.
    pub proxies: usize,
    /// Whether language models can play at `/mcp`, in builds with the feature `mcp`.
    pub mcp: bool,
    /// Whether owners of sessions can register webhooks.
    pub webhooks: bool,
    /// Webhook targets that are allowed although the general rules forbid them.
    pub webhook_allow: Vec<Exempt>,
    /// Ports that webhooks may use.
    pub webhook_ports: Vec<Ports>,
    /// Delay before the first retry of a failed webhook. It triples after each further failure.
    pub webhook_retry: Duration,
    /// A webhook that has failed for this long is disabled.
    pub webhook_give_up: Duration,
    /// Whether to serve the page at `/` with which people play.
    pub pages: bool,
    /// The public URL of this service, for links in messages.
    pub public_url: Option<Origin>,
    /// The collector that receives spans.
    pub otlp: Option<String>,
}

impl Default for Config {
    fn default() -> Self {
        Settings::default().resolve()
    }
}

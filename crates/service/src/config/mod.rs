//! Settings of the service, each with a default and a sentence.
//!
//! One precedence for all of them: a flag, else its environment variable, else the file named by `--config`, else the
//! default. [`Settings`] is one such layer, and [`Config`] is what they come to.

mod outbound;
mod rates;
mod settings;
mod values;

use std::path::PathBuf;
use std::time::Duration;

pub use outbound::{Exempt, Network, Ports};
pub use rates::{Bucket, Rate, RateOf, Rates};
pub use settings::{LogFormat, Settings, SettingsError};
pub use values::{Lasting, Origin};

/// Everything that can be set. The default serves `rules/` from this machine to itself.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address and port to listen on; port 0 takes any free one.
    pub listen: String,
    /// The folder with one folder a game.
    pub rules: PathBuf,
    /// `memory`, `embedded:PATH`, `redis://HOST` or `redis+cluster://HOST:PORT,HOST:PORT`.
    pub store: String,
    /// Threads that serve requests.
    pub workers: usize,
    /// A session nobody changes for so long is forgotten.
    pub session_lifetime: Duration,
    /// The most bytes of a request's body.
    pub body_max: usize,
    /// A body that takes longer to arrive is refused.
    pub body_deadline: Duration,
    /// Open streams get a comment so often.
    pub heartbeat: Duration,
    /// A reader of a stream that was up to date and falls so many changes behind has to begin anew.
    pub stream_behind: u64,
    /// Running requests get so long to end when the service stops.
    pub stop_deadline: Duration,
    /// What is logged: a level, or `target=level,…`.
    pub log: String,
    pub log_format: LogFormat,
    /// Pages of these origins may call the service from a browser; none by default.
    pub allow_origins: Vec<Origin>,
    /// The file of keys that may create sessions, upload rules and so on; without one everybody may.
    pub keys: Option<PathBuf>,
    /// Serve other machines although there are no keys.
    pub open: bool,
    pub rates: Rates,
    /// Requests from this machine are counted too: so it is once a rate was stated.
    pub limit_loopback: bool,
    /// So many proxies stand in front, and tell in `X-Forwarded-For` who asks.
    pub proxies: usize,
    /// Owners of sessions may have servers of their choice called when something happens.
    pub webhooks: bool,
    /// Who may be called although strangers' addresses like it may not.
    pub webhook_allow: Vec<Exempt>,
    /// The ports at which strangers' servers are called.
    pub webhook_ports: Vec<Ports>,
    /// How long to wait after the first failed attempt; three times as long after each further one.
    pub webhook_retry: Duration,
    /// A receiver that has failed for so long is not called any more.
    pub webhook_give_up: Duration,
    /// Where this service is found from outside, for links in messages.
    pub public_url: Option<Origin>,
    /// The collector that spans are sent to.
    pub otlp: Option<String>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            listen: "127.0.0.1:8080".into(),
            rules: "rules".into(),
            store: "embedded:wyrmgate.redb".into(),
            workers: std::thread::available_parallelism().map_or(2, usize::from),
            session_lifetime: Duration::from_secs(30 * 24 * 3600),
            body_max: 64 * 1024,
            body_deadline: Duration::from_secs(10),
            heartbeat: Duration::from_secs(15),
            stream_behind: 1_000,
            stop_deadline: Duration::from_secs(2),
            log: "warn".into(),
            log_format: LogFormat::Text,
            allow_origins: Vec::new(),
            keys: None,
            open: false,
            rates: Rates::default(),
            limit_loopback: false,
            proxies: 0,
            webhooks: false,
            webhook_allow: Vec::new(),
            webhook_ports: vec![Ports::only(443)],
            webhook_retry: Duration::from_secs(5),
            webhook_give_up: Duration::from_secs(3 * 24 * 3600),
            public_url: None,
            otlp: None,
        }
    }
}

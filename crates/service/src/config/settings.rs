//! One layer of settings: flags and environment variables, or a file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::Config;
use super::rates::{RateOf, Rates};
use super::values::{Lasting, Origin};
use wyrmgate_sessions::webhook_sender::{Exempt, Ports};

/// Every setting. An unset one falls through to the layer below. A YAML file uses the names of the flags, with `_` for
/// `-`.
#[derive(Debug, Clone, Default, clap::Args, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Address and port to listen on; port 0 picks a free port [default: 127.0.0.1:8080]
    #[arg(long, env = "WYRMGATE_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<String>,
    /// Folder of rules, one folder per game [default: rules]
    #[arg(long, env = "WYRMGATE_RULES", value_name = "DIR")]
    pub rules: Option<PathBuf>,
    /// Session store: `memory`, `embedded:PATH`, `redis://HOST` or `redis+cluster://HOST:PORT,HOST:PORT`; see
    /// docs/storage.md [default: embedded:wyrmgate.redb]
    #[arg(long, env = "WYRMGATE_STORE", value_name = "STORE")]
    pub store: Option<String>,
    /// Number of threads that serve requests [default: number of cores]
    #[arg(long, env = "WYRMGATE_WORKERS", value_name = "N")]
    pub workers: Option<usize>,
    /// Delete a session after this time without changes [default: 30d]
    #[arg(long, env = "WYRMGATE_SESSION_LIFETIME", value_name = "TIME")]
    pub session_lifetime: Option<Lasting>,
    /// Maximum size of a request body in bytes [default: 65536]
    #[arg(long, env = "WYRMGATE_BODY_MAX", value_name = "BYTES")]
    pub body_max: Option<usize>,
    /// Maximum time for a request body to arrive [default: 10s]
    #[arg(long, env = "WYRMGATE_BODY_DEADLINE", value_name = "TIME")]
    pub body_deadline: Option<Lasting>,
    /// Interval between keep-alive comments on open streams [default: 15s]
    #[arg(long, env = "WYRMGATE_HEARTBEAT", value_name = "TIME")]
    pub heartbeat: Option<Lasting>,
    /// Close a stream whose reader falls this many changes behind; the reader then resynchronizes [default: 1000]
    #[arg(long, env = "WYRMGATE_STREAM_BEHIND", value_name = "N")]
    pub stream_behind: Option<u64>,
    /// Time that running requests get to finish when the server stops [default: 2s]
    #[arg(long, env = "WYRMGATE_STOP_DEADLINE", value_name = "TIME")]
    pub stop_deadline: Option<Lasting>,
    /// Log level: error, warn, info (logs every request), debug or trace [default: warn]
    #[arg(long, env = "WYRMGATE_LOG", value_name = "LEVEL")]
    pub log: Option<String>,
    /// Format of the log on standard error [default: text]
    #[arg(long, env = "WYRMGATE_LOG_FORMAT", value_name = "FORM")]
    pub log_format: Option<LogFormat>,
    /// Origins of web pages that may call the server (CORS), separated by commas [default: none]
    #[arg(
        long,
        env = "WYRMGATE_ALLOW_ORIGINS",
        value_name = "ORIGINS",
        value_delimiter = ','
    )]
    pub allow_origins: Option<Vec<Origin>>,
    /// YAML file of API keys (see `wyrmgate key`). With it, creating sessions, uploading rules and the like require a key
    #[arg(long, env = "WYRMGATE_KEYS", value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// Accept connections from other machines even without API keys [default: false]
    #[arg(long, env = "WYRMGATE_OPEN", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub open: Option<bool>,
    /// Rate limits per client: `create=60/m,list=3000/m,move=600/m,stream=600/m,upload=30/m,step=3000/m` [default: these, for other
    /// machines only; limits that you set also apply to loopback clients]
    #[arg(
        long,
        env = "WYRMGATE_RATES",
        value_name = "RATES",
        value_delimiter = ','
    )]
    pub rates: Option<Vec<RateOf>>,
    /// Number of trusted proxies in front of the server; the client address is taken from `X-Forwarded-For` [default: 0]
    #[arg(long, env = "WYRMGATE_PROXIES", value_name = "N")]
    pub proxies: Option<usize>,
    /// Let language models play at `/mcp` (Model Context Protocol); requires a build with the feature `mcp` [default: true]
    #[arg(long, env = "WYRMGATE_MCP", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub mcp: Option<bool>,
    /// Enable webhooks: session owners can register URLs that the server calls on events [default: false]
    #[arg(long, env = "WYRMGATE_WEBHOOKS", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub webhooks: Option<bool>,
    /// Webhook targets to allow besides https servers on the public internet: origins (`http://127.0.0.1:9000`), hosts and
    /// networks (`10.0.0.0/8`), separated by commas [default: none]
    #[arg(
        long,
        env = "WYRMGATE_WEBHOOK_ALLOW",
        value_name = "TARGETS",
        value_delimiter = ','
    )]
    pub webhook_allow: Option<Vec<Exempt>>,
    /// Ports that webhooks may call, such as `443,8000-8999` [default: 443]
    #[arg(
        long,
        env = "WYRMGATE_WEBHOOK_PORTS",
        value_name = "PORTS",
        value_delimiter = ','
    )]
    pub webhook_ports: Option<Vec<Ports>>,
    /// Delay before the first retry of a failed webhook; it triples after each further failure [default: 5s]
    #[arg(long, env = "WYRMGATE_WEBHOOK_RETRY", value_name = "TIME")]
    pub webhook_retry: Option<Lasting>,
    /// Disable a webhook that has failed for this long [default: 3d]
    #[arg(long, env = "WYRMGATE_WEBHOOK_GIVE_UP", value_name = "TIME")]
    pub webhook_give_up: Option<Lasting>,
    /// Serve the API alone, without the page at `/` with which people play [default: false]
    #[arg(long, env = "WYRMGATE_NO_PAGES", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub no_pages: Option<bool>,
    /// Public URL of the server, such as `https://play.example.org`, for links in webhooks [default: relative links]
    #[arg(long, env = "WYRMGATE_PUBLIC_URL", value_name = "ORIGIN")]
    pub public_url: Option<Origin>,
    /// URL of an OpenTelemetry collector (OTLP over HTTP), such as `http://127.0.0.1:4318`, that receives a span per
    /// request. Requires a build with the feature `otel` [default: none]
    #[arg(long, env = "WYRMGATE_OTLP", value_name = "URL")]
    pub otlp: Option<String>,
}

/// Format of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Readable text.
    Text,
    /// One JSON object per line.
    Json,
}

/// Why a settings file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("cannot read {0}: {1}")]
    Unreadable(String, std::io::Error),
    #[error("{0}: {1}")]
    Malformed(String, String),
}

impl Settings {
    /// Reads the settings of a YAML file.
    pub fn read(file: &Path) -> Result<Settings, SettingsError> {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file)
            .map_err(|error| SettingsError::Unreadable(name.clone(), error))?;
        if text.trim().is_empty() {
            return Ok(Settings::default());
        }
        serde_yaml::from_str(&text)
            .map_err(|error| SettingsError::Malformed(name, error.to_string()))
    }

    /// Returns the configuration, with defaults for unset settings.
    pub fn resolve(self) -> Config {
        let time = |said: Option<Lasting>, default| {
            said.map_or(Duration::from_secs(default), |said| said.0)
        };
        let cores = || std::thread::available_parallelism().map_or(2, usize::from);
        Config {
            listen: self.listen.unwrap_or_else(|| "127.0.0.1:8080".into()),
            rules: self.rules.unwrap_or_else(|| "rules".into()),
            store: self
                .store
                .unwrap_or_else(|| "embedded:wyrmgate.redb".into()),
            workers: self.workers.unwrap_or_else(cores),
            session_lifetime: time(self.session_lifetime, 30 * 24 * 3600),
            body_max: self.body_max.unwrap_or(64 * 1024),
            body_deadline: time(self.body_deadline, 10),
            heartbeat: time(self.heartbeat, 15),
            stream_behind: self.stream_behind.unwrap_or(1_000),
            stop_deadline: time(self.stop_deadline, 2),
            log: self.log.unwrap_or_else(|| "warn".into()),
            log_format: self.log_format.unwrap_or(LogFormat::Text),
            allow_origins: self.allow_origins.unwrap_or_default(),
            keys: self.keys,
            open: self.open.unwrap_or(false),
            rates: self
                .rates
                .iter()
                .flatten()
                .copied()
                .fold(Rates::default(), Rates::with),
            proxies: self.proxies.unwrap_or(0),
            mcp: self.mcp.unwrap_or(true),
            webhooks: self.webhooks.unwrap_or(false),
            webhook_allow: self.webhook_allow.unwrap_or_default(),
            webhook_ports: self.webhook_ports.unwrap_or_else(|| vec![Ports::only(443)]),
            webhook_retry: time(self.webhook_retry, 5),
            webhook_give_up: time(self.webhook_give_up, 3 * 24 * 3600),
            pages: !self.no_pages.unwrap_or(false),
            public_url: self.public_url,
            otlp: self.otlp,
        }
    }
}

macro_rules! layered {
    ($($setting:ident)*) => {
        impl Settings {
            /// Returns these settings, with those of `below` for every setting that is unset.
            pub fn or(self, below: Settings) -> Settings {
                Settings { $($setting: self.$setting.or(below.$setting)),* }
            }
        }
    };
}

layered! {
    listen rules store workers session_lifetime body_max body_deadline heartbeat stream_behind stop_deadline log
    log_format allow_origins keys open rates proxies mcp webhooks webhook_allow webhook_ports webhook_retry
    webhook_give_up no_pages public_url otlp
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Settings, serde_yaml::Error> {
        serde_yaml::from_str(text)
    }

    #[test]
    fn what_is_said_above_counts_and_the_rest_comes_from_below() {
        let flags = of("listen: 127.0.0.1:1").unwrap();
        let file =
            of("listen: 127.0.0.1:2\nsession_lifetime: 2h\nallow_origins: [https://a.example]");
        let config = flags.or(file.unwrap()).resolve();
        assert_eq!(config.listen, "127.0.0.1:1");
        assert_eq!(config.session_lifetime.as_secs(), 7200);
        assert_eq!(config.allow_origins, ["https://a.example".parse().unwrap()]);
        assert_eq!(config.store, Config::default().store);
    }

    #[test]
    fn unknown_settings_and_wrong_values_are_refused() {
        assert!(of("colour: red").is_err());
        assert!(of("heartbeat: soon").is_err());
        assert!(of("log_format: xml").is_err());
    }
}

//! One layer of settings: what was said by flags and environment, or by a file.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Config;
use super::outbound::{Exempt, Ports};
use super::rates::{RateOf, Rates};
use super::values::{Lasting, Origin};

/// What may be said; what is not said is left to the layer below. A file says it in YAML, under the same names with
/// `_` for `-`.
#[derive(Debug, Clone, Default, clap::Args, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Address and port; port 0 takes any free one [default: 127.0.0.1:8080]
    #[arg(long, env = "WYRMGATE_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<String>,
    /// The folder with one folder a game [default: rules]
    #[arg(long, env = "WYRMGATE_RULES", value_name = "DIR")]
    pub rules: Option<PathBuf>,
    /// Where sessions are kept: `memory`, `embedded:PATH`, `redis://HOST` or `redis+cluster://HOST:PORT,HOST:PORT`; see
    /// docs/storage.md [default: embedded:wyrmgate.redb]
    #[arg(long, env = "WYRMGATE_STORE", value_name = "STORE")]
    pub store: Option<String>,
    /// Threads that serve requests [default: as many as there are cores]
    #[arg(long, env = "WYRMGATE_WORKERS", value_name = "N")]
    pub workers: Option<usize>,
    /// A session nobody changes for so long is forgotten [default: 30d]
    #[arg(long, env = "WYRMGATE_SESSION_LIFETIME", value_name = "TIME")]
    pub session_lifetime: Option<Lasting>,
    /// The most bytes of a request's body [default: 65536]
    #[arg(long, env = "WYRMGATE_BODY_MAX", value_name = "BYTES")]
    pub body_max: Option<usize>,
    /// A body that takes longer to arrive is refused [default: 10s]
    #[arg(long, env = "WYRMGATE_BODY_DEADLINE", value_name = "TIME")]
    pub body_deadline: Option<Lasting>,
    /// Open streams get a comment so often [default: 15s]
    #[arg(long, env = "WYRMGATE_HEARTBEAT", value_name = "TIME")]
    pub heartbeat: Option<Lasting>,
    /// A reader of a stream that falls so many changes behind has to begin anew [default: 1000]
    #[arg(long, env = "WYRMGATE_STREAM_BEHIND", value_name = "N")]
    pub stream_behind: Option<u64>,
    /// Running requests get so long to end when the service stops [default: 2s]
    #[arg(long, env = "WYRMGATE_STOP_DEADLINE", value_name = "TIME")]
    pub stop_deadline: Option<Lasting>,
    /// What is logged: error, warn, info (every request), debug or trace [default: warn]
    #[arg(long, env = "WYRMGATE_LOG", value_name = "LEVEL")]
    pub log: Option<String>,
    /// The form of the log, on standard error [default: text]
    #[arg(long, env = "WYRMGATE_LOG_FORMAT", value_name = "FORM")]
    pub log_format: Option<LogFormat>,
    /// Pages of these origins, separated by commas, may call the service from a browser [default: none]
    #[arg(
        long,
        env = "WYRMGATE_ALLOW_ORIGINS",
        value_name = "ORIGINS",
        value_delimiter = ','
    )]
    pub allow_origins: Option<Vec<Origin>>,
    /// A YAML file of owner keys (see `wyrmgate key`): creating sessions, uploading rules and the like then need one
    #[arg(long, env = "WYRMGATE_KEYS", value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// Serve other machines although there are no keys [default: false]
    #[arg(long, env = "WYRMGATE_OPEN", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub open: Option<bool>,
    /// How often one client may ask: `create=60/m,list=3000/m,move=600/m,stream=600/m,upload=30/m` [default: these,
    /// for other machines; what is stated holds for this one too]
    #[arg(
        long,
        env = "WYRMGATE_RATES",
        value_name = "RATES",
        value_delimiter = ','
    )]
    pub rates: Option<Vec<RateOf>>,
    /// So many proxies stand in front, whose `X-Forwarded-For` says who asks [default: 0]
    #[arg(long, env = "WYRMGATE_PROXIES", value_name = "N")]
    pub proxies: Option<usize>,
    /// Let owners of sessions have servers of their choice called when something happens [default: false]
    #[arg(long, env = "WYRMGATE_WEBHOOKS", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub webhooks: Option<bool>,
    /// Whom webhooks may call besides https servers on the public internet: origins (`http://127.0.0.1:9000`), hosts and
    /// networks (`10.0.0.0/8`), separated by commas [default: nobody]
    #[arg(
        long,
        env = "WYRMGATE_WEBHOOK_ALLOW",
        value_name = "WHOM",
        value_delimiter = ','
    )]
    pub webhook_allow: Option<Vec<Exempt>>,
    /// The ports that webhooks may call: `443,8000-8999` [default: 443]
    #[arg(
        long,
        env = "WYRMGATE_WEBHOOK_PORTS",
        value_name = "PORTS",
        value_delimiter = ','
    )]
    pub webhook_ports: Option<Vec<Ports>>,
    /// How long a webhook waits after its first failure; three times as long after each further one [default: 5s]
    #[arg(long, env = "WYRMGATE_WEBHOOK_RETRY", value_name = "TIME")]
    pub webhook_retry: Option<Lasting>,
    /// A webhook that has failed for so long is disabled [default: 3d]
    #[arg(long, env = "WYRMGATE_WEBHOOK_GIVE_UP", value_name = "TIME")]
    pub webhook_give_up: Option<Lasting>,
    /// Where the service is found from outside, as `https://play.example.org`, for links in webhooks [default: links are
    /// relative]
    #[arg(long, env = "WYRMGATE_PUBLIC_URL", value_name = "ORIGIN")]
    pub public_url: Option<Origin>,
    /// An OpenTelemetry collector that takes OTLP over HTTP, as `http://127.0.0.1:4318`: gets a span of every request.
    /// For builds with the feature `otel` [default: none]
    #[arg(long, env = "WYRMGATE_OTLP", value_name = "URL")]
    pub otlp: Option<String>,
}

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Why a file of settings is of no use.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("cannot read {0}: {1}")]
    Unreadable(String, std::io::Error),
    #[error("{0}: {1}")]
    Malformed(String, String),
}

impl Settings {
    /// The settings of a YAML file.
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

    /// These, and where they say nothing, the others.
    pub fn or(self, below: Settings) -> Settings {
        Settings {
            listen: self.listen.or(below.listen),
            rules: self.rules.or(below.rules),
            store: self.store.or(below.store),
            workers: self.workers.or(below.workers),
            session_lifetime: self.session_lifetime.or(below.session_lifetime),
            body_max: self.body_max.or(below.body_max),
            body_deadline: self.body_deadline.or(below.body_deadline),
            heartbeat: self.heartbeat.or(below.heartbeat),
            stream_behind: self.stream_behind.or(below.stream_behind),
            stop_deadline: self.stop_deadline.or(below.stop_deadline),
            log: self.log.or(below.log),
            log_format: self.log_format.or(below.log_format),
            allow_origins: self.allow_origins.or(below.allow_origins),
            keys: self.keys.or(below.keys),
            open: self.open.or(below.open),
            rates: self.rates.or(below.rates),
            proxies: self.proxies.or(below.proxies),
            webhooks: self.webhooks.or(below.webhooks),
            webhook_allow: self.webhook_allow.or(below.webhook_allow),
            webhook_ports: self.webhook_ports.or(below.webhook_ports),
            webhook_retry: self.webhook_retry.or(below.webhook_retry),
            webhook_give_up: self.webhook_give_up.or(below.webhook_give_up),
            public_url: self.public_url.or(below.public_url),
            otlp: self.otlp.or(below.otlp),
        }
    }

    /// What they come to, with the defaults below them.
    pub fn resolve(self) -> Config {
        let default = Config::default();
        let time = |said: Option<Lasting>, default| said.map_or(default, |said| said.0);
        Config {
            listen: self.listen.unwrap_or(default.listen),
            rules: self.rules.unwrap_or(default.rules),
            store: self.store.unwrap_or(default.store),
            workers: self.workers.unwrap_or(default.workers),
            session_lifetime: time(self.session_lifetime, default.session_lifetime),
            body_max: self.body_max.unwrap_or(default.body_max),
            body_deadline: time(self.body_deadline, default.body_deadline),
            heartbeat: time(self.heartbeat, default.heartbeat),
            stream_behind: self.stream_behind.unwrap_or(default.stream_behind),
            stop_deadline: time(self.stop_deadline, default.stop_deadline),
            log: self.log.unwrap_or(default.log),
            log_format: self.log_format.unwrap_or(default.log_format),
            allow_origins: self.allow_origins.unwrap_or(default.allow_origins),
            keys: self.keys,
            open: self.open.unwrap_or(default.open),
            limit_loopback: self.rates.is_some(),
            rates: self
                .rates
                .iter()
                .flatten()
                .copied()
                .fold(Rates::default(), Rates::with),
            proxies: self.proxies.unwrap_or(default.proxies),
            webhooks: self.webhooks.unwrap_or(default.webhooks),
            webhook_allow: self.webhook_allow.unwrap_or(default.webhook_allow),
            webhook_ports: self.webhook_ports.unwrap_or(default.webhook_ports),
            webhook_retry: time(self.webhook_retry, default.webhook_retry),
            webhook_give_up: time(self.webhook_give_up, default.webhook_give_up),
            public_url: self.public_url,
            otlp: self.otlp,
        }
    }
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

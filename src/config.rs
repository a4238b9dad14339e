//! Settings of the service, each with a default and a sentence.

use std::path::PathBuf;
use std::time::Duration;

/// Everything that can be set. The default serves `rules/` from this machine to itself.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address and port to listen on; port 0 takes any free one.
    pub listen: String,
    /// The folder with one folder a game.
    pub rules: PathBuf,
    /// `memory`, `embedded:PATH` or `redis://HOST`.
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
    /// Running requests get so long to end when the service stops.
    pub stop_deadline: Duration,
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
            stop_deadline: Duration::from_secs(2),
        }
    }
}

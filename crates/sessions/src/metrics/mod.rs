//! Prometheus metrics of a running service: the counters and their text format.
//!
//! Labels have few values by design: a route instead of a path, a store operation instead of a session. No metric
//! reveals anything about a single game.

mod due;
mod load;
mod process;
mod registering;
mod timed;

use std::borrow::Cow;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use due::Label;
pub use load::LoadFigures;
use process::ProcessFigures;
use registering::{Latencies, observe, registered, timed};
pub use timed::TimedStore;
use wyrmgate_store::IndexWatch;

/// The media type of [`Metrics::text`].
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// All metrics of one process.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Latencies<AnswerLabels>,
    store: Latencies<CallLabels>,
    moves_by_people: Counter,
    moves_by_bots: Counter,
    thoughts: Family<Label, Counter>,
    conflicts: Counter,
    fuel: Counter<u64, AtomicU64>,
    streams: Gauge,
    rulesets: Gauge,
    webhooks: Family<Label, Counter>,
    waits: Latencies<Label>,
    load: LoadFigures,
    stream_ends: Family<Label, Counter>,
    process: ProcessFigures,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct AnswerLabels {
    method: &'static str,
    route: Cow<'static, str>,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    call: &'static str,
    outcome: &'static str,
}

const REQUESTS: &str = "Time until the head of a response is sent, by method, route and status";
const STORE: &str = "Duration of store calls, by call and outcome";
const MOVES: &str = "Choices made, by kind of player";
const THOUGHTS: &str = "Decisions of searching bots, by whether a sampled world was found";
const CONFLICTS: &str = "Changes that lost a race with another writer and were retried";
const FUEL: &str = "Steps of the rules executed by moves";
const WEBHOOKS: &str = "Webhook delivery attempts, by outcome";
const STREAM_ENDS: &str = "Streams that the server has ended, by the last message";
const WAITS: &str = "Time from when work was due until it began, by kind of work";

/// The metrics are registered in the order in which their text has them.
impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::default();
        let process = ProcessFigures::register(&mut registry);
        let to = registry.sub_registry_with_prefix("wyrmgate");
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        to.register("build", "The program", build);
        let requests = timed(to, "request_duration", REQUESTS);
        let store = timed(to, "store_duration", STORE);
        let moves: Family<Label, Counter> = registered(to, "moves", MOVES);
        let by = |player| moves.get_or_create_owned(&[("player", player)]);
        Metrics {
            requests,
            store,
            moves_by_people: by("person"),
            moves_by_bots: by("bot"),
            thoughts: registered(to, "thoughts", THOUGHTS),
            conflicts: registered(to, "conflicts", CONFLICTS),
            fuel: registered(to, "fuel", FUEL),
            streams: registered(to, "streams", "Open event streams"),
            rulesets: registered(to, "rulesets", "Rulesets cached in memory"),
            webhooks: registered(to, "webhook_attempts", WEBHOOKS),
            waits: timed(to, "wait", WAITS),
            load: LoadFigures::register(to),
            stream_ends: registered(to, "stream_ends", STREAM_ENDS),
            process,
            registry,
        }
    }
}

impl Metrics {
    /// Counts a response. The route has parameter names in braces.
    pub fn answered(
        &self,
        method: &'static str,
        route: Cow<'static, str>,
        status: u16,
        after: Duration,
    ) {
        let labels = AnswerLabels {
            method,
            route,
            status,
        };
        observe(&self.requests, &labels, after);
    }

    fn stored(&self, call: &'static str, outcome: &'static str, after: Duration) {
        observe(&self.store, &CallLabels { call, outcome }, after);
    }

    /// Counts choices and the fuel that they consumed.
    pub fn moved(&self, by_people: u64, by_bots: u64, fuel: u64) {
        self.moves_by_people.inc_by(by_people);
        self.moves_by_bots.inc_by(by_bots);
        self.fuel.inc_by(fuel);
    }

    /// Counts a webhook delivery.
    pub fn called_webhook(&self, outcome: &'static str) {
        self.webhooks.get_or_create(&[("outcome", outcome)]).inc();
    }

    /// Counts a decision of a bot. `found_no_world`: whether no sampled world was found.
    pub fn thought(&self, found_no_world: bool) {
        let world = if found_no_world { "none" } else { "imagined" };
        self.thoughts.get_or_create(&[("world", world)]).inc();
    }

    /// Shows what a watch does from now on.
    pub(crate) fn watched(&self, work: &'static str, watch: &IndexWatch) {
        self.load.due.watch(work, watch);
    }

    /// Counts work that began so long after it was due.
    pub fn waited(&self, work: &'static str, time: Duration) {
        observe(&self.waits, &[("work", work)], time);
    }

    pub fn lost_a_race(&self) {
        self.conflicts.inc();
    }

    /// Counts an open stream until the returned value is dropped.
    pub fn stream(&self) -> OpenStream {
        self.streams.inc();
        OpenStream(self.streams.clone())
    }

    /// Counts a stream that ends with this message.
    pub fn ended_stream(&self, message: &'static str) {
        self.stream_ends
            .get_or_create(&[("message", message)])
            .inc();
    }

    /// Returns what work waits for, and which limits refuse it.
    pub fn load(&self) -> &LoadFigures {
        &self.load
    }

    pub fn rulesets_are(&self, count: usize) {
        self.rulesets.set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    /// Returns all metrics as [`MEDIA_TYPE`].
    pub fn text(&self) -> String {
        self.load.due.refresh();
        self.process.refresh();
        let mut text = String::new();
        // Writing to memory cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

/// Counts a stream as open while this value lives.
#[derive(Debug)]
pub struct OpenStream(Gauge);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.dec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_told() {
        let metrics = Metrics::default();
        metrics.answered("GET", "/v1/games".into(), 200, Duration::from_millis(3));
        metrics.moved(2, 1, 700);
        metrics.thought(true);
        let stream = metrics.stream();
        let text = metrics.text();
        assert!(
            text.contains("wyrmgate_moves_total{player=\"person\"} 2"),
            "{text}"
        );
        assert!(text.contains("wyrmgate_fuel_total 700"), "{text}");
        assert!(
            text.contains("wyrmgate_thoughts_total{world=\"none\"} 1"),
            "{text}"
        );
        assert!(text.contains("wyrmgate_streams 1"), "{text}");
        let count = "wyrmgate_request_duration_seconds_count{method=\"GET\",route=\"/v1/games\",status=\"200\"} 1";
        assert!(text.contains(count), "{text}");
        drop(stream);
        assert!(metrics.text().contains("wyrmgate_streams 0"));
    }
}

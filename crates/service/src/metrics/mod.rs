//! Numbers of a running service, for Prometheus: what is counted, and the text they are read as.
//!
//! Labels have few values by nature: a route and not a path, a call of the store and not a session. No number tells
//! anything of a single game.

mod timed;

use std::borrow::Cow;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

pub use timed::TimedStore;

/// The form of [`Metrics::text`].
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// All numbers of one process.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<Answered, Histogram>,
    store: Family<Call, Histogram>,
    moves_by_people: Counter,
    moves_by_bots: Counter,
    thoughts: Family<In, Counter>,
    conflicts: Counter,
    fuel: Counter<u64, AtomicU64>,
    streams: Gauge,
    rulesets: Gauge,
    webhooks: Family<Called, Counter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Called {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    route: Cow<'static, str>,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Call {
    call: &'static str,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct By {
    player: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct In {
    world: &'static str,
}

/// 0.1 ms to 3 s.
fn latencies() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 2.0, 16))
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("wyrmgate");
        let requests = Family::new_with_constructor(latencies as fn() -> Histogram);
        let store = Family::new_with_constructor(latencies as fn() -> Histogram);
        let moves: Family<By, Counter> = Family::default();
        let by = |player| moves.get_or_create_owned(&By { player });
        let (moves_by_people, moves_by_bots) = (by("person"), by("bot"));
        let (conflicts, fuel) = (Counter::default(), Counter::default());
        let thoughts: Family<In, Counter> = Family::default();
        let (streams, rulesets) = (Gauge::default(), Gauge::default());
        let seconds = Unit::Seconds;
        registry.register_with_unit(
            "request_duration",
            "Until the head of an answer is sent, by method, route and status",
            seconds.clone(),
            requests.clone(),
        );
        registry.register_with_unit(
            "store_duration",
            "Until the store has answered, by call and outcome",
            seconds,
            store.clone(),
        );
        registry.register("moves", "Choices made, by people and by bots", moves);
        registry.register(
            "thoughts",
            "Decisions of built-in players that think, by whether they found a world to think in",
            thoughts.clone(),
        );
        registry.register(
            "conflicts",
            "Changes that lost a race and were judged again",
            conflicts.clone(),
        );
        registry.register(
            "fuel",
            "Steps of the rules that made moves took",
            fuel.clone(),
        );
        registry.register("streams", "Open streams of events", streams.clone());
        registry.register("rulesets", "Rulesets in memory", rulesets.clone());
        let webhooks = Family::default();
        registry.register(
            "webhook_attempts",
            "Webhooks called, by outcome",
            webhooks.clone(),
        );
        Metrics {
            registry,
            requests,
            store,
            moves_by_people,
            moves_by_bots,
            thoughts,
            conflicts,
            fuel,
            streams,
            rulesets,
            webhooks,
        }
    }
}

impl Metrics {
    /// A request to a route (as the service writes it, with names in braces) was answered.
    pub fn answered(
        &self,
        method: &'static str,
        route: Cow<'static, str>,
        status: u16,
        after: Duration,
    ) {
        let labels = Answered {
            method,
            route,
            status,
        };
        let latency = self.requests.get_or_create(&labels);
        latency.observe(after.as_secs_f64());
    }

    fn stored(&self, call: &'static str, outcome: &'static str, after: Duration) {
        let latency = self.store.get_or_create(&Call { call, outcome });
        latency.observe(after.as_secs_f64());
    }

    /// Choices were made, and this is what the rules took for them.
    pub fn moved(&self, by_people: u64, by_bots: u64, fuel: u64) {
        self.moves_by_people.inc_by(by_people);
        self.moves_by_bots.inc_by(by_bots);
        self.fuel.inc_by(fuel);
    }

    /// A webhook was called.
    pub fn called_webhook(&self, outcome: &'static str) {
        self.webhooks.get_or_create(&Called { outcome }).inc();
    }

    /// A built-in player has thought about a decision; `blind`: without a world to think in.
    pub fn thought(&self, blind: bool) {
        let world = if blind { "none" } else { "imagined" };
        self.thoughts.get_or_create(&In { world }).inc();
    }

    pub fn lost_a_race(&self) {
        self.conflicts.inc();
    }

    /// Notes an open stream, until what it answers is dropped.
    pub fn stream(&self) -> OpenStream {
        self.streams.inc();
        OpenStream(self.streams.clone())
    }

    pub fn rulesets_are(&self, count: usize) {
        self.rulesets.set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    /// Everything, as [`MEDIA_TYPE`].
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing into memory cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

/// A stream that is counted among the open ones for as long as this lives.
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

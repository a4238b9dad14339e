//! Metrics of one kind: how they begin, and what they are called.

use std::fmt::Debug;
use std::hash::Hash;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Metric, Registry, Unit};

/// Histograms of durations, by labels.
pub(super) type Latencies<L> = Family<L, Histogram, fn() -> Histogram>;

/// Registers a metric and returns it.
pub(super) fn registered<M: Metric + Clone + Default>(
    to: &mut Registry,
    name: &str,
    help: &str,
) -> M {
    let metric = M::default();
    to.register(name, help, metric.clone());
    metric
}

/// Registers histograms of durations and returns them.
pub(super) fn timed<L>(to: &mut Registry, name: &str, help: &str) -> Latencies<L>
where
    L: Clone + Eq + Hash + Debug + EncodeLabelSet + Send + Sync + 'static,
{
    let metric =
        Latencies::new_with_constructor(from_a_tenth_of_a_millisecond as fn() -> Histogram);
    to.register_with_unit(name, help, Unit::Seconds, metric.clone());
    metric
}

pub(super) fn observe<L: Clone + Eq + Hash>(of: &Latencies<L>, labels: &L, duration: Duration) {
    of.get_or_create(labels).observe(duration.as_secs_f64());
}

/// Returns a histogram from 0.1 ms to 3 s.
fn from_a_tenth_of_a_millisecond() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 2.0, 16))
}

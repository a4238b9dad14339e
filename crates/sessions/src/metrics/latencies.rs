//! Histograms of durations, by labels.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

use foldhash::fast::RandomState;
use parking_lot::RwLock;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};

type ByLabels<L> = Family<L, Histogram, fn() -> Histogram>;

/// Histograms that are looked up for every request. The library hashes labels as if clients could choose them; ours are few
/// and our own, so a faster hash finds those that exist.
#[derive(Debug)]
pub struct Latencies<L> {
    family: ByLabels<L>,
    known: RwLock<HashMap<L, Histogram, RandomState>>,
}

impl<L: Clone + Eq + Hash> Default for Latencies<L> {
    fn default() -> Self {
        Latencies {
            family: Family::new_with_constructor(from_a_tenth_of_a_millisecond),
            known: RwLock::default(),
        }
    }
}

impl<L: Clone + Eq + Hash> Latencies<L> {
    /// Returns the histograms for the registry.
    pub fn family(&self) -> ByLabels<L> {
        self.family.clone()
    }

    pub fn observe(&self, labels: L, duration: Duration) {
        let seconds = duration.as_secs_f64();
        let known = self.known.read();
        if let Some(histogram) = known.get(&labels) {
            return histogram.observe(seconds);
        }
        drop(known);
        let histogram = self.family.get_or_create_owned(&labels);
        histogram.observe(seconds);
        let mut known = self.known.write();
        known.insert(labels, histogram);
    }
}

/// Returns a histogram from 0.1 ms to 3 s.
fn from_a_tenth_of_a_millisecond() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 2.0, 16))
}

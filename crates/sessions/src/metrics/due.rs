//! Metrics of due work: what watches do, and what waits.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use super::Label;
use wyrmgate_store::{Watch, WatchGauge};

type Counters = Family<Label, Counter<u64, AtomicU64>>;

/// The watches of a node and their metrics, by index.
#[derive(Debug, Default)]
pub(super) struct DueWork {
    watches: Mutex<Vec<(&'static str, WatchGauge)>>,
    reads: Counters,
    polls: Counters,
    failures: Counters,
    wake_ups: Counters,
    due: Family<Label, Gauge>,
    oldest: Family<Label, Gauge<f64, AtomicU64>>,
}

impl DueWork {
    pub fn register(registry: &mut Registry) -> DueWork {
        let of = DueWork::default();
        let counters = [
            ("due_reads", "Reads of due work in the store", &of.reads),
            ("due_polls", "Queries for when work will be due", &of.polls),
            (
                "due_failures",
                "Reads and queries for due work that failed",
                &of.failures,
            ),
            (
                "due_wake_ups",
                "Wake-ups of the tasks that wait for due work",
                &of.wake_ups,
            ),
        ];
        for (name, help, counters) in counters {
            registry.register(name, help, counters.clone());
        }
        registry.register("due", "Due work that this node knows", of.due.clone());
        let help = "Age of the oldest due work that this node knows";
        registry.register_with_unit("due_oldest", help, Unit::Seconds, of.oldest.clone());
        of
    }

    /// Shows a watch from now on.
    pub fn watch(&self, work: &'static str, watch: &Watch) {
        self.watches.lock().push((work, watch.gauge()));
    }

    /// Reads all watches.
    pub fn refresh(&self) {
        for (work, watch) in self.watches.lock().iter() {
            let Some(figures) = watch.read() else {
                continue;
            };
            let label = [("work", *work)];
            let counted = [
                (&self.reads, figures.reads),
                (&self.polls, figures.polls),
                (&self.failures, figures.failures),
                (&self.wake_ups, figures.wake_ups),
            ];
            for (counters, count) in counted {
                counters.get_or_create(&label).inner().store(count, Relaxed);
            }
            let due = i64::try_from(figures.due).unwrap_or(i64::MAX);
            self.due.get_or_create(&label).set(due);
            let oldest = figures.oldest_ms as f64 / 1_000.0;
            self.oldest.get_or_create(&label).set(oldest);
        }
    }
}

//! Metrics of due work: what watches do, and what waits.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use wyrmgate_store::{IndexWatch, WatchGauge};

type TwoLabels = [(&'static str, &'static str); 2];

/// The watches of a node and their metrics, by kind of work.
#[derive(Debug, Default)]
pub(super) struct DueWork {
    watches: Mutex<Vec<(&'static str, WatchGauge)>>,
    acts: Family<TwoLabels, Counter<u64, AtomicU64>>,
    due: Family<Label, Gauge>,
    oldest: Family<Label, Gauge<f64, AtomicU64>>,
}

impl DueWork {
    pub fn register(registry: &mut Registry) -> DueWork {
        let of = DueWork::default();
        let help = "Reads and polls of due work in the store, failed ones, and wake-ups for them";
        registry.register("due_acts", help, of.acts.clone());
        registry.register("due", "Due work that this node knows", of.due.clone());
        let help = "Age of the oldest due work that this node knows";
        registry.register_with_unit("due_oldest", help, Unit::Seconds, of.oldest.clone());
        of
    }

    /// Shows a watch from now on.
    pub fn watch(&self, work: &'static str, watch: &IndexWatch) {
        self.watches.lock().push((work, watch.gauge()));
    }

    /// Reads all watches.
    pub fn refresh(&self) {
        for (work, watch) in self.watches.lock().iter() {
            let Some(figures) = watch.read() else {
                continue;
            };
            let counted = [
                ("read", figures.reads),
                ("poll", figures.polls),
                ("failure", figures.failures),
                ("wake-up", figures.wake_ups),
            ];
            for (act, count) in counted {
                let acts = self.acts.get_or_create(&[("work", *work), ("act", act)]);
                acts.inner().store(count, Relaxed);
            }
            let due = i64::try_from(figures.due).unwrap_or(i64::MAX);
            self.due.get_or_create(&[("work", *work)]).set(due);
            let oldest = figures.oldest_ms as f64 / 1_000.0;
            self.oldest.get_or_create(&[("work", *work)]).set(oldest);
        }
    }
}

/// A name and its value.
pub(super) type Label = [(&'static str, &'static str); 1];

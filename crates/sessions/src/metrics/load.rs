//! Metrics of what a node has to do: due work, queues, limits, and what it keeps.

use std::sync::atomic::Ordering::Relaxed;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use wyrmgate_runtime::queue::QueueFigures;

use super::due::{DueWork, Label};
use super::registering::registered;

#[derive(Debug)]
pub struct LoadFigures {
    pub(super) due: DueWork,
    refusals: Family<Label, Counter>,
    queued: Family<Label, Gauge>,
    file: Family<Label, Gauge>,
}

const REFUSALS: &str = "Requests that a limit or a full queue has refused, by limit";
const QUEUED: &str = "Long computations that run or wait, by limit";
const FILE: &str = "Size of the file of an embedded store";

impl LoadFigures {
    pub(super) fn register(to: &mut Registry) -> LoadFigures {
        LoadFigures {
            due: DueWork::register(to),
            refusals: registered(to, "refusals", REFUSALS),
            queued: registered(to, "queued", QUEUED),
            file: registered(to, "store_file_bytes", FILE),
        }
    }

    /// Counts a request that a limit has refused.
    pub fn refused(&self, limit: &'static str) {
        self.refusals.get_or_create(&[("limit", limit)]).inc();
    }

    /// Shows how long a queue is now.
    pub fn queue_is(&self, of: QueueFigures) {
        let label = [("limit", of.limit)];
        let long = i64::try_from(of.running + of.waiting).unwrap_or(i64::MAX);
        self.queued.get_or_create(&label).set(long);
        let refusals = self.refusals.get_or_create(&label);
        refusals.inner().store(of.refused, Relaxed);
    }

    /// Shows the size of the file of an embedded store, in bytes.
    pub fn file_is(&self, bytes: u64) {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        self.file.get_or_create(&[("store", "embedded")]).set(bytes);
    }
}

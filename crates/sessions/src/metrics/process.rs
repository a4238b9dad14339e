//! Figures of the process, under the names that dashboards of all programs know. Linux tells all of them, other systems fewer.

use std::fs;
use std::sync::atomic::AtomicU64;

use cpu_time::ProcessTime;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use wyrmgate_runtime::surroundings::now_ms;

use super::registering::registered;

/// Gauges that are read when somebody asks.
#[derive(Debug)]
pub(super) struct ProcessFigures {
    memory: Gauge,
    files: Gauge,
    files_max: Gauge,
    processor: Counter<f64, AtomicU64>,
}

impl ProcessFigures {
    pub(super) fn register(to: &mut Registry) -> ProcessFigures {
        let began: Gauge = registered(to, "process_start_time_seconds", "Begin, in Unix time");
        began.set(now_ms().cast_signed() / 1000);
        ProcessFigures {
            memory: registered(to, "process_resident_memory_bytes", "Memory"),
            files: registered(to, "process_open_fds", "Open files and connections"),
            files_max: registered(to, "process_max_fds", "How many may be open"),
            processor: registered(to, "process_cpu_seconds", "Time on processors"),
        }
    }

    pub(super) fn refresh(&self) {
        let used = ProcessTime::now().as_duration().as_secs_f64();
        self.processor
            .inc_by((used - self.processor.get()).max(0.0));
        if let Some(kilobytes) = number("/proc/self/status", "VmRSS:") {
            self.memory.set(kilobytes.saturating_mul(1024));
        }
        if let Ok(files) = fs::read_dir("/proc/self/fd") {
            self.files
                .set(i64::try_from(files.count()).unwrap_or(i64::MAX));
        }
        if let Some(most) = number("/proc/self/limits", "Max open files") {
            self.files_max.set(most);
        }
    }
}

/// Returns the number that follows a word in a file.
fn number(file: &str, word: &str) -> Option<i64> {
    let text = fs::read_to_string(file).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(word))?;
    rest.split_whitespace().next()?.parse().ok()
}

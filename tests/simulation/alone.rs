//! A schedule in a process of its own.
//!
//! The client of a cluster polls futures in an order that depends on the number of threads that the crate `futures` has
//! served before. In a process of its own, a schedule always takes the same course, so a seed that failed among others
//! fails again.

use std::process::{Command, Output};

use crate::plan::Plan;
use crate::world::Tally;

/// The test that runs a schedule by its name.
const TEST: &str = "schedules_on_a_cluster_leave_no_trace_of_their_faults";

/// The result of a schedule.
pub struct Run {
    pub is_good: bool,
    pub tally: Tally,
    /// All lines that it printed, without times.
    pub printed: Vec<String>,
}

impl Run {
    pub fn of(plan: &Plan, is_noted: bool) -> Run {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([TEST, "--exact", "--nocapture"]);
        command.env("WYRMGATE_SEED", &plan.name);
        if is_noted {
            command.env("WYRMGATE_COURSE", "1");
        }
        Run::read(&command.output().unwrap())
    }

    fn read(output: &Output) -> Run {
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        let is_timeless =
            |line: &&str| !line.contains(" of processor time") && !line.contains("finished in");
        let printed = text.lines().chain(errors.lines()).filter(is_timeless);
        Run {
            is_good: output.status.success(),
            tally: Tally::read(&text),
            printed: printed.map(str::to_owned).collect(),
        }
    }
}

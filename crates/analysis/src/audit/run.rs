//! Plays the settings of an audit, one after the other.

use std::sync::atomic::{AtomicBool, Ordering};

use super::play::{Plan, play};
use super::reached::Reached;
use super::summary::Summary;
use crate::laws::Setting;
use wyrmgate_compile::check::{Checked, OptionProblem};

/// An audit while it runs.
pub struct Run<'a> {
    pub checked: &'a Checked,
    pub stop: &'a AtomicBool,
    /// Called after each game.
    pub each: &'a mut dyn FnMut(),
    pub reached: Reached,
}

impl Run<'_> {
    /// Plays the settings. Each program is dropped after its games, so memory does not grow with the number of settings.
    pub fn play(
        &mut self,
        settings: Vec<Setting>,
        plan: &Plan,
    ) -> Result<Vec<Summary>, Vec<OptionProblem>> {
        let mut summaries = Vec::new();
        for setting in settings {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let setup = self.checked.setup(setting.seats, &setting.options)?;
            let program = self.checked.compile(&setup).ok_or_else(|| {
                let message = format!("the rules do not compile with {setting}");
                vec![OptionProblem::new("seats", message)]
            })?;
            let tally = play(&program, plan, self.stop, self.each);
            self.reached.add(tally.rows.len() as u64, &tally.coverage);
            summaries.push(Summary::of(setting, &tally, &plan.seed));
        }
        Ok(summaries)
    }
}

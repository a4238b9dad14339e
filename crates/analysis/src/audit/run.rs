//! Plays the settings of an audit, one after the other.

use std::sync::atomic::{AtomicBool, Ordering};

use super::findings::{Findings, findings};
use super::play::{Plan, play};
use super::reached::ReachedParts;
use super::summary::Summary;
use super::tally::{GameEnd, TalliedGame};
use crate::laws::Setting;
use wyrmgate_base::diagnostic::Sources;
use wyrmgate_compile::check::{Checked, OptionProblem};

/// The games of an audit.
#[derive(Debug)]
pub struct Run<'a> {
    pub name: &'a str,
    pub sources: &'a Sources,
    pub checked: &'a Checked,
    /// The seed as it was given.
    pub seed: &'a str,
    /// The games of each number of seats.
    pub plan: &'a Plan,
    /// The settings to count, one for each number of seats.
    pub first: Vec<Setting>,
    /// The settings that are only searched for the rules they reach.
    pub others: Vec<Setting>,
    pub stop: &'a AtomicBool,
}

/// The results of an audit.
#[derive(Debug)]
pub struct Audit<'a> {
    pub run: &'a Run<'a>,
    pub reached: ReachedParts,
    pub findings: Findings,
    /// A row for each number of seats.
    pub rows: Vec<Summary>,
    pub others: Vec<Summary>,
    pub interrupted: bool,
}

impl Run<'_> {
    /// Returns the number of games of each of the other settings.
    pub(super) fn fewer(&self) -> u64 {
        self.plan.games.div_ceil(10)
    }

    /// Returns the number of all games.
    pub fn games(&self) -> u64 {
        self.plan.games * self.first.len() as u64 + self.fewer() * self.others.len() as u64
    }

    /// Plays the games, and calls `each` after every one.
    pub fn play(&self, each: &mut dyn FnMut()) -> Result<Audit<'_>, Vec<OptionProblem>> {
        let fewer = Plan {
            games: self.fewer(),
            ..self.plan.clone()
        };
        let mut reached = ReachedParts::default();
        let rows = self.settings(&self.first, self.plan, &mut reached, each)?;
        let others = self.settings(&self.others, &fewer, &mut reached, each)?;
        Ok(Audit {
            run: self,
            findings: findings(&self.checked.definition, &reached),
            reached,
            rows,
            others,
            interrupted: self.stop.load(Ordering::Relaxed),
        })
    }

    /// Plays settings. Each program is dropped after its games, so memory does not grow with the number of settings.
    fn settings(
        &self,
        settings: &[Setting],
        plan: &Plan,
        reached: &mut ReachedParts,
        each: &mut dyn FnMut(),
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
            let tally = play(&program, plan, self.stop, each);
            reached.add(tally.rows.len() as u64, &tally.coverage);
            let is_won =
                |row: &&TalliedGame| matches!(&row.end, GameEnd::Won(by) if !by.is_empty());
            reached.won += tally.rows.iter().filter(is_won).count() as u64;
            let words = format!("{} seats, {setting}", setting.seats);
            reached.odd.merge(&tally.coverage.odd, &words);
            summaries.push(Summary::of(setting.clone(), &tally, &plan.seed));
        }
        Ok(summaries)
    }
}

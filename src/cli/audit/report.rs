//! The report of `wyrmgate audit`, as text and as JSON.

use std::io;

use serde_json::{Value, json};

use super::super::report::CommandReport;
use super::super::setup::{is_colored, which};
use super::super::stopped::{Again, placed};
use super::super::stopped_games::StoppedGames;
use super::args::Args;
use crate::audit::{Audit, Summary};
use crate::diagnostic::Span;
use crate::rules::Ruleset;
use crate::statistics::Counts;

pub struct Report<'a> {
    pub args: &'a Args,
    pub ruleset: &'a Ruleset,
    pub audit: &'a Audit<'a>,
}

impl Report<'_> {
    pub fn is_good(&self) -> bool {
        !self.audit.interrupted && self.all_rows().all(|row| row.failures.is_empty())
    }

    /// Returns whether something is never reached or a seat is unfair.
    pub fn is_suspicious(&self) -> bool {
        !self.audit.findings.report.diagnostics.is_empty() || self.audit.unfair().next().is_some()
    }

    fn all_rows(&self) -> impl Iterator<Item = &Summary> {
        self.audit.rows.iter().chain(&self.audit.others)
    }

    fn stopped<'r>(&'r self, row: &'r Summary) -> StoppedGames<'r> {
        let (seats, options) = (row.setting.seats, &row.setting.options);
        let again = Again::new("simulate").game(&self.args.game, &self.args.rules);
        let again = again.flag("--seats", seats).options(options);
        StoppedGames {
            failures: &row.failures,
            sources: &self.ruleset.sources,
            which: which(&self.ruleset.name, seats, options),
            again: again.flag("--seed", self.audit.run.seed),
        }
    }
}

impl CommandReport for Report<'_> {
    fn text(&self) -> String {
        let mut text = self.audit.sections().join("\n") + "\n";
        let report = &self.audit.findings.report;
        if !report.diagnostics.is_empty() {
            let rendered = report.render(&self.ruleset.sources, is_colored(&io::stdout()));
            text += &format!("\n{rendered}\n");
        }
        text.extend(self.all_rows().map(|row| self.stopped(row).text()));
        text + &self.audit.verdict().join("\n") + "\n"
    }

    fn json(&self) -> Value {
        let findings = &self.audit.findings;
        json!({
            "ok": self.is_good(),
            "game": self.ruleset.name,
            "ruleset": self.ruleset.digest,
            "seed": self.audit.run.seed,
            "interrupted": self.audit.interrupted,
            "rows": self.audit.rows.iter().map(|row| self.row_json(row)).collect::<Vec<_>>(),
            "other_settings": self.audit.others.iter().map(|row| self.other_json(row)).collect::<Vec<_>>(),
            "reached": {
                "statements": findings.statements,
                "options": findings.options,
                "clauses": findings.clauses,
                "components": findings.components,
                "each_option": self.each_option(),
                "each_component": self.each_component(),
            },
            "noticed": self.audit.reached.odd.json(&self.audit.run.plan.seed, |span, more| self.placed(span, more)),
            "findings": findings.report.documents(&self.ruleset.sources),
        })
    }
}

impl Report<'_> {
    fn each_option(&self) -> Vec<Value> {
        let options = self.audit.reached.options.iter();
        options
            .map(|(span, option)| {
                let name = Some(&option.name).filter(|name| !name.is_empty());
                let counts = json!({
                    "option": name,
                    "offered": option.offered,
                    "expected": option.expected,
                    "chosen": option.chosen,
                });
                self.placed(*span, counts)
            })
            .collect()
    }

    fn each_component(&self) -> Vec<Value> {
        let kinds = self.audit.reached.components.iter();
        kinds
            .flat_map(|(kind, components)| {
                components.iter().map(move |(name, reached)| {
                    json!({
                        "kind": kind,
                        "component": name,
                        "used_in_games": reached.games,
                        "offered": reached.offered,
                        "chosen_in_games": reached.chosen,
                    })
                })
            })
            .collect()
    }

    fn row_json(&self, row: &Summary) -> Value {
        let endings = row.endings.iter();
        let endings = endings.map(|(span, games)| self.placed(*span, json!({"games": games})));
        let decided = row.decisions.iter().filter(|(_, c)| c.total() > 0);
        let decisions = decided
            .map(|(span, counts)| self.placed(*span, json!({"choices": counts_json(counts)})));
        json!({
            "seats": row.setting.seats,
            "options": row.setting.options,
            "bound": row.bound,
            "games": row.games,
            "failed": row.failed,
            "failures": self.stopped(row).json(),
            "decisions": counts_json(&row.lengths),
            "longest": row.longest,
            "choices": counts_json(&row.choices),
            "branching": row.branching,
            "forced": row.forced(),
            "positions": row.positions,
            "lead_changes": row.lead_changes,
            "wins": row.seats,
            "drawn": row.drawn,
            "endings": endings.collect::<Vec<_>>(),
            "places": decisions.collect::<Vec<_>>(),
        })
    }

    fn other_json(&self, row: &Summary) -> Value {
        json!({
            "seats": row.setting.seats,
            "options": row.setting.options,
            "games": row.games,
            "failed": row.failed,
            "failures": self.stopped(row).json(),
            "decisions": counts_json(&row.lengths),
        })
    }

    fn placed(&self, span: Span, more: Value) -> Value {
        placed(span, &self.ruleset.sources, more)
    }
}

fn counts_json(counts: &Counts) -> Value {
    json!({
        "count": counts.total(),
        "min": counts.least(),
        "median": counts.percentile(50),
        "mean": counts.mean(),
        "p95": counts.percentile(95),
        "max": counts.most(),
    })
}

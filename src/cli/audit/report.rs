//! The report of `wyrmgate audit`, as text and as JSON.

use std::collections::BTreeMap;
use std::io;

use serde_json::{Value, json};

use super::super::setup::{is_colored, which};
use super::super::simulate::{failure_json, game_of_run};
use super::super::stopped::{Again, Case, merge};
use super::Args;
use crate::audit::{Findings, Part, Plan, Reached, Summary};
use crate::diagnostic::{Span, place};
use crate::rules::Ruleset;
use crate::simulate::Failure;
use crate::statistics::{Counts, SeatTest};

/// Maximum number of decisions in the text report, most frequent first. JSON has all of them.
const DECISIONS_TOLD: usize = 12;

/// Maximum length of a rules excerpt beside a place.
const EXCERPT_MAX: usize = 60;

pub struct Report<'a> {
    pub args: &'a Args,
    pub ruleset: &'a Ruleset,
    pub seed: String,
    pub plan: &'a Plan,
    /// Number of games of each of the other settings.
    pub fewer: u64,
    pub findings: Findings,
    pub reached: &'a Reached,
    /// A row for each number of seats.
    pub rows: Vec<Summary>,
    pub others: Vec<Summary>,
    pub interrupted: bool,
}

impl Report<'_> {
    pub fn is_good(&self) -> bool {
        !self.interrupted && self.failures().next().is_none()
    }

    /// Returns whether something is never reached or a seat is unfair.
    pub fn is_suspicious(&self) -> bool {
        !self.findings.report.diagnostics.is_empty() || self.unfair().next().is_some()
    }

    fn failures(&self) -> impl Iterator<Item = (&Summary, &Failure)> {
        let rows = self.rows.iter().chain(&self.others);
        rows.flat_map(|row| row.failures.iter().map(move |failure| (row, failure)))
    }

    fn unfair(&self) -> impl Iterator<Item = (&Summary, &SeatTest)> {
        let rows = self.rows.iter();
        let seats = rows.flat_map(|row| row.seats.iter().map(move |seat| (row, seat)));
        seats.filter(|(_, seat)| seat.unfair)
    }

    pub fn print(&self, json: bool) {
        if json {
            say!("{}", self.json());
            return;
        }
        say!("{}", self.sections().join("\n"));
        let report = &self.findings.report;
        if !report.diagnostics.is_empty() {
            let colour = is_colored(&io::stdout());
            say!("\n{}", report.render(&self.ruleset.sources, colour));
        }
        for (row, failure) in self.failures() {
            say!(
                "\n{}",
                self.case(row, failure).text(is_colored(&io::stdout()))
            );
        }
        say!("{}", self.verdict().join("\n"));
    }

    /// Returns the text of the report, without the excerpts of findings.
    pub fn text(&self) -> String {
        [self.sections(), self.verdict()].concat().join("\n")
    }

    // ---- sections of the text

    fn sections(&self) -> Vec<String> {
        let sections = [
            self.head(),
            self.table(),
            self.wins(),
            self.endings(),
            self.decisions(),
            self.reached(),
        ];
        sections.concat()
    }

    fn head(&self) -> Vec<String> {
        let others = match self.others.len() {
            0 => String::new(),
            n => format!(", {} in each of {n} other settings", self.fewer),
        };
        vec![format!(
            "{}, seed {}, {} games for each number of seats{others}",
            self.ruleset.name, self.seed, self.plan.games
        )]
    }

    fn table(&self) -> Vec<String> {
        let mut lines = vec![
            String::new(),
            "seats  decisions a game                            choices at a decision              changes of".into(),
            "         least   median     95 %     most  bound   median   mean*     95 %     most  only one  the lead".into(),
        ];
        lines.extend(self.rows.iter().map(table_line));
        lines.push("* geometric".into());
        let counted = self
            .rows
            .iter()
            .filter_map(|row| Some((row, row.positions?)));
        lines.extend(counted.map(|(row, positions)| {
            let met = row.choices.total() + row.games;
            format!(
                "{} seats: {positions} different positions, met {met} times",
                row.setting.seats
            )
        }));
        lines
    }

    fn wins(&self) -> Vec<String> {
        let mut lines = vec![String::new(), "wins".into()];
        for row in &self.rows {
            let fair = row.seats.first().map_or(0.0, |seat| seat.fair);
            let drawn = match row.drawn.count {
                0 => String::new(),
                _ => format!(", drawn {}", share_and_interval(&row.drawn)),
            };
            lines.push(format!(
                "  {} seats, fair is {}{drawn}",
                row.setting.seats,
                percent(fair)
            ));
            lines.extend(row.seats.iter().map(seat_line));
        }
        lines
    }

    fn endings(&self) -> Vec<String> {
        let mut games: BTreeMap<Span, u64> = BTreeMap::new();
        for (span, count) in self.rows.iter().flat_map(|row| &row.endings) {
            *games.entry(*span).or_default() += count;
        }
        let all: u64 = games.values().sum();
        let mut games: Vec<(Span, u64)> = games.into_iter().collect();
        games.sort_by_key(|(span, count)| (std::cmp::Reverse(*count), *span));
        let mut lines = vec![String::new(), "where games end".into()];
        lines.extend(games.into_iter().map(|(span, count)| {
            let share = count as f64 / all.max(1) as f64;
            format!("  {}  {}", percent(share), self.place(span))
        }));
        lines
    }

    fn by_place(&self) -> Vec<(Span, Counts)> {
        let mut places: BTreeMap<Span, Counts> = BTreeMap::new();
        for (span, counts) in self.rows.iter().flat_map(|row| &row.decisions) {
            places.entry(*span).or_default().merge(counts);
        }
        let mut places: Vec<(Span, Counts)> = places.into_iter().collect();
        places.retain(|(_, counts)| counts.total() > 0);
        places.sort_by_key(|(span, counts)| (std::cmp::Reverse(counts.total()), *span));
        places
    }

    fn decisions(&self) -> Vec<String> {
        let places = self.by_place();
        let mut lines = vec![
            String::new(),
            "decisions      times  median  95 %    most  only one".into(),
        ];
        let told = places.iter().take(DECISIONS_TOLD);
        lines.extend(told.map(|(span, counts)| {
            format!(
                "          {:>10}  {:>6}  {:>4}  {:>6}   {}  {}",
                counts.total(),
                counts.percentile(50),
                counts.percentile(95),
                counts.most(),
                percent(forced(counts)),
                self.place(*span)
            )
        }));
        let more = places.len().saturating_sub(DECISIONS_TOLD);
        if more > 0 {
            lines.push(format!("          and {more} more places (--json has all)"));
        }
        lines
    }

    fn reached(&self) -> Vec<String> {
        let part = |part: Part, what| format!("{} of {} {what}", part.reached, part.all);
        let findings = &self.findings;
        vec![
            String::new(),
            format!(
                "reached: {}, {}, {}, {}",
                part(findings.statements, "statements and conditions"),
                part(findings.options, "options of decisions"),
                part(findings.clauses, "clauses"),
                part(findings.components, "components"),
            ),
        ]
    }

    fn verdict(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (row, seat) in self.unfair() {
            let than = if seat.share.share > seat.fair {
                "more"
            } else {
                "less"
            };
            lines.push(format!(
                "UNFAIR: with {} seats, seat {} wins {than} than its share: {} instead of {}",
                row.setting.seats,
                seat.seat,
                share_and_interval(&seat.share),
                percent(seat.fair).trim_start()
            ));
        }
        let rows = || self.rows.iter().chain(&self.others);
        let games: u64 = rows().map(|row| row.games).sum();
        let failed: u64 = rows().map(|row| row.failed).sum();
        let ended = match failed {
            0 => "every game ended, and no decision was stuck".into(),
            _ => format!("{failed} did not finish"),
        };
        let findings = self.findings.report.diagnostics.len();
        lines.push(format!("{games} games: {ended}; {findings} findings"));
        if self.interrupted {
            lines.push("interrupted: the remaining games were not played".into());
        }
        lines
    }

    /// Returns the command that replays the game.
    fn again(&self, row: &Summary, failure: &Failure) -> Again {
        Again::new("simulate")
            .game(&self.args.game, &self.args.rules)
            .flag("--seats", row.setting.seats)
            .options(&row.setting.options)
            .flag("--seed", &self.seed)
            .flag("--game", failure.game)
    }

    fn case<'c>(&'c self, row: &Summary, failure: &'c Failure) -> Case<'c> {
        let options: Vec<(String, String)> = row.setting.options.clone().into_iter().collect();
        let which = which(&self.ruleset.name, row.setting.seats, &options);
        Case {
            stopped: &failure.stopped,
            sources: &self.ruleset.sources,
            which: game_of_run(failure, &which),
            again: self.again(row, failure),
            record: None,
        }
    }

    fn failures_json(&self, row: &Summary) -> Vec<Value> {
        let failures = row.failures.iter();
        failures
            .map(|failure| failure_json(failure, &self.case(row, failure)))
            .collect()
    }

    /// Formats a place as `cliff-race/game.yaml:48  finish won by d.owner`.
    fn place(&self, span: Span) -> String {
        let sources = &self.ruleset.sources;
        let Some(source) = sources.get(span.file) else {
            return String::new();
        };
        let (line, _) = sources.line_column(span.file, span.start);
        let text = source.text.get(span.start as usize..span.end as usize);
        let text = text.and_then(|text| text.lines().next()).unwrap_or("");
        let short: String = text.trim().chars().take(EXCERPT_MAX).collect();
        format!("{}:{line}  {short}", source.path)
    }

    // ---- JSON

    fn json(&self) -> Value {
        let findings = &self.findings;
        json!({
            "ok": self.is_good(),
            "game": self.ruleset.name,
            "ruleset": self.ruleset.digest,
            "seed": self.seed,
            "interrupted": self.interrupted,
            "rows": self.rows.iter().map(|row| self.row_json(row)).collect::<Vec<_>>(),
            "other_settings": self.others.iter().map(|row| self.other_json(row)).collect::<Vec<_>>(),
            "reached": {
                "statements": findings.statements,
                "options": findings.options,
                "clauses": findings.clauses,
                "components": findings.components,
                "each_option": self.each_option(),
                "each_component": self.each_component(),
            },
            "findings": findings.report.documents(&self.ruleset.sources),
        })
    }

    fn each_option(&self) -> Vec<Value> {
        let options = self.reached.options.iter();
        options
            .map(|(span, option)| {
                let mut value = self.place_json(*span);
                let name = Some(&option.name).filter(|name| !name.is_empty());
                let counts = json!({
                    "option": name,
                    "offered": option.offered,
                    "expected": option.expected,
                    "chosen": option.chosen,
                });
                merge(&mut value, counts);
                value
            })
            .collect()
    }

    fn each_component(&self) -> Vec<Value> {
        let kinds = self.reached.components.iter();
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
        let endings = row.endings.iter().map(|(span, games)| {
            let mut value = self.place_json(*span);
            extend(&mut value, "games", json!(games));
            value
        });
        let decided = row.decisions.iter().filter(|(_, c)| c.total() > 0);
        let decisions = decided.map(|(span, counts)| {
            let mut value = self.place_json(*span);
            extend(&mut value, "choices", counts_json(counts));
            value
        });
        json!({
            "seats": row.setting.seats,
            "options": row.setting.options,
            "bound": row.bound,
            "games": row.games,
            "failed": row.failed,
            "failures": self.failures_json(row),
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
            "failures": self.failures_json(row),
            "decisions": counts_json(&row.lengths),
        })
    }

    fn place_json(&self, span: Span) -> Value {
        json!(place(span, &self.ruleset.sources))
    }
}

fn extend(object: &mut Value, name: &str, value: Value) {
    if let Value::Object(object) = object {
        object.insert(name.to_owned(), value);
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

fn table_line(row: &Summary) -> String {
    let (lengths, choices) = (&row.lengths, &row.choices);
    let lead = row.lead_changes;
    format!(
        "{:>5}  {:>7}  {:>7}  {:>7}  {:>7} {:>6}  {:>7} {:>7.1}  {:>7}  {:>7}   {}  {:>8}",
        row.setting.seats,
        lengths.least(),
        lengths.percentile(50),
        lengths.percentile(95),
        lengths.most(),
        row.bound,
        choices.percentile(50),
        row.branching,
        choices.percentile(95),
        choices.most(),
        percent(row.forced()),
        lead.map_or("–".into(), |mean| format!("{mean:.2}")),
    )
}

fn seat_line(seat: &SeatTest) -> String {
    let verdict = match (seat.unfair, seat.probability) {
        (false, _) => String::new(),
        (true, p) if p < 0.0001 => "  unfair, p < 0.0001".into(),
        (true, p) => format!("  unfair, p = {p:.4}"),
    };
    format!(
        "    seat {}  {}{verdict}",
        seat.seat,
        share_and_interval(&seat.share)
    )
}

fn forced(counts: &Counts) -> f64 {
    counts.times(1) as f64 / counts.total().max(1) as f64
}

/// Formats a share as ` 51.2 %`.
pub(in crate::cli) fn percent(share: f64) -> String {
    format!("{:>5.1} %", share * 100.0)
}

/// Formats a share as ` 51.2 %  (48.1 % to 54.3 %)`.
pub(in crate::cli) fn share_and_interval(share: &crate::statistics::Share) -> String {
    let (low, high) = (share.low * 100.0, share.high * 100.0);
    format!("{} ({low:.1} % to {high:.1} %)", percent(share.share))
}

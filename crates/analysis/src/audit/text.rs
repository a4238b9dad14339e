//! An audit in words: the tables that the command prints and the workbench shows.

use std::collections::BTreeMap;

use super::findings::PartCoverage;
use super::run::Audit;
use super::summary::Summary;
use crate::statistics::{Counts, SeatTest, Share};
use wyrmgate_base::diagnostic::Span;

/// Maximum number of decisions in the text report, most frequent first. JSON has all of them.
const DECISIONS_SHOWN: usize = 12;

/// Maximum length of a rules excerpt beside a place.
const EXCERPT_MAX: usize = 60;

impl Audit<'_> {
    pub fn unfair(&self) -> impl Iterator<Item = (&Summary, &SeatTest)> {
        let rows = self.rows.iter();
        let seats = rows.flat_map(|row| row.seats.iter().map(move |seat| (row, seat)));
        seats.filter(|(_, seat)| seat.unfair)
    }

    /// Returns the report, without the excerpts of findings.
    pub fn text(&self) -> String {
        [self.sections(), self.verdict()].concat().join("\n")
    }

    /// Returns everything but the verdict.
    pub fn sections(&self) -> Vec<String> {
        let sections = [
            self.head(),
            self.table(),
            self.wins(),
            self.endings(),
            self.decisions(),
            self.reached(),
            self.reached.odd.lines(|span| self.place(span)),
        ];
        sections.concat()
    }

    fn head(&self) -> Vec<String> {
        let run = self.run;
        let others = match self.others.len() {
            0 => String::new(),
            n => format!(", {} in each of {n} other settings", run.fewer()),
        };
        vec![format!(
            "{}, seed {}, {} games for each number of seats{others}",
            run.name, run.seed, run.plan.games
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
        let rows = self.rows.iter();
        let counted = rows.filter_map(|row| Some((row, row.positions?)));
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
        let told = places.iter().take(DECISIONS_SHOWN);
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
        let more = places.len().saturating_sub(DECISIONS_SHOWN);
        if more > 0 {
            lines.push(format!("          and {more} more places (--json has all)"));
        }
        lines
    }

    fn reached(&self) -> Vec<String> {
        let part = |part: PartCoverage, what| format!("{} of {} {what}", part.reached, part.all);
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

    /// Returns what is unfair, how many games ended, and how many findings there are.
    pub fn verdict(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (row, seat) in self.unfair() {
            let than = match seat.share.share > seat.fair {
                true => "more",
                false => "less",
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
            lines.push("interrupted or out of time: the remaining games were not played".into());
        }
        lines
    }

    /// Formats a place as `cliff-race/game.yaml:48  finish won by d.owner`.
    fn place(&self, span: Span) -> String {
        let sources = self.run.sources;
        let Some(source) = sources.get(span.file) else {
            return String::new();
        };
        let (line, _) = sources.line_column(span.file, span.start);
        let text = source.text.get(span.start as usize..span.end as usize);
        let text = text.and_then(|text| text.lines().next()).unwrap_or("");
        let short: String = text.trim().chars().take(EXCERPT_MAX).collect();
        format!("{}:{line}  {short}", source.path)
    }
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
pub fn percent(share: f64) -> String {
    format!("{:>5.1} %", share * 100.0)
}

/// Formats a share as ` 51.2 %  (48.1 % to 54.3 %)`.
pub fn share_and_interval(share: &Share) -> String {
    let (low, high) = (share.low * 100.0, share.high * 100.0);
    format!("{} ({low:.1} % to {high:.1} %)", percent(share.share))
}

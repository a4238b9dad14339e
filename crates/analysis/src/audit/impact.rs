//! Compares two sets of rules game by game with the same random numbers, and separates the effect of the change from
//! chance.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::summary::failures;
use super::tally::{GameEnd, SettingTally, TalliedGame};
use crate::simulate::{Failure, Failures};
use crate::statistics::{Counts, LEVEL, Mean, PairedDifference, Share, differs, holm, shifted};
use wyrmgate_program::Program;

/// One number of seats under both rules.
#[derive(Debug, Clone)]
pub struct Impact {
    pub seats: usize,
    /// Number of games that ended under both rules. Only these are compared.
    pub games: u64,
    /// Number of games that did not end, under the first and the second rules.
    pub failed: [u64; 2],
    /// The causes.
    pub failures: [Vec<Failure>; 2],
    pub measures: Vec<ImpactMeasure>,
    /// Lengths in decisions.
    pub lengths: [Counts; 2],
    pub uses: Vec<KindUse>,
}

/// A quantity measured in every game under both rules.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImpactMeasure {
    pub name: String,
    /// Whether it is a share of the games instead of a number in each game.
    pub is_share: bool,
    pub base: Mean,
    pub other: Mean,
    pub difference: PairedDifference,
    /// Whether the difference is significant when all measures of the table are considered together.
    pub significant: bool,
}

/// The share of a kind's components that are used in a game. `None` if there is no such kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KindUse {
    pub kind: String,
    pub base: Option<Used>,
    pub other: Option<Used>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Used {
    /// The share that was moved, rolled, turned, shown, changed or chosen.
    pub in_play: f64,
    /// The share that appeared in a seat's choice.
    pub chosen: f64,
}

impl Impact {
    /// Compares two tallies. `seed` is the seed of the run.
    pub fn of(base: &SettingTally<'_>, other: &SettingTally<'_>, seed: &[u8; 32]) -> Impact {
        let pairs = pairs(base, other);
        let seats = base.coverage.program.seats;
        let failures = [base, other].map(|tally| failures(tally, seed));
        Impact {
            seats,
            games: pairs.len() as u64,
            failed: failures.each_ref().map(Failures::games),
            failures: failures.map(Failures::into_sorted),
            measures: measures(seats, &pairs),
            lengths: [base.lengths(), other.lengths()],
            uses: uses(base, other),
        }
    }
}

type Pair<'t> = (&'t TalliedGame, &'t TalliedGame);

/// Returns the games that ended under both rules, by number.
fn pairs<'t>(base: &'t SettingTally<'_>, other: &'t SettingTally<'_>) -> Vec<Pair<'t>> {
    let others: BTreeMap<u64, &TalliedGame> =
        other.rows.iter().map(|row| (row.number, row)).collect();
    let rows = base.rows.iter();
    let paired = rows.filter_map(|row| Some((row, *others.get(&row.number)?)));
    paired
        .filter(|(one, other)| one.has_ended() && other.has_ended())
        .collect()
}

/// Returns a number for a game, if it can be measured.
type Measured = fn(&TalliedGame) -> Option<f64>;

fn measures(seats: usize, pairs: &[Pair<'_>]) -> Vec<ImpactMeasure> {
    let mut all: Vec<ImpactMeasure> = (0..seats as u8)
        .map(|seat| {
            let name = format!("seat {} wins", seat + 1);
            share(name, pairs, |row| row.is_won_by(seat))
        })
        .collect();
    all.push(share("drawn".into(), pairs, |row| {
        row.end == GameEnd::Drawn
    }));
    let numbers: [(&str, Measured); 4] = [
        ("decisions", |row| Some(f64::from(row.decisions))),
        ("choices per decision", |row| Some(row.branching)),
        ("decisions with one choice", |row| {
            Some(f64::from(row.forced))
        }),
        ("changes of the lead", |row| row.lead_changes.map(f64::from)),
    ];
    for (name, measure) in numbers {
        all.extend(number(name, pairs, measure));
    }
    correct(&mut all);
    all
}

/// Corrects for multiple comparisons; otherwise, one in twenty would be significant by chance.
fn correct(measures: &mut [ImpactMeasure]) {
    let alone: Vec<f64> = measures.iter().map(|m| m.difference.probability).collect();
    for (measure, probability) in measures.iter_mut().zip(holm(&alone)) {
        measure.difference.probability = probability;
        measure.significant = probability < LEVEL;
    }
}

fn share(
    name: String,
    pairs: &[Pair<'_>],
    happens: impl Fn(&TalliedGame) -> bool,
) -> ImpactMeasure {
    let pairs = pairs.iter();
    let found = pairs.map(|(one, other)| (happens(one), happens(other)));
    let found: Vec<(bool, bool)> = found.collect();
    let mean = |times: usize| {
        let share = Share::of(times as u64, found.len() as u64);
        Mean {
            mean: share.share,
            low: share.low,
            high: share.high,
        }
    };
    ImpactMeasure {
        name,
        is_share: true,
        base: mean(found.iter().filter(|(one, _)| *one).count()),
        other: mean(found.iter().filter(|(_, other)| *other).count()),
        difference: differs(&found),
        significant: false,
    }
}

/// Returns `None` if it cannot be measured under both rules.
fn number(
    name: &str,
    pairs: &[Pair<'_>],
    measure: impl Fn(&TalliedGame) -> Option<f64>,
) -> Option<ImpactMeasure> {
    let found = pairs
        .iter()
        .map(|(one, other)| Some((measure(one)?, measure(other)?)));
    let found: Vec<(f64, f64)> = found.collect::<Option<_>>()?;
    let (base, other): (Vec<f64>, Vec<f64>) = found.iter().copied().unzip();
    Some(ImpactMeasure {
        name: name.to_owned(),
        is_share: false,
        base: Mean::of(&base),
        other: Mean::of(&other),
        difference: shifted(&found),
        significant: false,
    })
}

/// Returns the use by kind, kinds of the base first.
fn uses(base: &SettingTally<'_>, other: &SettingTally<'_>) -> Vec<KindUse> {
    let (mut of_base, mut of_other) = (used(base), used(other));
    let names = kinds(base.coverage.program);
    let more = kinds(other.coverage.program);
    let mut seen = BTreeSet::new();
    let all = names.into_iter().chain(more);
    all.filter(|kind| seen.insert(kind.clone()))
        .map(|kind| KindUse {
            base: of_base.remove(&kind),
            other: of_other.remove(&kind),
            kind,
        })
        .collect()
}

/// Returns the kinds that have components.
fn kinds(program: &Program) -> Vec<String> {
    let mut numbers: Vec<u16> = program.components.iter().map(|c| c.kind).collect();
    numbers.dedup();
    let info = |kind: u16| program.kind(kind);
    let names = numbers.into_iter();
    let names = names.filter_map(|kind| Some(info(kind)?.name.clone()));
    names.collect()
}

fn used(tally: &SettingTally<'_>) -> BTreeMap<String, Used> {
    let program = tally.coverage.program;
    let games = tally.rows.len().max(1) as f64;
    let mut sums: BTreeMap<String, (f64, u64, u64)> = BTreeMap::new();
    let counts = &tally.coverage.components;
    for (component, counts) in program.components.iter().zip(counts) {
        if let Some(kind) = program.kind(component.kind) {
            let sum = sums.entry(kind.name.clone()).or_default();
            *sum = (
                sum.0 + 1.0,
                sum.1 + counts.used.count,
                sum.2 + counts.chosen.count,
            );
        }
    }
    let shares = sums
        .into_iter()
        .map(|(kind, (components, in_play, chosen))| {
            let in_play = in_play as f64 / (games * components);
            let chosen = chosen as f64 / (games * components);
            (kind, Used { in_play, chosen })
        });
    shares.collect()
}

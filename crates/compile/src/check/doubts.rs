//! Warnings about what does nothing in any setup: loops that never begin, lists without a first member before the
//! first, zones from which nothing can be drawn, turns of nobody.

use std::collections::{BTreeMap, BTreeSet};

use crate::compile::Doubts;
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};
use wyrmgate_program::Program;

/// The doubts of all setups.
#[derive(Default)]
pub(super) struct Doubtful {
    /// For each location, whether the condition can hold (or the seat can exist) in one of the setups.
    loops: BTreeMap<Span, bool>,
    seats: BTreeMap<Span, bool>,
    before_first: BTreeSet<Span>,
    zones_that_exist: BTreeSet<Span>,
    idle: BTreeSet<Span>,
    /// The first place where each zone is drawn from.
    drawn: BTreeMap<String, Span>,
    filled: BTreeSet<String>,
    /// Whether something moves to a zone that is known only in play.
    fills_any: bool,
}

impl Doubtful {
    pub fn look(&mut self, program: &Program, doubts: Doubts) {
        for (all, found) in [
            (&mut self.loops, doubts.loops),
            (&mut self.seats, doubts.seats),
        ] {
            for (span, makes_sense) in found {
                *all.entry(span).or_default() |= makes_sense;
            }
        }
        self.before_first.extend(doubts.before_first);
        self.zones_that_exist.extend(doubts.zones_that_exist);
        self.idle.extend(doubts.idle);
        for (zone, span) in doubts.drawn {
            self.drawn.entry(zone).or_insert(span);
        }
        self.fills_any |= doubts.filled.contains(&None);
        self.filled.extend(doubts.filled.into_iter().flatten());
        let begin = program.components.iter().map(|c| usize::from(c.starts_in));
        let begin: BTreeSet<usize> = begin.collect();
        let zones = begin.iter().filter_map(|zone| program.zones.get(*zone));
        let families = zones.filter_map(|zone| program.family(zone.family));
        self.filled
            .extend(families.map(|family| family.name.clone()));
    }

    pub fn warn(&self, report: &mut Report) {
        let never = |all: &BTreeMap<Span, bool>| -> Vec<Span> {
            let never = all.iter().filter(|(_, makes_sense)| !**makes_sense);
            never.map(|(span, _)| *span).collect()
        };
        for span in never(&self.loops) {
            let message = "this loop never begins: its condition never holds";
            let help = "remove the loop, or correct its condition";
            report.push(Diagnostic::warning("constant-condition", span, message).help(help));
        }
        let told: BTreeSet<Span> = report.diagnostics.iter().map(|told| told.span).collect();
        let idle: Vec<Span> = self.idle.difference(&told).copied().collect();
        for span in idle {
            let message = "infinite loop: nothing in it changes this condition";
            let help = "change something in the loop, or leave it with `stop`";
            report.push(Diagnostic::warning("endless", span, message).help(help));
        }
        for span in never(&self.seats) {
            let message = "there is no such seat, whatever the settings";
            let help = "seats count from 1: `seat(1)` is the first seat";
            report.push(Diagnostic::warning("no-seat", span, message).help(help));
        }
        for span in &self.before_first {
            let message = "this never finds a member: lists count from 1";
            let help = "write `[1]` for the first member";
            report.push(Diagnostic::warning("before-first", *span, message).help(help));
        }
        for span in &self.zones_that_exist {
            let message = "this tests nothing: the zone always exists";
            let help = "`is empty` and `is not empty` ask whether something lies there";
            report.push(Diagnostic::warning("constant-condition", *span, message).help(help));
        }
        self.never_filled(report);
    }

    fn never_filled(&self, report: &mut Report) {
        if self.fills_any {
            return;
        }
        for (zone, span) in &self.drawn {
            if !self.filled.contains(zone) {
                let message = format!("nothing is ever in `{zone}`, so nothing can be drawn");
                let help = format!("let components begin there (`in: {zone}`), or move some to it");
                report.push(Diagnostic::warning("never-filled", *span, message).help(help));
            }
        }
    }
}

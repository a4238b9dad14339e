//! Warnings about what does nothing in any setup: loops that never begin, lists without a first member before the
//! first, zones from which nothing can be drawn, turns of nobody.

use std::collections::{BTreeMap, BTreeSet};

use crate::compile::{Doubts, KeyedThing};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};
use wyrmgate_program::Program;

/// The doubts of all setups.
#[derive(Default)]
pub(super) struct Doubtful {
    /// For each location, whether the condition can hold (or the seat can exist) in one of the setups.
    loops: BTreeMap<Span, bool>,
    named: BTreeMap<Span, (KeyedThing, bool)>,
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
        for (span, makes_sense) in doubts.loops {
            *self.loops.entry(span).or_default() |= makes_sense;
        }
        for (span, what, exists) in doubts.named {
            self.named.entry(span).or_insert((what, false)).1 |= exists;
        }
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
        for (span, _) in self.loops.iter().filter(|(_, makes_sense)| !**makes_sense) {
            let message = "this loop never begins: its condition never holds";
            let help = "remove the loop, or correct its condition";
            report.push(Diagnostic::warning("constant-condition", *span, message).help(help));
        }
        let told: BTreeSet<Span> = report.diagnostics.iter().map(|told| told.span).collect();
        let idle: Vec<Span> = self.idle.difference(&told).copied().collect();
        for span in idle {
            let message = "infinite loop: nothing in it changes this condition";
            let help = "change something in the loop, or leave it with `stop`";
            report.push(Diagnostic::warning("endless", span, message).help(help));
        }
        let absent_things = self.named.iter().filter(|(_, (_, exists))| !exists);
        let spans: Vec<&Span> = absent_things.clone().map(|(span, _)| span).collect();
        for (span, (what, _)) in absent_things {
            // If a key inside does not exist, the warning about that key is enough.
            let within = |other: &&Span| {
                other.file == span.file && span.start <= other.start && other.end <= span.end
            };
            if spans.iter().any(|other| *other != span && within(other)) {
                continue;
            }
            let (code, message, help) = absent(*what);
            report.push(Diagnostic::warning(code, *span, message).help(help));
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

/// The code, message and help for what never exists.
fn absent(what: KeyedThing) -> (&'static str, &'static str, &'static str) {
    match what {
        KeyedThing::Seat => (
            "no-seat",
            "there is no such seat, whatever the settings",
            "seats count from 1: `seat(1)` is the first seat",
        ),
        KeyedThing::Zone => (
            "no-such-key",
            "there is no zone with these keys, whatever the settings",
            "the keys of a zone are those of its `each`, as far as its `if` allows",
        ),
        KeyedThing::Component => (
            "no-such-key",
            "there is no component with these keys, whatever the settings",
            "the keys of a component are those of its `each`, then the number of the copy",
        ),
        KeyedThing::Member => (
            "before-first",
            "this never finds a member: lists count from 1 to their length",
            "write `[1]` for the first member; `last(xs)` is the last",
        ),
    }
}

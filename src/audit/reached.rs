//! What was reached in all settings together, by where it is written: each setting has a program of its own, and what one
//! of them never comes to another may.

use std::collections::BTreeMap;

use super::coverage::Coverage;
use crate::diagnostic::Span;
use crate::program::Op;
use crate::scenario::coverage::cited;

#[derive(Debug, Clone, Default)]
pub struct Reached {
    pub games: u64,
    /// Games in which each statement or condition ran.
    pub statements: BTreeMap<Span, u64>,
    /// How often each condition of a statement failed, and how often it held.
    pub conditions: BTreeMap<Span, [u64; 2]>,
    /// Options of decisions, by name (empty: the only one): how often each was taken.
    pub options: BTreeMap<Span, (String, u64)>,
    /// Clauses that some code carries out: how often.
    pub clauses: BTreeMap<String, u64>,
    /// By kind: games in which each of its components did something.
    pub components: BTreeMap<String, BTreeMap<String, u64>>,
    /// By family: something was moved there, shuffled, or chosen.
    pub zones: BTreeMap<String, bool>,
    /// Variables of the rules: one of their values was set.
    pub vars: BTreeMap<String, bool>,
}

impl Reached {
    pub fn add(&mut self, games: u64, coverage: &Coverage<'_>) {
        self.games += games;
        self.add_code(coverage);
        self.add_options(coverage);
        self.add_clauses(coverage);
        self.add_things(coverage);
    }

    /// A statement begins where the place of the code changes; what follows it, up to the next one, belongs to it.
    fn add_code(&mut self, coverage: &Coverage<'_>) {
        let program = coverage.program();
        let spans = &program.code_spans;
        let mut before = None;
        for (address, (span, games)) in spans.iter().zip(coverage.games_of_operations()).enumerate()
        {
            if before.replace(span) == Some(span) {
                continue;
            }
            let most = self.statements.entry(*span).or_default();
            // One statement can stand in several places of the code.
            *most = (*most).max(games);
            if let Some(Op::JumpUnless(..)) = program.code.get(address) {
                let counts = self.conditions.entry(*span).or_default();
                let new = coverage.branch(address);
                counts.iter_mut().zip(new).for_each(|(sum, n)| *sum += n);
            }
        }
    }

    fn add_options(&mut self, coverage: &Coverage<'_>) {
        let sites = coverage.program().sites.iter();
        for (site, counts) in sites.zip(coverage.options()) {
            let named = site.proper_options().iter().zip(counts);
            for (option, count) in named {
                let known = self.options.entry(option.span).or_default();
                known.0.clone_from(&option.name);
                known.1 += count;
            }
        }
    }

    fn add_clauses(&mut self, coverage: &Coverage<'_>) {
        let program = coverage.program();
        let carried_out = cited(program);
        let clauses = (0..).zip(&program.clauses).zip(coverage.clauses());
        for ((id, clause), count) in clauses {
            if carried_out.contains(&id) {
                *self.clauses.entry(clause.id.clone()).or_default() += count;
            }
        }
    }

    fn add_things(&mut self, coverage: &Coverage<'_>) {
        let program = coverage.program();
        let components = program.components.iter();
        for (component, (games, _)) in components.zip(coverage.games_of_components()) {
            if let Some(kind) = program.kinds.get(usize::from(component.kind)) {
                let of_kind = self.components.entry(kind.name.clone()).or_default();
                *of_kind.entry(component.name.clone()).or_default() += games;
            }
        }
        for (zone, touched) in program.zones.iter().zip(coverage.zones()) {
            if let Some(family) = program.families.get(usize::from(zone.family)) {
                *self.zones.entry(family.name.clone()).or_default() |= touched;
            }
        }
        let vars = program.vars.iter().zip(coverage.vars());
        for (var, set) in vars.filter(|(var, _)| !var.internal) {
            *self.vars.entry(var.name.clone()).or_default() |= set;
        }
    }
}

//! Combines the coverage of all settings by source place, because each setting has its own program and may reach what
//! others do not.

use std::collections::{BTreeMap, BTreeSet};

use super::coverage::Coverage;
use crate::oddities::Oddities;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::{Expr, Op, Program, Set, VarInfo, VarRole};

#[derive(Debug, Clone, Default)]
pub struct ReachedParts {
    pub games: u64,
    /// Number of games in which each statement or condition ran.
    pub statements: BTreeMap<Span, u64>,
    /// How often each condition of a statement was false and true.
    pub conditions: BTreeMap<Span, [u64; 2]>,
    /// Options of decisions.
    pub options: BTreeMap<Span, OptionReached>,
    /// Components by kind and name.
    pub components: BTreeMap<String, BTreeMap<String, ComponentReached>>,
    /// The places that call each effect, by the place of its declaration.
    pub calls: BTreeMap<Span, BTreeSet<Span>>,
    /// The declarations of effects that run in what-ifs, which nobody observes.
    pub supposed: BTreeSet<Span>,
    /// By family, whether something was moved there, shuffled or chosen.
    pub zones: BTreeMap<String, bool>,
    /// By variable of the rules, whether one of its values was set.
    pub vars: BTreeMap<String, bool>,
    /// The seats that were asked in some setting, one bit each, and the games that somebody won.
    pub asked: u32,
    pub seats: usize,
    pub won: u64,
    pub odd: Oddities,
}

/// An option of a decision in all settings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OptionReached {
    /// Empty if it is the only option of its decision.
    pub name: String,
    pub offered: u64,
    /// Expected number of times random players take it.
    pub expected: f64,
    pub chosen: u64,
}

/// A component in all settings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ComponentReached {
    /// Number of games in which it was used.
    pub games: u64,
    /// Number of decisions at which it could be chosen.
    pub offered: u64,
    /// Number of games in which a seat chose it.
    pub chosen: u64,
}

impl ReachedParts {
    pub fn add(&mut self, games: u64, coverage: &Coverage<'_>) {
        self.games += games;
        self.asked |= coverage.asked;
        self.seats = self.seats.max(coverage.program.seats);
        self.add_code(coverage);
        self.add_options(coverage);
        self.add_calls(coverage.program);
        self.add_things(coverage);
    }

    /// Assigns code to statements. A statement begins where the place of the code changes, and extends to the next one.
    fn add_code(&mut self, coverage: &Coverage<'_>) {
        let program = coverage.program;
        let spans = &program.code.spans;
        let mut before = None;
        for (address, (span, games)) in spans.iter().zip(&coverage.operations).enumerate() {
            if before.replace(span) == Some(span) {
                continue;
            }
            let most = self.statements.entry(*span).or_default();
            // A statement can have code at several addresses.
            *most = (*most).max(games.count);
            if let Some(Op::JumpUnless(..)) = program.code.ops.get(address) {
                let counts = self.conditions.entry(*span).or_default();
                let new = coverage.branches.get(address).into_iter().flatten();
                counts.iter_mut().zip(new).for_each(|(sum, n)| *sum += n);
            }
        }
    }

    fn add_options(&mut self, coverage: &Coverage<'_>) {
        let sites = coverage.program.sites.iter();
        for (site, counts) in sites.zip(&coverage.options) {
            let named = site.proper_options().iter().zip(counts);
            for (option, count) in named {
                let known = self.options.entry(option.span).or_default();
                known.name.clone_from(&option.name);
                known.offered += count.offered;
                known.expected += count.expected;
                known.chosen += count.chosen;
            }
        }
    }

    fn add_calls(&mut self, program: &Program) {
        for (op, span) in program.code.ops.iter().zip(&program.code.spans) {
            if let Op::Call { effect, .. } = op
                && let Some(effect) = program.effect(*effect)
                // Handlers surround the effect; their calls are calls of the effect itself.
                && effect.span != *span
            {
                self.calls.entry(effect.span).or_default().insert(*span);
            }
        }
        let of_values = program.exprs.iter().filter_map(|expr| match expr {
            Expr::After(after) => Some(after.effect),
            _ => None,
        });
        let of_lists = program.sets.iter().filter_map(|set| match set {
            Set::After(after) => Some(after.effect),
            _ => None,
        });
        let effects = of_values
            .chain(of_lists)
            .filter_map(|id| program.effect(id));
        self.supposed.extend(effects.map(|effect| effect.span));
    }

    fn add_things(&mut self, coverage: &Coverage<'_>) {
        let program = coverage.program;
        let components = program.components.iter().zip(program.component_names());
        for ((component, name), counts) in components.zip(&coverage.components) {
            if let Some(kind) = program.kind(component.kind) {
                let of_kind = self.components.entry(kind.name.clone()).or_default();
                let known = of_kind.entry(name.to_owned()).or_default();
                known.games += counts.used.count;
                known.offered += counts.offered.count;
                known.chosen += counts.chosen.count;
            }
        }
        for (zone, touched) in program.zones.iter().zip(&coverage.zones) {
            if let Some(family) = program.family(zone.family) {
                *self.zones.entry(family.name.clone()).or_default() |= touched;
            }
        }
        let vars = program.vars.iter().zip(&coverage.vars);
        let is_named = |var: &VarInfo| !var.internal && var.role != VarRole::Members;
        for (var, set) in vars.filter(|(var, _)| is_named(var)) {
            let whole = var.part.as_ref().map_or(&var.name, |part| &part.variable);
            *self.vars.entry(whole.clone()).or_default() |= set;
        }
    }
}

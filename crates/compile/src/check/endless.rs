//! Effects and handlers that call each other without end.
//!
//! An effect never ends if every way through its code calls such an effect. The largest set of effects with this
//! property is found by starting with all of them and removing those with a way around.

use hashbrown::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet};

use crate::compile::passes::extents::{Extents, called_by};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};
use wyrmgate_program::{Address, EffectId, LoopStep, Op, Program, Site};

/// A circle of calls: the declared name and location of each effect or handler in it.
pub(super) type Circle = Vec<(String, Span)>;

/// Returns the circles of calls in which nothing ends.
pub(super) fn circles(program: &Program) -> Vec<Circle> {
    let search = Search::of(program);
    let mut seen: BTreeMap<EffectId, EffectId> = BTreeMap::new();
    let mut found = Vec::new();
    for first in &search.endless {
        let mut path = Vec::new();
        let mut next = Some(*first);
        while let Some(id) = next.filter(|id| !seen.contains_key(id)) {
            seen.insert(id, *first);
            path.push(id);
            next = search.first_endless_call(id);
        }
        // A path that ends in an earlier one leads to a circle that is known.
        let begins = next.filter(|id| seen.get(id) == Some(first));
        let circle = begins.and_then(|begins| path.iter().position(|id| *id == begins));
        found.extend(circle.map(|from| named(program, path.split_off(from).as_slice())));
    }
    found
}

pub(super) fn warn(circles: &BTreeSet<Circle>, report: &mut Report) {
    let told = report
        .diagnostics
        .iter()
        .filter(|told| told.code == "endless");
    let told: HashSet<String> = told
        .map(|told| told.message.trim_end_matches(" here").to_owned())
        .collect();
    for circle in circles {
        let Some((first, place)) = circle.first() else {
            continue;
        };
        let names = circle
            .iter()
            .take(NAMES_MAX)
            .map(|(name, _)| format!("`{name}`"));
        let names: Vec<String> = names.collect();
        let again = match circle.len() {
            1 => "itself".to_owned(),
            n if n > NAMES_MAX => format!("{} others, and `{first}`", n - NAMES_MAX),
            _ => format!("`{first}`"),
        };
        let message = format!(
            "infinite recursion: {} calls {again}",
            names.join(" calls ")
        );
        if told.contains(&message) {
            continue; // told at its call
        }
        let mut warning = Diagnostic::warning("endless", *place, message);
        for (name, place) in circle.iter().take(NAMES_MAX).skip(1) {
            warning = warning.related(*place, format!("`{name}` is here"));
        }
        let help = "put a condition before one of the calls, or use `repeat:` with `stop`";
        report.push(warning.help(help));
    }
}

/// The maximum number of effects that a message names.
const NAMES_MAX: usize = 5;

/// The search for effects that never end: all of them at first, without those that have a way around the calls of others.
struct Search<'p> {
    extents: Extents<'p>,
    program: &'p Program,
    endless: BTreeSet<EffectId>,
    /// The addresses that are reached without a call of an effect that never ends.
    reached: BTreeSet<Address>,
    /// The calls at which the ways of effects end, by called effect: the calling effect, and where its way continues.
    waiting: HashMap<EffectId, Vec<(EffectId, Address)>>,
}

impl<'p> Search<'p> {
    fn of(program: &'p Program) -> Search<'p> {
        let all = 0..program.effects.len() as EffectId;
        let mut search = Search {
            extents: Extents::of(program),
            program,
            endless: all.clone().collect(),
            reached: BTreeSet::new(),
            waiting: HashMap::new(),
        };
        let entries = all.zip(&program.effects);
        let mut next: Vec<(EffectId, Address)> = entries.map(|(id, e)| (id, e.entry)).collect();
        while let Some((id, at)) = next.pop() {
            if search.endless.contains(&id) && search.has_way_around(id, at) {
                search.endless.remove(&id);
                next.extend(search.waiting.remove(&id).unwrap_or_default());
            }
        }
        search
    }

    /// Follows the code of an effect from an address on. Returns whether it can end, or loop, without a call of an
    /// effect that never ends.
    fn has_way_around(&mut self, id: EffectId, from: Address) -> bool {
        let mut next = vec![from];
        while let Some(at) = next.pop() {
            let program = self.program;
            let Some(op) = program.code.ops.get(at as usize) else {
                return true;
            };
            if !self.reached.insert(at) {
                continue;
            }
            let called = called_by(program, op);
            if !called.is_empty() && called.iter().all(|id| self.endless.contains(id)) {
                for called in called {
                    let waiting = self.waiting.entry(called).or_default();
                    waiting.push((id, at + 1));
                }
                continue;
            }
            match ways(program, op, at) {
                Some(ways) if ways.iter().all(|way| *way > at) => next.extend(ways),
                // the end, or a jump back: a loop that may end in another way
                _ => return true,
            }
        }
        false
    }

    fn first_endless_call(&self, id: EffectId) -> Option<EffectId> {
        let calls = self
            .extents
            .ops(id)
            .flat_map(|op| called_by(self.program, op));
        calls.into_iter().find(|id| self.endless.contains(id))
    }
}

/// Returns where an operation continues; `None` if the effect or the game ends there.
fn ways(program: &Program, op: &Op, at: Address) -> Option<Vec<Address>> {
    let of_site = |site: u16| {
        let site: Option<&Site> = program.site(site);
        site.map(|site| {
            let targets = site.options.iter().map(|option| option.target);
            targets
                .chain([site.otherwise, at + 1])
                .filter(|way| *way != 0)
                .collect()
        })
    };
    match op {
        Op::Return => None,
        op if op.facts().finishes => None,
        Op::Jump(to) => Some(vec![*to]),
        Op::JumpUnless(_, to) => Some(vec![at + 1, *to]),
        Op::EachNext(LoopStep { exit, .. }) => Some(vec![at + 1, *exit]),
        Op::Choose(site) | Op::ChooseAtRandom(site) => of_site(*site),
        Op::ChooseEach { site, .. } | Op::ChooseFirst { site, .. } => of_site(*site),
        _ => Some(vec![at + 1]),
    }
}

/// Returns the declared effects and handlers of a circle, beginning with the first in the files.
fn named(program: &Program, circle: &[EffectId]) -> Circle {
    let effects = circle.iter().filter_map(|id| program.effect(*id));
    let declared = effects.filter(|effect| effect.span != Span::default());
    let mut names: Circle = declared
        .map(|effect| (shown(&effect.name), effect.span))
        .collect();
    names.dedup();
    if names.len() > 1 && names.first() == names.last() {
        names.pop();
    }
    let first = names
        .iter()
        .enumerate()
        .min_by_key(|(_, (_, span))| *span)
        .map_or(0, |(at, _)| at);
    names.rotate_left(first);
    names
}

/// Returns the name of an effect, or of a handler with the word that says when it runs.
fn shown(name: &str) -> String {
    let words = ["before_", "instead_", "after_"];
    match words
        .iter()
        .find_map(|word| Some((word, name.strip_prefix(word)?)))
    {
        Some((word, of)) => format!("{} {of}", word.trim_end_matches('_')),
        None => name.to_owned(),
    }
}

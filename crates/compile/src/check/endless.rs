//! Effects and handlers that call each other without end.
//!
//! An effect never ends if every way through its code calls such an effect. The largest set of effects with this
//! property is found by starting with all of them and removing those with a way around.

use std::collections::{BTreeMap, BTreeSet};

use super::lint::{Extents, called_by};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};
use wyrmgate_program::{Address, EffectId, Op, Program, Site};

/// A circle of calls: the declared name and location of each effect or handler in it.
pub(super) type Circle = Vec<(String, Span)>;

/// Returns the circles of calls in which nothing ends.
pub(super) fn circles(program: &Program) -> Vec<Circle> {
    let endless = endless(program);
    let mut told: BTreeSet<EffectId> = BTreeSet::new();
    let mut found = Vec::new();
    for first in &endless {
        let circle = circle(program, *first, &endless);
        if circle.iter().all(|id| told.insert(*id)) {
            found.push(named(program, &circle));
        }
    }
    found
}

pub(super) fn warn(circles: &BTreeSet<Circle>, report: &mut Report) {
    for circle in circles {
        let Some((first, place)) = circle.first() else {
            continue;
        };
        let names: Vec<String> = circle.iter().map(|(name, _)| format!("`{name}`")).collect();
        let message = format!(
            "infinite recursion: {} calls {}",
            names.join(" calls "),
            match circle.len() {
                1 => "itself".to_owned(),
                _ => format!("`{first}`"),
            }
        );
        let mut warning = Diagnostic::warning("endless", *place, message);
        for (name, place) in circle.iter().skip(1) {
            warning = warning.related(*place, format!("`{name}` is here"));
        }
        report.push(
            warning.help("put a condition before one of the calls, or use `repeat:` with `stop`"),
        );
    }
}

fn endless(program: &Program) -> BTreeSet<EffectId> {
    let extents = Extents::of(program);
    let all = 0..program.effects.len() as EffectId;
    let calls = |id: &EffectId| {
        extents
            .ops(*id)
            .any(|op| !called_by(program, op).is_empty())
    };
    let mut endless: BTreeSet<EffectId> = all.filter(calls).collect();
    loop {
        let before = endless.len();
        let kept = endless
            .iter()
            .filter(|id| !has_way_around(program, **id, &endless));
        endless = kept.copied().collect();
        if endless.len() == before {
            return endless;
        }
    }
}

/// Returns whether the code of an effect can end, wait or loop without a call of one of these.
fn has_way_around(program: &Program, id: EffectId, endless: &BTreeSet<EffectId>) -> bool {
    let Some(entry) = program
        .effects
        .get(usize::from(id))
        .map(|effect| effect.entry)
    else {
        return true;
    };
    let mut seen = BTreeSet::new();
    let mut next = vec![entry];
    while let Some(at) = next.pop() {
        if !seen.insert(at) {
            continue;
        }
        let Some(op) = program.code.get(at as usize) else {
            return true;
        };
        let called = called_by(program, op);
        if !called.is_empty() && called.iter().all(|id| endless.contains(id)) {
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

/// Returns where an operation continues; `None` if the effect or the game ends there.
fn ways(program: &Program, op: &Op, at: Address) -> Option<Vec<Address>> {
    let of_site = |site: u16| {
        let site: Option<&Site> = program.sites.get(usize::from(site));
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
        Op::EachNext { exit, .. } => Some(vec![at + 1, *exit]),
        Op::NextTurn { goes_on, .. } => Some(vec![at + 1, *goes_on]),
        Op::Choose(site) | Op::ChooseAtRandom(site) => of_site(*site),
        Op::ChooseEach { site, .. } => of_site(*site),
        _ => Some(vec![at + 1]),
    }
}

/// Follows the calls from one of these effects until they repeat; returns the circle.
fn circle(program: &Program, first: EffectId, endless: &BTreeSet<EffectId>) -> Vec<EffectId> {
    let extents = Extents::of(program);
    let mut places: BTreeMap<EffectId, usize> = BTreeMap::new();
    let mut path = Vec::new();
    let mut id = first;
    while !places.contains_key(&id) {
        places.insert(id, path.len());
        path.push(id);
        let calls = extents.ops(id).flat_map(|op| called_by(program, op));
        match calls.into_iter().find(|id| endless.contains(id)) {
            Some(next) => id = next,
            None => return Vec::new(),
        }
    }
    let from = places.get(&id).copied().unwrap_or(0);
    path.split_off(from)
}

/// Returns the declared effects and handlers of a circle, beginning with the first in the files.
fn named(program: &Program, circle: &[EffectId]) -> Circle {
    let effects = circle
        .iter()
        .filter_map(|id| program.effects.get(usize::from(*id)));
    let declared = effects.filter(|effect| effect.span != Span::default());
    let mut names: Circle = declared
        .map(|effect| (effect.name.replace('_', " "), effect.span))
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

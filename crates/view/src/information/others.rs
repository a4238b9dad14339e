//! What a viewer does not know of a position, exchanged: other names, orders and words that it could not tell apart.

use std::collections::{BTreeMap, BTreeSet};

use super::gain::{ChoiceSpan, InformationGain, MadeChoice, ORDERS, ORDERS_NOW};
use super::{NUMBERS, PAIRS, STEPS, WORDS};
use crate::arranged::arranged;
use crate::knowledge::{bit, viewers_of};
use crate::otherwise::hidden_vars;
use crate::substitution::{Exchange, essence_of, looks_of, rename_choice, spoken_of};
use wyrmgate_engine::{Choice, Label, Rng, Viewer, Viewers, reads_back};
use wyrmgate_program::{ByNumber, Expr, FieldInfo, KindInfo, Program, Type, VarRole};

impl InformationGain<'_> {
    // ---- what is exchanged

    /// Returns the pairs of components that a viewer cannot tell apart before the first choice and that differ in more than
    /// their names, each with the viewers that cannot.
    pub(super) fn pairs(&self, moment: &MadeChoice) -> BTreeMap<(i32, i32), Viewers> {
        let components = 0..self.program.components.len() as i32;
        let essences = components.map(|one| essence_of(self.program, &moment.before, one));
        let essences: Vec<_> = essences.collect();
        let essence = |component: i32| essences.at(component);
        let mut pairs: BTreeMap<(i32, i32), Viewers> = BTreeMap::new();
        for viewer in viewers_of(self.program) {
            for group in self.groups(viewer, ChoiceSpan::of(0, 0), false) {
                for (at, one) in group.iter().enumerate() {
                    let others = group.iter().skip(at + 1);
                    for other in others.filter(|other| essence(*one) != essence(**other)) {
                        let pair = (*one.min(other), *one.max(other));
                        *pairs.entry(pair).or_default() |= bit(viewer);
                    }
                }
            }
        }
        let every = pairs.len().div_ceil(PAIRS).max(1);
        pairs.into_iter().step_by(every).collect()
    }

    /// Returns other orders of everything that the viewer did not know before the first of these choices, and does not
    /// know before the last.
    pub(super) fn orders(&self, viewer: Viewer, span: ChoiceSpan) -> Vec<Vec<i32>> {
        let groups = self.groups(viewer, span, false);
        let Some(moment) = self.moments.get(span.first).filter(|_| !groups.is_empty()) else {
            return Vec::new();
        };
        let is_now = span.first == span.last;
        let count = if is_now { ORDERS_NOW } else { ORDERS };
        let at_random = (0..count).map(|order| {
            let mut rng = Rng::new([0; 32], Label::Shuffle, order);
            let mut exchange = Exchange::new(self.program, &moment.before);
            for places in &groups {
                // Where the members truly lie makes no difference.
                let mut members = places.clone();
                members.sort_unstable();
                for at in (1..members.len()).rev() {
                    members.swap(at, rng.below(at as u32 + 1) as usize);
                }
                for (place, member) in places.iter().zip(members) {
                    exchange.put(*place, member);
                }
            }
            exchange.names().to_vec()
        });
        let mut orders: Vec<Vec<i32>> = at_random.collect();
        if is_now {
            orders.extend(arranged(self.program, &moment.before, &groups));
        }
        orders
    }

    /// Groups components that the viewer does not know by their looks, in physical order: first by their backs, then
    /// those whose backs it cannot read. If they are kept `apart`, each is in one group only.
    pub(super) fn groups(&self, viewer: Viewer, span: ChoiceSpan, apart: bool) -> Vec<Vec<i32>> {
        let of = |number: usize| self.moments.get(number);
        let (Some(before), Some(later)) = (of(span.first), of(span.last)) else {
            return Vec::new();
        };
        let (program, state) = (self.program, &before.before);
        let mut groups: Vec<(_, Vec<i32>)> = Vec::new();
        let spoken_of = spoken_of(program, state);
        let lying = (0..state.zones() as i32).flat_map(|zone| state.members(zone));
        for component in lying {
            let is_open =
                before.known.knows(viewer, component) || later.known.knows(viewer, component);
            if is_open || spoken_of.get(component as usize) == Some(&true) {
                continue;
            }
            let Some((family, back)) = looks_of(program, state, component) else {
                continue;
            };
            let is_read = reads_back(program, state, viewer, component);
            let unread = (!is_read && !back.is_empty()).then_some((family, None));
            let by_back = (!apart || unread.is_none()).then_some((family, Some(back)));
            for looks in by_back.into_iter().chain(unread) {
                match groups.iter_mut().find(|(other, _)| *other == looks) {
                    Some((_, members)) => members.push(component),
                    None => groups.push((looks, vec![component])),
                }
            }
        }
        let groups = groups.into_iter().map(|(_, members)| members);
        groups.filter(|members| members.len() > 1).collect()
    }

    /// Returns the choice of a moment with the components that lie there then.
    pub(super) fn renamed(&self, moment: &MadeChoice, names: &[i32]) -> Choice {
        let mut choice = moment.choice.clone();
        let mut name = |component: i32| names.at(component).copied().unwrap_or(component);
        rename_choice(self.program, moment.pending.site, &mut choice, &mut name);
        choice
    }

    // ---- other words

    /// Returns other values of hidden words, each with the viewers that may not see the word.
    pub(super) fn other_words(&self, moment: &MadeChoice) -> BTreeMap<(u32, i32), Viewers> {
        let mut others: BTreeMap<(u32, i32), Viewers> = BTreeMap::new();
        for viewer in viewers_of(self.program) {
            for (word, values) in self.hidden_words(viewer, moment) {
                let present = moment.before.var(word);
                for value in values.into_iter().filter(|value| *value != present) {
                    *others.entry((word, value)).or_default() |= bit(viewer);
                }
            }
        }
        let every = others.len().div_ceil(WORDS).max(1);
        others.into_iter().step_by(every).collect()
    }

    /// Returns the words that a viewer may not see, each with values that it can have.
    pub(super) fn hidden_words(&self, viewer: Viewer, moment: &MadeChoice) -> Vec<(u32, Vec<i32>)> {
        let (program, state) = (self.program, &moment.before);
        let mut words = Vec::new();
        let mut put = |word: u32, values: Vec<i32>| {
            if !values.is_empty() {
                words.push((word, values));
            }
        };
        for (var, word) in hidden_vars(program, state, viewer) {
            let word = var.offset + word;
            put(
                word,
                match var.role {
                    VarRole::Lengths { most, .. } => (0..=most as i32).collect(),
                    VarRole::Values | VarRole::Members => {
                        other_values(program, var.of, state.var(word))
                    }
                },
            );
        }
        for (component, info) in program.components.iter().enumerate() {
            let component = component as i32;
            let kind = program.kind(info.kind);
            if moment.known.knows(viewer, component) {
                continue;
            }
            let reads = reads_back(program, state, viewer, component);
            for (number, field) in kind.into_iter().flat_map(fields) {
                let Some(word) = field
                    .word_of(component)
                    .filter(|_| !(field.on_back && reads))
                else {
                    continue;
                };
                let die = kind.and_then(|kind| kind.die.as_ref());
                put(
                    word,
                    match die.filter(|die| die.field == number) {
                        Some(die) => die.faces.clone(),
                        None => other_values(program, field.of, state.var(word)),
                    },
                );
            }
        }
        words
    }
}

fn fields(kind: &KindInfo) -> impl Iterator<Item = (usize, &FieldInfo)> {
    kind.fields.iter().enumerate()
}

fn other_values(program: &Program, of: Type, value: i32) -> Vec<i32> {
    let up_to = |count: usize| (0..count as i32).collect();
    match of {
        Type::Bool => vec![1 - value.clamp(0, 1)],
        Type::Seat => up_to(program.seats),
        Type::Side => up_to(program.identity.cells.sides().len()),
        Type::Enum(id) => {
            let info = program.enums.get(usize::from(id));
            up_to(info.map_or(0, |info| info.values.len()))
        }
        Type::Int | Type::Row(_) | Type::Record(_) | Type::Amounts(_) | Type::Letter => {
            let steps = STEPS.iter();
            let around =
                steps.flat_map(|by| [value.saturating_sub(*by), value.saturating_add(*by)]);
            around.chain([0]).chain(numbers(program)).collect()
        }
        // These values stay: the components and zones to which they refer are exchanged in place.
        Type::Component(_) | Type::Zone(_) | Type::Cell => Vec::new(),
    }
}

/// Returns the numbers in the rules and their neighbors: what a hidden number may be compared with.
fn numbers(program: &Program) -> impl Iterator<Item = i32> {
    let constants = program.exprs.iter().filter_map(|expr| {
        let Expr::Const(value) = expr else {
            return None;
        };
        Some(*value)
    });
    let around = |value: i32| [value.saturating_sub(1), value, value.saturating_add(1)];
    let numbers: BTreeSet<i32> = constants.flat_map(around).collect();
    let every = numbers.len().div_ceil(NUMBERS).max(1);
    numbers.into_iter().step_by(every)
}

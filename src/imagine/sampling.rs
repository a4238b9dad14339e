//! Chance for a world: results that the seat has seen are as they were, the others are drawn.

use super::future::{Future, slots_of};
use super::line::{Known, Operation, Slot};
use crate::dice::Dice;
use crate::engine::{Chance, Draw, Rng};
use crate::program::{Type, ZoneId};

/// A result of chance.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    At(u32),
    Order(Vec<i32>),
}

/// Where a world has come to.
#[derive(Debug, Clone)]
pub(super) struct Course {
    /// By component of the true game: which one lies in its place.
    pub names: Vec<i32>,
    /// What chance has brought, one an operation.
    pub outcomes: Vec<Outcome>,
}

/// Chance in the making of a world.
pub(super) struct Sampling<'a> {
    pub operations: &'a [Operation],
    pub future: &'a Future,
    pub course: &'a mut Course,
    pub dice: &'a mut Dice,
    /// The world has left the way of the true game.
    pub is_lost: bool,
}

impl Sampling<'_> {
    fn name(&self, slot: &Slot) -> i32 {
        name(&self.course.names, slot.component)
    }

    fn rename(&mut self, slot: &Slot, component: i32) {
        let at = usize::try_from(slot.component).ok();
        if let Some(name) = at.and_then(|at| self.course.names.get_mut(at)) {
            *name = component;
        }
    }

    /// The operation that comes now.
    fn number(&self) -> usize {
        self.course.outcomes.len()
    }

    fn order(&mut self, lies: &[i32]) -> Option<Vec<i32>> {
        let number = self.number();
        let operations = self.operations;
        let Operation::Shuffle(slots) = operations.get(number)? else {
            return None;
        };
        let here: Vec<i32> = slots.iter().map(|slot| self.name(slot)).collect();
        if !same_members(&here, lies) {
            return None;
        }
        let order = self.future.assign(number, slots, here, self.dice)?;
        for (slot, component) in slots.iter().zip(&order) {
            self.rename(slot, *component);
        }
        Some(order)
    }

    /// The component drawn changes names with the one that was: what remains is what was there.
    fn drawn(&mut self, values: &[i32]) -> Option<u32> {
        let number = self.number();
        let operations = self.operations;
        let Operation::Draw {
            slots,
            drawn,
            is_placed,
        } = operations.get(number)?
        else {
            return None;
        };
        let taken = slots.get(*drawn)?;
        let left = self.name(taken);
        let mut could: Vec<(i32, Slot)> = slots
            .iter()
            .map(|slot| (self.name(slot), *slot))
            .filter(|(component, _)| !is_placed || *component == left)
            .filter(|(component, slot)| {
                self.future.allows(number, taken, *component)
                    && (*component == left || self.future.allows(number, slot, left))
            })
            .collect();
        could.sort_unstable_by_key(|(component, _)| *component);
        let at = self.dice.below(could.len() as u64) as usize;
        let (component, slot) = could.get(at).copied()?;
        self.rename(&slot, left);
        self.rename(taken, component);
        let at = values.iter().position(|value| *value == component)?;
        u32::try_from(at).ok()
    }

    fn rolled(&mut self, n: u32) -> Option<u32> {
        match self.operations.get(self.number())? {
            Operation::Roll { side, known: true } => Some(*side),
            Operation::Roll { known: false, .. } | Operation::Number => {
                Some(self.dice.below(u64::from(n)) as u32)
            }
            _ => None,
        }
    }
}

impl Chance for Sampling<'_> {
    fn draw(&mut self, _: &mut Rng, n: u32, what: Draw<'_>) -> u32 {
        let drawn = match what {
            Draw::Value {
                values,
                of: Type::Component(_),
                ..
            } => self.drawn(values),
            _ => self.rolled(n),
        };
        self.is_lost |= drawn.is_none();
        let drawn = drawn.unwrap_or(0);
        self.course.outcomes.push(Outcome::At(drawn));
        drawn
    }

    fn shuffle(&mut self, _: &mut Rng, _: ZoneId, order: &mut [i32]) {
        match self.order(order) {
            Some(found) => order.copy_from_slice(&found),
            None => self.is_lost = true,
        }
        let outcome = Outcome::Order(order.to_vec());
        self.course.outcomes.push(outcome);
    }
}

/// Which component lies where this one of the true game lies.
pub(super) fn name(names: &[i32], component: i32) -> i32 {
    let at = usize::try_from(component).ok();
    let name = at.and_then(|at| names.get(at));
    name.copied().unwrap_or(component)
}

fn same_members(one: &[i32], other: &[i32]) -> bool {
    let (mut one, mut other) = (one.to_vec(), other.to_vec());
    one.sort_unstable();
    other.sort_unstable();
    one == other
}

/// Whether an operation can come out otherwise without the seat having seen it.
pub(super) fn is_open(operation: &Operation) -> bool {
    match operation {
        Operation::Roll { known, .. } => !known,
        Operation::Number => true,
        mix => slots_of(mix).iter().any(|slot| slot.known != Known::All),
    }
}

/// Results that are given.
pub(super) struct Given<'a> {
    pub outcomes: std::slice::Iter<'a, Outcome>,
}

impl Chance for Given<'_> {
    fn draw(&mut self, _: &mut Rng, _: u32, _: Draw<'_>) -> u32 {
        match self.outcomes.next() {
            Some(Outcome::At(at)) => *at,
            _ => 0,
        }
    }

    fn shuffle(&mut self, _: &mut Rng, _: ZoneId, order: &mut [i32]) {
        if let Some(Outcome::Order(given)) = self.outcomes.next()
            && given.len() == order.len()
        {
            order.copy_from_slice(given);
        }
    }
}

//! Constraints on a mix: which component may take which slot, so that each can still be where the seat sees it later.

use super::line::{ComponentKnowledge, MixedSlot, ObservedGame, slots_of};
use wyrmgate_base::dice::Dice;
use wyrmgate_program::Program;
use wyrmgate_view::{Looks, lasting_looks};

/// Derived from the line, using only what the seat knows of it.
#[derive(Debug, Clone)]
pub(super) struct Future {
    /// For each component, the operations after which its identity is known, in order.
    known_at: Vec<Vec<usize>>,
    /// For each operation, a bit set of the operations that an unknown component can reach.
    reach: Vec<Vec<u64>>,
    /// By component.
    ever_mixed: Vec<bool>,
    /// By component. `None` for numbers without a component.
    looks: Vec<Option<Look>>,
}

/// The appearance of a component: its family, and its family with the fields of its back.
type Look = (u16, usize);

impl Future {
    pub fn of(program: &Program, line: &ObservedGame) -> Future {
        let mut future = Future {
            known_at: vec![Vec::new(); program.components.len()],
            reach: vec![Vec::new(); line.operations.len()],
            ever_mixed: vec![false; program.components.len()],
            looks: looks_of_all(program),
        };
        for (number, operation) in line.operations.iter().enumerate() {
            for slot in slots_of(operation) {
                if let Some(mixed) = at(&mut future.ever_mixed, slot.component) {
                    *mixed = true;
                }
                if slot.known == ComponentKnowledge::All
                    && let Some(known) = at(&mut future.known_at, slot.component)
                {
                    known.push(number);
                }
            }
        }
        for (number, operation) in line.operations.iter().enumerate().rev() {
            let reach = future.reached_from(number, slots_of(operation));
            if let Some(place) = future.reach.get_mut(number) {
                *place = reach;
            }
        }
        future
    }

    fn reached_from(&self, number: usize, slots: &[MixedSlot]) -> Vec<u64> {
        let mut reached = vec![0u64; self.reach.len().div_ceil(64)];
        if let Some(word) = reached.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
        for slot in slots
            .iter()
            .filter(|slot| slot.known != ComponentKnowledge::All)
        {
            let next = slot.next.and_then(|next| self.reach.get(next));
            for (word, more) in reached.iter_mut().zip(next.into_iter().flatten()) {
                *word |= more;
            }
        }
        reached
    }

    fn can_reach(&self, from: usize, to: usize) -> bool {
        let words = self.reach.get(from);
        let word = words.and_then(|words| words.get(to / 64));
        word.is_some_and(|word| word >> (to % 64) & 1 != 0)
    }

    pub fn is_ever_mixed(&self, component: i32) -> bool {
        let at = usize::try_from(component).ok();
        at.and_then(|at| self.ever_mixed.get(at)) == Some(&true)
    }

    /// Returns whether this component can be in the slot of an operation.
    pub fn allows(&self, operation: usize, slot: &MixedSlot, component: i32) -> bool {
        if slot.known == ComponentKnowledge::All {
            return slot.component == component;
        }
        let known_at = usize::try_from(component).ok();
        let known_at = known_at.and_then(|at| self.known_at.get(at));
        let mut known_at = known_at.into_iter().flatten();
        let next = known_at.find(|known| **known >= operation).copied();
        let comes = match next {
            None => true,
            Some(here) if here == operation => false,
            Some(later) => slot.next.is_some_and(|next| self.can_reach(next, later)),
        };
        comes && self.looks_right(slot, component)
    }

    fn looks_right(&self, slot: &MixedSlot, component: i32) -> bool {
        if slot.component == component {
            return true;
        }
        match (self.looks(slot.component), self.looks(component)) {
            (Some((family, back)), Some((other, other_back))) => {
                family == other && (slot.known == ComponentKnowledge::Nothing || back == other_back)
            }
            _ => false,
        }
    }

    fn looks(&self, component: i32) -> Option<Look> {
        *self.looks.get(usize::try_from(component).ok()?)?
    }

    /// Assigns a component to each slot: the wanted one if possible, otherwise a random one. `None` if there is no
    /// assignment. What a slot is seen to hold `fits`, as far as possible.
    pub fn assign(
        &self,
        operation: usize,
        slots: &[MixedSlot],
        mut components: Vec<i32>,
        wanted: &[i32],
        dice: &mut Dice,
        fits: &dyn Fn(usize, i32) -> bool,
    ) -> Option<Vec<i32>> {
        components.sort_unstable();
        if (0..)
            .zip(wanted)
            .all(|(slot, component)| fits(slot, *component))
            && let Some(all) = self.as_wanted(operation, slots, &components, wanted)
        {
            return Some(all);
        }
        dice.mix(&mut components);
        let mut order: Vec<usize> = (0..slots.len()).collect();
        dice.mix(&mut order);
        let allows = |slot: usize, component: usize| {
            let (slot, component) = (slots.get(slot), components.get(component));
            slot.zip(component)
                .is_some_and(|(slot, component)| self.allows(operation, slot, *component))
        };
        let fits = |slot: usize, component: usize| {
            let fits = |component: &i32| fits(slot, *component);
            components.get(component).is_some_and(fits) && allows(slot, component)
        };
        let mut matching = Matching {
            allows: &fits,
            slot_of: vec![None; components.len()],
            tried: Vec::new(),
        };
        let kept = matching.keep(&components, wanted);
        order.retain(|slot| !kept.contains(slot));
        order.retain(|slot| !matching.try_place(*slot));
        matching.allows = &allows;
        if !order.into_iter().all(|slot| matching.try_place(slot)) {
            return None;
        }
        let mut assigned = vec![0; slots.len()];
        for (slot, component) in matching.slot_of.iter().zip(&components) {
            *assigned.get_mut((*slot)?)? = *component;
        }
        Some(assigned)
    }

    /// Returns the wanted assignment if it is valid.
    fn as_wanted(
        &self,
        operation: usize,
        slots: &[MixedSlot],
        components: &[i32],
        wanted: &[i32],
    ) -> Option<Vec<i32>> {
        let mut members = wanted.to_vec();
        members.sort_unstable();
        let mut pairs = slots.iter().zip(wanted);
        let fits = members == components
            && slots.len() == wanted.len()
            && pairs.all(|(slot, component)| self.allows(operation, slot, *component));
        fits.then(|| wanted.to_vec())
    }
}

fn looks_of_all(program: &Program) -> Vec<Option<Look>> {
    let mut known: Vec<Looks> = Vec::new();
    let mut numbered = |looks: Looks| {
        let family = looks.0;
        let number = known.iter().position(|other| *other == looks);
        let number = number.unwrap_or_else(|| {
            known.push(looks);
            known.len() - 1
        });
        (family, number)
    };
    let components = 0..program.components.len() as i32;
    components
        .map(|component| lasting_looks(program, component).map(&mut numbered))
        .collect()
}

/// A bipartite matching of slots and components by augmenting paths.
struct Matching<'a> {
    allows: &'a dyn Fn(usize, usize) -> bool,
    slot_of: Vec<Option<usize>>,
    tried: Vec<bool>,
}

impl Matching<'_> {
    /// Adopts all wanted pairs that are valid. Returns their slots.
    fn keep(&mut self, components: &[i32], wanted: &[i32]) -> Vec<usize> {
        let mut kept = Vec::new();
        for (slot, wanted) in wanted.iter().enumerate() {
            let component = components.iter().position(|component| component == wanted);
            if let Some(component) = component
                && (self.allows)(slot, component)
                && self.slot_of.get(component) == Some(&None)
            {
                self.take(slot, component);
                kept.push(slot);
            }
        }
        kept
    }

    /// Finds a component for a slot, trying every component once.
    fn try_place(&mut self, slot: usize) -> bool {
        self.tried.clear();
        self.tried.resize(self.slot_of.len(), false);
        self.place(slot)
    }

    /// Finds a component for a slot. Other slots may have to switch.
    fn place(&mut self, slot: usize) -> bool {
        for component in 0..self.slot_of.len() {
            let is_free = self.slot_of.get(component) == Some(&None);
            if is_free && (self.allows)(slot, component) {
                return self.take(slot, component);
            }
        }
        for component in 0..self.slot_of.len() {
            if self.tried.get(component) != Some(&false) || !(self.allows)(slot, component) {
                continue;
            }
            if let Some(tried) = self.tried.get_mut(component) {
                *tried = true;
            }
            let holder = self.slot_of.get(component).copied().flatten();
            if holder.is_none_or(|holder| self.place(holder)) {
                return self.take(slot, component);
            }
        }
        false
    }

    fn take(&mut self, slot: usize, component: usize) -> bool {
        if let Some(place) = self.slot_of.get_mut(component) {
            *place = Some(slot);
        }
        true
    }
}

fn at<T>(list: &mut [T], component: i32) -> Option<&mut T> {
    list.get_mut(usize::try_from(component).ok()?)
}

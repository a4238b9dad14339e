//! Random results for a world: those that the seat has seen stay, others are planned or drawn.

use super::future::Future;
use super::line::{ComponentKnowledge, MixedSlot, RandomOperation, slots_of};
use super::mark::{Begun, ReturnPoint};
use super::same::StepAgreement;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{Chance, Draw, Moment, Rng, State};
use wyrmgate_program::{Type, ZoneId};

/// A mark within a step saves at least this much work to those who return to it.
const MARK_WORK: u32 = 64;

/// A random result.
#[derive(Debug, Clone)]
pub(super) enum RandomResult {
    /// In a plan: anything.
    Open,
    /// The index of a side, or another number.
    At(u32),
    /// The shuffled components, first to last.
    Order(Vec<i32>),
    /// One of several components.
    Drawn {
        at: u32,
        component: i32,
        among: Vec<i32>,
    },
}

impl RandomResult {
    /// Returns the components that it has mixed.
    pub fn mixed(&self) -> &[i32] {
        match self {
            RandomResult::Order(order) => order,
            RandomResult::Drawn { among, .. } => among,
            RandomResult::Open | RandomResult::At(_) => &[],
        }
    }

    /// Replaces components by others.
    pub fn rename(&mut self, name: impl Fn(i32) -> i32) {
        let change = |component: &mut i32| *component = name(*component);
        match self {
            RandomResult::Order(order) => order.iter_mut().for_each(change),
            RandomResult::Drawn {
                component, among, ..
            } => {
                change(component);
                among.iter_mut().for_each(change);
            }
            RandomResult::Open | RandomResult::At(_) => {}
        }
    }
}

/// The source of random numbers for a world.
pub(super) struct Sampling<'a> {
    pub operations: &'a [RandomOperation],
    pub future: &'a Future,
    /// For each component of the true game, the component that lies in its place.
    pub names: &'a mut [i32],
    /// The results so far, one per operation.
    pub outcomes: &'a mut Vec<RandomResult>,
    /// The planned results, used where possible.
    pub plan: &'a [RandomResult],
    pub dice: &'a mut Dice,
    pub progress: &'a StepAgreement,
    /// The step, marks within it, and the work that was done at the last one: `None` for no marks.
    pub step: usize,
    pub marks: &'a mut Vec<ReturnPoint>,
    pub marked: Option<u32>,
}

impl Sampling<'_> {
    fn name(&self, slot: &MixedSlot) -> i32 {
        name(self.names, slot.component)
    }

    fn rename(&mut self, slot: &MixedSlot, component: i32) {
        let at = usize::try_from(slot.component).ok();
        if let Some(name) = at.and_then(|at| self.names.get_mut(at)) {
            *name = component;
        }
    }

    /// Returns the index of the current operation.
    fn number(&self) -> usize {
        self.outcomes.len()
    }

    fn note(&mut self, outcome: Option<RandomResult>) {
        if outcome.is_none() {
            self.progress.is_lost.set(true);
        }
        self.outcomes.push(outcome.unwrap_or(RandomResult::Open));
    }

    fn order(&mut self, lies: &[i32]) -> Option<Vec<i32>> {
        let number = self.number();
        let operations = self.operations;
        let RandomOperation::Shuffle(slots) = operations.get(number)? else {
            return None;
        };
        let here: Vec<i32> = slots.iter().map(|slot| self.name(slot)).collect();
        if !same_members(&here, lies) {
            return None;
        }
        let wanted = match self.plan.get(number) {
            Some(RandomResult::Order(order)) => order.as_slice(),
            _ => &[],
        };
        let order = self.future.assign(number, slots, here, wanted, self.dice)?;
        for (slot, component) in slots.iter().zip(&order) {
            self.rename(slot, *component);
        }
        Some(order)
    }

    /// Exchanges the names of the drawn component and the true one, so that the same components remain.
    fn drawn(&mut self, values: &[i32]) -> Option<RandomResult> {
        let number = self.number();
        let operations = self.operations;
        let RandomOperation::Draw {
            slots,
            drawn,
            is_placed,
        } = operations.get(number)?
        else {
            return None;
        };
        let taken = slots.get(*drawn)?;
        let left = self.name(taken);
        let mut could: Vec<(i32, MixedSlot)> = slots
            .iter()
            .map(|slot| (self.name(slot), *slot))
            .filter(|(component, _)| !is_placed || *component == left)
            .filter(|(component, slot)| {
                self.future.allows(number, taken, *component)
                    && (*component == left || self.future.allows(number, slot, left))
            })
            .collect();
        could.sort_unstable_by_key(|(component, _)| *component);
        let wanted = could.iter().find(|(component, _)| {
            matches!(self.plan.get(number), Some(RandomResult::Drawn { component: wanted, .. }) if wanted == component)
        });
        let (component, slot) = match wanted {
            Some(wanted) => *wanted,
            None => *could.get(self.dice.below(could.len() as u64) as usize)?,
        };
        self.rename(&slot, left);
        self.rename(taken, component);
        let at = values.iter().position(|value| *value == component)?;
        Some(RandomResult::Drawn {
            at: u32::try_from(at).ok()?,
            component,
            among: values.to_vec(),
        })
    }

    /// Returns the outcome of a draw from these values by its number, because open components are the same in every
    /// world.
    fn picked(&mut self, values: &[i32]) -> Option<RandomResult> {
        let n = u32::try_from(values.len()).ok()?;
        let at = match self.operations.get(self.number())?.known_pick() {
            Some(known) => u32::try_from(values.iter().position(|it| *it == known)?).ok()?,
            None => self.planned(n),
        };
        Some(RandomResult::At(at))
    }

    fn planned(&mut self, n: u32) -> u32 {
        match self.plan.get(self.number()) {
            Some(RandomResult::At(at)) if *at < n => *at,
            _ => self.dice.below(u64::from(n)) as u32,
        }
    }

    fn rolled(&mut self, n: u32) -> Option<RandomResult> {
        let at = match self.operations.get(self.number())? {
            RandomOperation::Roll { side, known: true } => *side,
            RandomOperation::Roll { known: false, .. } | RandomOperation::Number => self.planned(n),
            RandomOperation::Shuffle(_)
            | RandomOperation::Draw { .. }
            | RandomOperation::Pick { .. } => return None,
        };
        Some(RandomResult::At(at))
    }
}

impl Chance for Sampling<'_> {
    fn before(&mut self, state: &State, moment: Moment) {
        let is_due = |marked: u32| moment.work() >= marked + MARK_WORK;
        let is_open = self.operations.get(self.number()).is_some_and(is_open);
        if is_open && self.marked.is_some_and(is_due) && !self.progress.is_lost.get() {
            self.marked = Some(moment.work());
            let matched = self.progress.matched.get();
            self.marks.push(ReturnPoint {
                step: self.step,
                begun: Some(Begun { moment, matched }),
                outcomes: self.outcomes.len(),
                made: self.step,
                state: Some(state.clone()),
                names: self.names.to_vec(),
            });
        }
    }

    fn draw(&mut self, _: &mut Rng, n: u32, what: Draw<'_>) -> u32 {
        let drawn = match what {
            _ if self.progress.is_lost.get() => None,
            Draw::Value {
                values,
                of: Type::Component(_),
                ..
            } => match self.operations.get(self.number()) {
                Some(RandomOperation::Pick { .. }) => self.picked(values),
                _ => self.drawn(values),
            },
            Draw::Die { .. } | Draw::Value { .. } | Draw::Choice { .. } | Draw::Shuffle { .. } => {
                self.rolled(n)
            }
        };
        let at = match drawn {
            Some(RandomResult::At(at) | RandomResult::Drawn { at, .. }) => at,
            _ => 0,
        };
        self.note(drawn);
        at
    }

    fn shuffle(&mut self, _: &mut Rng, _: ZoneId, order: &mut [i32]) {
        let found = match self.progress.is_lost.get() {
            true => None,
            false => self.order(order),
        };
        if let Some(found) = &found {
            order.copy_from_slice(found);
        }
        self.note(found.map(RandomResult::Order));
    }
}

/// Returns the component in the place of this component of the true game.
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

/// Returns whether an operation has alternatives that the seat has not seen.
pub(super) fn is_open(operation: &RandomOperation) -> bool {
    match operation {
        RandomOperation::Roll { known, .. } => !known,
        RandomOperation::Number => true,
        RandomOperation::Pick { .. } => operation.known_pick().is_none(),
        mix @ (RandomOperation::Shuffle(_) | RandomOperation::Draw { .. }) => slots_of(mix)
            .iter()
            .any(|slot| slot.known != ComponentKnowledge::All),
    }
}

/// A source of given results.
pub(super) struct GivenResults<'a> {
    pub outcomes: std::slice::Iter<'a, RandomResult>,
}

impl Chance for GivenResults<'_> {
    fn draw(&mut self, _: &mut Rng, _: u32, _: Draw<'_>) -> u32 {
        match self.outcomes.next() {
            Some(RandomResult::At(at) | RandomResult::Drawn { at, .. }) => *at,
            _ => 0,
        }
    }

    fn shuffle(&mut self, _: &mut Rng, _: ZoneId, order: &mut [i32]) {
        if let Some(RandomResult::Order(given)) = self.outcomes.next()
            && given.len() == order.len()
        {
            order.copy_from_slice(given);
        }
    }
}

//! Random results for a world: those that the seat has seen stay, others are planned or drawn.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::future::Future;
use super::line::{ComponentKnowledge, MixedSlot, ObservedGame, RandomOperation, slots_of};
use super::mark::{Begun, ReturnPoint};
use super::same::StepAgreement;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{Chance, Choice, Draw, Moment, Rng, State};
use wyrmgate_program::{Program, Type, ZoneId};
use wyrmgate_view::{ChangingBack, changing_back};

/// A mark within a step saves at least this much work to those who return to it.
const MARK_WORK: u32 = 64;

/// By operation: the values of a number with which a world agreed best with the step that drew it.
type AgreeingNumbers = BTreeMap<usize, Vec<i32>>;

/// What worlds have shown about chance, for later worlds. It depends only on what the seat has observed.
#[derive(Default)]
pub(super) struct ChanceFindings {
    pub numbers: AgreeingNumbers,
    /// By operation and slot: the back that a component gets because it was mixed into that slot.
    pub backs: BTreeMap<(usize, usize), ChangingBack>,
    /// Operation, slot, and a component that made a choice impossible from there.
    pub barred: BTreeSet<(usize, usize, i32)>,
    /// By step: secret answers with which a world agreed best with what came of them.
    pub answers: BTreeMap<usize, Vec<Choice>>,
}

/// A shuffle in a step, with the backs that the components had before.
pub(super) struct ShuffledBacks {
    operation: usize,
    before: Vec<(i32, ChangingBack)>,
}

/// A random result.
#[derive(Debug, Clone)]
pub(super) enum RandomResult {
    /// In a plan: anything.
    Open,
    /// In a plan: a number by its place among the possible ones.
    Index(u32),
    /// A drawn value, such as a side of a die: its index, and the number of possible ones.
    At { at: u32, of: u32, value: i32 },
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
    /// Returns a plan for a value, wherever it is among the possible ones.
    pub fn of_value(value: i32) -> RandomResult {
        RandomResult::At {
            at: 0,
            of: 0,
            value,
        }
    }

    /// Returns the components that it has mixed.
    pub fn mixed(&self) -> &[i32] {
        match self {
            RandomResult::Order(order) => order,
            RandomResult::Drawn { among, .. } => among,
            RandomResult::Open | RandomResult::Index(_) | RandomResult::At { .. } => &[],
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
            RandomResult::Open | RandomResult::Index(_) | RandomResult::At { .. } => {}
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
    /// What earlier worlds have shown, where worlds are repaired.
    pub findings: Option<&'a RefCell<ChanceFindings>>,
    pub line: &'a ObservedGame,
    pub program: &'a Program,
    /// The backs of all components before the current operation, if any matter.
    pub backs: Vec<ChangingBack>,
    pub shuffled: Vec<ShuffledBacks>,
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
        let back_of = |component: i32| self.backs.get(usize::try_from(component).ok()?);
        let findings = self.findings.map(|findings| findings.borrow());
        let is_lenient = self.dice.one_in(8);
        let fits = |at: usize, component: i32| {
            let seen = slots
                .get(at)
                .and_then(|slot| self.line.backs.get(slot.back?));
            let gets = findings
                .as_ref()
                .and_then(|known| known.backs.get(&(number, at)));
            let known = self.line.known_back(component);
            let is_seen = |seen: &ChangingBack| back_of(component).is_none_or(|back| back == seen);
            let is_barred =
                |known: &ChanceFindings| known.barred.contains(&(number, at, component));
            seen.is_none_or(is_seen)
                && known.zip(gets).is_none_or(|(known, gets)| known == gets)
                && (is_lenient || !findings.as_deref().is_some_and(is_barred))
        };
        let order = self
            .future
            .assign(number, slots, here, wanted, self.dice, &fits)?;
        drop(findings);
        if !self.backs.is_empty() {
            let before = order
                .iter()
                .map(|component| (*component, back_of(*component)));
            let before = before.filter_map(|(component, back)| Some((component, back?.clone())));
            self.shuffled.push(ShuffledBacks {
                operation: number,
                before: before.collect(),
            });
        }
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

    /// Returns the number of a value. Open components are the same in every world.
    fn numbered(&mut self, n: u32, values: &[i32]) -> Option<RandomResult> {
        let number = self.number();
        let operation = self.operations.get(number)?;
        let value_at = |at: u32| values.get(at as usize).copied().unwrap_or(at as i32);
        let find = |value: i32| (0..n).find(|at| value_at(*at) == value);
        let at = match operation {
            RandomOperation::Shuffle(_) | RandomOperation::Draw { .. } => return None,
            RandomOperation::Roll { side, known: true } => *side,
            RandomOperation::Pick { .. } if let Some(known) = operation.known_pick() => {
                find(known)?
            }
            RandomOperation::Pick { .. }
            | RandomOperation::Roll { known: false, .. }
            | RandomOperation::Number => {
                let planned = match self.plan.get(number) {
                    Some(RandomResult::At { value, .. }) => find(*value),
                    Some(RandomResult::Index(at)) => Some(*at),
                    _ => None,
                };
                planned.unwrap_or_else(|| self.agreeing(n, value_at))
            }
        };
        Some(RandomResult::At {
            at,
            of: n,
            value: value_at(at),
        })
    }

    /// Draws a number, one that agrees with the step if that is known.
    fn agreeing(&mut self, n: u32, value_at: impl Fn(u32) -> i32) -> u32 {
        let known = self.findings.map(|findings| findings.borrow());
        let known = known
            .as_ref()
            .and_then(|known| known.numbers.get(&self.number()));
        let agrees = |at: &u32| known.is_none_or(|known| known.contains(&value_at(*at)));
        let fitting = (0..n).filter(agrees).count() as u64;
        let nth = self.dice.below(fitting) as usize;
        let at = (0..n).filter(agrees).nth(nth);
        at.unwrap_or_else(|| self.dice.below(u64::from(n)) as u32)
    }
}

impl ChanceFindings {
    /// Notes the backs that components have got since they were mixed, by their slots.
    pub fn look(&mut self, program: &Program, state: &State, shuffled: &[ShuffledBacks]) {
        for mix in shuffled {
            for (slot, (component, before)) in mix.before.iter().enumerate() {
                let back = changing_back(program, state, *component);
                if back != *before {
                    self.backs.entry((mix.operation, slot)).or_insert(back);
                }
            }
        }
    }
}

impl Chance for Sampling<'_> {
    fn before(&mut self, state: &State, moment: Moment) {
        if self.findings.is_some() && !self.line.backs.is_empty() {
            let all = 0..state.components() as i32;
            let backs = all.map(|component| changing_back(self.program, state, component));
            self.backs = backs.collect();
        }
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
            } if !matches!(
                self.operations.get(self.number()),
                Some(RandomOperation::Pick { .. })
            ) =>
            {
                self.drawn(values)
            }
            Draw::Value { values, .. } => self.numbered(n, values),
            Draw::Die { .. } | Draw::Choice { .. } | Draw::Shuffle { .. } => self.numbered(n, &[]),
        };
        let at = match drawn {
            Some(RandomResult::At { at, .. } | RandomResult::Drawn { at, .. }) => at,
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
            Some(RandomResult::At { at, .. } | RandomResult::Drawn { at, .. }) => *at,
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

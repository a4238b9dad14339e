//! Proposes changes to a world that has diverged from the true game.
//!
//! A proposal starts from the difference: the component that moved instead of another one lies where that one should
//! be. It uses only what the seat has observed.

use std::collections::BTreeSet;

use super::change::{CourseChange, CourseExchange, RECENT, Stray, exchanged};
use super::draft::WorldDraft;
use super::line::{RandomOperation, number_of, slots_of};
use super::making::{Making, NoticedDifference, each_component};
use super::numbers::needed_number;
use super::refused::{last_of, one_of};
use super::sampling::{RandomResult, name};
use super::work::WorldWork;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{AssignmentTarget, Choice, Event, State, Viewer};
use wyrmgate_view::{changing_back, components_in};

/// Maximum number of pairs to examine for an exchange.
const PAIRS: usize = 12;
/// Number of events before the difference whose components may have caused it.
const SUSPECTS: usize = 3;

impl WorldWork<'_> {
    /// Proposes a change after a number of failed ones. `None` if none is found at once. What explains the difference directly
    /// comes first; the chances between the other kinds keep all of them possible.
    pub fn propose(&mut self, stray: &mut Stray, tried: usize) -> Option<CourseChange> {
        let making = self.making;
        if tried == 0
            && let Some((wanted, came)) = making.mistaken(&stray.failure)
            && let Some(change) = making.exchange(&stray.course.outcomes, wanted, came)
        {
            return Some(change);
        }
        if !stray.failure.odd.is_empty() && !self.dice.one_in(8) {
            return making.other_backs(stray, self.dice);
        }
        if let Some(change) = self.instead_of_refused(stray) {
            return Some(change);
        }
        if let Some(change) = self.another_answer(stray) {
            return Some(change);
        }
        if !self.dice.one_in(3)
            && let Some(change) = needed_number(self, stray)
        {
            return Some(change);
        }
        if self.dice.one_in(6)
            && let Some(operation) = making.open_number(stray, self.dice)
        {
            return Some(CourseChange::Redraw(operation));
        }
        if !self.dice.one_in(3)
            && let Some(change) = self.instead_of_last(stray)
        {
            return Some(change);
        }
        (0..PAIRS).find_map(|_| {
            let (one, other) = self.pair(stray)?;
            making.exchange(&stray.course.outcomes, one, other)
        })
    }

    /// Proposes another component in place of the last observed one, because later events may depend on its identity.
    fn instead_of_last(&mut self, stray: &mut Stray) -> Option<CourseChange> {
        let making = self.making;
        let one = *making.lately_told(self.draft, &stray.failure).first()?;
        let untried = stray.untried.get_or_insert_with(|| {
            let mut all: Vec<i32> = (0..making.program.components.len() as i32).collect();
            self.dice.mix(&mut all);
            all
        });
        let outcomes = &stray.course.outcomes;
        std::iter::from_fn(|| untried.pop()).find_map(|other| making.exchange(outcomes, one, other))
    }

    /// Returns two components, one of which may have caused the difference.
    fn pair(&mut self, stray: &Stray) -> Option<(i32, i32)> {
        let (making, draft, dice) = (self.making, &*self.draft, &mut *self.dice);
        let failure = &stray.failure;
        if dice.one_in(4)
            && let Some(mistaken) = making.mistaken(failure)
        {
            return Some(mistaken);
        }
        let wanted = failure.expected.as_ref();
        let wanted = wanted.and_then(|event| making.told_component(event));
        let wanted = wanted.map(|component| name(&failure.names, component));
        let came = failure.other.as_ref().and_then(component_of);
        let state = match (&draft.state, &failure.after) {
            (Some(before), Some(_)) if failure.outcomes.is_empty() || dice.one_in(2) => before,
            (_, Some(after)) => after,
            (Some(before), None) => before,
            (None, None) => return None,
        };
        let mut suspects: Vec<i32> = wanted.into_iter().chain(came).collect();
        suspects.extend(making.lately_told(draft, failure));
        let one = match dice.below(3) {
            0 => making.anywhere(state, None, dice)?,
            _ => one_of(&suspects, dice).or_else(|| making.anywhere(state, None, dice))?,
        };
        let other = making.anywhere(state, Some(state.zone_of(one)), dice)?;
        Some((one, other))
    }

    // ---- answers and numbers

    fn another_answer(&mut self, stray: &Stray) -> Option<CourseChange> {
        let (making, dice) = (self.making, &mut *self.dice);
        let steps = making.line.steps.get(..=self.draft.steps)?;
        let secret = |at: &usize| steps.get(*at).is_some_and(|step| making.is_hidden(step));
        let together = (0..steps.len()).rev().take_while(|at| {
            let made = steps.get(*at).and_then(|step| step.made.as_ref());
            made.is_some_and(|made| made.secret)
        });
        let mut hidden: Vec<usize> = together.filter(secret).collect();
        if hidden.is_empty() || dice.one_in(6) {
            hidden = (0..steps.len()).rev().filter(secret).take(RECENT).collect();
            if !dice.one_in(3) {
                return None;
            }
        } else if dice.one_in(4) {
            return None;
        }
        let step = one_of(&hidden, dice)?;
        let choice = match dice.below(2) {
            0 => self.swapped_answer(stray, step),
            _ => None,
        };
        Some(CourseChange::Answer { step, choice })
    }

    /// Returns the answer with the expected component in place of the actual one.
    fn swapped_answer(&self, stray: &Stray, step: usize) -> Option<Choice> {
        let (wanted, came) = self.making.mistaken(&stray.failure)?;
        let mut choice = stray.course.made_at(step)?.choice.clone();
        let mut touched = false;
        let (program, state) = (self.making.program, self.draft.state.as_ref()?);
        each_component(program, state, &mut choice, &mut |component| {
            let other = exchanged(component, wanted, came);
            touched |= other != component;
            other
        });
        touched.then_some(choice)
    }
}

impl Making<'_> {
    /// Returns the expected component and the one that occurred.
    fn mistaken(&self, failure: &NoticedDifference) -> Option<(i32, i32)> {
        let wanted = self.told_component(failure.expected.as_ref()?)?;
        let wanted = name(&failure.names, wanted);
        let came = component_of(failure.other.as_ref()?)?;
        (wanted != came).then_some((wanted, came))
    }

    /// Returns the exchange of two components in the last operation that allows it.
    pub fn exchange(
        &self,
        outcomes: &[RandomResult],
        one: i32,
        other: i32,
    ) -> Option<CourseChange> {
        let operation = self.last_mix(outcomes, one, other, false)?;
        let exchange = CourseExchange::new(operation, one, other);
        Some(CourseChange::Exchange(vec![exchange]))
    }

    /// Returns the last operation in which two components could have been exchanged. With `deep`, also one before they
    /// were mixed again.
    pub fn last_mix(
        &self,
        outcomes: &[RandomResult],
        one: i32,
        other: i32,
        deep: bool,
    ) -> Option<usize> {
        if one == other {
            return None;
        }
        let barred = &self.findings.borrow().barred;
        for (number, outcome) in outcomes.iter().enumerate().rev() {
            let mixed = outcome.mixed();
            let (Some(here), Some(there)) = (place(mixed, one), place(mixed, other)) else {
                continue;
            };
            let allows = |at: usize, component| {
                let slots = self.line.operations.get(number).map(slots_of);
                let slot = slots.and_then(|slots| slots.get(at));
                let slot = slot.filter(|slot| self.future.allows(number, slot, component));
                slot.is_some() && !barred.contains(&(number, at, component))
            };
            let fits = match (outcome, self.line.operations.get(number)) {
                (RandomResult::Order(_), _) => allows(here, other) && allows(there, one),
                (
                    RandomResult::Drawn { component, .. },
                    Some(RandomOperation::Draw {
                        drawn,
                        is_placed: false,
                        ..
                    }),
                ) => {
                    (*component == one && allows(*drawn, other))
                        || (*component == other && allows(*drawn, one))
                }
                _ => continue,
            };
            if fits {
                return Some(number);
            }
            if !deep && matches!(outcome, RandomResult::Order(_)) {
                return None;
            }
        }
        None
    }

    /// Returns a random component. A zone is drawn first, so that few cards in a hand are as likely as many in a deck.
    pub fn anywhere(&self, state: &State, but: Option<i32>, dice: &mut Dice) -> Option<i32> {
        let holds = |zone: &i32| {
            let info = usize::try_from(*zone).ok();
            let info = info.and_then(|zone| self.program.zones.get(zone));
            info.is_some() && Some(*zone) != but && state.zone_count(*zone) > 0
        };
        let zones = 0..self.program.zones.len() as i32;
        let zones: Vec<i32> = zones
            .filter(holds)
            .filter(|zone| {
                let first = state.members(*zone).next();
                first.is_some_and(|first| self.future.is_ever_mixed(first))
            })
            .collect();
        let members: Vec<i32> = state.members(one_of(&zones, dice)?).collect();
        one_of(&members, dice)
    }

    /// Returns the components of the most recent events.
    fn lately_told(&self, draft: &WorldDraft, failure: &NoticedDifference) -> Vec<i32> {
        let step = self.line.steps.get(draft.steps);
        let events = step.map_or(&[][..], |step| &step.events);
        let before = events.get(..(failure.score / 2).min(events.len()));
        let lately = before.unwrap_or_default().iter().rev();
        let told = lately.filter_map(|event| self.told_component(event));
        let told = told.take(SUSPECTS);
        told.map(|component| name(&failure.names, component))
            .collect()
    }

    /// Returns the component of an event, if the seat knows its place.
    fn told_component(&self, event: &Event) -> Option<i32> {
        if let Event::Moved { what, .. } = event {
            let viewer = Viewer::Seat(self.seat);
            let sight = what.sight();
            if !viewer.is_among(sight.by | sight.placed) {
                return None;
            }
        }
        component_of(event)
    }

    // ---- backs

    /// Proposes components with the observed backs for the places where they were seen.
    fn other_backs(&self, stray: &Stray, dice: &mut Dice) -> Option<CourseChange> {
        let failure = &stray.failure;
        let state = failure.after.as_ref()?;
        let outcomes = &stray.course.outcomes;
        let mut odd: Vec<_> = failure.odd.iter().collect();
        dice.mix(&mut odd);
        let most = match dice.below(3) {
            0 => 1,
            1 => odd.len().div_ceil(2),
            _ => odd.len(),
        };
        let mut settled = self.settled(stray);
        let mut exchanges = Vec::new();
        for (component, back) in odd.into_iter().take(most) {
            let mix = last_of(outcomes, *component);
            let mut like: Vec<i32> = (0..self.program.components.len() as i32)
                .filter(|other| !settled.contains(other))
                .filter(|other| changing_back(self.program, state, *other) == *back)
                .collect();
            dice.mix(&mut like);
            like.sort_by_key(|other| last_of(outcomes, *other) != mix);
            let found = like.into_iter().find_map(|other| {
                let one = self.mixed_instead(outcomes, *component, other, &settled, dice)?;
                let operation = self.last_mix(outcomes, one, other, true)?;
                Some(CourseExchange::new(operation, one, other))
            });
            if let Some(exchange) = found {
                settled.extend([exchange.one, exchange.other]);
                exchanges.push(exchange);
            }
        }
        (!exchanges.is_empty()).then_some(CourseChange::Exchange(exchanges))
    }

    /// Returns the component to exchange with another one, so that this one can take the first one's place: itself if both
    /// were mixed together, or else one that was mixed with both of them.
    fn mixed_instead(
        &self,
        outcomes: &[RandomResult],
        one: i32,
        other: i32,
        settled: &BTreeSet<i32>,
        dice: &mut Dice,
    ) -> Option<i32> {
        let (mix, apart) = (last_of(outcomes, one)?, last_of(outcomes, other)?);
        if mix == apart {
            return Some(one);
        }
        let mixed = outcomes.get(apart)?.mixed().iter().copied();
        let fits = |other: &i32| last_of(outcomes, *other) == Some(mix) && !settled.contains(other);
        one_of(&mixed.filter(fits).collect::<Vec<i32>>(), dice)
    }

    /// Returns the components whose backs match the observations.
    fn settled(&self, stray: &Stray) -> BTreeSet<i32> {
        let failure = &stray.failure;
        let steps = stray.course.made.len() + 1;
        let sights = self.line.steps.iter().take(steps);
        let sights = sights.flat_map(|step| &step.sights);
        let seen = sights.map(|sight| name(&failure.names, sight.component));
        let is_odd = |component: &i32| failure.odd.iter().any(|(odd, _)| odd == component);
        seen.filter(|component| !is_odd(component)).collect()
    }

    /// Returns one of the most recent results that the seat has not seen.
    fn open_number(&self, stray: &Stray, dice: &mut Dice) -> Option<usize> {
        let made = stray.course.outcomes.len();
        let operations = self.line.operations.iter().take(made).enumerate().rev();
        let open = operations.filter(|(_, operation)| match operation {
            RandomOperation::Roll { known, .. } => !known,
            RandomOperation::Number => true,
            RandomOperation::Draw { is_placed, .. } => !is_placed,
            RandomOperation::Pick { .. } => operation.known_pick().is_none(),
            RandomOperation::Shuffle(_) => false,
        });
        let open: Vec<usize> = open.map(|(number, _)| number).take(RECENT).collect();
        one_of(&open, dice)
    }
}

fn place(list: &[i32], component: i32) -> Option<usize> {
    list.iter().position(|other| *other == component)
}

pub(super) fn component_of(event: &Event) -> Option<i32> {
    let is_unclear = matches!(
        event,
        Event::Rolled { .. }
            | Event::Said { .. }
            | Event::ShuffledInside { .. }
            | Event::Given {
                to: AssignmentTarget::Var { .. },
                ..
            }
    );
    let told = components_in(event).next().filter(|_| !is_unclear);
    told.map(number_of)
}

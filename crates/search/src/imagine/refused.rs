//! Proposes changes where a choice that was made is impossible in a world, because its component lies elsewhere: a player
//! plays a card that this world has given to another one. The card is exchanged for one that lies where it should be. Or
//! somebody has passed it on, and only they saw it; or they did not, but do so in this world.

use std::collections::BTreeSet;

use super::change::{CourseChange, CourseExchange, RECENT, Stray};
use super::draft::WorldDraft;
use super::history::Made;
use super::line::{LineStep, number_of};
use super::making::{Making, renamed};
use super::sampling::{RandomResult, name};
use super::work::WorldWork;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{self as engine, Choice, Event, State, Viewer};

/// Number of choices that are looked at.
const POSSIBLE: usize = 12;

impl WorldWork<'_> {
    /// Proposes a change after which the component lies where it was chosen, if that is what is wrong.
    pub fn instead_of_refused(&mut self, stray: &Stray) -> Option<CourseChange> {
        let Some((wanted, zone)) = self.out_of_place(stray) else {
            // Other changes may help as well.
            let is_tried = self.dice.one_in(2);
            return is_tried.then(|| self.instead_of_possible(stray))?;
        };
        let how = self.dice.below(8);
        if how < 6
            && let Some(change) = self.needed_answer(stray, wanted)
        {
            return Some(change);
        }
        // Any other change may help as well.
        if how == 7 {
            return None;
        }
        let there: Vec<i32> = self.draft.state.as_ref()?.members(zone).collect();
        let other = one_of(&there, self.dice)?;
        self.making.exchange(&stray.course.outcomes, wanted, other)
    }

    /// Returns another legal answer to a recent secret decision, with the component in it, or without it.
    fn needed_answer(&mut self, stray: &Stray, wanted: i32) -> Option<CourseChange> {
        let (making, now) = (self.making, self.draft.steps);
        let mixed = last_of(&stray.course.outcomes, wanted);
        let first = mixed.map_or(0, |operation| making.line.step_of(operation));
        let steps = making.line.steps.get(..now)?;
        let is_hidden = |at: &usize| steps.get(*at).is_some_and(|step| making.is_hidden(step));
        let hidden = (first..now).rev().filter(is_hidden).take(RECENT);
        let mut hidden: Vec<usize> = hidden.collect();
        self.dice.mix(&mut hidden);
        hidden.into_iter().find_map(|step| {
            let choice = self.answer_about(stray, step, wanted)?;
            let choice = Some(choice);
            Some(CourseChange::Answer { step, choice })
        })
    }

    /// Proposes to exchange what could be chosen here, where the choice that was made is impossible: if the rules demand it,
    /// it was not there.
    fn instead_of_possible(&mut self, stray: &Stray) -> Option<CourseChange> {
        let (making, draft) = (self.making, &*self.draft);
        let (_, made, state) = making.refused(draft, stray)?;
        let owed = making.owed(state, made.seat)?;
        let mut instead = BTreeSet::new();
        for _ in 0..POSSIBLE {
            let below = &mut |n| self.dice.below(n);
            let choice = engine::random_choice(making.program, state, &owed, below).ok()??;
            instead.extend(making.components_of(state, &choice));
        }
        let outcomes = &stray.course.outcomes;
        let mut moved = instead.clone();
        let mut exchanges = Vec::new();
        for one in instead {
            let zone = state.zone_of(one);
            for lies in state.members(zone) {
                making.bar(outcomes, lies, one);
            }
            let mixed = last_of(outcomes, one).and_then(|last| outcomes.get(last));
            let mixed = mixed.map_or(&[][..], RandomResult::mixed).iter().copied();
            let mut others: Vec<i32> = mixed
                .filter(|other| state.zone_of(*other) != zone)
                .collect();
            self.dice.mix(&mut others);
            let exchange = others.into_iter().find_map(|other| {
                let operation = making.last_mix(outcomes, one, other, false)?;
                let is_new = moved.insert(other);
                is_new.then(|| CourseExchange::new(operation, one, other))
            });
            exchanges.extend(exchange);
        }
        (!exchanges.is_empty()).then_some(CourseChange::Exchange(exchanges))
    }

    /// Returns the component of a choice that is impossible here, and the zone from which it should have moved, if it is not
    /// there.
    fn out_of_place(&self, stray: &Stray) -> Option<(i32, i32)> {
        let (making, draft) = (self.making, &*self.draft);
        let (step, made, state) = making.refused(draft, stray)?;
        let choice = renamed(making.program, state, made, &draft.names);
        let wanted = *making.components_of(state, &choice).first()?;
        let zone = step.events.iter().find_map(|event| {
            let Event::Moved { what, .. } = event else {
                return None;
            };
            let knows = Viewer::Seat(making.seat).is_among(what.sight().located);
            let is_it = name(&draft.names, number_of(what)) == wanted;
            (knows && is_it).then_some(i32::from(what.zone))
        });
        let zone = zone.filter(|zone| state.zone_of(wanted) != *zone)?;
        Some((wanted, zone))
    }

    /// Returns the answer at a step with the component in it, or without it if it is there; `None` if that is not legal.
    fn answer_about(&mut self, stray: &Stray, step: usize, wanted: i32) -> Option<Choice> {
        let (making, dice) = (self.making, &mut *self.dice);
        let state = self.draft.state_before(step)?;
        let seat = stray.course.made_at(step)?.seat;
        let mut choice = stray.course.made_at(step)?.choice.clone();
        let chosen = making.components_of(state, &choice);
        let (old, new) = match chosen.contains(&wanted) {
            true => {
                let beside = state.members(state.zone_of(wanted));
                let others: Vec<i32> = beside.filter(|other| !chosen.contains(other)).collect();
                (wanted, one_of(&others, dice)?)
            }
            false => (one_of(&chosen, dice)?, wanted),
        };
        making.replace(state, &mut choice, old, new);
        making.is_legal(state, seat, &choice).then_some(choice)
    }
}

impl Making<'_> {
    /// Returns the next step of a draft, with its choice and the state, if the choice is impossible there.
    fn refused<'d>(
        &'d self,
        draft: &'d WorldDraft,
        stray: &Stray,
    ) -> Option<(&'d LineStep, &'d Made, &'d State)> {
        let step = self.line.steps.get(draft.steps)?;
        let failure = &stray.failure;
        let is_refused = failure.score == 0 && failure.other.is_none() && !self.is_hidden(step);
        let (made, state) = (step.made.as_ref()?, draft.state.as_ref()?);
        is_refused.then_some((step, made, state))
    }

    /// Notes that a component does not belong where another one was mixed to.
    fn bar(&self, outcomes: &[RandomResult], lies: i32, component: i32) {
        let operation = last_of(outcomes, lies).unwrap_or(usize::MAX);
        let mixed = outcomes.get(operation).map_or(&[][..], RandomResult::mixed);
        if let Some(slot) = mixed.iter().position(|other| *other == lies) {
            let mut findings = self.findings.borrow_mut();
            findings.barred.insert((operation, slot, component));
        }
    }
}

pub(super) fn one_of<T: Clone>(list: &[T], dice: &mut Dice) -> Option<T> {
    list.get(dice.below(list.len() as u64) as usize).cloned()
}

/// Returns the last operation that mixed a component.
pub(super) fn last_of(outcomes: &[RandomResult], component: i32) -> Option<usize> {
    outcomes
        .iter()
        .rposition(|outcome| outcome.mixed().contains(&component))
}

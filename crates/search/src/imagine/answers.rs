//! Secret answers of other seats. What the seat has seen since then tells something of them: a component that it found
//! elsewhere was passed on, and one that stayed was not. Where few answers are possible, all are tried, and those that agree
//! best with what came of them are known to later worlds.

use std::collections::BTreeMap;

use super::change::{CourseChange, Stray};
use super::draft::WorldDraft;
use super::history::Made;
use super::making::{Making, each_component};
use super::refused::one_of;
use super::repair::RepairAttempt;
use super::work::WorldWork;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{self as engine, Choice, Pending, State};

/// Maximum number of answers that are all tried.
const ANSWERS_MAX: u64 = 64;

impl Making<'_> {
    /// Returns an answer that only its seat knows: the planned one if it is legal, otherwise a random one; in a world that is
    /// repaired, one that agrees with what is known.
    pub fn answer(
        &self,
        draft: &WorldDraft,
        made: &Made,
        planned: Option<&Made>,
        dice: &mut Dice,
    ) -> Option<Choice> {
        let state = draft.state.as_ref()?;
        let is_legal = |choice: &Choice| self.is_legal(state, made.seat, choice);
        let planned = planned.map(|planned| planned.choice.clone());
        let planned = planned.filter(is_legal).or_else(|| {
            let findings = self.findings.borrow();
            let known = findings.answers.get(&draft.steps);
            let known = known.filter(|_| draft.is_repaired && !dice.one_in(32))?;
            one_of(known, dice).filter(is_legal)
        });
        if planned.is_some() {
            return planned;
        }
        let owed = self.owed(state, made.seat)?;
        let drawn = engine::random_choice(self.program, state, &owed, &mut |n| dice.below(n));
        let drawn = drawn.ok()??;
        let agreeing = self.agreeing(draft, made, drawn.clone(), dice);
        agreeing.filter(is_legal).or(Some(drawn))
    }

    /// Exchanges the components of an answer for those that were in the true one, as far as the seat has found out since.
    fn agreeing(
        &self,
        draft: &WorldDraft,
        truth: &Made,
        mut answer: Choice,
        dice: &mut Dice,
    ) -> Option<Choice> {
        let state = draft.state.as_ref().filter(|_| draft.is_repaired)?;
        let chosen = self.components_of(state, &truth.choice);
        let (mut within, mut without) = (Vec::new(), Vec::new());
        for (place, lies) in (0..).zip(&draft.names) {
            if self.line.is_found_out(place, draft.steps) {
                match chosen.contains(&place) {
                    true => within.push(*lies),
                    false => without.push(*lies),
                }
            }
        }
        for _ in &chosen {
            let now = self.components_of(state, &answer);
            let missing = within.iter().find(|one| !now.contains(one)).copied();
            let mut free = now.clone();
            free.retain(|one| !within.contains(one));
            let wrong = free.iter().find(|one| without.contains(one)).copied();
            let Some(old) = wrong.or_else(|| one_of(&free, dice).filter(|_| missing.is_some()))
            else {
                break;
            };
            let mut beside: Vec<i32> = state.members(state.zone_of(old)).collect();
            beside.retain(|other| !now.contains(other) && !without.contains(other));
            let new = missing.or_else(|| one_of(&beside, dice))?;
            self.replace(state, &mut answer, old, new);
        }
        Some(answer)
    }

    pub fn owed(&self, state: &State, seat: u8) -> Option<Pending> {
        let owed = engine::pending(self.program, state);
        owed.into_iter().find(|owed| owed.seat == seat)
    }

    pub fn is_legal(&self, state: &State, seat: u8, choice: &Choice) -> bool {
        let owed = self.owed(state, seat);
        owed.is_some_and(|owed| {
            engine::is_legal(self.program, state, &owed, choice).unwrap_or(false)
        })
    }

    pub fn components_of(&self, state: &State, choice: &Choice) -> Vec<i32> {
        let mut components = Vec::new();
        let mut choice = choice.clone();
        each_component(self.program, state, &mut choice, &mut |component| {
            components.push(component);
            component
        });
        components
    }

    /// Puts a component of a choice in place of another one.
    pub fn replace(&self, state: &State, choice: &mut Choice, old: i32, new: i32) {
        each_component(self.program, state, choice, &mut |component| {
            if component == old { new } else { component }
        });
    }
}

impl WorldWork<'_> {
    /// Tries all answers to the secret decision that ends with the step that has diverged, one after the other. Returns whether
    /// it then matches.
    pub fn try_answers(&mut self, stray: &mut Stray) -> bool {
        let (making, now) = (self.making, self.draft.steps);
        let steps = making.line.steps.get(..=now).unwrap_or_default();
        let before = steps.iter().rev().skip(1);
        let held = before.take_while(|step| step.is_held()).count();
        let mut agreeing = BTreeMap::new();
        let mut all = (0..).zip(steps).skip(now.saturating_sub(held));
        let matches = all.any(|(at, step)| {
            making.is_hidden(step) && self.try_answers_at(stray, at, &mut agreeing)
        });
        if matches {
            self.making.findings.borrow_mut().answers.extend(agreeing);
        }
        matches
    }

    /// Tries all answers of a step. Notes those that agree best, if others do not.
    fn try_answers_at(
        &mut self,
        stray: &mut Stray,
        step: usize,
        found: &mut BTreeMap<usize, Vec<Choice>>,
    ) -> bool {
        let mut choices = self.all_answers(stray, step).unwrap_or_default();
        self.dice.mix(&mut choices);
        for choice in choices {
            let change = CourseChange::Answer {
                step,
                choice: Some(choice.clone()),
            };
            let (most, attempt) = (stray.failure.score, self.attempt(stray, &change));
            let is_tried = !matches!(attempt, RepairAttempt::Failed);
            let matches = stray.becomes(attempt);
            if matches || stray.failure.score > most {
                found.insert(step, vec![choice]);
            } else if let Some(found) = found.get_mut(&step).filter(|_| is_tried) {
                found.push(choice);
            }
            if matches || self.effort.left() == 0 {
                return matches;
            }
        }
        false
    }

    /// Returns all answers that are legal at a step, if they are few.
    fn all_answers(&self, stray: &Stray, step: usize) -> Option<Vec<Choice>> {
        let (program, seat) = (self.making.program, stray.course.made_at(step)?.seat);
        let state = match step == self.draft.steps {
            true => self.draft.state.as_ref()?,
            false => self.draft.state_before(step)?,
        };
        let owed = self.making.owed(state, seat)?;
        let count = engine::count_choices(program, state, &owed).ok()?;
        let few = 0..Some(count).filter(|count| *count <= ANSWERS_MAX)?;
        few.map(|n| engine::nth_choice(program, state, &owed, n).ok()?)
            .collect()
    }
}

//! Secret answers of other seats. What the seat has seen since then tells something of them: a component that it found
//! elsewhere was passed on, and one that stayed was not. Where few answers are possible, all are tried, and those that agree
//! best with what came of them are known to later worlds.

use super::change::{CourseChange, Stray};
use super::history::Made;
use super::making::{Making, each_component};
use super::refused::one_of;
use super::sampling::name;
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
        state: &State,
        made: &Made,
        planned: Option<&Choice>,
        dice: &mut Dice,
        repaired: Option<(usize, &[i32])>,
    ) -> Option<Choice> {
        let legal = planned.filter(|planned| self.is_legal(state, made.seat, planned));
        if let Some(planned) = legal {
            return Some(planned.clone());
        }
        let known = repaired.and_then(|(step, _)| {
            let findings = self.findings.borrow();
            let known = findings.answers.get(&step)?;
            known.get(dice.below(known.len() as u64) as usize).cloned()
        });
        if let Some(known) = known.filter(|known| self.is_legal(state, made.seat, known)) {
            return Some(known);
        }
        let owed = self.owed(state, made.seat)?;
        let drawn = engine::random_choice(self.program, state, &owed, &mut |n| dice.below(n));
        let drawn = drawn.ok()??;
        let agreeing = repaired.map(|(step, names)| {
            let answer = drawn.clone();
            self.agreeing_answer(state, answer, (step, &made.choice), names, dice)
        });
        let agreeing = agreeing.filter(|answer| self.is_legal(state, made.seat, answer));
        Some(agreeing.unwrap_or(drawn))
    }

    /// Exchanges the components of an answer for those that were in the true one, as far as the seat has found out since.
    fn agreeing_answer(
        &self,
        state: &State,
        mut answer: Choice,
        (step, truth): (usize, &Choice),
        names: &[i32],
        dice: &mut Dice,
    ) -> Choice {
        let chosen = self.components_of(state, truth);
        let found = (0..names.len() as i32).filter(|one| self.line.is_found_out(*one, step));
        let (within, without): (Vec<i32>, Vec<i32>) = found.partition(|one| chosen.contains(one));
        let here =
            |list: Vec<i32>| -> Vec<i32> { list.into_iter().map(|one| name(names, one)).collect() };
        let (within, without) = (here(within), here(without));
        for _ in &chosen {
            let now = self.components_of(state, &answer);
            let missing = within.iter().find(|one| !now.contains(one)).copied();
            let free: Vec<i32> = now
                .iter()
                .filter(|one| !within.contains(one))
                .copied()
                .collect();
            let wrong = free.iter().find(|one| without.contains(one)).copied();
            let Some(old) = wrong.or_else(|| one_of(&free, dice).filter(|_| missing.is_some()))
            else {
                break;
            };
            let beside = state.members(state.zone_of(old));
            let others = beside.filter(|other| !now.contains(other) && !without.contains(other));
            let others: Vec<i32> = others.collect();
            let Some(new) = missing.or_else(|| one_of(&others, dice)) else {
                break;
            };
            self.replace(state, &mut answer, old, new);
        }
        answer
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
        let making = self.making;
        let steps = making
            .line
            .steps
            .get(..=self.draft.steps)
            .unwrap_or_default();
        let is_secret = |at: &usize| {
            let made = steps.get(*at).and_then(|step| step.made.as_ref());
            made.is_some_and(|made| made.secret)
        };
        let first = (0..steps.len()).rev().take_while(is_secret).last();
        let all = first.unwrap_or(steps.len())..steps.len();
        let mut hidden = all.filter(|at| steps.get(*at).is_some_and(|step| making.is_hidden(step)));
        hidden.any(|step| self.try_answers_at(stray, step))
    }

    fn try_answers_at(&mut self, stray: &mut Stray, step: usize) -> bool {
        let mut choices = self.all_answers(stray, step).unwrap_or_default();
        self.dice.mix(&mut choices);
        let before = stray.failure.score;
        let (mut most, mut agreeing) = (before, Vec::new());
        for choice in choices {
            if self.effort.left() == 0 {
                break;
            }
            let change = CourseChange::Answer {
                step,
                choice: Some(choice.clone()),
            };
            let attempt = self.attempt(stray, &change);
            let (is_tried, matches) = (attempt.is_no_worse(), stray.becomes(attempt));
            if matches || stray.failure.score > most {
                agreeing.clear();
            }
            if is_tried {
                agreeing.push(choice);
            }
            most = stray.failure.score;
            if matches {
                self.making
                    .findings
                    .borrow_mut()
                    .answers
                    .insert(step, agreeing);
                return true;
            }
        }
        if most > before {
            self.making
                .findings
                .borrow_mut()
                .answers
                .insert(step, agreeing);
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

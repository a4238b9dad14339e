//! Builds a world from the setup to the present, step by step. Where a step diverges from the seat's observations,
//! changes earlier results that may have caused it. This finds worlds that chance would hardly ever hit, but it does not find all
//! of them equally often; where chance hits often enough, worlds are therefore built without changes (`Making::plain`).
//!
//! A change is first tried at the difference: two components are exchanged there. If this helps, the course is replayed
//! from where the two were mixed. The change counts only if everything up to there and beyond still matches.

use super::change::{CourseChange, CourseExchange, Stray};
use super::draft::{WorldCourse, WorldDraft};
use super::line::{ComponentKnowledge, RandomOperation, slots_of};
use super::making::{Making, NoticedDifference, each_component};
use super::mark::ReturnPoint;
use super::proposal::component_of;
use super::refused::one_of;
use super::sampling::RandomResult;
use super::work::{Effort, WorldWork};
use wyrmgate_base::dice::Dice;

/// Maximum number of changes at one difference before going back.
const CHANGES: usize = 240;
/// Maximum number of steps with alternatives to go back.
const BACK_MAX: usize = 12;

/// The result of an attempt.
pub(super) enum RepairAttempt {
    /// The step matches.
    Helped,
    /// The step matches better than before, or no worse.
    Closer(Stray),
    Failed,
}

impl Making<'_> {
    /// Builds a world from scratch. Returns `false` if the budget runs out before.
    pub fn draft(&self, draft: &mut WorldDraft, dice: &mut Dice, effort: &mut Effort) -> bool {
        if !self.line.backs.is_empty() && self.findings.borrow().backs.is_empty() {
            let mut first = draft.clone();
            first.is_repaired = true;
            self.goes_on(&mut first, &WorldCourse::default(), dice);
        }
        self.advance(draft, WorldCourse::default(), dice, effort)
    }

    /// Builds a world from scratch without repairs: all worlds that the seat cannot tell apart are then equally likely.
    /// `None` if it diverges, or if the budget runs out.
    pub fn plain(&self, dice: &mut Dice, effort: &mut Effort) -> Option<WorldDraft> {
        let mut draft = WorldDraft::blank(self.program.components.len());
        self.go_on(&mut draft, dice, effort).then_some(draft)
    }

    /// Continues a world that was built with less knowledge, without repairs. Returns `false` if it diverges.
    pub fn go_on(&self, draft: &mut WorldDraft, dice: &mut Dice, effort: &mut Effort) -> bool {
        let plan = WorldCourse::default();
        draft.is_repaired = false;
        while draft.steps < self.line.steps.len() {
            if !effort.spend() || !self.goes_on(draft, &plan, dice) {
                return false;
            }
        }
        true
    }

    /// Continues a world that was built with less knowledge, and repairs what contradicts the newer knowledge.
    pub fn resume(&self, draft: &mut WorldDraft, dice: &mut Dice, effort: &mut Effort) -> bool {
        // Newer knowledge may exclude results before such a mark, which are then drawn again.
        draft.forget_marks_within();
        let (course, first) = self.corrected(draft);
        if let Some(first) = first
            && draft.cut(self.line.step_of(first)).is_none()
        {
            return false;
        }
        self.advance(draft, course, dice, effort)
    }

    /// Goes back from the present to a recent step with alternatives, and on from there in another way.
    pub fn vary(&self, draft: &mut WorldDraft, dice: &mut Dice, effort: &mut Effort) -> bool {
        let recent: Vec<usize> = draft.marked().rev().take(BACK_MAX).collect();
        let Some(step) = one_of(&recent, dice) else {
            return false;
        };
        draft.cut(step).is_some() && self.advance(draft, WorldCourse::default(), dice, effort)
    }

    /// Returns the course of a world, corrected by everything observed since, and the first operation that changes.
    fn corrected(&self, draft: &WorldDraft) -> (WorldCourse, Option<usize>) {
        let mut course = draft.course.clone();
        let mut first = None;
        for (number, operation) in self.line.operations.iter().enumerate() {
            let Some(outcome) = course.outcomes.get(number) else {
                break;
            };
            let wrong = wrong_pairs(operation, outcome);
            let is_other = !wrong.is_empty() || is_other_side(operation, outcome);
            for (one, other) in wrong {
                CourseExchange::new(number, one, other).apply(&mut course.outcomes);
            }
            if is_other {
                first = first.or(Some(number));
            }
        }
        (course, first)
    }

    /// Advances a draft to the present.
    fn advance(
        &self,
        draft: &mut WorldDraft,
        plan: WorldCourse,
        dice: &mut Dice,
        effort: &mut Effort,
    ) -> bool {
        let mut work = WorldWork {
            making: self,
            draft,
            dice,
            effort,
        };
        work.advance(plan)
    }
}

impl WorldWork<'_> {
    /// Advances the draft to the present.
    fn advance(&mut self, mut plan: WorldCourse) -> bool {
        self.draft.is_repaired = true;
        while self.draft.steps < self.making.line.steps.len() {
            if !self.effort.spend() {
                return false;
            }
            let Err(failure) = self.making.step_unless(self.draft, &plan, self.dice, 0) else {
                continue;
            };
            if self.repair(failure) {
                continue;
            }
            // The plan has led to this step.
            plan = WorldCourse::default();
            let back = back_from(self.draft, self.dice);
            if self.draft.cut(back).is_none() {
                return false;
            }
        }
        true
    }

    /// Repairs the next step. Returns `false` if no attempt helped.
    fn repair(&mut self, failure: Box<NoticedDifference>) -> bool {
        let mut stray = Stray::new(self.draft, failure);
        if self.try_numbers(&mut stray) || self.try_answers(&mut stray) {
            return true;
        }
        let mut tried = 0;
        while tried < CHANGES && self.effort.spend() {
            let change = self.propose(&mut stray, tried);
            tried += 1;
            let Some(change) = change else {
                continue;
            };
            let score = stray.failure.score;
            let attempt = self.attempt(&stray, &change);
            if stray.becomes(attempt) {
                return true;
            }
            if stray.failure.score > score {
                tried = 0;
            }
        }
        false
    }

    /// Takes the next step as one that has diverged. Returns whether it matches.
    pub fn takes_over(&mut self, stray: &mut Stray) -> bool {
        let attempt = self.here(&stray.course, 0);
        stray.becomes(attempt)
    }

    pub fn attempt(&mut self, stray: &Stray, change: &CourseChange) -> RepairAttempt {
        let operation = change.operation();
        let first = match change {
            CourseChange::Answer { step, .. } => *step,
            CourseChange::Exchange(_) | CourseChange::Redraw(_) | CourseChange::Numbers(_) => {
                self.making.line.step_of(operation.unwrap_or(0))
            }
        };
        let mut plan = stray.course.clone();
        change.apply(&mut plan);
        self.keep_places(&mut plan, change);
        if first >= self.draft.steps {
            let within = operation.map_or(&[][..], |operation| stray.marks_before(operation));
            return self.within(stray, within, &plan);
        }
        if let CourseChange::Exchange(exchanges) = change
            && let [exchange] = exchanges.as_slice()
            && stray.failure.odd.is_empty()
            && !(is_of_numbers(&stray.failure) && self.dice.one_in(2))
            && !self.helps_there(stray, &plan, *exchange)
        {
            return RepairAttempt::Failed;
        }
        let steps = self.draft.steps;
        let tail = match operation {
            Some(operation) => self.draft.cut_before(operation),
            None => self.draft.cut(first),
        };
        let Some(tail) = tail else {
            return RepairAttempt::Failed;
        };
        while self.draft.steps < steps {
            if !self.effort.spend() || !self.making.goes_on(self.draft, &plan, self.dice) {
                self.draft.put_back(tail);
                return RepairAttempt::Failed;
            }
        }
        // Another answer may be as good; where components lie must be better.
        let more = usize::from(operation.is_some());
        let tried = self.here(&plan, stray.failure.score + more);
        if matches!(tried, RepairAttempt::Failed) {
            self.draft.put_back(tail);
        }
        tried
    }

    /// Where components are exchanged, secret answers still choose what lies in the same places.
    fn keep_places(&self, plan: &mut WorldCourse, change: &CourseChange) {
        let CourseChange::Exchange(exchanges) = change else {
            return;
        };
        let line = self.making.line;
        for exchange in exchanges {
            let until = exchange
                .mixed_again(&plan.outcomes)
                .map(|end| line.step_of(end));
            let until = until.unwrap_or(self.draft.steps).min(self.draft.steps);
            for step in line.step_of(exchange.operation) + 1..until {
                let is_hidden = line
                    .steps
                    .get(step)
                    .is_some_and(|step| self.making.is_hidden(step));
                if let Some(state) = self.draft.state_before(step).filter(|_| is_hidden)
                    && let Some(made) = plan.made.get_mut(step - 1)
                {
                    let places = &mut |component| exchange.of(component);
                    each_component(self.making.program, state, &mut made.choice, places);
                }
            }
        }
    }

    /// Takes the step that has diverged with another plan, from the last of these marks within it, or from its beginning.
    fn within(
        &mut self,
        stray: &Stray,
        marks: &[ReturnPoint],
        plan: &WorldCourse,
    ) -> RepairAttempt {
        self.draft.go_into(marks, &stray.course);
        let mut tried = self.here(plan, stray.failure.score);
        if !marks.is_empty() && !matches!(tried, RepairAttempt::Helped) {
            self.draft.go_out();
        }
        if let RepairAttempt::Closer(closer) = &mut tried {
            closer.failure.marks.splice(..0, marks.iter().cloned());
            let outcomes = closer
                .course
                .outcomes
                .get(self.draft.course.outcomes.len()..);
            closer.failure.outcomes = outcomes.unwrap_or_default().to_vec();
        }
        tried
    }

    /// Takes the next step with another plan. A plan that does not reach it has failed.
    fn here(&mut self, plan: &WorldCourse, least: usize) -> RepairAttempt {
        self.effort.spend();
        match self.making.step_unless(self.draft, plan, self.dice, least) {
            Ok(()) => RepairAttempt::Helped,
            Err(failure) if failure.score >= least => {
                RepairAttempt::Closer(Stray::new(self.draft, failure))
            }
            Err(_) => RepairAttempt::Failed,
        }
    }

    /// Returns whether the step would match better after exchanging the two.
    fn helps_there(&mut self, stray: &Stray, plan: &WorldCourse, exchange: CourseExchange) -> bool {
        let Some(state) = &self.draft.state else {
            return true;
        };
        let all = 0..self.making.program.components.len() as i32;
        let all: Vec<i32> = all.map(|component| exchange.of(component)).collect();
        let there = state.renamed(&all);
        let names = self.draft.names.iter().map(|name| exchange.of(*name));
        let names = names.collect();
        self.draft.forget_mark();
        let (state, names) = self.draft.swap(Some(there), names);
        let least = stray.failure.score + 1;
        let (score, _) = self.look_ahead(plan, least, usize::MAX);
        self.draft.forget_mark();
        self.draft.swap(state, names);
        score >= least
    }

    /// Takes the next step and undoes it. Returns how much matched, and the result of an operation.
    pub fn look_ahead(
        &mut self,
        plan: &WorldCourse,
        least: usize,
        operation: usize,
    ) -> (usize, Option<RandomResult>) {
        self.effort.spend();
        let draft = &mut *self.draft;
        let (operations, made) = (draft.course.outcomes.len(), draft.course.made.len());
        let (state, names, begun) = (draft.state.clone(), draft.names.clone(), draft.begun);
        let tried = match self.making.step_unless(draft, plan, self.dice, least) {
            Ok(()) => {
                let result = draft.course.outcomes.get(operation).cloned();
                draft.untake(operations, made);
                (usize::MAX, result)
            }
            Err(failure) => {
                let within = operation.checked_sub(operations);
                let result = within.and_then(|at| failure.outcomes.get(at).cloned());
                (failure.score, result)
            }
        };
        draft.begun = begun;
        draft.swap(state, names);
        tried
    }
}

impl Stray {
    /// Continues from the result of an attempt. Returns whether the step now matches.
    pub fn becomes(&mut self, attempt: RepairAttempt) -> bool {
        match attempt {
            RepairAttempt::Helped => return true,
            RepairAttempt::Closer(closer) => self.take_over(closer),
            RepairAttempt::Failed => {}
        }
        false
    }
}

/// Returns whether no component differs, but something that was perhaps counted before they were moved away.
fn is_of_numbers(failure: &NoticedDifference) -> bool {
    let mut events = failure.expected.iter().chain(&failure.other);
    events.all(|event| component_of(event).is_none())
}

/// Returns the step to go back to: the last one with alternatives or, with decreasing probability, an earlier one.
fn back_from(draft: &WorldDraft, dice: &mut Dice) -> usize {
    let earlier = draft.marked().rev().filter(|step| *step < draft.steps);
    let mut back = 0;
    for step in earlier.take(BACK_MAX) {
        back = step;
        if dice.one_in(2) {
            break;
        }
    }
    back
}

/// Returns pairs of components that are in each other's known places.
fn wrong_pairs(operation: &RandomOperation, outcome: &RandomResult) -> Vec<(i32, i32)> {
    let slots = slots_of(operation);
    match (operation, outcome) {
        (RandomOperation::Shuffle(_), RandomResult::Order(order)) => {
            let mut order = order.clone();
            let mut wrong = Vec::new();
            for (at, slot) in slots.iter().enumerate() {
                let Some(lies) = order.get(at).copied() else {
                    continue;
                };
                if slot.known == ComponentKnowledge::All && lies != slot.component {
                    wrong.push((lies, slot.component));
                    if let Some(there) = order.iter().position(|other| *other == slot.component) {
                        order.swap(at, there);
                    }
                }
            }
            wrong
        }
        (RandomOperation::Draw { drawn, .. }, RandomResult::Drawn { component, .. }) => {
            let slot = slots.get(*drawn);
            let slot = slot.filter(|slot| {
                slot.known == ComponentKnowledge::All && slot.component != *component
            });
            slot.map(|slot| (*component, slot.component))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

fn is_other_side(operation: &RandomOperation, outcome: &RandomResult) -> bool {
    match (operation, outcome) {
        (RandomOperation::Roll { side, known: true }, RandomResult::At { at, .. }) => side != at,
        _ => false,
    }
}

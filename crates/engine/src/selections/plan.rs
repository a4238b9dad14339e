//! Conditions on the selections of certain members: what is known of them, and who is left to decide about.

use super::measure::{Mark, MeasureKind, MeasuredMembers, UndecidedGain};
use super::range::Range;
use super::runs::Runs;
use super::sizes::Sizes;
use super::terms::{DecidedMembers, Rests, SelectionTerms};
use smallvec::SmallVec;
use std::sync::Arc;

/// The marks of all measures.
pub(super) type Marks = SmallVec<[Mark; 4]>;

/// The remainders of all measures.
type Left = SmallVec<[UndecidedGain; 4]>;

/// The maximum number of members to plan for. Selections of longer lists are tried one by one.
pub const PLANNED_MAX: usize = 200;

/// A plan reuses its memory for the next members.
#[derive(Debug)]
pub struct SelectionPlan {
    form: Arc<SelectionTerms>,
    /// By number: the values of the rules.
    pub known: Vec<i32>,
    pub(super) measures: Vec<MeasuredMembers>,
    /// Conditions in which a number can become too large, and those with a part that is not followed. Only evaluating
    /// them shows whether they hold.
    open: Vec<bool>,
    /// Whether a condition can only be judged by evaluating it.
    pub unknown: bool,
    /// Which members stand side by side.
    pub(super) runs: Runs,
    /// Whether selections are numbered in binary: the last member is decided first.
    pub(super) binary: bool,
    /// The places of the members to decide about, in the order in which they are decided.
    pub order: Vec<u16>,
    /// The places of members that all selections have.
    pub forced: Vec<u16>,
    /// The marks with which decisions begin.
    start: Marks,
    /// The work done so far.
    pub work: u32,
}

impl SelectionPlan {
    pub fn new(form: Arc<SelectionTerms>) -> SelectionPlan {
        let measures = form.measures.iter().map(|what| MeasuredMembers::new(*what));
        SelectionPlan {
            known: Vec::with_capacity(form.known),
            measures: measures.collect(),
            open: Vec::new(),
            unknown: false,
            runs: Runs::Of(1),
            binary: false,
            order: Vec::new(),
            forced: Vec::new(),
            start: Marks::new(),
            work: 0,
            form,
        }
    }

    /// Returns a plan with the same conditions that has not begun.
    pub fn fresh(&self) -> SelectionPlan {
        SelectionPlan::new(Arc::clone(&self.form))
    }

    pub fn known_values(&self) -> usize {
        self.form.known
    }

    pub fn measured(&self) -> usize {
        self.measures.len()
    }

    /// Begins with these values of the rules, and with what each member adds, measure by measure.
    pub fn load(&mut self, known: &[i32], gains: &[i32], sizes: Sizes, count: usize) {
        self.load_runs(known, gains, sizes, count, Runs::Of(sizes.copies()));
    }

    /// Begins like [`SelectionPlan::load`], with members of which those that stand side by side are chosen in their order.
    pub fn load_runs(
        &mut self,
        known: &[i32],
        gains: &[i32],
        sizes: Sizes,
        count: usize,
        runs: Runs,
    ) {
        self.known.clear();
        self.known.extend_from_slice(known);
        let reversed = runs.are_binary(sizes, count);
        let mut unmeasured: SmallVec<[usize; 4]> = SmallVec::new();
        for (number, measure) in self.measures.iter_mut().enumerate() {
            let own = gains.get(number * count..(number + 1) * count);
            let own = own.unwrap_or_default().iter().copied();
            let is_set = match reversed {
                true => measure.set(own.rev()),
                false => measure.set(own),
            };
            unmeasured.extend((!is_set).then_some(number));
        }
        self.begin(count, sizes, runs, &unmeasured);
    }

    /// Begins with what the measures say of this many members, in the order in which they are decided; the measures in
    /// `unmeasured` could not be taken.
    pub(super) fn begin(&mut self, count: usize, sizes: Sizes, runs: Runs, unmeasured: &[usize]) {
        self.binary = runs.are_binary(sizes, count);
        self.runs = runs;
        self.work = 0;
        self.forced.clear();
        self.order.clear();
        let all = 0..count as u16;
        match self.binary {
            true => self.order.extend(all.rev()),
            false => self.order.extend(all),
        }
        self.start = self.measures.iter().map(MeasuredMembers::start).collect();
        let totals: Left = self.measures.iter().map(MeasuredMembers::total).collect();
        self.leave_open(&totals, unmeasured);
        if matches!(self.runs, Runs::Of(1)) {
            self.propagate(sizes, totals);
        }
        self.measures.iter_mut().for_each(MeasuredMembers::add_up);
    }

    /// Notes the conditions that are left to the evaluation, which reports numbers that are too large.
    fn leave_open(&mut self, totals: &[UndecidedGain], unmeasured: &[usize]) {
        let taken = Range::new(0, self.order.len() as i64);
        let all = self.decided(0, taken, &self.start, Rests::These(totals));
        let conditions = &self.form.conditions;
        let mut left: SmallVec<[usize; 4]> = SmallVec::new();
        for condition in conditions {
            let overflows = condition.may_overflow && !condition.term.fits(&all);
            let lacks = !unmeasured.is_empty() && condition.term.looks_at(unmeasured);
            left.extend((overflows || lacks).then_some(condition.of));
        }
        self.unknown = self.form.has_unknown || !left.is_empty();
        self.open.clear();
        let is_open = conditions.iter().map(|one| left.contains(&one.of));
        self.open.extend(is_open);
    }

    /// Decides about members whom all selections have, or none.
    fn propagate(&mut self, sizes: Sizes, mut totals: Left) {
        let count = self.order.len();
        let forced = self.forced_by(&totals);
        if forced.is_empty() {
            return;
        }
        let (mut marks, chosen) = (self.start.clone(), forced.len());
        for at in &forced {
            marks = self.with(&marks, *at);
            // What they are in the rest of other measures makes nothing impossible.
            for (measure, total) in self.measures.iter().zip(&mut totals) {
                if let (MeasureKind::Sum | MeasureKind::Truth(_), Some(gain)) =
                    (measure.what, measure.gains.get(*at))
                {
                    *total = total.without(*gain);
                }
            }
        }
        let taken = Range::new(
            (sizes.least as i64 - chosen as i64 - 1).max(0),
            sizes.most.min(count) as i64 - chosen as i64 - 1,
        );
        self.work += (count - chosen) as u32;
        let mut free: SmallVec<[usize; 32]> = SmallVec::new();
        for at in (0..count).filter(|at| !forced.contains(at)) {
            let marks = self.with(&marks, at);
            let rests = Rests::These(&totals);
            if taken.high >= 0 && self.judge(chosen + 1, taken, &marks, rests) != Some(false) {
                free.push(at);
            }
        }
        self.start = marks;
        let place = |at: &usize| self.order.get(*at).copied();
        self.forced.extend(forced.iter().filter_map(place));
        self.order = free.iter().filter_map(place).collect();
        self.measures
            .iter_mut()
            .for_each(|measure| measure.keep(&free));
    }

    /// Returns the members without which a condition fails.
    fn forced_by(&self, totals: &[UndecidedGain]) -> SmallVec<[usize; 4]> {
        let mut forced: SmallVec<[usize; 4]> = SmallVec::new();
        let taken = Range::new(0, self.order.len() as i64 - 1);
        for (condition, open) in self.form.conditions.iter().zip(&self.open) {
            if *open || condition.sums.is_empty() {
                continue;
            }
            for at in 0..self.order.len() {
                let gain = |number: usize| self.measures.get(number)?.gains.get(at).copied();
                let adds = |number: &usize| gain(*number).is_some_and(|gain| gain != 0);
                if forced.contains(&at) || !condition.sums.iter().any(adds) {
                    continue;
                }
                let mut rests = Left::from_slice(totals);
                for number in &condition.sums {
                    if let Some((rest, gain)) = rests.get_mut(*number).zip(gain(*number)) {
                        *rest = rest.without(gain);
                    }
                }
                let without = self.decided(0, taken, &self.start, Rests::These(&rests));
                if condition.term.truth(&without) == Some(false) {
                    forced.push(at);
                }
            }
        }
        forced
    }

    fn decided<'p>(
        &'p self,
        chosen: usize,
        taken: Range,
        marks: &'p [Mark],
        rests: Rests<'p>,
    ) -> DecidedMembers<'p> {
        DecidedMembers {
            known: &self.known,
            measures: &self.measures,
            chosen,
            taken,
            marks,
            rests,
        }
    }

    pub(super) fn start(&self) -> Marks {
        self.start.clone()
    }

    pub(super) fn with(&self, marks: &[Mark], member: usize) -> Marks {
        let marks = self.measures.iter().zip(marks);
        marks
            .map(|(measure, mark)| measure.with(*mark, member))
            .collect()
    }

    /// Returns whether all conditions hold; `None` while that depends on members that are not decided.
    pub(super) fn verdict(
        &self,
        next: usize,
        chosen: usize,
        taken: Range,
        marks: &[Mark],
    ) -> Option<bool> {
        self.judge(chosen, taken, marks, Rests::From(next))
    }

    fn judge(&self, chosen: usize, taken: Range, marks: &[Mark], rests: Rests<'_>) -> Option<bool> {
        let decided = self.decided(chosen, taken, marks, rests);
        let mut verdict = Some(true);
        for (condition, open) in self.form.conditions.iter().zip(&self.open) {
            match if *open {
                None
            } else {
                condition.term.truth(&decided)
            } {
                Some(true) => {}
                Some(false) => return Some(false),
                None => verdict = None,
            }
        }
        verdict
    }

    /// Returns the place of a member by its number among those to decide about.
    pub(super) fn place(&self, number: usize) -> Option<usize> {
        self.order.get(number).copied().map(usize::from)
    }
}

//! Conditions on the selections of certain members: what is known of them, and who is left to decide about.

use super::measure::{Mark, Measure, Rest, What};
use super::range::Range;
use super::terms::{Decided, Form, Rests, Term};
use crate::choices::Sizes;
use smallvec::SmallVec;
use std::sync::Arc;

/// The marks of all measures.
pub(super) type Marks = SmallVec<[Mark; 4]>;

/// The maximum number of members to plan for. Selections of longer lists are tried one by one.
pub(crate) const PLANNED_MAX: usize = 200;

/// A plan reuses its memory for the next members.
#[derive(Debug)]
pub(crate) struct Plan {
    form: Arc<Form>,
    /// By number: the values of the rules.
    pub known: Vec<i32>,
    pub(super) measures: Vec<Measure>,
    /// Conditions in which a number can become too large, and those with a part that is not followed. Only evaluating
    /// them shows whether they hold.
    open: Vec<bool>,
    /// Whether a condition can only be judged by evaluating it.
    pub unknown: bool,
    /// How often each member stands side by side.
    pub copies: usize,
    /// The places of the members to decide about, in the order in which they are decided.
    pub order: Vec<u16>,
    /// The places of members that all selections have.
    pub forced: Vec<u16>,
    /// The marks with which decisions begin.
    start: Marks,
    /// What was done to find out.
    pub work: u32,
}

impl Plan {
    pub fn new(form: Arc<Form>) -> Plan {
        let measures = form.measures.iter().map(|what| Measure::new(*what));
        Plan {
            known: Vec::with_capacity(form.known),
            measures: measures.collect(),
            open: Vec::new(),
            unknown: false,
            copies: 1,
            order: Vec::new(),
            forced: Vec::new(),
            start: Marks::new(),
            work: 0,
            form,
        }
    }

    #[cfg(feature = "native")]
    pub fn known_values(&self) -> usize {
        self.form.known
    }

    #[cfg(feature = "native")]
    pub fn measured(&self) -> usize {
        self.measures.len()
    }

    /// Begins with these values of the rules, and with what each member adds, measure by measure.
    #[cfg(feature = "native")]
    pub fn load(&mut self, known: &[i32], gains: &[i32], sizes: Sizes, count: usize) {
        self.known.clear();
        self.known.extend_from_slice(known);
        let reversed = sizes.is_any_subset(count);
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
        self.begin(count, sizes, &unmeasured);
    }

    /// Begins with what the measures say of this many members, in the order in which they are decided; the measures in
    /// `unmeasured` could not be taken.
    pub fn begin(&mut self, count: usize, sizes: Sizes, unmeasured: &[usize]) {
        let reversed = sizes.is_any_subset(count);
        self.copies = sizes.copies();
        (self.work, self.unknown) = (0, false);
        self.forced.clear();
        self.order.clear();
        let all = 0..count as u16;
        match reversed {
            true => self.order.extend(all.rev()),
            false => self.order.extend(all),
        }
        self.start = self.measures.iter().map(Measure::start).collect();
        self.measures.iter_mut().for_each(Measure::add_up);
        self.leave_open(count, unmeasured);
        if self.copies == 1 {
            self.propagate(sizes);
        }
    }

    /// Notes the conditions that are left to the evaluation, which reports numbers that are too large.
    fn leave_open(&mut self, count: usize, unmeasured: &[usize]) {
        self.open.clear();
        let all = Decided {
            known: &self.known,
            measures: &self.measures,
            chosen: 0,
            taken: Range {
                low: 0,
                high: count as i64,
            },
            marks: &self.start,
            rests: Rests::From(0),
        };
        let lacks = |term: &Term| term.measures(&|number| unmeasured.contains(&number));
        let conditions = &self.form.conditions;
        let mut left: SmallVec<[usize; 4]> = SmallVec::new();
        for condition in conditions {
            let is_open = !condition.term.fits(&all) || lacks(&condition.term);
            left.extend(is_open.then_some(condition.of));
            self.unknown |= is_open || condition.term.has_unknown();
        }
        let is_open = conditions.iter().map(|one| left.contains(&one.of));
        self.open.extend(is_open);
    }

    /// Decides about members whom all selections have, or none.
    fn propagate(&mut self, sizes: Sizes) {
        let count = self.order.len();
        let forced: SmallVec<[usize; 4]> = (0..count).filter(|at| self.is_forced(*at)).collect();
        if forced.is_empty() {
            return;
        }
        let (mut marks, chosen) = (self.start.clone(), forced.len());
        for at in &forced {
            marks = self.with(&marks, *at);
        }
        let is_left = |at: usize| !forced.contains(&at);
        let rests = self.measures.iter().map(|measure| measure.rest_of(is_left));
        let rests: SmallVec<[Rest; 4]> = rests.collect();
        let taken = Range {
            low: (sizes.least as i64 - chosen as i64 - 1).max(0),
            high: (sizes.most as i64 - chosen as i64 - 1).min((count - chosen) as i64),
        };
        self.work += (count - chosen) as u32;
        let mut free: SmallVec<[usize; 32]> = SmallVec::new();
        for at in (0..count).filter(|at| is_left(*at)) {
            let marks = self.with(&marks, at);
            let rests = Rests::These(&rests);
            if taken.high >= 0 && self.judge(chosen + 1, taken, &marks, rests) != Some(false) {
                free.push(at);
            }
        }
        self.start = marks;
        let place = |at: &usize| self.order.get(*at).copied();
        self.forced.extend(forced.iter().filter_map(place));
        self.order = free.iter().filter_map(place).collect();
        for measure in &mut self.measures {
            let gains = free.iter().enumerate();
            for (to, from) in gains {
                let gain = measure.gains.get(*from).copied();
                if let Some((place, gain)) = measure.gains.get_mut(to).zip(gain) {
                    *place = gain;
                }
            }
            measure.gains.truncate(free.len());
            measure.add_up();
        }
    }

    /// Returns whether a condition fails without this member.
    fn is_forced(&self, at: usize) -> bool {
        let sums = |number: usize| {
            let measure = self.measures.get(number)?;
            let adds = matches!(measure.what, What::Sum | What::Truth(_));
            measure.gains.get(at).filter(|gain| adds && **gain != 0)
        };
        let conditions = self.form.conditions.iter().zip(&self.open);
        let mut conditions = conditions
            .filter(|(one, open)| !**open && one.term.measures(&|of| sums(of).is_some()))
            .map(|(one, _)| &one.term);
        let Some(first) = conditions.next() else {
            return false;
        };
        let rests = self.measures.iter().enumerate().map(|(number, measure)| {
            let all = measure.rest.first().copied();
            let all = all.unwrap_or_else(|| measure.rest_of(|_| true));
            match sums(number) {
                Some(gain) => all.without(*gain),
                None => all,
            }
        });
        let rests: SmallVec<[Rest; 4]> = rests.collect();
        let decided = Decided {
            known: &self.known,
            measures: &self.measures,
            chosen: 0,
            taken: Range {
                low: 0,
                high: self.order.len() as i64 - 1,
            },
            marks: &self.start,
            rests: Rests::These(&rests),
        };
        let fails = |condition: &Term| condition.truth(&decided) == Some(false);
        fails(first) || conditions.any(fails)
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
        let decided = Decided {
            known: &self.known,
            measures: &self.measures,
            chosen,
            taken,
            marks,
            rests,
        };
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

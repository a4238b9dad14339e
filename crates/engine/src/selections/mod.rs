//! Selections of several members that fulfill conditions on all of them together.
//!
//! `plan` reads the conditions: sums, numbers of members, extremes, different values, runs, and what is calculated from
//! them. `counted` then counts the selections and finds one by its number without listing the others. If a condition
//! asks for more than that, selections are searched: the plan leaves out what cannot succeed any more, and the condition
//! is evaluated for the rest.

mod alike;
mod counted;
mod measure;
mod plan;
mod questions;
mod range;
mod reader;
mod reading;
mod runs;
mod search;
mod sizes;
mod terms;

use smallvec::SmallVec;
use std::sync::Arc;

pub use alike::Alike;
pub use counted::CountedSelections;
pub use measure::MeasureKind;
pub use plan::PLANNED_MAX;
pub use plan::SelectionPlan;
pub use reading::{Composing, DependentTemps, FOLLOWED, SelectionDependence};
pub use runs::Runs;
pub use search::{SelectionSearch, SelectionStep};
pub use sizes::{MemberOrder, Sizes};
pub use terms::{Judged, SelectionTerms, Term};

use crate::eval::{Eval, Walk};
use crate::fault::Halt;
use wyrmgate_program::{Condition, ExprId, Temp};

/// Members of a list, chosen together.
#[derive(Debug, Clone, Copy)]
pub struct WantedSelection<'w> {
    /// The temps of the selection: this one and the next.
    pub list: Temp,
    /// The conditions on the selection.
    pub tests: &'w [ExprId],
    pub members: &'w [i32],
    pub sizes: Sizes,
    /// The members that are alike, if of each kind only the first ones are chosen.
    pub alike: Option<&'w Alike>,
}

/// The members to decide about.
struct DecidableMembers {
    /// One that may repeat stands there as often as it may, side by side; so do those that are alike.
    members: Vec<i32>,
    runs: Runs,
}

impl WantedSelection<'_> {
    fn laid_out(&self) -> DecidableMembers {
        if let Some(alike) = self.alike {
            let runs = Runs::of_kinds(alike);
            let members = runs.lay_out(self.members);
            return DecidableMembers { members, runs };
        }
        let copies = self.sizes.copies();
        let members = self.members.iter();
        let members = members.flat_map(|member| std::iter::repeat_n(*member, copies));
        DecidableMembers {
            members: members.collect(),
            runs: Runs::Of(copies),
        }
    }
}

/// The bounds on selections that are known before a visit.
pub enum Selections {
    Counted(Arc<CountedSelections>),
    Searched(Searched),
}

/// Selections that have to be visited one after the other.
pub struct Searched {
    /// `None`: each of them is tried.
    plan: Option<Box<SelectionPlan>>,
}

/// The expressions of conditions.
pub fn tests_of(conditions: &[Condition]) -> SmallVec<[ExprId; 4]> {
    conditions.iter().map(|condition| condition.test).collect()
}

/// Called with the members of each selection, to which the temps refer.
type Visit<'v, 'a> = &'v mut dyn FnMut(&mut Eval<'a>, &[i32]) -> Walk;

impl<'a> Eval<'a> {
    /// Reads the conditions on selections, and counts those that fulfill them if that is possible.
    pub fn selections(&mut self, wanted: WantedSelection<'_>) -> Result<Selections, Halt> {
        let Some(plan) = self.plan(wanted)? else {
            return Ok(Selections::Searched(Searched { plan: None }));
        };
        if plan.unknown {
            return Ok(Selections::Searched(Searched {
                plan: Some(Box::new(plan)),
            }));
        }
        let budget = &mut self.scratch.fuel;
        match CountedSelections::new(wanted.laid_out().members, wanted.sizes, plan, budget) {
            Some(counted) => Ok(Selections::Counted(Arc::new(counted))),
            None => Err(self.scratch.halt(self.scratch.limit)),
        }
    }

    /// Counts the selections that fulfill the conditions, or reads the conditions if they must be visited.
    pub fn count_of_selections(
        &mut self,
        wanted: WantedSelection<'_>,
    ) -> Result<Result<u64, Searched>, Halt> {
        let plan = match self.plan(wanted)? {
            Some(plan) if !plan.unknown => plan,
            plan => {
                let plan = plan.map(Box::new);
                return Ok(Err(Searched { plan }));
            }
        };
        let members = wanted.members.len().saturating_mul(wanted.sizes.copies());
        let count = plan.count(wanted.sizes, members, &mut self.scratch.fuel);
        match count {
            Some(count) => Ok(Ok(count)),
            None => Err(self.scratch.halt(self.scratch.limit)),
        }
    }

    /// Reads the conditions on selections, to visit those that fulfill them one after the other.
    pub fn searched(&mut self, wanted: WantedSelection<'_>) -> Result<Searched, Halt> {
        let plan = self.plan(wanted)?.map(Box::new);
        Ok(Searched { plan })
    }

    /// Makes a list visible in two temps; returns where it lies.
    fn bind_list(&mut self, list: Temp, values: &[i32]) -> i32 {
        let (offset, length) = self.scratch.keep_list(values);
        self.set_temp(list, offset);
        self.set_temp(list.saturating_add(1), length);
        offset
    }

    /// Visits the selections that fulfill the conditions.
    pub fn each_selection(
        &mut self,
        wanted: WantedSelection<'_>,
        searched: Searched,
        visit: Visit<'_, 'a>,
    ) -> Walk {
        let Some(plan) = searched.plan else {
            return self.each_tried(wanted, visit);
        };
        let members = wanted.laid_out().members;
        let mut search = SelectionSearch::new(*plan);
        search.begin(wanted.sizes, members.len());
        let mut values: SmallVec<[i32; 8]> = SmallVec::new();
        loop {
            let sure = match search.advance(&mut self.scratch.fuel) {
                SelectionStep::Sure => true,
                SelectionStep::Perhaps => false,
                SelectionStep::Nothing => return Ok(()),
                SelectionStep::Exhausted => {
                    return Err(self.scratch.halt(self.scratch.limit).into());
                }
            };
            values.clear();
            search.select_onto(&members, &mut values);
            self.visit_selection(wanted, &values, !sure, visit)?;
        }
    }

    /// Tries all selections, one after the other.
    fn each_tried(&mut self, wanted: WantedSelection<'_>, visit: Visit<'_, 'a>) -> Walk {
        let mut values: SmallVec<[i32; 8]> = SmallVec::new();
        for number in 0..wanted.sizes.count(wanted.members.len()) {
            wanted.sizes.select(wanted.members, number, &mut values);
            self.visit_selection(wanted, &values, true, visit)?;
        }
        Ok(())
    }

    fn visit_selection(
        &mut self,
        wanted: WantedSelection<'_>,
        values: &[i32],
        tested: bool,
        visit: Visit<'_, 'a>,
    ) -> Walk {
        self.scratch.spend()?;
        let lists = self.scratch.lists.len();
        self.bind_list(wanted.list, values);
        let mut tests = wanted.tests.iter().filter(|_| tested);
        let holds = tests.try_fold(true, |holds, test| {
            Ok::<_, Halt>(holds && self.truth(*test)?)
        })?;
        let walk = match holds {
            true => visit(self, values),
            false => Ok(()),
        };
        self.scratch.lists.truncate(lists);
        walk
    }
}

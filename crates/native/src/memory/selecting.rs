//! The searches for selections that have begun, and what is known of earlier ones.

use std::sync::Arc;

use crate::memory::known_selections::{KnownSearch, KnownSelections, MEMBERS_MAX, number_of};
use wyrmgate_engine::choices::{MemberOrder, Sizes};
use wyrmgate_engine::selections::{
    CountedSelections, Runs, SelectionPlan, SelectionSearch, SelectionStep, SelectionTerms,
};

/// Searches that have begun, and the memory for others.
pub(crate) struct Selecting {
    forms: Vec<OfTerms>,
    /// The forms of the searches that have begun, the last one last.
    begun: Vec<usize>,
    /// Which members of the next search are alike, if any are.
    pub alike: Option<Runs>,
}

/// The searches of one question. A question can be asked again while its search is running.
struct OfTerms {
    form: Arc<SelectionTerms>,
    searches: Vec<Looking>,
    used: usize,
    known: KnownSelections,
}

/// A search that continues, or one whose selections are known.
pub(crate) struct Looking {
    pub search: SelectionSearch,
    pub sizes: Sizes,
    stage: SelectingStage,
    pub known: KnownSearch,
}

#[derive(Clone, Copy)]
enum SelectingStage {
    /// The selection with this number is next.
    Known(u8),
    /// What is found is noted, to be known later.
    Noted,
    /// Nothing is noted: there is too much, or it is only counted.
    Searched,
}

impl Selecting {
    pub fn new(forms: &[Arc<SelectionTerms>]) -> Selecting {
        let forms = forms.iter().map(|form| OfTerms {
            form: Arc::clone(form),
            searches: Vec::new(),
            used: 0,
            known: KnownSelections::default(),
        });
        Selecting {
            forms: forms.collect(),
            begun: Vec::new(),
            alike: None,
        }
    }

    /// Ends all searches: code has given up.
    pub fn reset(&mut self) {
        while self.end().is_some() {}
    }

    /// Returns memory for one more search, and what is known of others of the same question.
    pub fn begin(&mut self, form: usize) -> Option<(&mut Looking, &mut KnownSelections)> {
        let of_terms = self.forms.get_mut(form)?;
        if of_terms.used == of_terms.searches.len() {
            of_terms.searches.push(Looking {
                search: SelectionSearch::new(SelectionPlan::new(Arc::clone(&of_terms.form))),
                sizes: NO_SIZES,
                stage: SelectingStage::Searched,
                known: KnownSearch::default(),
            });
        }
        of_terms.used += 1;
        self.begun.push(form);
        let looking = of_terms.searches.get_mut(of_terms.used - 1)?;
        Some((looking, &mut of_terms.known))
    }

    /// Returns the last search that has begun, and what is known of others of the same question.
    pub fn last(&mut self) -> Option<(&mut Looking, &mut KnownSelections)> {
        let of_terms = self.forms.get_mut(*self.begun.last()?)?;
        let looking = of_terms.searches.get_mut(of_terms.used.checked_sub(1)?)?;
        Some((looking, &mut of_terms.known))
    }

    pub fn end(&mut self) -> Option<()> {
        let form = self.begun.pop()?;
        let of_terms = self.forms.get_mut(form)?;
        of_terms.used = of_terms.used.saturating_sub(1);
        Some(())
    }
}

const NO_SIZES: Sizes = Sizes {
    least: 0,
    most: 0,
    form: MemberOrder::Subset,
};

impl Looking {
    /// Begins with these values, unless what they lead to is known.
    pub fn begin(&mut self, known: &[i32], gains: &[i32], count: usize, all: &KnownSelections) {
        let search = number_of(known, gains, self.sizes, count);
        if let Some(known) = all.find(search) {
            self.known = *known;
            self.stage = SelectingStage::Known(0);
            return;
        }
        self.begin_anew(known, gains, count, Runs::Of(self.sizes.copies()));
        if count <= MEMBERS_MAX {
            self.known = KnownSearch::new(search, self.search.plan.work);
            self.stage = SelectingStage::Noted;
        }
    }

    /// Begins with these values, and notes nothing.
    pub fn begin_anew(&mut self, known: &[i32], gains: &[i32], count: usize, runs: Runs) {
        let plan = &mut self.search.plan;
        plan.load_runs(known, gains, self.sizes, count, runs);
        self.search.begin(self.sizes, count);
        self.known.begun = self.search.plan.work;
        self.stage = SelectingStage::Searched;
    }

    /// Continues to the next selection.
    pub fn next(&mut self, all: &mut KnownSelections, fuel: &mut i64) -> SelectionStep {
        if let SelectingStage::Known(number) = self.stage {
            return self.next_known(number, fuel);
        }
        let before = budget_of(*fuel);
        let mut budget = before;
        let found = self.search.advance(&mut budget);
        let cost = before - budget;
        *fuel -= i64::from(cost);
        if matches!(self.stage, SelectingStage::Noted) {
            match found {
                SelectionStep::Sure | SelectionStep::Perhaps => {
                    let members = self.search.places();
                    if !self.known.add(members, cost, found == SelectionStep::Sure) {
                        self.stage = SelectingStage::Searched;
                    }
                }
                SelectionStep::Nothing => {
                    self.known.rest = cost;
                    all.keep(&self.known);
                }
                SelectionStep::Exhausted => {}
            }
        }
        found
    }

    fn next_known(&mut self, number: u8, fuel: &mut i64) -> SelectionStep {
        let way = self.known.way(number);
        let cost = way.map_or(self.known.rest, |way| way.cost.into());
        if *fuel < i64::from(cost) {
            return SelectionStep::Exhausted;
        }
        *fuel -= i64::from(cost);
        self.stage = SelectingStage::Known(number + u8::from(way.is_some()));
        match way {
            Some(way) if way.is_sure => SelectionStep::Sure,
            Some(_) => SelectionStep::Perhaps,
            None => SelectionStep::Nothing,
        }
    }

    /// Stores the members of the present selection, in the order of all members; returns their number.
    pub fn select_into(&self, members: &[i32], into: &mut [i32]) -> i32 {
        let before = match self.stage {
            SelectingStage::Known(next) => next.checked_sub(1).and_then(|now| self.known.way(now)),
            SelectingStage::Noted | SelectingStage::Searched => None,
        };
        let Some(way) = before else {
            return self.search.select_into(members, into);
        };
        let (mut places, mut count) = (way.members, 0);
        for to in into {
            let Some(member) = members.get(places.trailing_zeros() as usize) else {
                break;
            };
            *to = *member;
            places &= places - 1;
            count += 1;
        }
        count
    }

    /// Returns the selections, counted; `None` if they must be looked at, or are too many.
    pub fn counted(&mut self, members: Vec<i32>, fuel: &mut i64) -> Option<Arc<CountedSelections>> {
        let plan = &mut self.search.plan;
        if plan.unknown {
            return None;
        }
        let next = plan.fresh();
        let plan = std::mem::replace(plan, next);
        let before = budget_of(*fuel);
        let mut budget = before;
        let counted = CountedSelections::new(members, self.sizes, plan, &mut budget);
        *fuel -= i64::from(before - budget);
        counted.map(Arc::new)
    }

    /// Returns the number of selections; `None` if they must be looked at, or are too many.
    pub fn count(&self, members: usize, fuel: &mut i64) -> Option<i32> {
        let before = budget_of(*fuel);
        let mut budget = before;
        let count = self.search.plan.count(self.sizes, members, &mut budget);
        *fuel -= i64::from(before - budget);
        count.and_then(|count| i32::try_from(count).ok())
    }
}

/// Returns the budget of a search.
fn budget_of(fuel: i64) -> u32 {
    fuel.clamp(0, i64::from(u32::MAX)) as u32
}

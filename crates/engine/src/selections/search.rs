//! Visits selections one after the other, in memory that the next search reuses, and skips those that cannot fulfill the
//! conditions any more.

use super::counted::{MemberCount, Point};
use super::measure::Mark;
use super::plan::{Marks, SelectionPlan};
use super::sizes::Sizes;
use smallvec::SmallVec;

/// A search through the selections of a plan.
#[derive(Debug)]
pub struct SelectionSearch {
    pub plan: SelectionPlan,
    /// The sizes whose selections have not been visited yet, the next one last.
    sizes: SmallVec<[MemberCount; 4]>,
    /// The points to visit, the next one last. Their marks are in `marks`, in the same order.
    open: Vec<SearchPoint>,
    marks: Vec<Mark>,
    /// The places of the members taken on the way to where the search is.
    places: Vec<usize>,
}

/// A point to visit: the members before `next` are decided.
#[derive(Debug, Clone, Copy)]
struct SearchPoint {
    size: MemberCount,
    next: u16,
    chosen: u16,
    /// The number of places that were taken before the last step to this point.
    before: usize,
    /// The place that the last step took.
    takes: Option<usize>,
    /// Whether all selections behind this point fulfill the conditions.
    sure: bool,
}

/// The next step of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelectionStep {
    /// A selection that fulfills the conditions.
    Sure,
    /// A selection whose conditions must be evaluated.
    Perhaps,
    Nothing,
    /// The budget does not suffice.
    Exhausted,
}

impl SelectionSearch {
    pub fn new(plan: SelectionPlan) -> SelectionSearch {
        SelectionSearch {
            plan,
            sizes: SmallVec::new(),
            open: Vec::new(),
            marks: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Begins with the selections of this many members of a plan that has begun.
    pub fn begin(&mut self, sizes: Sizes, members: usize) {
        self.sizes = MemberCount::all(self.plan.binary, sizes, members);
        self.sizes.reverse();
        self.open.clear();
        self.marks.clear();
    }

    /// Continues to the next selection.
    pub fn advance(&mut self, budget: &mut u32) -> SelectionStep {
        let members = self.plan.order.len();
        loop {
            let Some((open, marks)) = self.pop() else {
                let Some(size) = self.sizes.pop() else {
                    return SelectionStep::Nothing;
                };
                self.begin_size(size);
                continue;
            };
            let (next, chosen) = (usize::from(open.next), usize::from(open.chosen));
            let verdict = match open.size.taken(chosen, members - next) {
                Some(taken) => self.plan.verdict(next, chosen, taken, &marks),
                // Too few members are left, or too many are taken.
                None => Some(false),
            };
            if verdict == Some(false) {
                continue;
            }
            let sure = open.sure || verdict == Some(true);
            if next == members {
                return if sure {
                    SelectionStep::Sure
                } else {
                    SelectionStep::Perhaps
                };
            }
            let Some(left) = budget.checked_sub(1) else {
                return SelectionStep::Exhausted;
            };
            *budget = left;
            self.branch(open, sure, marks);
        }
    }

    /// Continues without the next member and then with it, in the order of the selections.
    fn branch(&mut self, at: SearchPoint, sure: bool, marks: Marks) {
        let next = usize::from(at.next);
        let before = self.places.len();
        let without = SearchPoint {
            next: self.plan.after(next) as u16,
            before,
            takes: None,
            sure,
            ..at
        };
        let chosen = usize::from(at.chosen) + 1;
        let with = SearchPoint {
            next: at.size.next_after(next + 1, chosen, &self.plan) as u16,
            chosen: chosen as u16,
            before,
            takes: self.plan.place(next),
            sure,
            ..at
        };
        let taken = self.plan.with(&marks, next);
        let mut push = |open: SearchPoint, marks: &[Mark]| {
            self.open.push(open);
            self.marks.extend_from_slice(marks);
        };
        match at.size {
            MemberCount::Any => {
                push(with, &taken);
                push(without, &marks);
            }
            MemberCount::Exactly(_) => {
                push(without, &marks);
                push(with, &taken);
            }
        }
    }

    fn begin_size(&mut self, size: MemberCount) {
        self.places.clear();
        let forced = self.plan.forced.iter().copied();
        self.places.extend(forced.map(usize::from));
        let start = Point::start(&self.plan, size);
        self.marks.extend_from_slice(&start.marks);
        self.open.push(SearchPoint {
            size,
            next: start.next,
            chosen: start.chosen,
            before: self.places.len(),
            takes: None,
            sure: false,
        });
    }

    /// Returns the next point to visit, with its marks.
    fn pop(&mut self) -> Option<(SearchPoint, Marks)> {
        let open = self.open.pop()?;
        let first = self.marks.len().saturating_sub(self.plan.measures.len());
        let marks = self.marks.drain(first..).collect();
        self.places.truncate(open.before);
        self.places.extend(open.takes);
        Some((open, marks))
    }

    /// Adds the members of the present selection to a list, in the order of all members.
    pub fn select_onto(&self, members: &[i32], into: &mut impl Extend<i32>) {
        let mut places: SmallVec<[usize; 16]> = SmallVec::from_slice(&self.places);
        self.plan.runs.sort(&mut places);
        let values = places.into_iter();
        into.extend(values.filter_map(|place| members.get(place).copied()));
    }

    /// Stores the members of the present selection, in the order of all members; returns their number.
    pub fn select_into(&self, members: &[i32], into: &mut [i32]) -> i32 {
        let mut places: SmallVec<[usize; 16]> = SmallVec::from_slice(&self.places);
        self.plan.runs.sort(&mut places);
        let mut count = 0;
        for (to, place) in into.iter_mut().zip(places) {
            if let Some(member) = members.get(place) {
                *to = *member;
                count += 1;
            }
        }
        count
    }

    /// Returns the places of the members of the present selection, one bit each.
    pub fn places(&self) -> u32 {
        let places = self.places.iter();
        places.fold(0, |bits, place| bits | 1u32.wrapping_shl(*place as u32))
    }
}

//! Selections visited one after the other, in memory that the next search reuses. What cannot succeed any more is left out.

use super::counted::{Point, Size};
use super::measure::Mark;
use super::plan::{Marks, Plan};
use crate::choices::Sizes;
use smallvec::SmallVec;

/// A search through the selections of a plan.
#[derive(Debug)]
pub(crate) struct Search {
    pub plan: Plan,
    /// The sizes that have not been begun.
    sizes: SmallVec<[Size; 4]>,
    /// Where to go on, the next one last; its marks are the last ones.
    open: Vec<Open>,
    marks: Vec<Mark>,
    /// The places of the members taken on the way to where the search is.
    places: Vec<usize>,
}

/// A point to visit.
#[derive(Debug, Clone, Copy)]
struct Open {
    size: Size,
    next: u16,
    chosen: u16,
    /// The number of places before, and the one that is taken on the way here.
    before: usize,
    takes: Option<usize>,
    /// All of it fulfils the conditions.
    sure: bool,
}

/// The next step of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// A selection that fulfils the conditions, or may.
    Sure,
    Perhaps,
    Nothing,
    /// The budget does not suffice.
    Exhausted,
}

impl Search {
    pub fn new(plan: Plan) -> Search {
        Search {
            plan,
            sizes: SmallVec::new(),
            open: Vec::new(),
            marks: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Begins with the selections of so many of the members of a plan that has begun.
    pub fn begin(&mut self, sizes: Sizes, members: usize) {
        self.sizes = Size::all(sizes, members);
        self.sizes.reverse();
        self.open.clear();
        self.marks.clear();
    }

    /// Goes on to the next selection.
    pub fn advance(&mut self, budget: &mut u32) -> Found {
        let members = self.plan.order.len();
        loop {
            let Some((open, marks)) = self.pop() else {
                let Some(size) = self.sizes.pop() else {
                    return Found::Nothing;
                };
                self.begin_size(size);
                continue;
            };
            let point = Point {
                size: open.size,
                next: open.next,
                chosen: open.chosen,
                marks,
            };
            let verdict = point.verdict(&self.plan);
            // A point with too few members left fails, even if all conditions hold.
            if verdict == Some(false) {
                continue;
            }
            let sure = open.sure || verdict == Some(true);
            if usize::from(point.next) == members {
                return if sure { Found::Sure } else { Found::Perhaps };
            }
            let Some(left) = budget.checked_sub(1) else {
                return Found::Exhausted;
            };
            *budget = left;
            let place = self.plan.place(point.next.into());
            for (takes, way) in point.ways(&self.plan).into_iter().rev() {
                self.open.push(Open {
                    size: way.size,
                    next: way.next,
                    chosen: way.chosen,
                    before: self.places.len(),
                    takes: place.filter(|_| takes),
                    sure,
                });
                self.marks.extend_from_slice(&way.marks);
            }
        }
    }

    fn begin_size(&mut self, size: Size) {
        self.places.clear();
        let forced = self.plan.forced.iter().copied();
        self.places.extend(forced.map(usize::from));
        let start = Point::start(&self.plan, size);
        self.marks.extend_from_slice(&start.marks);
        self.open.push(Open {
            size,
            next: start.next,
            chosen: start.chosen,
            before: self.places.len(),
            takes: None,
            sure: false,
        });
    }

    /// Returns the next point to visit, with its marks.
    fn pop(&mut self) -> Option<(Open, Marks)> {
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
        places.sort_unstable();
        let values = places.into_iter();
        into.extend(values.filter_map(|place| members.get(place).copied()));
    }

    /// Stores the members of the present selection, in the order of all members; returns their number.
    #[cfg(feature = "native")]
    pub fn select_into(&self, members: &[i32], into: &mut [i32]) -> i32 {
        let mut places: SmallVec<[usize; 16]> = SmallVec::from_slice(&self.places);
        places.sort_unstable();
        let mut count = 0;
        for (to, place) in into.iter_mut().zip(places) {
            if let Some(member) = members.get(place) {
                *to = *member;
                count += 1;
            }
        }
        count
    }
}

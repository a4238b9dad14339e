//! Selections that are counted and drawn by number without listing them.
//!
//! This is dynamic programming. Members are decided one after the other: each is taken or left out. The conditions depend
//! on the decided members only through their marks, such as a sum or a count (see [`Mark`]). Therefore the number of
//! selections that continue a point depends only on its size, its next member, the number of chosen members and the marks,
//! and is computed once. A point at which the conditions are certain to hold, or to fail, is not followed.

use std::collections::{BTreeSet, HashMap, HashSet};

use foldhash::fast::FixedState;
use smallvec::SmallVec;

use super::measure::Mark;
use super::plan::{Marks, SelectionPlan};
use super::range::Range;
use super::runs::Runs;
use super::sizes::{Sizes, nth_repeated, nth_subset, repeated, subsets};

/// Selections in the order of [`Sizes`], by number.
#[derive(Debug)]
pub struct CountedSelections {
    members: Vec<i32>,
    plan: SelectionPlan,
    /// `None`: they are few enough to be counted again.
    known: Option<Known>,
    /// The sizes, each with its number of selections.
    sizes: SmallVec<[(MemberCount, u64); 4]>,
}

/// How many members are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum MemberCount {
    /// Any number. The last member is decided first, and left out first.
    Any,
    /// The first member is decided first, and taken first.
    Exactly(u16),
}

/// A point at which the members before `next` have been decided.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Point {
    pub size: MemberCount,
    pub next: u16,
    pub chosen: u16,
    pub marks: Marks,
}

impl MemberCount {
    /// Returns the sizes to go through, in order: a single one of any number if selections are numbered in binary.
    pub fn all(binary: bool, sizes: Sizes, members: usize) -> SmallVec<[MemberCount; 4]> {
        match binary {
            true => SmallVec::from_slice(&[MemberCount::Any]),
            false => {
                let most = sizes.most.min(members);
                (sizes.least..=most)
                    .map(|size| MemberCount::Exactly(size as u16))
                    .collect()
            }
        }
    }
}

impl MemberCount {
    /// Returns the number of the member to decide about next, with `chosen` members taken: `next`, or the end of the order
    /// if no more may be taken.
    pub fn next_after(self, next: usize, chosen: usize, plan: &SelectionPlan) -> usize {
        match self {
            MemberCount::Exactly(size) if chosen == usize::from(size) => plan.order.len(),
            MemberCount::Exactly(_) | MemberCount::Any => next,
        }
    }

    /// Returns how many of the remaining members to take. `None` if too few remain, or if too many were taken already.
    pub fn taken(self, chosen: usize, left: usize) -> Option<Range> {
        let left = left as i64;
        let taken = match self {
            MemberCount::Any => Range::new(0, left),
            MemberCount::Exactly(size) => Range::only(i64::from(size) - chosen as i64),
        };
        (taken.low >= 0 && taken.low <= left).then_some(taken)
    }
}

impl Point {
    pub fn start(plan: &SelectionPlan, size: MemberCount) -> Point {
        Point {
            size,
            next: 0,
            chosen: plan.forced.len() as u16,
            marks: plan.start(),
        }
    }

    /// Returns whether all further selections fulfill the conditions, or none does.
    pub fn verdict(&self, plan: &SelectionPlan) -> Option<bool> {
        let next = usize::from(self.next);
        let left = plan.order.len() - next;
        let Some(taken) = self.size.taken(self.chosen.into(), left) else {
            return Some(false);
        };
        plan.verdict(next, usize::from(self.chosen), taken, &self.marks)
    }

    /// Returns the point after the next member was left out, and after it was taken, in the order of the selections.
    /// One that was left out is not taken later either.
    pub fn ways(&self, plan: &SelectionPlan) -> [(bool, Point); 2] {
        let without = Point {
            next: plan.after(self.next.into()) as u16,
            ..self.clone()
        };
        let chosen = usize::from(self.chosen) + 1;
        let next = self
            .size
            .next_after(usize::from(self.next) + 1, chosen, plan);
        let with = Point {
            size: self.size,
            next: next as u16,
            chosen: chosen as u16,
            marks: plan.with(&self.marks, usize::from(self.next)),
        };
        match self.size {
            MemberCount::Any => [(false, without), (true, with)],
            MemberCount::Exactly(_) => [(true, with), (false, without)],
        }
    }

    /// Adds the places of free selection `number`.
    fn take_free(&self, plan: &SelectionPlan, number: u64, places: &mut Vec<usize>) {
        let first = usize::from(self.next);
        let left = plan.order.len() - first;
        match (self.size, self.size.taken(self.chosen.into(), left)) {
            (_, None) => {}
            // The member that is decided last has the lowest bit.
            (MemberCount::Any, Some(_)) => {
                let bits = (0..left.min(64)).filter(|bit| number >> bit & 1 != 0);
                places.extend(bits.filter_map(|bit| plan.place(first + left - 1 - bit)));
            }
            (MemberCount::Exactly(_), Some(taken)) => {
                let size = taken.low as usize;
                let (chosen, copies) = match plan.runs {
                    Runs::Of(1) | Runs::OfKinds { .. } => (nth_subset(left, size, number), 1),
                    Runs::Of(copies) => {
                        let chosen = nth_repeated(left.div_ceil(copies), size, number);
                        (chosen, copies)
                    }
                };
                let chosen = chosen.into_iter();
                let further = chosen.map(|further| place_of(further, first, copies));
                places.extend(further.filter_map(|number| plan.place(number)));
            }
        }
    }
}

/// Returns the number of selections of a size if no condition is left. `left`: the members to decide about; `taken`: how
/// many of them to take.
fn free(plan: &SelectionPlan, size: MemberCount, left: usize, taken: Range) -> u64 {
    match size {
        MemberCount::Any => 1u64.checked_shl(left as u32).unwrap_or(u64::MAX),
        MemberCount::Exactly(_) => match plan.runs {
            Runs::Of(1) | Runs::OfKinds { .. } => subsets(left, taken.low as usize),
            Runs::Of(copies) => repeated(left.div_ceil(copies), taken.low as usize),
        },
    }
}

/// Returns the place of the member that is `further` members behind the one at a place.
fn place_of(further: usize, place: usize, copies: usize) -> usize {
    match further {
        0 => place,
        further => (place / copies + further) * copies,
    }
}

/// The number of selections that continue each point.
type Known = HashMap<Point, u64, FixedState>;

/// Points of plans with so few members are counted again rather than remembered.
const FEW: usize = 8;

/// Selections that are counted in so few steps are counted again rather than remembered.
const STEPS_FEW: u32 = 64;

/// A point whose count is not remembered.
#[derive(Clone, Copy)]
struct Few {
    size: MemberCount,
    next: usize,
    chosen: usize,
}

impl SelectionPlan {
    /// Returns the number of selections; `None` if the budget does not suffice, or if conditions must be evaluated for
    /// each. `members`: the number of members with which the plan has begun.
    pub fn count(&self, sizes: Sizes, members: usize, budget: &mut u32) -> Option<u64> {
        if self.unknown {
            return None;
        }
        let mut known = Known::default();
        let mut count = 0u64;
        for size in MemberCount::all(self.binary, sizes, members) {
            let start = Point::start(self, size);
            let more = match self.order.len() <= FEW {
                true => self.count_again(&start, budget)?,
                false => self.count_from(&start, &mut known, budget)?,
            };
            count = count.saturating_add(more);
        }
        Some(count)
    }

    /// Counts the selections that continue a point, without remembering anything.
    fn count_again(&self, point: &Point, budget: &mut u32) -> Option<u64> {
        let begin = Few {
            size: point.size,
            next: point.next.into(),
            chosen: point.chosen.into(),
        };
        self.count_few(&begin, &point.marks, budget)
    }

    fn count_few(&self, at: &Few, marks: &[Mark], budget: &mut u32) -> Option<u64> {
        let left = self.order.len() - at.next;
        let Some(taken) = at.size.taken(at.chosen, left) else {
            return Some(0);
        };
        match self.verdict(at.next, at.chosen, taken, marks) {
            Some(true) if self.is_free(at.next) => return Some(free(self, at.size, left, taken)),
            Some(false) => return Some(0),
            None if left == 0 => return Some(0),
            Some(true) | None => {}
        }
        *budget = budget.checked_sub(1)?;
        let without = Few {
            next: self.after(at.next),
            ..*at
        };
        let with = Few {
            next: at.size.next_after(at.next + 1, at.chosen + 1, self),
            chosen: at.chosen + 1,
            ..*at
        };
        let without = self.count_few(&without, marks, budget)?;
        let taken = self.with(marks, at.next);
        let with = self.count_few(&with, &taken, budget)?;
        Some(without.saturating_add(with))
    }

    fn count_from(&self, point: &Point, known: &mut Known, budget: &mut u32) -> Option<u64> {
        if let Some(known) = self.at_once(point, known) {
            return Some(known);
        }
        *budget = budget.checked_sub(1)?;
        let mut count = 0u64;
        for (_, way) in point.ways(self) {
            count = count.saturating_add(self.count_from(&way, known, budget)?);
        }
        known.insert(point.clone(), count);
        Some(count)
    }

    /// Returns the number of the next member to decide about after one was left out.
    pub fn after(&self, number: usize) -> usize {
        self.runs.after(number)
    }

    /// Returns whether the number of selections is known if no condition is left: members that are alike are counted.
    fn is_free(&self, next: usize) -> bool {
        match self.runs {
            Runs::Of(_) => true,
            Runs::OfKinds { .. } => next >= self.order.len(),
        }
    }

    /// Returns the number of selections from a point on, if it is known.
    fn at_once(&self, point: &Point, known: &Known) -> Option<u64> {
        match point.verdict(self) {
            Some(true) if self.is_free(point.next.into()) => {
                let left = self.order.len() - usize::from(point.next);
                let taken = point.size.taken(point.chosen.into(), left);
                Some(taken.map_or(0, |taken| free(self, point.size, left, taken)))
            }
            Some(false) => Some(0),
            // All is decided, and what is measured of all members is exact.
            None if usize::from(point.next) >= self.order.len() => Some(0),
            Some(true) | None => known.get(point).copied(),
        }
    }
}

impl CountedSelections {
    /// `None` if the budget does not suffice.
    pub fn new(
        members: Vec<i32>,
        sizes: Sizes,
        plan: SelectionPlan,
        budget: &mut u32,
    ) -> Option<CountedSelections> {
        let all = MemberCount::all(plan.binary, sizes, members.len());
        let mut counted = CountedSelections {
            members,
            plan,
            known: None,
            sizes: SmallVec::new(),
        };
        if counted.count_each_again(&all, budget).is_none() {
            counted.count_each(&all, budget)?;
        }
        Some(counted)
    }

    /// Counts the selections of each size; `None` if that takes many steps.
    fn count_each_again(&mut self, sizes: &[MemberCount], budget: &mut u32) -> Option<()> {
        let mut left = STEPS_FEW.min(*budget);
        let before = left;
        self.sizes.clear();
        for size in sizes {
            let start = Point::start(&self.plan, *size);
            let count = self.plan.count_again(&start, &mut left)?;
            self.sizes.push((*size, count));
        }
        *budget -= before - left;
        Some(())
    }

    /// Counts the selections of each size, and remembers those that continue each point.
    fn count_each(&mut self, sizes: &[MemberCount], budget: &mut u32) -> Option<()> {
        let mut known = Known::default();
        self.sizes.clear();
        for size in sizes {
            let start = Point::start(&self.plan, *size);
            let count = self.plan.count_from(&start, &mut known, budget)?;
            self.sizes.push((*size, count));
        }
        self.known = Some(known);
        Some(())
    }

    /// Returns the number of selections. `u64::MAX` stands for all larger numbers, too.
    pub fn weight(&self) -> u64 {
        let counts = self.sizes.iter().map(|(_, count)| *count);
        counts.fold(0, u64::saturating_add)
    }

    /// Returns the number of selections that continue a point.
    fn from(&self, point: &Point) -> u64 {
        let count = match &self.known {
            Some(known) => self.plan.at_once(point, known),
            // It takes no more steps than counting all of them did.
            None => self.plan.count_again(point, &mut { STEPS_FEW }),
        };
        count.unwrap_or(0)
    }

    /// Adds the members of selection `number` to a list.
    pub fn select_onto(&self, number: u64, into: &mut impl Extend<i32>) {
        let mut left = number;
        let size = self.sizes.iter().find(|(_, count)| {
            let here = left < *count;
            if !here {
                left -= count;
            }
            here
        });
        let Some((size, _)) = size else {
            return;
        };
        let forced = self.plan.forced.iter().copied();
        let mut places = forced.map(usize::from).collect();
        self.descend(Point::start(&self.plan, *size), left, &mut places);
        self.plan.runs.sort(&mut places);
        let members = places.into_iter().map(|place| self.members.get(place));
        into.extend(members.flatten().copied());
    }

    fn descend(&self, start: Point, number: u64, places: &mut Vec<usize>) {
        let (mut point, mut left) = (start, number);
        while usize::from(point.next) < self.plan.order.len() {
            let holds = point.verdict(&self.plan) == Some(true);
            if holds && self.plan.is_free(point.next.into()) {
                point.take_free(&self.plan, left, places);
                return;
            }
            let [first, second] = point.ways(&self.plan);
            let count = self.from(&first.1);
            let (takes, way) = match left < count {
                true => first,
                false => {
                    left -= count;
                    second
                }
            };
            let place = self.plan.place(point.next.into());
            places.extend(place.filter(|_| takes));
            point = way;
        }
    }

    /// Visits every member of any selection.
    pub fn for_each_member(&self, visit: &mut dyn FnMut(i32)) {
        let mut places = BTreeSet::new();
        let mut points: Vec<Point> = self
            .sizes
            .iter()
            .map(|(size, _)| Point::start(&self.plan, *size))
            .collect();
        let mut seen = HashSet::new();
        let order = &self.plan.order;
        if self.weight() > 0 {
            places.extend(self.plan.forced.iter().copied());
        }
        while let Some(point) = points.pop() {
            if self.from(&point) == 0 {
                continue;
            }
            let left = order.get(usize::from(point.next)..).unwrap_or_default();
            let holds = point.verdict(&self.plan) == Some(true);
            if holds && self.plan.is_free(point.next.into()) {
                let taken = point.size.taken(point.chosen.into(), left.len());
                if taken.is_some_and(|taken| taken.high > 0) {
                    places.extend(left.iter().copied());
                }
                continue;
            }
            for (takes, way) in point.ways(&self.plan) {
                if takes && self.from(&way) > 0 {
                    places.extend(left.first().copied());
                }
                if seen.insert(way.clone()) {
                    points.push(way);
                }
            }
        }
        let places = places.into_iter().map(usize::from);
        let members = places.map(|place| self.members.get(place));
        members.flatten().for_each(|member| visit(*member));
    }
}

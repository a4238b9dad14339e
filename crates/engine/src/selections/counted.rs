//! Selections that are counted and drawn by number without listing them.
//!
//! Members are decided one after the other. Two ways to decide the first ones with equal marks go on alike, so each
//! such point is counted once. A point at which the conditions hold or fail for good is not followed.

use std::collections::{BTreeSet, HashMap, HashSet};

use smallvec::SmallVec;

use super::plan::{Decided, Marks, Plan};
use super::range::Range;
use super::{Runs, Wanted};
use crate::choices::{nth_repeated, nth_subset, repeated, subsets};
use crate::eval::Scratch;
use crate::fault::Halt;

/// Selections in the order of [`Sizes`], by number.
#[derive(Debug)]
pub(crate) struct Counted {
    members: Vec<i32>,
    plan: Plan,
    known: HashMap<Point, u64>,
    /// The sizes, each with its number of selections.
    sizes: SmallVec<[(Size, u64); 4]>,
}

/// How many members are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Size {
    /// Any number. The last member is decided first, and left out first.
    Any,
    /// The first member is decided first, and taken first.
    Exactly(u16),
}

/// The first members have been decided.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Point {
    pub size: Size,
    pub next: u16,
    pub chosen: u16,
    pub marks: Marks,
}

impl Size {
    /// Returns the sizes to go through, in order.
    pub fn all(wanted: Wanted<'_>, members: usize) -> SmallVec<[Size; 4]> {
        match wanted.is_binary() {
            true => SmallVec::from_slice(&[Size::Any]),
            false => {
                let most = wanted.sizes.most.min(members);
                (wanted.sizes.least..=most)
                    .map(|size| Size::Exactly(size as u16))
                    .collect()
            }
        }
    }
}

impl Point {
    pub fn start(plan: &Plan, size: Size) -> Point {
        Point {
            size,
            next: 0,
            chosen: 0,
            marks: plan.start(),
        }
    }

    /// Returns how many of the remaining members to take. `None` if too few remain, or if too many were taken already.
    fn taken(&self, left: usize) -> Option<Range> {
        let left = left as i64;
        let taken = match self.size {
            Size::Any => Range { low: 0, high: left },
            Size::Exactly(size) => Range::only(i64::from(size) - i64::from(self.chosen)),
        };
        (taken.low >= 0 && taken.low <= left).then_some(taken)
    }

    /// Returns whether all further selections fulfil the conditions, or none does.
    pub fn verdict(&self, plan: &Plan, members: usize) -> Option<bool> {
        let Some(taken) = self.taken(members - usize::from(self.next)) else {
            return Some(false);
        };
        plan.verdict(&Decided {
            next: usize::from(self.next),
            chosen: usize::from(self.chosen),
            taken,
            marks: &self.marks,
        })
    }

    /// Returns the point after the next member was left out, and after it was taken, in the order of the selections.
    /// One that was left out is not taken later either.
    pub fn ways(&self, plan: &Plan) -> [(bool, Point); 2] {
        let without = Point {
            next: plan.runs.after(usize::from(self.next)) as u16,
            ..self.clone()
        };
        let with = Point {
            size: self.size,
            next: self.next + 1,
            chosen: self.chosen + 1,
            marks: plan.with(&self.marks, usize::from(self.next)),
        };
        match self.size {
            Size::Any => [(false, without), (true, with)],
            Size::Exactly(_) => [(true, with), (false, without)],
        }
    }

    /// Returns the place of the next member in the list.
    pub fn place(&self, members: usize) -> usize {
        match self.size {
            Size::Any => members - 1 - usize::from(self.next),
            Size::Exactly(_) => usize::from(self.next),
        }
    }

    /// Returns whether the number of selections is known if no condition is left.
    fn is_free(&self, plan: &Plan, members: usize) -> bool {
        match plan.runs {
            Runs::Of(_) => true,
            Runs::OfKinds { .. } => usize::from(self.next) >= members,
        }
    }

    /// Returns the number of selections if no condition is left.
    fn free(&self, plan: &Plan, members: usize) -> u64 {
        let left = members - usize::from(self.next);
        match (self.size, self.taken(left)) {
            (_, None) => 0,
            (Size::Any, Some(_)) => 1u64.checked_shl(left as u32).unwrap_or(u64::MAX),
            (Size::Exactly(_), Some(taken)) => match plan.runs {
                Runs::Of(1) | Runs::OfKinds { .. } => subsets(left, taken.low as usize),
                Runs::Of(copies) => repeated(left.div_ceil(copies), taken.low as usize),
            },
        }
    }

    /// Adds the places of free selection `number`.
    fn take_free(&self, plan: &Plan, members: usize, number: u64, places: &mut Vec<usize>) {
        let first = usize::from(self.next);
        let left = members - first;
        match (self.size, self.taken(left)) {
            (_, None) => {}
            (Size::Any, Some(_)) => {
                places.extend((0..left.min(64)).filter(|bit| number >> bit & 1 != 0));
            }
            (Size::Exactly(_), Some(taken)) => {
                let size = taken.low as usize;
                let (chosen, copies) = match plan.runs {
                    Runs::Of(1) | Runs::OfKinds { .. } => (nth_subset(left, size, number), 1),
                    Runs::Of(copies) => {
                        let chosen = nth_repeated(left.div_ceil(copies), size, number);
                        (chosen, copies)
                    }
                };
                let chosen = chosen.into_iter();
                places.extend(chosen.map(|further| place_of(further, first, copies)));
            }
        }
    }
}

/// Returns the place of a member so many members further on.
fn place_of(further: usize, place: usize, copies: usize) -> usize {
    match further {
        0 => place,
        further => (place / copies + further) * copies,
    }
}

impl Counted {
    pub(super) fn new(
        wanted: Wanted<'_>,
        plan: Plan,
        scratch: &mut Scratch,
    ) -> Result<Counted, Halt> {
        let mut counted = Counted {
            members: wanted.laid_out().members,
            plan,
            known: HashMap::new(),
            sizes: SmallVec::new(),
        };
        for size in Size::all(wanted, counted.members.len()) {
            let count = counted.count(&Point::start(&counted.plan, size), scratch)?;
            counted.sizes.push((size, count));
        }
        Ok(counted)
    }

    /// Returns the number of selections; at least that many if it is `u64::MAX`.
    pub fn weight(&self) -> u64 {
        let counts = self.sizes.iter().map(|(_, count)| *count);
        counts.fold(0, u64::saturating_add)
    }

    fn count(&mut self, point: &Point, scratch: &mut Scratch) -> Result<u64, Halt> {
        if let Some(known) = self.at_once(point) {
            return Ok(known);
        }
        scratch.spend()?;
        let mut count = 0u64;
        for (_, way) in point.ways(&self.plan) {
            count = count.saturating_add(self.count(&way, scratch)?);
        }
        self.known.insert(point.clone(), count);
        Ok(count)
    }

    /// Returns the number of selections from a point on, if it is known.
    fn at_once(&self, point: &Point) -> Option<u64> {
        let members = self.members.len();
        match point.verdict(&self.plan, members) {
            Some(true) if point.is_free(&self.plan, members) => {
                Some(point.free(&self.plan, members))
            }
            Some(false) => Some(0),
            // All is decided, and what is measured of all members is exact.
            None if usize::from(point.next) >= members => Some(0),
            Some(true) | None => self.known.get(point).copied(),
        }
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
        let mut places = Vec::new();
        self.descend(Point::start(&self.plan, *size), left, &mut places);
        self.plan.runs.sort(&mut places);
        let members = places.into_iter().map(|place| self.members.get(place));
        into.extend(members.flatten().copied());
    }

    fn descend(&self, start: Point, number: u64, places: &mut Vec<usize>) {
        let (mut point, mut left) = (start, number);
        let members = self.members.len();
        while usize::from(point.next) < members {
            let holds = point.verdict(&self.plan, members) == Some(true);
            if holds && point.is_free(&self.plan, members) {
                point.take_free(&self.plan, members, left, places);
                return;
            }
            let [first, second] = point.ways(&self.plan);
            let count = self.at_once(&first.1).unwrap_or(0);
            let (takes, way) = match left < count {
                true => first,
                false => {
                    left -= count;
                    second
                }
            };
            if takes {
                places.push(point.place(members));
            }
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
        let members = self.members.len();
        while let Some(point) = points.pop() {
            if self.at_once(&point).unwrap_or(0) == 0 {
                continue;
            }
            let next = usize::from(point.next);
            let holds = point.verdict(&self.plan, members) == Some(true);
            if holds && point.is_free(&self.plan, members) {
                let taken = point.taken(members - next);
                if taken.is_some_and(|taken| taken.high > 0) {
                    places.extend(match point.size {
                        Size::Any => 0..members - next,
                        Size::Exactly(_) => next..members,
                    });
                }
                continue;
            }
            for (takes, way) in point.ways(&self.plan) {
                if takes && self.at_once(&way).unwrap_or(0) > 0 {
                    places.insert(point.place(members));
                }
                if seen.insert(way.clone()) {
                    points.push(way);
                }
            }
        }
        let members = places.into_iter().map(|place| self.members.get(place));
        members.flatten().for_each(|member| visit(*member));
    }
}

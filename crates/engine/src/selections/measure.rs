//! What is measured of a selection, member by member: sums, extremes, different values.
//!
//! A measure says what every member adds, and what the members that are still undecided can add.

use super::range::Range;
use smallvec::SmallVec;
use wyrmgate_program::Kinds;

/// What a measure knows of the members taken so far. Selections with equal marks continue alike.
pub(super) type Mark = u128;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeasureKind {
    /// A sum of these values.
    Sum,
    /// The number of members with this truth.
    Truth(bool),
    /// The largest or smallest number, 0 without any.
    Extreme { most: bool },
    /// Something about the different values, each of which is a bit.
    Kinds(Kinds),
}

/// Members in the order in which they are decided.
#[derive(Debug)]
pub(super) struct MeasuredMembers {
    pub what: MeasureKind,
    /// The gain of each member.
    pub gains: Vec<Mark>,
    /// The possible gain of the members from each one on; one more for the end.
    pub rest: Vec<UndecidedGain>,
    /// Every member has exactly one value.
    single: bool,
}

/// The bits of a counter of equal values, which limit how many members can be alike. For runs, each bit is a number.
const COUNTER: u32 = 8;
const COUNTER_MAX: usize = (1 << COUNTER) - 1;

/// The possible gain of undecided members.
#[derive(Debug, Clone, Copy)]
pub(super) struct UndecidedGain {
    /// All negative ones, and all positive ones, added up.
    pub sums: Range,
    /// The gain of a single one, if there is any.
    single: Option<Range>,
    /// The bits of all values.
    kinds: Mark,
}

impl UndecidedGain {
    const NONE: UndecidedGain = UndecidedGain {
        sums: Range::only(0),
        single: None,
        kinds: 0,
    };

    fn with(self, gain: Mark, what: MeasureKind) -> UndecidedGain {
        if let MeasureKind::Kinds(of) = what {
            return UndecidedGain {
                kinds: added(self.kinds, gain, of),
                ..self
            };
        }
        if gain == NOTHING {
            return self;
        }
        let gain = number(gain);
        UndecidedGain {
            sums: Range::new(
                self.sums.low.saturating_add(gain.min(0)),
                self.sums.high.saturating_add(gain.max(0)),
            ),
            single: Some(match self.single {
                Some(single) => single.either(Range::only(gain)),
                None => Range::only(gain),
            }),
            kinds: 0,
        }
    }

    /// Returns the rest without a member that adds this to a sum.
    pub fn without(self, gain: Mark) -> UndecidedGain {
        let gain = number(gain);
        UndecidedGain {
            sums: Range::new(
                self.sums.low.saturating_sub(gain.min(0)),
                self.sums.high.saturating_sub(gain.max(0)),
            ),
            ..self
        }
    }

    fn sum(self, taken: Range) -> Range {
        let Range { low, high } = self.sums;
        let Range {
            low: few,
            high: many,
        } = taken;
        let single = self.single.unwrap_or(Range::only(0));
        let least = match single.low {
            gain @ 0.. => gain.saturating_mul(few),
            gain => gain.saturating_mul(many),
        };
        let most = match single.high {
            gain @ 0.. => gain.saturating_mul(many),
            gain => gain.saturating_mul(few),
        };
        Range::new(low.max(least), high.min(most))
    }
}

impl MeasuredMembers {
    /// A measure without members.
    pub fn new(what: MeasureKind) -> MeasuredMembers {
        MeasuredMembers {
            what,
            gains: Vec::new(),
            rest: Vec::new(),
            single: true,
        }
    }

    /// Sets what every member adds, if each has exactly one value; returns whether that is possible.
    pub fn set(&mut self, values: impl Iterator<Item = i32> + Clone) -> bool {
        self.single = true;
        self.gains.clear();
        match self.what {
            MeasureKind::Sum | MeasureKind::Extreme { .. } => {
                self.gains.extend(values.map(|value| packed(value.into())));
                true
            }
            MeasureKind::Truth(wanted) => {
                let gain = |value: i32| packed(i64::from((value > 0) == wanted));
                self.gains.extend(values.map(gain));
                true
            }
            MeasureKind::Kinds(of) => {
                let Some(numbers) = BitNumbers::of(values.clone(), of) else {
                    return false;
                };
                self.gains
                    .extend(values.map(|value| 1 << numbers.bit(value, of)));
                true
            }
        }
    }

    /// Sets what every member adds, if each has any number of values; returns whether that is possible.
    pub fn set_several(&mut self, values: &[SmallVec<[i32; 2]>]) -> bool {
        self.single = values.iter().all(|own| own.len() == 1);
        self.gains.clear();
        let MeasureKind::Kinds(of) = self.what else {
            let first = |own: &SmallVec<[i32; 2]>| own.first().map(|value| packed((*value).into()));
            self.gains
                .extend(values.iter().map(|own| first(own).unwrap_or(NOTHING)));
            return true;
        };
        let Some(numbers) = BitNumbers::of(values.iter().flatten().copied(), of) else {
            return false;
        };
        let bit = |value: &i32| 1 << numbers.bit(*value, of);
        let mark = |own: &SmallVec<[i32; 2]>| {
            let bits = own.iter().map(bit);
            bits.fold(0, |mark, bit| added(mark, bit, of))
        };
        self.gains.extend(values.iter().map(mark));
        true
    }

    /// Computes what the members from each one on can add together.
    pub fn add_up(&mut self) {
        self.rest.clear();
        self.rest.resize(self.gains.len() + 1, UndecidedGain::NONE);
        let mut rest = UndecidedGain::NONE;
        let places = self.rest.iter_mut().rev().skip(1);
        for (place, gain) in places.zip(self.gains.iter().rev()) {
            rest = rest.with(*gain, self.what);
            *place = rest;
        }
    }

    /// Returns what all members can add together.
    pub fn total(&self) -> UndecidedGain {
        let gains = self.gains.iter();
        gains.fold(UndecidedGain::NONE, |rest, gain| {
            rest.with(*gain, self.what)
        })
    }

    /// Leaves only these members.
    pub fn keep(&mut self, members: &[usize]) {
        for (to, from) in members.iter().enumerate() {
            let gain = self.gains.get(*from).copied();
            if let Some((place, gain)) = self.gains.get_mut(to).zip(gain) {
                *place = gain;
            }
        }
        self.gains.truncate(members.len());
    }

    /// Returns the mark of the empty selection.
    pub fn start(&self) -> Mark {
        match self.what {
            MeasureKind::Sum | MeasureKind::Truth(_) | MeasureKind::Kinds(_) => 0,
            MeasureKind::Extreme { .. } => NOTHING,
        }
    }

    /// Returns the mark with one more member.
    pub fn with(&self, mark: Mark, member: usize) -> Mark {
        let Some(gain) = self.gains.get(member).copied() else {
            return mark;
        };
        match self.what {
            MeasureKind::Sum | MeasureKind::Truth(_) => {
                packed(number(mark).saturating_add(number(gain)))
            }
            MeasureKind::Extreme { .. } if gain == NOTHING => mark,
            MeasureKind::Extreme { .. } if mark == NOTHING => gain,
            MeasureKind::Extreme { most: true } => packed(number(mark).max(number(gain))),
            MeasureKind::Extreme { most: false } => packed(number(mark).min(number(gain))),
            MeasureKind::Kinds(of) => added(mark, gain, of),
        }
    }

    /// Returns the values that are possible with this mark if `taken` of the undecided members are still to be taken.
    pub fn range(&self, mark: Mark, rest: &UndecidedGain, taken: Range) -> Range {
        match self.what {
            MeasureKind::Sum | MeasureKind::Truth(_) => {
                Range::only(number(mark)).plus(rest.sum(taken))
            }
            MeasureKind::Extreme { most } => {
                let rest = rest.single.filter(|_| taken.high > 0);
                let now = (mark != NOTHING).then(|| number(mark));
                extreme(most, now, rest)
            }
            MeasureKind::Kinds(of) => {
                let low = value(of, mark);
                let high = match taken.high > 0 {
                    true => value(of, added(mark, rest.kinds, of)),
                    false => low,
                };
                Range::new(low, high)
            }
        }
    }

    /// Returns by how much the number of members will exceed this measure at least.
    pub fn lag(&self, mark: Mark, rest: &UndecidedGain, chosen: usize) -> Option<i64> {
        match self.what {
            // Members that share a value keep sharing it.
            MeasureKind::Kinds(of @ (Kinds::Distinct | Kinds::MostAlike)) if self.single => {
                Some((chosen as i64).saturating_sub(value(of, mark)))
            }
            // No run contains numbers with a gap between them that stays open.
            MeasureKind::Kinds(Kinds::LongestRun) if self.single => {
                let filled = mark | rest.kinds;
                Some(i64::from(between(mark) & !filled != 0))
            }
            MeasureKind::Kinds(_)
            | MeasureKind::Sum
            | MeasureKind::Truth(_)
            | MeasureKind::Extreme { .. } => None,
        }
    }
}

/// An extreme of no numbers.
const NOTHING: Mark = Mark::MAX;

fn extreme(most: bool, now: Option<i64>, rest: Option<Range>) -> Range {
    match (now, rest) {
        (None, None) => Range::only(0),
        (Some(now), None) => Range::only(now),
        // None of them may be taken, and then it is 0.
        (None, Some(rest)) => rest.either(Range::only(0)),
        (Some(now), Some(rest)) if most => Range::new(now, now.max(rest.high)),
        (Some(now), Some(rest)) => Range::new(now.min(rest.low), now),
    }
}

/// Returns the bits from the lowest to the highest one of a mark.
fn between(mark: Mark) -> Mark {
    match mark {
        0 => 0,
        mark => (Mark::MAX << mark.trailing_zeros()) & (Mark::MAX >> mark.leading_zeros()),
    }
}

fn packed(number: i64) -> Mark {
    Mark::from(number.cast_unsigned())
}

fn number(mark: Mark) -> i64 {
    (mark as u64).cast_signed()
}

fn added(mark: Mark, gain: Mark, of: Kinds) -> Mark {
    match of {
        Kinds::Distinct | Kinds::LongestRun => mark | gain,
        Kinds::MostAlike => mark.wrapping_add(gain),
    }
}

fn value(of: Kinds, mark: Mark) -> i64 {
    match of {
        Kinds::Distinct if mark >> 64 == 0 => i64::from((mark as u64).count_ones()),
        Kinds::Distinct => i64::from(mark.count_ones()),
        Kinds::LongestRun => {
            // Each step shortens every run by one.
            let (mut left, mut length) = (mark, 0);
            while left != 0 {
                left &= left << 1;
                length += 1;
            }
            length
        }
        Kinds::MostAlike => {
            let counters = mark.to_le_bytes();
            counters.into_iter().max().map_or(0, i64::from)
        }
    }
}

/// The numbers of the bits of values.
enum BitNumbers {
    /// Counted from the smallest one.
    From(i32),
    /// Sorted, each once.
    Sorted(SmallVec<[i32; 16]>),
}

impl BitNumbers {
    /// `None` if there are more values than bits.
    fn of(values: impl Iterator<Item = i32> + Clone, of: Kinds) -> Option<BitNumbers> {
        let bits = Mark::BITS as usize;
        let (mut least, mut most, mut count) = (i32::MAX, i32::MIN, 0);
        for value in values.clone() {
            (least, most, count) = (least.min(value), most.max(value), count + 1);
        }
        let is_narrow = i64::from(most) - i64::from(least) < bits as i64;
        match of {
            Kinds::Distinct | Kinds::LongestRun if is_narrow => Some(BitNumbers::From(least)),
            Kinds::LongestRun => None,
            Kinds::Distinct | Kinds::MostAlike => {
                let mut sorted: SmallVec<[i32; 16]> = values.collect();
                sorted.sort_unstable();
                sorted.dedup();
                let fits = match of {
                    Kinds::MostAlike => {
                        sorted.len() <= bits / COUNTER as usize && count <= COUNTER_MAX
                    }
                    Kinds::Distinct | Kinds::LongestRun => sorted.len() <= bits,
                };
                fits.then_some(BitNumbers::Sorted(sorted))
            }
        }
    }

    fn bit(&self, value: i32, of: Kinds) -> u32 {
        match self {
            BitNumbers::From(least) => value.wrapping_sub(*least).cast_unsigned(),
            BitNumbers::Sorted(values) => {
                let place = values.partition_point(|known| *known < value) as u32;
                match of {
                    Kinds::MostAlike => place * COUNTER,
                    Kinds::Distinct | Kinds::LongestRun => place,
                }
            }
        }
    }
}

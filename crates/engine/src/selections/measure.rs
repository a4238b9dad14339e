//! What is measured of a selection, member by member: sums, extremes, different values.
//!
//! A measure says what every member adds, and what the members that are still undecided can add.

use super::range::Range;
use wyrmgate_program::Kinds;

/// What a measure knows of the members taken so far. Selections with equal marks go on alike.
pub(super) type Mark = u128;

/// Members in the order in which they are decided.
#[derive(Debug)]
pub(super) enum Measure {
    /// A sum; a number of members is a sum of ones.
    Total { gains: Vec<i64>, rest: Vec<Rest> },
    /// The largest or smallest number, 0 without any.
    Extreme {
        most: bool,
        gains: Vec<Option<i64>>,
        rest: Vec<Option<Range>>,
    },
    /// Something about the different values, each of which is a bit.
    Kinds {
        of: Kinds,
        gains: Vec<Mark>,
        rest: Vec<Mark>,
        /// Every member has exactly one value.
        single: bool,
    },
}

/// The bits of a counter of equal values, which limit how many members can be alike. For runs, each bit is a number.
const COUNTER: u32 = 8;
const COUNTER_MAX: usize = (1 << COUNTER) - 1;

/// What the undecided members can add to a sum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest {
    /// All negative ones, and all positive ones.
    sums: Range,
    /// What a single one adds, if there is any.
    single: Option<Range>,
}

impl Measure {
    pub fn total(gains: Vec<i64>) -> Measure {
        let none = Rest {
            sums: Range::only(0),
            single: None,
        };
        let rest = rests(&gains, none, |rest, &gain| Rest {
            sums: Range {
                low: rest.sums.low.saturating_add(gain.min(0)),
                high: rest.sums.high.saturating_add(gain.max(0)),
            },
            single: Some(match rest.single {
                Some(single) => single.either(Range::only(gain)),
                None => Range::only(gain),
            }),
        });
        Measure::Total { gains, rest }
    }

    pub fn extreme(gains: Vec<Option<i64>>, most: bool) -> Measure {
        let rest = rests(&gains, None, |rest, gain| match (rest, gain) {
            (None, None) => None,
            (Some(range), None) => Some(*range),
            (None, Some(gain)) => Some(Range::only(*gain)),
            (Some(range), Some(gain)) => Some(range.either(Range::only(*gain))),
        });
        Measure::Extreme { most, gains, rest }
    }

    /// The values of every member; `None` if there are too many different ones.
    pub fn kinds(values: &[Vec<i32>], of: Kinds) -> Option<Measure> {
        let numbers = Numbers::of(values, of)?;
        let gains: Vec<Mark> = values.iter().map(|own| numbers.mark(own, of)).collect();
        let rest = rests(&gains, 0, |rest, gain| added(*rest, *gain, of));
        let single = values.iter().all(|own| own.len() == 1);
        Some(Measure::Kinds {
            of,
            gains,
            rest,
            single,
        })
    }

    /// Returns the mark of the empty selection.
    pub fn start(&self) -> Mark {
        match self {
            Measure::Total { .. } | Measure::Kinds { .. } => 0,
            Measure::Extreme { .. } => NOTHING,
        }
    }

    /// Returns the mark with one more member.
    pub fn with(&self, mark: Mark, member: usize) -> Mark {
        match self {
            Measure::Total { gains, .. } => {
                let gain = gains.get(member).copied().unwrap_or(0);
                packed(number(mark).saturating_add(gain))
            }
            Measure::Extreme { most, gains, .. } => match gains.get(member) {
                Some(Some(gain)) if mark == NOTHING => packed(*gain),
                Some(Some(gain)) if *most => packed(number(mark).max(*gain)),
                Some(Some(gain)) => packed(number(mark).min(*gain)),
                Some(None) | None => mark,
            },
            Measure::Kinds { of, gains, .. } => {
                added(mark, gains.get(member).copied().unwrap_or(0), *of)
            }
        }
    }

    /// Returns the values that are possible with this mark if `taken` of the members from `next` on are still to be
    /// taken.
    pub fn range(&self, mark: Mark, next: usize, taken: Range) -> Range {
        match self {
            Measure::Total { rest, .. } => match rest.get(next) {
                Some(rest) => Range::only(number(mark)).plus(rest.range(taken)),
                None => Range::only(number(mark)),
            },
            Measure::Extreme { most, rest, .. } => {
                let rest = rest.get(next).copied().flatten();
                let rest = rest.filter(|_| taken.high > 0);
                let now = (mark != NOTHING).then(|| number(mark));
                extreme(*most, now, rest)
            }
            Measure::Kinds { of, rest, .. } => {
                let more = rest.get(next).copied().filter(|_| taken.high > 0);
                let most = more.map_or(mark, |more| added(mark, more, *of));
                Range {
                    low: value(*of, mark),
                    high: value(*of, most),
                }
            }
        }
    }

    /// Returns by how much the number of members will exceed this measure at least.
    pub fn lag(&self, mark: Mark, next: usize, chosen: usize) -> Option<i64> {
        match self {
            // Members that share a value go on sharing it.
            Measure::Kinds {
                of: of @ (Kinds::Distinct | Kinds::MostAlike),
                single: true,
                ..
            } => Some((chosen as i64).saturating_sub(value(*of, mark))),
            // No run contains numbers with a gap between them that stays open.
            Measure::Kinds {
                of: Kinds::LongestRun,
                single: true,
                rest,
                ..
            } => {
                let filled = mark | rest.get(next).copied().unwrap_or(0);
                Some(i64::from(between(mark) & !filled != 0))
            }
            Measure::Kinds { .. } | Measure::Total { .. } | Measure::Extreme { .. } => None,
        }
    }
}

impl Rest {
    fn range(self, taken: Range) -> Range {
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
        Range {
            low: low.max(least),
            high: high.min(most),
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
        (Some(now), Some(rest)) if most => Range {
            low: now,
            high: now.max(rest.high),
        },
        (Some(now), Some(rest)) => Range {
            low: now.min(rest.low),
            high: now,
        },
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

/// Returns for each position what the members from there on come to; one more for the end.
fn rests<G, R: Clone>(gains: &[G], none: R, add: impl Fn(&R, &G) -> R) -> Vec<R> {
    let mut rests = vec![none.clone(); gains.len() + 1];
    let mut rest = none;
    for (place, gain) in rests.iter_mut().rev().skip(1).zip(gains.iter().rev()) {
        rest = add(&rest, gain);
        *place = rest.clone();
    }
    rests
}

fn added(mark: Mark, gain: Mark, of: Kinds) -> Mark {
    match of {
        Kinds::Distinct | Kinds::LongestRun => mark | gain,
        Kinds::MostAlike => mark.wrapping_add(gain),
    }
}

fn value(of: Kinds, mark: Mark) -> i64 {
    match of {
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
struct Numbers {
    /// Sorted, each once; for runs only the first counts.
    values: Vec<i32>,
}

impl Numbers {
    /// `None` if there are more values than bits.
    fn of(all: &[Vec<i32>], of: Kinds) -> Option<Numbers> {
        let mut values: Vec<i32> = all.iter().flatten().copied().collect();
        let count = values.len();
        values.sort_unstable();
        values.dedup();
        let bits = Mark::BITS as usize;
        let fits = match of {
            Kinds::Distinct => values.len() <= bits,
            Kinds::MostAlike => values.len() <= bits / COUNTER as usize && count <= COUNTER_MAX,
            Kinds::LongestRun => match (values.first(), values.last()) {
                (Some(first), Some(last)) => i64::from(*last) - i64::from(*first) < bits as i64,
                _ => true,
            },
        };
        fits.then_some(Numbers { values })
    }

    fn mark(&self, own: &[i32], of: Kinds) -> Mark {
        let bits = own.iter().map(|value| 1 << self.bit(*value, of));
        bits.fold(0, |mark, bit| added(mark, bit, of))
    }

    fn bit(&self, value: i32, of: Kinds) -> u32 {
        let place = self.values.partition_point(|known| *known < value) as u32;
        match of {
            Kinds::Distinct => place,
            Kinds::MostAlike => place * COUNTER,
            Kinds::LongestRun => {
                let first = self.values.first().copied().unwrap_or(value);
                value.wrapping_sub(first).cast_unsigned()
            }
        }
    }
}

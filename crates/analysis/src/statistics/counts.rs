//! An exact frequency table, with memory proportional to the number of different values.

use std::collections::BTreeMap;

use serde::Serialize;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    times: BTreeMap<u32, u64>,
}

/// A bar: the number of values in `from..=to`, one of each game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bar {
    pub from: u32,
    pub to: u32,
    #[serde(rename = "games")]
    pub times: u64,
}

impl Counts {
    pub fn add(&mut self, number: u32) {
        *self.times.entry(number).or_default() += 1;
    }

    pub fn merge(&mut self, other: &Counts) {
        for (number, times) in &other.times {
            *self.times.entry(*number).or_default() += times;
        }
    }

    pub fn total(&self) -> u64 {
        self.times.values().sum()
    }

    pub fn least(&self) -> u32 {
        self.times.keys().next().copied().unwrap_or_default()
    }

    pub fn most(&self) -> u32 {
        self.times.keys().next_back().copied().unwrap_or_default()
    }

    /// Returns how often a number occurred.
    pub fn times(&self, number: u32) -> u64 {
        self.times.get(&number).copied().unwrap_or_default()
    }

    /// Returns how often numbers from `from` to `to` occurred.
    pub fn within(&self, from: u32, to: u32) -> u64 {
        let range = (from <= to).then(|| self.times.range(from..=to));
        range.into_iter().flatten().map(|(_, times)| times).sum()
    }

    /// Returns the mean, or 0 if there are no values.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self
            .times
            .iter()
            .map(|(number, times)| f64::from(*number) * *times as f64)
            .sum();
        sum / self.total().max(1) as f64
    }

    /// Returns the smallest number that at least this many percent of all do not exceed, or 0 if there are none.
    pub fn percentile(&self, percent: u64) -> u32 {
        let rank = (self.total() * percent).div_ceil(100).max(1);
        let mut counted = 0;
        let reached = self.times.iter().find(|(_, times)| {
            counted += **times;
            counted >= rank
        });
        reached.map(|(number, _)| *number).unwrap_or_default()
    }

    /// Returns at most `bars` bars with geometrically growing widths that cover all numbers. Random games have long
    /// tails, which bars of equal width would not show.
    pub fn bars(&self, bars: u32) -> Vec<Bar> {
        if self.times.is_empty() {
            return Vec::new();
        }
        let (least, most) = (self.least().max(1), self.most().max(1));
        let factor = f64::from(most) / f64::from(least);
        let reach = |bar: u32| {
            let share = f64::from(bar + 1) / f64::from(bars.max(1));
            (f64::from(least) * factor.powf(share)).round() as u32
        };
        let mut from = self.least();
        let mut all = Vec::new();
        for bar in 0..bars.max(1) {
            let last = bar + 1 == bars.max(1);
            let to = if last {
                self.most()
            } else {
                reach(bar).min(self.most())
            };
            if to < from {
                continue;
            }
            let times = self.within(from, to);
            all.push(Bar { from, to, times });
            from = to.saturating_add(1);
        }
        all
    }

    /// Returns at most `bars` bars of equal width that cover all numbers.
    pub fn even_bars(&self, bars: u32) -> Vec<Bar> {
        if self.times.is_empty() {
            return Vec::new();
        }
        let (least, most) = (self.least(), self.most());
        let width = (most - least) / bars.max(1) + 1;
        let all = (0..=(most - least) / width).map(|i| {
            let from = least + i * width;
            let to = from + (width - 1);
            let times = self.within(from, to);
            Bar { from, to, times }
        });
        all.collect()
    }
}

/// Returns the height of the highest bar, at least 1.
pub fn highest(bars: &[Bar]) -> u64 {
    bars.iter().map(|bar| bar.times).max().unwrap_or(0).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lengths: impl IntoIterator<Item = u32>) -> Counts {
        let mut all = Counts::default();
        lengths.into_iter().for_each(|length| all.add(length));
        all
    }

    #[test]
    fn percentiles_are_members() {
        let lengths = of([5, 1, 4, 2, 3]);
        assert_eq!((lengths.least(), lengths.most()), (1, 5));
        assert_eq!((lengths.percentile(50), lengths.percentile(95)), (3, 5));
        assert_eq!((lengths.mean(), lengths.times(4)), (3.0, 1));
        assert_eq!((of([]).percentile(50), of([]).mean()), (0, 0.0));
    }

    #[test]
    fn bars_count_everything_once_and_leave_no_gap() {
        for lengths in [of(1..2000), of([7, 7]), of([0, 1]), of(30..34), of([0])] {
            let bars = lengths.bars(12);
            assert!((1..=12).contains(&bars.len()), "{bars:?}");
            let sum: u64 = bars.iter().map(|bar| bar.times).sum();
            assert_eq!(sum, lengths.total(), "{bars:?}");
            let (first, last) = (bars[0], bars[bars.len() - 1]);
            assert_eq!((first.from, last.to), (lengths.least(), lengths.most()));
            assert!(bars.windows(2).all(|pair| pair[0].to + 1 == pair[1].from));
        }
        assert!(of([]).bars(12).is_empty());
    }

    #[test]
    fn even_bars_count_every_game_once() {
        let bars = of(10..150).even_bars(8);
        assert!(bars.len() <= 8);
        assert_eq!(bars.iter().map(|bar| bar.times).sum::<u64>(), 140);
        assert_eq!(of([7, 7]).even_bars(8).len(), 1);
    }

    #[test]
    fn merged_counts_are_those_of_both() {
        let mut one = of([1, 2]);
        one.merge(&of([2, 3]));
        assert_eq!(one, of([1, 2, 2, 3]));
    }
}

//! How many games had which length, exactly, in no more memory than there are different lengths.

use std::collections::BTreeMap;

use serde::Serialize;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lengths {
    games: BTreeMap<u32, u64>,
}

/// So many games with a length in `from..=to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LengthBar {
    pub from: u32,
    pub to: u32,
    pub games: u64,
}

impl Lengths {
    pub fn add(&mut self, length: u32) {
        *self.games.entry(length).or_default() += 1;
    }

    pub fn merge(&mut self, other: &Lengths) {
        for (length, games) in &other.games {
            *self.games.entry(*length).or_default() += games;
        }
    }

    pub fn total(&self) -> u64 {
        self.games.values().sum()
    }

    pub fn least(&self) -> u32 {
        self.games.keys().next().copied().unwrap_or_default()
    }

    pub fn most(&self) -> u32 {
        self.games.keys().next_back().copied().unwrap_or_default()
    }

    /// The smallest length that at least this many percent of the games do not exceed; 0 of none.
    pub fn percentile(&self, percent: u64) -> u32 {
        let rank = (self.total() * percent).div_ceil(100).max(1);
        let mut counted = 0;
        let reached = self.games.iter().find(|(_, games)| {
            counted += **games;
            counted >= rank
        });
        reached.map(|(length, _)| *length).unwrap_or_default()
    }

    /// At most `bars` bars that cover all lengths, each reaching by the same factor further than the one before: random
    /// games have long tails, and bars of equal width would show nothing else.
    pub fn bars(&self, bars: u32) -> Vec<LengthBar> {
        if self.games.is_empty() {
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
            let games = self.games.range(from..=to).map(|(_, games)| games).sum();
            all.push(LengthBar { from, to, games });
            from = to.saturating_add(1);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lengths: impl IntoIterator<Item = u32>) -> Lengths {
        let mut all = Lengths::default();
        lengths.into_iter().for_each(|length| all.add(length));
        all
    }

    #[test]
    fn percentiles_are_members() {
        let lengths = of([5, 1, 4, 2, 3]);
        assert_eq!((lengths.least(), lengths.most()), (1, 5));
        assert_eq!((lengths.percentile(50), lengths.percentile(95)), (3, 5));
        assert_eq!(of([]).percentile(50), 0);
    }

    #[test]
    fn bars_count_every_game_once_and_leave_no_gap() {
        for lengths in [of(1..2000), of([7, 7]), of([0, 1]), of(30..34), of([0])] {
            let bars = lengths.bars(12);
            assert!((1..=12).contains(&bars.len()), "{bars:?}");
            let sum: u64 = bars.iter().map(|bar| bar.games).sum();
            assert_eq!(sum, lengths.total(), "{bars:?}");
            let (first, last) = (bars[0], bars[bars.len() - 1]);
            assert_eq!((first.from, last.to), (lengths.least(), lengths.most()));
            assert!(bars.windows(2).all(|pair| pair[0].to + 1 == pair[1].from));
        }
        assert!(of([]).bars(12).is_empty());
    }

    #[test]
    fn merged_lengths_are_those_of_both() {
        let mut one = of([1, 2]);
        one.merge(&of([2, 3]));
        assert_eq!(one, of([1, 2, 2, 3]));
    }
}

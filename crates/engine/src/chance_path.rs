//! Enumerates the outcomes of chance in a step, answering each draw with a given outcome.
//!
//! A path through all draws of a step is like a number whose digits have different bases: the first path is all zeros,
//! and [`ChancePath::advance`] counts up. Running the same step with each path covers all outcomes of chance, in a
//! defined order. The seed is not used.

use crate::chance::{Chance, Draw};
use crate::rng::Rng;

/// A draw with several outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fork {
    /// Counted from 0: the face of a die, or the index in the list that is drawn from.
    pub outcome: u32,
    /// The number of equally likely outcomes; at least 2.
    pub of: u32,
}

/// The outcomes of the draws of one step, in order.
///
/// ```text
/// let mut path = ChancePath::default();
/// loop {
///     let mut after = before.clone();
///     step(program, &mut after, index, &choice, &mut path, &mut Silent)?;
///     // … `after` is what this path leads to, with probability `path.probability()`
///     if path.advance().is_none() { break }
/// }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChancePath {
    forks: Vec<Fork>,
    /// The number of forks that the current run has passed.
    passed: usize,
    /// Requested outcomes of the next forks; the first outcome after these.
    wanted: Vec<u32>,
}

impl ChancePath {
    /// Creates a path with these outcomes in order, and the first outcome of every later draw. An outcome that a draw
    /// does not have counts as its last.
    pub fn given(outcomes: &[u32]) -> ChancePath {
        ChancePath {
            wanted: outcomes.to_vec(),
            ..ChancePath::default()
        }
    }

    /// Returns the draws of the last run with several outcomes.
    pub fn forks(&self) -> &[Fork] {
        self.forks.get(..self.passed).unwrap_or(&self.forks)
    }

    /// Returns the probability of the last run.
    pub fn probability(&self) -> f64 {
        let ways = self.forks().iter().map(|fork| f64::from(fork.of));
        ways.product::<f64>().recip()
    }

    /// Advances to the next path: the last fork with a remaining outcome takes it, and later forks start again. Returns
    /// how many forks before it stay the same; `None` after the last path.
    pub fn advance(&mut self) -> Option<usize> {
        self.forks.truncate(self.passed);
        self.passed = 0;
        self.wanted.clear();
        while let Some(mut fork) = self.forks.pop() {
            fork.outcome += 1;
            if fork.outcome < fork.of {
                self.forks.push(fork);
                return Some(self.forks.len() - 1);
            }
        }
        None
    }
}

impl Chance for ChancePath {
    fn draw(&mut self, _: &mut Rng, n: u32, _: Draw<'_>) -> u32 {
        if n < 2 {
            return 0;
        }
        let at = self.passed;
        self.passed += 1;
        if let Some(fork) = self.forks.get(at) {
            return fork.outcome;
        }
        let wanted = self.wanted.get(at).copied().unwrap_or(0);
        let outcome = wanted.min(n - 1);
        self.forks.push(Fork { outcome, of: n });
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Label;
    use wyrmgate_program::BOX;

    fn draw(path: &mut ChancePath, n: u32) -> u32 {
        let mut rng = Rng::new([0; 32], Label::Roll, 0);
        path.draw(&mut rng, n, Draw::Shuffle { zone: BOX })
    }

    /// Two draws; the second happens only after some outcomes of the first.
    fn run(path: &mut ChancePath) -> (u32, u32) {
        let first = draw(path, 3);
        let second = if first == 1 {
            draw(path, 2)
        } else {
            draw(path, 1)
        };
        (first, second)
    }

    #[test]
    fn every_path_comes_once_in_order() {
        let mut path = ChancePath::default();
        let mut seen = Vec::new();
        let mut total = 0.0;
        let mut kept = Vec::new();
        loop {
            seen.push(run(&mut path));
            total += path.probability();
            match path.advance() {
                Some(forks) => kept.push(forks),
                None => break,
            }
        }
        assert_eq!(seen, [(0, 0), (1, 0), (1, 1), (2, 0)]);
        assert_eq!(kept, [0, 1, 0]);
        assert!((total - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_given_path_is_taken_and_goes_on_from_there() {
        let mut path = ChancePath::given(&[1, 9]);
        assert_eq!(run(&mut path), (1, 1));
        let forks = [Fork { outcome: 1, of: 3 }, Fork { outcome: 1, of: 2 }];
        assert_eq!(path.forks(), forks);
        assert_eq!(path.advance(), Some(0));
        assert_eq!(run(&mut path), (2, 0));
        assert_eq!(path.advance(), None);
    }

    #[test]
    fn where_nothing_is_drawn_there_is_one_path() {
        let mut path = ChancePath::default();
        assert_eq!(draw(&mut path, 1), 0);
        assert_eq!(path.probability(), 1.0);
        assert_eq!(path.advance(), None);
    }
}

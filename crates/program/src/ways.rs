//! Ways along edges, each of which is three numbers: its two ends, and its length. A negative length is 0.

use std::collections::{BTreeMap, BTreeSet};

use super::NONE;

/// The number of steps after which the search for a longest way gives up. Ways on boards need far fewer.
const STEPS_MAX: u32 = 100_000;
/// The maximum number of edges of a longest way.
const EDGES_MAX: usize = 2_048;

/// An edge: its ends and its length.
type Edge = [i32; 3];

fn edges(numbers: &[i32]) -> Vec<Edge> {
    let edges = numbers.chunks_exact(3);
    let edges = edges.filter_map(|edge| <Edge>::try_from(edge).ok());
    edges
        .map(|[one, other, length]| [one, other, length.max(0)])
        .collect()
}

/// Returns the length of the shortest way from the first number to the second one along the edges behind them, NONE if there
/// is none. `None` on overflow.
pub(crate) fn shortest(numbers: &[i32]) -> Option<i32> {
    let [from, to, edges_between @ ..] = numbers else {
        return Some(NONE);
    };
    let edges = edges(edges_between);
    let mut reached = BTreeMap::from([(*from, 0)]);
    let mut has_changed = *from != NONE;
    while has_changed {
        has_changed = false;
        for [one, other, length] in &edges {
            for (near, far) in [(one, other), (other, one)] {
                let Some(before) = reached.get(near) else {
                    continue;
                };
                let length = i32::checked_add(*before, *length)?;
                if reached.get(far).is_none_or(|known| length < *known) {
                    reached.insert(*far, length);
                    has_changed = true;
                }
            }
        }
    }
    let length = reached.get(to).filter(|_| *from != NONE);
    Some(length.copied().unwrap_or(NONE))
}

/// Returns the length of the longest way that takes no edge twice. No way leads through NONE. `None` on overflow, or if there
/// are too many ways.
pub(crate) fn longest(numbers: &[i32]) -> Option<i32> {
    let edges = edges(numbers);
    let mut lengths = edges.iter().map(|[.., length]| *length);
    lengths.try_fold(0, i32::checked_add)?;
    if edges.len() > EDGES_MAX {
        return None;
    }
    let nodes = edges.iter().flat_map(|[one, other, _]| [*one, *other]);
    let nodes: BTreeSet<i32> = nodes.collect();
    let mut search = LongestWay {
        is_used: vec![false; edges.len()],
        edges,
        best: 0,
        steps: 0,
    };
    for node in nodes {
        search.follow_each(node, 0)?;
    }
    Some(search.best)
}

struct LongestWay {
    edges: Vec<Edge>,
    is_used: Vec<bool>,
    best: i32,
    steps: u32,
}

impl LongestWay {
    fn follow(&mut self, at: i32, length: i32) -> Option<()> {
        self.best = self.best.max(length);
        self.steps += 1;
        let goes_on = at != NONE && length + self.most_from(at) > self.best;
        match goes_on {
            true if self.steps > STEPS_MAX => None,
            true => self.follow_each(at, length),
            false => Some(()),
        }
    }

    fn follow_each(&mut self, at: i32, length: i32) -> Option<()> {
        for number in 0..self.edges.len() {
            let [one, other, long] = *self.edges.get(number)?;
            let is_used = self.is_used.get_mut(number)?;
            if !*is_used && [one, other].contains(&at) {
                *is_used = true;
                self.follow(one + other - at, length + long)?;
                *self.is_used.get_mut(number)? = false;
            }
        }
        Some(())
    }

    /// Returns a length that no way from a node exceeds: that of all unused edges within reach, except one of each node, at
    /// which a way does not end, with an odd number of them. An edge has two nodes.
    fn most_from(&self, at: i32) -> i32 {
        let mut reached = vec![at];
        let (mut twice, mut omitted, mut longest) = (0, 0, 0);
        let mut next = 0;
        while let Some(node) = reached.get(next).copied() {
            next += 1;
            let (mut count, mut shortest) = (0, i32::MAX);
            for ([one, other, length], is_used) in self.edges.iter().zip(&self.is_used) {
                if *is_used || ![*one, *other].contains(&node) {
                    continue;
                }
                let far = one + other - node;
                (count, shortest) = (count + 1, shortest.min(*length));
                twice += i64::from(*length) * if far == NONE { 2 } else { 1 };
                if far != NONE && !reached.contains(&far) {
                    reached.push(far);
                }
            }
            if count % 2 == 1 && node != at {
                omitted += i64::from(shortest);
                longest = longest.max(i64::from(shortest));
            }
        }
        ((twice - (omitted - longest)) / 2) as i32
    }
}

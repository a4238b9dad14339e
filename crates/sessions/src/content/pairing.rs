//! Who plays whom in the next round of a tournament.
//!
//! A round robin goes by the circle method (the Berger tables of the FIDE Handbook, C.05 annex 1, up to the numbering). The Swiss
//! method keeps the basic rules of the FIDE Handbook, C.04.1, and pairs as the Dutch system, C.04.3, begins: in each group of equal
//! points, the upper half plays the lower half; who finds nobody floats down. It exchanges players by going back over pairs until
//! nobody meets an opponent again, and does not look for the best of several such pairings as C.04.3 does.

/// Number of pairs that are tried before people may meet again.
const TRIED_MAX: usize = 20_000;

/// What matters of the rounds before.
#[derive(Clone)]
pub(crate) struct Pairing {
    points: Vec<f64>,
    /// Who is there, the best first.
    order: Vec<usize>,
    /// Whom each entrant has met.
    met: Vec<Vec<usize>>,
    /// How often each one had the first seat, and in which round last, from 1.
    first_seats: Vec<(usize, usize)>,
    /// How often each one had no opponent.
    byes: Vec<usize>,
}

impl Pairing {
    /// Of those who are present, in the order of their ranks, who have these points; nobody has met.
    pub fn new(points: Vec<f64>, mut present: Vec<usize>) -> Pairing {
        let entrants = points.len();
        // The sort keeps the order of ranks among equals.
        let of = |at: &usize| points.get(*at).copied().unwrap_or_default();
        present.sort_by(|a, b| of(b).total_cmp(&of(a)));
        Pairing {
            points,
            order: present,
            met: vec![Vec::new(); entrants],
            first_seats: vec![(0, 0); entrants],
            byes: vec![0; entrants],
        }
    }

    /// Notes a table of an earlier round, from 1.
    pub fn note(&mut self, round: usize, table: &[usize]) {
        for entrant in table {
            let others = table.iter().filter(|other| *other != entrant);
            if let Some(met) = self.met.get_mut(*entrant) {
                met.extend(others);
            }
        }
        if let (Some(first), true) = (table.first(), table.len() > 1) {
            if let Some(of) = self.first_seats.get_mut(*first) {
                *of = (of.0 + 1, round);
            }
        } else if let Some(byes) = table.first().and_then(|one| self.byes.get_mut(*one)) {
            *byes += 1;
        }
    }

    fn have_met(&self, one: usize, other: usize) -> bool {
        self.met.get(one).is_some_and(|met| met.contains(&other))
    }

    fn has_points_of(&self, one: usize, other: usize) -> bool {
        self.points.get(one) == self.points.get(other)
    }

    /// Puts somebody who had the first seat less often, or longer ago, on it.
    fn seated(&self, mut table: Vec<usize>) -> Vec<usize> {
        table.sort_by_key(|entrant| self.first_seats.get(*entrant).copied().unwrap_or_default());
        table
    }

    /// Takes out those who have no opponent this time: of those with the fewest byes, the last ones.
    fn without_byes(&mut self, seats: usize) -> Vec<usize> {
        let mut out = Vec::new();
        while !self.order.len().is_multiple_of(seats) {
            let byes = |at: &usize| self.byes.get(*at).copied().unwrap_or_default();
            let fewest = self.order.iter().map(byes).min().unwrap_or_default();
            let last = self.order.iter().rposition(|at| byes(at) == fewest);
            let Some(last) = last else { break };
            out.push(self.order.remove(last));
        }
        out
    }

    /// Pairs the rest, the first one with the best opponent for whom the others can be paired, too.
    fn pairs(&self, rest: &[usize], tried: &mut usize) -> Option<Vec<Vec<usize>>> {
        let Some((first, others)) = rest.split_first() else {
            return Some(Vec::new());
        };
        let group = others.iter();
        let group = group.take_while(|other| self.has_points_of(*first, **other));
        // The first one of the lower half, those below it, then the lowest of the upper half, and those above it.
        let half = group.clone().count() / 2;
        let group = group.count();
        let wanted = (half..group)
            .chain((0..half).rev())
            .chain(group..others.len());
        for at in wanted {
            let Some(other) = others
                .get(at)
                .filter(|other| !self.have_met(*first, **other))
            else {
                continue;
            };
            *tried += 1;
            if *tried > TRIED_MAX {
                return None;
            }
            let mut left = others.to_vec();
            left.remove(at);
            if let Some(mut pairs) = self.pairs(&left, tried) {
                pairs.push(vec![*first, *other]);
                return Some(pairs);
            }
        }
        None
    }
}

/// Returns the tables of a round, from 0, in which everybody meets everybody else once. Tables of one have no opponent.
pub(crate) fn round_robin(entrants: usize, round: usize) -> Vec<Vec<usize>> {
    let places = entrants.next_multiple_of(2);
    let turning = places.saturating_sub(1).max(1);
    let pair = |table: usize| {
        let one = (round + table) % turning;
        let is_fixed = table == 0;
        let other = if is_fixed {
            turning
        } else {
            (round + turning - table) % turning
        };
        let turns = if is_fixed { round } else { table + 1 };
        let pair = if turns.is_multiple_of(2) {
            [one, other]
        } else {
            [other, one]
        };
        pair.into_iter().filter(|of| *of < entrants).collect()
    };
    (0..places / 2).map(pair).collect()
}

/// Returns the tables of the next round of a Swiss tournament. More than two seats get neighbours by points.
pub(crate) fn swiss(mut rest: Pairing, seats: usize) -> Vec<Vec<usize>> {
    let byes = rest.without_byes(seats.max(1));
    let neighbours = || {
        rest.order
            .chunks(seats.max(1))
            .map(<[usize]>::to_vec)
            .collect()
    };
    let pairs = (seats == 2).then(|| rest.pairs(&rest.order, &mut 0));
    let tables = pairs.flatten().map(|mut pairs| {
        pairs.reverse();
        pairs
    });
    let tables: Vec<Vec<usize>> = tables.unwrap_or_else(neighbours);
    let tables = tables.into_iter().map(|table| rest.seated(table));
    tables
        .chain(byes.into_iter().map(|one| vec![one]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn everybody_meets_everybody_once_and_has_each_seat_as_often() {
        for entrants in 2..=13_usize {
            let rounds = entrants.next_multiple_of(2) - 1;
            let mut met = BTreeSet::new();
            let mut firsts = vec![0_i32; entrants];
            for round in 0..rounds {
                let tables = round_robin(entrants, round);
                let mut present: Vec<usize> = tables.iter().flatten().copied().collect();
                present.sort_unstable();
                assert_eq!(present, (0..entrants).collect::<Vec<_>>());
                for table in tables.iter().filter(|table| table.len() == 2) {
                    let [one, other] = [table[0], table[1]];
                    assert!(met.insert((one.min(other), one.max(other))));
                    firsts[one] += 1;
                    firsts[other] -= 1;
                }
            }
            assert_eq!(met.len(), entrants * (entrants - 1) / 2);
            assert!(firsts.iter().all(|of| of.abs() <= 1), "{firsts:?}");
        }
    }

    fn nobody_met(entrants: usize, points: &[f64]) -> Pairing {
        Pairing::new(points.to_vec(), (0..entrants).collect())
    }

    #[test]
    fn the_upper_half_plays_the_lower_half() {
        let pairing = nobody_met(6, &[0.0; 6]);
        assert_eq!(swiss(pairing.clone(), 2), [[0, 3], [1, 4], [2, 5]]);
        let pairing = nobody_met(7, &[2.0, 2.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
        let tables = swiss(pairing.clone(), 2);
        assert_eq!(tables, [vec![0, 1], vec![2, 4], vec![3, 5], vec![6]]);
        assert_eq!(
            swiss(nobody_met(7, &[0.0; 7]), 3).len(),
            3,
            "two tables and a bye"
        );
    }

    #[test]
    fn nobody_meets_again_as_long_as_there_is_a_way() {
        let mut pairing = nobody_met(6, &[0.0; 6]);
        for round in 1..=5 {
            let tables = swiss(pairing.clone(), 2);
            for table in &tables {
                let again = pairing.have_met(table[0], table[1]);
                assert!(!again || round > 3, "round {round}: {tables:?}");
                pairing.note(round, table);
            }
        }
        assert!(pairing.first_seats.iter().all(|of| (1..=4).contains(&of.0)));
    }
}

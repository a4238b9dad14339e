//! What a state is worth to each seat, from 0 (lost) to 1 (won alone).

use crate::engine::{Outcome, State, scores};
use crate::program::{Program, SEATS_MAX};

/// By seat, from 0.
pub(super) type Worth = [f64; SEATS_MAX];

/// What a good place is worth to those who have not won.
const PLACE: f64 = 0.15;
/// How far a lead in points counts while the game goes on.
const LEAD: f64 = 0.3;

pub(super) fn of(program: &Program, state: &State) -> Worth {
    match state.outcome() {
        Some(outcome) => of_outcome(outcome, program.seats),
        None => of_scores(&scores(program, state)),
    }
}

fn of_outcome(outcome: &Outcome, seats: usize) -> Worth {
    let mut worth = [0.0; SEATS_MAX];
    let others = seats.saturating_sub(1).max(1) as f64;
    for ranked in &outcome.ranking {
        if let Some(worth) = worth.get_mut(usize::from(ranked.seat)) {
            let behind = f64::from(ranked.place.saturating_sub(1)) / others;
            *worth = PLACE * (1.0 - behind);
        }
    }
    let shared = match outcome.winners.len() {
        0 => 0.0,
        winners => 0.5 + 0.5 / winners as f64,
    };
    for winner in &outcome.winners {
        if let Some(worth) = worth.get_mut(usize::from(*winner)) {
            *worth = shared;
        }
    }
    if outcome.drawn || outcome.winners.is_empty() {
        worth = [0.5; SEATS_MAX];
    }
    worth
}

/// A lead counts by its share of the widest one.
fn of_scores(scores: &[i32]) -> Worth {
    let mut worth = [0.5; SEATS_MAX];
    let best = scores.iter().copied().max().unwrap_or(0);
    let least = scores.iter().copied().min().unwrap_or(0);
    let range = (i64::from(best) - i64::from(least)) as f64;
    if range > 0.0 {
        for (worth, score) in worth.iter_mut().zip(scores) {
            let above = (i64::from(*score) - i64::from(least)) as f64 / range;
            *worth = 0.5 + LEAD * (above - 0.5);
        }
    }
    worth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_is_worth_more_when_it_is_not_shared() {
        let outcome = |winners: &[u8]| Outcome {
            winners: winners.to_vec(),
            drawn: false,
            ranking: Vec::new(),
        };
        let alone = of_outcome(&outcome(&[1]), 3);
        let shared = of_outcome(&outcome(&[0, 1]), 3);
        assert_eq!((alone[1], alone[0]), (1.0, 0.0));
        assert_eq!((shared[0], shared[1], shared[2]), (0.75, 0.75, 0.0));
    }

    #[test]
    fn whoever_leads_is_better_off() {
        let worth = of_scores(&[3, 10, -4]);
        assert!(worth[1] > worth[0] && worth[0] > worth[2]);
        assert_eq!(of_scores(&[2, 2])[0], 0.5);
    }
}

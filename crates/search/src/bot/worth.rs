//! Evaluates a state for each seat, from 0 (lost) to 1 (won alone).

use wyrmgate_engine::{Fault, GameOutcome, State, standing};
use wyrmgate_program::{Program, SEATS_MAX};
use wyrmgate_view::scores;

/// Values by seat, from 0.
pub(super) type Worth = [f64; SEATS_MAX];

/// Value of a good place for seats that have not won.
const PLACE: f64 = 0.15;
/// Weight of being ahead of all others during the game.
const BEFORE: f64 = 0.25;
/// Weight of the size of the lead.
const LEAD: f64 = 0.15;

pub(super) fn of(program: &Program, state: &State) -> Worth {
    match state.outcome() {
        Some(outcome) => of_outcome(outcome, program.seats),
        None => of_keys(&keys(program, state).unwrap_or_default()),
    }
}

/// Returns for each seat the most important number by which it would be ranked if the game ended now, or the scores if
/// the rules define no ranking. Empty if this says nothing yet.
pub(super) fn keys(program: &Program, state: &State) -> Result<Vec<i32>, Fault> {
    let keys = match standing(program, state)? {
        Some(rows) => rows
            .iter()
            .map(|row| row.first().copied().unwrap_or(0))
            .collect(),
        None => scores(program, state),
    };
    let same = keys
        .windows(2)
        .all(|pair| matches!(pair, [one, other] if one == other));
    Ok(if same { Vec::new() } else { keys })
}

/// Returns the lead of a seat over the best of the others.
pub(super) fn lead(keys: &[i32], seat: usize) -> i64 {
    let own = keys.get(seat).copied().unwrap_or(0);
    let others = keys.iter().enumerate().filter(|(other, _)| *other != seat);
    let best = others.map(|(_, key)| *key).max().unwrap_or(0);
    i64::from(own) - i64::from(best)
}

fn of_outcome(outcome: &GameOutcome, seats: usize) -> Worth {
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

fn of_keys(keys: &[i32]) -> Worth {
    let mut worth = [0.5; SEATS_MAX];
    let widest = keys.iter().map(|key| key.unsigned_abs()).max().unwrap_or(0);
    for (seat, worth) in worth.iter_mut().enumerate().take(keys.len()) {
        let lead = lead(keys, seat);
        let share = (lead as f64 / f64::from(widest.max(1))).clamp(-1.0, 1.0);
        *worth = 0.5 + BEFORE * lead.signum() as f64 + LEAD * share;
    }
    worth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_is_worth_more_when_it_is_not_shared() {
        let outcome = |winners: &[u8]| GameOutcome {
            winners: winners.to_vec(),
            ..GameOutcome::default()
        };
        let alone = of_outcome(&outcome(&[1]), 3);
        let shared = of_outcome(&outcome(&[0, 1]), 3);
        assert_eq!((alone[1], alone[0]), (1.0, 0.0));
        assert_eq!((shared[0], shared[1], shared[2]), (0.75, 0.75, 0.0));
    }

    #[test]
    fn whoever_leads_is_better_off_and_by_more_the_more() {
        let worth = of_keys(&[3, 10, -4]);
        assert!(worth[1] > worth[0] && worth[0] > worth[2]);
        assert!(of_keys(&[10, 1])[0] > of_keys(&[10, 9])[0]);
        assert_eq!(of_keys(&[])[0], 0.5);
    }
}

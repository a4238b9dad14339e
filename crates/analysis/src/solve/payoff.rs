//! The payoff of an end for the first seat.

use wyrmgate_engine::Outcome;

/// An end by both measures, until the measure of the game is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Payoff {
    /// 1 for a win of the first seat, −1 for a loss, otherwise 0.
    won: f64,
    /// The number of the first seat, if the ranking uses one number and the two add up to zero.
    balance: Option<f64>,
}

impl Payoff {
    pub fn of(outcome: &Outcome) -> Payoff {
        let won = match outcome.winners.as_slice() {
            [0] => 1.0,
            [1] => -1.0,
            _ => 0.0,
        };
        Payoff {
            won,
            balance: balance(outcome),
        }
    }

    /// Returns whether all ends are balanced.
    pub fn all_balance<'p>(mut ends: impl Iterator<Item = &'p Payoff>) -> bool {
        ends.all(|end| end.balance.is_some())
    }

    pub fn to_first_seat(self, all_balance: bool) -> f64 {
        match self.balance {
            Some(balance) if all_balance => balance,
            _ => self.won,
        }
    }
}

fn balance(outcome: &Outcome) -> Option<f64> {
    let number = |seat: u8| {
        let row = outcome.ranking.iter().find(|row| row.seat == seat)?;
        match row.keys.as_slice() {
            [number] => Some(f64::from(*number)),
            _ => None,
        }
    };
    let (first, second) = (number(0)?, number(1)?);
    (first + second == 0.0).then_some(first)
}

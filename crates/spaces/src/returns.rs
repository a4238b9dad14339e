//! The result of a game as a number for each seat.

use serde::Serialize;
use wyrmgate_engine::GameOutcome;
use wyrmgate_program::{Op, Program, RankedFinish};

/// The quantity that is the return.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Winners share 1, the others share −1, and a drawn game is 0 for all. Zero-sum, within −1 and 1.
    Result,
    /// The number by which the seats are ranked.
    Points,
}

/// The returns of a program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Returns {
    pub measure: Measure,
    /// The least and the greatest return, if known.
    pub bounds: Option<(f64, f64)>,
    pub is_zero_sum: bool,
}

impl Returns {
    /// Returns those of [`Measure::Result`].
    pub const RESULT: Returns = Returns {
        measure: Measure::Result,
        bounds: Some((-1.0, 1.0)),
        is_zero_sum: true,
    };

    /// Returns whether every end of the game ranks the seats by one number, and whether some ends are drawn without one.
    fn points_of(program: &Program) -> (bool, bool) {
        let (mut is_ranked, mut is_drawn, mut is_other) = (false, false, false);
        for op in program.code.ops.iter().filter(|op| op.facts().finishes) {
            let (ranks, draws) = (
                matches!(op, Op::FinishRanked(RankedFinish { count: 1, .. })),
                matches!(op, Op::FinishDrawn),
            );
            is_ranked |= ranks;
            is_drawn |= draws;
            is_other |= !ranks && !draws;
        }
        (is_ranked && !is_other, is_drawn)
    }

    /// Returns what the ends of a game are worth. Points count if they are wanted, or if those of all seats add up to zero
    /// at every end. `ends` visits every end of a small game, and returns false for others.
    pub fn found(
        program: &Program,
        points: Option<bool>,
        ends: impl FnOnce(&Program, &mut dyn FnMut(&GameOutcome)) -> bool,
    ) -> Returns {
        let (has_points, has_draws) = Returns::points_of(program);
        if points == Some(false) || !has_points {
            return Returns::RESULT;
        }
        let mut found = Returns {
            measure: Measure::Points,
            bounds: None,
            is_zero_sum: true,
        };
        let mut worth = vec![0.0; program.seats];
        let is_whole = ends(program, &mut |outcome| {
            found.write(outcome, &mut worth);
            found.is_zero_sum &= worth.iter().sum::<f64>() == 0.0;
            for one in &worth {
                let (low, high) = found.bounds.unwrap_or((*one, *one));
                found.bounds = Some((low.min(*one), high.max(*one)));
            }
        });
        // Equal points that add up to zero are zero: that is what a draw without a number is worth, if anything.
        match (is_whole, points) {
            (true, _) if found.is_zero_sum => found,
            (true, Some(true)) if !has_draws => found,
            (false, Some(true)) if !has_draws => Returns {
                bounds: None,
                is_zero_sum: false,
                ..found
            },
            _ => Returns::RESULT,
        }
    }

    /// Writes the return of each seat.
    pub fn write(&self, outcome: &GameOutcome, into: &mut [f64]) {
        match self.measure {
            Measure::Result => result(outcome, into),
            Measure::Points => points(outcome, into),
        }
    }
}

fn points(outcome: &GameOutcome, into: &mut [f64]) {
    into.fill(0.0);
    for row in &outcome.ranking {
        if let (Some(place), [number]) = (into.get_mut(usize::from(row.seat)), row.keys.as_slice())
        {
            *place = f64::from(*number);
        }
    }
}

fn result(outcome: &GameOutcome, into: &mut [f64]) {
    let (seats, winners) = (into.len(), outcome.winners.len());
    into.fill(0.0);
    if winners == 0 || winners >= seats {
        return;
    }
    into.fill(-1.0 / (seats - winners) as f64);
    for seat in &outcome.winners {
        if let Some(place) = into.get_mut(usize::from(*seat)) {
            *place = 1.0 / winners as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_take_from_the_others() {
        let of = |winners: &[u8], seats: usize| {
            let outcome = GameOutcome {
                winners: winners.to_vec(),
                ..GameOutcome::default()
            };
            let mut returns = vec![9.0; seats];
            Returns::RESULT.write(&outcome, &mut returns);
            returns
        };
        assert_eq!(of(&[1], 2), [-1.0, 1.0]);
        assert_eq!(of(&[0, 2], 4), [0.5, -0.5, 0.5, -0.5]);
        assert_eq!(of(&[], 3), [0.0; 3]);
        assert_eq!(of(&[0, 1], 2), [0.0; 2]);
    }
}

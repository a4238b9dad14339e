//! The random bot: takes each of its choices with equal probability.

use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{self as engine, Choice, Fault, Pending, State};
use wyrmgate_program::Program;

/// The random bot. It has its own random numbers, so that its choices reveal nothing about the game's seed.
#[derive(Debug, Clone)]
pub struct RandomBot {
    dice: Dice,
}

impl RandomBot {
    pub fn new(seed: u64) -> RandomBot {
        RandomBot {
            dice: Dice::new(seed),
        }
    }

    /// Creates a bot that plays the same whenever the game with this seed is played again.
    pub fn for_game(seed: &[u8; 32]) -> RandomBot {
        let digest = blake3::derive_key("wyrmgate 1 random bot", seed);
        let first = digest.first_chunk().copied().unwrap_or_default();
        RandomBot::new(u64::from_le_bytes(first))
    }

    pub fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    /// Returns a number in `0..n`, or 0 if `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        self.dice.below(n)
    }

    /// Returns one of the choices of a decision, or `None` if there is none.
    pub fn choose(
        &mut self,
        program: &Program,
        state: &State,
        pending: &Pending,
    ) -> Result<Option<Choice>, Fault> {
        engine::random_choice(program, state, pending, &mut |n| self.dice.below(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_game_is_played_in_the_same_way() {
        let mut one = RandomBot::for_game(&[7; 32]);
        let mut other = RandomBot::for_game(&[7; 32]);
        assert_eq!(one.below(1 << 40), other.below(1 << 40));
    }
}

//! A player that takes any of its choices, all with the same chance.

use crate::engine::{self, Choice, Fault, Pending, State};
use crate::program::Program;

/// Its own source of numbers, apart from the game's: what a bot does tells nothing of the game's seed.
///
/// SplitMix64 (Steele, Lea and Flood): eight bytes of state, which is plenty for choosing at random.
#[derive(Debug, Clone)]
pub struct RandomBot {
    state: u64,
}

impl RandomBot {
    pub fn new(seed: u64) -> RandomBot {
        RandomBot { state: seed }
    }

    /// A bot for the game with this seed that plays the same whenever that game is played again.
    pub fn for_game(seed: &[u8; 32]) -> RandomBot {
        let digest = blake3::derive_key("wyrmgate 1 random bot", seed);
        let first = digest.first_chunk().copied().unwrap_or_default();
        RandomBot::new(u64::from_le_bytes(first))
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..n`; 0 if `n` is 0. Lemire's method: the high half of a product, without division in most cases.
    pub fn below(&mut self, n: u64) -> u64 {
        let mut product = u128::from(self.next()) * u128::from(n);
        if (product as u64) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u64) < threshold {
                product = u128::from(self.next()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// A seed for a game in thought.
    pub fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for part in bytes.chunks_mut(8) {
            part.copy_from_slice(&self.next().to_le_bytes());
        }
        bytes
    }

    /// One of the choices of a decision; `None` if there is none.
    pub fn choose(
        &mut self,
        program: &Program,
        state: &State,
        pending: &Pending,
    ) -> Result<Option<Choice>, Fault> {
        engine::random_choice(program, state, pending, &mut |n| self.below(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_even_and_in_range() {
        let mut bot = RandomBot::new(1);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[bot.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (9_500..10_500).contains(n)), "{seen:?}");
        assert_eq!(bot.below(0), 0);
        assert_eq!(bot.below(1), 0);
    }

    #[test]
    fn the_same_game_is_played_in_the_same_way() {
        let mut one = RandomBot::for_game(&[7; 32]);
        let mut other = RandomBot::for_game(&[7; 32]);
        assert_eq!(one.below(1 << 40), other.below(1 << 40));
    }
}

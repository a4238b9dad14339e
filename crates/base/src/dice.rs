//! Random numbers for players and sampled worlds. They are independent of a game's random numbers and reveal nothing of
//! its seed.

/// Returns a number whose bits all depend on all bits of this one: the last step of SplitMix64.
#[inline]
pub fn scattered(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// SplitMix64 (Steele, Lea and Flood): eight bytes of state, which is enough for random choices.
#[derive(Debug, Clone)]
pub struct Dice {
    state: u64,
}

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice { state: seed }
    }

    /// Returns what [`Dice::new`] needs to continue.
    pub fn state(&self) -> u64 {
        self.state
    }

    #[inline]
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scattered(self.state)
    }

    /// Returns a number in `0..n`, or 0 if `n` is 0. Lemire's method: the high half of a product, usually without
    /// division.
    #[inline]
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

    /// Returns true once in `n` times on average.
    #[inline]
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// Returns a seed for a simulated game.
    pub fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for part in bytes.chunks_mut(8) {
            part.copy_from_slice(&self.next().to_le_bytes());
        }
        bytes
    }

    /// Shuffles a list.
    pub fn mix<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_even_and_in_range() {
        let mut dice = Dice::new(1);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[dice.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (9_500..10_500).contains(n)), "{seen:?}");
        assert_eq!(dice.below(0), 0);
        assert_eq!(dice.below(1), 0);
    }

    #[test]
    fn every_order_comes_as_often() {
        let mut dice = Dice::new(2);
        let mut first = [0u32; 3];
        for _ in 0..30_000 {
            let mut list = [0, 1, 2];
            dice.mix(&mut list);
            first[list[0]] += 1;
        }
        assert!(
            first.iter().all(|n| (9_500..10_500).contains(n)),
            "{first:?}"
        );
    }
}

//! The stream of chance: ChaCha12 keyed by the session's seed.
//!
//! Every random operation (a roll, a shuffle, a random choice) has its own stream, identified by its type and the
//! number of operations before it: nonce = label × 2⁴⁸ + count. The state therefore holds only a counter, and anyone
//! with the seed can compute a single roll without the rest of the game. Golden tests pin the numbers.

use crate::chacha::{BLOCK, block};

/// The purpose of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    Roll = 1,
    Shuffle = 2,
    Choose = 3,
}

/// The numbers of one random operation; a block of them is computed when its first number is needed.
pub struct Rng {
    seed: [u8; 32],
    stream: u64,
    numbers: [u32; BLOCK],
    /// The number of numbers taken from the stream.
    asked: u64,
}

impl Rng {
    pub fn new(seed: [u8; 32], label: Label, count: u32) -> Self {
        Rng {
            seed,
            stream: Rng::stream(label, count),
            numbers: [0; BLOCK],
            asked: 0,
        }
    }

    /// Returns the number of a stream.
    pub fn stream(label: Label, count: u32) -> u64 {
        ((label as u64) << 48) | u64::from(count)
    }

    /// Returns the number of random operations before this one.
    pub fn number(&self) -> u32 {
        self.stream as u32
    }

    fn next_u32(&mut self) -> u32 {
        let (count, at) = (self.asked / BLOCK as u64, self.asked % BLOCK as u64);
        if at == 0 {
            self.numbers = block(&self.seed, self.stream, count);
        }
        self.asked += 1;
        self.numbers.get(at as usize).copied().unwrap_or_default()
    }

    /// Returns a number in `0..n`, all equally likely; 0 if `n` is 0. Numbers of the stream beyond the last whole
    /// multiple of `n` are skipped.
    pub fn below(&mut self, n: u32) -> u32 {
        if n < 2 {
            return 0;
        }
        loop {
            let number = self.next_u32();
            let rest = number % n;
            // The multiple of `n` that it belongs to is a whole one.
            if (number - rest).checked_add(n - 1).is_some() {
                return rest;
            }
        }
    }

    /// Returns a number below `n`. If `n` has more than 32 bits, it takes two numbers of the stream, the high half first.
    pub fn below_u64(&mut self, n: u64) -> u64 {
        if let Ok(small) = u32::try_from(n) {
            return u64::from(self.below(small));
        }
        let whole = u128::from(u64::MAX) / u128::from(n) * u128::from(n);
        loop {
            let number = (u64::from(self.next_u32()) << 32) | u64::from(self.next_u32());
            if u128::from(number) < whole {
                return number % n;
            }
        }
    }
}

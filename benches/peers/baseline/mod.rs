//! The games by hand: each a state in arrays, a list of moves, and a loop.

mod breakthrough;
mod connect_four;
mod goofspiel;
mod kuhn_poker;
mod liars_dice;
mod pig;
mod tic_tac_toe;

/// One random playout of a game; answers how many decisions it had.
pub type Playout = fn(&mut Random) -> u64;

/// The games by name.
pub const BASELINES: &[(&str, Playout)] = &[
    ("tic-tac-toe", tic_tac_toe::playout),
    ("connect-four", connect_four::playout),
    ("breakthrough", breakthrough::playout),
    ("pig", pig::playout),
    ("goofspiel", goofspiel::playout),
    ("kuhn-poker", kuhn_poker::playout),
    ("liars-dice", liars_dice::playout),
];

/// xorshift64*: as fast as random numbers come.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.max(1))
    }

    /// A number in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        (bits as usize * n) >> 32
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

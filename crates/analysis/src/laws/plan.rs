//! The games to play and the laws to check.

use std::ops::RangeInclusive;

use super::law::Law;

/// The games to play and the laws to check.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Numbers of games, from 1.
    pub games: RangeInclusive<u64>,
    /// The seed of the run, from which the seeds of all games follow.
    pub seed: [u8; 32],
    pub threads: usize,
    pub laws: Vec<&'static Law>,
    /// Factor on the shares of the laws; `u64::MAX` checks every law always.
    pub oftener: u64,
}

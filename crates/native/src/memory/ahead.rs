//! Random numbers computed before they are needed.
//!
//! Every random operation starts its own stream, and most take one number from it. The streams of a game are numbered,
//! so the first numbers of the next few can be computed in parallel, which takes hardly longer than one.

use std::mem::offset_of;

#[cfg(target_arch = "x86_64")]
use crate::memory::lanes::Eight;
use wyrmgate_engine::chacha::{Four, block, first_numbers};
use wyrmgate_engine::rng::{Label, Rng};

/// The number of streams computed in parallel.
const WIDTH: usize = 8;

/// The number of games that begin with several numbers after one in which they were needed.
const TRUSTED: u8 = 8;

/// The first numbers of consecutive streams of one seed.
pub(crate) struct StreamsAhead {
    first: u64,
    known: u64,
    numbers: [u32; WIDTH],
    make: Make,
    /// The number of games that still begin with several numbers, because the last requests were for consecutive streams.
    in_a_row: u8,
}

/// Where code finds the first stream, the number of known values (never more than the capacity), and the values.
pub(crate) const FIRST: usize = offset_of!(StreamsAhead, first);
pub(crate) const KNOWN: usize = offset_of!(StreamsAhead, known);
pub(crate) const NUMBERS: usize = offset_of!(StreamsAhead, numbers);

/// Computes the first numbers of streams from this one on.
type Make = fn(&[u8; 32], u64) -> [u32; WIDTH];

impl StreamsAhead {
    pub fn new() -> StreamsAhead {
        StreamsAhead {
            first: 0,
            known: 0,
            numbers: [0; WIDTH],
            make: fastest(),
            in_a_row: 0,
        }
    }

    /// Forgets everything, because the seed has changed.
    pub fn forget(&mut self) {
        self.known = 0;
    }

    /// Returns the first result of [`Rng::below`].
    #[inline]
    pub fn below(&mut self, seed: &[u8; 32], label: Label, count: u32, n: u32) -> u32 {
        if n < 2 {
            return 0;
        }
        let number = self.number(seed, Rng::stream(label, count));
        // Beyond the last whole multiple of `n`, the stream decides.
        let rest = number % n;
        if (number - rest).checked_add(n - 1).is_some() {
            return rest;
        }
        Rng::new(*seed, label, count).below(n)
    }

    #[inline]
    fn number(&mut self, seed: &[u8; 32], stream: u64) -> u32 {
        let at = stream.wrapping_sub(self.first);
        if at < self.known
            && let Some(number) = self.numbers.get(at as usize)
        {
            return *number;
        }
        self.go_on(seed, stream)
    }

    /// Returns the first number of a stream. If consecutive streams are requested, computes the next ones ahead, and
    /// those of the next game.
    #[inline(never)]
    fn go_on(&mut self, seed: &[u8; 32], stream: u64) -> u32 {
        let is_next = self.known > 0 && stream == self.first.wrapping_add(self.known);
        let begins = self.known == 0 && self.in_a_row > 0;
        self.in_a_row = match (is_next, begins) {
            (true, _) => TRUSTED,
            (false, true) => self.in_a_row - 1,
            (false, false) => 0,
        };
        self.first = stream;
        if is_next || begins {
            self.numbers = (self.make)(seed, stream);
            self.known = WIDTH as u64;
        } else {
            let [number, ..] = block(seed, stream, 0);
            (self.numbers[0], self.known) = (number, 1);
        }
        self.numbers[0]
    }
}

/// Computes four at a time.
fn plain(seed: &[u8; 32], stream: u64) -> [u32; WIDTH] {
    let mut numbers = [0; WIDTH];
    let (parts, _) = numbers.as_chunks_mut();
    for (part, first) in parts.iter_mut().zip((stream..).step_by(4)) {
        let [low, high] = halves(first);
        *part = first_numbers(seed, [Four(low), Four(high)]).0;
    }
    numbers
}

/// Returns the names of consecutive streams, low and high halves.
#[inline(always)]
fn halves<const N: usize>(first: u64) -> [[u32; N]; 2] {
    let streams: [u64; N] = std::array::from_fn(|at| first.wrapping_add(at as u64));
    [
        streams.map(|stream| stream as u32),
        streams.map(|stream| (stream >> 32) as u32),
    ]
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(seed: &[u8; 32], stream: u64) -> [u32; WIDTH] {
    let [low, high] = halves(stream);
    first_numbers(seed, [Eight::new(low), Eight::new(high)]).words()
}

#[cfg(target_arch = "x86_64")]
fn fastest() -> Make {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: «the machine can»: the features were tested just now.
        return |seed, stream| unsafe { with_avx2(seed, stream) };
    }
    plain
}

#[cfg(not(target_arch = "x86_64"))]
fn fastest() -> Make {
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_ahead_is_what_the_stream_brings() {
        let seed = [7; 32];
        let mut ahead = StreamsAhead::new();
        for (count, sides) in (0..60).zip([6, 2, 1, 100, 7].into_iter().cycle()) {
            let label = if count == 30 {
                Label::Choose
            } else {
                Label::Roll
            };
            let expected = Rng::new(seed, label, count).below(sides);
            assert_eq!(ahead.below(&seed, label, count, sides), expected);
            if [20, 45].contains(&count) {
                ahead.forget();
            }
        }
        assert_eq!(plain(&seed, 5), (ahead.make)(&seed, 5));
    }

    #[test]
    fn a_game_gets_several_numbers_after_one_that_needed_them() {
        let mut ahead = StreamsAhead::new();
        let mut game = |draws: u32| {
            ahead.forget();
            let mut made = Vec::new();
            for count in 0..draws {
                ahead.below(&[3; 32], Label::Roll, count, 6);
                made.push(ahead.known);
            }
            made.dedup();
            made
        };
        let several = WIDTH as u64;
        assert_eq!(game(2), [1, several]);
        assert_eq!(game(2), [several]);
    }
}

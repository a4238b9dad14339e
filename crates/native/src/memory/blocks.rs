//! The numbers of a stream, for a shuffle: those of several blocks are computed side by side, and divided by multiplication.

use crate::memory::buffers::MEMBERS_MAX;
#[cfg(target_arch = "x86_64")]
use crate::memory::lanes::Eight;
use wyrmgate_engine::chacha::{BLOCK, block};
#[cfg(target_arch = "x86_64")]
use wyrmgate_engine::chacha::{rounds, start};

/// The number of blocks that are computed side by side.
const BLOCKS: usize = 4;

pub(crate) type Words = [[u32; BLOCK]; BLOCKS];

/// Computes blocks of a stream (the second argument), beginning with the one that has this number (the third). The last argument is the minimum number of
/// blocks.
pub(crate) type Blocks = fn(&[u8; 32], u64, u64, &mut Words, usize);

/// The numbers of one stream.
pub(crate) struct StreamNumbers<'s> {
    seed: &'s [u8; 32],
    stream: u64,
    make: Blocks,
    /// The blocks from this one on have not been computed.
    next: u64,
    words: Words,
    /// How many of these words have been used, and how many have been computed.
    taken: usize,
    known: usize,
}

impl<'s> StreamNumbers<'s> {
    pub fn new(seed: &'s [u8; 32], stream: u64, make: Blocks) -> StreamNumbers<'s> {
        StreamNumbers {
            seed,
            stream,
            make,
            next: 0,
            words: Words::default(),
            taken: 0,
            known: 0,
        }
    }

    /// Returns the next number. `wanted`: how many numbers will be needed, this one included.
    #[inline]
    fn number(&mut self, wanted: usize) -> u32 {
        if self.taken == self.known {
            self.go_on(wanted);
        }
        let number = self.words.as_flattened().get(self.taken).copied();
        self.taken += 1;
        number.unwrap_or_default()
    }

    #[inline(never)]
    fn go_on(&mut self, wanted: usize) {
        let blocks = wanted.div_ceil(BLOCK).clamp(1, BLOCKS);
        (self.make)(self.seed, self.stream, self.next, &mut self.words, blocks);
        self.next += blocks as u64;
        (self.taken, self.known) = (0, blocks * BLOCK);
    }

    /// Returns the next result of [`wyrmgate_engine::rng::Rng::below`] for `n` of at least two and at most [`MEMBERS_MAX`].
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        let part = RECIPROCALS.get(n).copied().unwrap_or_default();
        let n = n as u64;
        loop {
            let number = u64::from(self.number(n as usize - 1));
            let low = u128::from(part.wrapping_mul(number));
            let rest = ((low * u128::from(n)) >> 64) as u64;
            // It belongs to a whole multiple of `n`.
            if number - rest <= u64::from(u32::MAX) - (n - 1) {
                return rest as usize;
            }
        }
    }
}

/// By divisor: what a remainder is multiplied from (Lemire, Kaser and Kurz, Faster remainder by direct computation, 2019).
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which checks it"
)]
static RECIPROCALS: [u64; MEMBERS_MAX + 1] = {
    let mut parts = [0; MEMBERS_MAX + 1];
    let mut divisor = 2;
    while divisor <= MEMBERS_MAX {
        parts[divisor] = u64::MAX / divisor as u64 + 1;
        divisor += 1;
    }
    parts
};

fn plain(seed: &[u8; 32], stream: u64, first: u64, words: &mut Words, wanted: usize) {
    for (place, count) in words.iter_mut().zip(first..).take(wanted) {
        *place = block(seed, stream, count);
    }
}

/// Stores the rows of blocks that lie side by side.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn store<const N: usize>(rows: [[u32; N]; 4], into: &mut [[u32; BLOCK]]) {
    for (number, block) in (0..N / 4).zip(into) {
        let (places, _) = block.as_chunks_mut::<4>();
        for (place, row) in places.iter_mut().zip(&rows) {
            let (parts, _) = row.as_chunks::<4>();
            *place = parts.get(number).copied().unwrap_or_default();
        }
    }
}

/// Returns the initial rows of consecutive blocks, before any round of the cipher.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn side_by_side<const N: usize>(seed: &[u8; 32], stream: u64, first: u64) -> [[u32; N]; 4] {
    let mut rows = [[0; N]; 4];
    for (number, count) in (0..N / 4).zip(first..) {
        for (row, part) in rows.iter_mut().zip(start(seed, stream, count)) {
            let (parts, _) = row.as_chunks_mut::<4>();
            if let Some(place) = parts.get_mut(number) {
                *place = part;
            }
        }
    }
    rows
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(seed: &[u8; 32], stream: u64, first: u64, words: &mut Words, wanted: usize) {
    let (pairs, _) = words.as_chunks_mut::<2>();
    let firsts = (first..).step_by(2);
    for (pair, first) in pairs.iter_mut().zip(firsts).take(wanted.div_ceil(2)) {
        let rows = side_by_side(seed, stream, first).map(Eight::new);
        store(rounds(rows).map(Eight::words), pair);
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) fn fastest() -> Blocks {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: «the machine can»: the features were tested just now.
        return |seed, stream, first, words, wanted| unsafe {
            with_avx2(seed, stream, first, words, wanted)
        };
    }
    plain
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn fastest() -> Blocks {
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use wyrmgate_engine::rng::{Label, Rng};

    #[test]
    fn numbers_are_those_of_the_stream() {
        let seed = std::array::from_fn(|at| at as u8);
        let mut makes: Vec<Blocks> = vec![plain, fastest()];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: «the machine can»: the features were tested just now.
            makes.push(|seed, stream, first, words, wanted| unsafe {
                with_avx2(seed, stream, first, words, wanted)
            });
        }
        for make in makes {
            let mut ours = StreamNumbers::new(&seed, Rng::stream(Label::Shuffle, 3), make);
            let mut stream = Rng::new(seed, Label::Shuffle, 3);
            for n in (2..=MEMBERS_MAX).rev() {
                assert_eq!(ours.below(n), stream.below(n as u32) as usize, "below {n}");
            }
        }
    }
}

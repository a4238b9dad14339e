//! Shuffles: the numbers of several blocks of a stream are computed side by side, and divided by multiplication.

use crate::driver::context::{Context, MEMBERS_MAX};
#[cfg(target_arch = "x86_64")]
use crate::events::lanes::{Eight, Quick, Sixteen};
use crate::function::helper::with_game;
use wyrmgate_engine::chacha::{BLOCK, block};
#[cfg(target_arch = "x86_64")]
use wyrmgate_engine::chacha::{rounds, start};
use wyrmgate_engine::layout::header;
use wyrmgate_engine::rng::{Label, Rng};

/// The number of blocks that are computed side by side.
const BLOCKS: usize = 4;

pub(crate) type Words = [[u32; BLOCK]; BLOCKS];

/// Computes blocks of a stream, beginning with the one that has this number. The last argument is the minimum number of
/// blocks.
pub(crate) type Blocks = fn(&[u8; 32], (u64, u64), &mut Words, usize);

/// The numbers of one stream.
struct Numbers<'s> {
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

impl Numbers<'_> {
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
        let first = (self.stream, self.next);
        (self.make)(self.seed, first, &mut self.words, blocks);
        self.next += blocks as u64;
        (self.taken, self.known) = (0, blocks * BLOCK);
    }

    /// Returns the next result of [`Rng::below`] for `n` of at least two and at most [`MEMBERS_MAX`].
    #[inline]
    fn below(&mut self, n: usize) -> usize {
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

/// Shuffles the components of a zone, as the interpreter does; all of them fit into a buffer.
pub(crate) unsafe extern "C" fn shuffle(context: *mut Context, zone: i32) {
    with_game(context, |context, _, state| {
        if !state.is_zone(zone) {
            return;
        }
        let count = state.zone_count(zone).max(0);
        context.fuel -= i64::from(count);
        let make = context.ahead.blocks;
        let Some(order) = context.buffer(0, count as usize) else {
            context.failed = 1;
            return;
        };
        let draws = state.draws_made();
        state.set_head(header::DRAWS, draws.wrapping_add(1) as i32);
        let places = order.iter_mut().zip(state.members(zone));
        places.for_each(|(place, component)| *place = component);
        let numbers = Numbers {
            seed: &state.seed,
            stream: Rng::stream(Label::Shuffle, draws),
            make,
            next: 0,
            words: [[0; BLOCK]; BLOCKS],
            taken: 0,
            known: 0,
        };
        mix(order, numbers);
        state.lay_shuffled(zone, order);
    });
}

/// Exchanges each member, from the last to the first, with a random one at or before its place.
fn mix(order: &mut [i32], mut numbers: Numbers<'_>) {
    for last in (1..order.len()).rev() {
        let other = numbers.below(last + 1);
        order.swap(last, other.min(last));
    }
}

fn plain(seed: &[u8; 32], (stream, first): (u64, u64), words: &mut Words, wanted: usize) {
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
fn side_by_side<const N: usize>(seed: &[u8; 32], (stream, first): (u64, u64)) -> [[u32; N]; 4] {
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
fn with_avx2(seed: &[u8; 32], (stream, first): (u64, u64), words: &mut Words, wanted: usize) {
    let (pairs, _) = words.as_chunks_mut::<2>();
    let firsts = (first..).step_by(2);
    for (pair, first) in pairs.iter_mut().zip(firsts).take(wanted.div_ceil(2)) {
        let rows = side_by_side(seed, (stream, first)).map(Eight::new);
        store(rounds(rows).map(Eight::words), pair);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
fn with_avx512(seed: &[u8; 32], first: (u64, u64), words: &mut Words, wanted: usize) {
    if wanted == 1 {
        let rows = side_by_side(seed, first).map(Quick::new);
        return store(rounds(rows).map(Quick::words), words);
    }
    let rows = side_by_side(seed, first).map(Sixteen::new);
    store(rounds(rows).map(Sixteen::words), words);
}

#[cfg(target_arch = "x86_64")]
pub(crate) fn fastest() -> Blocks {
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
        // SAFETY: «the machine can»: the features were tested just now.
        return |seed, first, words, wanted| unsafe { with_avx512(seed, first, words, wanted) };
    }
    if is_x86_feature_detected!("avx2") {
        // SAFETY: «the machine can»: the features were tested just now.
        return |seed, first, words, wanted| unsafe { with_avx2(seed, first, words, wanted) };
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

    fn numbers(seed: &[u8; 32], make: Blocks) -> Numbers<'_> {
        Numbers {
            seed,
            stream: Rng::stream(Label::Shuffle, 3),
            make,
            next: 0,
            words: Words::default(),
            taken: 0,
            known: 0,
        }
    }

    #[test]
    fn numbers_are_those_of_the_stream() {
        let seed = std::array::from_fn(|at| at as u8);
        let mut makes: Vec<Blocks> = vec![plain, fastest()];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: «the machine can»: the features were tested just now.
            makes.push(|seed, first, words, wanted| unsafe {
                with_avx2(seed, first, words, wanted)
            });
        }
        for make in makes {
            let mut ours = numbers(&seed, make);
            let mut stream = Rng::new(seed, Label::Shuffle, 3);
            for n in (2..=MEMBERS_MAX).rev() {
                assert_eq!(ours.below(n), stream.below(n as u32) as usize, "below {n}");
            }
        }
    }
}

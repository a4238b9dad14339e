//! ChaCha12 (D. J. Bernstein), one block of a stream at a time: most random operations take one or two numbers, and a
//! generator that fills a buffer would compute sixteen times as many.

/// The number of words in a block.
pub const BLOCK: usize = 16;

const DOUBLE_ROUNDS: usize = 6;

/// "expand 32-byte k"
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// Returns block number `count` of the stream of a key.
pub fn block(key: &[u8; 32], stream: u64, count: u64) -> [u32; BLOCK] {
    let rows = rounds(start(key, stream, count).map(Four));
    let mut block = [0; BLOCK];
    let (places, _) = block.as_chunks_mut::<4>();
    for (place, row) in places.iter_mut().zip(rows) {
        *place = row.0;
    }
    block
}

/// Returns the rows of a block before its rounds.
#[inline(always)]
fn start(key: &[u8; 32], stream: u64, count: u64) -> [[u32; 4]; 4] {
    let (low, high) = key_rows(key);
    let place = [
        count as u32,
        (count >> 32) as u32,
        stream as u32,
        (stream >> 32) as u32,
    ];
    [CONSTANTS, low, high, place]
}

/// Returns the rows of a finished block. Each row is a register: four columns at once.
#[inline(always)]
fn rounds(start: [Four; 4]) -> [Four; 4] {
    let mut rows = start;
    for _ in 0..DOUBLE_ROUNDS {
        rows = quarter_round(rows);
        // The second round of a pair goes along the diagonals: columns again, once the rows are turned.
        let [a, b, c, d] = rows;
        let [a, b, c, d] = quarter_round([a, b.left(), c.across(), d.right()]);
        rows = [a, b.right(), c.across(), d.left()];
    }
    let ([a, b, c, d], [e, f, g, h]) = (rows, start);
    [a.sum(e), b.sum(f), c.sum(g), d.sum(h)]
}

/// Words processed in parallel: a row of a block, or the same word of several blocks.
pub trait Lane: Copy {
    fn all(word: u32) -> Self;
    fn sum(self, other: Self) -> Self;
    /// Returns the exclusive or, rotated to the left by this many bits; `REST` is the remainder to 32.
    fn mixed<const BITS: i32, const REST: i32>(self, other: Self) -> Self;
}

/// Returns the first numbers of several streams, whose blocks are computed in parallel. The streams are given by their
/// names, low and high word.
#[inline(always)]
pub fn first_numbers<L: Lane>(key: &[u8; 32], [low, high]: [L; 2]) -> L {
    let (one, other) = key_rows(key);
    let none = L::all(0);
    let place = [none, none, low, high];
    let mut rows = [
        CONSTANTS.map(L::all),
        one.map(L::all),
        other.map(L::all),
        place,
    ];
    for _ in 0..DOUBLE_ROUNDS {
        rows = double_round(rows);
    }
    let ([[first, ..], ..], [start, ..]) = (rows, CONSTANTS);
    first.sum(L::all(start))
}

#[inline(always)]
fn double_round<L: Lane>([a, b, c, d]: [[L; 4]; 4]) -> [[L; 4]; 4] {
    let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (a, b);
    let ([c0, c1, c2, c3], [d0, d1, d2, d3]) = (c, d);
    let [a0, b0, c0, d0] = quarter_round([a0, b0, c0, d0]);
    let [a1, b1, c1, d1] = quarter_round([a1, b1, c1, d1]);
    let [a2, b2, c2, d2] = quarter_round([a2, b2, c2, d2]);
    let [a3, b3, c3, d3] = quarter_round([a3, b3, c3, d3]);
    let [a0, b1, c2, d3] = quarter_round([a0, b1, c2, d3]);
    let [a1, b2, c3, d0] = quarter_round([a1, b2, c3, d0]);
    let [a2, b3, c0, d1] = quarter_round([a2, b3, c0, d1]);
    let [a3, b0, c1, d2] = quarter_round([a3, b0, c1, d2]);
    [
        [a0, a1, a2, a3],
        [b0, b1, b2, b3],
        [c0, c1, c2, c3],
        [d0, d1, d2, d3],
    ]
}

/// Computes as many quarter rounds in parallel as there are words.
#[inline(always)]
fn quarter_round<L: Lane>([a, b, c, d]: [L; 4]) -> [L; 4] {
    let a = a.sum(b);
    let d = d.mixed::<16, 16>(a);
    let c = c.sum(d);
    let b = b.mixed::<12, 20>(c);
    let a = a.sum(b);
    let d = d.mixed::<8, 24>(a);
    let c = c.sum(d);
    let b = b.mixed::<7, 25>(c);
    [a, b, c, d]
}

/// Four words, which compilers keep in one register where the machine has one.
#[derive(Clone, Copy)]
pub struct Four(pub [u32; 4]);

impl Lane for Four {
    #[inline(always)]
    fn all(word: u32) -> Four {
        Four([word; 4])
    }

    #[inline(always)]
    fn sum(self, other: Four) -> Four {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        let sum = u32::wrapping_add;
        Four([sum(a, e), sum(b, f), sum(c, g), sum(d, h)])
    }

    #[inline(always)]
    fn mixed<const BITS: i32, const REST: i32>(self, other: Four) -> Four {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Four([a ^ e, b ^ f, c ^ g, d ^ h].map(|word| word.rotate_left(BITS as u32)))
    }
}

/// A row of a block can be turned: all words move on by one, two or three places.
impl Four {
    /// Returns the words with the second one first and the first one last.
    #[inline(always)]
    fn left(self) -> Four {
        let [a, b, c, d] = self.0;
        Four([b, c, d, a])
    }

    #[inline(always)]
    fn across(self) -> Four {
        let [a, b, c, d] = self.0;
        Four([c, d, a, b])
    }

    #[inline(always)]
    fn right(self) -> Four {
        let [a, b, c, d] = self.0;
        Four([d, a, b, c])
    }
}

#[inline(always)]
fn key_rows(key: &[u8; 32]) -> ([u32; 4], [u32; 4]) {
    let mut words = [0; 8];
    let (parts, _) = key.as_chunks::<4>();
    for (word, part) in words.iter_mut().zip(parts) {
        *word = u32::from_le_bytes(*part);
    }
    let [a, b, c, d, e, f, g, h] = words;
    ([a, b, c, d], [e, f, g, h])
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::ChaCha12Rng;
    use rand::{Rng as _, SeedableRng as _};

    #[test]
    fn the_numbers_are_those_of_another_implementation() {
        for number in 0..50u8 {
            let key: [u8; 32] = std::array::from_fn(|i| number.wrapping_mul(37) ^ i as u8);
            let stream = u64::from(number) << (number % 60);
            let mut other = ChaCha12Rng::from_seed(key);
            other.set_stream(stream);
            let blocks = (0..5).flat_map(|count| block(&key, stream, count));
            for word in blocks {
                assert_eq!(word, other.next_u32(), "stream {stream}");
            }
        }
    }
}

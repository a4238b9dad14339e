//! ChaCha12 (D. J. Bernstein), one block of a stream at a time: most random operations take a number or two, and a
//! generator that fills a buffer would make sixteen times as many.

/// Four words side by side. Each operation is written for all four, so that it becomes one instruction where there are
/// such.
type Row = [u32; 4];

/// Numbers in a block.
pub(super) const BLOCK: usize = 16;

const DOUBLE_ROUNDS: usize = 6;

/// "expand 32-byte k"
const CONSTANTS: Row = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// Block number `count` of the stream of a key.
pub(super) fn block(key: &[u8; 32], stream: u64, count: u64) -> [u32; BLOCK] {
    let (low, high) = key_rows(key);
    let place = [
        count as u32,
        (count >> 32) as u32,
        stream as u32,
        (stream >> 32) as u32,
    ];
    let start = [CONSTANTS, low, high, place];
    let mut rows = start;
    for _ in 0..DOUBLE_ROUNDS {
        rows = round(rows);
        // The second round of a pair goes along the diagonals: columns again, once the rows are turned.
        let [a, b, c, d] = rows;
        let [a, b, c, d] = round([a, left(b), left(left(c)), right(d)]);
        rows = [a, right(b), left(left(c)), left(d)];
    }
    let [a, b, c, d] = rows;
    let [e, f, g, h] = start;
    let mut block = [0; BLOCK];
    let sums = [sum(a, e), sum(b, f), sum(c, g), sum(d, h)];
    for (place, word) in block.iter_mut().zip(sums.as_flattened()) {
        *place = *word;
    }
    block
}

fn key_rows(key: &[u8; 32]) -> (Row, Row) {
    let mut words = [0; 8];
    let (parts, _) = key.as_chunks::<4>();
    for (word, part) in words.iter_mut().zip(parts) {
        *word = u32::from_le_bytes(*part);
    }
    let [a, b, c, d, e, f, g, h] = words;
    ([a, b, c, d], [e, f, g, h])
}

/// A quarter round in each of the four columns.
#[inline(always)]
fn round([a, b, c, d]: [Row; 4]) -> [Row; 4] {
    let a = sum(a, b);
    let d = mixed::<16>(d, a);
    let c = sum(c, d);
    let b = mixed::<12>(b, c);
    let a = sum(a, b);
    let d = mixed::<8>(d, a);
    let c = sum(c, d);
    let b = mixed::<7>(b, c);
    [a, b, c, d]
}

#[inline(always)]
fn sum([a, b, c, d]: Row, [e, f, g, h]: Row) -> Row {
    [
        a.wrapping_add(e),
        b.wrapping_add(f),
        c.wrapping_add(g),
        d.wrapping_add(h),
    ]
}

/// Exclusive or, then so many bits to the left.
#[inline(always)]
fn mixed<const BITS: u32>([a, b, c, d]: Row, [e, f, g, h]: Row) -> Row {
    [a ^ e, b ^ f, c ^ g, d ^ h].map(|word| word.rotate_left(BITS))
}

#[inline(always)]
fn left([a, b, c, d]: Row) -> Row {
    [b, c, d, a]
}

#[inline(always)]
fn right([a, b, c, d]: Row) -> Row {
    [d, a, b, c]
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

//! Fixed-width hexadecimal numbers.

/// Returns the last `N` digits of a number. Every change writes a few of these, so they are formatted by hand.
pub(super) fn digits<const N: usize>(number: u64) -> [u8; N] {
    let mut digits = [0; N];
    for (place, digit) in digits.iter_mut().rev().enumerate() {
        let four = (number >> (4 * place)) as u8 & 15;
        *digit = four + if four < 10 { b'0' } else { b'a' - 10 };
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_formatter() {
        for number in [0, 1, 0x9af0, u64::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(digits::<16>(number), *format!("{number:016x}").as_bytes());
        }
        assert_eq!(&digits::<4>(0x0012_3abc), b"3abc");
    }
}

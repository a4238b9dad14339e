//! Bytes and numbers as hexadecimal text; 32 bytes also in JSON.

use serde::{Deserialize, Deserializer, Serializer};

const DIGITS: &[u8; 16] = b"0123456789abcdef";
/// The value of each digit; more than 15 for bytes that are none.
const VALUES: [u8; 256] = values();

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which would refuse it"
)]
const fn values() -> [u8; 256] {
    let mut values = [u8::MAX; 256];
    let mut value = 0;
    while value < DIGITS.len() {
        values[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    values
}

/// Returns two digits for each byte.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    push(&mut text, bytes);
    text
}

/// Appends two digits for each byte.
pub fn push(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        text.push(char::from(digit(byte >> 4)));
        text.push(char::from(digit(*byte)));
    }
}

/// Returns the last `N` digits of a number.
pub fn last_digits<const N: usize>(number: u64) -> [u8; N] {
    let mut digits = [0; N];
    for (place, into) in digits.iter_mut().rev().enumerate() {
        *into = digit((number >> (4 * place)) as u8);
    }
    digits
}

/// Returns the digit of the lower four bits.
#[expect(
    clippy::indexing_slicing,
    reason = "four bits are below 16, the digits' number"
)]
fn digit(bits: u8) -> u8 {
    DIGITS[usize::from(bits & 15)]
}

/// Returns `None` unless the text has exactly 64 hexadecimal digits. Every request with a token passes here, so all digits
/// are looked up first and checked at once.
pub fn decode(text: &str) -> Option<[u8; 32]> {
    #[expect(
        clippy::indexing_slicing,
        reason = "a byte is below 256, the values' number"
    )]
    let value = |digit: u8| VALUES[usize::from(digit)];
    let text: &[u8; 64] = text.as_bytes().try_into().ok()?;
    let (pairs, _) = text.as_chunks::<2>();
    let mut bytes = [0; 32];
    let mut all = 0;
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        let (high, low) = (value(*high), value(*low));
        all |= high | low;
        *byte = high << 4 | low;
    }
    (all < 16).then_some(bytes)
}

pub fn serialize<S: Serializer>(bytes: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&encode(bytes))
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
    let text = String::deserialize(from)?;
    decode(&text).ok_or_else(|| serde::de::Error::custom("expected 64 hexadecimal digits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_their_text_and_other_texts_are_none() {
        let bytes: [u8; 32] = std::array::from_fn(|at| (at * 37) as u8);
        let text = encode(&bytes);
        assert_eq!(decode(&text), Some(bytes));
        for wrong in ["g", "A", " ", "/", ":"] {
            assert_eq!(decode(&format!("{wrong}{}", &text[1..])), None, "{wrong}");
        }
        assert_eq!(decode(&text[1..]), None);
    }

    #[test]
    fn digits_are_those_of_the_formatter() {
        for number in [0, 1, 0x9af0, u64::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(
                last_digits::<16>(number),
                *format!("{number:016x}").as_bytes()
            );
        }
        assert_eq!(&last_digits::<4>(0x0012_3abc), b"3abc");
    }
}

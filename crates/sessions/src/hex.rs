//! Thirty-two bytes as hexadecimal text, also in JSON.

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

pub fn encode(bytes: &[u8; 32]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    push(&mut text, bytes);
    text
}

/// Appends two digits for each byte.
pub fn push(text: &mut String, bytes: &[u8]) {
    #[expect(
        clippy::indexing_slicing,
        reason = "four bits are below 16, the digits' number"
    )]
    let digit = |four: u8| char::from(DIGITS[usize::from(four & 15)]);
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(*byte));
    }
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
}

//! Thirty-two bytes as hexadecimal text, also in JSON.

use serde::{Deserialize, Deserializer, Serializer};

const DIGITS: &[u8; 16] = b"0123456789abcdef";

pub fn encode(bytes: &[u8; 32]) -> String {
    #[expect(
        clippy::indexing_slicing,
        reason = "four bits are below 16, the digits' number"
    )]
    let digit = |four: u8| char::from(DIGITS[usize::from(four & 15)]);
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(*byte)])
        .collect()
}

/// Returns `None` unless the text has exactly 64 hexadecimal digits.
pub fn decode(text: &str) -> Option<[u8; 32]> {
    let text: &[u8; 64] = text.as_bytes().try_into().ok()?;
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        *byte = pair
            .iter()
            .try_fold(0, |byte, digit| Some(byte << 4 | value(*digit)?))?;
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

pub fn serialize<S: Serializer>(bytes: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&encode(bytes))
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
    let text = String::deserialize(from)?;
    decode(&text).ok_or_else(|| serde::de::Error::custom("expected 64 hexadecimal digits"))
}

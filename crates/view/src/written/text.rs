//! Texts in JSON: their escapes, and those that need none.

/// Appends a text in quotes.
pub(crate) fn push_text(to: &mut String, text: &str) {
    to.reserve(text.len() + 2);
    to.push('"');
    match is_plain(text.as_bytes()) {
        true => to.push_str(text),
        false => text.chars().for_each(|character| escape(to, character)),
    }
    to.push('"');
}

/// Returns whether nothing in a text has to be escaped.
fn is_plain(text: &[u8]) -> bool {
    let is_plain = |byte: &u8| *byte >= b' ' && *byte != b'"' && *byte != b'\\';
    let (words, rest) = text.as_chunks::<8>();
    let found = words
        .iter()
        .fold(0, |found, word| found | unusual(u64::from_le_bytes(*word)));
    found == 0 && rest.iter().all(is_plain)
}

/// Returns a number other than 0 if one of eight bytes has to be escaped.
fn unusual(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    // The highest bit of a byte is set if the byte is less than the subtrahend and was not set before.
    let is_less = |word: u64, than: u8| word.wrapping_sub(ONES * u64::from(than)) & !word & HIGH;
    let is = |byte: u8| is_less(word ^ (ONES * u64::from(byte)), 1);
    is_less(word, b' ') | is(b'"') | is(b'\\')
}

fn escape(to: &mut String, character: char) {
    match character {
        '"' => to.push_str("\\\""),
        '\\' => to.push_str("\\\\"),
        '\n' => to.push_str("\\n"),
        '\r' => to.push_str("\\r"),
        '\t' => to.push_str("\\t"),
        '\u{8}' => to.push_str("\\b"),
        '\u{c}' => to.push_str("\\f"),
        control if control < ' ' => to.push_str(&format!("\\u{:04x}", u32::from(control))),
        other => to.push(other),
    }
}

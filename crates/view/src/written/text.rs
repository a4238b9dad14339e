//! Texts in JSON: their escapes, and those that need none.

/// Appends a text in quotes.
pub(crate) fn push_text(to: &mut Vec<u8>, text: &str) {
    to.reserve(text.len() + 2);
    to.push(b'"');
    match is_plain(text.as_bytes()) {
        true => to.extend_from_slice(text.as_bytes()),
        false => text.bytes().for_each(|byte| escape(to, byte)),
    }
    to.push(b'"');
}

/// Returns whether nothing in a text has to be escaped.
fn is_plain(text: &[u8]) -> bool {
    // The last bytes may overlap those before.
    if let Some(last) = text.last_chunk::<16>() {
        let (chunks, _) = text.as_chunks::<16>();
        return chunks.iter().chain([last]).fold(0, escaped_among) == 0;
    }
    if let (Some(first), Some(last)) = (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        let [first, last] = [first, last].map(|word| unusual(u64::from_le_bytes(*word)));
        return first | last == 0;
    }
    if let (Some(first), Some(last)) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        let [first, last] = [first, last].map(|half| u64::from(u32::from_le_bytes(*half)));
        return unusual(first | last << 32) == 0;
    }
    text.iter().all(|byte| !is_escaped(*byte))
}

/// Adds 1 to a sum for each byte that has to be escaped. Compilers test sixteen bytes at once.
fn escaped_among(sum: usize, chunk: &[u8; 16]) -> usize {
    let escaped = chunk.iter().map(|byte| u8::from(is_escaped(*byte)));
    sum + usize::from(escaped.sum::<u8>())
}

fn is_escaped(byte: u8) -> bool {
    (byte < b' ') | (byte == b'"') | (byte == b'\\')
}

/// Returns a number other than 0 if one of eight bytes has to be escaped.
fn unusual(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    // The highest bit of a byte is set if the byte is less than the other number and was not set before.
    let is_less = |word: u64, than: u8| word.wrapping_sub(ONES * u64::from(than)) & !word & HIGH;
    let is = |byte: u8| is_less(word ^ (ONES * u64::from(byte)), 1);
    is_less(word, b' ') | is(b'"') | is(b'\\')
}

fn escape(to: &mut Vec<u8>, byte: u8) {
    let letter = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        8 => b'b',
        12 => b'f',
        control if control < b' ' => {
            return to.extend_from_slice(format!("\\u{control:04x}").as_bytes());
        }
        other => return to.push(other),
    };
    to.extend_from_slice(&[b'\\', letter]);
}

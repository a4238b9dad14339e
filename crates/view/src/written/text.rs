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

/// Returns whether nothing in a text has to be escaped. Without an early end, compilers test many bytes at once.
fn is_plain(text: &[u8]) -> bool {
    let is_escaped = |byte: u8| (byte < b' ') | (byte == b'"') | (byte == b'\\');
    !text
        .iter()
        .fold(false, |found, byte| found | is_escaped(*byte))
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

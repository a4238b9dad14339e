//! The word, number or sign with which a text begins.

/// Returns the word, number or character with which a text begins.
pub(super) fn token(text: &str) -> &str {
    let is_wordy = |c: char| c.is_alphanumeric() || c == '_';
    let first = text.chars().next();
    let length = match first {
        None | Some(' ' | '\n') => 0,
        Some(c) if is_wordy(c) => text.find(|c| !is_wordy(c)).unwrap_or(text.len()),
        Some(c) => ["==", "!=", "<=", ">=", "&&", "||", "+=", "-="]
            .iter()
            .find(|sign| text.starts_with(**sign))
            .map_or(c.len_utf8(), |sign| sign.len()),
    };
    text.get(..length).unwrap_or_default()
}

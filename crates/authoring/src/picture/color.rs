//! Colors of spaces and tokens, taken from color names in the rules.

use wyrmgate_view::Doc;

/// Names of colors that are used for game pieces, with shades on which letters are readable.
const NAMED: &[(&str, &str)] = &[
    ("black", "#3a3a3a"),
    ("blue", "#4a7fc1"),
    ("brown", "#8d6748"),
    ("cyan", "#4ab5c1"),
    ("gold", "#d4af37"),
    ("gray", "#9a9a9a"),
    ("green", "#5a9e5a"),
    ("grey", "#9a9a9a"),
    ("orange", "#e08a3c"),
    ("pink", "#d98cb3"),
    ("purple", "#8a5fa8"),
    ("red", "#c14a4a"),
    ("silver", "#b5b5b5"),
    ("violet", "#8a5fa8"),
    ("white", "#f5f0e6"),
    ("yellow", "#e0c341"),
];

/// Colors for seats and for everything without a color of its own.
const SEATS: [&str; 8] = [
    "#c14a4a", "#4a7fc1", "#5a9e5a", "#e0c341", "#8a5fa8", "#e08a3c", "#4ab5c1", "#d98cb3",
];
pub const PLAIN: &str = "#d9cfb8";

/// Returns the first color among the fields of an object: a value that names one, or a flag named after one (`is_blue:
/// true`).
pub fn named<'v>(fields: impl Iterator<Item = (&'v str, &'v Doc<'v>)>) -> Option<&'static str> {
    let mut words = fields.filter_map(|(key, value)| match value {
        Doc::Bool(true) => Some(key),
        value => value.as_str(),
    });
    words.find_map(tone)
}

fn tone(word: &str) -> Option<&'static str> {
    let known = |(name, _): &&(&str, &str)| word == *name || word.ends_with(&format!("_{name}"));
    NAMED.iter().find(known).map(|(_, tone)| *tone)
}

/// Returns whether light letters are easier to read on it, by perceived brightness (ITU-R BT.601).
pub fn is_dark(tone: &str) -> bool {
    let part = |at: usize| {
        let digits = tone.get(at..at + 2);
        let part = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        part.unwrap_or(255)
    };
    part(1) * 299 + part(3) * 587 + part(5) * 114 < 100_000
}

/// Returns the color of a seat, counted from 1.
pub fn of_seat(seat: i64) -> &'static str {
    let at = usize::try_from(seat.saturating_sub(1)).unwrap_or_default() % SEATS.len();
    SEATS.get(at).copied().unwrap_or(PLAIN)
}

//! Checks that texts from clients contain no invisible characters and no characters that change the direction of
//! surrounding text.
//!
//! Character classes come from Unicode, via `icu_properties`.

use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
use icu_properties::{CodePointMapData, CodePointSetData};

/// Format characters that belong to words of some languages: joiners, and marks for the direction of a line.
const IN_WORDS: [char; 6] = [
    '\u{ad}', '\u{61c}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}',
];

/// Returns the first invisible character in a file of rules, with its line. Files may have line breaks and words of any
/// language.
pub fn invisible_in_file(text: &str) -> Option<(usize, char)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_text = |c: char| matches!(c, '\n' | '\r' | '\t') || IN_WORDS.contains(&c);
    let found = |line: &str| line.chars().find(|c| is_hidden(*c) && !is_text(*c));
    let mut lines = (1..).zip(text.split('\n'));
    lines.find_map(|(number, line)| Some((number, found(line)?)))
}

/// Formats a character as `U+202E`.
pub fn code_point(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// Returns whether a character is a control or format character, a line break, or one of private use.
pub fn is_hidden(c: char) -> bool {
    use GeneralCategory as Of;
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    let hidden = [
        Of::Control,
        Of::Format,
        Of::LineSeparator,
        Of::ParagraphSeparator,
        Of::PrivateUse,
    ];
    hidden.contains(&category)
}

pub fn is_ignorable(c: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_have_lines_and_words_and_nothing_that_turns_them() {
        assert_eq!(invisible_in_file("\u{feff}a: b\r\n\tc: می‌خواهم\n"), None);
        let found = invisible_in_file("a: b\nc: \u{202e}d\n");
        assert_eq!(found, Some((2, '\u{202e}')));
        assert_eq!(invisible_in_file("a\u{200b}"), Some((1, '\u{200b}')));
    }
}

//! Characters that nobody sees, and that mislead readers of a text or control a terminal.

use std::borrow::Cow;

/// Format characters that belong to words of some languages: joiners, and marks for the direction of a line.
const IN_WORDS: [char; 6] = [
    '\u{ad}', '\u{61c}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}',
];

/// Stands for a hidden character that has no picture of its own.
const SUBSTITUTE: char = '\u{2426}';

/// Returns whether nobody sees this character: Unicode has it for control, format, separators of lines or private use
/// (categories Cc, Cf, Zl, Zp and Co).
pub fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{e000}'..='\u{f8ff}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}' | '\u{10ffff}'
    )
}

/// Returns whether a text with this character may look other than it is. Lines, tabs and words of any language do not.
pub fn misleads(c: char) -> bool {
    is_hidden(c) && !matches!(c, '\n' | '\t') && !IN_WORDS.contains(&c)
}

/// Returns the character, or a picture (`␛`) in place of one that misleads.
pub fn picture_of(c: char) -> char {
    match u32::from(c) {
        _ if !misleads(c) => c,
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or(SUBSTITUTE),
        0x7f => '\u{2421}',
        _ => SUBSTITUTE,
    }
}

/// Returns a text for people, with pictures in place of characters that mislead. Lines may end as on Windows.
pub fn pictured(text: &str) -> Cow<'_, str> {
    if !text.chars().any(misleads) {
        return text.into();
    }
    let line = |line: &str| line.chars().map(picture_of).collect::<String>();
    let lines: Vec<String> = text.split("\r\n").map(line).collect();
    lines.join("\r\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_controls_a_terminal_becomes_a_picture() {
        assert_eq!(pictured("a\u{1b}[2J\u{7}b\u{7f}"), "a␛[2J␇b␡");
        assert_eq!(pictured("\u{202e}\u{85}\u{9b}\r"), "␦␦␦␍");
        assert_eq!(pictured("a\tb\r\nc\n"), "a\tb\r\nc\n");
        assert_eq!(pictured("می‌خواهم 🐉"), "می‌خواهم 🐉");
    }
}

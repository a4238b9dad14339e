//! What the commands print: nothing in a text for people can control their terminal or mislead them.

use std::fmt::Arguments;
use std::io::{self, Write};

use crate::visible::pictured;

/// Writes formatted text with pictures in place of characters that mislead. Only colors stay as they are.
pub struct Shown<W>(pub W);

/// Where a control sequence of a terminal begins, and where one that sets colors ends.
const COLOR: (&str, char) = ("\u{1b}[", 'm');

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    fn write_fmt(&mut self, text: Arguments<'_>) -> io::Result<()> {
        let text = text.to_string();
        let mut pieces = text.split(COLOR.0);
        let first = pieces.next().unwrap_or_default();
        let mut shown = pictured(first).into_owned();
        for piece in pieces {
            let (begin, rest) = match piece.split_once(COLOR.1) {
                Some((codes, rest)) if is_color(codes) => {
                    (format!("{}{codes}{}", COLOR.0, COLOR.1), rest)
                }
                _ => (pictured(COLOR.0).into_owned(), piece),
            };
            shown += &begin;
            shown += &pictured(rest);
        }
        self.0.write_all(shown.as_bytes())
    }
}

/// `1;38;5;9`
fn is_color(codes: &str) -> bool {
    codes.chars().all(|c| c.is_ascii_digit() || c == ';')
}

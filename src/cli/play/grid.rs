//! A screen of characters, with their looks.

use crate::picture::{Ink, InkSpan, Spot};
use crate::visible::picture_of;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How a character looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    pub ink: Ink,
    /// Whether it is marked: the row that would be chosen, or what it refers to.
    pub is_marked: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    pub wide: usize,
    /// The second column of a wide character is empty.
    rows: Vec<Vec<(Option<char>, Style)>>,
}

/// A part of a grid: its upper left corner and its size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Part {
    pub x: usize,
    pub y: usize,
    pub wide: usize,
    pub high: usize,
}

impl Style {
    pub const fn of(ink: Ink) -> Style {
        let is_marked = false;
        Style { ink, is_marked }
    }
}

impl Part {
    /// Returns these lines of a part.
    pub fn lines(self, y: usize, high: usize) -> Part {
        Part { y, high, ..self }
    }

    /// Returns these columns of a part.
    pub fn columns(self, x: usize, wide: usize) -> Part {
        Part { x, wide, ..self }
    }
}

impl Grid {
    pub fn new(wide: usize, high: usize) -> Grid {
        let blank = (Some(' '), Style::default());
        Grid {
            wide,
            rows: vec![vec![blank; wide]; high],
        }
    }

    fn put(&mut self, x: usize, y: usize, what: (Option<char>, Style)) {
        if let Some(place) = self.rows.get_mut(y).and_then(|row| row.get_mut(x)) {
            *place = what;
        }
    }

    /// Writes a text into a part; what does not fit is cut off.
    pub fn write(&mut self, part: Part, line: usize, text: &str, style: Style) {
        let span = InkSpan {
            text: text.to_owned(),
            ink: style.ink,
        };
        self.spans(part, line, 0, &[span], style.is_marked);
    }

    /// Writes spans, from this column of theirs on.
    pub fn spans(
        &mut self,
        part: Part,
        line: usize,
        from: usize,
        spans: &[InkSpan],
        is_marked: bool,
    ) {
        if line >= part.high {
            return;
        }
        let mut at = 0;
        for span in spans {
            let style = Style {
                ink: span.ink,
                is_marked,
            };
            for letter in span.text.chars().map(picture_of) {
                let width = letter.width().unwrap_or(0);
                if width > 0 && at >= from && at - from + width <= part.wide {
                    let x = part.x + at - from;
                    self.put(x, part.y + line, (Some(letter), style));
                    (1..width).for_each(|next| self.put(x + next, part.y + line, (None, style)));
                }
                at += width;
            }
        }
    }

    /// Draws a line across a part, with a title in it.
    pub fn rule(&mut self, part: Part, title: &str) {
        let faint = Style::of(Ink::Faint);
        self.write(part, 0, &"─".repeat(part.wide), faint);
        if !title.is_empty() {
            let inside = part.columns(part.x + 2, part.wide.saturating_sub(4));
            self.write(inside, 0, &format!(" {title} "), faint);
        }
    }

    /// Marks a spot of a panel that a part shows from this column and line on.
    pub fn mark(&mut self, part: Part, left: usize, top: usize, spot: &Spot) {
        for y in spot.at.1..spot.at.1 + spot.size.1 {
            for x in spot.at.0..spot.at.0 + spot.size.0 {
                let (Some(x), Some(y)) = (x.checked_sub(left), y.checked_sub(top)) else {
                    continue;
                };
                if x >= part.wide || y >= part.high {
                    continue;
                }
                let place = self.rows.get_mut(part.y + y);
                if let Some((_, style)) = place.and_then(|row| row.get_mut(part.x + x)) {
                    style.is_marked = true;
                }
            }
        }
    }

    /// Returns each line as spans of one style.
    pub fn lines(&self) -> impl Iterator<Item = Vec<(String, Style)>> + '_ {
        self.rows.iter().map(|row| {
            let mut spans: Vec<(String, Style)> = Vec::new();
            for (letter, style) in row {
                let Some(letter) = letter else { continue };
                match spans.last_mut() {
                    Some((text, own)) if own == style => text.push(*letter),
                    _ => spans.push((letter.to_string(), *style)),
                }
            }
            spans
        })
    }

    /// Returns the characters alone.
    #[cfg(test)]
    pub fn text(&self) -> String {
        let lines = self.lines().map(|spans| {
            let line: String = spans.into_iter().map(|(text, _)| text).collect();
            line.trim_end().to_owned() + "\n"
        });
        lines.collect()
    }
}

/// Breaks a text into lines of at most this many columns.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

//! Color in pictures of characters.
//!
//! Where a picture can have color, marks in its text say where a color begins and ends, as the control sequences of terminals
//! do, so that one renderer writes texts with and without color. A mark has no width. [`inked`] turns marked lines into spans.

use unicode_width::UnicodeWidthChar;

use super::palette::{SWATCHES, Swatch};

/// How a part of a line looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ink {
    #[default]
    Plain,
    /// The most important words.
    Strong,
    /// Words that only give orientation.
    Faint,
    /// Something of this color.
    Color(&'static Swatch),
}

/// A part of a line in one ink.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InkSpan {
    pub text: String,
    pub ink: Ink,
}

/// Marks are characters for private use; those of colors follow.
const END: u32 = 0xF_0000;
const STRONG: u32 = END + 1;
const FAINT: u32 = END + 2;
const COLORS: u32 = END + 16;

impl Ink {
    fn code(self) -> u32 {
        match self {
            Ink::Plain => END,
            Ink::Strong => STRONG,
            Ink::Faint => FAINT,
            Ink::Color(swatch) => {
                let at = SWATCHES.iter().position(|other| other == swatch);
                at.map_or(END, |at| COLORS + at as u32)
            }
        }
    }

    fn of(code: u32) -> Ink {
        let color = code
            .checked_sub(COLORS)
            .and_then(|at| SWATCHES.get(at as usize));
        match (code, color) {
            (STRONG, _) => Ink::Strong,
            (FAINT, _) => Ink::Faint,
            (_, Some(swatch)) => Ink::Color(swatch),
            _ => Ink::Plain,
        }
    }

    /// Returns the mark with which this ink begins.
    pub(super) fn mark(self) -> Option<char> {
        char::from_u32(self.code())
    }

    /// Returns the ink that begins with this character, if it is a mark.
    pub(super) fn marked(letter: char) -> Option<Ink> {
        let code = u32::from(letter);
        let is_mark = (END..COLORS + SWATCHES.len() as u32).contains(&code);
        is_mark.then(|| Ink::of(code))
    }

    /// Marks a text.
    pub(super) fn around(self, text: &str) -> String {
        let begin = self.mark().into_iter();
        begin.chain(text.chars()).chain(Ink::Plain.mark()).collect()
    }
}

/// Returns the columns that a text takes.
pub(super) fn breadth(text: &str) -> usize {
    text.chars().map(width).sum()
}

pub(super) fn width(letter: char) -> usize {
    match Ink::marked(letter) {
        Some(_) => 0,
        None => letter.width().unwrap_or(0),
    }
}

/// Turns marked lines into spans. A color can continue in the next line.
pub(super) fn inked(lines: &[String]) -> Vec<Vec<InkSpan>> {
    let mut ink = Ink::Plain;
    lines.iter().map(|line| spans(line, &mut ink)).collect()
}

fn spans(line: &str, ink: &mut Ink) -> Vec<InkSpan> {
    let mut spans: Vec<InkSpan> = Vec::new();
    for letter in line.chars() {
        if let Some(next) = Ink::marked(letter) {
            *ink = next;
            continue;
        }
        match spans.last_mut() {
            Some(span) if span.ink == *ink => span.text.push(letter),
            _ => spans.push(InkSpan {
                text: letter.to_string(),
                ink: *ink,
            }),
        }
    }
    spans
}

//! Words in little room: the width of texts, wrapping, and short labels that never look alike.

use std::collections::{BTreeMap, BTreeSet};

/// Widths of the printable ASCII characters in hundredths of the size of letters, those of a wide font (DejaVu Sans), so
/// that texts fit in others too.
const WIDTHS: [u8; 95] = [
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75,
    79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35,
    63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
];

/// Returns the width of a text in letters of size 1.
pub fn width(text: &str) -> f32 {
    text.chars().map(width_of).sum()
}

fn width_of(letter: char) -> f32 {
    let at = (letter as usize).checked_sub(32);
    let known = at.and_then(|at| WIDTHS.get(at));
    match known {
        Some(hundredths) => f32::from(*hundredths) / 100.0,
        None if unicode_width::UnicodeWidthChar::width(letter) == Some(2) => 1.0,
        None => 0.7,
    }
}

/// Returns words that begin with a capital letter.
pub fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first
        .chain(letters.map(|letter| if letter == '_' { ' ' } else { letter }))
        .collect()
}

/// Returns whether a text is more than a letter, a rank or a number.
pub fn is_word(text: &str) -> bool {
    text.chars().filter(|letter| letter.is_alphabetic()).count() > 2
}

/// Lines of text at one size.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    pub size: f32,
    pub lines: Vec<String>,
}

/// Letters can shrink to this share of their size.
const SHRINK: f32 = 0.79;

/// Returns the text as lines within a box, as large as possible between the size and four fifths of it. `None` if it does not
/// fit even then. Words stay whole.
pub fn fitted(text: &str, room: (f32, f32), size: f32) -> Option<Fitted> {
    let sizes = [1.0, 0.93, 0.86, SHRINK];
    sizes.into_iter().find_map(|share| {
        let size = size * share;
        let lines = wrapped(text, room.0 / size)?;
        let high = lines.len() as f32 * size * LINE;
        (high <= room.1 + 0.01).then_some(Fitted { size, lines })
    })
}

/// Returns the text as lines within a box, or in one line if it does not fit.
pub fn lines(text: &str, room: (f32, f32), size: f32) -> Vec<String> {
    let fit = fitted(text, room, size);
    fit.map_or_else(|| vec![text.to_owned()], |fit| fit.lines)
}

/// The letters on each side of a hyphen.
const PART_MIN: usize = 4;

/// Returns the text as lines within a box in the smallest letters of [`fitted`]. A word that is too wide for a line is
/// divided once, with a hyphen.
pub fn divided(text: &str, room: (f32, f32), size: f32) -> Option<Fitted> {
    let size = size * SHRINK;
    let wide = room.0 / size;
    let words = text.split_whitespace().map(|word| parts(word, wide));
    let words = words.collect::<Option<Vec<String>>>()?;
    let lines = wrapped(&words.join(" "), wide)?;
    let high = lines.len() as f32 * size * LINE;
    (high <= room.1 + 0.01).then_some(Fitted { size, lines })
}

/// Returns a word, or its two parts if it is wider than this.
fn parts(word: &str, wide: f32) -> Option<String> {
    if width(word) <= wide {
        return Some(word.to_owned());
    }
    let letters: Vec<char> = word.chars().collect();
    let last = letters.len().checked_sub(PART_MIN)?;
    let divided = (PART_MIN..=last).rev().filter_map(|at| {
        let (first, second) = letters.split_at_checked(at)?;
        let first: String = first.iter().chain(['-'].iter()).collect();
        let second: String = second.iter().collect();
        let fits = width(&first) <= wide && width(&second) <= wide;
        fits.then(|| format!("{first} {second}"))
    });
    divided.into_iter().next()
}

/// The distance of lines, as a multiple of the size of letters.
pub const LINE: f32 = 1.15;

/// Returns lines of at most this width, in letters of size 1. `None` if a single word is wider.
fn wrapped(text: &str, width_max: f32) -> Option<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        if width(word) > width_max {
            return None;
        }
        match lines.last_mut() {
            Some(line) if width(line) + width(" ") + width(word) <= width_max => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    Some(lines)
}

/// Short labels for long texts, different for different texts.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    /// By the full text.
    short: BTreeMap<String, String>,
}

impl Labels {
    /// Returns labels of two or three letters for these texts, which can repeat.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Labels {
        Labels::default().with(texts)
    }

    /// Returns these labels, and more for texts that have none.
    pub fn with<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Labels {
        let mut short = self.short.clone();
        let mut taken: BTreeSet<String> = short.values().cloned().collect();
        let texts: BTreeSet<&str> = texts.into_iter().collect();
        let missing = texts
            .into_iter()
            .filter(|text| !self.short.contains_key(*text));
        // Texts that are short already keep their form.
        let mut texts: Vec<&str> = missing.collect();
        texts.sort_by_key(|text| text.chars().count() > 3);
        for text in texts {
            let found = candidates(text).find(|label| !taken.contains(label));
            let label = found.unwrap_or_else(|| text.to_owned());
            taken.insert(label.clone());
            short.insert(text.to_owned(), label);
        }
        Labels { short }
    }

    /// Returns the first letters as labels if no two texts begin alike, or else those of [`Labels::of`].
    pub fn letters_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Labels {
        let texts: BTreeSet<&str> = texts.into_iter().collect();
        let firsts = texts.iter().filter_map(|text| text.chars().next());
        let firsts: BTreeSet<char> = firsts.collect();
        if firsts.len() < texts.len() {
            return Labels::of(texts);
        }
        let first = |text: &str| text.chars().take(1).collect();
        let pairs = texts.iter().map(|text| ((*text).to_owned(), first(text)));
        let short = pairs.collect();
        Labels { short }
    }

    /// Returns the label of a text; the text itself if it has none.
    pub fn get<'t>(&'t self, text: &'t str) -> &'t str {
        self.short.get(text).map_or(text, String::as_str)
    }
}

/// Returns possible labels of a text, the best first: the text itself if it is short, the initials of its words, its
/// first letter with another one, and its beginnings.
fn candidates(text: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
    let whole = (text.chars().count() <= 3).then(|| text.to_owned());
    let words = text.split_whitespace();
    let initials: String = words.filter_map(|word| word.chars().next()).collect();
    let is_short = (2..=3).contains(&initials.chars().count());
    let initials = is_short.then_some(initials);
    let first = letters.first().copied().unwrap_or('?');
    let others = letters.clone().into_iter().skip(1);
    let pairs = others.map(move |other| String::from_iter([first, other]));
    let all: String = letters.iter().collect();
    let longest = letters.len();
    let beginnings = (3..=longest).map(move |n| all.chars().take(n).collect());
    let numbered = (2..100).map(move |n: u32| format!("{first}{n}"));
    let short = whole.into_iter().chain(initials).chain(pairs);
    short.chain(beginnings).chain(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_different_texts_differ() {
        let colors = [
            "blue",
            "brown",
            "black",
            "red",
            "light blue",
            "purple",
            "pink",
            "green",
            "gray",
        ];
        let labels = Labels::of(colors);
        let short: BTreeSet<&str> = colors.iter().map(|text| labels.get(text)).collect();
        assert_eq!(short.len(), colors.len());
        assert!(short.iter().all(|label| label.len() <= 3), "{short:?}");
        assert_eq!(labels.get("light blue"), "lb");
    }

    #[test]
    fn words_stay_whole() {
        let fit = fitted("Steal a Coin, clockwise", (60.0, 60.0), 11.0).unwrap();
        assert_eq!(fit.lines.join(" "), "Steal a Coin, clockwise");
        assert_eq!(fitted("Counterclockwise", (30.0, 30.0), 11.0), None);
        let fit = divided("ambassador", (44.0, 40.0), 14.0).unwrap();
        assert_eq!(fit.lines, ["ambas-", "sador"]);
        assert_eq!(divided("ambassador", (20.0, 90.0), 14.0), None);
        assert_eq!(divided("ambassador", (44.0, 20.0), 14.0), None);
    }
}

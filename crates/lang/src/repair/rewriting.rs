//! A rewritten line, and what rewriting needs of a text.

use crate::token::token;

/// The message about the original line, and the line in the effect language.
pub(super) struct Rewritten {
    pub message: String,
    pub line: String,
}

/// Returns the place of the first closing bracket that no opening one precedes.
pub(super) fn unmatched(
    mut letters: impl Iterator<Item = (usize, char)>,
    opens: char,
    closes: char,
) -> Option<usize> {
    let mut depth = 0i32;
    let found = letters.find(|(_, letter)| {
        depth += i32::from(*letter == opens) - i32::from(*letter == closes);
        depth < 0
    });
    found.map(|(at, _)| at)
}

/// Returns the members of a list, without its brackets.
pub(super) fn listed(list: &str) -> Vec<&str> {
    let mut members = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    for (at, letter) in list.char_indices() {
        depth += i32::from(matches!(letter, '(' | '[')) - i32::from(matches!(letter, ')' | ']'));
        if letter == ',' && depth == 0 {
            members.extend(list.get(start..at));
            start = at + 1;
        }
    }
    members.extend(list.get(start..));
    members.into_iter().map(str::trim).collect()
}

pub(super) fn indented(line: &str) -> (&str, &str) {
    let text = line.trim_start();
    line.split_at(line.len() - text.len())
}

pub(super) fn replaced(line: &str, start: usize, length: usize, new: &str) -> String {
    let (before, behind) = (line.get(..start), line.get(start + length..));
    format!(
        "{}{new}{}",
        before.unwrap_or_default(),
        behind.unwrap_or_default()
    )
}

/// Returns the words outside of texts, and where they begin.
pub(super) fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let mut in_text = false;
    std::iter::from_fn(move || {
        while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
            let word = token(rest);
            let first = rest.chars().next()?;
            let start = at;
            at += word.len().max(first.len_utf8());
            in_text ^= first == '"';
            if !in_text && first.is_alphabetic() {
                return Some((start, word));
            }
        }
        None
    })
}

//! Forms of spoken rules: each function rewrites one of them.

use super::code::Rewritten;
use crate::expected::token;

/// Words that are written apart.
const APART: &[(&str, &str)] = &[
    ("face-down", "face down"),
    ("face-up", "face up"),
    ("facedown", "face down"),
    ("faceup", "face up"),
    ("at-random", "at random"),
    ("up-to", "up to"),
];

pub(super) fn spelled_together(line: &str) -> Option<Rewritten> {
    let (said, ours) = APART.iter().find(|(said, _)| line.contains(said))?;
    Some(Rewritten {
        message: format!("`{said}` is two words"),
        line: line.replacen(said, ours, 1),
    })
}

/// `active chooses c in hand(active): …`
pub(super) fn seat_before_choice(line: &str) -> Option<Rewritten> {
    let indent = line.len() - line.trim_start().len();
    let forms = [(" chooses ", "choose"), (" may choose ", "may choose")];
    let (seat, rest, ours) = forms.into_iter().find_map(|(said, ours)| {
        let (seat, rest) = line.get(indent..)?.split_once(said)?;
        Some((seat, rest, ours))
    })?;
    let end = rest.find([':', '"']).unwrap_or(rest.len());
    let (what, behind) = rest.split_at_checked(end)?;
    let blank = if behind.starts_with('"') { " " } else { "" };
    (!seat.contains(' ')).then(|| Rewritten {
        message: "a choice says behind its list who decides".to_owned(),
        line: format!(
            "{}{ours} {} by {seat}{blank}{behind}",
            " ".repeat(indent),
            what.trim_end()
        ),
    })
}

/// `choose n from 1 to 6`, `choose n between 1 and 6`
pub(super) fn range_in_words(line: &str) -> Option<Rewritten> {
    let forms = [
        (" from ", " to "),
        (" in ", " to "),
        (" between ", " and "),
        (" from ", "-"),
    ];
    forms.into_iter().find_map(|(from, to)| {
        let (head, rest) = line.split_once(from)?;
        let low = token(rest);
        let high = rest.get(low.len()..)?.strip_prefix(to)?;
        let length = token(high).len();
        let (high, behind) = high.split_at_checked(length)?;
        let is_number = |end: &str| end.starts_with(|c: char| c.is_ascii_digit());
        (is_number(low) || is_number(high)).then(|| Rewritten {
            message: "a range is written with `..`".to_owned(),
            line: format!("{head} in {low}..{high}{behind}"),
        })
    })
}

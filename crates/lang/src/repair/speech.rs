//! Forms of spoken rules: each function rewrites one of them.

use super::rewriting::Rewritten;
use crate::token::token;

/// Repairs `[seat 1, seat 2]`.
pub(super) fn seats_by_number(line: &str) -> Option<Rewritten> {
    let mut written = String::new();
    let mut rest = line;
    while let Some((head, behind)) = rest.split_once("seat ") {
        let number = token(behind);
        let is_number = number.starts_with(|c: char| c.is_ascii_digit());
        written.push_str(head);
        rest = match is_number {
            true => {
                written.push_str(&format!("seat({number})"));
                behind.get(number.len()..)?
            }
            false => {
                written.push_str("seat ");
                behind
            }
        };
    }
    written.push_str(rest);
    Some(Rewritten {
        message: "the number of a seat stands in parentheses".to_owned(),
        line: written,
    })
}

/// Repairs `if no cards in deck: …`.
pub(super) fn none_in_zone(line: &str) -> Option<Rewritten> {
    let forms = [
        (" no ", "is empty"),
        (" any ", "is not empty"),
        (" some ", "is not empty"),
    ];
    forms.into_iter().find_map(|(said, ours)| {
        let (head, rest) = line.split_once(said)?;
        let behind = rest.get(token(rest).len()..)?.strip_prefix(" in ")?;
        let end = [":", " and ", " or ", " then ", " has "];
        let end = end.iter().filter_map(|end| behind.find(end)).min();
        let (zone, behind) = behind.split_at_checked(end.unwrap_or(behind.len()))?;
        (!behind.starts_with(" has ")).then(|| Rewritten {
            message: "a zone or a list is asked whether it is empty".to_owned(),
            line: format!("{head} {zone} {ours}{behind}"),
        })
    })
}

/// Repairs `shuffle discard into deck`.
pub(super) fn shuffled_into(line: &str) -> Option<Rewritten> {
    let (head, rest) = line.split_once("shuffle ")?;
    let (what, zone) = rest
        .split_once(" into ")
        .or_else(|| rest.split_once(" in "))?;
    let zone = zone.trim_end();
    let is_zone = !zone.is_empty() && !zone.contains([' ', ';', ':']);
    is_zone.then(|| Rewritten {
        message: "`shuffle` changes one zone and moves nothing".to_owned(),
        line: format!(
            "{}move {what} to {zone}; shuffle {zone}",
            head.replacen(" then ", ": ", 1)
        ),
    })
}

/// Repairs `repeat until windy: …`.
pub(super) fn repeated_until(line: &str) -> Option<Rewritten> {
    let (head, rest) = line.split_once("repeat until ")?;
    let (condition, body) = rest.split_once(':')?;
    let condition = match token(condition) == condition {
        true => condition.to_owned(),
        false => format!("({condition})"),
    };
    Some(Rewritten {
        message: "a loop with a condition begins with `while`".to_owned(),
        line: format!("{head}while not {condition}:{body}"),
    })
}

/// Repairs `draw 2 from deck to each hand`.
pub(super) fn to_each(line: &str) -> Option<Rewritten> {
    let indent = line.len() - line.trim_start().len();
    let (statement, rest) = line.get(indent..)?.split_once(" to each ")?;
    let noun = token(rest);
    let behind = rest.get(noun.len()..)?;
    let is_zone = !noun.is_empty() && !["player", "seat"].contains(&noun);
    is_zone.then(|| Rewritten {
        message: "what happens to each seat is a loop".to_owned(),
        line: format!(
            "{}each p in seats: {statement} to {noun}(p){behind}",
            " ".repeat(indent)
        ),
    })
}

/// Repairs `active chooses c in hand(active): …`.
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

/// Repairs `roll n from 1..6`.
pub(super) fn rolled_number(line: &str) -> Option<Rewritten> {
    let indent = line.len() - line.trim_start().len();
    let behind = line.get(indent..)?.strip_prefix("roll ")?;
    let name = token(behind);
    let range = behind.get(name.len()..)?.strip_prefix(" from ")?;
    range.contains("..").then(|| Rewritten {
        message: "`roll` rolls components with faces; other numbers are chosen at random"
            .to_owned(),
        line: format!("{}choose {name} in {range} at random", " ".repeat(indent)),
    })
}

/// Repairs `choose n from 1 to 6`, `choose n between 1 and 6`.
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

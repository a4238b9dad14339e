//! Forms in which other languages ask lists: each function rewrites one of them.

use super::rewriting::{Rewritten, unmatched};
use crate::token::token;

/// Methods of lists that take a function, and their counterparts here.
const METHODS: &[(&str, &str)] = &[
    ("map", "keys"),
    ("filter", "where"),
    ("some", "any"),
    ("any", "any"),
    ("every", "all"),
    ("all", "all"),
    ("reduce", "sum"),
];

/// Repairs `dragons.map(d => d.laps)`.
pub(super) fn function_of_members(line: &str) -> Option<Rewritten> {
    METHODS.iter().find_map(|(method, ours)| {
        let call = format!(".{method}(");
        let at = line.find(&call)?;
        let (before, rest) = (line.get(..at)?, line.get(at + call.len()..)?);
        let start = start_of_operand(before);
        let (head, list) = before.split_at_checked(start)?;
        let close = unmatched(rest.char_indices(), '(', ')')?;
        let (function, behind) = (rest.get(..close)?, rest.get(close + 1..)?);
        let (name, body) = parts_of_function(function)?;
        let is_enclosed = head.ends_with('(') && behind.starts_with(')');
        let written = match *ours {
            "where" if is_enclosed => format!("{name} in {list} where {body}"),
            "where" => format!("({name} in {list} where {body})"),
            ours => format!("{ours}({name} in {list}, {body})"),
        };
        Some(Rewritten {
            message: "a list is asked by a function that names its member".to_owned(),
            line: format!("{head}{written}{behind}"),
        })
    })
}

/// Repairs `sum(dragons, d => d.laps)`.
pub(super) fn function_as_argument(line: &str) -> Option<Rewritten> {
    let arrow = line.find("=>").or_else(|| line.find("lambda "))?;
    let comma = line.get(..arrow)?.rfind(',')?;
    let open = unmatched(line.get(..comma)?.char_indices().rev(), ')', '(')? + 1;
    let (head, list) = line.get(..comma)?.split_at_checked(open)?;
    let rest = line.get(comma + 1..)?;
    let close = unmatched(rest.char_indices(), '(', ')')?;
    let (function, behind) = rest.split_at_checked(close)?;
    let (name, body) = parts_of_function(function)?;
    Some(Rewritten {
        message: "a list is asked by a function that names its member".to_owned(),
        line: format!("{head}{name} in {list}, {body}{behind}"),
    })
}

/// Returns the parameter and the body of `d => d.laps` or `lambda d: d.laps`.
fn parts_of_function(function: &str) -> Option<(&str, &str)> {
    let (name, body) = match function.trim().strip_prefix("lambda ") {
        Some(function) => function.split_once(':')?,
        None => function
            .split_once("=>")
            .or_else(|| function.split_once("->"))?,
    };
    let name = name.trim().trim_matches(['(', ')']);
    (!name.is_empty() && token(name) == name).then(|| (name, body.trim()))
}

/// Returns where the operand at the end of a text begins: `hand(p)` in `count(hand(p)`.
fn start_of_operand(text: &str) -> usize {
    let mut depth = 0i32;
    for (at, letter) in text.char_indices().rev() {
        depth += i32::from(matches!(letter, ')' | ']')) - i32::from(matches!(letter, '(' | '['));
        let is_part = letter.is_alphanumeric() || matches!(letter, '_' | '.' | ')' | ']');
        let is_inside = depth > 0 || depth == 0 && matches!(letter, '(' | '[');
        if !is_part && !is_inside || depth < 0 {
            return at + letter.len_utf8();
        }
    }
    0
}

/// `dragons sorted by .laps desc`
pub(super) fn sorted_downward(line: &str) -> Option<Rewritten> {
    let (said, most) = [
        (" descending", "most "),
        (" desc", "most "),
        (" ascending", ""),
        (" asc", ""),
    ]
    .into_iter()
    .find(|(said, _)| line.contains(said))?;
    let (before, behind) = line.split_once(said)?;
    let (head, key) = before.split_once("sorted by ")?;
    Some(Rewritten {
        message: "a list is sorted by the least first, or `by most`".to_owned(),
        line: format!("{head}sorted by {most}{key}{behind}"),
    })
}

/// `dragons sorted by .laps limit 2`, as a whole value
pub(super) fn limited(line: &str) -> Option<Rewritten> {
    let (list, number) = line.rsplit_once(" limit ")?;
    Some(Rewritten {
        message: "`take` gives the first members of a list".to_owned(),
        line: format!("take({}, {})", list.trim(), number.trim()),
    })
}

/// Repairs `top 2 of deck`, `first 3 of row(p)`.
pub(super) fn several_of_end(line: &str) -> Option<Rewritten> {
    ["top ", "first ", "last ", "bottom "]
        .into_iter()
        .find_map(|said| {
            let start = line.find(said)?;
            let (head, rest) = line.split_at_checked(start)?;
            let rest = rest.get(said.len()..)?;
            let number = token(rest);
            let list = rest.get(number.len()..)?.strip_prefix(" of ")?;
            let end = list.find([' ', ':', ',']).unwrap_or(list.len());
            let (list, behind) = list.split_at_checked(end)?;
            let list = match said {
                "top " | "last " => format!("reversed({list})"),
                _ => list.to_owned(),
            };
            Some(Rewritten {
                message: "`take` gives the first members of a list".to_owned(),
                line: format!("{head}take({list}, {number}){behind}"),
            })
        })
}

/// Repairs `hand(p) contains c`.
pub(super) fn contains(line: &str) -> Option<Rewritten> {
    let said = [" contains ", " includes "]
        .into_iter()
        .find(|said| line.contains(said))?;
    let (before, rest) = line.split_once(said)?;
    let (head, list) = before.split_at_checked(start_of_operand(before))?;
    let end = [":", " and ", " or ", " then ", ",", ";"];
    let end = end.iter().filter_map(|end| rest.find(end)).min();
    let (member, behind) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
    Some(Rewritten {
        message: format!("`{}` is written `in`, after the member", said.trim()),
        line: format!("{head}{} in {list}{behind}", member.trim_end()),
    })
}

/// Repairs `some(cards where .rank > 3)`.
pub(super) fn quantifier_as_function(line: &str) -> Option<Rewritten> {
    let (said, ours) = [("some(", "any("), ("exists(", "any("), ("every(", "all(")]
        .into_iter()
        .find(|(said, _)| line.contains(said))?;
    let (head, rest) = line.split_once(said)?;
    let (list, condition) = rest.split_once(" where ")?;
    Some(Rewritten {
        message: format!("the function is called `{}`", ours.trim_end_matches('(')),
        line: format!("{head}{ours}{list}, {condition}"),
    })
}

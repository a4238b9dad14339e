//! Forms of script languages: each function rewrites one of them.

use super::code::{Rewritten, indented, listed, unmatched};
use crate::expected::token;

/// Methods of lists that take a function, and how the same is asked here.
const METHODS: &[(&str, &str)] = &[
    ("map", "keys"),
    ("filter", "where"),
    ("some", "any"),
    ("any", "any"),
    ("every", "all"),
    ("all", "all"),
    ("reduce", "sum"),
];

/// `x++`, `--x`
pub(super) fn counted_up(line: &str) -> Option<Rewritten> {
    let signs = [("++", "+="), ("--", "-=")];
    let (sign, ours) = signs.into_iter().find(|(sign, _)| line.contains(sign))?;
    let (before, behind) = line.split_once(sign)?;
    let is_end = behind.trim().is_empty() || behind.trim_start().starts_with(';');
    let line = match is_end {
        true => format!("{} {ours} 1{behind}", before.trim_end()),
        false => {
            let end = behind.find([';', ' ']).unwrap_or(behind.len());
            let (name, rest) = behind.split_at_checked(end)?;
            format!("{before}{name} {ours} 1{rest}")
        }
    };
    Some(Rewritten {
        message: format!("`{sign}` is not an operator"),
        line,
    })
}

/// `debt[p, red]`
pub(super) fn keys_in_one_bracket(line: &str) -> Option<Rewritten> {
    let mut opened = line.match_indices('[').map(|(at, _)| at);
    opened.find_map(|at| {
        let (head, inner) = line.split_at_checked(at + 1)?;
        let is_index = head
            .trim_end_matches('[')
            .ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ']' | ')'));
        let close = unmatched(inner.char_indices(), ('[', ']'))?;
        let (keys, behind) = inner.split_at_checked(close)?;
        let keys = listed(keys);
        (is_index && keys.len() > 1).then(|| Rewritten {
            message: "each key has brackets of its own".to_owned(),
            line: format!("{head}{}{behind}", keys.join("][")),
        })
    })
}

/// `if windy { active scores 1 }`, `if windy {`
pub(super) fn braced_block(line: &str) -> Option<Rewritten> {
    let (head, inner) = line.split_once(" {")?;
    let (body, behind) = inner.rsplit_once('}').unwrap_or((inner, ""));
    let body = body.trim().trim_end_matches(';');
    let is_text = head.matches('"').count() % 2 == 1;
    let colon = if body.is_empty() { ":" } else { ": " };
    (!is_text).then(|| Rewritten {
        message: "`{` does not begin a block".to_owned(),
        line: format!("{}{colon}{body}{behind}", head.trim_end()),
    })
}

/// `let n: int = 3`
pub(super) fn typed_name(line: &str) -> Option<Rewritten> {
    let (indent, text) = indented(line);
    let (name, rest) = text.strip_prefix("let ")?.split_once(':')?;
    let (of, value) = rest.split_once('=')?;
    let is_type = token(of.trim()) == of.trim() && !value.starts_with('=');
    is_type.then(|| Rewritten {
        message: "the type of a name follows from its value".to_owned(),
        line: format!("{indent}let {} = {}", name.trim(), value.trim()),
    })
}

/// `each dragon d in dragons: …`
pub(super) fn typed_member(line: &str) -> Option<Rewritten> {
    ["each ", "some ", "every ", "no ", "choose "]
        .into_iter()
        .find_map(|word| {
            let start = line.find(word)? + word.len();
            let (head, rest) = line.split_at_checked(start)?;
            let of = token(rest);
            let name = token(rest.get(of.len() + 1..)?);
            let behind = rest.get(of.len() + 1 + name.len()..)?;
            let is_typed = !of.is_empty() && !name.is_empty() && behind.starts_with(" in ");
            is_typed.then(|| Rewritten {
                message: format!("the type of `{name}` follows from its list"),
                line: format!("{head}{name}{behind}"),
            })
        })
}

/// `dragons.map(d => d.laps)`
pub(super) fn function_of_members(line: &str) -> Option<Rewritten> {
    METHODS.iter().find_map(|(method, ours)| {
        let call = format!(".{method}(");
        let at = line.find(&call)?;
        let (before, rest) = (line.get(..at)?, line.get(at + call.len()..)?);
        let start = start_of_operand(before);
        let (head, list) = before.split_at_checked(start)?;
        let close = unmatched(rest.char_indices(), ('(', ')'))?;
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

/// `sum(dragons, d => d.laps)`
pub(super) fn function_as_argument(line: &str) -> Option<Rewritten> {
    let arrow = line.find("=>").or_else(|| line.find("lambda "))?;
    let comma = line.get(..arrow)?.rfind(',')?;
    let open = unmatched(line.get(..comma)?.char_indices().rev(), (')', '('))? + 1;
    let (head, list) = line.get(..comma)?.split_at_checked(open)?;
    let rest = line.get(comma + 1..)?;
    let close = unmatched(rest.char_indices(), ('(', ')'))?;
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

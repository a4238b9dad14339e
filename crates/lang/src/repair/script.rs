//! Forms of script languages: each function rewrites one of them.

use super::rewriting::{Rewritten, indented, listed, unmatched};
use crate::token::token;

/// Repairs `x++`, `--x`.
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

/// Repairs `debt[p, red]`.
pub(super) fn keys_in_one_bracket(line: &str) -> Option<Rewritten> {
    let mut opened = line.match_indices('[').map(|(at, _)| at);
    opened.find_map(|at| {
        let (head, inner) = line.split_at_checked(at + 1)?;
        let is_index = head
            .trim_end_matches('[')
            .ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ']' | ')'));
        let close = unmatched(inner.char_indices(), '[', ']')?;
        let (keys, behind) = inner.split_at_checked(close)?;
        let keys = listed(keys);
        (is_index && keys.len() > 1).then(|| Rewritten {
            message: "each key has brackets of its own".to_owned(),
            line: format!("{head}{}{behind}", keys.join("][")),
        })
    })
}

/// Repairs `if windy { active scores 1 }`, `if windy {`.
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

/// Repairs `let n: int = 3`.
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

/// Repairs `each dragon d in dragons: …`.
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

/// Repairs `2.0`, `1_000`.
pub(super) fn number_of_elsewhere(line: &str) -> Option<Rewritten> {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let mut written = String::new();
    let mut rest = line;
    while let Some(next) = rest.chars().next() {
        let is_behind_digit = digit(written.chars().next_back());
        let ends = |from: usize| !digit(rest.get(from..).and_then(|rest| rest.chars().next()));
        let skipped = match next {
            '.' if is_behind_digit && rest.starts_with(".0") && ends(2) => 2,
            '_' if is_behind_digit && !ends(1) => 1,
            _ => 0,
        };
        if skipped == 0 {
            written.push(next);
        }
        rest = rest.get(skipped.max(next.len_utf8())..)?;
    }
    Some(Rewritten {
        message: "numbers are whole, and written without a point or `_`".to_owned(),
        line: written,
    })
}

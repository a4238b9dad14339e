//! Finds wrongly indented lines of an effect text.
//!
//! The grammar fails at the first line that fits nowhere, which is often a correct line below the wrong one. This
//! module compares the lines of each block: the minority is wrong.

use crate::positions::Positions;
use crate::yaml::lines::{Line, lines_that_say, spaces};
use wyrmgate_base::diagnostic::Diagnostic;

/// Reports each run of wrongly indented lines. `text` is preprocessed: a line is a logical line, without comments.
pub(super) fn odd_lines(text: &str, positions: &Positions) -> Vec<Diagnostic> {
    let lines = lines_that_say(text, |line| line.trim_end_matches([' ', '\n']));
    let mut odd = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        at = block(&lines, at, None, &mut odd);
    }
    odd.iter()
        .map(|odd| diagnostic(&lines, odd, positions))
        .collect()
}

/// Adjacent lines with wrong indentation.
struct Odd {
    line: usize,
    more: usize,
    column: usize,
}

/// Examines the block that begins with line `at`, inside a block at the column `outer`; returns the line after it.
fn block(lines: &[Line], mut at: usize, outer: Option<usize>, odd: &mut Vec<Odd>) -> usize {
    let inside = |line: &Line| outer.is_none_or(|outer| line.indent > outer);
    let mut members: Vec<usize> = Vec::new();
    while let Some(line) = lines.get(at).filter(|line| inside(line)) {
        let above = members.last().and_then(|above| lines.get(*above));
        match above.filter(|above| above.text.ends_with(':') && line.indent > above.indent) {
            Some(above) => at = block(lines, at, Some(above.indent), odd),
            None => {
                members.push(at);
                at += 1;
            }
        }
    }
    odd.extend(odd_members(lines, &members, outer));
    at
}

fn odd_members(lines: &[Line], members: &[usize], outer: Option<usize>) -> Vec<Odd> {
    let column_of = |member: &usize| lines.get(*member).map_or(0, |line| line.indent);
    let Some(column) = usual_column(members.iter().map(column_of), outer) else {
        return Vec::new();
    };
    let mut found: Vec<Odd> = Vec::new();
    let mut above: Option<&Line> = None;
    for member in members {
        let Some(line) = lines.get(*member) else {
            continue;
        };
        let misses_colon = above.is_some_and(|above| may_open(above.text)) && line.indent > column;
        if line.indent != column && !misses_colon {
            match found
                .last_mut()
                .filter(|odd| odd.line + odd.more + 1 == *member)
            {
                Some(odd) => odd.more += 1,
                None => found.push(Odd {
                    line: *member,
                    more: 0,
                    column,
                }),
            }
        } else if line.indent == column {
            above = Some(line);
        }
    }
    found
}

/// Returns the column of most lines; if two are equally common, the one that is two spaces deeper than the enclosing
/// block, or else the first.
fn usual_column(
    columns: impl DoubleEndedIterator<Item = usize> + Clone,
    outer: Option<usize>,
) -> Option<usize> {
    let count = |column: usize| columns.clone().filter(|other| *other == column).count();
    let usual = outer.map_or(0, |outer| outer + 2);
    let rank = |column: &usize| (count(*column), *column == usual);
    columns.clone().rev().max_by_key(rank)
}

/// Finds a statement that needs a block, without its `:`. That is reported instead, and the lines below are right.
pub(super) fn may_open(text: &str) -> bool {
    const OPENERS: [&str; 13] = [
        "if", "else", "each", "repeat", "while", "choose", "may", "option", "ask", "turn", "turns",
        "as", "phase",
    ];
    let word = text.split(' ').next().unwrap_or_default();
    OPENERS.contains(&word)
}

fn diagnostic(lines: &[Line], odd: &Odd, positions: &Positions) -> Diagnostic {
    let (start, column, length) = lines
        .get(odd.line)
        .map_or((0, 0, 0), |line| (line.start, line.indent, word(line.text)));
    let (side, by) = match column > odd.column {
        true => ("more", column - odd.column),
        false => ("less", odd.column - column),
    };
    let more = match odd.more {
        0 => String::new(),
        1 => ", as is the next line".to_owned(),
        n => format!(", as are the next {n} lines"),
    };
    let spaces = spaces(by);
    let message = format!("this line is indented {spaces} {side} than its block{more}");
    let verb = if side == "more" { "remove" } else { "add" };
    let help = format!("{verb} {spaces}; indent more only after a `:`");
    Diagnostic::error(
        "indentation",
        positions.span(start, start + length),
        message,
    )
    .help(help)
}

fn word(text: &str) -> usize {
    text.find(' ').unwrap_or(text.len())
}

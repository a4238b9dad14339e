//! Finds the wrong line when indentation is inconsistent. YAML reports the first line that does not fit the lines
//! before it, but usually that line is right and a line above it is wrong.

use super::lines::{Line, lines, spaces};
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Span};

/// Returns the wrongly indented line for a YAML error at byte `at`; `None` if indentation is not the cause.
pub(super) fn diagnostic(file: FileId, text: &str, at: usize) -> Option<Diagnostic> {
    let lines = lines(text);
    let at_line = lines.iter().rposition(|line| line.start <= at)?;
    let odd = text_not_indented(&lines, at_line)
        .or_else(|| member_among_keys(&lines, at_line))
        .or_else(|| within_text(&lines, at_line))
        .or_else(|| below_a_value(&lines, at_line))
        .or_else(|| among_siblings(&lines, at_line))?;
    let line = lines.get(odd.line)?;
    let span = Span::new(file, line.start, line.start + line.head().len());
    let diagnostic = Diagnostic::error("yaml-indentation", span, odd.message);
    Some(diagnostic.help(odd.help))
}

struct Odd {
    line: usize,
    message: String,
    help: String,
}

impl Odd {
    fn further(side: &str, line: usize, than: &str, like: &Line) -> Option<Odd> {
        Some(Odd {
            line,
            message: format!("this line is indented {side} than {than}"),
            help: format!("indent it by {}, as `{}`", spaces(like.indent), like.head()),
        })
    }
}

/// `key: |` and its text at the column of the key.
fn text_not_indented(lines: &[Line], at_line: usize) -> Option<Odd> {
    let (key, line) = (lines.get(at_line.checked_sub(1)?)?, lines.get(at_line)?);
    (key.opens_text() && line.indent <= key.indent).then(|| Odd {
        line: at_line,
        message: format!("the text of `{}` is not indented", key.head()),
        help: format!(
            "indent text below `|` more than its key: by {}",
            spaces(key.indent + 2)
        ),
    })
}

/// `- x` among keys, or a key among `- x`: the minority is wrong.
fn member_among_keys(lines: &[Line], at_line: usize) -> Option<Odd> {
    let line = lines.get(at_line)?;
    let beside = |other: &&Line| other.indent >= line.indent;
    let at_column = |other: &&Line| other.indent == line.indent;
    let before = lines.get(..at_line)?;
    let first = before.iter().rposition(|other| other.indent < line.indent);
    let first = first.map_or(0, |parent| parent + 1);
    let above: Vec<&Line> = before.get(first..)?.iter().filter(at_column).collect();
    let is_member = above.last()?.is_member();
    if is_member == line.is_member() {
        return None;
    }
    let below = lines
        .get(at_line..)?
        .iter()
        .take_while(beside)
        .filter(at_column);
    let others = below
        .filter(|other| other.is_member() == line.is_member())
        .count();
    let (odd, is_member) = match above.len() <= others {
        true => (first, is_member),
        false => (at_line, line.is_member()),
    };
    let (message, help) = match is_member {
        true => (
            "a list member among keys",
            "remove the `- `, or begin the other lines with it too",
        ),
        false => (
            "a key among list members",
            "begin it with `- `, or indent it to make it part of the member above",
        ),
    };
    Some(Odd {
        line: odd,
        message: message.to_owned(),
        help: help.to_owned(),
    })
}

/// Finds a line of the text below `|` that is indented less than the first one, but more than the key.
fn within_text(lines: &[Line], at_line: usize) -> Option<Odd> {
    let line = lines.get(at_line)?;
    let key = lines
        .get(..at_line)?
        .iter()
        .rposition(|l| l.indent < line.indent)?;
    let (owner, first) = (lines.get(key)?, lines.get(key + 1)?);
    if !owner.opens_text() || first.indent <= line.indent {
        return None;
    }
    let is_of_text = |l: &&Line| l.indent > owner.indent;
    let below = lines.get(at_line..)?.iter().take_while(is_of_text).count();
    if at_line - key - 1 <= below {
        Odd::further("more", key + 1, "the lines of its text below", line)
    } else {
        Odd::further("less", at_line, "the lines of its text above", first)
    }
}

/// Finds a line below one that has its value already: one of the two is wrong.
fn below_a_value(lines: &[Line], at_line: usize) -> Option<Odd> {
    let (line, above) = (lines.get(at_line)?, lines.get(at_line.checked_sub(1)?)?);
    if line.indent <= above.indent || above.goes_on_below() || above.is_member() {
        return None;
    }
    let before = at_line.checked_sub(2).and_then(|i| lines.get(i));
    match before {
        Some(l) if l.indent >= line.indent => {
            Odd::further("less", at_line - 1, "the lines around it", line)
        }
        Some(l) if l.text.ends_with(':') && l.indent == above.indent => {
            Odd::further("less", at_line - 1, "the line below it", line)
        }
        Some(_) | None => Odd::further("more", at_line, "the line above it", above),
    }
}

/// Lines of one parent at two columns: the minority is wrong.
fn among_siblings(lines: &[Line], at_line: usize) -> Option<Odd> {
    let line = lines.get(at_line)?;
    let parent = lines
        .get(..at_line)?
        .iter()
        .rposition(|l| l.indent < line.indent);
    let first = parent.map_or(0, |parent| parent + 1);
    let sibling = lines.get(first).filter(|s| s.indent > line.indent)?;
    let floor = parent
        .and_then(|parent| lines.get(parent))
        .map_or(0, |l| l.indent + 1);
    let at_column = |lines: &[Line], column: usize| {
        let inside = lines.iter().take_while(|l| l.indent >= floor);
        inside.filter(|l| l.indent == column).count()
    };
    let above = at_column(lines.get(first..at_line)?, sibling.indent);
    let below = at_column(lines.get(at_line..)?, line.indent);
    if above <= below {
        Odd::further("more", first, "the lines below it", line)
    } else {
        Odd::further("less", at_line, "the lines above it", sibling)
    }
}

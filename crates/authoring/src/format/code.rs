//! Formats effect text and expressions: two spaces per block, one between words, comments in place.

use super::align::{AlignedLine, LineEnd, render};
use super::words::{CodeToken, WordKind, spaced, tokens};
use wyrmgate_base::diagnostic::{FileId, Report};
use wyrmgate_lang::Positions;
use wyrmgate_lang::effect::{parse_block, parse_expr, parse_range, parse_signature};
use wyrmgate_lang::shape::Shape;

/// The kind of code, which determines the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeKind {
    Effect,
    Value,
    Range,
    Signature,
    /// A handler, beginning with `before`, `instead` or `after`.
    Handler,
}

impl CodeKind {
    pub fn of(shape: Shape) -> Option<CodeKind> {
        match shape.scalar() {
            Shape::Effect => Some(CodeKind::Effect),
            Shape::Value => Some(CodeKind::Value),
            Shape::Range => Some(CodeKind::Range),
            _ => None,
        }
    }

    /// Returns whether the text parses. Code with errors is left unchanged, because its author is about to fix it.
    fn parses(self, text: &str) -> bool {
        let positions = Positions::straight(FileId(0), 0);
        let mut report = Report::default();
        match self {
            CodeKind::Effect => drop(parse_block(text, &positions, &mut report)),
            CodeKind::Value => drop(parse_expr(text, &positions, &mut report)),
            CodeKind::Range => drop(parse_range(text, &positions, &mut report)),
            CodeKind::Signature => drop(parse_signature(text, &positions, &mut report)),
            CodeKind::Handler => {
                let words = text.trim_start().split_once(' ');
                let words = words.map_or("", |(_, rest)| rest);
                drop(parse_signature(words, &positions, &mut report));
            }
        }
        !report.has_errors()
    }
}

/// Formats code on one line with its key. `None` if it stays unchanged.
pub fn line(code: CodeKind, text: &str) -> Option<String> {
    let tokens = tokens(text);
    let has_comment = tokens.iter().any(|token| token.kind == WordKind::Comment);
    if text.contains('\n') || has_comment || !code.parses(text) {
        return None;
    }
    Some(spaced(&tokens)).filter(|fair| fair != text)
}

/// Formats the lines of a block scalar, without their common indentation.
pub fn block(code: CodeKind, text: &str) -> Option<String> {
    code.parses(text).then(|| CodeLayout::default().run(text))
}

#[derive(Default)]
struct CodeLayout {
    lines: Vec<AlignedLine>,
    /// Source columns of the open blocks, each one step further to the right.
    columns: Vec<usize>,
    /// Number of open brackets.
    depth: usize,
    /// Whether the previous line ends with a backslash.
    joined: bool,
    /// Comments on lines of their own with their columns; they belong to the next line.
    comments: Vec<(usize, String)>,
    blank: bool,
}

const STEP: usize = 2;

impl CodeLayout {
    fn run(mut self, text: &str) -> String {
        for line in text.lines() {
            self.add(line);
        }
        let open = self.columns.clone();
        self.put_comments(0, 0, &open);
        render(&self.lines)
    }

    fn add(&mut self, line: &str) {
        let tokens = tokens(line);
        let column = line.len() - line.trim_start().len();
        match tokens.as_slice() {
            [] => self.blank = true,
            [only] if only.kind == WordKind::Comment && !self.goes_on() => {
                self.put_blank();
                let text = only.text.trim_end().to_owned();
                self.comments.push((column, text));
            }
            all => self.put(column, all, line),
        }
    }

    /// Returns whether the previous line continues.
    fn goes_on(&self) -> bool {
        self.depth > 0 || self.joined
    }

    fn put_blank(&mut self) {
        let nothing_before = self.lines.is_empty() && self.comments.is_empty();
        if self.blank && !nothing_before {
            match self.comments.is_empty() {
                true => self.lines.push(AlignedLine::blank()),
                false => self.comments.push((usize::MAX, String::new())),
            }
        }
        self.blank = false;
    }

    fn put(&mut self, column: usize, tokens: &[CodeToken<'_>], line: &str) {
        let indent = match self.goes_on() {
            true => {
                let closes = tokens.first().is_some_and(|t| t.is(")") || t.is("]"));
                self.indent() + if closes { 0 } else { 2 * STEP }
            }
            false => self.begin(column),
        };
        self.put_blank();
        self.lines.push(line_of(indent, tokens, line));
        let opens = |token: &&CodeToken| token.is("(") || token.is("[");
        let closes = |token: &&CodeToken| token.is(")") || token.is("]");
        let opened = self.depth + tokens.iter().filter(opens).count();
        self.depth = opened.saturating_sub(tokens.iter().filter(closes).count());
        let code = tokens.iter().rfind(|token| token.kind != WordKind::Comment);
        self.joined = code.is_some_and(|token| token.is("\\"));
    }

    /// Returns the depth of a new statement.
    fn begin(&mut self, column: usize) -> usize {
        let before = self.columns.clone();
        self.columns.retain(|open| *open < column);
        self.columns.push(column);
        let indent = self.indent();
        self.put_comments(column, indent, &before);
        indent
    }

    fn indent(&self) -> usize {
        self.columns.len().saturating_sub(1) * STEP
    }

    /// Places comments with the next line, or, if further to the right, with the block that ends before it.
    fn put_comments(&mut self, next: usize, indent: usize, open: &[usize]) {
        for (column, text) in std::mem::take(&mut self.comments) {
            let blocks = open.iter().filter(|block| **block <= column).count();
            let indent = match column > next && blocks > 0 {
                true => (blocks - 1) * STEP,
                false => indent,
            };
            self.lines.push(AlignedLine::comment(indent, text));
        }
    }
}

fn line_of(indent: usize, tokens: &[CodeToken<'_>], line: &str) -> AlignedLine {
    let comment = tokens.last();
    let comment = comment.filter(|token| token.kind == WordKind::Comment);
    let code = tokens.len() - usize::from(comment.is_some());
    let comment = comment.map(|token| {
        let before = line.get(..token.start).unwrap_or_default();
        LineEnd {
            text: token.text.trim_end().to_owned(),
            column: before.chars().count(),
            blanks: before.len() - before.trim_end().len(),
        }
    });
    AlignedLine {
        comment,
        ..AlignedLine::of(indent, spaced(tokens.get(..code).unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, fair: &str) {
        assert_eq!(block(CodeKind::Effect, written).unwrap(), fair);
        assert_eq!(block(CodeKind::Effect, fair).unwrap(), fair);
    }

    #[test]
    fn blocks_are_indented_by_two() {
        check(
            "if a:\n    b = 1\n    each p in seats:\n        c = 1\nelse:\n    d=2\n",
            "if a:\n  b = 1\n  each p in seats:\n    c = 1\nelse:\n  d = 2\n",
        );
    }

    #[test]
    fn comments_stay_where_they_are() {
        check(
            "# first\nif a:   # why\n    b = 1\n    # behind b\n\n\n# before c\nc = 2\n# last\n",
            "# first\nif a: # why\n  b = 1\n  # behind b\n\n# before c\nc = 2\n# last\n",
        );
        check(
            "a = 1     # one\nlong = 2  # two\n",
            "a = 1    # one\nlong = 2 # two\n",
        );
    }

    #[test]
    fn lines_that_go_on_stand_further_right() {
        check(
            "x = max(1,\n 2)\ny = 1 + \\\n 2\n",
            "x = max(1,\n    2)\ny = 1 + \\\n    2\n",
        );
    }

    #[test]
    fn what_does_not_parse_stays() {
        assert_eq!(block(CodeKind::Effect, "if a\n   b\n"), None);
    }
}

//! Preprocesses effect text for the grammar: comments, joined lines, brackets over several lines, nesting.
//!
//! Everything that the grammar need not see becomes spaces, byte for byte, so locations stay the same.

use crate::limits::{EFFECT_BYTES_MAX, NESTING_MAX};
use crate::positions::Positions;
use wyrmgate_base::diagnostic::{Diagnostic, Report};

/// Returns the text with spaces for comments, tabs, `\` line ends and line breaks inside brackets. `None` if a limit is
/// exceeded; then the text must not be parsed.
pub(super) fn lay_out(text: &str, positions: &Positions, report: &mut Report) -> Option<String> {
    if text.len() > EFFECT_BYTES_MAX {
        report.push(too_long(text, positions));
        return None;
    }
    let mut scan = Scan::new(text, positions, report);
    scan.run();
    if scan.too_deep {
        None
    } else {
        String::from_utf8(scan.out).ok()
    }
}

fn too_long(text: &str, positions: &Positions) -> Diagnostic {
    let end = text.chars().next().map_or(0, char::len_utf8);
    let message = format!(
        "this text has {} bytes; at most {EFFECT_BYTES_MAX} are allowed",
        text.len()
    );
    Diagnostic::error("effect-size", positions.span(0, end), message)
        .help("split it into several effects")
}

/// An open bracket, hole or text.
struct Open {
    sign: u8,
    at: usize,
    /// Words and characters that nest without a bracket (`if`, `some`, `:`).
    nested: usize,
}

impl Open {
    fn new(sign: u8, at: usize) -> Self {
        Open {
            sign,
            at,
            nested: 0,
        }
    }
}

struct Scan<'a> {
    text: &'a [u8],
    positions: &'a Positions,
    report: &'a mut Report,
    out: Vec<u8>,
    /// Never empty: the first entry is the line itself.
    open: Vec<Open>,
    /// Columns of the enclosing blocks.
    columns: Vec<usize>,
    /// Up to here, line breaks are known to be inside brackets.
    joined: usize,
    too_deep: bool,
    tabs: usize,
}

/// The kind of the first entry of `Scan::open`.
const LINE: u8 = b'\n';

impl<'a> Scan<'a> {
    fn new(text: &'a str, positions: &'a Positions, report: &'a mut Report) -> Self {
        Scan {
            text: text.as_bytes(),
            positions,
            report,
            out: text.as_bytes().to_vec(),
            open: vec![Open::new(LINE, 0)],
            columns: Vec::new(),
            joined: 0,
            too_deep: false,
            tabs: 0,
        }
    }

    fn at(&self, i: usize) -> u8 {
        self.text.get(i).copied().unwrap_or(b'\n')
    }

    fn run(&mut self) {
        let mut i = self.begin_line(0);
        while i < self.text.len() && !self.too_deep {
            i = match self.sign() {
                b'"' => self.in_text(i),
                _ => self.in_code(i),
            };
        }
    }

    fn sign(&self) -> u8 {
        self.open.last().map_or(LINE, |open| open.sign)
    }

    fn in_text(&mut self, i: usize) -> usize {
        match self.at(i) {
            b'\\' if self.at(i + 1) != b'\n' => return i + 2,
            b'"' => self.close(i),
            b'{' => self.push(b'{', i),
            b'\n' => return self.line_break(i),
            _ => {}
        }
        i + 1
    }

    fn in_code(&mut self, i: usize) -> usize {
        match self.at(i) {
            sign @ (b'(' | b'[' | b'"') => self.push(sign, i),
            b')' | b']' | b'}' => self.close(i),
            b':' => self.nest(i),
            b',' | b';' => self.forget_words(),
            b'#' => return self.comment(i),
            b'\t' => self.tab(i),
            b'\r' => self.blank(i),
            b'\\' if self.line_end(i + 1).is_some() => return self.join(i),
            b'\n' => return self.line_break(i),
            b'a'..=b'z' => return self.word(i),
            _ => {}
        }
        i + 1
    }

    fn word(&mut self, start: usize) -> usize {
        let mut end = start;
        while matches!(self.at(end), b'a'..=b'z' | b'0'..=b'9' | b'_') {
            end += 1;
        }
        if matches!(
            self.text.get(start..end),
            Some(b"if" | b"some" | b"every" | b"no")
        ) {
            self.nest(start);
        }
        end
    }

    fn blank(&mut self, i: usize) {
        if let Some(byte) = self.out.get_mut(i) {
            *byte = b' ';
        }
    }

    fn comment(&mut self, start: usize) -> usize {
        let mut i = start;
        while self.at(i) != b'\n' {
            self.blank(i);
            i += 1;
        }
        i
    }

    fn tab(&mut self, i: usize) {
        self.blank(i);
        self.tabs += 1;
        if self.tabs == 1 {
            let blanks = |i: &usize| matches!(self.at(*i), b' ' | b'\t');
            let word = (i..).find(|i| !blanks(i)).unwrap_or(i);
            let end = (word..)
                .find(|i| matches!(self.at(*i), b' ' | b'\n'))
                .unwrap_or(word);
            let d = Diagnostic::error("tab", self.positions.span(i, end), "a tab in effect text");
            self.report
                .push(d.help("use spaces: the width of a tab depends on the editor"));
        }
    }

    /// Returns the line break that ends the spaces from `i` on.
    fn line_end(&self, mut i: usize) -> Option<usize> {
        while matches!(self.at(i), b' ' | b'\r') {
            i += 1;
        }
        (i < self.text.len() && self.at(i) == b'\n').then_some(i)
    }

    fn join(&mut self, start: usize) -> usize {
        let end = self.line_end(start + 1).unwrap_or(start);
        (start..=end).for_each(|i| self.blank(i));
        end + 1
    }

    fn push(&mut self, sign: u8, at: usize) {
        self.open.push(Open::new(sign, at));
        self.check_depth(at);
    }

    fn nest(&mut self, at: usize) {
        if let Some(open) = self.open.last_mut() {
            open.nested += 1;
        }
        self.check_depth(at);
    }

    /// Ends the words of the line at a comma: text after it is next to them, not inside. (A `:` reaches to the end of the
    /// line.)
    fn forget_words(&mut self) {
        if let Some(open) = self.open.last_mut().filter(|open| open.sign != LINE) {
            open.nested = 0;
        }
    }

    fn close(&mut self, i: usize) {
        let opens = match self.at(i) {
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            quote => quote,
        };
        if let Some(place) = self.open.iter().rposition(|open| open.sign == opens) {
            self.open.truncate(place);
        }
    }

    fn line_break(&mut self, i: usize) -> usize {
        if let Some(text) = self.open.iter().position(|open| open.sign == b'"') {
            self.open.truncate(text); // a text ends with its line; the grammar will miss its quote
        }
        if self.open.len() > 1 && self.is_closed_below(i) {
            self.blank(i);
            return i + 1;
        }
        self.open.truncate(1);
        self.begin_line(i + 1)
    }

    /// Returns whether an open bracket is closed before a line that is not indented more than its own. Otherwise it joins
    /// no lines, so a forgotten bracket spoils one line and not all that follow.
    fn is_closed_below(&mut self, line_break: usize) -> bool {
        if line_break < self.joined {
            return true;
        }
        let Some(first) = self.open.get(1) else {
            return false;
        };
        let margin = self.column(first.at);
        let mut depth = self.open.len() - 1;
        let mut in_text = false;
        for (offset, line) in lines(self.text, line_break + 1) {
            let column = indentation(line);
            let closes = matches!(line.get(column), Some(b')' | b']'));
            if column < line.len() && column <= margin && !closes {
                return false;
            }
            for i in offset..offset + line.len() {
                match self.at(i) {
                    b'"' if self.at(i.saturating_sub(1)) != b'\\' => in_text = !in_text,
                    b'#' if !in_text => break,
                    b'(' | b'[' if !in_text => depth += 1,
                    b')' | b']' if !in_text => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    self.joined = i;
                    return true;
                }
            }
            in_text = false;
        }
        false
    }

    /// Returns the indentation of the line of `at`.
    fn column(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        let start = before
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |i| i + 1);
        indentation(self.text.get(start..).unwrap_or_default())
    }

    /// Records the depth of the line; returns where its words begin.
    fn begin_line(&mut self, start: usize) -> usize {
        let column = indentation(self.text.get(start..).unwrap_or_default());
        let first = start + column;
        if let Some(line) = self.open.first_mut() {
            line.nested = 0;
        }
        if !matches!(self.at(first), b'\n' | b'#') {
            self.columns.retain(|open| *open < column);
            if column > 0 {
                self.columns.push(column);
            }
            self.check_depth(first);
        }
        first
    }

    fn check_depth(&mut self, at: usize) {
        let depth = self.columns.len() + self.open.len() - 1
            + self.open.iter().map(|open| open.nested).sum::<usize>();
        if depth > NESTING_MAX && !self.too_deep {
            self.too_deep = true;
            let message = format!("brackets or blocks are nested more than {NESTING_MAX} deep");
            let d = Diagnostic::error("nesting", self.positions.span(at, at + 1), message);
            self.report
                .push(d.help("move the inner part to a query or an effect"));
        }
    }
}

fn indentation(line: &[u8]) -> usize {
    line.iter().take_while(|b| **b == b' ').count()
}

/// Returns the lines from `start` on, each with its beginning.
fn lines(text: &[u8], start: usize) -> impl Iterator<Item = (usize, &[u8])> {
    let rest = text.get(start..).unwrap_or_default();
    rest.split(|b| *b == b'\n').scan(start, |at, line| {
        let begin = *at;
        *at += line.len() + 1;
        Some((begin, line))
    })
}

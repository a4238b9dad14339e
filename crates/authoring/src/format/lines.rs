//! Writes the lines of a YAML file: each at the indentation of its depth, with one space between its parts.

use super::align::{AlignedLine, LineEnd, render};
use super::code::{self, CodeKind};
use super::pieces::{Around, CodePiece, PieceKind};

const STEP: usize = 2;

/// Returns the whole text, or the position of unsupported punctuation.
pub fn lines(text: &str, pieces: &[CodePiece]) -> Result<String, usize> {
    let mut writer = LineWriter {
        text,
        ..LineWriter::default()
    };
    let mut at = 0;
    for piece in pieces {
        at = writer.gap(at, piece.start.max(at), Some(piece))?;
        at = writer.piece(piece).max(at);
    }
    writer.gap(at, text.len(), None)?;
    Ok(writer.finish())
}

/// The last thing written on this line, which decides on the space before the next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum LastWritten {
    /// Nothing yet.
    #[default]
    Start,
    /// `{` or `[`, without a space after it.
    Opening,
    /// `- `, `: `, `, `, an anchor, a value.
    Other,
}

#[derive(Default)]
struct LineWriter<'t> {
    text: &'t str,
    lines: Vec<AlignedLine>,
    /// The current line.
    line: AlignedLine,
    last: LastWritten,
    /// Whether the value of the line's key is being written.
    in_value: bool,
    /// Whether the line has a dash. Only lines of the form `key: value` can be aligned.
    has_dash: bool,
    /// Number of open brackets.
    depth: usize,
    /// The indentation of the line with the outermost bracket, and the increment per bracket.
    bracket: (usize, usize),
    /// The depth of the last line, if it was a key without its value.
    waits: Option<usize>,
    comments: Vec<(usize, String)>,
    blank: bool,
    before: Vec<Around>,
}

impl LineWriter<'_> {
    /// Handles everything between two pieces. Returns where the next one begins.
    fn gap(&mut self, from: usize, to: usize, next: Option<&CodePiece>) -> Result<usize, usize> {
        let mut at = from;
        let mut breaks = 0;
        while let Some(rest) = self.text.get(at..to).filter(|rest| !rest.is_empty()) {
            let sign = rest.chars().next().unwrap_or(' ');
            let length = match sign {
                '\n' => {
                    breaks += 1;
                    self.end_line();
                    self.blank |= breaks > 1;
                    1
                }
                ' ' | '\t' | '\r' => 1,
                '#' => self.comment(at, rest),
                '&' => {
                    let anchor = word(rest);
                    self.open_line(at, to, next);
                    self.write(anchor, at);
                    anchor.len()
                }
                '|' | '>' => {
                    let header = word(rest);
                    self.open_line(at, to, next);
                    self.write(header, at);
                    at += header.len();
                    return Ok(self.behind_header(at, to));
                }
                '-' if rest.starts_with("---") => rest.find('\n').unwrap_or(rest.len()),
                '-' | ':' | ',' | '{' | '}' | '[' | ']' => {
                    self.open_line(at, to, next);
                    self.sign(sign, at);
                    1
                }
                _ => return Err(at),
            };
            if !matches!(sign, '\n' | ' ' | '\t' | '\r') {
                breaks = 0;
            }
            at += length;
        }
        if let Some(piece) = next.filter(|piece| piece.end > piece.start) {
            self.open_line(to, to, Some(piece));
        }
        Ok(to)
    }

    /// Handles the end of a `|` line, which may have a comment, before the text.
    fn behind_header(&mut self, from: usize, to: usize) -> usize {
        let rest = self.text.get(from..to).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        if let Some(start) = line.find('#') {
            self.comment(from + start, line.get(start..).unwrap_or_default());
        }
        self.end_line();
        to.min(from + line.len() + 1)
    }

    fn comment(&mut self, at: usize, rest: &str) -> usize {
        let text = rest.split('\n').next().unwrap_or_default();
        let column = self.column(at);
        let words = text.trim_end().to_owned();
        if self.last == LastWritten::Start && self.line.is_blank() {
            if self.blank && !(self.lines.is_empty() && self.comments.is_empty()) {
                self.comments.push((usize::MAX, String::new()));
            }
            self.blank = false;
            self.comments.push((column, words));
        } else {
            self.line.comment = Some(LineEnd {
                text: words,
                column,
                blanks: self.blanks_before(at),
            });
        }
        text.len()
    }

    fn column(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        before.get(start..).map_or(0, |line| line.chars().count())
    }

    fn blanks_before(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        before.len() - before.trim_end_matches(' ').len()
    }

    // ---- lines

    fn end_line(&mut self) {
        if !self.line.is_blank() {
            let is_open = self.in_value && self.line.value.is_none() && self.depth == 0;
            self.waits = is_open.then_some(self.before.len());
            let line = std::mem::take(&mut self.line);
            self.lines.push(self.fit_to_line_up(line));
        }
        (self.last, self.in_value, self.has_dash) = (LastWritten::Start, false, false);
    }

    /// Prepares a line for alignment. Only the value of a single key can be aligned.
    fn fit_to_line_up(&self, mut line: AlignedLine) -> AlignedLine {
        if (self.has_dash || self.depth > 0)
            && let Some(value) = line.value.take()
        {
            line.head = format!("{} {}", line.head, value.text);
        }
        line
    }

    /// Starts a line at its first word: handles its indentation and the comments above it.
    fn open_line(&mut self, at: usize, to: usize, next: Option<&CodePiece>) {
        if self.last != LastWritten::Start || !self.line.is_blank() {
            return;
        }
        let around = next.map_or(&[][..], |piece| &piece.around);
        let indent = self.indent(at, to, around);
        let next_column = self.column(at);
        self.put_comments(next_column, indent);
        if std::mem::take(&mut self.blank) && !self.lines.is_empty() {
            self.lines.push(AlignedLine::blank());
        }
        self.line.indent = indent;
        self.before = around.to_vec();
    }

    /// Returns the indentation. A line that begins with dashes stands at its outermost list, a line inside a bracket
    /// further to the right than the bracket, and a value on its own line further than its key.
    fn indent(&self, at: usize, to: usize, around: &[Around]) -> usize {
        let line = self.text.get(at..to).unwrap_or_default();
        let line = line.split('\n').next().unwrap_or_default();
        let depth = around.len().saturating_sub(1);
        if self.depth > 0 {
            let closing = line.chars().take_while(|c| matches!(c, ']' | '}')).count();
            return self.bracket.0 + self.bracket.1 * self.depth.saturating_sub(closing);
        }
        let dashes = line.split_whitespace().take_while(|word| *word == "-");
        let dashes = dashes.count();
        if dashes == 0 {
            return (depth + usize::from(self.waits == Some(around.len()))) * STEP;
        }
        let blocks = around.iter().enumerate().rev();
        let mut lists = blocks.filter(|(_, block)| block.is_list);
        lists.nth(dashes - 1).map_or(depth, |(level, _)| level) * STEP
    }

    /// Places comments with the next line, or, if further to the right, with the block that ends before it.
    fn put_comments(&mut self, next: usize, indent: usize) {
        for (column, text) in std::mem::take(&mut self.comments) {
            let inside = self.before.iter().filter(|block| block.column <= column);
            // A list may begin below its key and be indented further.
            let inside = (inside.count().saturating_sub(1) * STEP).max(indent);
            let indent = if column > next { inside } else { indent };
            self.lines.push(AlignedLine::comment(indent, text));
        }
    }

    // ---- words

    fn write(&mut self, text: &str, at: usize) {
        let apart = self.last == LastWritten::Other;
        self.write_with(text, at, apart);
    }

    fn write_with(&mut self, text: &str, at: usize, apart: bool) {
        let blanks = self.blanks_before(at);
        let column = self.column(at);
        match &mut self.line.value {
            Some(value) => {
                if apart {
                    value.text.push(' ');
                }
                value.text.push_str(text);
            }
            None if self.in_value => {
                self.line.value = Some(LineEnd {
                    text: text.to_owned(),
                    column,
                    blanks,
                });
            }
            None => {
                if apart {
                    self.line.head.push(' ');
                }
                self.line.head.push_str(text);
            }
        }
        self.last = LastWritten::Other;
    }

    fn sign(&mut self, sign: char, at: usize) {
        match sign {
            '{' | '[' => {
                if self.depth == 0 {
                    let is_first = self.line.is_blank();
                    self.bracket = (self.line.indent, if is_first { 1 } else { STEP });
                }
                self.depth += 1;
                self.write(sign.encode_utf8(&mut [0; 4]), at);
                self.last = LastWritten::Opening;
            }
            '}' | ']' => {
                self.depth = self.depth.saturating_sub(1);
                self.write_with(sign.encode_utf8(&mut [0; 4]), at, false);
            }
            '-' => {
                self.has_dash = true;
                self.write("-", at);
            }
            ':' => {
                self.write_with(":", at, false);
                self.in_value |= self.depth == 0;
            }
            _ => self.write_with(",", at, false),
        }
    }

    /// Writes a key or a value. Returns where it ends.
    fn piece(&mut self, piece: &CodePiece) -> usize {
        let written = self.text.get(piece.start..piece.end).unwrap_or_default();
        match piece.kind {
            PieceKind::Block => self.block(piece),
            _ if written.is_empty() => {}
            PieceKind::Alias => self.write(written, piece.start),
            _ if written.contains('\n') => self.several_lines(written, piece),
            _ => {
                let fair = one_line(piece, written);
                self.write(&fair, piece.start);
            }
        }
        piece.end
    }

    /// Writes a quoted or plain text that continues on the next lines.
    fn several_lines(&mut self, written: &str, piece: &CodePiece) {
        let indent = piece.around.len() * STEP;
        let mut lines = written.split('\n');
        self.write(lines.next().unwrap_or_default().trim_end(), piece.start);
        for line in lines {
            let line = line.trim();
            let ended = std::mem::take(&mut self.line);
            self.lines.push(self.fit_to_line_up(ended));
            self.in_value = false;
            self.line = AlignedLine::of(if line.is_empty() { 0 } else { indent }, line);
        }
        self.last = LastWritten::Other;
    }

    /// Writes the text below `|` with our indentation, unless the author has fixed it by a number.
    fn block(&mut self, piece: &CodePiece) {
        if piece.text.trim().is_empty() {
            return self.write_header(piece.start);
        }
        let before = self.text.get(..piece.start).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        let written = self.text.get(start..piece.end).unwrap_or_default();
        let plain = dedent(written);
        let fair = match piece.code {
            Some(code) => code::block(code, &plain).unwrap_or(plain),
            None => plain,
        };
        let indent = piece.around.len() * STEP;
        for line in fair.lines() {
            let line = line.trim_end();
            let indent = if line.is_empty() { 0 } else { indent };
            self.lines.push(AlignedLine::of(indent, line));
        }
        (self.last, self.in_value, self.has_dash) = (LastWritten::Start, false, false);
        self.before = piece.around.clone();
    }

    /// Writes the header of a block. The position of an empty block may be the `|` itself.
    fn write_header(&mut self, at: usize) {
        let rest = self.text.get(at..).unwrap_or_default();
        if rest.starts_with(['|', '>']) {
            let is_header = |sign: char| "|>+-".contains(sign) || sign.is_ascii_digit();
            let end = rest.find(|sign| !is_header(sign)).unwrap_or(rest.len());
            self.write(rest.get(..end).unwrap_or_default(), at);
        }
    }

    fn finish(mut self) -> String {
        self.end_line();
        self.put_comments(0, 0);
        render(&self.lines)
    }
}

fn word(rest: &str) -> &str {
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

/// Removes the common indentation of the lines.
fn dedent(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let filled = text.lines().filter(|line| !line.trim().is_empty());
    let shared = filled.map(indent).min().unwrap_or_default();
    let lines = text
        .lines()
        .map(|line| line.get(shared..).unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Formats code on one line, keeping what its quotes and colons mean in YAML.
fn one_line(piece: &CodePiece, written: &str) -> String {
    let fair = piece
        .code
        .and_then(|code: CodeKind| code::line(code, &piece.text));
    let Some(fair) = fair else {
        return written.to_owned();
    };
    match piece.kind {
        PieceKind::DoubleQuoted => quoted(&fair),
        PieceKind::SingleQuoted => format!("'{}'", fair.replace('\'', "''")),
        _ if fair.contains(": ") || fair.contains(" #") => written.to_owned(),
        _ => fair,
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

//! Tables in files of comma-separated values, as spreadsheets write them: a header, rows, cells in quotes that may
//! contain commas, quotes (doubled) and line breaks; with or without a byte order mark, with any line ends, with semicolons or
//! tabs instead of commas, with empty rows and columns at the end.

use super::form::rows_under;
use super::{CODE, TEXTS};
use crate::limits::TABLE_CELL_MAX;
use crate::positions::Positions;
use crate::yaml::{Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Report, Span};

/// Reads a file to a list of rows; `None` after an error that leaves no table.
pub(crate) fn from_csv(file: FileId, text: &str, report: &mut Report) -> Option<Node> {
    let before = report.diagnostics.len();
    let mut reader = CsvReader {
        file,
        text,
        at: 0,
        separator: separator(text),
    };
    reader.skip(|c| c == '\u{feff}');
    let lines = match reader.lines() {
        Ok(lines) => lines,
        Err(wrong) => {
            report.push(wrong);
            return None;
        }
    };
    let mut lines = lines.into_iter();
    let Some(mut header) = lines.next() else {
        let help = "begin with the names of the columns: `name,cost,copies`";
        let start = Span::new(file, 0, 0);
        report.error(CODE, start, "this table is empty", help);
        return None;
    };
    shorten(&mut header, 1);
    let span = header.first()?.span;
    let rows = lines.map(|cells| cells_of(&header, cells));
    let rows = rows_under(&header, rows.collect(), report);
    let rows: Vec<Node> = rows.into_iter().map(|(_, row)| row).collect();
    let table = Node::new(NodeKind::List(rows), span);
    if table.members().is_empty() && report.diagnostics.len() == before {
        let help = "write a line for each row below the header";
        report.error(CODE, span, "this table has no rows", help);
    }
    (report.diagnostics.len() == before).then_some(table)
}

fn span_of(cells: &[Scalar]) -> Span {
    let ends = cells.first().zip(cells.last());
    ends.map_or(Span::default(), |(first, last)| first.span.to(last.span))
}

/// Returns what separates the cells: a comma, unless the header has none.
fn separator(text: &str) -> &'static str {
    let header = text.trim_start_matches(['\u{feff}', '\n', '\r']);
    let header = header.lines().next().unwrap_or_default();
    let others = [";", "\t"];
    let other = others.into_iter().find(|other| header.contains(other));
    other.filter(|_| !header.contains(',')).unwrap_or(",")
}

/// Removes empty cells at the end, beyond this number.
fn shorten(cells: &mut Vec<Scalar>, least: usize) {
    while cells.len() > least && cells.last().is_some_and(|cell| cell.text.is_empty()) {
        cells.pop();
    }
}

/// Returns the cells of a row and their place. Truth values are written as spreadsheets write them.
fn cells_of(header: &[Scalar], mut cells: Vec<Scalar>) -> (Span, Vec<Node>) {
    shorten(&mut cells, header.len());
    let span = span_of(&cells);
    for (column, cell) in header.iter().zip(&mut cells) {
        if !TEXTS.contains(&&*column.text) && ["TRUE", "FALSE"].contains(&&*cell.text) {
            cell.text = cell.text.to_lowercase().into();
        }
    }
    (span, cells.into_iter().map(Node::scalar).collect())
}

struct CsvReader<'t> {
    file: FileId,
    text: &'t str,
    /// The next byte.
    at: usize,
    separator: &'static str,
}

impl CsvReader<'_> {
    /// Returns the cells of each line that has any text.
    fn lines(&mut self) -> Result<Vec<Vec<Scalar>>, Diagnostic> {
        let mut lines = Vec::new();
        while self.at < self.text.len() {
            let mut cells = vec![self.cell()?];
            while self.takes(self.separator) {
                cells.push(self.cell()?);
            }
            if !self.takes("\r\n") && !self.takes("\n") {
                self.takes("\r");
            }
            if cells.iter().any(|cell| !cell.text.is_empty()) {
                lines.push(cells);
            }
        }
        Ok(lines)
    }

    fn cell(&mut self) -> Result<Scalar, Diagnostic> {
        self.skip_spaces();
        let start = self.at;
        let (text, positions) = match self.takes("\"") {
            true => self.quoted(start)?,
            false => {
                self.skip_to_end();
                let text = self.since(start).trim_end().to_owned();
                (text, Positions::straight(self.file, start))
            }
        };
        let end = self
            .text
            .get(..self.at)
            .map_or(start, |t| t.trim_end().len());
        let span = Span::new(self.file, start, end.max(start));
        if text.len() > TABLE_CELL_MAX {
            let message = format!("a cell has at most {TABLE_CELL_MAX} bytes");
            return Err(Diagnostic::error(CODE, span.beginning(), message)
                .help("shorten it, or close a quote that is open"));
        }
        let is_plain = text.is_empty();
        Ok(Scalar {
            text: text.into(),
            span,
            positions,
            is_plain,
        })
    }

    /// Reads the rest of a cell behind its first quote.
    fn quoted(&mut self, start: usize) -> Result<(String, Positions), Diagnostic> {
        let (mut text, mut map) = (String::new(), Vec::new());
        loop {
            let from = self.at;
            let Some(c) = self.text.get(from..).and_then(|rest| rest.chars().next()) else {
                let opening = Span::new(self.file, start, start + 1);
                let message = "this quote is never closed";
                let help = "end the cell with `\"`; a quote inside a cell is written twice: `\"\"`";
                return Err(Diagnostic::error(CODE, opening, message).help(help));
            };
            self.at += c.len_utf8();
            if c == '"' && !self.takes("\"") {
                break;
            }
            if c != '\r' {
                text.push(c);
                let place = (from as u32, self.at as u32);
                map.extend((0..c.len_utf8()).map(|_| place));
            }
        }
        let end = self.at as u32 - 1;
        map.push((end, end));
        self.skip_spaces();
        let behind = self.at;
        self.skip_to_end();
        if self.at > behind {
            let span = Span::new(self.file, behind, self.at);
            let message = "there is text behind the closing quote of this cell";
            let help = "put all of the cell in quotes; a quote inside is written twice: `\"\"`";
            return Err(Diagnostic::error(CODE, span, message).help(help));
        }
        Ok((text, Positions::mapped(self.file, map)))
    }

    fn since(&self, start: usize) -> &str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn takes(&mut self, sign: &str) -> bool {
        let found = self
            .text
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(sign));
        if found {
            self.at += sign.len();
        }
        found
    }

    /// Passes spaces of all kinds, but for line ends and separators.
    fn skip_spaces(&mut self) {
        let separator = self.separator;
        self.skip(|c| c.is_whitespace() && !"\n\r".contains(c) && !separator.contains(c));
    }

    /// Goes to the end of a cell without quotes.
    fn skip_to_end(&mut self) {
        let separator = self.separator;
        self.skip(|c| !"\n\r".contains(c) && !separator.contains(c));
    }

    fn skip(&mut self, is_passed: impl Fn(char) -> bool) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += rest.len() - rest.trim_start_matches(is_passed).len();
    }
}

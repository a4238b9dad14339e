//! Tables in `data`: rows with named columns.
//!
//! ```text
//! list of maps, `columns` with `rows`, or a CSV file ─ read ─▶ {row: {column: cell}} ─ overlays ─▶ the same ─ expand ─▶
//!     a type whose values are the rows, a constant for each column, a kind for each row of a `from`
//! ```
//!
//! The form in the middle is a map of maps, so that a path names a row or a cell: `data.spells.gust.cost`.

mod csv;
mod expand;
mod form;

pub(crate) use csv::from_csv;
pub(crate) use expand::{DataTable, expand};
pub(crate) use form::{from_yaml, is_table, is_whole, unread};

use std::path::Path;

use crate::ast::{Expr, ExprKind};
use crate::yaml::{Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Report, Span};
use wyrmgate_base::visible::is_hidden;

/// The code of problems of tables.
pub(crate) const CODE: &str = "table";

/// The ending of files with tables.
pub const ENDING: &str = ".csv";

/// The ending of files with words, one in each line.
pub const WORDS_ENDING: &str = ".txt";

/// Returns whether a file is a table or a list of words, not YAML.
pub fn is_file(path: &Path) -> bool {
    path.to_str().is_some_and(is_data)
}

/// Returns whether a file of this name is a table or a list of words.
pub fn is_data(name: &str) -> bool {
    name.ends_with(ENDING) || name.ends_with(WORDS_ENDING)
}

/// Returns whether an expression was not written, but stands for a cell: a member of the constant with its column.
pub fn is_cell(expr: &Expr) -> bool {
    let ExprKind::Index(column, _) = &expr.kind else {
        return false;
    };
    column.as_name().is_some_and(|name| name.text.contains('.'))
}

/// Columns that are texts for people.
pub(crate) const TEXTS: [&str; 2] = ["title", "text"];

/// The key under which overlays name a column instead of a row: `data.spells.columns.cost`.
pub(crate) const COLUMNS: &str = "columns";

/// Returns the values below `data` in a file of a game, and in these parts of an overlay.
pub(crate) fn data_mut<'t>(tree: &'t mut Node, verbs: &[&str]) -> Vec<&'t mut Node> {
    let mut found = Vec::new();
    let NodeKind::Map(entries) = &mut tree.kind else {
        return found;
    };
    for (key, node) in entries.iter_mut() {
        if verbs.contains(&&*key.text) {
            found.extend(data_mut(node, verbs));
        } else if key.text.starts_with("data.") {
            found.push(node);
        } else if let ("data", NodeKind::Map(data)) = (&*key.text, &mut node.kind) {
            found.extend(data.iter_mut().map(|(_, value)| value));
        }
    }
    found
}

/// Returns the file that a table names: `{table: spells.csv}`.
pub(crate) fn file_of(node: &Node) -> Option<&Scalar> {
    only_text(node, "table")
}

/// Returns the file of a list of words, `{words: words.txt}`; once it is read, its words.
pub(crate) fn words_of(node: &Node) -> Option<&Scalar> {
    only_text(node, "words")
}

fn only_text<'n>(node: &'n Node, wanted: &str) -> Option<&'n Scalar> {
    let mut entries = node.entries();
    let (key, value) = entries.next()?;
    let NodeKind::Scalar(text) = &value.kind else {
        return None;
    };
    (&*key.text == wanted && entries.next().is_none()).then_some(text)
}

/// Returns the words of a file, one in each line, sorted and in small letters. A line with anything else is an error.
pub(crate) fn words_from(file: FileId, text: &str, report: &mut Report) -> Vec<String> {
    let mut words: Vec<(String, Span)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let word = line.trim();
        let from = at + line.len() - line.trim_start().len();
        let span = Span::new(file, from, from + word.len());
        at += line.len();
        if word.is_empty() {
            continue;
        }
        if word.contains(|c: char| c.is_whitespace() || is_hidden(c)) {
            let message = "this line is not one word";
            report.error(
                CODE,
                span,
                message,
                "write one word in each line, and nothing else",
            );
        }
        words.push((word.to_lowercase(), span));
    }
    words.sort();
    for pair in words.windows(2) {
        if let [(first, one), (second, other)] = pair
            && first == second
        {
            let twice = Diagnostic::error(CODE, *other, format!("`{second}` stands here twice"));
            report.push(
                twice
                    .related(*one, "first here")
                    .help("remove one of the lines"),
            );
        }
    }
    words.into_iter().map(|(word, _)| word).collect()
}

/// Writes a change that names columns first, `{columns: {cost: {gust: 4}}}`, by rows: `{gust: {cost: 4}}`.
pub(crate) fn by_rows(patch: &mut Node, report: &mut Report) {
    if is_whole(patch) {
        return;
    }
    let columns = patch.entry(COLUMNS).is_some().then(|| patch.take(COLUMNS));
    let Some(columns) = columns.flatten() else {
        return;
    };
    for (column, cells) in entries_of(columns, report) {
        for (row, cell) in entries_of(cells, report) {
            if patch.get(&row.text).is_none() {
                patch.put(row.clone(), Node::empty_map(row.span));
            }
            if let Some(row) = patch.get_mut(&row.text) {
                row.put(column.clone(), cell);
            }
        }
    }
}

/// Returns the entries of a map that says what columns become. Anything else is an error, because it would change nothing.
fn entries_of(node: Node, report: &mut Report) -> Vec<(Scalar, Node)> {
    match node.kind {
        // `was` belongs to a cell.
        NodeKind::Map(entries) if !entries.is_empty() && entries.find("was").is_none() => {
            entries.into_iter().collect()
        }
        _ => {
            let message = "this changes no column";
            let help = "say what the cells become, row by row: `columns.cost: {fog: 3, hail: {was: 2, now: 1}}`";
            report.error(CODE, node.span, message, help);
            Vec::new()
        }
    }
}

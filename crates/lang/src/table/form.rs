//! The forms of a table, brought to one: a map of rows, each a map of cells.

use hashbrown::HashMap;
use std::sync::Arc;

use super::{CODE, TEXTS};
use crate::keys;
use crate::limits::{TABLE_COLUMNS_MAX, TABLE_ROWS_MAX};
use crate::yaml::{Map, Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};

/// Returns whether this is a table: a map of maps that is no conditional value.
pub(crate) fn is_table(node: &Node) -> bool {
    let mut rows = node.entries().peekable();
    rows.peek().is_some()
        && rows.all(|(key, row)| {
            matches!(row.kind, NodeKind::Map(_)) && keys::CONDITIONAL.key(&key.text).is_none()
        })
}

/// Returns whether all of a table is written here: as a list of maps, or as `columns` with `rows`.
pub(crate) fn is_whole(node: &Node) -> bool {
    match &node.kind {
        NodeKind::List(members) => members.iter().all(is_row) && !members.is_empty(),
        NodeKind::Map(map) => {
            let is_header = |columns: &Node| columns.entries().next().is_none();
            map.len() == 2
                && node.get("columns").is_some_and(is_header)
                && node.get("rows").is_some()
        }
        NodeKind::Scalar(_) => false,
    }
}

/// Brings a table that is written in YAML to the form of all tables.
pub(crate) fn from_yaml(node: &mut Node, report: &mut Report) {
    if !is_whole(node) {
        return;
    }
    let before = report.diagnostics.len();
    let rows = match node.get("columns").zip(node.get("rows")) {
        Some((columns, rows)) => under_header(columns, rows, report),
        None => rows_of_maps(node.members()),
    };
    let rows = keyed(rows, report);
    node.kind = match rows.is_empty() && report.diagnostics.len() > before {
        true => unread(node.span).kind,
        false => NodeKind::Map(rows),
    };
}

/// Returns what stands for a table that could not be read and has been reported.
pub(crate) fn unread(span: Span) -> Node {
    Node::scalar(Scalar::named("0", span))
}

/// Returns whether a member of a list is a row: a map that is no conditional value.
fn is_row(node: &Node) -> bool {
    let mut keys = node.keys().peekable();
    keys.peek().is_some() && !keys.any(|key| keys::CONDITIONAL.key(key).is_some())
}

/// A row: its key, and all of its cells, the first of which is the key.
pub(super) type Row = (Scalar, Node);

/// Returns rows that are written as maps. The first row says which of its values is the key: the first that is no text for
/// people.
fn rows_of_maps(rows: &[Node]) -> Vec<Row> {
    let columns = rows.iter().take(1).flat_map(Node::entries);
    let name = key_column(columns.map(|(column, _)| column));
    let key = |row: &Node| name.and_then(|(_, name)| row.get(&name.text)).map(key_of);
    let row = |row: &Node| {
        (
            key(row).unwrap_or_else(|| Scalar::named("", row.span)),
            row.clone(),
        )
    };
    rows.iter().map(row).collect()
}

/// Returns the column with the keys among these, and its place.
fn key_column<'c>(columns: impl Iterator<Item = &'c Scalar>) -> Option<(usize, &'c Scalar)> {
    let mut columns = columns.enumerate();
    columns.find(|(_, column)| !TEXTS.contains(&&*column.text))
}

/// Returns the key of a row from its cell.
fn key_of(cell: &Node) -> Scalar {
    match &cell.kind {
        NodeKind::Scalar(key) => key.clone(),
        NodeKind::List(_) | NodeKind::Map(_) => Scalar::named("", cell.span),
    }
}

fn under_header(columns: &Node, rows: &Node, report: &mut Report) -> Vec<Row> {
    let header: Vec<Scalar> = columns.members().iter().map(key_of).collect();
    let cells = rows.members().iter();
    let cells = cells.map(|row| (row.span, row.members().to_vec()));
    rows_under(&header, cells.collect(), report)
}

/// Returns rows whose cells stand in the order of a header; a row with another number of cells is reported.
pub(super) fn rows_under(
    header: &[Scalar],
    rows: Vec<(Span, Vec<Node>)>,
    report: &mut Report,
) -> Vec<Row> {
    check_header(header, report);
    let mut found = Vec::new();
    for (span, cells) in rows {
        if cells.len() != header.len() {
            let (there, wanted) = (cells.len(), header.len());
            let cells = if there == 1 { "cell" } else { "cells" };
            let message = format!("this row has {there} {cells}, and the header {wanted}");
            let help = "write one cell for each column; a cell that contains a comma needs quotes";
            let first = header.first().map_or(span, |first| first.span);
            let wrong = Diagnostic::error(CODE, span, message).help(help);
            report.push(wrong.related(first, "the header is here"));
            continue;
        }
        let key = key_column(header.iter()).and_then(|(at, _)| cells.get(at));
        let key = key.map(key_of);
        let row: Map = header.iter().cloned().zip(cells).collect();
        found.extend(key.map(|key| (key, Node::new(NodeKind::Map(row), span))));
    }
    found
}

fn check_header(header: &[Scalar], report: &mut Report) {
    if let Some(beyond) = header.get(TABLE_COLUMNS_MAX) {
        let message = format!("a table has at most {TABLE_COLUMNS_MAX} columns");
        let help = "divide it into two tables with the same keys";
        report.error(CODE, beyond.span, message, help);
    }
    let mut firsts: HashMap<Arc<str>, Span> = HashMap::new();
    for (number, column) in (1..).zip(header) {
        if column.text.is_empty() {
            let message = format!("column {number} has no name");
            let help = "name it in the header, or remove it";
            report.error(CODE, column.span, message, help);
            continue;
        }
        let first = *firsts.entry(column.text.clone()).or_insert(column.span);
        if first != column.span {
            report.push(twice(column, first));
        }
    }
}

/// Returns the rows by their keys.
pub(super) fn keyed(rows: Vec<Row>, report: &mut Report) -> Map {
    if let Some((key, _)) = rows.get(TABLE_ROWS_MAX) {
        let message = format!("a table has at most {TABLE_ROWS_MAX} rows");
        let help = "divide it, or compute what follows from other cells";
        report.error(CODE, key.span, message, help);
    }
    let mut map = Map::default();
    for (key, row) in rows.into_iter().take(TABLE_ROWS_MAX) {
        if key.text.is_empty() {
            let message = format!("row {} has no key", map.len() + 1);
            let help = "it is the first value that is no text, and names the row everywhere";
            report.error(CODE, key.span, message, help);
            continue;
        }
        match map.find(&key.text) {
            Some((first, _)) => report.push(twice(&key, first.span)),
            None => map.push((key, row)),
        }
    }
    map
}

fn twice(key: &Scalar, first: Span) -> Diagnostic {
    let message = format!("`{}` is given twice", key.text);
    let help =
        "each row has a key of its own in the first column, and each column a name of its own";
    let twice = Diagnostic::error("duplicate-key", key.span, message);
    twice.related(first, "first given here").help(help)
}

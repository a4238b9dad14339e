//! The forms of a table, brought to one: a map of rows, each a map of cells.

use hashbrown::HashMap;
use std::sync::Arc;

use super::CODE;
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

/// Brings a table that is written in YAML, a list of maps or `columns` with `rows`, to the form of all tables.
pub(crate) fn from_yaml(node: &mut Node, report: &mut Report) {
    let rows = match &node.kind {
        NodeKind::List(members) if members.iter().all(is_row) && !members.is_empty() => {
            members.iter().filter_map(row_of_map).collect()
        }
        NodeKind::Map(map) if map.len() == 2 => {
            let Some((columns, rows)) = node.get("columns").zip(node.get("rows")) else {
                return;
            };
            under_header(columns, rows, report)
        }
        NodeKind::Map(_) | NodeKind::List(_) | NodeKind::Scalar(_) => return,
    };
    node.kind = NodeKind::Map(keyed(rows, report));
}

/// Returns whether a member of a list is a row: a map that is no conditional value.
fn is_row(node: &Node) -> bool {
    let mut keys = node.keys().peekable();
    keys.peek().is_some() && !keys.any(|key| keys::CONDITIONAL.key(key).is_some())
}

/// A row: its key, and all of its cells, the first of which is the key.
pub(super) type Row = (Scalar, Node);

/// Returns a row that is written as a map, whose first value is the key.
fn row_of_map(node: &Node) -> Option<Row> {
    let (_, first) = node.entries().next()?;
    Some((key_of(first), node.clone()))
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
        let key = cells.first().map(key_of);
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
    for column in header {
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

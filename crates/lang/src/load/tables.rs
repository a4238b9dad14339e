//! Tables: the constants of their columns, and the fields of the kinds that are made from their rows.

use super::Loader;
use crate::ast::{Expr, ExprKind, Name};
use crate::definition::{ComponentDef, DataDef};
use crate::table::{CODE, DataTable};
use crate::yaml::{Node, Scalar};

/// The column with the number of copies of a kind.
const COPIES: &str = "copies";

impl Loader {
    /// Adds a constant for each column, where the table stands.
    pub(super) fn add_columns(&mut self, data: &mut Vec<DataDef>, tables: &[DataTable]) {
        let mut added = 0;
        for table in tables {
            let mut columns = Vec::new();
            for column in table.keys.iter().chain(&table.columns) {
                self.parse_key_name(column);
                let constant = table.constant(column);
                columns.push(DataDef {
                    name: Name::new(constant.text.to_string(), column.span),
                    value: self.column(table, column),
                });
            }
            let at = (table.place + added).min(data.len());
            added += columns.len();
            data.splice(at..at, columns);
        }
    }

    /// Returns the cells of a column as a list; those of the keys are the values of the type.
    fn column(&mut self, table: &DataTable, column: &Scalar) -> Expr {
        let span = column.span;
        if table.keys.as_ref() == Some(column) {
            let name = Name::new(table.name.text.to_string(), span);
            return Expr::new(ExprKind::Name(name), span);
        }
        let rows = table.rows.iter();
        let cells = rows.filter_map(|(_, row)| row.get(&column.text).filter(|c| !c.is_missing()));
        let cells: Vec<&Node> = cells.collect();
        let cells = cells.into_iter().map(|cell| self.cell(cell, column));
        Expr::new(ExprKind::List(cells.collect()), span)
    }

    /// Parses a cell. One that is no value was meant as a text.
    fn cell(&mut self, cell: &Node, column: &Scalar) -> Expr {
        let before = self.problems();
        let value = self.parse_value(cell);
        let first = self.report.diagnostics.get(before).map(|first| first.span);
        if let Some(first) = first.filter(|_| cell.text().is_some()) {
            self.report.diagnostics.truncate(before);
            self.report.index();
            let message = format!(
                "this cell of the column `{}` is no value of the language",
                column.text
            );
            let help = "write a whole number, a name or an expression, but no formula; texts for people stand in the columns `title` and `text`";
            self.report.error(CODE, first, message, help);
        }
        value
    }

    /// Gives the kinds that are made from a table their cells, as fields and number of copies.
    pub(super) fn fill_kinds(
        components: &mut [ComponentDef],
        data: &[DataDef],
        tables: &[DataTable],
    ) {
        for table in tables {
            let is_made = |family: &&mut ComponentDef| table.families.contains(&family.name.text);
            for family in components.iter_mut().filter(is_made) {
                for (number, kind) in family.kinds.iter_mut().take(table.rows.len()).enumerate() {
                    fill(kind, number, data, table);
                }
            }
        }
    }
}

fn fill(kind: &mut ComponentDef, number: usize, data: &[DataDef], table: &DataTable) {
    let mut fields = Vec::new();
    for column in table.keys.iter().chain(&table.columns) {
        let constant = table.constant(column);
        let constant = data.iter().find(|data| data.name.text == *constant.text);
        let Some(value) = constant.and_then(|constant| cell(constant, number, kind)) else {
            continue;
        };
        let is_own = |(name, _): &(Name, Expr)| name.text == *column.text;
        if &*column.text == COPIES {
            kind.copies.get_or_insert(value);
        } else if !kind.fields.iter().any(is_own) {
            fields.push((Name::new(column.text.to_string(), column.span), value));
        }
    }
    fields.append(&mut kind.fields);
    kind.fields = fields;
}

/// Returns a cell as a member of its column.
fn cell(column: &DataDef, number: usize, kind: &ComponentDef) -> Option<Expr> {
    let span = if let ExprKind::List(cells) = &column.value.kind {
        cells.get(number)?.span
    } else {
        kind.name.span
    };
    let of = Expr::new(ExprKind::Name(column.name.clone()), span);
    let index = Expr::new(ExprKind::Int(number as i32 + 1), span);
    Some(Expr::new(
        ExprKind::Index(Box::new(of), Box::new(index)),
        span,
    ))
}

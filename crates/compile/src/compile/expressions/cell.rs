//! `row.cost`: the cell of a row of a table. The rows are values of a type, and each column is a constant list.

use crate::compile::compiler::Compiler;
use crate::compile::terms::value::Value;
use crate::names::types::Families;
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast;
use wyrmgate_program::*;

/// Returns the name of the constant with a column. No rules can write it.
pub(crate) fn column_name(table: &str, column: &str) -> String {
    format!("{table}.{column}")
}

impl Compiler<'_> {
    /// Returns the row of `spells[gust]`, also where a kind has the same name; `None` for anything else.
    pub(crate) fn row_named(&mut self, table: &ast::Expr, row: &ast::Expr) -> Option<Value> {
        let (table, row) = (table.as_name()?, row.as_name()?);
        let is_local = [table, row].map(|name| self.scope.find(&name.text).is_some());
        let Some(Symbol::Enum(of)) = self.world.symbol(&table.text) else {
            return None;
        };
        let value = self.world.enum_value(of, &row.text)?;
        (is_local == [false, false])
            .then(|| Value::One(self.b.constant(value), Some(Type::Enum(of))))
    }

    /// Returns the cell of a row; `None` if its table has no such column.
    pub(crate) fn cell(&mut self, row: ExprId, of: EnumId, column: &str) -> Option<Value> {
        let name = column_name(self.world.enum_name(of), column);
        let Some(Symbol::Constant) = self.world.symbol(&name) else {
            return None;
        };
        let cells = self.world.constants.get(&name)?.clone();
        if cells.is_of_lists() {
            return self.row_at(&cells, row, 0, Span::default());
        }
        let cells = self.constant_value(&cells);
        let (set, member) = self.list_of(cells);
        Some(self.nth(set, member, row, 0))
    }

    /// Returns the columns of the table whose rows are the values of a type.
    pub(crate) fn columns_of_table(&self, of: EnumId) -> Vec<(String, Type)> {
        let table = column_name(self.world.enum_name(of), "");
        let constants = self.world.constants.iter();
        let columns = constants.filter_map(|(name, cells)| {
            let column = name.strip_prefix(&table)?;
            Some((column.to_owned(), cells.of()?))
        });
        let mut columns: Vec<(String, Type)> = columns.collect();
        columns.sort_by(|(one, _), (other, _)| one.cmp(other));
        columns
    }
}

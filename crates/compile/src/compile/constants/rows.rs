//! Constant lists of lists. Translated, such a list consists of the numbers of its rows, and a row in place of a list
//! stands for its members, as a zone does for its contents. Filters, keys and functions therefore need no case for it.

use crate::compile::compiler::Compiler;
use crate::compile::terms::rows::{Rows, Tables};
use crate::compile::terms::value::Value;
use crate::names::constant::Constant;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Translates a list of lists as the list of its rows.
    pub fn rows(&mut self, lists: &Constant, span: Span) -> Option<Value> {
        let mut known = self.rows.iter().flatten();
        let number = match known.position(|rows| rows.lists == *lists) {
            Some(number) => number,
            None => {
                let tables = self.tables_of(lists, span)?;
                let lists = lists.clone();
                let rows = self.rows.get_or_insert_default();
                rows.push(Rows { lists, tables });
                rows.len() - 1
            }
        };
        let last = lists.items().len() as i32 - 1;
        Some(self.range_of(0, last, Type::Row(number as u16)))
    }

    /// Translates `rows[i]`, with the index of the first row.
    pub fn row_at(
        &mut self,
        lists: &Constant,
        index: ExprId,
        low: i32,
        span: Span,
    ) -> Option<Value> {
        let tables = self.tables_of(lists, span)?;
        let members = self.members_of_row(tables, index, low);
        Some(self.unpacked(Value::List(members, lists.of())))
    }

    /// Returns the members of a row that was found in a list of lists; anything else as it is.
    pub fn row_as_list(&mut self, value: Value) -> Value {
        if let Value::One(row, Some(Type::Row(number))) = value {
            let (members, of) = self.row_members(row, number);
            return self.unpacked(Value::List(members, of));
        }
        value
    }

    /// Translates the members of a row.
    pub fn row_members(&mut self, row: ExprId, number: u16) -> (SetId, Option<Type>) {
        match self.rows.iter().flatten().nth(usize::from(number)) {
            Some(rows) => {
                let of = rows.lists.of();
                (self.members_of_row(rows.tables, row, 0), of)
            }
            None => (self.b.set(Set::Empty), None),
        }
    }

    fn members_of_row(&mut self, tables: Tables, value: ExprId, low: i32) -> SetId {
        self.b.set(Set::Keyed(KeyedList {
            starts: tables.starts,
            members: tables.members,
            low,
            value,
            repeats: true,
        }))
    }

    fn tables_of(&mut self, lists: &Constant, span: Span) -> Option<Tables> {
        let (mut starts, mut members) = (vec![0], Vec::new());
        for row in lists.items() {
            if row.is_of_lists() {
                let message = "this list is nested too deeply";
                let help =
                    "during play, one index must lead to values: `rows[2]` is a list of them";
                return self.problem("list-in-list", span, message, help);
            }
            members.extend(row.values());
            starts.push(members.len() as i32);
        }
        Some(Tables {
            starts: self.b.table(starts),
            members: self.b.table(members),
        })
    }
}

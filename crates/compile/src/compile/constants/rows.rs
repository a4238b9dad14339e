//! Constant lists of lists. Translated, such a list consists of the numbers of its rows, and a row in place of a list
//! stands for its members, as a zone does for its contents. Filters, keys and functions therefore need no case for it.

use crate::compile::Compiler;
use crate::compile::expressions::value::Value;
use crate::names::constant::Constant;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::*;

/// A list of lists that a constant mentions.
pub struct Rows {
    lists: Constant,
    tables: Tables,
}

/// Where each row starts, and the members of all rows.
#[derive(Clone, Copy)]
struct Tables {
    starts: TableId,
    members: TableId,
}

impl Rows {
    /// Returns the row with this number; an empty list if there is none.
    fn row(&self, number: i32) -> Constant {
        let at = usize::try_from(number).ok();
        let found = at.and_then(|at| self.lists.items().get(at)).cloned();
        found.unwrap_or(Constant::List(self.lists.of(), Vec::new()))
    }

    /// Returns the rows with these numbers.
    fn lists(&self, numbers: &[i32]) -> Constant {
        let rows = numbers.iter().map(|number| self.row(*number));
        Constant::List(self.lists.of(), rows.collect())
    }
}

/// Returns a value of this type as a constant, rows as what is in them.
pub fn constant(rows: &[Rows], of: Option<Type>, value: i32) -> Constant {
    match rows_of(rows, of) {
        Some(rows) => rows.row(value),
        None => Constant::One(of, value),
    }
}

pub fn constant_list(rows: &[Rows], of: Option<Type>, values: Vec<i32>) -> Constant {
    match rows_of(rows, of) {
        Some(rows) => rows.lists(&values),
        None => Constant::list(of, values),
    }
}

fn rows_of(rows: &[Rows], of: Option<Type>) -> Option<&Rows> {
    match of {
        Some(Type::Row(number)) => rows.get(usize::from(number)),
        _ => None,
    }
}

impl Compiler<'_> {
    /// Translates a list of lists as the list of its rows.
    pub fn rows(&mut self, lists: &Constant, span: Span) -> Option<Value> {
        let known = self.rows.iter().position(|rows| rows.lists == *lists);
        let number = match known {
            Some(number) => number,
            None => {
                let tables = self.tables_of(lists, span)?;
                let lists = lists.clone();
                self.rows.push(Rows { lists, tables });
                self.rows.len() - 1
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
        Some(Value::List(
            self.members_of_row(tables, index, low),
            lists.of(),
        ))
    }

    /// Returns the members of a row that was found in a list of lists; anything else as it is.
    pub fn row_as_list(&mut self, value: Value) -> Value {
        if let Value::One(row, Some(Type::Row(number))) = value {
            let (members, of) = self.row_members(row, number);
            return Value::List(members, of);
        }
        value
    }

    /// Translates the members of a row.
    pub fn row_members(&mut self, row: ExprId, number: u16) -> (SetId, Option<Type>) {
        match self.rows.get(usize::from(number)) {
            Some(rows) => {
                let of = rows.lists.of();
                (self.members_of_row(rows.tables, row, 0), of)
            }
            None => (self.b.set(Set::Empty), None),
        }
    }

    fn members_of_row(&mut self, tables: Tables, value: ExprId, low: i32) -> SetId {
        self.b.set(Set::Keyed {
            starts: tables.starts,
            members: tables.members,
            low,
            value,
            repeats: true,
        })
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

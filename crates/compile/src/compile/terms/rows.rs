//! A list of lists in a constant, with the tables of its rows.

use crate::names::constant::Constant;
use wyrmgate_program::*;

/// A list of lists that a constant mentions.
pub struct Rows {
    pub lists: Constant,
    pub tables: Tables,
}

/// Where each row starts, and the members of all rows.
#[derive(Clone, Copy)]
pub struct Tables {
    pub starts: TableId,
    pub members: TableId,
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

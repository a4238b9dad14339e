//! Replaces several steps by one look-up in a table: values determined by a constant. This pass is last, because the other
//! passes recognize forms as written.

use super::known::cites_nothing;
use super::{constant, expr, replace};
use crate::compile::passes::masks::tree::same;
use wyrmgate_program::*;

/// The maximum size of tables to copy.
const ENTRIES_MAX: usize = 4_096;

pub fn simplify(program: &mut Program) {
    // The table that replaces a zone or a component by several keys can be part of a larger one.
    for id in super::all(program) {
        for _ in 0..2 {
            if let Some(new) = tabulated(program, id) {
                replace(program, id, new);
            }
        }
    }
}

/// `square(s.column + 1, s.row)`, `s.column < 3`: replaces an expression over table entries with the same index, and
/// constants, by the table of its results.
fn tabulated(program: &mut Program, id: ExprId) -> Option<Expr> {
    let whole = expr(program, id)?;
    let parts = parts_to_look_up(program, whole)?;
    let entries: Vec<Option<Entries>> = parts
        .iter()
        .map(|part| Entries::of(program, *part))
        .collect();
    let mut tables = entries.iter().flatten();
    let one = tables.next()?;
    let (mut low, mut end) = (one.low, one.end()?);
    for other in tables {
        if !same(program, one.index, other.index) {
            return None;
        }
        (low, end) = (low.min(other.low), end.max(other.end()?));
    }
    if i64::from(end) - i64::from(low) > ENTRIES_MAX as i64 {
        return None;
    }
    let result_at = |index: Option<i32>| {
        let part = |at: usize| match (entries.get(at)?, index) {
            (Some(entries), Some(index)) => entries.at(program, index),
            (Some(entries), None) => Some(entries.default),
            (None, _) => constant(program, *parts.get(at)?),
        };
        result(program, whole, &part)
    };
    let new: Option<Vec<i32>> = (low..end).map(|index| result_at(Some(index))).collect();
    let (new, default, index) = (new?, result_at(None)?, one.index);
    cites_nothing(program, id).then(|| {
        Expr::Table(TableLookUp {
            table: table(program, new),
            low,
            index,
            default,
        })
    })
}

/// Returns the parts of an expression that a table can replace.
fn parts_to_look_up(program: &Program, whole: Expr) -> Option<Vec<ExprId>> {
    match whole {
        Expr::Table(_)
        | Expr::Not(_)
        | Expr::Binary(..)
        | Expr::And(..)
        | Expr::Or(..)
        | Expr::ZoneAt { .. }
        | Expr::ComponentAt { .. } => {}
        _ => return None,
    }
    let part = |part| match part {
        Part::Expr(id) => Some(id),
        Part::Set(_) => None,
    };
    whole.parts(program).into_iter().map(part).collect()
}

/// Returns the value of an expression whose parts have these values; `None` if one is not known, or the result does not
/// fit.
fn result(program: &Program, whole: Expr, part: &dyn Fn(usize) -> Option<i32>) -> Option<i32> {
    let truth = |at: usize| part(at).map(|value| value > 0);
    match whole {
        Expr::Table(_) => Entries::in_table(program, whole)?.at(program, part(0)?),
        Expr::Not(_) => Some(i32::from(!truth(0)?)),
        Expr::Binary(op, ..) => op.of(part(0)?, part(1)?),
        Expr::And(..) => Some(i32::from(truth(0)? && truth(1)?)),
        Expr::Or(..) => Some(i32::from(truth(0)? || truth(1)?)),
        Expr::ZoneAt { family, keys } => {
            let key = |key: ExprId| part((key - keys) as usize).ok_or(());
            program.zone_at(family, keys, key).ok()
        }
        Expr::ComponentAt { table, sizes, keys } => {
            let key = |key: ExprId| part((key - keys) as usize).ok_or(());
            program.component_at(table, sizes, keys, key).ok()
        }
        _ => None,
    }
}

/// A look-up in a table.
pub struct Entries {
    look_up: TableLookUp,
    len: usize,
}

impl std::ops::Deref for Entries {
    type Target = TableLookUp;

    fn deref(&self) -> &TableLookUp {
        &self.look_up
    }
}

impl Entries {
    pub fn of(program: &Program, id: ExprId) -> Option<Entries> {
        Entries::in_table(program, expr(program, id)?)
    }

    fn in_table(program: &Program, look_up: Expr) -> Option<Entries> {
        let Expr::Table(look_up) = look_up else {
            return None;
        };
        let len = program.tables.get(look_up.table as usize)?.len();
        Some(Entries { look_up, len })
    }

    pub fn end(&self) -> Option<i32> {
        self.low.checked_add(i32::try_from(self.len).ok()?)
    }

    pub fn at(&self, program: &Program, index: i32) -> Option<i32> {
        let entries = program.tables.get(self.table as usize)?;
        let at = usize::try_from(i64::from(index) - i64::from(self.low)).ok();
        let entry = at.and_then(|at| entries.get(at)).copied();
        Some(entry.unwrap_or(self.default))
    }
}

/// Returns a table with these entries: an existing one, or a new one.
pub fn table(program: &mut Program, entries: Vec<i32>) -> TableId {
    let known = program.tables.iter().position(|known| *known == entries);
    let at = known.unwrap_or_else(|| {
        program.tables.push(entries);
        program.tables.len() - 1
    });
    at as TableId
}

//! Replaces several steps by one look-up in a table: zones and components with one key, and values determined by a
//! constant. This pass is last, because the other passes recognize forms as written.

use super::known::cites_nothing;
use super::{all, constant, expr, replace};
use crate::compile::passes::masks::tree::same;
use wyrmgate_program::*;

/// The maximum size of tables to copy.
const ENTRIES_MAX: usize = 4_096;

pub fn simplify(program: &mut Program) {
    for id in all(program) {
        if let Some(new) = zone_by_key(program, id).or_else(|| component_by_key(program, id)) {
            replace(program, id, new);
        }
        if let Some(new) = of_keys(program, id) {
            replace(program, id, new);
        }
        if let Some(new) = of_entries(program, id).or_else(|| of_two_entries(program, id)) {
            replace(program, id, new);
        }
    }
}

/// `hand(p)`: the zone of a family with one key.
fn zone_by_key(program: &mut Program, id: ExprId) -> Option<Expr> {
    let Expr::ZoneAt { family, keys } = expr(program, id)? else {
        return None;
    };
    let family = program.family(family)?;
    let [key] = family.keys.as_slice() else {
        return None;
    };
    let zone = |position: &i32| match *position {
        NONE => NONE,
        position => program.zone_at_place(family, position * i32::from(key.stride)),
    };
    let (low, zones) = (key.low, key.positions.iter().map(zone).collect());
    Some(Expr::Table {
        table: table(program, zones),
        low,
        index: keys,
        default: NONE,
    })
}

/// `dragon(p)`: the component of a kind with one key.
fn component_by_key(program: &Program, id: ExprId) -> Option<Expr> {
    let Expr::ComponentAt { table, sizes, keys } = expr(program, id)? else {
        return None;
    };
    let [low, size] = *program.tables.get(sizes as usize)?.as_slice() else {
        return None;
    };
    let entries = program.tables.get(table as usize)?.len();
    (usize::try_from(size) == Ok(entries)).then_some(Expr::Table {
        table,
        low,
        index: keys,
        default: NONE,
    })
}

/// Replaces an expression over a table entry and constants by the table of its results.
fn of_entries(program: &mut Program, id: ExprId) -> Option<Expr> {
    let (of, made) = made_of(program, id)?;
    let Expr::Table {
        table: entries,
        low,
        index,
        default,
    } = expr(program, of)?
    else {
        return None;
    };
    if !cites_nothing(program, id) {
        return None;
    }
    let old = program.tables.get(entries as usize)?;
    if old.len() > ENTRIES_MAX {
        return None;
    }
    let new: Option<Vec<i32>> = old.iter().map(|entry| made(program, *entry)).collect();
    let (new, default) = (new?, made(program, default)?);
    Some(Expr::Table {
        table: table(program, new),
        low,
        index,
        default,
    })
}

/// `square(s.column + 1, s.row)`: a zone or component whose keys are table entries with the same index, or constants.
fn of_keys(program: &mut Program, id: ExprId) -> Option<Expr> {
    let found = expr(program, id)?;
    let (first, count) = match found {
        Expr::ZoneAt { family, keys } => {
            let family = program.family(family)?;
            (keys, family.keys.len())
        }
        Expr::ComponentAt { sizes, keys, .. } => {
            (keys, program.tables.get(sizes as usize)?.len() / 2)
        }
        _ => return None,
    };
    let keys = (first..).take(count);
    let entries: Vec<Option<Entries>> = keys.map(|key| Entries::of(program, key)).collect();
    let mut tables = entries.iter().flatten();
    let one = tables.next()?;
    let (mut low, mut end) = (one.low, one.end()?);
    for other in tables {
        if !same(program, one.index, other.index) {
            return None;
        }
        (low, end) = (low.min(other.low), end.max(other.end()?));
    }
    if low >= end || i64::from(end) - i64::from(low) > ENTRIES_MAX as i64 {
        return None;
    }
    let found_at = |index: Option<i32>| {
        let key = |key: ExprId| {
            let of_table = entries.get((key - first) as usize)?.as_ref();
            match (of_table, index) {
                (Some(entries), Some(index)) => entries.at(program, index),
                (Some(entries), None) => Some(entries.default),
                (None, _) => constant(program, key),
            }
        };
        let key = |id| key(id).ok_or(());
        match found {
            Expr::ZoneAt { family, keys } => program.zone_at(family, keys, key).ok(),
            Expr::ComponentAt { table, sizes, keys } => {
                program.component_at(table, sizes, keys, key).ok()
            }
            _ => None,
        }
    };
    let new: Option<Vec<i32>> = (low..end).map(|index| found_at(Some(index))).collect();
    let (new, default, index) = (new?, found_at(None)?, one.index);
    cites_nothing(program, id).then(|| Expr::Table {
        table: table(program, new),
        low,
        index,
        default,
    })
}

/// Replaces an expression over two table entries with the same index by one table of its results.
fn of_two_entries(program: &mut Program, id: ExprId) -> Option<Expr> {
    let (one, other, made) = made_of_two(program, id)?;
    let (one, other) = (Entries::of(program, one)?, Entries::of(program, other)?);
    if !same(program, one.index, other.index) || !cites_nothing(program, id) {
        return None;
    }
    let low = one.low.min(other.low);
    let end = one.end()?.max(other.end()?);
    if low >= end || i64::from(end) - i64::from(low) > ENTRIES_MAX as i64 {
        return None;
    }
    let at = |index: i32| made(one.at(program, index)?, other.at(program, index)?);
    let new: Option<Vec<i32>> = (low..end).map(at).collect();
    let (new, default) = (new?, made(one.default, other.default)?);
    Some(Expr::Table {
        table: table(program, new),
        low,
        index: one.index,
        default,
    })
}

/// The function of two truth values or numbers; `None` if the result does not fit.
type OfTwo = Box<dyn Fn(i32, i32) -> Option<i32>>;

fn made_of_two(program: &Program, id: ExprId) -> Option<(ExprId, ExprId, OfTwo)> {
    Some(match expr(program, id)? {
        Expr::Binary(op, one, other) => (one, other, Box::new(move |a, b| op.of(a, b))),
        Expr::And(one, other) => (one, other, Box::new(|a, b| Some(i32::from(a > 0 && b > 0)))),
        Expr::Or(one, other) => (one, other, Box::new(|a, b| Some(i32::from(a > 0 || b > 0)))),
        _ => return None,
    })
}

/// A look-up in a table.
pub struct Entries {
    table: TableId,
    pub low: i32,
    len: usize,
    pub index: ExprId,
    pub default: i32,
}

impl Entries {
    pub fn of(program: &Program, id: ExprId) -> Option<Entries> {
        let Expr::Table {
            table,
            low,
            index,
            default,
        } = expr(program, id)?
        else {
            return None;
        };
        Some(Entries {
            table,
            low,
            len: program.tables.get(table as usize)?.len(),
            index,
            default,
        })
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

type Made = Box<dyn Fn(&Program, i32) -> Option<i32>>;

/// Returns the only part of an expression that is not constant, and the function that the expression is of it.
fn made_of(program: &Program, id: ExprId) -> Option<(ExprId, Made)> {
    Some(match expr(program, id)? {
        Expr::Table {
            table,
            low,
            index,
            default,
        } => {
            let entry = move |program: &Program, value: i32| {
                let entries = program.tables.get(table as usize)?;
                let at = usize::try_from(i64::from(value) - i64::from(low)).ok();
                Some(
                    at.and_then(|at| entries.get(at))
                        .copied()
                        .unwrap_or(default),
                )
            };
            (index, Box::new(entry))
        }
        Expr::Not(of) => (of, Box::new(|_, value| Some(i32::from(value <= 0)))),
        Expr::Binary(op, left, right) => {
            match (constant(program, left), constant(program, right)) {
                (None, Some(right)) => (left, Box::new(move |_, left| op.of(left, right))),
                (Some(left), None) => (right, Box::new(move |_, right| op.of(left, right))),
                _ => return None,
            }
        }
        _ => return None,
    })
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

//! Fields of zones, and free zones.

use super::tables::Entries;
use super::{constant, expr, replace_each};
use wyrmgate_program::*;

pub fn simplify(program: &mut Program) {
    replace_each(program, |program, id| {
        field_of_family(program, id).or_else(|| free(program, id))
    });
}

/// Removes the test for the family of a zone before a look-up of its field, if the field's table has its default for all
/// other zones.
fn field_of_family(program: &Program, id: ExprId) -> Option<Expr> {
    let field = Entries::of(program, id).filter(|field| field.low == 0)?;
    let (table, default) = (field.table, field.default);
    let Some(Expr::ZoneIn { family, zone }) = expr(program, field.index) else {
        return None;
    };
    let family = program.family(family)?;
    let values = program.tables.get(table as usize)?;
    let first = usize::from(family.first);
    let others = values.get(..first)?.iter();
    let rest = values.get(first + usize::from(family.count)..)?.iter();
    let blank = others.chain(rest).all(|value| *value == default);
    blank.then_some(Expr::Table {
        table,
        low: 0,
        index: zone,
        default,
    })
}

/// `z != none and count(z) = 0`, the translation of `is free`.
fn free(program: &Program, id: ExprId) -> Option<Expr> {
    let Some(Expr::And(some, empty)) = expr(program, id) else {
        return None;
    };
    if !program.cites_of(some).is_empty() || !program.cites_of(empty).is_empty() {
        return None;
    }
    let Some(Expr::Binary(Binary::NotEqual, zone, none)) = expr(program, some) else {
        return None;
    };
    let Some(Expr::Binary(Binary::Equal, count, zero)) = expr(program, empty) else {
        return None;
    };
    let same = expr(program, count) == Some(Expr::ZoneCount(zone));
    let plain = constant(program, none) == Some(NONE) && constant(program, zero) == Some(0);
    (same && plain).then_some(Expr::IsFreeZone(zone))
}

//! `pieces where .owner = p and …`: the members of a kind by a constant field, tabulated at compile time.

use super::{conjuncts, constant_range, equality, expr, order, replace_each_set, set};
use crate::compile::passes::masks::tree::{add, add_set};
use wyrmgate_program::*;

/// Fields with a wider range of values are not tabulated.
const VALUES_MAX: i32 = 1_024;

pub fn simplify(program: &mut Program) {
    replace_each_set(program, keyed);
}

fn keyed(program: &mut Program, id: SetId) -> Option<Set> {
    let Set::Where(listed) = set(program, id)? else {
        return None;
    };
    let temp = listed.temp;
    let (first, last) = constant_range(program, listed.of)?;
    let mut conjuncts = conjuncts(program, listed.condition)?;
    let (at, field, value) = conjuncts.iter().enumerate().find_map(|(at, part)| {
        let field_of_member = |program: &Program, field| constant_field(program, field, temp);
        let (field, value) = equality(program, *part, temp, field_of_member)?;
        Some((at, field, value))
    })?;
    // Conditions before it must be evaluated for every member, as written.
    let before = conjuncts.get(..at).unwrap_or_default();
    if before
        .iter()
        .any(|part| order::can_overflow(program, *part))
    {
        return None;
    }
    let keyed = by_value(program, field, first..=last, value)?;
    conjuncts.remove(at);
    let rest = conjuncts.into_iter();
    let rest = rest.reduce(|left, right| add(program, Expr::And(left, right)));
    Some(match rest {
        None => keyed,
        Some(condition) => Set::Where(MemberTest {
            of: add_set(program, keyed),
            temp,
            condition,
        }),
    })
}

/// Returns the table of a constant field of the member.
fn constant_field(program: &Program, field: ExprId, temp: Temp) -> Option<TableLookUp> {
    let Expr::Table(field) = expr(program, field)? else {
        return None;
    };
    let of_member = expr(program, field.index) == Some(Expr::Temp(temp));
    (of_member && field.low == 0).then_some(field)
}

/// Tabulates the members from the first to the last by a field: where those with each number begin, and the members, in
/// order.
fn by_value(
    program: &mut Program,
    field: TableLookUp,
    all: std::ops::RangeInclusive<i32>,
    value: ExprId,
) -> Option<Set> {
    let first = *all.start();
    let entries = program.tables.get(field.table as usize)?;
    let entry = |member: i32| entries.get(member as usize).copied();
    let numbers = all.map(|member| entry(member).unwrap_or(field.default));
    let numbers: Vec<i32> = numbers.collect();
    let (low, high) = (*numbers.iter().min()?, *numbers.iter().max()?);
    if high.checked_sub(low)? >= VALUES_MAX {
        return None;
    }
    let (mut starts, mut members) = (vec![0], Vec::new());
    for number in low..=high {
        let own = (first..).zip(&numbers).filter(|(_, own)| **own == number);
        members.extend(own.map(|(member, _)| member));
        starts.push(members.len() as i32);
    }
    let (starts, members) = (table(program, starts), table(program, members));
    Some(Set::Keyed(KeyedList {
        starts,
        members,
        low,
        value,
        repeats: false,
    }))
}

/// Returns a table with these entries: an existing one, or a new one.
fn table(program: &mut Program, entries: Vec<i32>) -> TableId {
    let known = program.tables.iter().position(|known| *known == entries);
    let at = known.unwrap_or_else(|| {
        program.tables.push(entries);
        program.tables.len() - 1
    });
    at as TableId
}

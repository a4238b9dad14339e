//! `pieces where .owner = p and …`: the members of a kind by a constant field, tabulated at compile time.

use std::collections::BTreeMap;

use super::tables::Entries;
use super::{conjuncts, constant_range, equality, expr, order, replace_each_set, set};
use crate::compile::passes::masks::tree::{add, add_set};
use wyrmgate_program::*;

/// Fields with a wider range of values are not tabulated.
const VALUES_MAX: i32 = 1_024;

/// A constant field of the components from `first` to `last`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Field {
    table: TableId,
    default: i32,
    first: i32,
    last: i32,
}

/// The components by the value of a field: see [`Set::Keyed`].
#[derive(Clone, Copy)]
struct ByValue {
    starts: TableId,
    members: TableId,
    low: i32,
}

/// The fields that have been tabulated.
type Listed = BTreeMap<Field, ByValue>;

pub fn simplify(program: &mut Program) {
    let mut listed = Listed::new();
    replace_each_set(program, |program, id| keyed(program, id, &mut listed));
}

fn keyed(program: &mut Program, id: SetId, listed: &mut Listed) -> Option<Set> {
    let Some(Set::Where {
        of,
        temp,
        condition,
    }) = set(program, id)
    else {
        return None;
    };
    let (first, last) = constant_range(program, of)?;
    let mut conjuncts = conjuncts(program, condition)?;
    let (at, (table, default), value) = conjuncts.iter().enumerate().find_map(|(at, part)| {
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
    let field = Field {
        table,
        default,
        first,
        last,
    };
    let ByValue {
        starts,
        members,
        low,
    } = by_value(program, field, listed)?;
    let keyed = Set::Keyed {
        starts,
        members,
        low,
        value,
        repeats: false,
    };
    conjuncts.remove(at);
    let rest = conjuncts.into_iter();
    let rest = rest.reduce(|left, right| add(program, Expr::And(left, right)));
    Some(match rest {
        None => keyed,
        Some(condition) => Set::Where {
            of: add_set(program, keyed),
            temp,
            condition,
        },
    })
}

/// Returns the table of a constant field of the member.
fn constant_field(program: &Program, field: ExprId, temp: Temp) -> Option<(TableId, i32)> {
    let field = Entries::of(program, field).filter(|field| field.low == 0)?;
    let of_member = expr(program, field.index) == Some(Expr::Temp(temp));
    of_member.then_some((field.table, field.default))
}

/// Returns the components by the value of a field, tabulated on first use.
fn by_value(program: &mut Program, field: Field, listed: &mut Listed) -> Option<ByValue> {
    if let Some(known) = listed.get(&field) {
        return Some(*known);
    }
    let new = tabulate(program, field)?;
    listed.insert(field, new);
    Some(new)
}

/// Creates two tables: where the members with each value begin, and the members, in order.
fn tabulate(program: &mut Program, field: Field) -> Option<ByValue> {
    let values = program.tables.get(field.table as usize)?;
    let components = field.first..=field.last;
    let value_of = |member: i32| {
        let value = values.get(member as usize).copied();
        value.unwrap_or(field.default)
    };
    let low = components.clone().map(value_of).min()?;
    let high = components.clone().map(value_of).max()?;
    if high.checked_sub(low)? >= VALUES_MAX {
        return None;
    }
    let mut starts = vec![0];
    let mut members = Vec::new();
    for value in low..=high {
        let with_value = components.clone();
        members.extend(with_value.filter(|member| value_of(*member) == value));
        starts.push(members.len() as i32);
    }
    program.tables.push(starts);
    program.tables.push(members);
    let members = program.tables.len() as TableId - 1;
    Some(ByValue {
        starts: members - 1,
        members,
        low,
    })
}

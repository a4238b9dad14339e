//! Lists that can contain a value twice.

use std::collections::{HashMap, HashSet};

use super::pure::{self, Known};
use super::{
    Expr, ExprId, ExtremeKey, KeyedList, ListUpTo, MemberTest, Program, QueryBody, Set, SetId,
    SortedList, SupposedList, TableId, TableLookUp, Temp,
};

/// The maximum depth of nested lists to examine for repetitions.
const FOLLOWED: u32 = 16;

/// Returns whether the same value may occur twice.
pub fn may_repeat(program: &Program, set: SetId) -> bool {
    may_repeat_within(program, set, FOLLOWED, false)
}

/// Returns the same as [`may_repeat`], but also compares the rows of constant tables: too slow for play, and more often
/// false.
pub fn may_repeat_by_tables(program: &Program, set: SetId) -> bool {
    may_repeat_within(program, set, FOLLOWED, true)
}

fn may_repeat_within(program: &Program, set: SetId, followed: u32, by_tables: bool) -> bool {
    let part = |of| followed == 0 || may_repeat_within(program, of, followed - 1, by_tables);
    match program.sets.get(set as usize) {
        None => false,
        Some(set) => match *set {
            Set::Empty
            | Set::Zone(_)
            | Set::Range(..)
            | Set::SeatsFrom(_)
            | Set::Others(_)
            | Set::Unique(_)
            | Set::Bits(_)
            | Set::Keyed(KeyedList { repeats: false, .. })
            | Set::Within(_)
            | Set::FreeCells(_)
            | Set::TakenCells(_)
            | Set::Following(_) => false,
            Set::Where(MemberTest { of, .. })
            | Set::Sorted(SortedList { of, .. })
            | Set::With(ExtremeKey { of, .. })
            | Set::Minus(of, _)
            | Set::Reversed(of)
            | Set::PhysicalOrder(of)
            | Set::UpTo(ListUpTo { of, .. })
            | Set::Take(of, _) => part(of),
            Set::Let { list, .. }
            | Set::LetList { list, .. }
            | Set::After(SupposedList { list, .. }) => part(list),
            Set::Joined { of, temp, list } => !by_tables || !are_apart(program, of, temp, list),
            Set::If(_, then, otherwise) => part(then) || part(otherwise),
            Set::Call { query, .. } => match program.query(query) {
                Some(query) if query.deepest > 0 => true,
                Some(query) => matches!(query.body, QueryBody::List(body) if part(body)),
                None => false,
            },
            Set::Table(table) => !by_tables || has_twins(program, table),
            Set::Keyed(_)
            | Set::Local(_)
            | Set::LocalAt { .. }
            | Set::Temp(_)
            | Set::Words { .. }
            | Set::List { .. }
            | Set::Keys { .. }
            | Set::Concat(..)
            | Set::CallKind { .. } => true,
        },
    }
}

/// Returns whether a constant list has a value twice.
fn has_twins(program: &Program, table: TableId) -> bool {
    let values = program.tables.get(table as usize);
    let mut seen = HashSet::new();
    values.is_none_or(|values| !values.iter().all(|value| seen.insert(*value)))
}

/// Returns whether lists that are joined, one for each member of a constant list, have no value in common, as the directions
/// from a space: each is a part of one row of a constant table, which also depends on one other value.
fn are_apart(program: &Program, of: SetId, temp: Temp, list: SetId) -> bool {
    disjoint_rows(program, of, temp, list) == Some(true)
}

fn disjoint_rows(program: &Program, of: SetId, temp: Temp, list: SetId) -> Option<bool> {
    let outer = pure::list(program, of, &mut Known::default())?;
    let rows = whole_rows(program, list)?;
    let Expr::Pair(pair) = *program.exprs.get(rows.value as usize)? else {
        return None;
    };
    let is_outer = |expr: ExprId| matches!(program.exprs.get(expr as usize), Some(Expr::Temp(of)) if *of == temp);
    let is_apart = |expr: ExprId| !is_outer(expr) && is_simple(program, expr, temp);
    let (starts, members) = (
        program.tables.get(rows.starts as usize)?,
        program.tables.get(rows.members as usize)?,
    );
    let row = |number: i32| -> Option<&[i32]> {
        let Some(at) = usize::try_from(number.checked_sub(rows.low)?).ok() else {
            return Some(&[]);
        };
        let (Some(first), Some(end)) = (starts.get(at), starts.get(at + 1)) else {
            return Some(&[]);
        };
        members.get(usize::try_from(*first).ok()?..usize::try_from(*end).ok()?)
    };
    // The halves of the pair: the outer member determines one half, something else the other.
    let halves = |member: i32, rest: i32| -> Option<i32> {
        let (one, other) = match is_outer(pair.one) {
            true => (member.checked_sub(pair.low_of_one)?, rest),
            false => (rest, member.checked_sub(pair.low_of_other)?),
        };
        one.checked_mul(pair.count)?.checked_add(other)
    };
    let rests = match (
        is_outer(pair.one) && is_apart(pair.other),
        is_outer(pair.other) && is_apart(pair.one),
    ) {
        (true, _) => 0..pair.count,
        (_, true) => 0..i32::try_from(starts.len()).ok()?.checked_div(pair.count)? + 1,
        _ => return None,
    };
    let mut last_seen: HashMap<i32, i32> = HashMap::new();
    for rest in rests {
        for member in &outer {
            for value in row(halves(*member, rest)?)? {
                if last_seen.insert(*value, rest) == Some(rest) {
                    return Some(false);
                }
            }
        }
    }
    Some(true)
}

/// Returns whether an expression cannot depend on a temp: it reads one other temp, or looks it up.
fn is_simple(program: &Program, expr: ExprId, temp: Temp) -> bool {
    match program.exprs.get(expr as usize) {
        Some(&Expr::Temp(of)) => of != temp,
        Some(&Expr::Table(TableLookUp { index, .. })) => is_simple(program, index, temp),
        Some(Expr::Local(_) | Expr::Word(_) | Expr::Const(_)) => true,
        _ => false,
    }
}

/// Returns the lists of a constant table of one of which a list is a part.
fn whole_rows(program: &Program, list: SetId) -> Option<KeyedList> {
    let set = *program.sets.get(list as usize)?;
    if let Set::Keyed(rows) = set {
        return Some(rows);
    }
    if let Set::Where(MemberTest { of, .. })
    | Set::UpTo(ListUpTo { of, .. })
    | Set::Take(of, _)
    | Set::Minus(of, _)
    | Set::Reversed(of) = set
    {
        return whole_rows(program, of);
    }
    None
}

//! The parts of an expression or list.

use super::{expr, set};
use wyrmgate_program::*;

/// A part of an expression or list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Child {
    Expr(ExprId),
    Set(SetId),
}

/// May this expression be evaluated before a loop over `temp` instead of in it? It does not look at the member, and
/// it cannot overflow.
pub fn can_go_first(program: &Program, id: ExprId, temp: Temp) -> bool {
    let Some(expr) = expr(program, id) else {
        return false;
    };
    let safe = match expr {
        Expr::Temp(other) => other != temp,
        Expr::Negate(_) | Expr::Abs(_) | Expr::Sum { .. } | Expr::ListArgument(_) => false,
        Expr::Call { .. } | Expr::CallKind { .. } => false,
        Expr::Binary(Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide, ..) => {
            false
        }
        _ => true,
    };
    safe && of_expr(program, expr).into_iter().all(|child| match child {
        Child::Expr(id) => can_go_first(program, id, temp),
        Child::Set(id) => set_can_go_first(program, id, temp),
    })
}

fn set_can_go_first(program: &Program, id: SetId, temp: Temp) -> bool {
    let Some(set) = set(program, id) else {
        return false;
    };
    let safe = match set {
        Set::Temp(other) => other != temp,
        Set::Call { .. } | Set::CallKind { .. } => false,
        _ => true,
    };
    safe && of_set(set).into_iter().all(|child| match child {
        Child::Expr(id) => can_go_first(program, id, temp),
        Child::Set(id) => set_can_go_first(program, id, temp),
    })
}

/// The parts of an expression; of calls none.
pub fn of_expr(program: &Program, expr: Expr) -> Vec<Child> {
    use Child::{Expr as E, Set as S};
    match expr {
        Expr::Const(_)
        | Expr::Local(_)
        | Expr::Temp(_)
        | Expr::Word(_)
        | Expr::AnyBit(_)
        | Expr::CountBits(_)
        | Expr::FirstBit(..)
        | Expr::Call { .. }
        | Expr::CallKind { .. } => Vec::new(),
        Expr::WordAt { index: of, .. }
        | Expr::Table { index: of, .. }
        | Expr::LocalAt { index: of, .. }
        | Expr::ZoneOf(of)
        | Expr::ZoneIn { zone: of, .. }
        | Expr::Inside(of)
        | Expr::HolderOf(of)
        | Expr::OwnerOf(of)
        | Expr::PlaceOf(of)
        | Expr::IsFaceUp(of)
        | Expr::IsKind { of, .. }
        | Expr::SeatAfter { seat: of, .. }
        | Expr::Not(of)
        | Expr::Negate(of)
        | Expr::Abs(of)
        | Expr::ZoneCount(of)
        | Expr::ZoneFirst(of)
        | Expr::ZoneLast(of)
        | Expr::IsFreeZone(of)
        | Expr::CountWords { value: of, .. }
        | Expr::CellOf(of)
        | Expr::RotationOf(of) => vec![E(of)],
        Expr::Binary(_, a, b)
        | Expr::And(a, b)
        | Expr::Or(a, b)
        | Expr::Pair {
            one: a, other: b, ..
        }
        | Expr::AtCell { zone: a, cell: b }
        | Expr::CellBeside { cell: a, side: b }
        | Expr::SideTurned { side: a, by: b }
        | Expr::Revealed { of: a, to: b, .. } => vec![E(a), E(b)],
        Expr::LineOfBits { zone, .. } => vec![E(zone)],
        Expr::InARow {
            zone, condition, ..
        } => vec![E(zone), E(condition)],
        Expr::If(a, b, c) => vec![E(a), E(b), E(c)],
        Expr::ZoneAt { family, keys } => {
            let family = program.families.get(usize::from(family));
            row(keys, family.map_or(0, |family| family.keys.len()))
        }
        Expr::ComponentAt { sizes, keys, .. } => {
            let sizes = program.tables.get(sizes as usize);
            row(keys, sizes.map_or(0, |sizes| sizes.len() / 2))
        }
        Expr::ListArgument(of)
        | Expr::Count(of)
        | Expr::IsEmpty(of)
        | Expr::First(of, _)
        | Expr::Last(of, _) => vec![S(of)],
        Expr::Contains(of, value) | Expr::Nth(of, value, _) | Expr::IndexOf(of, value) => {
            vec![S(of), E(value)]
        }
        Expr::Some {
            of, condition: key, ..
        }
        | Expr::Every {
            of, condition: key, ..
        }
        | Expr::Sum { of, key, .. }
        | Expr::Extreme { of, key, .. }
        | Expr::Distinct { of, key, .. } => vec![S(of), E(key)],
    }
}

fn row(first: ExprId, count: usize) -> Vec<Child> {
    (first..first + count as ExprId).map(Child::Expr).collect()
}

/// The parts of a list; of calls none.
pub fn of_set(set: Set) -> Vec<Child> {
    use Child::{Expr as E, Set as S};
    match set {
        Set::Empty
        | Set::Table(_)
        | Set::Local(_)
        | Set::Temp(_)
        | Set::Bits(_)
        | Set::Call { .. }
        | Set::CallKind { .. } => Vec::new(),
        Set::Zone(of)
        | Set::SeatsFrom(of)
        | Set::Others(of)
        | Set::LocalAt { index: of, .. }
        | Set::Keyed { value: of, .. }
        | Set::FreeCells(of)
        | Set::TakenCells(of) => vec![E(of)],
        Set::Range(a, b) => vec![E(a), E(b)],
        Set::List { first, count } => row(first, usize::from(count)),
        Set::Where {
            of, condition: key, ..
        }
        | Set::Keys { of, key, .. }
        | Set::Sorted { of, key, .. }
        | Set::With { of, key, .. } => vec![S(of), E(key)],
        Set::Concat(a, b) | Set::Minus(a, b) => vec![S(a), S(b)],
        Set::Reversed(of) | Set::Unique(of) | Set::AsTheyLie(of) => vec![S(of)],
        Set::Take(of, count) => vec![S(of), E(count)],
        Set::Within {
            from, steps, next, ..
        } => vec![S(from), E(steps), S(next)],
        Set::If(test, a, b) => vec![E(test), S(a), S(b)],
    }
}

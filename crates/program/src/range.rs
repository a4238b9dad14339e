//! The possible values of an expression, from the tables it reads and the types of variables.

use super::{Binary, Expr, ExprId, NONE, Program, Set, SetId, Temp, Type};

/// Returns the lowest and the highest possible value of an expression, if they are known and close; `temps` are the
/// possible values of temps.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "nothing is known of the values of the others"
)]
pub fn range(p: &Program, id: ExprId, temps: &[(Temp, i32, i32)]) -> Option<(i32, i32)> {
    let of_components = (NONE, p.components.len() as i32 - 1);
    let of_zones = (NONE, p.zones.len() as i32 - 1);
    let of_seats = (NONE, p.seats as i32 - 1);
    match *p.exprs.get(id as usize)? {
        Expr::Const(value) => Some((value, value)),
        Expr::Temp(temp) => {
            let found = temps.iter().rev().find(|(known, ..)| *known == temp);
            found.map(|(_, low, high)| (*low, *high))
        }
        Expr::Table { table, default, .. } => {
            let values = p.tables.get(table as usize)?;
            let low = values.iter().min().map_or(default, |low| default.min(*low));
            let high = values
                .iter()
                .max()
                .map_or(default, |high| default.max(*high));
            Some((low, high))
        }
        Expr::Word(offset) => of_word(p, offset),
        Expr::WordAt {
            offset, default, ..
        } => {
            let (low, high) = of_word(p, offset)?;
            Some((low.min(default), high.max(default)))
        }
        Expr::ZoneOf(_) | Expr::ZoneIn { .. } | Expr::ZoneAt { .. } | Expr::Inside(_) => {
            Some(of_zones)
        }
        Expr::HolderOf(_) | Expr::ZoneFirst(_) | Expr::ZoneLast(_) | Expr::ComponentAt { .. } => {
            Some(of_components)
        }
        Expr::OwnerOf(_) | Expr::SeatAfter { .. } => Some(of_seats),
        Expr::SideTurned { .. } => Some((NONE, 3)),
        Expr::IsKind { .. } | Expr::Not(_) | Expr::And(..) | Expr::Or(..) => Some((0, 1)),
        Expr::If(_, a, b) => {
            let (a, b) = (range(p, a, temps)?, range(p, b, temps)?);
            Some((a.0.min(b.0), a.1.max(b.1)))
        }
        Expr::Binary(op, a, b) => {
            let (a, b) = (range(p, a, temps)?, range(p, b, temps)?);
            match op {
                Binary::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
                Binary::Subtract => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
                Binary::Max => Some((a.0.max(b.0), a.1.max(b.1))),
                Binary::Min => Some((a.0.min(b.0), a.1.min(b.1))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the lowest and the highest possible member of a list, if they are known.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "nothing is known of the members of the others"
)]
pub fn range_of_members(p: &Program, id: SetId, temps: &[(Temp, i32, i32)]) -> Option<(i32, i32)> {
    let ends = |values: &[i32]| Some((*values.iter().min()?, *values.iter().max()?));
    match *p.sets.get(id as usize)? {
        Set::Table(table) => ends(p.tables.get(table as usize)?),
        Set::Keyed { members, .. } => ends(p.tables.get(members as usize)?),
        Set::Where { of, .. } | Set::Reversed(of) | Set::Unique(of) | Set::PhysicalOrder(of) => {
            range_of_members(p, of, temps)
        }
        Set::Zone(_) => Some((0, p.components.len() as i32 - 1)),
        Set::SeatsFrom(_) | Set::Others(_) => Some((0, p.seats as i32 - 1)),
        Set::Range(low, high) => {
            let (low, high) = (range(p, low, temps)?, range(p, high, temps)?);
            Some((low.0, high.1))
        }
        _ => None,
    }
}

fn of_word(p: &Program, offset: u32) -> Option<(i32, i32)> {
    let var = p
        .vars
        .iter()
        .find(|var| (var.offset..var.offset + var.len).contains(&offset))?;
    let count = |count: usize| Some((NONE, count as i32 - 1));
    match var.of {
        Type::Bool => Some((0, 1)),
        Type::Seat => count(p.seats),
        Type::Enum(id) => count(p.enums.get(usize::from(id))?.values.len()),
        Type::Component(_) => count(p.components.len()),
        Type::Zone(_) => count(p.zones.len()),
        Type::Side => count(4),
        Type::Int | Type::Cell | Type::Row(_) | Type::Record(_) => None,
    }
}

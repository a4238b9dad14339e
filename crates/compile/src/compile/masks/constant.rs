//! Evaluates expressions that do not read the state at compile time.
//!
//! The semantics are those of the engine: total, with `none` for every question to `none`. Expressions that would
//! overflow, or that read the state, have no value here.

use super::tree::{get, get_set};
use wyrmgate_program::*;

/// Values of temps, the latest last.
#[derive(Debug, Clone, Default)]
pub struct Known(Vec<(Temp, i32)>);

impl Known {
    pub fn of(temp: Temp, value: i32) -> Known {
        Known(vec![(temp, value)])
    }

    pub fn and(mut self, temp: Temp, value: i32) -> Known {
        self.0.push((temp, value));
        self
    }

    fn get(&self, temp: Temp) -> Option<i32> {
        let found = self.0.iter().rev().find(|(known, _)| *known == temp);
        found.map(|(_, value)| *value)
    }

    fn with<T>(&mut self, temp: Temp, value: i32, then: impl FnOnce(&mut Self) -> T) -> T {
        self.0.push((temp, value));
        let answer = then(self);
        self.0.pop();
        answer
    }
}

pub fn truth(program: &Program, id: ExprId, known: &mut Known) -> Option<bool> {
    value(program, id, known).map(|value| value > 0)
}

pub fn value(p: &Program, id: ExprId, known: &mut Known) -> Option<i32> {
    match get(p, id) {
        Expr::Const(value) => Some(value),
        Expr::Temp(temp) => known.get(temp),
        Expr::Table {
            table,
            low,
            index,
            default,
        } => {
            let at = i64::from(value(p, index, known)?) - i64::from(low);
            Some(entry(p, table, at).unwrap_or(default))
        }
        Expr::ZoneAt { family, keys } => zone_at(p, family, keys, known),
        Expr::ComponentAt { table, sizes, keys } => component_at(p, table, sizes, keys, known),
        Expr::ZoneIn { family, zone } => {
            let zone = value(p, zone, known)?;
            let family = p.families.get(usize::from(family))?;
            let first = i32::from(family.first);
            let all = first..first + i32::from(family.count);
            Some(if all.contains(&zone) { zone } else { NONE })
        }
        Expr::Inside(of) => {
            let component = value(p, of, known)?;
            let info = place(component).and_then(|at| p.components.get(at));
            Some(info.and_then(|info| info.holds).map_or(NONE, i32::from))
        }
        Expr::HolderOf(of) => {
            let zone = value(p, of, known)?;
            let info = place(zone).and_then(|at| p.zones.get(at));
            Some(info.and_then(|info| info.inside).map_or(NONE, i32::from))
        }
        Expr::OwnerOf(of) => {
            let zone = value(p, of, known)?;
            let info = place(zone).and_then(|at| p.zones.get(at));
            Some(info.and_then(|info| info.owner).map_or(NONE, i32::from))
        }
        Expr::IsKind { kind, of } => {
            let component = i64::from(value(p, of, known)?);
            let kind = p.kinds.get(usize::from(kind))?;
            let all = i64::from(kind.first)..i64::from(kind.first) + i64::from(kind.count);
            Some(i32::from(all.contains(&component)))
        }
        Expr::SeatAfter { seat, by } => {
            let seat = value(p, seat, known)?;
            let seats = p.seats as i32;
            let is_seat = (0..seats).contains(&seat);
            Some(if is_seat {
                (seat + i32::from(by)).rem_euclid(seats)
            } else {
                NONE
            })
        }
        Expr::SideTurned { side, by } => {
            let (side, by) = (value(p, side, known)?, value(p, by, known)?);
            Some(match side {
                0..=3 => (side + by.rem_euclid(4)) % 4,
                _ => NONE,
            })
        }
        Expr::Not(of) => Some(i32::from(!truth(p, of, known)?)),
        Expr::Negate(of) => value(p, of, known)?.checked_neg(),
        Expr::Abs(of) => value(p, of, known)?.checked_abs(),
        Expr::Binary(op, a, b) => binary(op, value(p, a, known)?, value(p, b, known)?),
        Expr::And(a, b) => Some(i32::from(truth(p, a, known)? && truth(p, b, known)?)),
        Expr::Or(a, b) => Some(i32::from(truth(p, a, known)? || truth(p, b, known)?)),
        Expr::If(test, a, b) => match truth(p, test, known)? {
            true => value(p, a, known),
            false => value(p, b, known),
        },
        Expr::Count(of) => Some(list(p, of, known)?.len() as i32),
        Expr::IsEmpty(of) => Some(i32::from(list(p, of, known)?.is_empty())),
        Expr::Contains(of, member) => {
            let member = value(p, member, known)?;
            Some(i32::from(list(p, of, known)?.contains(&member)))
        }
        Expr::First(of, default) => Some(list(p, of, known)?.first().copied().unwrap_or(default)),
        Expr::Last(of, default) => Some(list(p, of, known)?.last().copied().unwrap_or(default)),
        Expr::Nth(of, at, default) => {
            let at = i64::from(value(p, at, known)?) - 1;
            let list = list(p, of, known)?;
            let found = usize::try_from(at).ok().and_then(|at| list.get(at));
            Some(found.copied().unwrap_or(default))
        }
        Expr::Some {
            of,
            temp,
            condition,
        } => quantified(p, of, temp, condition, true, known),
        Expr::Every {
            of,
            temp,
            condition,
        } => Some(1 - quantified(p, of, temp, condition, false, known)?),
        _ => None,
    }
}

fn quantified(
    p: &Program,
    of: SetId,
    temp: Temp,
    condition: ExprId,
    wanted: bool,
    known: &mut Known,
) -> Option<i32> {
    for member in list(p, of, known)? {
        let holds = known.with(temp, member, |known| truth(p, condition, known))?;
        if holds == wanted {
            return Some(1);
        }
    }
    Some(0)
}

/// Longer lists are not worked out.
const MEMBERS_MAX: usize = 4_096;

/// The members of a list.
pub fn list(p: &Program, id: SetId, known: &mut Known) -> Option<Vec<i32>> {
    match get_set(p, id) {
        Set::Empty => Some(Vec::new()),
        Set::Range(low, high) => {
            let (low, high) = (value(p, low, known)?, value(p, high, known)?);
            let short = i64::from(high) - i64::from(low) < MEMBERS_MAX as i64;
            short.then(|| (low..=high).collect())
        }
        Set::Table(table) => p.tables.get(table as usize).cloned(),
        Set::Keyed {
            starts,
            members,
            low,
            value: key,
            ..
        } => {
            let at = i64::from(value(p, key, known)?) - i64::from(low);
            let group = || {
                let first = place(entry(p, starts, at)?)?;
                let end = place(entry(p, starts, at + 1)?)?;
                p.tables.get(members as usize)?.get(first..end)
            };
            Some(group().unwrap_or(&[]).to_vec())
        }
        Set::SeatsFrom(seat) => seats(p, value(p, seat, known)?, 0),
        Set::Others(seat) => seats(p, value(p, seat, known)?, 1),
        Set::List { first, count } => {
            let all = first..first + u32::from(count);
            all.map(|id| value(p, id, known)).collect()
        }
        Set::Where {
            of,
            temp,
            condition,
        } => {
            let mut kept = Vec::new();
            for member in list(p, of, known)? {
                if known.with(temp, member, |known| truth(p, condition, known))? {
                    kept.push(member);
                }
            }
            Some(kept)
        }
        Set::Keys { of, temp, key } => {
            let members = list(p, of, known)?.into_iter();
            members
                .map(|member| known.with(temp, member, |known| value(p, key, known)))
                .collect()
        }
        Set::Concat(a, b) => {
            let mut all = list(p, a, known)?;
            all.extend(list(p, b, known)?);
            Some(all)
        }
        Set::Minus(of, without) => {
            let without = list(p, without, known)?;
            let mut all = list(p, of, known)?;
            all.retain(|member| !without.contains(member));
            Some(all)
        }
        Set::Reversed(of) => {
            let mut all = list(p, of, known)?;
            all.reverse();
            Some(all)
        }
        _ => None,
    }
}

fn seats(p: &Program, first: i32, skipped: i32) -> Option<Vec<i32>> {
    let seats = p.seats as i32;
    if !(0..seats).contains(&first) {
        return Some(Vec::new());
    }
    let all = skipped..seats;
    Some(all.map(|step| (first + step) % seats).collect())
}

fn place(number: i32) -> Option<usize> {
    usize::try_from(number).ok()
}

fn entry(p: &Program, table: TableId, at: i64) -> Option<i32> {
    let at = usize::try_from(at).ok()?;
    p.tables.get(table as usize)?.get(at).copied()
}

fn zone_at(p: &Program, family: FamilyId, keys: ExprId, known: &mut Known) -> Option<i32> {
    let family = p.families.get(usize::from(family))?;
    let mut zone = i32::from(family.first);
    for (key, info) in (keys..).zip(&family.keys) {
        let at = i64::from(value(p, key, known)?) - i64::from(info.low);
        let position = usize::try_from(at).ok();
        match position.and_then(|at| info.positions.get(at)) {
            Some(position) if *position >= 0 => zone += position * i32::from(info.stride),
            _ => return Some(NONE),
        }
    }
    Some(zone)
}

fn component_at(
    p: &Program,
    table: TableId,
    sizes: TableId,
    keys: ExprId,
    known: &mut Known,
) -> Option<i32> {
    let mut number = 0i64;
    for (key, pair) in (keys..).zip(p.tables.get(sizes as usize)?.chunks_exact(2)) {
        let &[low, size] = pair else {
            return Some(NONE);
        };
        let digit = i64::from(value(p, key, known)?) - i64::from(low);
        if digit < 0 || digit >= i64::from(size) {
            return Some(NONE);
        }
        number = number * i64::from(size) + digit;
    }
    Some(entry(p, table, number).unwrap_or(NONE))
}

pub fn binary(op: Binary, a: i32, b: i32) -> Option<i32> {
    match op {
        Binary::Equal => Some(i32::from(a == b)),
        Binary::NotEqual => Some(i32::from(a != b)),
        Binary::Less => Some(i32::from(a < b)),
        Binary::LessOrEqual => Some(i32::from(a <= b)),
        Binary::More => Some(i32::from(a > b)),
        Binary::MoreOrEqual => Some(i32::from(a >= b)),
        Binary::Add => a.checked_add(b),
        Binary::Subtract => a.checked_sub(b),
        Binary::Multiply => a.checked_mul(b),
        Binary::Divide if b == 0 => Some(0),
        Binary::Divide => a.checked_div(b),
        Binary::Max => Some(a.max(b)),
        Binary::Min => Some(a.min(b)),
        // The engine rounds down; rare enough to be left to it.
        Binary::Modulo if b > 0 => Some(a.rem_euclid(b)),
        Binary::Modulo => None,
    }
}

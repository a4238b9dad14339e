//! Evaluates expressions that do not read the state: constants, and parts of programs at compile time.
//!
//! The semantics are those of the engine: total, with `none` for every question to `none`.

mod lists;

use std::collections::BTreeSet;

use super::*;
use lists::keys;
pub use lists::list;

/// The values of temps, and the state of an evaluation.
#[derive(Debug, Clone)]
pub struct Known {
    /// The latest last.
    temps: Vec<(Temp, i32)>,
    /// Work that may still be done.
    left: u32,
    /// The reason why there is no value, unless the expression reads the state.
    pub stopped: Option<Stopped>,
}

/// The reason why an expression that does not read the state has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// A number is too large.
    Overflow(ExprId),
    /// A list is too long, or there is too much to do.
    TooMuch,
}

/// The maximum number of members of lists in one evaluation.
const WORK_MAX: u32 = 1 << 18;

impl Default for Known {
    fn default() -> Known {
        Known {
            temps: Vec::new(),
            left: WORK_MAX,
            stopped: None,
        }
    }
}

impl Known {
    pub fn of(temp: Temp, value: i32) -> Known {
        Known::default().and(temp, value)
    }

    pub fn and(mut self, temp: Temp, value: i32) -> Known {
        self.temps.push((temp, value));
        self
    }

    fn get(&self, temp: Temp) -> Option<i32> {
        let found = self.temps.iter().rev().find(|(known, _)| *known == temp);
        found.map(|(_, value)| *value)
    }

    fn with<T>(&mut self, temp: Temp, value: i32, then: impl FnOnce(&mut Self) -> T) -> T {
        self.temps.push((temp, value));
        let answer = then(self);
        self.temps.pop();
        answer
    }

    fn spend(&mut self, work: usize) -> Option<()> {
        let left = u32::try_from(work)
            .ok()
            .and_then(|work| self.left.checked_sub(work));
        if left.is_none() {
            self.stopped.get_or_insert(Stopped::TooMuch);
        }
        self.left = left?;
        Some(())
    }

    fn checked(&mut self, id: ExprId, number: Option<i32>) -> Option<i32> {
        if number.is_none() {
            self.stopped.get_or_insert(Stopped::Overflow(id));
        }
        number
    }
}

fn get(program: &Program, id: ExprId) -> Option<Expr> {
    program.exprs.get(id as usize).copied()
}

pub fn truth(program: &Program, id: ExprId, known: &mut Known) -> Option<bool> {
    value(program, id, known).map(|value| value > 0)
}

pub fn value(p: &Program, id: ExprId, known: &mut Known) -> Option<i32> {
    match get(p, id)? {
        Expr::Const(value) => Some(value),
        Expr::Temp(temp) => known.get(temp),
        Expr::Table {
            table,
            low,
            index,
            default,
        } => {
            let at = i64::from(value(p, index, known)?) - i64::from(low);
            Some(p.entry(table, at).unwrap_or(default))
        }
        Expr::ZoneAt { family, keys } => p
            .zone_at(family, keys, |key| value(p, key, known).ok_or(()))
            .ok(),
        Expr::ComponentAt { table, sizes, keys } => p
            .component_at(table, sizes, keys, |key| value(p, key, known).ok_or(()))
            .ok(),
        Expr::ZoneIn { family, zone } => Some(p.zone_in(family, value(p, zone, known)?)),
        Expr::Inside(of) => Some(p.inside(value(p, of, known)?)),
        Expr::HolderOf(of) => Some(p.holder_of(value(p, of, known)?)),
        Expr::OwnerOf(of) => Some(p.owner_of(value(p, of, known)?)),
        Expr::IsKind { kind, of } => Some(i32::from(p.is_kind(kind, value(p, of, known)?))),
        Expr::SeatAfter { seat, by } => {
            Some(seat_after(value(p, seat, known)?, i32::from(by), p.seats))
        }
        Expr::SideTurned { side, by } => {
            Some(side_turned(value(p, side, known)?, value(p, by, known)?))
        }
        Expr::Not(of) => Some(i32::from(!truth(p, of, known)?)),
        Expr::Negate(of) => {
            let number = value(p, of, known)?.checked_neg();
            known.checked(id, number)
        }
        Expr::Abs(of) => {
            let number = value(p, of, known)?.checked_abs();
            known.checked(id, number)
        }
        Expr::Binary(op, a, b) => {
            let number = op.of(value(p, a, known)?, value(p, b, known)?);
            known.checked(id, number)
        }
        Expr::Pair {
            one,
            other,
            low_of_one,
            low_of_other,
            count,
        } => pair(p, (one, low_of_one), (other, low_of_other), count, known),
        Expr::And(a, b) => Some(i32::from(truth(p, a, known)? && truth(p, b, known)?)),
        Expr::Or(a, b) => Some(i32::from(truth(p, a, known)? || truth(p, b, known)?)),
        Expr::If(test, a, b) => match truth(p, test, known)? {
            true => value(p, a, known),
            false => value(p, b, known),
        },
        Expr::Count(of) => Some(list(p, of, known)?.len() as i32),
        Expr::IsEmpty(of) => Some(i32::from(list(p, of, known)?.is_empty())),
        Expr::Contains(of, member) => Some(i32::from(place(p, of, member, known)?.is_some())),
        Expr::First(of, default) => Some(list(p, of, known)?.first().copied().unwrap_or(default)),
        Expr::Last(of, default) => Some(list(p, of, known)?.last().copied().unwrap_or(default)),
        Expr::Nth(of, at, default) => nth(p, of, at, default, known),
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
        Expr::IndexOf(of, member) => {
            Some(place(p, of, member, known)?.map_or(0, |place| place as i32 + 1))
        }
        Expr::Sum { of, temp, key } => {
            let mut numbers = keys(p, of, temp, key, known)?.into_iter();
            let sum = numbers.try_fold(0, i32::checked_add);
            known.checked(id, sum)
        }
        Expr::Extreme {
            of,
            temp,
            key,
            most,
        } => {
            let numbers = keys(p, of, temp, key, known)?.into_iter();
            let extreme = if most { numbers.max() } else { numbers.min() };
            Some(extreme.unwrap_or(0))
        }
        Expr::Distinct { of, temp, key } => {
            let values: BTreeSet<i32> = keys(p, of, temp, key, known)?.into_iter().collect();
            Some(values.len() as i32)
        }
        Expr::Fold {
            fold,
            of,
            temp,
            key,
        } => {
            let number = fold.of(&mut keys(p, of, temp, key, known)?);
            known.checked(id, number)
        }
        Expr::Let {
            value: of,
            temp,
            body,
        } => {
            let of = value(p, of, known)?;
            known.with(temp, of, |known| value(p, body, known))
        }
        // Lines are found on the board, and a list alone is no value.
        Expr::InARow { .. } | Expr::CellBeside { .. } | Expr::ListArgument(_) => None,
        // Lists in temps are known only in play.
        Expr::LetList { .. } | Expr::Selections { .. } => None,
        // These look at the state.
        Expr::Local(_)
        | Expr::Word(_)
        | Expr::WordAt { .. }
        | Expr::LocalAt { .. }
        | Expr::ZoneOf(_)
        | Expr::PlaceOf(_)
        | Expr::IsFaceUp(_)
        | Expr::IsFaceDown(_)
        | Expr::Revealed { .. }
        | Expr::Call { .. }
        | Expr::CallKind { .. }
        | Expr::ZoneCount(_)
        | Expr::IsFreeZone(_)
        | Expr::ZoneFirst(_)
        | Expr::ZoneLast(_)
        | Expr::AnyBit(_)
        | Expr::CountBits(_)
        | Expr::FirstBit(..)
        | Expr::LineOfBits { .. }
        | Expr::CellOf(_)
        | Expr::RotationOf(_)
        | Expr::After { .. }
        | Expr::Recorded { .. }
        | Expr::AtCell { .. } => None,
    }
}

/// Evaluates [`Expr::Pair`].
fn pair(
    p: &Program,
    (one, low_of_one): (ExprId, i32),
    (other, low_of_other): (ExprId, i32),
    count: i32,
    known: &mut Known,
) -> Option<i32> {
    let one = value(p, one, known)?.saturating_sub(low_of_one);
    let other = value(p, other, known)?.saturating_sub(low_of_other);
    Some(one.saturating_mul(count).saturating_add(other))
}

/// Returns the place of the first member with this value, counted from 0.
fn place(p: &Program, of: SetId, member: ExprId, known: &mut Known) -> Option<Option<usize>> {
    let member = value(p, member, known)?;
    Some(list(p, of, known)?.iter().position(|one| *one == member))
}

fn nth(p: &Program, of: SetId, at: ExprId, default: i32, known: &mut Known) -> Option<i32> {
    let at = i64::from(value(p, at, known)?) - 1;
    let list = list(p, of, known)?;
    let found = usize::try_from(at).ok().and_then(|at| list.get(at));
    Some(found.copied().unwrap_or(default))
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

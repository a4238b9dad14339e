//! Evaluates expressions that do not read the state: constants, and parts of programs at compile time.
//!
//! The semantics are those of the engine: total, with `none` for every question to `none`.

use std::collections::BTreeSet;

use super::*;

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
        Expr::ZoneAt { family, keys } => {
            let key = |key| value(p, key, known).ok_or(());
            p.zone_at(family, keys, key).ok()
        }
        Expr::ComponentAt { table, sizes, keys } => {
            let key = |key| value(p, key, known).ok_or(());
            p.component_at(table, sizes, keys, key).ok()
        }
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
        } => {
            let one = value(p, one, known)?.saturating_sub(low_of_one);
            let other = value(p, other, known)?.saturating_sub(low_of_other);
            Some(one.saturating_mul(count).saturating_add(other))
        }
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
        Expr::IndexOf(of, member) => {
            let member = value(p, member, known)?;
            let place = list(p, of, known)?.iter().position(|one| *one == member);
            Some(place.map_or(0, |place| place as i32 + 1))
        }
        Expr::Sum { of, temp, key } => {
            let numbers = keys(p, of, temp, key, known)?;
            let sum = numbers
                .iter()
                .try_fold(0, |sum: i32, one| sum.checked_add(*one));
            known.checked(id, sum)
        }
        Expr::Extreme {
            of,
            temp,
            key,
            most,
        } => {
            let numbers = keys(p, of, temp, key, known)?;
            let extreme = if most {
                numbers.iter().max()
            } else {
                numbers.iter().min()
            };
            Some(extreme.copied().unwrap_or(0))
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

/// Returns the key of every member.
fn keys(p: &Program, of: SetId, temp: Temp, key: ExprId, known: &mut Known) -> Option<Vec<i32>> {
    let members = list(p, of, known)?.into_iter();
    members
        .map(|member| known.with(temp, member, |known| value(p, key, known)))
        .collect()
}

/// Returns the lists of all members, one after the other.
fn joined(p: &Program, of: SetId, temp: Temp, next: SetId, known: &mut Known) -> Option<Vec<i32>> {
    let mut all = Vec::new();
    for member in list(p, of, known)? {
        all.extend(known.with(temp, member, |known| list(p, next, known))?);
        if all.len() > MEMBERS_MAX {
            return None;
        }
    }
    Some(all)
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

/// The maximum length of evaluated lists.
const MEMBERS_MAX: usize = 4_096;

/// Evaluates the members of a list.
pub fn list(p: &Program, id: SetId, known: &mut Known) -> Option<Vec<i32>> {
    let members = members(p, id, known)?;
    known.spend(members.len().saturating_add(1))?;
    Some(members)
}

fn members(p: &Program, id: SetId, known: &mut Known) -> Option<Vec<i32>> {
    match *p.sets.get(id as usize)? {
        Set::Empty => Some(Vec::new()),
        Set::Range(low, high) => {
            let (low, high) = (value(p, low, known)?, value(p, high, known)?);
            if i64::from(high) - i64::from(low) >= MEMBERS_MAX as i64 {
                known.stopped.get_or_insert(Stopped::TooMuch);
                return None;
            }
            Some((low..=high).collect())
        }
        Set::Table(table) => p.tables.get(table as usize).cloned(),
        Set::Keyed {
            starts,
            members,
            low,
            value: key,
            ..
        } => {
            let number = value(p, key, known)?.checked_sub(low);
            Some(
                number
                    .map_or(&[][..], |number| p.listed(starts, members, number))
                    .to_vec(),
            )
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
        Set::Keys { of, temp, key } => keys(p, of, temp, key, known),
        Set::Joined {
            of,
            temp,
            list: next,
        } => joined(p, of, temp, next, known),
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
        Set::Among(of, with) => {
            let with = list(p, with, known)?;
            let mut all = list(p, of, known)?;
            all.retain(|member| with.contains(member));
            Some(all)
        }
        Set::Reversed(of) => {
            let mut all = list(p, of, known)?;
            all.reverse();
            Some(all)
        }
        Set::Sorted {
            of,
            temp,
            key,
            descending,
        } => {
            let mut keyed = with_keys(p, of, temp, key, known)?;
            match descending {
                true => keyed.sort_by_key(|(key, _)| std::cmp::Reverse(*key)),
                false => keyed.sort_by_key(|(key, _)| *key),
            }
            Some(keyed.into_iter().map(|(_, member)| member).collect())
        }
        Set::With {
            of,
            temp,
            key,
            most,
        } => {
            let mut keyed = with_keys(p, of, temp, key, known)?;
            let numbers = keyed.iter().map(|(key, _)| *key);
            let extreme = if most { numbers.max() } else { numbers.min() };
            keyed.retain(|(key, _)| Some(*key) == extreme);
            Some(keyed.into_iter().map(|(_, member)| member).collect())
        }
        Set::UpTo {
            of,
            temp,
            condition,
            with_it,
        } => {
            let mut all = list(p, of, known)?;
            for at in 0..all.len() {
                let member = all.get(at).copied().unwrap_or(NONE);
                if known.with(temp, member, |known| truth(p, condition, known))? {
                    all.truncate(at + usize::from(with_it));
                    break;
                }
            }
            Some(all)
        }
        Set::Take(of, count) => {
            let count = usize::try_from(value(p, count, known)?).unwrap_or(0);
            let mut all = list(p, of, known)?;
            all.truncate(count);
            Some(all)
        }
        Set::Unique(of) => {
            let mut seen = BTreeSet::new();
            let mut all = list(p, of, known)?;
            all.retain(|member| seen.insert(*member));
            Some(all)
        }
        Set::If(condition, then, otherwise) => match truth(p, condition, known)? {
            true => list(p, then, known),
            false => list(p, otherwise, known),
        },
        Set::Within {
            from,
            steps,
            temp,
            next,
        } => within(p, from, steps, (temp, next), known),
        Set::Let {
            value: of,
            temp,
            list: next,
        } => {
            let of = value(p, of, known)?;
            known.with(temp, of, |known| list(p, next, known))
        }
        // Lists in temps are known only in play.
        Set::LetList { .. } => None,
        // These look at the state.
        Set::After { .. }
        | Set::Zone(_)
        | Set::Local(_)
        | Set::LocalAt { .. }
        | Set::Temp(_)
        | Set::Words { .. }
        | Set::PhysicalOrder(_)
        | Set::Call { .. }
        | Set::CallKind { .. }
        | Set::FreeCells(_)
        | Set::TakenCells(_)
        | Set::Bits(_) => None,
    }
}

/// Members with their keys.
fn with_keys(
    p: &Program,
    of: SetId,
    temp: Temp,
    key: ExprId,
    known: &mut Known,
) -> Option<Vec<(i32, i32)>> {
    let members = list(p, of, known)?.into_iter();
    members
        .map(|member| {
            let key = known.with(temp, member, |known| value(p, key, known))?;
            Some((key, member))
        })
        .collect()
}

fn within(
    p: &Program,
    from: SetId,
    steps: ExprId,
    (temp, next): (Temp, SetId),
    known: &mut Known,
) -> Option<Vec<i32>> {
    let steps = value(p, steps, known)?;
    if steps < 0 {
        return Some(Vec::new());
    }
    let (mut reached, mut seen) = (Vec::new(), BTreeSet::new());
    let is_new = |member: &i32, seen: &mut BTreeSet<i32>| *member >= 0 && seen.insert(*member);
    for member in list(p, from, known)? {
        if is_new(&member, &mut seen) {
            reached.push(member);
        }
    }
    let mut layer = reached.clone();
    for _ in 0..steps {
        let mut further = Vec::new();
        for member in layer {
            for neighbor in known.with(temp, member, |known| list(p, next, known))? {
                if is_new(&neighbor, &mut seen) {
                    further.push(neighbor);
                }
            }
        }
        if further.is_empty() {
            break;
        }
        reached.extend(&further);
        layer = further;
    }
    Some(reached)
}

fn seats(p: &Program, first: i32, skipped: i32) -> Option<Vec<i32>> {
    let seats = p.seats as i32;
    if !(0..seats).contains(&first) {
        return Some(Vec::new());
    }
    let all = skipped..seats;
    Some(all.map(|step| (first + step) % seats).collect())
}

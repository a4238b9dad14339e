//! Evaluates scalar expressions that do not depend on the state.

use std::collections::BTreeSet;

use super::Evaluation;
use crate::{Expr, ExprId, MemberTest, NumberPair, SetId, seat_after, side_turned};

impl Evaluation<'_> {
    pub(super) fn value(&mut self, id: ExprId) -> Option<i32> {
        let p = self.program;
        match *p.exprs.get(id as usize)? {
            Expr::Const(value) => Some(value),
            Expr::Temp(temp) => self.known.get(temp),
            Expr::Table(look_up) => {
                let at = i64::from(self.value(look_up.index)?) - i64::from(look_up.low);
                Some(p.entry(look_up.table, at).unwrap_or(look_up.default))
            }
            Expr::ZoneAt { family, keys } => p
                .zone_at(family, keys, |key| self.value(key).ok_or(()))
                .ok(),
            Expr::ComponentAt { table, sizes, keys } => p
                .component_at(table, sizes, keys, |key| self.value(key).ok_or(()))
                .ok(),
            Expr::ZoneIn { family, zone } => Some(p.zone_in(family, self.value(zone)?)),
            Expr::Inside(of) => Some(p.inside(self.value(of)?)),
            Expr::HolderOf(of) => Some(p.holder_of(self.value(of)?)),
            Expr::OwnerOf(of) => Some(p.owner_of(self.value(of)?)),
            Expr::IsKind { kind, of } => Some(i32::from(p.is_kind(kind, self.value(of)?))),
            Expr::SeatAfter { seat, by } => {
                Some(seat_after(self.value(seat)?, i32::from(by), p.seats))
            }
            Expr::SideTurned { side, by } => Some(side_turned(
                self.value(side)?,
                self.value(by)?,
                p.identity.cells,
            )),
            Expr::Not(of) => Some(i32::from(!self.truth(of)?)),
            Expr::Negate(of) => {
                let number = self.value(of)?.checked_neg();
                self.known.checked(id, number)
            }
            Expr::Abs(of) => {
                let number = self.value(of)?.checked_abs();
                self.known.checked(id, number)
            }
            Expr::Binary(op, a, b) => {
                let number = op.of(self.value(a)?, self.value(b)?);
                self.known.checked(id, number)
            }
            Expr::Pair(pair) => self.pair(pair),
            Expr::And(a, b) => Some(i32::from(self.truth(a)? && self.truth(b)?)),
            Expr::Or(a, b) => Some(i32::from(self.truth(a)? || self.truth(b)?)),
            Expr::If(test, a, b) => match self.truth(test)? {
                true => self.value(a),
                false => self.value(b),
            },
            Expr::Count(of) => Some(self.list(of)?.len() as i32),
            Expr::IsEmpty(of) => Some(i32::from(self.list(of)?.is_empty())),
            Expr::Contains(of, member) => Some(i32::from(self.place(of, member)?.is_some())),
            Expr::First(of, default) => Some(self.list(of)?.first().copied().unwrap_or(default)),
            Expr::Last(of, default) => Some(self.list(of)?.last().copied().unwrap_or(default)),
            Expr::Nth(of, at, default) => self.nth(of, at, default),
            Expr::Some(test) => self.quantified(test, true),
            Expr::Every(test) => Some(1 - self.quantified(test, false)?),
            Expr::IndexOf(of, member) => {
                Some(self.place(of, member)?.map_or(0, |place| place as i32 + 1))
            }
            Expr::Sum { of, temp, key } => {
                let mut numbers = self.keys(of, temp, key)?.into_iter();
                let sum = numbers.try_fold(0, i32::checked_add);
                self.known.checked(id, sum)
            }
            Expr::Extreme(by) => {
                let numbers = self.keys(by.of, by.temp, by.key)?.into_iter();
                let extreme = if by.most {
                    numbers.max()
                } else {
                    numbers.min()
                };
                Some(extreme.unwrap_or(0))
            }
            Expr::Distinct { of, temp, key } => {
                let values: BTreeSet<i32> = self.keys(of, temp, key)?.into_iter().collect();
                Some(values.len() as i32)
            }
            Expr::Fold(keys) => {
                let number = keys.fold.of(&mut self.keys(keys.of, keys.temp, keys.key)?);
                self.known.checked(id, number)
            }
            Expr::Let {
                value: of,
                temp,
                body,
            } => {
                let of = self.value(of)?;
                self.with(temp, of, |inner| inner.value(body))
            }
            // Lines are found on the board, and a list alone is no value.
            Expr::InARow(_) | Expr::CellBeside { .. } | Expr::ListArgument(_) => None,
            // Lists in temps are known only in play.
            Expr::LetList { .. } | Expr::Selections(_) | Expr::Spelled(_) => None,
            // These look at the state.
            Expr::Local(_)
            | Expr::Word(_)
            | Expr::WordAt(_)
            | Expr::LocalAt(_)
            | Expr::ZoneOf(_)
            | Expr::PlaceOf(_)
            | Expr::IsFaceUp(_)
            | Expr::IsFaceDown(_)
            | Expr::Knows { .. }
            | Expr::Revealed { .. }
            | Expr::Call { .. }
            | Expr::CallKind { .. }
            | Expr::ZoneCount(_)
            | Expr::IsFreeZone(_)
            | Expr::ZoneFirst(_)
            | Expr::ZoneLast(_)
            | Expr::CellOf(_)
            | Expr::RotationOf(_)
            | Expr::After(_)
            | Expr::Recorded { .. }
            | Expr::AtCell { .. } => None,
        }
    }

    /// Evaluates [`Expr::Pair`].
    fn pair(&mut self, pair: NumberPair) -> Option<i32> {
        let (one, other) = (self.value(pair.one)?, self.value(pair.other)?);
        Some(pair.of(one, other))
    }

    /// Returns the place of the first member with this value, counted from 0.
    fn place(&mut self, of: SetId, member: ExprId) -> Option<Option<usize>> {
        let member = self.value(member)?;
        Some(self.list(of)?.iter().position(|one| *one == member))
    }

    fn nth(&mut self, of: SetId, at: ExprId, default: i32) -> Option<i32> {
        let at = i64::from(self.value(at)?) - 1;
        let list = self.list(of)?;
        let found = usize::try_from(at).ok().and_then(|at| list.get(at));
        Some(found.copied().unwrap_or(default))
    }

    fn quantified(&mut self, test: MemberTest, wanted: bool) -> Option<i32> {
        for member in self.list(test.of)? {
            let holds = self.with(test.temp, member, |inner| inner.truth(test.condition))?;
            if holds == wanted {
                return Some(1);
            }
        }
        Some(0)
    }
}

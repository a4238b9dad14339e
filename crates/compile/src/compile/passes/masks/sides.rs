//! Conditions on a side of a tile that the member rotates: evaluated once for the four sides, then read for every
//! member through its rotation.

use super::build::{Masks, Member};
use super::lists::split;
use super::tree::{add, depends, find, get};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// Clockwise from the north.
const SIDES: Domain = Domain { first: 0, len: 4 };

impl Masks<'_> {
    /// Compiles a condition on the side that results from rotating something by the member.
    pub(super) fn by_side(&mut self, id: ExprId, it: Member) -> Option<MaskId> {
        let by_member = |_, expr| {
            matches!(expr, Expr::SideTurned { side, by }
                if depends(self.program, by, it.temp) && !depends(self.program, side, it.temp))
        };
        let turned = find(self.program, id, &by_member)?;
        let Expr::SideTurned { side, .. } = get(self.program, turned) else {
            return None;
        };
        let rows = self.members_by_side(turned, side, it)?;
        let temp = self.fresh();
        let condition = self.with(id, turned, Expr::Temp(temp));
        if depends(self.program, condition, it.temp) {
            return None;
        }
        let of = self.of_sides(condition, temp);
        let rows = self.rows(rows);
        let index = self.once(side);
        let through = Mask::ThroughBy(RowsByIndex {
            rows,
            low: SIDES.first,
            count: u32::from(SIDES.len),
            index,
            of,
        });
        Some(self.mask(it.domain, through))
    }

    /// Returns the members that turn each side into each other side.
    fn members_by_side(&mut self, turned: ExprId, side: ExprId, it: Member) -> Option<Vec<Bits>> {
        let (low, high) = range(self.program, side, &self.ranges)?;
        // A value that is not a side is not one after a turn either.
        if low < 0 || high > 3 || self.program.identity.cells != CellForm::Square {
            return None;
        }
        let Expr::SideTurned { by, .. } = get(self.program, turned) else {
            return None;
        };
        let temp = self.fresh();
        let side = add(self.program, Expr::Temp(temp));
        let turned = add(self.program, Expr::SideTurned { side, by });
        let len = usize::from(SIDES.len);
        let mut rows = vec![0; len * len];
        for (number, before) in (0..4).enumerate() {
            for (bit, member) in it.each().enumerate() {
                let mut known = Known::of(it.temp, member).and(temp, before);
                let after = pure::value(self.program, turned, &mut known)?;
                let at = number * len + usize::try_from(after - SIDES.first).ok()?;
                *rows.get_mut(at)? |= 1 << bit;
            }
        }
        Some(rows)
    }

    /// Returns the sides that fulfill a condition: its parts are evaluated and cached one by one, those with the fewest
    /// dependencies first.
    fn of_sides(&mut self, condition: ExprId, temp: Temp) -> MaskId {
        let mut parts = Vec::new();
        split(self.program, condition, &mut parts);
        let mut masks: Vec<(usize, MaskId)> = parts
            .into_iter()
            .map(|condition| {
                let side = Member::new(temp, SIDES);
                let of = match self.condition(condition, side) {
                    Some(mask) => mask,
                    None => self.mask(SIDES, Mask::Each { temp, condition }),
                };
                (self.temps_asked(of), of)
            })
            .collect();
        masks.sort_by_key(|(temps, _)| *temps);
        let mut all = self.constant(SIDES, Bits::MAX);
        for (number, (_, part)) in masks.into_iter().enumerate() {
            // Later conditions are evaluated only for the remaining members.
            let part = if number == 0 {
                self.kept_for_temps(part)
            } else {
                part
            };
            all = self.both(SIDES, all, part);
        }
        self.kept_for_temps(all)
    }
}

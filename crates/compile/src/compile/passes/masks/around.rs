//! Conditions on the sides of a cell of an open grid that depend on the neighboring tiles and their rotation: a row of
//! sides for every tile and rotation.

use super::build::{Masks, Member};
use super::tree::{add, depends, get, get_set};
use wyrmgate_program::pure::Known;
use wyrmgate_program::*;

/// The maximum number of components; more would need large tables.
const COMPONENTS_MAX: usize = 256;

impl Masks<'_> {
    pub(super) fn around(&mut self, id: ExprId, it: Member) -> Option<MaskId> {
        let few = self.program.components.len() <= COMPONENTS_MAX;
        let beside = self
            .beside(id, it.temp)
            .filter(|_| few && it.domain == self.sides())?;
        let (zone, cell) = self.place_beside(beside, it.temp)?;
        let (tile, rotation) = (self.fresh(), self.fresh());
        let turned = add(self.program, Expr::RotationOf(beside));
        let condition = self.with(id, turned, Expr::Temp(rotation));
        let condition = self.with(condition, beside, Expr::Temp(tile));
        let mut rows = Vec::new();
        for component in NONE..self.program.components.len() as i32 {
            for turned in 0..ROTATIONS {
                let known = Known::of(tile, component).and(rotation, turned);
                rows.push(self.tabulated(condition, it, &known)?);
            }
        }
        let rows = self.rows(rows);
        let (zone, cell) = (self.once(zone), self.once(cell));
        Some(self.mask(it.domain, Mask::Around { zone, cell, rows }))
    }

    /// Returns the first part that reads the contents of the adjacent cell on the member's side.
    fn beside(&self, id: ExprId, it: Temp) -> Option<ExprId> {
        if self.place_beside(id, it).is_some() {
            return Some(id);
        }
        let of_set = |set| get_set(self.program, set).parts(self.program);
        let of_part = |part: Part| match part {
            Part::Expr(_) => vec![part],
            Part::Set(set) => of_set(set),
        };
        let own = get(self.program, id).parts(self.program);
        own.into_iter()
            .flat_map(of_part)
            .find_map(|part| match part {
                Part::Expr(part) => self.beside(part, it),
                Part::Set(_) => None,
            })
    }

    /// Returns the grid and the cell.
    fn place_beside(&self, id: ExprId, it: Temp) -> Option<(ExprId, ExprId)> {
        let Expr::AtCell { zone, cell } = get(self.program, id) else {
            return None;
        };
        let Expr::CellBeside { cell: place, side } = get(self.program, cell) else {
            return None;
        };
        let fixed = !depends(self.program, zone, it) && !depends(self.program, place, it);
        let is_side = get(self.program, side) == Expr::Temp(it);
        (fixed && is_side).then_some((zone, place))
    }
}

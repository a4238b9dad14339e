//! Straight lines on bounded grids.

use super::Eval;
use crate::engine::fault::Halt;
use crate::program::{ExprId, FamilyId, KeyInfo, NONE, Program, Temp};

/// One way along each straight line through a space: a row, a column, both diagonals. The other way is its opposite.
const WAYS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A space by its coordinates, among the spaces that differ from it in nothing else.
struct Space<'p> {
    column_key: &'p KeyInfo,
    row_key: &'p KeyInfo,
    /// The number that the zone would have in the first column of the first row.
    origin: i32,
    column: i32,
    row: i32,
}

impl<'p> Space<'p> {
    fn of(program: &'p Program, family: FamilyId, zone: i32) -> Option<Space<'p>> {
        let family = program.families.get(usize::from(family))?;
        let first = i32::from(family.first);
        if !(first..first + i32::from(family.count)).contains(&zone) {
            return None;
        }
        let (column, row) = family.grid?;
        let (column_key, row_key) = (family.keys.get(column)?, family.keys.get(row)?);
        let (column, across) = place_along(column_key, zone - first)?;
        let (row, along) = place_along(row_key, zone - first)?;
        Some(Space {
            column_key,
            row_key,
            origin: zone - across - along,
            column,
            row,
        })
    }

    /// The zone so many steps away; nothing beyond the edge.
    fn step(&self, (across, along): (i32, i32), steps: i32) -> i32 {
        let column = offset_of(self.column_key, self.column + across * steps);
        let row = offset_of(self.row_key, self.row + along * steps);
        let both = column.zip(row);
        both.map_or(NONE, |(column, row)| self.origin + column + row)
    }
}

/// The coordinate of a zone (counted from the first of its family) along a key, and what it adds to its number.
fn place_along(key: &KeyInfo, zone: i32) -> Option<(i32, i32)> {
    let stride = i32::from(key.stride).max(1);
    let length = (key.values.len() as i32).max(1);
    let position = zone / stride % length;
    let coordinate = key.values.get(usize::try_from(position).ok()?)?;
    Some((*coordinate, position * stride))
}

/// What a coordinate adds to the number of a zone, if there is such a coordinate.
fn offset_of(key: &KeyInfo, coordinate: i32) -> Option<i32> {
    let at = usize::try_from(coordinate.checked_sub(key.low)?).ok()?;
    let position = key.positions.get(at).copied()?;
    (position >= 0).then(|| position * i32::from(key.stride))
}

impl Eval<'_> {
    /// The length of the longest unbroken straight line through a space in which the condition holds of every space;
    /// 0 if it does not hold of that one.
    pub(super) fn in_a_row(
        &mut self,
        family: FamilyId,
        zone: ExprId,
        temp: Temp,
        condition: ExprId,
    ) -> Result<i32, Halt> {
        let zone = self.value(zone)?;
        let Some(space) = Space::of(self.program, family, zone) else {
            return Ok(0);
        };
        if !self.holds_of(zone, temp, condition)? {
            return Ok(0);
        }
        let mut longest = 0;
        for (across, along) in WAYS {
            let one_way = self.run(&space, (across, along), temp, condition)?;
            let back = self.run(&space, (-across, -along), temp, condition)?;
            longest = longest.max(one_way + 1 + back);
        }
        Ok(longest)
    }

    /// How far one can go from a space (not counted) before the condition fails.
    fn run(
        &mut self,
        space: &Space<'_>,
        way: (i32, i32),
        temp: Temp,
        condition: ExprId,
    ) -> Result<i32, Halt> {
        let mut steps = 0;
        loop {
            let zone = space.step(way, steps + 1);
            if zone < 0 || !self.holds_of(zone, temp, condition)? {
                return Ok(steps);
            }
            steps += 1;
        }
    }

    fn holds_of(&mut self, zone: i32, temp: Temp, condition: ExprId) -> Result<bool, Halt> {
        self.scratch.spend()?;
        self.set_temp(temp, zone);
        self.truth(condition)
    }
}

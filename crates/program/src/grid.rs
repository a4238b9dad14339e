//! Bounded grids: adjacent spaces.

use super::{FamilyId, FamilyInfo, KeyInfo, NONE, Program};

/// One direction of each straight line through a space: a row, a column, both diagonals. The other direction is its
/// opposite.
pub const WAYS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Some of [`WAYS`]: bit n stands for number n.
pub type WaySet = u16;

/// All of [`WAYS`].
pub const ALL_WAYS: WaySet = (1 << WAYS.len()) - 1;

/// Returns those of [`WAYS`] that are in the set.
pub fn ways_of(set: WaySet) -> impl Iterator<Item = (i32, i32)> {
    let ways = WAYS.into_iter().enumerate();
    ways.filter(move |(number, _)| set >> number & 1 == 1)
        .map(|(_, way)| way)
}

/// Returns the lines that go in these numbered directions or in their opposites, unless one of them is a leap.
pub fn ways_along(directions: &[i32]) -> Option<WaySet> {
    let number = |direction: &i32| {
        let vector = usize::try_from(direction - 1).ok();
        let (across, along) = *VECTORS.get(vector?)?;
        let is_way = |way: &(i32, i32)| [(across, along), (-across, -along)].contains(way);
        WAYS.iter().position(is_way)
    };
    let mut numbers = directions.iter().map(number);
    numbers.try_fold(0, |set, number| Some(set | 1 << number?))
}

/// The directions of a grid, numbered from 1, as steps along both coordinates: eight clockwise from straight ahead (the
/// second coordinate grows), then the eight leaps of a knight, also clockwise.
pub const VECTORS: [(i32, i32); 16] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// Directions that have a name, by their numbers.
pub const NAMED_DIRECTIONS: [(&str, &[i32]); 5] = [
    ("orthogonal", &[1, 3, 5, 7]),
    ("diagonal", &[2, 4, 6, 8]),
    ("compass", &[1, 2, 3, 4, 5, 6, 7, 8]),
    // A board of hexagons is a grid in which two opposite diagonals lead nowhere.
    ("hexagonal", &[1, 3, 4, 5, 7, 8]),
    ("leaps", &[9, 10, 11, 12, 13, 14, 15, 16]),
];

/// A space by its coordinates, among the spaces with otherwise equal keys.
pub struct Space<'p> {
    program: &'p Program,
    family: &'p FamilyInfo,
    column_key: &'p KeyInfo,
    row_key: &'p KeyInfo,
    /// The place, in its family, of the space in the first column of the first row with the same other keys.
    origin: i32,
    column: i32,
    row: i32,
}

impl<'p> Space<'p> {
    /// Returns `None` if the zone is not a space of this family.
    pub fn of(program: &'p Program, family: FamilyId, zone: i32) -> Option<Space<'p>> {
        let family = program.family(family)?;
        let first = i32::from(family.first);
        if !(first..first + i32::from(family.count)).contains(&zone) {
            return None;
        }
        let (column, row) = family.grid?;
        let mut origin = 0;
        for (number, key) in family.keys.iter().enumerate() {
            if number != column && number != row {
                origin += offset_of(key, coordinate(program, key, zone)?)?;
            }
        }
        let (column_key, row_key) = (family.keys.get(column)?, family.keys.get(row)?);
        Some(Space {
            program,
            family,
            column_key,
            row_key,
            origin,
            column: coordinate(program, column_key, zone)?,
            row: coordinate(program, row_key, zone)?,
        })
    }

    /// Returns the zone that many steps away; `None` beyond the edge and where there is no space.
    pub fn step(&self, way: (i32, i32), steps: i32) -> i32 {
        let (across, along) = way;
        let column = offset_of(self.column_key, self.column + across * steps);
        let row = offset_of(self.row_key, self.row + along * steps);
        let zone = |(column, row)| {
            let place = self.origin + column + row;
            self.program.zone_at_place(self.family, place)
        };
        column.zip(row).map_or(NONE, zone)
    }
}

/// Returns the coordinate of a zone along a key.
fn coordinate(program: &Program, key: &KeyInfo, zone: i32) -> Option<i32> {
    program.entry(key.table, zone.into())
}

/// Returns the share of a coordinate in the place of a zone, if the coordinate exists.
fn offset_of(key: &KeyInfo, coordinate: i32) -> Option<i32> {
    let at = usize::try_from(coordinate.checked_sub(key.low)?).ok()?;
    let position = key.positions.get(at).copied()?;
    (position >= 0).then(|| position * i32::from(key.stride))
}

//! Corners and sides of the spaces of a grid, and ways that join zones: where they lie, and what is adjacent.

use std::collections::{BTreeMap, HashSet};

use super::Layout;
use crate::names::constant::Constant;
use crate::names::declaration::{BoardPoint, FamilyDecl, own_point};
use crate::names::world::{Symbol, World};
use wyrmgate_lang::ast::{Expr, Name};
use wyrmgate_lang::definition::*;
use wyrmgate_program::*;

/// How many parts of a corner's coordinates make the distance between two spaces.
pub(super) const PARTS: i32 = 6;

const SQUARE: [usize; 4] = [0, 2, 4, 6];
const HEXAGON: [usize; 6] = [0, 2, 3, 4, 6, 7];

impl Layout<'_> {
    /// Returns the points of each corner or side of a board; nothing for other zones, and `None` after a diagnostic.
    pub(super) fn parts_of_board(&mut self, def: &ZoneDef) -> Option<Vec<Vec<BoardPoint>>> {
        let Some(GridDef::Corners(name) | GridDef::Sides(name)) = &def.grid else {
            return Some(Vec::new());
        };
        if let Some((key, _)) = def.each.first() {
            let message = "corners and sides have the key `at`, which numbers them";
            let help = "remove `each`";
            self.report.error("unknown-key", key.span, message, help);
        }
        let board = self.board_with_corners(name)?;
        let rings = self.rings(board);
        let mut parts = sides_of(&rings);
        if let Some(GridDef::Corners(_)) = def.grid {
            parts = once(rings.iter().flatten().map(|corner| vec![*corner]));
        }
        let family = self.world.families.get_mut(usize::from(board))?;
        family.points = rings;
        Some(parts)
    }

    /// Returns the grid of a name, if its spaces have corners.
    fn board_with_corners(&mut self, name: &Name) -> Option<FamilyId> {
        if let Some(Symbol::Family(id)) = self.world.symbol(&name.text) {
            let family = self.b.program.family(id)?;
            let has_directions = !self.world.family(id)?.directions.is_empty();
            if family.grid.is_some() && family.keys.len() == 2 && has_directions {
                return Some(id);
            }
        }
        let message = format!("`{}` is no board of squares or hexagons above", name.text);
        let help = "name a zone above with two keys, `grid: [column, row]` and `directions: hexagonal` or `orthogonal`";
        self.unknown("no-grid", name, message, help);
        None
    }

    /// Returns the corners of each space, clockwise.
    fn rings(&self, board: FamilyId) -> Vec<Vec<BoardPoint>> {
        let (program, world) = (&self.b.program, &self.world);
        let is_hexagon = world.family(board).is_some_and(FamilyDecl::is_of_hexagons);
        let ways = if is_hexagon { &HEXAGON[..] } else { &SQUARE };
        let vectors = ways.iter().filter_map(|way| VECTORS.get(*way));
        let share = 2 * PARTS / ways.len() as i32;
        let next = vectors.clone().cycle().skip(1);
        let between = vectors
            .zip(next)
            .map(|(one, other)| (one.0 + other.0, one.1 + other.1));
        let between: Vec<(i32, i32)> = between.collect();
        let Some(family) = program.family(board) else {
            return Vec::new();
        };
        let value = |key: usize, zone: i32| {
            let key = family.keys.get(key)?;
            program.entry(key.table, zone.into())
        };
        let ring = |zone: i32| {
            let (column, row) = family.grid?;
            let (column, row) = (value(column, zone)? * PARTS, value(row, zone)? * PARTS);
            let corner = |(x, y): &(i32, i32)| [board.into(), column + share * x, row + share * y];
            Some(between.iter().map(corner).collect())
        };
        let zones = (i32::from(family.first)..).take(family.count.into());
        zones.map(|zone| ring(zone).unwrap_or_default()).collect()
    }

    /// Notes where the corners, sides or ways of a family lie, and what is adjacent.
    pub(super) fn zone_edges(&mut self, def: &ZoneDef, id: FamilyId, parts: Vec<Vec<BoardPoint>>) {
        let mut points = parts;
        let mut sides = Vec::new();
        match &def.grid {
            Some(GridDef::Joins(ends)) => {
                let Some(joined) = self.joined(ends, id) else {
                    return;
                };
                self.join_nodes(&joined);
                points = joined;
            }
            Some(GridDef::Corners(board)) => {
                if let Some(Symbol::Family(board)) = self.world.declared(&board.text) {
                    let board = self.world.family(board);
                    sides = board.map_or(sides, |board| sides_of(&board.points));
                }
            }
            Some(GridDef::Sides(_)) => {}
            Some(GridDef::Open(..) | GridDef::Keys(..)) | None => return,
        }
        let Some(family) = self.world.families.get_mut(usize::from(id)) else {
            return;
        };
        family.points = points;
        match sides.is_empty() {
            true => family.next_to(family.zones_at().into_values()),
            false => family.joined_by(&sides),
        }
    }

    /// Returns the two points that each way joins, or `None` after a diagnostic.
    fn joined(&mut self, ends: &Expr, id: FamilyId) -> Option<Vec<Vec<BoardPoint>>> {
        let count = self.world.family(id)?.count;
        let scopes = (0..usize::from(count)).map(|place| self.keys_at(id, place));
        let scopes: Vec<_> = scopes.collect();
        let errors = self.report.diagnostics.len();
        let found = self
            .evaluator()
            .eval_all(ends, &scopes, Some(Type::Zone(None)));
        let ends_of = |found: &Constant| {
            let (zones, values) = (matches!(found.of(), Some(Type::Zone(_))), found.values());
            let differ = values.iter().all(|zone| *zone > 0) && values.first() != values.last();
            (zones && differ && values.len() == 2).then_some(values)
        };
        let found = found.iter().map(ends_of);
        let Some(pairs) = found.collect::<Option<Vec<Vec<i32>>>>() else {
            if self.report.diagnostics.len() == errors {
                let message = "a way joins two zones";
                let help = "list two that are declared above: `joins: \"[town(a), town(b)]\"`";
                self.report.error("no-such-space", ends.span, message, help);
            }
            return None;
        };
        let points = |pair: Vec<i32>| {
            pair.into_iter()
                .map(|zone| point_of(&self.world, zone))
                .collect()
        };
        Some(pairs.into_iter().map(points).collect())
    }

    /// Corners, sides and ways are drawn where they lie, unless a look says otherwise.
    pub(super) fn looks_of_edges(&mut self) {
        let families = &self.world.families;
        for family in families.iter().filter(|family| !family.beside.is_empty()) {
            let places = |points: &Vec<BoardPoint>| {
                points
                    .iter()
                    .filter_map(|point| self.place_of(point))
                    .collect()
            };
            let ends: Vec<Vec<MapPlace>> = family.points.iter().map(places).collect();
            let mut boards = families.iter();
            let first = ends.iter().flatten().next();
            let Some(board) =
                first.and_then(|place| boards.find(|board| board.has(place.zone.into())))
            else {
                continue;
            };
            let things = &mut self.b.program.look.things;
            let style = things.entry(family.name.clone()).or_default();
            style.form.get_or_insert(Form::Ways);
            style.on.get_or_insert_with(|| board.name.clone());
            style.map.ends = ends;
        }
    }

    /// Returns the place of a point, seen from a space of its board.
    fn place_of(&self, point: &BoardPoint) -> Option<MapPlace> {
        let [board, x, y] = *point;
        let Some(board) = FamilyId::try_from(board)
            .ok()
            .and_then(|board| self.world.family(board))
        else {
            return Some(MapPlace {
                zone: x.try_into().ok()?,
                across: 0,
                ahead: 0,
            });
        };
        let rings = (board.first..).zip(&board.points);
        let (zone, ring) = rings.into_iter().find(|(_, ring)| ring.contains(point))?;
        let count = ring.len().max(1) as i32;
        let middle =
            |at: usize| ring.iter().filter_map(|corner| corner.get(at)).sum::<i32>() / count;
        Some(MapPlace {
            zone,
            across: x - middle(1),
            ahead: y - middle(2),
        })
    }

    /// Makes the zones adjacent that ways join, unless they are a board already.
    fn join_nodes(&mut self, ways: &[Vec<BoardPoint>]) {
        for family in &mut self.world.families {
            let mut points = ways.iter().flatten();
            let is_joined = points.any(|[of, zone, _]| *of == NONE && family.has(*zone));
            if is_joined && (family.directions.is_empty() || !family.beside.is_empty()) {
                family.joined_by(ways);
            }
        }
    }
}

impl FamilyDecl {
    pub(super) fn is_of_hexagons(&self) -> bool {
        let mut named = NAMED_DIRECTIONS.iter();
        named.any(|(name, ways)| *name == "hexagonal" && *ways == self.directions)
    }

    /// Makes the zones of each group adjacent to each other.
    fn next_to(&mut self, groups: impl Iterator<Item = Vec<i32>>) {
        let first = i32::from(self.first);
        self.beside.resize(self.count.into(), Vec::new());
        for group in groups {
            for zone in &group {
                let place = usize::try_from(zone - first).unwrap_or(usize::MAX);
                if let Some(beside) = self.beside.get_mut(place) {
                    beside.extend(group.iter().filter(|other| *other != zone));
                }
            }
        }
        for beside in &mut self.beside {
            let mut seen = HashSet::new();
            beside.retain(|zone| seen.insert(*zone));
        }
        let most = self.beside.iter().map(Vec::len).max().unwrap_or(0);
        self.directions = (1..=most as i32).collect();
    }

    /// Makes the zones adjacent that edges join.
    fn joined_by(&mut self, edges: &[Vec<BoardPoint>]) {
        let at = self.zones_at();
        let zones = |edge: &Vec<BoardPoint>| {
            edge.iter()
                .filter_map(|point| at.get(point))
                .flatten()
                .copied()
                .collect()
        };
        self.next_to(edges.iter().map(zones));
    }

    fn zones_at(&self) -> BTreeMap<BoardPoint, Vec<i32>> {
        let mut at: BTreeMap<BoardPoint, Vec<i32>> = BTreeMap::new();
        for (zone, points) in self.zones_with_points() {
            for point in points {
                at.entry(point).or_default().push(zone);
            }
        }
        at
    }
}

/// Returns the point at which ways reach a zone.
fn point_of(world: &World, zone: i32) -> BoardPoint {
    let family = world.families.iter().find(|family| family.has(zone));
    let points = family.and_then(|family| {
        let place = usize::try_from(zone - i32::from(family.first)).ok()?;
        family.points.get(place)
    });
    let single = points.filter(|points| points.len() == 1);
    let point = single.and_then(|points| points.first().copied());
    point.unwrap_or_else(|| own_point(zone))
}

/// Returns the pairs of neighboring corners, each once.
fn sides_of(rings: &[Vec<BoardPoint>]) -> Vec<Vec<BoardPoint>> {
    once(rings.iter().flat_map(|ring| {
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(one, other)| {
            let mut ends = vec![*one, *other];
            ends.sort_unstable();
            ends
        })
    }))
}

fn once(parts: impl Iterator<Item = Vec<BoardPoint>>) -> Vec<Vec<BoardPoint>> {
    let mut seen = HashSet::new();
    parts.filter(|part| seen.insert(part.clone())).collect()
}

//! Corners and sides of the spaces of a grid, and ways that join zones: where they lie, and what is adjacent.

use hashbrown::{HashMap, HashSet};

use super::Layout;
use crate::names::constant::Constant;
use crate::names::declaration::{FamilyDecl, Point, own_point};
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
    pub(super) fn parts_of_board(&mut self, def: &ZoneDef) -> Option<Vec<Vec<Point>>> {
        let Some(name) = def.grid.as_ref().and_then(GridDef::board) else {
            return Some(Vec::new());
        };
        if let Some((key, _)) = def.each.first() {
            let message = "corners and sides have the key `at`, which numbers them";
            let help = "remove `each`";
            self.report.error("unknown-key", key.span, message, help);
        }
        let board = self.board_with_corners(name)?;
        let rings = self.rings(board);
        let sides = sides_of(&rings);
        let parts = match def.grid {
            Some(GridDef::Corners(_)) => once(rings.iter().flatten().map(|corner| vec![*corner])),
            _ => sides,
        };
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
    fn rings(&self, board: FamilyId) -> Vec<Vec<Point>> {
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
    pub(super) fn zone_edges(&mut self, def: &ZoneDef, id: FamilyId, parts: Vec<Vec<Point>>) {
        let (points, beside) = match &def.grid {
            Some(GridDef::Joins(ends)) => {
                let Some(points) = self.joined(ends, id) else {
                    return;
                };
                self.join_nodes(&points);
                (points, true)
            }
            Some(GridDef::Corners(_)) => (parts, false),
            Some(GridDef::Sides(_)) => (parts, true),
            Some(GridDef::Open(..) | GridDef::Keys(..)) | None => return,
        };
        let mut sides = Vec::new();
        let name = def.grid.as_ref().and_then(GridDef::board);
        if let Some(Symbol::Family(id)) = name.and_then(|name| self.world.declared(&name.text)) {
            let board = self.world.family(id);
            sides = board.map_or(sides, |board| sides_of(&board.points));
        }
        if let Some(family) = self.world.families.get_mut(usize::from(id)) {
            family.points = points;
            family.next_to(if beside { None } else { Some(&sides) });
        }
    }

    /// Returns the two points that each way joins, or `None` after a diagnostic.
    fn joined(&mut self, ends: &Expr, id: FamilyId) -> Option<Vec<Vec<Point>>> {
        let count = self.world.family(id)?.count;
        let scopes = (0..usize::from(count)).map(|place| self.keys_at(id, place));
        let scopes: Vec<_> = scopes.collect();
        let errors = self.report.diagnostics.len();
        let found = self
            .evaluator()
            .eval_all(ends, &scopes, Some(Type::Zone(None)));
        let ends_of = |found: &Constant| match found.values()[..] {
            [one, other] if one > 0 && other > 0 && one != other => Some(vec![one, other]),
            _ => None,
        };
        let is_of_zones = |of| matches!(of, Some(Type::Zone(_)));
        let found = found
            .iter()
            .map(|found| ends_of(found).filter(|_| is_of_zones(found.of())));
        let Some(pairs) = found.collect::<Option<Vec<Vec<i32>>>>() else {
            if self.report.diagnostics.len() == errors {
                let message = "a way joins two zones";
                let help = "list two that exist: `joins: \"[town(a), town(b)]\"`, above which `town` is declared";
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
        let families = self
            .world
            .families
            .iter()
            .filter(|family| !family.beside.is_empty());
        for family in families {
            let places = family.points.iter().map(|points| {
                points
                    .iter()
                    .filter_map(|point| self.place_of(point))
                    .collect()
            });
            let ends: Vec<Vec<MapPlace>> = places.collect();
            let mut first = ends.iter().flatten();
            let board = first.next().and_then(|place| {
                self.world
                    .families
                    .iter()
                    .find(|family| family.has(place.zone.into()))
            });
            let Some(board) = board else {
                continue;
            };
            let style = self
                .b
                .program
                .look
                .things
                .entry(family.name.clone())
                .or_default();
            style.form.get_or_insert(Form::Ways);
            style.on.get_or_insert_with(|| board.name.clone());
            style.map.ends = ends;
        }
    }

    /// Returns the place of a point, seen from a space of its board.
    fn place_of(&self, point: &Point) -> Option<MapPlace> {
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
    fn join_nodes(&mut self, ways: &[Vec<Point>]) {
        for family in &mut self.world.families {
            let mut points = ways.iter().flatten();
            let is_joined = points.any(|[of, zone, _]| *of == NONE && family.has(*zone));
            if is_joined && (family.directions.is_empty() || !family.beside.is_empty()) {
                family.next_to(Some(ways));
            }
        }
    }
}

impl FamilyDecl {
    pub(super) fn is_of_hexagons(&self) -> bool {
        let mut named = NAMED_DIRECTIONS.iter();
        named.any(|(name, ways)| *name == "hexagonal" && *ways == self.directions)
    }

    /// Makes zones adjacent: those that one of the edges joins, or without edges, those that share a point.
    fn next_to(&mut self, edges: Option<&[Vec<Point>]>) {
        let mut zones_at: HashMap<Point, Vec<i32>> = HashMap::new();
        let mut edges_at: HashMap<Point, Vec<Point>> = HashMap::new();
        for (zone, points) in self.zones_with_points() {
            for point in points {
                zones_at.entry(point).or_default().push(zone);
            }
        }
        for edge in edges.into_iter().flatten() {
            for point in edge {
                edges_at.entry(*point).or_default().extend(edge);
            }
        }
        let mut all = std::mem::take(&mut self.beside);
        all.resize(self.count.into(), Vec::new());
        for ((zone, points), beside) in self.zones_with_points().zip(&mut all) {
            let ends = points
                .iter()
                .flat_map(|point| edges_at.get(point))
                .flatten();
            let reached = if edges.is_some() {
                ends.copied().collect()
            } else {
                points.clone()
            };
            let near = reached
                .iter()
                .flat_map(|point| zones_at.get(point))
                .flatten();
            for other in near {
                if *other != zone && !beside.contains(other) {
                    beside.push(*other);
                }
            }
        }
        let most = all.iter().map(Vec::len).max().unwrap_or(0);
        self.directions = (1..=most as i32).collect();
        self.beside = all;
    }
}

/// Returns the point at which ways reach a zone.
fn point_of(world: &World, zone: i32) -> Point {
    let family = world.families.iter().find(|family| family.has(zone));
    let points = family.and_then(|family| {
        let place = usize::try_from(zone - i32::from(family.first)).ok()?;
        family.points.get(place)
    });
    match points.map(Vec::as_slice) {
        Some([point]) => *point,
        _ => own_point(zone),
    }
}

/// Returns the pairs of neighboring corners, each once.
fn sides_of(rings: &[Vec<Point>]) -> Vec<Vec<Point>> {
    once(rings.iter().flat_map(|ring| {
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(one, other)| {
            let mut ends = vec![*one, *other];
            ends.sort_unstable();
            ends
        })
    }))
}

fn once(parts: impl Iterator<Item = Vec<Point>>) -> Vec<Vec<Point>> {
    let mut seen = HashSet::new();
    parts.filter(|part| seen.insert(part.clone())).collect()
}

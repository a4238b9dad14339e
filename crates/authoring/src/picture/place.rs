//! Lays out the spaces of a board: grids by coordinates, tracks in rows, tiles by cells.

use super::{Board, Space, Token, color};
use wyrmgate_engine::Viewer;
use wyrmgate_program::{FamilyInfo, FieldInfo, FieldPlace, Language, Program, Type, ZoneId};
use wyrmgate_view::{Doc, Members, ViewDoc, title_of_value};

/// Maximum number of spaces in a row of a track.
const ROW: usize = 12;

/// Returns the board of a family of zones. `None` if it is not a board.
pub fn board(program: &Program, id: usize, view: &ViewDoc, language: Language) -> Option<Board> {
    let family = program.families.get(id)?;
    let spaces = if family.open_grid {
        tiles(family, view)
    } else if let Some((column, row)) = family.grid {
        zones(program, family, view, language, |values| {
            grid_place(family, values, column, row)
        })
    } else {
        let track = family.track?;
        let lanes = lanes(family, track);
        zones(program, family, view, language, |values| {
            track_place(family, values, track, lanes)
        })
    };
    let far = |of: fn(&Space) -> f32| spaces.iter().map(of).fold(0.0, f32::max) + 1.0;
    Some(Board {
        name: family.name.clone(),
        title: family.title.get(language).to_owned(),
        width: far(|space| space.x),
        height: far(|space| space.y),
        spaces,
    })
}

/// Returns the spaces of all zones. `place` maps the position of each key to a place.
fn zones(
    program: &Program,
    family: &FamilyInfo,
    view: &ViewDoc,
    language: Language,
    place: impl Fn(&[usize]) -> (usize, usize),
) -> Vec<Space> {
    let number = number_of(family, program);
    let zones = (0..usize::from(family.count)).filter_map(|offset| {
        let zone = usize::from(family.first) + offset;
        let (name, keys) = program.open_zone(zone as ZoneId)?;
        let (x, y) = place(&positions(family, offset));
        let doc = view.zones.get(name);
        let said = doc
            .into_iter()
            .flat_map(|doc| doc.keys.iter().chain(doc.fields.iter()));
        let number = number.and_then(|name| doc?.fields.get(name));
        let tokens = doc.map_or(&[][..], |doc| &doc.components);
        Some(Space {
            id: name.to_owned(),
            x: x as f32,
            y: y as f32,
            label: keys.get(language).to_owned(),
            title: title_of_value(
                program,
                Viewer::Public.reading(language),
                zone as i32,
                Type::Zone(None),
            ),
            number: number.map(Doc::to_string).unwrap_or_default(),
            fill: color::named(said),
            tokens: tokens.iter().map(token).collect(),
        })
    });
    zones.collect()
}

/// Returns the first numeric field whose value differs between spaces.
fn number_of<'f>(family: &'f FamilyInfo, program: &Program) -> Option<&'f str> {
    let differs = |field: &&FieldInfo| {
        let FieldPlace::Constant(table) = field.at else {
            return false;
        };
        let first = usize::from(family.first);
        let own = first..first + usize::from(family.count);
        let table = program.tables.get(table as usize);
        let own = table.and_then(|table| table.get(own)).unwrap_or_default();
        field.of == Type::Int && own.iter().any(|value| Some(value) != own.first())
    };
    family
        .fields
        .iter()
        .find(differs)
        .map(|field| field.name.as_str())
}

/// Returns the position of the zone in each of its keys.
fn positions(family: &FamilyInfo, offset: usize) -> Vec<usize> {
    let keys = family.keys.iter();
    keys.map(|key| offset / usize::from(key.stride.max(1)) % key.values.len().max(1))
        .collect()
}

/// Returns the place on a grid. Numbered rows count upwards, as on a chess board.
fn grid_place(family: &FamilyInfo, values: &[usize], column: usize, row: usize) -> (usize, usize) {
    let at = |key: usize| values.get(key).copied().unwrap_or_default();
    let rows = family.keys.get(row).map_or(1, |key| key.values.len());
    (at(column), rows.saturating_sub(at(row) + 1))
}

/// Returns the number of parallel lanes: one per combination of the other keys.
fn lanes(family: &FamilyInfo, track: usize) -> usize {
    let others = family
        .keys
        .iter()
        .enumerate()
        .filter(|(key, _)| *key != track);
    others.map(|(_, key)| key.values.len()).product()
}

fn track_place(
    family: &FamilyInfo,
    values: &[usize],
    track: usize,
    lanes: usize,
) -> (usize, usize) {
    let along = values.get(track).copied().unwrap_or_default();
    let mut lane = 0;
    for (key, (info, at)) in family.keys.iter().zip(values).enumerate() {
        if key != track {
            lane = lane * info.values.len() + at;
        }
    }
    if lanes > 1 {
        return (along, lane);
    }
    let (row, inside) = (along / ROW, along % ROW);
    let turned = if row % 2 == 1 {
        ROW - 1 - inside
    } else {
        inside
    };
    (turned, row)
}

/// Returns tiles on an unbounded table, shifted so that the outermost touch the edge of the picture.
fn tiles(family: &FamilyInfo, view: &ViewDoc) -> Vec<Space> {
    let on_table = view
        .zones
        .get(&family.name)
        .map_or(&[][..], |doc| &doc.components);
    let places: Vec<(i64, i64)> = on_table.iter().filter_map(cell).collect();
    let left = places.iter().map(|(x, _)| *x).min().unwrap_or_default();
    let top = places.iter().map(|(_, y)| *y).min().unwrap_or_default();
    let spaces = on_table.iter().filter_map(|tile| {
        let (x, y) = cell(tile)?;
        let inside = tile.get("holds").and_then(|holds| holds.get("components"));
        let inside = inside.and_then(Doc::as_list).unwrap_or_default().iter();
        Some(Space {
            id: text(tile, "id"),
            x: (x - left) as f32,
            y: (y - top) as f32,
            label: text(tile, "title"),
            title: text(tile, "title"),
            number: String::new(),
            fill: color::named(tile.iter()),
            tokens: inside.filter_map(Doc::as_object).map(token).collect(),
        })
    });
    spaces.collect()
}

/// Parses `cell: "0,-1"` of a tile.
fn cell(tile: &Members<'_>) -> Option<(i64, i64)> {
    let (x, y) = tile.get("cell")?.as_str()?.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

pub fn token(component: &Members<'_>) -> Token {
    let title = text(component, "title");
    let owner = component.get("owner").and_then(Doc::as_whole);
    let own = color::named(component.iter());
    let fill = own.or(owner.map(color::of_seat)).unwrap_or(color::PLAIN);
    Token {
        id: text(component, "id"),
        mark: mark(&title),
        fill,
        is_dark: color::is_dark(fill),
        title,
    }
}

fn text(doc: &Members<'_>, key: &str) -> String {
    doc.get(key)
        .and_then(Doc::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// Returns the initials of the first and the last word.
fn mark(title: &str) -> String {
    let mut words = title.split_whitespace();
    let first = words.next().and_then(|word| word.chars().next());
    let last = words.next_back().and_then(|word| word.chars().next());
    first.into_iter().chain(last).collect()
}

//! The spaces of boards: grids, hexagons, tracks, circles, and tables of tiles.

mod tracks;
pub(super) mod ways;

use std::collections::BTreeMap;

use wyrmgate_program::{FamilyInfo, FieldInfo, FieldPlace, Form, KeyInfo, Sign, Type, ZoneId};
use wyrmgate_view::{Doc, ZoneDoc};

use super::builder::PictureBuilder;
use super::scene::{Piece, SceneBoard, SceneSpace};
use super::styles::is_set;
use super::{palette, pieces, symbols, values};

/// Zones of a family, each with its place in the family.
type Zones<'z, 'v> = &'z [(usize, (&'z String, &'v ZoneDoc))];

/// Returns the boards of a family of zones: of a grid, one for each combination of the keys that are no coordinates.
pub(super) fn boards(
    builder: &PictureBuilder<'_>,
    family: &FamilyInfo,
    form: Form,
    zones: &[(&String, &ZoneDoc)],
) -> Vec<SceneBoard> {
    let is_grid = matches!(form, Form::Grid | Form::Hexes);
    let grid = family.grid.filter(|_| is_grid);
    let is_coordinate = |key: &usize| grid.is_none_or(|(column, row)| [column, row].contains(key));
    let others: Vec<usize> = (0..family.keys.len())
        .filter(|key| !is_coordinate(key))
        .collect();
    let mut groups: BTreeMap<Vec<usize>, Vec<_>> = BTreeMap::new();
    for (offset, zone) in zones.iter().copied().enumerate() {
        let at = positions(builder, family, offset);
        let group = others.iter().filter_map(|key| at.get(*key).copied());
        groups
            .entry(group.collect())
            .or_default()
            .push((offset, zone));
    }
    let keys = others.iter().filter_map(|key| family.keys.get(*key));
    let keys: Vec<&KeyInfo> = keys.collect();
    let groups = groups.values();
    groups
        .filter_map(|zones| board(builder, family, (form, &keys), zones))
        .collect()
}

/// Returns a board without spaces, with the name of what its zones share.
fn empty(
    builder: &PictureBuilder<'_>,
    family: &FamilyInfo,
    keys: &[&KeyInfo],
    first: &ZoneDoc,
) -> SceneBoard {
    let mut board = SceneBoard {
        id: family.name.clone(),
        title: builder.looks.title(&family.title, &family.name),
        ..SceneBoard::default()
    };
    for key in keys {
        let value = first.keys.get(&key.name).unwrap_or(&Doc::Null);
        let owner = values::seat(value).filter(|_| key.of == Type::Seat);
        let words = match owner {
            Some(seat) => builder.name(seat),
            None => builder.looks.words(key.of, value),
        };
        board.owner = board.owner.or(owner.filter(|_| key.name == "owner"));
        board.id = format!(
            "{}-{}",
            board.id,
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        );
        board.title = format!("{} {words}", board.title);
    }
    board
}

/// Returns the board of zones with the same values of these keys. `None` if there is nothing to draw.
fn board(
    builder: &PictureBuilder<'_>,
    family: &FamilyInfo,
    (form, keys): (Form, &[&KeyInfo]),
    zones: Zones<'_, '_>,
) -> Option<SceneBoard> {
    let style = builder.looks.of_thing(&family.name);
    let numbered = style.and_then(|style| style.numbered.as_ref());
    let (_, (_, first)) = zones.first()?;
    let mut board = SceneBoard {
        form,
        ..empty(builder, family, keys, first)
    };
    match (form, numbered) {
        (Form::Tiles, _) => tiles(builder, zones, &mut board),
        (_, Some(track)) => tracks::numbered_track(builder, track, zones, &mut board),
        (Form::Grid | Form::Hexes, _) => grid(builder, family, zones, &mut board),
        (Form::Circle, _) => circle(builder, family, zones, &mut board),
        (Form::Map, _) => map(builder, family, zones, &mut board),
        _ => tracks::track(builder, family, zones, &mut board),
    }
    (!board.spaces.is_empty()).then_some(board)
}

/// Puts a piece on the space with this number, or on the last one before it.
pub(super) fn put(board: &mut SceneBoard, number: Option<i64>, piece: Piece) {
    let wanted = number.unwrap_or_default();
    let at = |space: &SceneSpace| space.label.parse::<i64>().unwrap_or(i64::MAX);
    let spaces = board.spaces.iter().enumerate();
    let fitting = spaces.filter(|(_, space)| at(space) <= wanted);
    let last = fitting.max_by_key(|(_, space)| at(space));
    let number = last.map_or(0, |(number, _)| number);
    if let Some(space) = board.spaces.get_mut(number) {
        space.pieces.push(piece);
    }
}

fn space(
    builder: &PictureBuilder<'_>,
    family: &FamilyInfo,
    (id, zone): (&str, &ZoneDoc),
    form: Form,
) -> SceneSpace {
    let style = builder.looks.of_thing(&family.name);
    let field = |name: &str| zone.keys.get(name).or_else(|| zone.fields.get(name));
    let mut constants = values::constants(zone);
    let by_word = constants.find_map(|(key, value)| match value {
        Doc::Bool(true) => palette::named(key),
        Doc::Text(word) => palette::named(word),
        _ => None,
    });
    let of = |name: &str| {
        let key = family.keys.iter().find(|key| key.name == name);
        let field = family.fields.iter().find(|field| field.name == name);
        key.map(|key| key.of).or(field.map(|field| field.of))
    };
    let color = style.and_then(|style| style.color.as_ref());
    let color = match color {
        Some(Sign::Field(name)) => of(name)
            .zip(field(name))
            .and_then(|(of, value)| builder.looks.color_of_value(of, value)),
        Some(Sign::Word(word)) => palette::named(word),
        Some(Sign::ByValue(_)) | None => by_word,
    };
    let symbol = style.and_then(|style| match style.symbol.as_ref()? {
        Sign::Field(name) => builder.looks.symbol_of_value(of(name)?, field(name)?),
        Sign::Word(word) => symbols::named(word),
        Sign::ByValue(_) => None,
    });
    let shade = style.and_then(|style| style.shade.as_deref());
    let pieces = builder.pieces(id, zone, form);
    SceneSpace {
        id: id.to_owned(),
        title: zone.title.clone(),
        label: label(builder, family, zone, form),
        color,
        symbol,
        is_special: shade.is_some_and(|name| is_set(field(name))),
        is_new: builder.happened.has_touched(id),
        pieces,
        choices: builder.offers.at(id),
        ..SceneSpace::default()
    }
}

/// Returns the words on a space: the field of its look, the first number that differs between spaces, or its place.
fn label(builder: &PictureBuilder<'_>, family: &FamilyInfo, zone: &ZoneDoc, form: Form) -> String {
    let style = builder.looks.of_thing(&family.name);
    let wanted = style.and_then(|style| style.label.as_deref());
    let by_key = || {
        let key = family.track.and_then(|track| family.keys.get(track))?;
        (family.keys.len() == 1).then_some(key.name.as_str())
    };
    let name = match wanted {
        Some("none") => return String::new(),
        Some(name) => Some(name),
        None => number_of(builder, family).or_else(by_key),
    };
    let Some(name) = name.filter(|_| !matches!(form, Form::Grid | Form::Map) || wanted.is_some())
    else {
        return String::new();
    };
    let value = zone.fields.get(name).or_else(|| zone.keys.get(name));
    match value {
        // A number that also marks the special spaces is written on these only.
        Some(Doc::Int(0)) if style.and_then(|style| style.shade.as_deref()) == Some(name) => {
            String::new()
        }
        Some(Doc::Int(number)) => number.to_string(),
        Some(value) => builder.looks.words(Type::Int, value),
        None => String::new(),
    }
}

/// Returns the first numeric field whose value differs between spaces.
fn number_of<'f>(builder: &PictureBuilder<'_>, family: &'f FamilyInfo) -> Option<&'f str> {
    let tables = &builder.sight.program.tables;
    let differs = |field: &&FieldInfo| {
        let FieldPlace::Constant(table) = field.at else {
            return false;
        };
        let first = usize::from(family.first);
        let own = first..first + usize::from(family.count);
        let table = tables.get(table as usize);
        let own = table.and_then(|table| table.get(own)).unwrap_or_default();
        field.of == Type::Int && own.iter().any(|value| Some(value) != own.first())
    };
    let found = family.fields.iter().find(differs);
    found.map(|field| field.name.as_str())
}

/// Returns the position of a zone in each key of its family.
fn positions(builder: &PictureBuilder<'_>, family: &FamilyInfo, offset: usize) -> Vec<usize> {
    let program = builder.sight.program;
    let zone = usize::from(family.first) + offset;
    let position = |key: &KeyInfo| {
        let value = program.entry(key.table, zone as i64)?;
        let at = usize::try_from(value.checked_sub(key.low)?).ok()?;
        usize::try_from(*key.positions.get(at)?).ok()
    };
    let keys = family.keys.iter();
    keys.map(|key| position(key).unwrap_or_default()).collect()
}

/// Returns the values of a key in words.
fn values_of(builder: &PictureBuilder<'_>, family: &FamilyInfo, key: usize) -> Vec<String> {
    let Some(info) = family.keys.get(key) else {
        return Vec::new();
    };
    let program = builder.sight.program;
    let words = |value: &i32| match info.of {
        Type::Enum(id) => {
            let info = program.enums.get(usize::from(id));
            let word = info.and_then(|info| info.values.get(usize::try_from(*value).ok()?));
            let word = Doc::from(word.map_or("", String::as_str));
            builder.looks.words(Type::Enum(id), &word)
        }
        Type::Seat => (value + 1).to_string(),
        _ => value.to_string(),
    };
    info.values.iter().map(words).collect()
}

/// The gap between the boards of a board of boards.
const GAP: f32 = 0.5;

/// Returns the keys that count columns and those that count rows, the outermost first.
fn axes(family: &FamilyInfo) -> (Vec<usize>, Vec<usize>) {
    match family.grid {
        Some((column, row)) => (vec![column], vec![row]),
        None => (0..family.keys.len()).partition(|key| key % 2 == 0),
    }
}

/// Returns how far along an axis the space with these positions lies.
fn along(family: &FamilyInfo, axis: &[usize], at: impl Fn(usize) -> usize) -> f32 {
    let (mut far, mut unit) = (0.0, 1.0);
    for key in axis.iter().rev() {
        let count = family.keys.get(*key).map_or(1, |key| key.values.len());
        far += at(*key) as f32 * unit;
        unit = unit * count as f32 + GAP;
    }
    far
}

fn grid(
    builder: &PictureBuilder<'_>,
    family: &FamilyInfo,
    zones: Zones<'_, '_>,
    board: &mut SceneBoard,
) {
    let (columns, rows) = axes(family);
    let (column, row) = (columns.first().copied(), rows.first().copied());
    let last = |key: usize| {
        let key = family.keys.get(key);
        key.map_or(0, |key| key.values.len().saturating_sub(1))
    };
    let top = along(family, &rows, last);
    let is_hex = board.form == Form::Hexes;
    let place = |offset: usize| {
        let at = positions(builder, family, offset);
        let of = |key: usize| at.get(key).copied().unwrap_or_default();
        // Numbered rows count upwards, as on a chess board.
        let down = top - along(family, &rows, of);
        // Each row of hexagons lies half a space further, so that two of the diagonals lead to neighbors.
        let shift = match (is_hex, row) {
            (true, Some(row)) => of(row) as f32 / 2.0,
            _ => 0.0,
        };
        let step = if is_hex { 0.866 } else { 1.0 };
        (along(family, &columns, of) + shift, down * step)
    };
    for (offset, (id, zone)) in zones {
        let (x, y) = place(*offset);
        let space = space(builder, family, (id, zone), Form::Grid);
        board.spaces.push(SceneSpace { x, y, ..space });
    }
    if let (Some(column), Some(row), 2) = (column, row, columns.len() + rows.len()) {
        label_edges(builder, family, (column, row), zones, board);
    }
}

/// Writes the values of the keys along the edges of a grid.
fn label_edges(
    builder: &PictureBuilder<'_>,
    family: &FamilyInfo,
    (column, row): (usize, usize),
    zones: Zones<'_, '_>,
    board: &mut SceneBoard,
) {
    let rows = family.keys.get(row).map_or(1, |key| key.values.len());
    let columns = values_of(builder, family, column).into_iter().enumerate();
    board.columns = columns.map(|(at, words)| (at as f32, words)).collect();
    // Spaces that are called `a1` have letters below.
    for (offset, (id, _)) in zones {
        let at = positions(builder, family, *offset).get(column).copied();
        let words = at.and_then(|at| board.columns.get_mut(at));
        if let Some(((_, words), letters)) = words.zip(letters_of(id)) {
            letters.clone_into(words);
        }
    }
    let labels = values_of(builder, family, row).into_iter().enumerate();
    let is_hex = board.form == Form::Hexes;
    let step = if is_hex { 0.866 } else { 1.0 };
    board.rows = labels
        .map(|(at, words)| (rows.saturating_sub(at + 1) as f32 * step, words))
        .collect();
    if is_hex {
        // Columns run diagonally: the letters stand below the lowest row only.
        let spaces = &board.spaces;
        let lowest = spaces.iter().map(|space| space.y).fold(0.0, f32::max);
        let has = |x: f32| spaces.iter().any(|space| (space.x, space.y) == (x, lowest));
        board.columns.retain(|(x, _)| has(*x));
    }
    trim(board);
}

/// Returns the letters of a space that is called `e4`.
fn letters_of(id: &str) -> Option<&str> {
    let letters = id.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_name = letters.len() <= 2 && letters.chars().all(|c| c.is_ascii_lowercase());
    (is_name && !letters.is_empty() && letters.len() < id.len()).then_some(letters)
}

/// A board with more columns or rows than this is cropped to what is used of it.
const LARGE: f32 = 20.0;
/// The spaces around what is used that are drawn too.
const AROUND: f32 = 2.0;

/// Measures a board, after leaving out the outer spaces of a very large one on which nothing lies and nothing can be put.
pub(super) fn crop(board: &mut SceneBoard) {
    let is_grid = matches!(board.form, Form::Grid | Form::Hexes);
    let (width, height) = size(board);
    if is_grid && width.max(height) > LARGE {
        keep_used(board);
    }
    (board.width, board.height) = size(board);
}

fn size(board: &SceneBoard) -> (f32, f32) {
    let far = |of: fn(&SceneSpace) -> f32| board.spaces.iter().map(of).fold(0.0, f32::max) + 1.0;
    (far(|space| space.x), far(|space| space.y))
}

fn keep_used(board: &mut SceneBoard) {
    let is_used = |space: &&SceneSpace| !space.pieces.is_empty() || !space.choices.is_empty();
    let used = || board.spaces.iter().filter(is_used);
    if used().next().is_none() {
        return;
    }
    let range = |of: fn(&SceneSpace) -> f32| {
        let first = used().map(of).fold(f32::INFINITY, f32::min) - AROUND;
        first..=used().map(of).fold(0.0, f32::max) + AROUND
    };
    let (across, down) = (range(|space| space.x), range(|space| space.y));
    board
        .spaces
        .retain(|space| across.contains(&space.x) && down.contains(&space.y));
    board.columns.retain(|(at, _)| across.contains(at));
    board.rows.retain(|(at, _)| down.contains(at));
    trim(board);
}

/// Removes what is empty to the left of a board and above it.
fn trim(board: &mut SceneBoard) {
    let least =
        |of: fn(&SceneSpace) -> f32| board.spaces.iter().map(of).fold(f32::INFINITY, f32::min);
    let (left, top) = (least(|space| space.x), least(|space| space.y));
    if !left.is_finite() || (left, top) == (0.0, 0.0) {
        return;
    }
    for space in &mut board.spaces {
        (space.x, space.y) = (space.x - left, space.y - top);
    }
    let moved = |labels: &mut Vec<(f32, String)>, by: f32| {
        labels.iter_mut().for_each(|(at, _)| *at -= by);
        labels.retain(|(at, _)| *at >= 0.0);
    };
    moved(&mut board.columns, left);
    moved(&mut board.rows, top);
}

/// Puts each space where its fields say. Two spaces may share a place.
fn map(
    builder: &PictureBuilder<'_>,
    family: &FamilyInfo,
    zones: Zones<'_, '_>,
    board: &mut SceneBoard,
) {
    let Some(style) = builder.looks.of_thing(&family.name) else {
        return;
    };
    let number = |zone: &ZoneDoc, name: &Option<String>| {
        let name = name.as_deref().unwrap_or_default();
        let value = zone.fields.get(name).or_else(|| zone.keys.get(name));
        value.and_then(Doc::as_whole).unwrap_or_default() as f32
    };
    let places = zones
        .iter()
        .map(|(_, (_, zone))| (number(zone, &style.across), number(zone, &style.down)));
    let places: Vec<(f32, f32)> = places.collect();
    let least = |of: fn(&(f32, f32)) -> f32| places.iter().map(of).fold(f32::INFINITY, f32::min);
    let (left, top) = (least(|place| place.0), least(|place| place.1));
    for ((_, (id, zone)), (x, y)) in zones.iter().zip(&places) {
        let space = space(builder, family, (id, zone), Form::Map);
        let (x, y) = (x - left, y - top);
        let tip = style.tip.as_ref().and_then(|name| zone.fields.get(name));
        let is_over = board
            .spaces
            .iter()
            .any(|other| (other.x, other.y) == (x, y));
        board.spaces.push(SceneSpace {
            x,
            y,
            is_over,
            tip: tip.and_then(values::side),
            ..space
        });
    }
    let index = |zone: ZoneId| usize::from(zone.saturating_sub(family.first));
    board.joins = style
        .joins
        .iter()
        .map(|(one, other)| (index(*one), index(*other)))
        .collect();
}

fn circle(
    builder: &PictureBuilder<'_>,
    family: &FamilyInfo,
    zones: Zones<'_, '_>,
    board: &mut SceneBoard,
) {
    let count = zones.len().max(1) as f32;
    let radius = (count * 1.2 / std::f32::consts::TAU).max(0.8);
    for (offset, (id, zone)) in zones {
        let angle = std::f32::consts::TAU * *offset as f32 / count - std::f32::consts::FRAC_PI_2;
        let space = space(builder, family, (id, zone), Form::Track);
        let (x, y) = (radius + radius * angle.cos(), radius + radius * angle.sin());
        board.spaces.push(SceneSpace { x, y, ..space });
    }
}

/// Lays out the tiles of a table and the cells where something can be put.
fn tiles(builder: &PictureBuilder<'_>, zones: Zones<'_, '_>, board: &mut SceneBoard) {
    let mut cells: BTreeMap<(i32, i32), SceneSpace> = BTreeMap::new();
    for (_, (id, zone)) in zones {
        for doc in &zone.components {
            let Some(at) = values::cell_of(doc) else {
                continue;
            };
            let piece = pieces::piece(builder, id, doc, Form::Tiles);
            let space = cells.entry(at).or_default();
            space.pieces.extend(piece);
        }
    }
    for (x, y, id) in builder.offers.cells() {
        let space = cells.entry((x, y)).or_default();
        space.is_target = space.pieces.is_empty();
        space.choices = builder.offers.at(id);
    }
    let left = cells.keys().map(|(x, _)| *x).min().unwrap_or_default();
    let right = cells.keys().map(|(x, _)| *x).max().unwrap_or_default();
    let top = cells.keys().map(|(_, y)| *y).min().unwrap_or_default();
    let bottom = cells.keys().map(|(_, y)| *y).max().unwrap_or_default();
    for ((x, y), space) in cells {
        board.spaces.push(SceneSpace {
            title: format!("{x},{y}"),
            x: (x - left) as f32,
            y: (y - top) as f32,
            ..space
        });
    }
    if !board.spaces.is_empty() {
        board.columns = (left..=right)
            .map(|x| ((x - left) as f32, x.to_string()))
            .collect();
        board.rows = (top..=bottom)
            .map(|y| ((y - top) as f32, y.to_string()))
            .collect();
    }
}

//! The spaces of boards: grids, hexagons, tracks, circles, and tables of tiles.

mod tracks;
mod ways;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use wyrmgate_program::{
    CellForm, FamilyInfo, FieldInfo, FieldPlace, Form, KeyInfo, LookStyle, Sign, Type, ZoneId,
};
use wyrmgate_view::{Doc, ZoneDoc};

use super::builder::PictureBuilder;
use super::scene::{Piece, SceneBoard, SceneSpace};
use super::styles::{SignPart, is_set, type_of};
use super::{palette, pieces, symbols, values};

/// A zone, with the position of its value in each key of its family.
struct PlacedZone<'z> {
    id: &'z str,
    zone: &'z ZoneDoc,
    at: Vec<usize>,
}

impl PlacedZone<'_> {
    fn at(&self, key: usize) -> usize {
        self.at.get(key).copied().unwrap_or_default()
    }
}

/// Builds the boards of a family of zones.
pub(super) struct FamilyBoards<'b> {
    builder: &'b PictureBuilder<'b>,
    family: &'b FamilyInfo,
    style: Option<&'b LookStyle>,
}

impl<'b> FamilyBoards<'b> {
    pub(super) fn of(builder: &'b PictureBuilder<'b>, family: &'b FamilyInfo) -> FamilyBoards<'b> {
        FamilyBoards {
            builder,
            family,
            style: builder.looks.of_thing(&family.name),
        }
    }

    /// Returns the boards: of a grid, one for each combination of the keys that are no coordinates.
    pub(super) fn boards(&self, form: Form, zones: &[(&String, &ZoneDoc)]) -> Vec<SceneBoard> {
        let grid = self.family.grid.filter(|_| is_in_rows(form));
        let is_other = |key: usize| grid.is_some_and(|(column, row)| ![column, row].contains(&key));
        let mut groups: BTreeMap<Vec<usize>, Vec<PlacedZone<'_>>> = BTreeMap::new();
        for (offset, (id, zone)) in zones.iter().copied().enumerate() {
            let at = self.positions(offset);
            let group = at.iter().enumerate().filter(|(key, _)| is_other(*key));
            let group = group.map(|(_, position)| *position).collect();
            let placed = PlacedZone { id, zone, at };
            groups.entry(group).or_default().push(placed);
        }
        let keys = self.family.keys.iter().enumerate();
        let keys = keys.filter(|(key, _)| is_other(*key)).map(|(_, key)| key);
        let keys: Vec<&KeyInfo> = keys.collect();
        let groups = groups.values();
        groups
            .filter_map(|zones| self.board(form, &keys, zones))
            .collect()
    }

    /// Returns a board without spaces, with the name of what its zones share.
    fn empty(&self, form: Form, keys: &[&KeyInfo], first: &ZoneDoc) -> SceneBoard {
        let looks = &self.builder.looks;
        let mut board = SceneBoard {
            form,
            id: self.family.name.clone(),
            title: looks.title(&self.family.title, &self.family.name),
            ..SceneBoard::default()
        };
        for key in keys {
            let value = first.keys.get(&key.name).unwrap_or(&Doc::Null);
            let owner = values::seat(value).filter(|_| key.of == Type::Seat);
            let words = match owner {
                Some(seat) => self.builder.name(seat),
                None => looks.words(key.of, value),
            };
            board.owner = board.owner.or(owner.filter(|_| key.name == "owner"));
            board.id = format!("{}-{}", board.id, values::plain(value));
            board.title = format!("{} {words}", board.title);
        }
        board
    }

    /// Returns the board of zones with the same values of these keys. `None` if there is nothing to draw.
    fn board(&self, form: Form, keys: &[&KeyInfo], zones: &[PlacedZone<'_>]) -> Option<SceneBoard> {
        let numbered = self.style.and_then(|style| style.numbered.as_ref());
        let looks = &self.builder.looks;
        let mut board = self.empty(form, keys, zones.first()?.zone);
        match (form, numbered) {
            (Form::Tiles, _) => self.tiles(zones, &mut board),
            (_, Some(track)) => self.numbered_track(track, zones, &mut board),
            (form, _) if is_in_rows(form) => self.grid(zones, &mut board),
            (Form::Trick, _) => self.trick(zones, &mut board),
            (Form::Circle, _) => self.circle(zones, &mut board),
            (Form::Map, _) => self.map(zones, &mut board),
            _ => self.track(zones, &mut board),
        }
        if is_in_rows(form) {
            // As people read: row by row, from the top.
            let place = |space: &SceneSpace| (space.y, space.x);
            let order =
                |one: &SceneSpace, other: &SceneSpace| place(one).partial_cmp(&place(other));
            board
                .spaces
                .sort_by(|one, other| order(one, other).unwrap_or(Ordering::Equal));
        }
        if let Some(style) = self.style {
            let color = |word: &String| match word.parse() {
                Ok(seat) => looks.color_of_seat(seat),
                Err(_) => palette::named(word),
            };
            let sides = style.sides.iter();
            board.sides = sides
                .filter_map(|(side, word)| Some((*side, color(word)?)))
                .collect();
            let wide = style.wide.as_ref();
            board.narrow = wide.map_or_else(Default::default, |field| narrow(&board, zones, field));
        }
        (!board.spaces.is_empty()).then_some(board)
    }

    fn space(&self, id: &str, zone: &ZoneDoc, form: Form) -> SceneSpace {
        let (builder, family) = (self.builder, self.family);
        let looks = &builder.looks;
        let mut constants = values::constants(zone);
        let by_word = constants.find_map(|(key, value)| match value {
            Doc::Bool(true) => palette::named(key),
            Doc::Text(word) => palette::named(word),
            _ => None,
        });
        let field = |name: &str| {
            let key = family.keys.iter().find(|key| key.name == name);
            let of = key.map(|key| key.of).or(type_of(&family.fields, name))?;
            let value = zone.keys.get(name).or_else(|| zone.fields.get(name))?;
            Some((of, value))
        };
        let sign = |part: SignPart| looks.word_of_sign(part, part.of_look(self.style?)?, field);
        let color = match self.style.and_then(|style| style.color.as_ref()) {
            Some(Sign::Field(_) | Sign::Word(_)) => sign(SignPart::Color).and_then(palette::named),
            Some(Sign::ByValue(_)) | None => by_word,
        };
        let shade = self.style.and_then(|style| style.shade.as_deref());
        let shade = shade.and_then(|name| zone.keys.get(name).or_else(|| zone.fields.get(name)));
        SceneSpace {
            id: id.to_owned(),
            title: zone.title.clone(),
            label: self.label(zone, form),
            color,
            symbol: sign(SignPart::Symbol).and_then(symbols::named),
            is_special: is_set(shade),
            is_new: builder.happened.has_touched(id),
            pieces: builder.pieces(id, zone, form),
            choices: builder.offers.at(id),
            ..SceneSpace::default()
        }
    }

    /// Returns the words on a space: the field of its look, the first number that differs between spaces, or its place.
    fn label(&self, zone: &ZoneDoc, form: Form) -> String {
        let family = self.family;
        let wanted = self.style.and_then(|style| style.label.as_deref());
        let by_key = || {
            let key = family.track.and_then(|track| family.keys.get(track))?;
            (family.keys.len() == 1).then_some(key.name.as_str())
        };
        let name = match wanted {
            Some("none") => None,
            Some(name) => Some(name),
            None if matches!(form, Form::Grid | Form::Map | Form::Trick) => None,
            None => self.number().or_else(by_key),
        };
        let Some(name) = name else {
            return String::new();
        };
        let shade = self.style.and_then(|style| style.shade.as_deref());
        let key = family.keys.iter().find(|key| key.name == name);
        let of = type_of(&family.fields, name).or(key.map(|key| key.of));
        match zone.fields.get(name).or_else(|| zone.keys.get(name)) {
            // A number that also marks the special spaces is written on these only.
            Some(Doc::Int(0)) if shade == Some(name) => String::new(),
            Some(Doc::Int(number)) => number.to_string(),
            Some(value) => self.builder.looks.words(of.unwrap_or(Type::Int), value),
            None => String::new(),
        }
    }

    /// Returns the first numeric field whose value differs between spaces.
    fn number(&self) -> Option<&'b str> {
        let family = self.family;
        let differs = |field: &&FieldInfo| {
            let FieldPlace::Constant(table) = field.at else {
                return false;
            };
            let first = usize::from(family.first);
            let own = first..first + usize::from(family.count);
            let table = self.builder.sight.program.tables.get(table as usize);
            let own = table.and_then(|table| table.get(own)).unwrap_or_default();
            field.of == Type::Int && own.iter().any(|value| Some(value) != own.first())
        };
        let found = family.fields.iter().find(differs);
        found.map(|field| field.name.as_str())
    }

    /// Returns the position of a zone in each key of its family.
    fn positions(&self, offset: usize) -> Vec<usize> {
        let zone = usize::from(self.family.first) + offset;
        let position = |key: &KeyInfo| {
            let value = self.builder.sight.program.entry(key.table, zone as i64)?;
            let at = usize::try_from(value.checked_sub(key.low)?).ok()?;
            usize::try_from(*key.positions.get(at)?).ok()
        };
        let keys = self.family.keys.iter();
        keys.map(|key| position(key).unwrap_or_default()).collect()
    }

    /// Returns the values of a key in words.
    fn values_of(&self, key: usize) -> Vec<String> {
        let Some(info) = self.family.keys.get(key) else {
            return Vec::new();
        };
        let words = |value: &i32| match info.of {
            Type::Enum(id) => {
                let values = self.builder.sight.program.enums.get(usize::from(id));
                let word = values.and_then(|of| of.values.get(usize::try_from(*value).ok()?));
                let word = Doc::from(word.map_or("", String::as_str));
                self.builder.looks.words(info.of, &word)
            }
            Type::Seat => (value + 1).to_string(),
            _ => value.to_string(),
        };
        info.values.iter().map(words).collect()
    }

    /// Returns the number of values of a key.
    fn count_of(&self, key: usize) -> usize {
        self.family.keys.get(key).map_or(1, |key| key.values.len())
    }

    /// Returns the keys that count columns and those that count rows, the outermost first.
    fn axes(&self) -> (Vec<usize>, Vec<usize>) {
        match self.family.grid {
            Some((column, row)) => (vec![column], vec![row]),
            None => (0..self.family.keys.len()).partition(|key| key % 2 == 0),
        }
    }

    /// Returns how far along an axis the space with these positions lies.
    fn along(&self, axis: &[usize], at: impl Fn(usize) -> usize) -> f32 {
        let (mut far, mut unit) = (0.0, 1.0);
        for key in axis.iter().rev() {
            far += at(*key) as f32 * unit;
            unit = unit * self.count_of(*key) as f32 + GAP;
        }
        far
    }

    fn grid(&self, zones: &[PlacedZone<'_>], board: &mut SceneBoard) {
        let (columns, rows) = self.axes();
        let (column, row) = (columns.first().copied(), rows.first().copied());
        let top = self.along(&rows, |key| self.count_of(key).saturating_sub(1));
        let (is_hex, step) = (board.form == Form::Hexes, board.step_of_rows());
        for placed in zones {
            // Numbered rows count upwards, as on a chess board.
            let down = top - self.along(&rows, |key| placed.at(key));
            // Each row of hexagons lies half a space further, so that two of the diagonals lead to neighbors.
            let shift = match (is_hex, row) {
                (true, Some(row)) => placed.at(row) as f32 / 2.0,
                _ => 0.0,
            };
            board.spaces.push(SceneSpace {
                x: self.along(&columns, |key| placed.at(key)) + shift,
                y: down * step,
                ..self.space(placed.id, placed.zone, Form::Grid)
            });
        }
        if let (Some(column), Some(row), 2) = (column, row, columns.len() + rows.len()) {
            self.label_edges(column, row, zones, board);
        }
    }

    /// Writes the values of the keys along the edges of a grid.
    fn label_edges(
        &self,
        column: usize,
        row: usize,
        zones: &[PlacedZone<'_>],
        board: &mut SceneBoard,
    ) {
        board.columns = numbered(self.values_of(column));
        // Spaces that are called `a1` have letters below.
        for placed in zones {
            let words = board.columns.get_mut(placed.at(column));
            if let Some(((_, words), letters)) = words.zip(letters_of(placed.id)) {
                letters.clone_into(words);
            }
        }
        let last = self.count_of(row).saturating_sub(1);
        let step = board.step_of_rows();
        board.rows = numbered(self.values_of(row));
        for (place, _) in &mut board.rows {
            *place = (last as f32 - *place) * step;
        }
        // Columns of hexagons run diagonally: the letters stand below the lowest row only.
        let (spaces, is_hex) = (&board.spaces, board.form == Form::Hexes);
        let lowest = spaces.iter().map(|space| space.y).fold(0.0, f32::max);
        let has = |x| {
            spaces
                .iter()
                .any(|space| space.x == x && !(is_hex && space.y < lowest))
        };
        board.columns.retain(|(x, _)| has(*x));
        board
            .rows
            .retain(|(y, _)| spaces.iter().any(|space| space.y == *y));
        trim(board);
    }

    /// Puts each space where its fields say. Two spaces may share a place.
    fn map(&self, zones: &[PlacedZone<'_>], board: &mut SceneBoard) {
        let Some(style) = self.style else {
            return;
        };
        let zones = self.own_first(zones);
        let number = |zone: &ZoneDoc, name: &Option<String>| {
            let name = name.as_deref().unwrap_or_default();
            let value = zone.fields.get(name).or_else(|| zone.keys.get(name));
            value.and_then(Doc::as_whole).unwrap_or_default() as f32
        };
        for placed in zones {
            let zone = placed.zone;
            let (x, y) = (
                number(zone, &style.map.across),
                number(zone, &style.map.down),
            );
            let tip = style.map.tip.as_ref();
            let tip = tip.and_then(|name| zone.fields.get(name));
            let mut others = board.spaces.iter();
            let is_over = others.any(|other| (other.x, other.y) == (x, y));
            board.spaces.push(SceneSpace {
                x,
                y,
                is_over,
                tip: tip.and_then(|tip| values::side(tip, 0, CellForm::Square)),
                ..self.space(placed.id, zone, Form::Map)
            });
        }
        trim(board);
        let index = |zone: ZoneId| usize::from(zone.saturating_sub(self.family.first));
        let joins = style.map.joins.iter();
        board.joins = joins
            .map(|(one, other)| (index(*one), index(*other)))
            .collect();
    }

    /// Returns the zones in such an order that those of the viewer are seen where two share a place.
    fn own_first<'z>(&self, zones: &'z [PlacedZone<'z>]) -> Vec<&'z PlacedZone<'z>> {
        let mut zones: Vec<&PlacedZone<'_>> = zones.iter().collect();
        let has_joins = self.style.is_some_and(|style| !style.map.joins.is_empty());
        if let Some(viewer) = self.builder.sight.seat.filter(|_| !has_joins) {
            let is_other = |owner: Option<u32>| owner.is_some_and(|owner| owner != viewer);
            zones.sort_by_key(|placed| is_other(owner_of(placed.zone)));
        }
        zones
    }

    /// Lays what each player has played before it: the viewer sits below, the others follow clockwise.
    fn trick(&self, zones: &[PlacedZone<'_>], board: &mut SceneBoard) {
        let seats = zones.len().max(1) as f32;
        let radius = (seats * 0.26 - 0.04)
            .max(0.5)
            .max((seats - 2.0).min(1.0) * 0.67);
        let viewer = self.builder.sight.seat.unwrap_or(1) as f32;
        for placed in zones {
            let Some(owner) = owner_of(placed.zone) else {
                continue;
            };
            let angle = std::f32::consts::TAU * (owner as f32 - viewer) / seats;
            board.spaces.push(SceneSpace {
                x: radius * (1.0 - angle.sin()),
                y: radius * (1.0 + angle.cos()),
                label: self.builder.name(owner),
                color: self.builder.looks.color_of_seat(owner),
                ..self.space(placed.id, placed.zone, Form::Trick)
            });
        }
        trim(board);
    }

    fn circle(&self, zones: &[PlacedZone<'_>], board: &mut SceneBoard) {
        let count = zones.len().max(1) as f32;
        let radius = (count * 1.2 / std::f32::consts::TAU).max(0.8);
        for (number, placed) in zones.iter().enumerate() {
            let angle = std::f32::consts::TAU * number as f32 / count - std::f32::consts::FRAC_PI_2;
            board.spaces.push(SceneSpace {
                x: radius + radius * angle.cos(),
                y: radius + radius * angle.sin(),
                ..self.space(placed.id, placed.zone, Form::Track)
            });
        }
    }

    /// Lays out the tiles of a table and the cells where something can be put.
    fn tiles(&self, zones: &[PlacedZone<'_>], board: &mut SceneBoard) {
        // By row and column, as people read.
        let mut cells: BTreeMap<(i32, i32), SceneSpace> = BTreeMap::new();
        for placed in zones {
            for doc in &placed.zone.components {
                let Some((x, y)) = values::cell_of(doc) else {
                    continue;
                };
                let piece = pieces::piece(self.builder, placed.id, doc, Form::Tiles);
                let space = cells.entry((y, x)).or_default();
                space.pieces.extend(piece);
            }
        }
        for (x, y, id) in self.builder.offers.cells() {
            let space = cells.entry((y, x)).or_default();
            space.is_target = space.pieces.is_empty();
            space.choices = self.builder.offers.at(id);
        }
        let ends = |of: fn(&(i32, i32)) -> i32| {
            let all = || cells.keys().map(of);
            Some((all().min()?, all().max()?))
        };
        let Some(((left, right), (top, bottom))) = ends(|cell| cell.1).zip(ends(|cell| cell.0))
        else {
            return;
        };
        board.is_of_hexagons = self.builder.sight.program.identity.cells == CellForm::Hexagon;
        let shift = if board.is_of_hexagons { 0.5 } else { 0.0 };
        let step = board.step_of_rows();
        if !board.is_of_hexagons {
            board.columns = numbered((left..=right).map(|x| x.to_string()));
            board.rows = numbered((top..=bottom).map(|y| y.to_string()));
        }
        let spaces = cells.into_iter().map(|((y, x), space)| SceneSpace {
            title: format!("{x},{y}"),
            x: (x - left) as f32 - (y - top) as f32 * shift,
            y: (y - top) as f32 * step,
            ..space
        });
        board.spaces = spaces.collect();
        if board.is_of_hexagons {
            trim(board);
        }
    }
}

fn is_in_rows(form: Form) -> bool {
    form.is_grid() || form == Form::Hexes
}

fn owner_of(zone: &ZoneDoc) -> Option<u32> {
    values::seat(zone.keys.get("owner")?)
}

/// Returns the columns and rows in which no space has this field.
fn narrow(board: &SceneBoard, zones: &[PlacedZone<'_>], field: &str) -> (Vec<usize>, Vec<usize>) {
    let wide = zones.iter().zip(&board.spaces);
    let wide = wide.filter(|(placed, _)| is_set(placed.zone.fields.get(field)));
    let wide: Vec<&SceneSpace> = wide.map(|(_, space)| space).collect();
    let (width, height) = size(board);
    let without = |count: f32, of: fn(&SceneSpace) -> f32| {
        let has = |at: &usize| wide.iter().any(|space| of(space) == *at as f32);
        (0..count as usize).filter(|at| !has(at)).collect()
    };
    (
        without(width, |space| space.x),
        without(height, |space| space.y),
    )
}

/// Returns words with their places along an edge.
fn numbered(words: impl IntoIterator<Item = String>) -> Vec<(f32, String)> {
    let words = words.into_iter().enumerate();
    words.map(|(at, words)| (at as f32, words)).collect()
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

/// The gap between the boards of a board of boards.
const GAP: f32 = 0.5;

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
    let is_grid = board.form.is_grid() || board.form == Form::Hexes;
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
    for (x, y) in board.ways.iter_mut().flat_map(|way| &mut way.ends) {
        (*x, *y) = (*x - left, *y - top);
    }
    let moved = |labels: &mut Vec<(f32, String)>, by: f32| {
        labels.iter_mut().for_each(|(at, _)| *at -= by);
        labels.retain(|(at, _)| *at >= 0.0);
    };
    moved(&mut board.columns, left);
    moved(&mut board.rows, top);
}

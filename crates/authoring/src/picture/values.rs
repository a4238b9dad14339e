//! Values in the documents of a view: seats, sides, cells and constants.

use wyrmgate_program::CellForm;
use wyrmgate_view::{Doc, Members, ZoneDoc};

/// Returns the number of a seat.
pub(super) fn seat(value: &Doc<'_>) -> Option<u32> {
    u32::try_from(value.as_whole()?).ok()
}

/// Sides of hexagons have these numbers and those above, clockwise from the north-east; those of squares begin with 0.
pub(super) const HEXAGON: u8 = 4;

/// Returns the number of the side this many turns clockwise from one.
pub(super) fn side(value: &Doc<'_>, turned: i64, cells: CellForm) -> Option<u8> {
    let side = value.as_str()?;
    let at = cells.sides().iter().position(|name| *name == side)?;
    let at = (i64::try_from(at).ok()? + turned).rem_euclid(cells.count().into());
    let first = if cells == CellForm::Hexagon {
        HEXAGON
    } else {
        0
    };
    Some(first + u8::try_from(at).ok()?)
}

/// Returns the pieces of the zone inside a component, for boards of tiles.
pub(super) fn cell_of(doc: &Members<'_>) -> Option<(i32, i32)> {
    cell(doc.get("cell")?.as_str()?)
}

/// Returns the constants of a zone: its keys and fields.
pub(super) fn constants(zone: &ZoneDoc) -> impl Iterator<Item = (&str, &Doc<'static>)> {
    zone.keys.iter().chain(zone.fields.iter())
}

/// Formats a value as ids do: a text without quotes.
pub(super) fn plain(value: &Doc<'_>) -> String {
    let text = value.as_str().map(str::to_owned);
    text.unwrap_or_else(|| value.to_string())
}

/// Parses `0,-1`.
pub(super) fn cell(id: &str) -> Option<(i32, i32)> {
    let (x, y) = id.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

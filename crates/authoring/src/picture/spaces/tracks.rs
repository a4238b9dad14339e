//! Tracks: spaces one after the other, laid in rows that run to and fro if there are many.

use wyrmgate_program::{FamilyInfo, Form, NumberedTrack};
use wyrmgate_view::Doc;

use super::super::scene::{SceneBoard, SceneSpace};
use super::super::{pieces, symbols};
use super::{Zones, positions, put, space, values_of};
use crate::picture::builder::PictureBuilder;

/// A track that is longer than this is laid in rows.
const ROW_MAX: usize = 12;
/// Maximum number of spaces of a numbered track that are drawn.
const TRACK_MAX: usize = 400;
/// How much wider than high a track in rows should be.
const BREADTH: f32 = 2.6;

pub(super) fn track(
    builder: &PictureBuilder<'_>,
    family: &FamilyInfo,
    zones: Zones<'_, '_>,
    board: &mut SceneBoard,
) {
    let track = family.track.unwrap_or(0);
    let mut others = (0..family.keys.len()).filter(|key| *key != track);
    let lane = others.next();
    let lanes = lane
        .map(|lane| values_of(builder, family, lane))
        .unwrap_or_default();
    let length = family
        .keys
        .get(track)
        .map_or(zones.len(), |key| key.values.len());
    let in_row = in_row(length);
    for (offset, (id, zone)) in zones {
        let at = positions(builder, family, *offset);
        let along = at.get(track).copied().unwrap_or_default();
        let (x, y) = match lane {
            Some(lane) => (along, at.get(lane).copied().unwrap_or_default()),
            None => winding(along, in_row),
        };
        let space = space(builder, family, (id, zone), Form::Track);
        let (x, y) = (x as f32, y as f32);
        board.spaces.push(SceneSpace { x, y, ..space });
    }
    if lane.is_some() {
        let lanes = lanes.into_iter().enumerate();
        board.rows = lanes.map(|(at, words)| (at as f32, words)).collect();
    }
}

/// Returns the number of spaces in each row of a track.
fn in_row(length: usize) -> usize {
    if length <= ROW_MAX {
        return length.max(1);
    }
    let wide = (length as f32 * BREADTH).sqrt().ceil() as usize;
    let rows = length.div_ceil(wide.max(1));
    length.div_ceil(rows.max(1))
}

/// Returns the place on a track whose rows run to and fro, from below upwards.
fn winding(along: usize, in_row: usize) -> (usize, usize) {
    let (row, inside) = (along / in_row, along % in_row);
    match row % 2 {
        0 => (inside, row),
        _ => (in_row - 1 - inside, row),
    }
}

pub(super) fn numbered_track(
    builder: &PictureBuilder<'_>,
    track: &NumberedTrack,
    zones: Zones<'_, '_>,
    board: &mut SceneBoard,
) {
    let length = usize::try_from(track.to - track.from + 1)
        .unwrap_or(0)
        .min(TRACK_MAX);
    let in_row = in_row(length);
    for along in 0..length {
        let number = track.from + along as i32;
        let (x, y) = winding(along, in_row);
        let mut marks = track.marks.iter();
        let mark = marks.find(|(at, _)| *at == number);
        board.spaces.push(SceneSpace {
            title: format!("{} {number}", board.title),
            x: x as f32,
            y: y as f32,
            label: number.to_string(),
            symbol: mark.and_then(|(_, word)| symbols::named(word)),
            is_line: track.line == Some(number),
            is_special: track.line.is_some_and(|line| number > line),
            ..SceneSpace::default()
        });
    }
    for (_, (id, zone)) in zones {
        for doc in &zone.components {
            let Some(mut piece) = pieces::piece(builder, id, doc, Form::Track) else {
                continue;
            };
            let kind = doc.get("kind").and_then(Doc::as_str);
            let kind = kind.and_then(|kind| builder.looks.kind(kind));
            let at = kind.and_then(|kind| {
                let layers = builder.looks.of_kind(kind);
                layers.get(|style| style.at.as_deref())
            });
            let at = doc.get(at.unwrap_or("at")).and_then(Doc::as_whole);
            if at.is_some_and(|at| at > i64::from(track.to)) {
                piece.corners.extend(at.map(|at| at.to_string()));
            }
            put(board, at, piece);
        }
    }
}

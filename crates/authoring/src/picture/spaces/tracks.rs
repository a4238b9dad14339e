//! Tracks: spaces one after the other, laid in rows that run to and fro if there are many.

use wyrmgate_program::{Form, NumberedTrack};
use wyrmgate_view::Doc;

use super::super::scene::{SceneBoard, SceneSpace};
use super::super::{pieces, symbols};
use super::{FamilyBoards, PlacedZone, numbered, put};

/// A track that is longer than this is laid in rows.
const ROW_MAX: usize = 12;
/// Maximum number of spaces of a numbered track that are drawn.
const TRACK_MAX: usize = 400;
/// How much wider than high a track in rows should be.
const BREADTH: f32 = 2.6;

impl FamilyBoards<'_> {
    pub(super) fn track(&self, zones: &[PlacedZone<'_>], board: &mut SceneBoard) {
        let keys = &self.family.keys;
        let track = self.family.track.unwrap_or(0);
        let lane = (0..keys.len()).find(|key| *key != track);
        let length = keys.get(track).map_or(zones.len(), |key| key.values.len());
        let in_row = in_row(length);
        for placed in zones {
            let along = placed.at(track);
            let (x, y) = match lane {
                Some(lane) => (along, placed.at(lane)),
                None => winding(along, in_row),
            };
            board.spaces.push(SceneSpace {
                x: x as f32,
                y: y as f32,
                ..self.space(placed.id, placed.zone, Form::Track)
            });
        }
        board.rows = numbered(lane.map_or_else(Vec::new, |lane| self.values_of(lane)));
    }

    pub(super) fn numbered_track(
        &self,
        track: &NumberedTrack,
        zones: &[PlacedZone<'_>],
        board: &mut SceneBoard,
    ) {
        let length = usize::try_from(track.to - track.from + 1).unwrap_or(0);
        let length = length.min(TRACK_MAX);
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
        let looks = &self.builder.looks;
        for placed in zones {
            for doc in &placed.zone.components {
                let piece = pieces::piece(self.builder, placed.id, doc, Form::Track);
                let Some(mut piece) = piece else {
                    continue;
                };
                let kind = pieces::kind_of(looks, doc);
                let at = kind.and_then(|kind| looks.of_kind(kind).get(|style| style.at.as_deref()));
                let at = doc.get(at.unwrap_or("at")).and_then(Doc::as_whole);
                if at.is_some_and(|at| at > i64::from(track.to)) {
                    piece.corners.extend(at.map(|at| at.to_string()));
                }
                put(board, at, piece);
            }
        }
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

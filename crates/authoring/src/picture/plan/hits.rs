//! Where the parts that stand for choices answer to a pointer.

use crate::picture::drawing::{Figure, PartRole, PictureNode, Rect};

/// How far the area of a chip reaches beyond it, into the gap around it.
const AROUND_CHIP: f32 = 3.0;

/// Gives an area to each part that stands for a choice: the whole of its place. Pieces on a place that stands for nothing
/// share all of it; on a place that stands for a choice itself, they have only what they cover.
pub(super) fn add(node: &mut PictureNode) {
    if node.is_choice() && node.hit.is_none() {
        node.hit = Some(place_of(node));
    }
    if node.hit.is_none() && matches!(node.what, PartRole::Space | PartRole::Piece) {
        share(node);
    }
    node.inner.iter_mut().for_each(add);
}

/// Returns what a part covers: its hexagon, or the box around a space that tapers off, a chip, a card or a square.
fn place_of(node: &PictureNode) -> Figure {
    let ground = node.shapes.first().map(|shape| &shape.figure);
    let at = match (node.what, ground) {
        (PartRole::Space, Some(Figure::Polygon(points))) if points.len() == 6 => {
            return Figure::Polygon(points.clone());
        }
        (PartRole::Space, Some(Figure::Polygon(points))) => around(points),
        (PartRole::Choice | PartRole::Zone, _) if node.inner.is_empty() => {
            node.at.inset(-AROUND_CHIP)
        }
        _ => node.at,
    };
    Figure::plain(at)
}

fn around(points: &[(f32, f32)]) -> Rect {
    let ends = |of: fn(&(f32, f32)) -> f32| {
        let all = || points.iter().map(of);
        let least = all().fold(f32::INFINITY, f32::min);
        (least, all().fold(f32::NEG_INFINITY, f32::max))
    };
    let ((left, right), (top, bottom)) = (ends(|point| point.0), ends(|point| point.1));
    Rect::new(left, top, right - left, bottom - top)
}

/// Divides a place among the pieces on it that stand for choices.
fn share(place: &mut PictureNode) {
    let whole = place_of(place);
    let room = place.at;
    let pieces = place.inner.iter_mut().filter(|inner| inner.is_choice());
    let mut pieces: Vec<&mut PictureNode> = pieces.collect();
    if let [only] = pieces.as_mut_slice() {
        only.hit = Some(whole);
        return;
    }
    let boxes: Vec<Rect> = pieces.iter().map(|piece| piece.at).collect();
    for piece in pieces {
        piece.hit = Some(Figure::plain(grown(piece.at, room, &boxes)));
    }
}

/// Returns the box of a piece with the free room around it, up to halfway to the pieces beside, above and below it.
fn grown(at: Rect, room: Rect, all: &[Rect]) -> Rect {
    let in_row = |other: &&Rect| other.y < at.bottom() && at.y < other.bottom();
    let row = || all.iter().filter(in_row);
    let left = halfway(at.x, room.x, row().map(Rect::right));
    let right = -halfway(-at.right(), -room.right(), row().map(|other| -other.x));
    let top = halfway(at.y, room.y, all.iter().map(Rect::bottom));
    let bottom = -halfway(
        -at.bottom(),
        -room.bottom(),
        all.iter().map(|other| -other.y),
    );
    Rect::new(left, top, right - left, bottom - top)
}

/// Returns the middle between where a piece begins and the last end before it, or the edge if nothing ends before it.
fn halfway(begin: f32, edge: f32, ends: impl Iterator<Item = f32>) -> f32 {
    let last = ends.filter(|end| *end <= begin).reduce(f32::max);
    last.map_or(edge, |end| (end + begin) / 2.0)
}

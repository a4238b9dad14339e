//! Spaces that taper off, such as the points of a backgammon board.

use super::{BoardLayout, is_dark};
use crate::picture::drawing::{Anchor, DrawnShape, PartRole, PictureNode, Rect, toward};
use crate::picture::paint::{LETTERS, Painter, bold};
use crate::picture::palette::COLORS;
use crate::picture::scene::SceneSpace;

/// The part of a space that is left for its label, and the side of the largest pieces in a row, in spaces.
const FOOT: f32 = 0.24;
const STACKED: f32 = 0.62;

impl BoardLayout<'_> {
    /// Draws a space with its label at the foot, its tip near the middle of the board, and stones on it in a row.
    pub(super) fn tapered(&self, space: &SceneSpace, tip: u8, at: Rect) -> PictureNode {
        let board = self.board;
        let mut node = PictureNode::new(PartRole::Space, &space.id, &space.title);
        node.choices.clone_from(&space.choices);
        let ((x, y), (along_x, along_y)) = (at.center(), toward(tip));
        let far = if along_x == 0.0 {
            board.height
        } else {
            board.width
        };
        let long = (far / 2.0 - FOOT - 0.08) * self.unit;
        let more = long + FOOT * self.unit - at.w;
        node.at = Rect::new(
            at.x + more * along_x.min(0.0),
            at.y + more * along_y.min(0.0),
            at.w + more * along_x.abs(),
            at.h + more * along_y.abs(),
        );
        let point = |along: f32, aside: f32| {
            let along = along + FOOT * self.unit - at.w / 2.0;
            (
                x + along * along_x + aside * along_y,
                y + along * along_y + aside * along_x,
            )
        };
        let ground = match is_dark(board, space) {
            true => COLORS.board_other.mixed(COLORS.faint, 0.7),
            false => COLORS.board,
        };
        let line = Painter.outline(space.is_new, !space.choices.is_empty());
        if !space.is_over || space.is_new || !space.choices.is_empty() {
            let half = at.w / 2.0;
            let corners = vec![point(0.0, -half), point(0.0, half), point(long, 0.0)];
            let fill = (!space.is_over).then_some(ground);
            node.draw(DrawnShape::polygon(corners, fill, Some(line)));
        }
        if !space.is_over {
            let (x, y) = point(-FOOT * self.unit * 0.5, 0.0);
            let (at, ink) = ((x, y + 4.0), COLORS.ink);
            node.draw(bold(at, Anchor::Middle, LETTERS, ink, &space.label));
        }
        let side = (self.unit * STACKED).min(long / 4.0);
        let step = ((long - side) / 4.0).min(side);
        let stacks = space.pieces.iter().map(|piece| {
            Painter.stack_of_stones(piece, step, |along| {
                let (x, y) = point(along + side / 2.0, 0.0);
                Rect::new(x - side / 2.0, y - side / 2.0, side, side)
            })
        });
        node.inner = stacks.collect();
        node
    }
}

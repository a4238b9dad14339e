//! What lies behind the spaces of a board and around them: racks, lines that cross, sides with a color.

use std::collections::BTreeMap;
use std::f32::consts::TAU;

use wyrmgate_program::Form;

use super::BoardLayout;
use crate::picture::drawing::{DrawnShape, PictureNode, Rect, toward};
use crate::picture::palette::COLORS;
use crate::picture::scene::SceneSpace;

impl BoardLayout<'_> {
    fn field(&self) -> Rect {
        let (w, h) = self.board.extent();
        Rect::new(self.left, self.top, w * self.unit, h * self.unit)
    }

    /// Draws the front of a rack with holes, the lines between squares, or those whose crossings are the spaces.
    pub(super) fn draw_behind(&self, node: &mut PictureNode) {
        let (form, whole) = (self.board.form, self.field());
        if form == Form::Holes {
            let round = self.unit * 0.15;
            node.draw(whole.rounded(round, Some(COLORS.back), None));
        } else if form == Form::Squares {
            node.draw(whole.rounded(2.0, Some(COLORS.line), None));
        } else if form == Form::Crossings {
            node.draw(whole.rounded(2.0, Some(COLORS.wood), None));
            let mut lines: BTreeMap<(bool, i32), Vec<(f32, f32)>> = BTreeMap::new();
            for space in &self.board.spaces {
                for line in [(true, space.y as i32), (false, space.x as i32)] {
                    let middle = self.place(space).center();
                    lines.entry(line).or_default().push(middle);
                }
            }
            for mut line in lines.into_values() {
                line.sort_by(|one, other| (one.0 + one.1).total_cmp(&(other.0 + other.1)));
                node.draw(DrawnShape::polyline(line, (COLORS.wood.ink(), 1.2)));
            }
        }
    }

    /// Draws the sides of a board that have a color: along the outer edges of hexagons, or as strips.
    pub(super) fn draw_sides(&self, node: &mut PictureNode) {
        let whole = self.field();
        for (side, color) in &self.board.sides {
            if self.board.form == Form::Hexes {
                let line = (color.color(), self.unit * 0.2);
                let edges = self.outer_edges(*side).into_iter();
                node.draw_all(edges.map(|edge| DrawnShape::polyline(edge, line)));
                continue;
            }
            let ((x, y), (right, down)) = (whole.center(), toward(*side));
            let (x, y) = (
                x + (whole.w / 2.0 + 3.5) * right,
                y + (whole.h / 2.0 + 3.5) * down,
            );
            let (w, h) = (
                whole.w * down.abs() + 5.0 * right.abs(),
                whole.h * right.abs() + 5.0 * down.abs(),
            );
            let strip = Rect::new(x - w / 2.0, y - h / 2.0, w, h);
            node.draw(strip.rounded(1.0, Some(color.color()), Some((COLORS.line, 1.0))));
        }
    }

    /// Returns the edges of hexagons beyond which the board ends on this side.
    fn outer_edges(&self, side: u8) -> Vec<Vec<(f32, f32)>> {
        let spaces = &self.board.spaces;
        let mut edges = Vec::new();
        for space in spaces {
            for angle in (0..6_u8).map(|edge| f32::from(edge) * TAU / 6.0) {
                let (x, y) = (space.x + angle.cos(), space.y + angle.sin());
                let is_there = |other: &SceneSpace| (other.x - x).abs() + (other.y - y).abs() < 0.1;
                if self.side_of(space, angle) == side && !spaces.iter().any(is_there) {
                    let (middle, radius) = (self.place(space).center(), self.unit * 0.585);
                    let ends = [angle - TAU / 12.0, angle + TAU / 12.0];
                    let corner =
                        |at: f32| (middle.0 + radius * at.cos(), middle.1 + radius * at.sin());
                    edges.push(ends.map(corner).to_vec());
                }
            }
        }
        edges
    }

    /// Returns the side of the board to which an outer edge of a hexagon belongs.
    fn side_of(&self, space: &SceneSpace, angle: f32) -> u8 {
        let (right, down) = (angle.cos(), angle.sin());
        if down < -0.1 && space.y < 0.1 {
            0
        } else if down > 0.1 && space.y > self.board.height - 1.1 {
            2
        } else if right > 0.0 {
            1
        } else {
            3
        }
    }
}

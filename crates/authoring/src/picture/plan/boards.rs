//! Boards: spaces, the pieces on them, and arrows between them.

mod edges;
mod tapered;

use wyrmgate_program::Form;

use super::{Planner, SPACE, SPACE_MIN, SPACE_OF_OWN, TILE};
use crate::picture::drawing::{
    Anchor, DrawnShape, Figure, Outline, PartRole, PictureNode, Rect, Weight,
};
use crate::picture::paint::{LETTERS, Painter, TEXT, bold, hexagon, symbol_shape, text, written};
use crate::picture::palette::{COLORS, Color};
use crate::picture::scene::{ROW_OF_HEXES, SceneBoard, SceneSpace};
use crate::picture::wording::{capital, width};

/// The side of what lies on a way, in spaces.
const WAY: f32 = 0.5;
/// The side of what lies on a corner or a side of spaces.
const EDGE: f32 = 0.36;

/// A board that is being drawn: how far its spaces are from the left and the upper edge, and how large.
struct BoardLayout<'b> {
    board: &'b SceneBoard,
    left: f32,
    top: f32,
    unit: f32,
}

impl BoardLayout<'_> {
    fn place(&self, space: &SceneSpace) -> Rect {
        let unit = self.unit;
        let ((x, w), (y, h)) = (self.board.across(space.x), self.board.down(space.y));
        Rect::new(
            self.left + x * unit,
            self.top + y * unit,
            w * unit,
            h * unit,
        )
    }

    /// Returns the middles of two spaces, by their numbers.
    fn middles(&self, from: usize, to: usize) -> Option<((f32, f32), (f32, f32))> {
        let middle = |at: usize| Some(self.place(self.board.spaces.get(at)?).center());
        middle(from).zip(middle(to))
    }

    /// Draws the panel below a board, and the names of its rows and columns.
    fn draw_ground(&self, node: &mut PictureNode) {
        let (board, left, top, unit) = (self.board, self.left, self.top, self.unit);
        let below = if board.columns.is_empty() { 0.0 } else { 16.0 };
        let (w, h) = board.extent();
        let (right, bottom) = (left + w * unit + top, top + h * unit + top);
        node.at = Rect::new(0.0, 0.0, right, bottom + below);
        let line = Some((COLORS.line, 1.0));
        node.draw(node.at.rounded(10.0, Some(COLORS.panel), line));
        let label = |at, anchor, words: &str| text(at, anchor, 12.0, COLORS.faint, words);
        for (row, words) in &board.rows {
            let (begin, high) = board.down(*row);
            let at = (left - top, top + (begin + high / 2.0) * unit + 4.0);
            node.draw(label(at, Anchor::End, words));
        }
        for (column, words) in &board.columns {
            let (begin, wide) = board.across(*column);
            let at = (left + (begin + wide / 2.0) * unit, bottom + 8.0);
            node.draw(label(at, Anchor::Middle, words));
        }
    }

    /// Draws the lines that connect the spaces of tracks, circles and maps.
    fn draw_lines(&self, node: &mut PictureNode) {
        let board = self.board;
        let mut draw = |points, thick: f32| {
            let line = (COLORS.line, self.unit * thick);
            node.draw(DrawnShape::polyline(points, line));
        };
        if matches!(board.form, Form::Track | Form::Circle) && board.rows.is_empty() {
            let spaces = board.spaces.iter();
            let mut points: Vec<_> = spaces.map(|space| self.place(space).center()).collect();
            if board.form == Form::Circle {
                points.extend(points.first().copied());
            }
            draw(points, 0.12);
        }
        for (from, to) in board
            .joins
            .iter()
            .filter_map(|(from, to)| self.middles(*from, *to))
        {
            draw(vec![from, to], 0.06);
        }
    }

    /// Draws the ways between spaces: in the middle of each what it says and what lies on it.
    fn draw_ways(&self, node: &mut PictureNode) {
        for way in self.board.ways.iter().filter(|way| way.is_seen()) {
            let side = self.unit * if way.is_edge { EDGE } else { WAY };
            let [from, to] = way.ends.map(|(x, y)| {
                self.place(&SceneSpace {
                    x,
                    y,
                    ..SceneSpace::default()
                })
                .center()
            });
            let piece = way.space.pieces.first().filter(|_| way.is_edge);
            let color = way.space.color.or(piece.and_then(|piece| piece.color));
            let line = color.map_or(COLORS.line, |color| color.color());
            node.draw(DrawnShape::polyline(
                vec![from, to],
                (line, self.unit * 0.1),
            ));
            let (x, y) = ((from.0 + to.0 - side) / 2.0, (from.1 + to.1 - side) / 2.0);
            let at = Rect::new(x, y, side, side);
            node.inner
                .push(drawn_space(&way.space, Form::Ways, false, at));
        }
    }

    /// Draws the spaces. One that lies over another one is inside it.
    fn draw_spaces(&self, node: &mut PictureNode) {
        let board = self.board;
        let gap = match board.form {
            Form::Track | Form::Circle => self.unit * 0.08,
            Form::Map | Form::Holes => self.unit * 0.08,
            Form::Tiles | Form::Trick => 3.0,
            Form::Crossings => 0.0,
            _ => 1.0,
        };
        let mut drawn_at: Vec<((f32, f32), usize)> = Vec::new();
        for space in &board.spaces {
            let at = self.place(space).inset(gap);
            let mut drawn = match board.form {
                Form::Tiles => cell(space, at, board.is_of_hexagons),
                _ => self.space(space, at),
            };
            if space.is_line {
                drawn.draw(finish_line(space, at, gap));
            }
            let mut below = drawn_at.iter();
            let below = below.find(|(place, _)| *place == (space.x, space.y));
            match below.and_then(|(_, number)| node.inner.get_mut(*number)) {
                Some(below) => {
                    if drawn.inner.is_empty() && drawn.shapes.is_empty() {
                        drawn.at = Rect::new(at.x, at.y, 0.0, 0.0);
                    }
                    below.inner.push(drawn);
                }
                None => {
                    drawn_at.push(((space.x, space.y), node.inner.len()));
                    node.inner.push(drawn);
                }
            }
        }
    }
}

impl BoardLayout<'_> {
    fn space(&self, space: &SceneSpace, at: Rect) -> PictureNode {
        let (board, form) = (self.board, self.board.form);
        if let Some(tip) = space.tip {
            return self.tapered(space, tip, at);
        }
        let is_narrow = at.w.min(at.h) < self.unit * 0.6;
        let mut node = drawn_space(space, form, is_narrow || is_dark(board, space), at);
        if is_narrow {
            let bars = space
                .pieces
                .iter()
                .map(|piece| Painter.bar(piece, at.inset(-1.0)));
            node.inner = bars.collect();
        }
        node
    }
}

/// The height of a name on a space.
const NAME: f32 = 17.0;
/// Returns the line across a track at a space.
fn finish_line(space: &SceneSpace, at: Rect, gap: f32) -> DrawnShape {
    let is_back = (space.y as usize) % 2 == 1;
    let x = if is_back {
        at.x - gap
    } else {
        at.right() + gap
    };
    let ends = vec![(x, at.y - gap), (x, at.bottom() + gap)];
    DrawnShape::polyline(ends, (COLORS.last, 5.0))
}

/// Returns the shape of a space; `None` if the space below is drawn in its place.
fn ground_of(
    space: &SceneSpace,
    form: Form,
    fill: Color,
    line: Outline,
    at: Rect,
    inner: Rect,
) -> Option<DrawnShape> {
    if form == Form::Hexes {
        return Some(hexagon(at, fill, line));
    }
    if space.is_over && !space.is_new && space.choices.is_empty() {
        return None;
    }
    let fill = (!space.is_over).then_some(fill);
    if form == Form::Crossings {
        let side = if space.is_new { 0.02 } else { 0.41 };
        let inner = at.inset(at.w * side);
        let star = space.is_special.then_some(COLORS.wood.ink());
        let (fill, line) = match space.is_new || !space.choices.is_empty() {
            true => (star.filter(|_| !space.is_new), line),
            false => (Some(star?), None),
        };
        return Some(inner.rounded(at.w * 0.5, fill, line));
    }
    let round = match form {
        Form::Grid | Form::Squares => 0.0,
        Form::Map | Form::Ways | Form::Holes => at.w * 0.5,
        _ => at.w * 0.12,
    };
    Some(inner.rounded(round, fill, line))
}

/// Draws the symbol of a space: in its middle, or in a corner if there are pieces.
fn draw_symbol(node: &mut PictureNode, space: &SceneSpace, fill: Color, at: Rect) {
    let Some(symbol) = space.symbol else {
        return;
    };
    let side = at.w * if space.pieces.is_empty() { 0.5 } else { 0.26 };
    let (x, y) = match space.pieces.is_empty() {
        true => (at.x + (at.w - side) / 2.0, at.y + (at.h - side) / 2.0),
        false => (at.right() - side - 3.0, at.y + 3.0),
    };
    let faded = fill.ink().mixed(fill, 0.55);
    let shape = symbol_shape(symbol, Rect::new(x, y, side, side), faded);
    node.draw(shape);
}

/// Draws the label of a space: over all of it if it is empty, otherwise above the room for pieces.
fn draw_label(
    node: &mut PictureNode,
    space: &SceneSpace,
    fill: Color,
    form: Form,
    at: Rect,
    room: &mut Rect,
) {
    if space.label.is_empty() || space.is_over {
        return;
    }
    let ink = fill.ink();
    if form == Form::Trick {
        let strip = Rect::new(room.x, room.y - 2.0, room.w, NAME);
        node.draw_all(written(&[&space.label], strip, TEXT, ink, Weight::Bold));
        room.y += NAME;
        room.h -= NAME;
        return;
    }
    if form == Form::Map {
        let place = (at.center().0, at.y + at.h * 0.1 + LETTERS);
        let label = capital(&space.label);
        let size = LETTERS.min(at.w / width(&label)).max(7.0);
        node.draw(text(place, Anchor::Middle, size, ink, &label));
        let covered = place.1 + 3.0 - room.y;
        (room.y, room.h) = (room.y + covered, room.h - covered);
        return;
    }
    if space.pieces.is_empty() && space.symbol.is_none() {
        let size = (at.w * 0.3).max(LETTERS);
        let faded = ink.mixed(fill, 0.75);
        let lines = written(&[&space.label], *room, size, faded, Weight::Bold);
        node.draw_all(lines);
        return;
    }
    let place = (room.x + 1.0, room.y + 10.0);
    let label = bold(place, Anchor::Start, 12.0, ink, &space.label);
    node.draw(label);
    room.y += 12.0;
    room.h -= 12.0;
}

impl Planner<'_> {
    pub(super) fn board(&self, board: &SceneBoard, wide: f32) -> PictureNode {
        let id = match board.spaces.iter().all(|space| space.id.is_empty()) {
            true => board.id.clone(),
            false => format!("board:{}", board.id),
        };
        let mut node = PictureNode::new(PartRole::Board, &id, &board.title);
        let unit = self.unit(board, wide);
        let left = width_of_labels(board);
        let top = 8.0 + beyond(board) * unit;
        let left = if left > 0.0 { left + 8.0 + top } else { top };
        let layout = BoardLayout {
            board,
            left,
            top,
            unit,
        };
        layout.draw_ground(&mut node);
        layout.draw_behind(&mut node);
        layout.draw_sides(&mut node);
        layout.draw_lines(&mut node);
        layout.draw_spaces(&mut node);
        layout.draw_ways(&mut node);
        let way = board
            .move_arrow
            .and_then(|(from, to)| layout.middles(from, to));
        if let Some((from, to)) = way.filter(|(from, to)| from != to) {
            node.inner.push(arrow(from, to, unit));
        }
        node
    }

    /// Returns the side of a space.
    pub(super) fn unit(&self, board: &SceneBoard, wide: f32) -> f32 {
        let left = width_of_labels(board) + 24.0;
        let wanted = (wide - left) / (board.extent().0.max(1.0) + 2.0 * beyond(board));
        wanted.min(most_of(board)).max(SPACE_MIN)
    }
}

/// Returns how far what is drawn reaches beyond the spaces of a board, in spaces: the tips of hexagons, and what lies on corners.
fn beyond(board: &SceneBoard) -> f32 {
    if board.ways.iter().any(|way| way.is_edge) {
        EDGE / 2.0 + 0.08
    } else if board.form == Form::Hexes {
        0.08
    } else {
        0.0
    }
}

fn width_of_labels(board: &SceneBoard) -> f32 {
    let labels = board.rows.iter().map(|(_, words)| width(words) * 12.0);
    labels.fold(0.0, f32::max)
}

fn drawn_space(space: &SceneSpace, form: Form, is_dark: bool, at: Rect) -> PictureNode {
    let colors = COLORS;
    let mut node = PictureNode::new(PartRole::Space, &space.id, &space.title);
    node.choices.clone_from(&space.choices);
    node.at = at;
    let ground = match (space.is_special, is_dark) {
        _ if form == Form::Holes => colors.panel,
        (true, _) if form != Form::Crossings => colors.accent.mixed(colors.board, 0.2),
        (_, true) => colors.board_other,
        _ => colors.board,
    };
    let share = if form == Form::Trick { 0.16 } else { 0.6 };
    let mixed = space.color.map(|color| color.color().mixed(ground, share));
    let fill = mixed.unwrap_or(ground);
    let is_free_choice = !space.choices.is_empty();
    let line = match (space.is_new, is_free_choice, form) {
        (false, false, Form::Grid | Form::Squares) => None,
        (is_new, can_choose, _) => Some(Painter.outline(is_new, can_choose)),
    };
    let inner = match line {
        Some((_, thick)) => at.inset(thick / 2.0),
        None => at,
    };
    if form == Form::Hexes {
        // The tips of a hexagon reach between those of the rows beside it.
        let tip = at.h * (1.0 - ROW_OF_HEXES) / 2.0;
        node.at = Rect::new(at.x, at.y + tip, at.w, at.h - 2.0 * tip);
    }
    node.draw_all(ground_of(space, form, fill, line, at, inner));
    let mut room = at.inset(at.w * 0.05 + 1.0);
    draw_symbol(&mut node, space, fill, at);
    draw_label(&mut node, space, fill, form, at, &mut room);
    let are_stones = space.pieces.iter().all(|piece| piece.form == Form::Stones);
    let is_filled = form.is_grid() || form == Form::Trick || are_stones;
    let share = if is_filled { 0.95 } else { 0.8 };
    node.inner = Painter.spread(&space.pieces, room, share);
    node
}

/// Draws a cell of a table of tiles.
fn cell(space: &SceneSpace, at: Rect, is_hexagon: bool) -> PictureNode {
    let mut node = PictureNode::new(PartRole::Space, "", &space.title);
    node.at = at;
    node.choices.clone_from(&space.choices);
    if space.is_target && is_hexagon {
        let line = Some((COLORS.accent, 2.0));
        node.draw(hexagon(at.inset(at.w * 0.04), COLORS.panel, line));
    } else if space.is_target {
        let frame = Figure::Rect {
            at: at.inset(at.w * 0.06),
            round: 6.0,
            is_dashed: true,
        };
        node.draw(DrawnShape::new(frame, None, Some((COLORS.accent, 2.0))));
    }
    let pieces = space.pieces.iter();
    node.inner = pieces.map(|piece| Painter.piece(piece, at)).collect();
    let tiles = node.inner.iter_mut().filter(|_| is_hexagon);
    for sheet in tiles.filter_map(|tile| tile.shapes.first_mut()) {
        *sheet = hexagon(
            at.inset(1.0),
            sheet.fill.unwrap_or(COLORS.paper),
            sheet.line,
        );
    }
    node
}

fn arrow(from: (f32, f32), to: (f32, f32), unit: f32) -> PictureNode {
    let color = COLORS.last;
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let long = dx.hypot(dy).max(0.1);
    let (ux, uy) = (dx / long, dy / long);
    // The arrow ends at the edge of what has moved.
    let tip = (to.0 - ux * unit * 0.36, to.1 - uy * unit * 0.36);
    let base = (tip.0 - ux * 13.0, tip.1 - uy * 13.0);
    let mut node = PictureNode {
        is_translucent: true,
        ..PictureNode::default()
    };
    node.draw(DrawnShape::polyline(vec![from, base], (color, 4.0)));
    let head = vec![
        tip,
        (base.0 - uy * 8.0, base.1 + ux * 8.0),
        (base.0 + uy * 8.0, base.1 - ux * 8.0),
    ];
    node.draw(DrawnShape::polygon(head, Some(color), None));
    node
}

/// Returns the side that the spaces of a board should have.
pub(super) fn most_of(board: &SceneBoard) -> f32 {
    let is_crowded = || board.spaces.iter().any(|space| space.pieces.len() > 3);
    match board.form {
        _ if board.owner.is_some() => SPACE_OF_OWN,
        Form::Tiles => TILE,
        Form::Trick => SPACE * 1.9,
        Form::Map if board.width <= 6.0 => SPACE * 1.5,
        form if (form.is_grid() || form == Form::Hexes) && board.width <= 4.0 => SPACE * 1.5,
        Form::Track if is_crowded() => SPACE * 1.25,
        _ => SPACE,
    }
}

/// Returns whether a space is one of the dark ones: of a checkered board, whose left corner near the first player is dark,
/// or of triangles side by side, of which two that face each other differ.
fn is_dark(board: &SceneBoard, space: &SceneSpace) -> bool {
    let up = board.height.round() - 1.0 - space.y.round();
    let column = space.x.floor();
    match space.tip {
        Some(tip) => (column as i64 + i64::from(tip / 2)) % 2 == 0,
        None => board.form == Form::Grid && (column + up) as i64 % 2 == 0,
    }
}

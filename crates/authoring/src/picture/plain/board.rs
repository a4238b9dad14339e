//! Boards as text: their spaces as boxes, side by side.

use super::super::canvas::Canvas;
use super::super::ink::{Ink, breadth};
use super::super::scene::{Piece, RoadSpace, SceneBoard, SceneSpace};
use super::{ARROWS, Plain, SPACE_MAX, SPACE_MIN, Spot, TILE_MAX, ink_of, wrapped};
use wyrmgate_program::Form;

/// Minimum width of the text on a tile.
const TILE_WORDS_MIN: usize = 9;

/// The lines and columns of text in which the spaces of a board lie.
struct TextGrid<'b> {
    board: &'b SceneBoard,
    /// The room to the left of the spaces, for the names of rows.
    left: usize,
    /// The width of a space with one of its borders.
    wide: usize,
    /// The line with the upper border of each row, and last the one with the lower border of the board.
    tops: Vec<usize>,
}

impl TextGrid<'_> {
    /// Returns the upper and the lower border of a row.
    fn borders(&self, row: usize) -> (usize, usize) {
        let top = self.tops.get(row).copied().unwrap_or(0);
        let next = self.tops.get(row + 1).copied().unwrap_or(top + 2);
        (top, next)
    }

    fn column(&self, x: f32) -> usize {
        self.left + (x * self.wide as f32).round() as usize
    }

    /// Returns the upper left corner of a space, and its height.
    fn place(&self, space: &SceneSpace) -> ((usize, usize), usize) {
        let (top, next) = self.borders(row_of(self.board, space.y));
        ((self.column(space.x), top), next - top)
    }

    fn canvas(&self) -> Canvas {
        let spaces = self.board.spaces.iter();
        let right = spaces.map(|space| self.place(space).0.0).max();
        Canvas::new(right.unwrap_or(0) + self.wide + 1, self.height())
    }

    fn height(&self) -> usize {
        let last = self.tops.last().copied().unwrap_or(0);
        last + 1 + usize::from(!self.board.columns.is_empty())
    }

    fn draw_space(&self, space: &SceneSpace, lines: &[String], canvas: &mut Canvas) {
        if space.is_over && space.pieces.is_empty() {
            return;
        }
        let ((x, y), high) = self.place(space);
        canvas.frame(x, y, self.wide, high, space.is_target);
        let top = y + 1 + (high - 1).saturating_sub(lines.len()) / 2;
        for (n, line) in lines.iter().enumerate() {
            let spare = (self.wide - 1).saturating_sub(breadth(line));
            canvas.write(x + 1 + spare / 2, top + n, line);
        }
        if space.is_line {
            let is_back = (space.y as usize) % 2 == 1;
            let at = if is_back { x } else { x + self.wide };
            (y + 1..y + high).for_each(|y| canvas.put(at, y, '┃'));
        }
    }

    /// Draws the arrows of a tile into its frame.
    fn draw_sides(&self, space: &SceneSpace, canvas: &mut Canvas) {
        let ((x, y), high) = self.place(space);
        for side in space.pieces.iter().flat_map(Piece::sides) {
            let (at_x, at_y) = match side {
                0 => (x + self.wide / 2, y),
                1 | 5 => (x + self.wide, y + high / 2),
                4 => (x + self.wide, y),
                6 => (x + self.wide, y + high),
                7 => (x, y + high),
                9 => (x, y),
                2 => (x + self.wide / 2, y + high),
                _ => (x, y + high / 2),
            };
            if let Some(arrow) = ARROWS.get(usize::from(side)) {
                canvas.put(at_x, at_y, *arrow);
            }
        }
    }

    fn spot(&self, space: &SceneSpace) -> Spot {
        let (at, high) = self.place(space);
        let pieces = space.pieces.iter();
        let pieces = pieces.flat_map(|piece| std::iter::once(piece).chain(&piece.inside));
        let own = [&space.id, &space.title].into_iter();
        let ids = own.chain(pieces.clone().map(|piece| &piece.id));
        Spot {
            ids: ids.filter(|id| !id.is_empty()).cloned().collect(),
            is_new: space.is_new || pieces.clone().any(|piece| piece.is_new),
            at,
            size: (self.wide + 1, high + 1),
        }
    }

    /// Writes the names of rows and columns beside the spaces.
    fn draw_names(&self, canvas: &mut Canvas) {
        for (row, words) in &self.board.rows {
            let (top, next) = self.borders(row_of(self.board, *row));
            let y = top + (next - top) / 2;
            canvas.write(self.left.saturating_sub(breadth(words) + 1), y, words);
        }
        for (column, words) in &self.board.columns {
            let spare = self.wide.saturating_sub(breadth(words));
            let x = self.column(*column) + spare / 2;
            canvas.write(x, self.height() - 1, words);
        }
    }
}

impl Plain<'_> {
    /// Returns the lines of a board, and where its spaces are. One of several says whose it is.
    pub(super) fn board(&self, board: &SceneBoard) -> (Vec<String>, Vec<Spot>) {
        let (mut lines, mut spots) = self.spaces(board);
        if board.owner.is_some() {
            lines.insert(0, board.title.clone());
            spots.iter_mut().for_each(|spot| spot.at.1 += 1);
        }
        lines.extend(self.beside(board));
        (lines, spots)
    }

    /// Returns the lines below a board: each way with its title, what it says and what lies on it, and the colors of the sides.
    pub(in crate::picture) fn beside(&self, board: &SceneBoard) -> Vec<String> {
        let ways = board.ways.iter().filter(|way| way.is_seen());
        let ways = ways.map(|RoadSpace { space, .. }| {
            let inside = self.inside(space, board, usize::MAX);
            format!("{}: {}", space.title, inside.join(" "))
        });
        let sides = board.sides.iter();
        let sides = sides.map(|(side, color)| format!("{} {}", self.letters(&[*side]), color.word));
        let sides = sides.collect::<Vec<_>>().join(" · ");
        ways.chain((!sides.is_empty()).then_some(sides)).collect()
    }

    fn spaces(&self, board: &SceneBoard) -> (Vec<String>, Vec<Spot>) {
        let columns = (board.width.ceil() as usize).max(1);
        let left = board.rows.iter().map(|(_, words)| breadth(words));
        let left = left.max().map_or(0, |left| left + 1);
        let most = match board.form {
            Form::Tiles => TILE_MAX,
            _ => SPACE_MAX,
        };
        let room = self.columns.saturating_sub(left + 1) / columns;
        if room <= SPACE_MIN {
            return (self.listed_board(board), Vec::new());
        }
        let spaces = board.spaces.iter();
        let wanted = spaces.clone().map(|space| self.wanted(space, board.form));
        let wanted = wanted.max().unwrap_or(SPACE_MIN).clamp(SPACE_MIN, most);
        let wide = (wanted + 1).min(room);
        let contents = spaces.map(|space| self.inside(space, board, wide - 1));
        let contents: Vec<Vec<String>> = contents.collect();
        let grid = TextGrid {
            board,
            left,
            wide,
            tops: tops(board, &contents),
        };
        let mut canvas = grid.canvas();
        for space in &board.spaces {
            grid.draw_sides(space, &mut canvas);
        }
        for (space, lines) in board.spaces.iter().zip(&contents) {
            grid.draw_space(space, lines, &mut canvas);
        }
        grid.draw_names(&mut canvas);
        let spots = board.spaces.iter().map(|space| grid.spot(space));
        (canvas.lines(), spots.collect())
    }

    /// Returns how wide a space should be.
    fn wanted(&self, space: &SceneSpace, form: Form) -> usize {
        let pieces = space.pieces.iter();
        if form == Form::Tiles {
            let words = pieces.flat_map(|piece| piece.text.split_whitespace().map(breadth));
            return words.max().unwrap_or(0).max(TILE_WORDS_MIN) + 2;
        }
        let codes = pieces.map(|piece| breadth(&self.code(piece)) + 1);
        codes.sum::<usize>().max(breadth(&space.label)) + 1
    }

    /// Returns what stands in a space, in lines of at most this width.
    pub(in crate::picture) fn inside(
        &self,
        space: &SceneSpace,
        board: &SceneBoard,
        wide: usize,
    ) -> Vec<String> {
        if board.form == Form::Tiles {
            return self.tile(space, wide);
        }
        let mut head = space.label.clone();
        // Where each lane has a color of its own, its name says enough.
        if let Some(color) = space.color.filter(|_| board.rows.is_empty()) {
            let long = format!("{head} {}", color.word);
            head = match breadth(&long) <= wide {
                true => long,
                false => format!("{head}{}", self.colors.get(color.word)),
            };
        }
        head.extend(space.symbol.map(|symbol| symbol.glyph));
        let mut lines = Vec::new();
        if !head.is_empty() {
            lines.push(self.ink(&head, space.color.map_or(Ink::Faint, Ink::Color)));
        }
        let codes: Vec<String> = space.pieces.iter().map(|piece| self.code(piece)).collect();
        if !codes.is_empty() {
            lines.extend(wrapped(&codes.join(" "), wide, ""));
        }
        lines
    }

    /// Returns the words of a tile in two lines, and below them who stands on it.
    pub(super) fn tile(&self, space: &SceneSpace, wide: usize) -> Vec<String> {
        let Some(tile) = space.pieces.first() else {
            let at = if space.is_target { &space.title } else { "" };
            return vec![String::new(), self.ink(at, Ink::Faint), String::new()];
        };
        let room = wide.saturating_sub(2);
        let new = if tile.is_new { "*" } else { "" };
        let text = format!("{}{new}", tile.text);
        let mut lines = wrapped(&text, room, "");
        let fits = lines.len() <= 2 && text.split(' ').all(|word| breadth(word) <= room);
        if !fits {
            let glyph = tile.symbol.map(|symbol| format!("{} ", symbol.glyph));
            let glyph = glyph.unwrap_or_default();
            lines = vec![format!("{glyph}{}{new}", tile.label)];
        }
        for line in &mut lines {
            *line = self.ink(line, ink_of(tile));
        }
        let standing: Vec<String> = tile.inside.iter().map(|piece| self.code(piece)).collect();
        lines.resize(lines.len().max(2), String::new());
        lines.push(standing.join(" "));
        lines
    }

    /// Lists the occupied spaces of a board that is too wide.
    fn listed_board(&self, board: &SceneBoard) -> Vec<String> {
        let occupied = board.spaces.iter().filter(|space| !space.pieces.is_empty());
        let spaces = occupied.map(|space| {
            let pieces = space.pieces.iter().map(|piece| self.listed(piece));
            let pieces: Vec<String> = pieces.collect();
            format!("{}: {}", space.title, pieces.join(" "))
        });
        let text = format!("{}: {}", board.title, spaces.collect::<Vec<_>>().join(", "));
        wrapped(&text, self.columns, "    ")
    }
}

/// Returns the row of a space or of a label.
pub(in crate::picture) fn row_of(board: &SceneBoard, y: f32) -> usize {
    match board.form {
        form if form.is_grid() => row_of_grid(board, y),
        _ => (y / board.step_of_rows()).round() as usize,
    }
}

/// Returns the row of a space of a grid: an empty row is between two boards of a board of boards.
fn row_of_grid(board: &SceneBoard, y: f32) -> usize {
    let mut above: Vec<f32> = Vec::new();
    for space in &board.spaces {
        if space.y < y - 0.1 && !above.contains(&space.y) {
            above.push(space.y);
        }
    }
    above.sort_by(f32::total_cmp);
    let below = above.iter().skip(1).chain(std::iter::once(&y));
    let gaps = above.iter().zip(below);
    let gaps = gaps.filter(|(one, next)| *next - *one > 1.1).count();
    above.len() + gaps
}

/// Returns the line with which each row begins, and that after the last row.
fn tops(board: &SceneBoard, contents: &[Vec<String>]) -> Vec<usize> {
    let least = if board.form == Form::Tiles { 3 } else { 1 };
    let rows = board.rows.iter().map(|(y, _)| row_of(board, *y) + 1);
    let spaces = board.spaces.iter().map(|space| row_of(board, space.y) + 1);
    let mut heights = vec![least; rows.chain(spaces).max().unwrap_or(0)];
    for (space, lines) in board.spaces.iter().zip(contents) {
        if let Some(height) = heights.get_mut(row_of(board, space.y)) {
            *height = lines.len().max(*height);
        }
    }
    let ends = heights.iter().scan(0, |line, height| {
        *line += height + 1;
        Some(*line)
    });
    std::iter::once(0).chain(ends).collect()
}

//! Draws a scene as short text, for language models and small screens: no frames, no empty zones, one line for each row of a
//! board. The words are those of [`super::plain`].

use wyrmgate_program::Form;

use super::plain::{Plain, row_of};
use super::scene::{Piece, SceneBoard, SceneSpace};

/// A space with nothing in it.
const NOTHING: &str = "·";
/// Where the sides of a tile lead, as its places are written.
const COMPASS: &str = "N: y − 1, E: x + 1";

impl Plain<'_> {
    pub(super) fn compact_board(&self, board: &SceneBoard) -> Vec<String> {
        match board.form {
            Form::Tiles => self.tiles(board),
            Form::Hexes | Form::Map => self.rows(board),
            form if form.is_grid() => self.rows(board),
            _ if !board.rows.is_empty() => self.rows(board),
            _ => vec![self.path(board)],
        }
    }

    /// Lists the tiles by what they say, with their places, their open sides, and what stands on them.
    fn tiles(&self, board: &SceneBoard) -> Vec<String> {
        let mut alike: Vec<(String, Vec<String>)> = Vec::new();
        for space in &board.spaces {
            let Some(tile) = space.pieces.first() else {
                continue;
            };
            let (words, place) = (self.words_of(tile), self.place(space, tile));
            match alike.iter_mut().find(|(known, _)| *known == words) {
                Some((_, places)) => places.push(place),
                None => alike.push((words, vec![place])),
            }
        }
        let lines = alike.iter();
        let lines = lines.map(|(words, places)| format!("{words}: {}", places.join("; ")));
        let title = format!("{} ({COMPASS})", board.title);
        std::iter::once(title).chain(lines).collect()
    }

    fn words_of(&self, tile: &Piece) -> String {
        match tile.is_hidden || tile.text.is_empty() {
            true => self.listed(tile),
            false => tile.text.clone(),
        }
    }

    fn place(&self, space: &SceneSpace, tile: &Piece) -> String {
        let sides = tile.sides();
        let place = format!("{} {}", space.title, self.letters(&sides));
        let mut place = place.trim_end().to_owned();
        if tile.is_new {
            place.push('*');
        }
        let others = space.pieces.iter().skip(1);
        for piece in tile.inside.iter().chain(others) {
            place.push_str(&format!(" +{}", self.code(piece)));
        }
        place
    }

    /// Writes each row of spaces as a line, with the labels of rows and columns.
    fn rows(&self, board: &SceneBoard) -> Vec<String> {
        let last = board.spaces.iter().map(|space| row_of(board, space.y));
        let last = last.max();
        let cells = |row: usize| {
            let spaces = board.spaces.iter();
            let spaces = spaces.filter(|space| row_of(board, space.y) == row);
            let mut spaces: Vec<&SceneSpace> = spaces.collect();
            spaces.sort_by(|one, other| one.x.total_cmp(&other.x));
            let cells = spaces.into_iter().map(|space| self.cell(space, board));
            cells.collect::<Vec<_>>()
        };
        let rows: Vec<Vec<String>> = (0..=last.unwrap_or(0)).map(cells).collect();
        let has_gaps = rows.iter().flatten().any(|cell| cell.contains(' '));
        let between = if has_gaps { " | " } else { " " };
        let mut lines = vec![board.title.clone()];
        for (row, cells) in rows.iter().enumerate() {
            let mut labels = board.rows.iter();
            let label = labels.find(|(y, _)| row_of(board, *y) == row);
            let label = label.map_or(String::new(), |(_, words)| format!("{words} "));
            lines.push(format!("{label}{}", cells.join(between)));
        }
        lines.extend(board.ways.iter().map(|way| self.way(way, board)));
        lines.extend(self.sides_of(board));
        if !board.columns.is_empty() {
            let labels = board.columns.iter().map(|(_, words)| words.as_str());
            let left = board.rows.iter().map(|(_, words)| words.chars().count());
            let indent = " ".repeat(left.max().map_or(0, |left| left + 1));
            lines.push(indent + &labels.collect::<Vec<_>>().join(" "));
        }
        lines
    }

    /// Writes a path as one line, from its beginning to its end.
    fn path(&self, board: &SceneBoard) -> String {
        let spaces = board.spaces.iter().map(|space| self.cell(space, board));
        let spaces: Vec<String> = spaces.collect();
        format!("{}: {}", board.title, spaces.join(" | "))
    }

    fn cell(&self, space: &SceneSpace, board: &SceneBoard) -> String {
        let parts = self.inside(space, board, usize::MAX).join(" ");
        match parts.as_str() {
            "" => NOTHING.to_owned(),
            _ => parts,
        }
    }
}

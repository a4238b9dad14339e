//! Draws a scene as short text, for language models and small screens: no frames, no empty zones, one line for each row of a
//! board. The words are those of [`super::plain`].

use wyrmgate_program::Form;

use super::plain::{Plain, row_of};
use super::scene::{Piece, SceneBoard, SceneSpace};

/// A space with nothing in it.
const NOTHING: &str = "·";
/// A path with more spaces is long.
const LONG: usize = 20;
/// Stands for spaces with nothing on them.
const LEFT_OUT: &str = "…";
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
        let places = board.spaces.iter().map(|space| row_of(board, space.y));
        let places: Vec<usize> = places.collect();
        let last = places.iter().max().copied();
        let cells = |row: usize| {
            let spaces = board.spaces.iter().zip(&places);
            let spaces = spaces.filter(|(_, place)| **place == row);
            let mut spaces: Vec<&SceneSpace> = spaces.map(|(space, _)| space).collect();
            spaces.sort_by(|one, other| one.x.total_cmp(&other.x));
            let cells = spaces.into_iter().map(|space| self.cell(space, board));
            cells.collect::<Vec<_>>()
        };
        let rows: Vec<Vec<String>> = (0..=last.unwrap_or(0)).map(cells).collect();
        let has_gaps = rows.iter().flatten().any(|cell| cell.contains(' '));
        // What is written on spaces stands beside pieces, as soon as there are any.
        let has_words = board.spaces.iter().any(|space| !space.label.is_empty());
        let between = if has_gaps || has_words { " | " } else { " " };
        let mut lines = vec![board.title.clone()];
        let labels = board.rows.iter();
        let labels: Vec<(usize, &String)> = labels
            .map(|(y, words)| (row_of(board, *y), words))
            .collect();
        for (row, cells) in rows.iter().enumerate() {
            let label = labels.iter().find(|(place, _)| *place == row);
            let label = label.map_or(String::new(), |(_, words)| format!("{words} "));
            lines.push(format!("{label}{}", cells.join(between)));
        }
        lines.extend(self.beside(board));
        if !board.columns.is_empty() {
            let labels = board.columns.iter().map(|(_, words)| words.as_str());
            let left = board.rows.iter().map(|(_, words)| words.chars().count());
            let indent = " ".repeat(left.max().map_or(0, |left| left + 1));
            lines.push(indent + &labels.collect::<Vec<_>>().join(" "));
        }
        lines
    }

    /// Writes a path as one line, from its beginning to its end. Of many numbered spaces, those between others with nothing on
    /// them are left out.
    fn path(&self, board: &SceneBoard) -> String {
        let last = board.spaces.len().saturating_sub(1);
        let place = |space: &SceneSpace| space.title.rsplit(' ').next().map(str::to_owned);
        let numbers = board.spaces.iter().enumerate();
        let mut numbers = numbers.map(|(at, space)| space.label.parse::<usize>() == Ok(at));
        let is_numbered = numbers.all(|is_number| is_number);
        let is_long = last >= LONG && is_numbered;
        let mut parts: Vec<String> = Vec::new();
        for (at, space) in board.spaces.iter().enumerate() {
            let has_sign = space.color.is_some() || space.symbol.is_some() || space.is_line;
            let is_end = at == 0 || at == last;
            let is_number = space
                .label
                .parse::<i64>()
                .is_ok_and(|label| label == at as i64);
            if is_long && is_number && !is_end && !has_sign && space.pieces.is_empty() {
                if parts.last().is_none_or(|part| part != LEFT_OUT) {
                    parts.push(LEFT_OUT.to_owned());
                }
                continue;
            }
            let place = place(space).filter(|place| place.parse::<i64>().is_ok() && !is_numbered);
            let place = place.map_or_else(String::new, |place| format!("{place}="));
            let line = if space.is_line { " ‖" } else { "" };
            parts.push(format!("{place}{}{line}", self.cell(space, board)));
        }
        format!("{}: {}", board.title, parts.join(" | "))
    }

    fn cell(&self, space: &SceneSpace, board: &SceneBoard) -> String {
        let parts = self.inside(space, board, usize::MAX).join(" ");
        let is_named = !board.columns.is_empty() || board.form.is_grid();
        let is_map = !is_named && matches!(board.form, Form::Map | Form::Hexes);
        // Nothing beside the board says which space this is.
        let name = match is_map && space.label.is_empty() {
            true => space.title.rsplit(' ').next().unwrap_or_default(),
            false => "",
        };
        match (name, parts.as_str()) {
            ("", "") => NOTHING.to_owned(),
            (name, "") => name.to_owned(),
            ("", parts) => parts.to_owned(),
            (name, parts) => format!("{name}={parts}"),
        }
    }
}

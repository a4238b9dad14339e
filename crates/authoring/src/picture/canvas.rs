//! A grid of characters on which pictures in text are drawn: letters with ink, and frames whose edges join.

use super::ink::{Ink, width};

const BLANK: Cell = Cell {
    letter: ' ',
    ink: Ink::Plain,
};

/// A character with the ink in which it is written.
#[derive(Debug, Clone, Copy)]
struct Cell {
    letter: char,
    ink: Ink,
}

/// A grid of characters.
pub(super) struct Canvas {
    rows: Vec<Vec<Cell>>,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Canvas {
        Canvas {
            rows: vec![vec![BLANK; width]; height],
        }
    }

    pub(super) fn put(&mut self, x: usize, y: usize, letter: char) {
        self.put_in(x, y, letter, Ink::Plain);
    }

    pub(super) fn put_in(&mut self, x: usize, y: usize, letter: char, ink: Ink) {
        if let Some(place) = self.rows.get_mut(y).and_then(|row| row.get_mut(x)) {
            *place = Cell { letter, ink };
        }
    }

    /// Writes a text, in the colors that its marks say.
    pub(super) fn write(&mut self, x: usize, y: usize, text: &str) {
        let mut at = x;
        let mut ink = Ink::Plain;
        for letter in text.chars() {
            if let Some(next) = Ink::marked(letter) {
                ink = next;
                continue;
            }
            self.put_in(at, y, letter, ink);
            at += width(letter).max(1);
        }
    }

    /// Draws a frame; edges that frames share join.
    pub(super) fn frame(&mut self, x: usize, y: usize, w: usize, h: usize, is_dashed: bool) {
        let (right, bottom) = (x + w, y + h);
        let (across, down) = match is_dashed {
            true => ('╌', '╎'),
            false => ('─', '│'),
        };
        for at in x + 1..right {
            self.edge(at, y, across);
            self.edge(at, bottom, across);
        }
        for at in y + 1..bottom {
            self.edge(x, at, down);
            self.edge(right, at, down);
        }
        for (at_x, at_y) in [(x, y), (right, y), (x, bottom), (right, bottom)] {
            self.put(at_x, at_y, '┼');
        }
    }

    /// Draws an edge where no arrow and no corner is.
    fn edge(&mut self, x: usize, y: usize, letter: char) {
        let known = self.rows.get(y).and_then(|row| row.get(x));
        if matches!(known.map(|cell| cell.letter), Some(' ' | '╌' | '╎')) {
            self.put(x, y, letter);
        }
    }

    /// Returns the lines, with corners that fit the edges around them.
    pub(super) fn lines(self) -> Vec<String> {
        let at = |x: Option<usize>, y: Option<usize>| {
            let row = y.and_then(|y| self.rows.get(y));
            x.and_then(|x| row?.get(x)).map_or(' ', |cell| cell.letter)
        };
        let is_across = |c: char| matches!(c, '─' | '╌' | '┼' | '▲' | '▼');
        let is_down = |c: char| matches!(c, '│' | '╎' | '┼' | '◀' | '▶');
        let corner = |x: usize, y: usize| {
            let left = is_across(at(x.checked_sub(1), Some(y)));
            let right = is_across(at(Some(x + 1), Some(y)));
            let up = is_down(at(Some(x), y.checked_sub(1)));
            let down = is_down(at(Some(x), Some(y + 1)));
            match (up, right, down, left) {
                (false, true, true, false) => '┌',
                (false, false, true, true) => '┐',
                (true, true, false, false) => '└',
                (true, false, false, true) => '┘',
                (true, true, true, false) => '├',
                (true, false, true, true) => '┤',
                (false, true, true, true) => '┬',
                (true, true, false, true) => '┴',
                _ => '┼',
            }
        };
        let rows = self.rows.iter().enumerate();
        let line = |(y, row): (usize, &Vec<Cell>)| {
            let mut line = String::new();
            let mut ink = Ink::Plain;
            for (x, cell) in row.iter().enumerate() {
                if cell.ink != ink {
                    line.extend(cell.ink.mark());
                    ink = cell.ink;
                }
                line.push(match cell.letter {
                    '┼' => corner(x, y),
                    letter => letter,
                });
            }
            if ink != Ink::Plain {
                line.extend(Ink::Plain.mark());
            }
            line
        };
        rows.map(line).collect()
    }
}

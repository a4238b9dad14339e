//! Draws a scene as text in Unicode, for terminals, readers without pictures, and language models.

mod board;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use wyrmgate_program::Form;

use super::ink::{self, Ink, InkSpan, breadth, width};
use super::palette::SWATCHES;
use super::scene::{Area, Counter, PictureBadge, Piece, Scene, ScenePlayer};
use super::wording::Labels;
use super::words::Words;
pub(super) use board::row_of;

const ARROWS: [char; 10] = ['▲', '▶', '▼', '◀', '↗', '▶', '↘', '↙', '◀', '↖'];
const SIDES: [char; 10] = ['N', 'E', 'S', 'W', '↗', '→', '↘', '↙', '←', '↖'];
/// The least and the largest width of a space.
const SPACE_MIN: usize = 3;
const SPACE_MAX: usize = 14;
const TILE_MAX: usize = 15;
/// Maximum number of labels that a legend explains. More would be longer than the boards.
const LEGEND_MAX: usize = 16;
/// The width at which a tile on a screen can be read.
const TILE_READABLE: usize = 8;

/// Draws a scene, in short text without blank lines, or with frames.
pub(super) fn draw(scene: &Scene, plain: &Plain<'_>) -> String {
    let gap = || (!plain.is_compact).then(String::new);
    let mut lines = plain.head(scene);
    for board in &scene.boards {
        lines.extend(gap());
        lines.extend(match plain.is_compact {
            true => plain.compact_board(board),
            false => plain.board(board).0,
        });
    }
    lines.extend(plain.legend(scene));
    if !scene.areas.is_empty() || !scene.counters.is_empty() {
        lines.extend(gap());
    }
    lines.extend(plain.counters(&scene.counters));
    lines.extend(plain.empty(&scene.areas));
    for area in &scene.areas {
        lines.extend(plain.area(area, ""));
    }
    for player in &scene.players {
        lines.extend(gap());
        lines.extend(plain.player(player));
    }
    let text = lines.iter().map(|line| line.trim_end());
    text.collect::<Vec<_>>().join("\n") + "\n"
}

/// Returns short words for the colors in a scene, different for different colors.
fn colors(scene: &Scene) -> Labels {
    let mut words: Vec<&'static str> = Vec::new();
    scene.each_piece(&mut |piece| words.extend(piece.color.map(|color| color.word)));
    let of_spaces = scene.spaces().filter_map(|space| space.color);
    words.extend(of_spaces.map(|color| color.word));
    Labels::letters_of(words)
}

pub(super) struct Plain<'s> {
    columns: usize,
    words: &'s Words,
    colors: Labels,
    /// The signs of the sides of a tile, clockwise from the north.
    sides: [char; 10],
    /// What the symbols beside titles mean: `♦ ruby`.
    signs: Vec<String>,
    /// Whether zones without components are left out.
    is_compact: bool,
    /// Whether marks say where colors begin and end.
    is_colored: bool,
}

impl<'s> Plain<'s> {
    /// Writes in few words and lines: each letter costs something, and nobody looks at frames.
    pub(super) fn compact(signs: Vec<String>, words: &'s Words) -> Plain<'s> {
        // The same in every position of a game, and in every game.
        static COLORS: LazyLock<Labels> =
            LazyLock::new(|| Labels::of(SWATCHES.iter().map(|color| color.word)));
        Plain {
            columns: usize::MAX,
            words,
            sides: SIDES,
            signs,
            colors: COLORS.clone(),
            is_compact: true,
            is_colored: false,
        }
    }

    /// Writes lines of at most this many columns, without color.
    pub(super) fn wide(scene: &Scene, columns: usize, words: &'s Words) -> Plain<'s> {
        Plain {
            columns,
            words,
            colors: colors(scene),
            sides: ARROWS,
            signs: Vec::new(),
            is_compact: false,
            is_colored: false,
        }
    }

    /// Marks a text with a color, where there is color.
    fn ink(&self, text: &str, ink: Ink) -> String {
        match self.is_colored && ink != Ink::Plain {
            true => ink.around(text),
            false => text.to_owned(),
        }
    }
}

/// The parts of a picture in characters, with color, for programs that arrange them on a screen.
pub struct Sheet<'s> {
    scene: &'s Scene,
    words: &'s Words,
}

/// Lines with color, and where things are in them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    pub lines: Vec<Vec<InkSpan>>,
    pub spots: Vec<Spot>,
}

/// Where something is in a panel, in columns and lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spot {
    /// The ids of the zone or cell and of what lies there.
    pub ids: Vec<String>,
    /// Whether something changed there last.
    pub is_new: bool,
    pub at: (usize, usize),
    pub size: (usize, usize),
}

impl<'s> Sheet<'s> {
    pub(super) fn of(scene: &'s Scene, words: &'s Words) -> Sheet<'s> {
        Sheet { scene, words }
    }

    fn plain(&self, columns: usize) -> Plain<'s> {
        Plain {
            is_colored: true,
            ..Plain::wide(self.scene, columns, self.words)
        }
    }

    /// Returns the title, the course and the status of the game.
    pub fn head(&self, columns: usize) -> Panel {
        Panel::of(&self.plain(columns).head(self.scene))
    }

    /// Returns the boards. A board of tiles can be wider than asked for: its tiles keep a size at which they can be read.
    pub fn boards(&self, columns: usize) -> Panel {
        let mut lines = Vec::new();
        let mut spots = Vec::new();
        for board in &self.scene.boards {
            let least = match board.form {
                Form::Tiles => board.width.ceil() as usize * TILE_READABLE + TILE_READABLE,
                _ => 0,
            };
            if !lines.is_empty() {
                lines.push(String::new());
            }
            let (drawn, places) = self.plain(columns.max(least)).board(board);
            let top = lines.len();
            spots.extend(places.into_iter().map(|spot| Spot {
                at: (spot.at.0, spot.at.1 + top),
                ..spot
            }));
            lines.extend(drawn);
        }
        lines.extend(self.plain(columns).legend(self.scene));
        Panel {
            spots,
            ..Panel::of(&lines)
        }
    }

    /// Returns the players with what is theirs, and the zones and counters that are nobody's.
    pub fn rest(&self, columns: usize) -> Panel {
        let plain = self.plain(columns);
        let mut lines: Vec<String> = Vec::new();
        for player in &self.scene.players {
            lines.extend(plain.player(player));
        }
        lines.extend(plain.counters(&self.scene.counters));
        for area in &self.scene.areas {
            lines.extend(plain.area(area, ""));
        }
        Panel::of(&lines)
    }
}

impl Panel {
    fn of(lines: &[String]) -> Panel {
        Panel {
            lines: ink::inked(lines),
            spots: Vec::new(),
        }
    }
}

impl Plain<'_> {
    pub(super) fn head(&self, scene: &Scene) -> Vec<String> {
        let mut first = self.ink(&scene.title, Ink::Strong);
        for part in &scene.course {
            first.push_str(" · ");
            first.push_str(part);
        }
        let mut status = scene.status.clone();
        if let Some(prompt) = &scene.prompt {
            status = format!("{status}: {}", self.ink(prompt, Ink::Strong));
        }
        let mut lines = wrapped(&first, self.columns, "  ");
        lines.extend(wrapped(&status, self.columns, "  "));
        lines
    }

    // ---- pieces

    /// Returns a piece in a few characters: different for pieces that differ.
    pub(super) fn code(&self, piece: &Piece) -> String {
        if piece.is_hidden {
            return self.ink("?", Ink::Faint);
        }
        let color = piece.color.map(|color| self.colors.get(color.word));
        let mut code = match (piece.symbol, color) {
            (Some(symbol), Some(color)) if !piece.is_mark => format!("{}{color}", symbol.glyph),
            (Some(symbol), _) => symbol.glyph.to_string(),
            (None, _) if !piece.big.is_empty() => piece.big.clone(),
            (None, _) => piece.label.clone(),
        };
        code.extend(piece.badges.iter().map(badge_text));
        if piece.is_new {
            code.push('*');
        }
        if piece.is_marked {
            code.push('!');
        }
        self.ink(&code, ink_of(piece))
    }

    /// Returns the signs of sides.
    pub(super) fn letters(&self, sides: &[u8]) -> String {
        let signs = sides.iter();
        let signs = signs.filter_map(|side| self.sides.get(usize::from(*side)));
        signs.collect()
    }

    /// Returns a piece in a list, by its whole title.
    pub(super) fn listed(&self, piece: &Piece) -> String {
        if piece.is_hidden {
            let symbol = piece.symbol.map(|symbol| symbol.glyph.to_string());
            let parts = symbol.into_iter().chain(piece.corners.iter().cloned());
            let text = parts.collect::<Vec<_>>().join(" ");
            let text = if text.is_empty() { &piece.text } else { &text };
            let lying = if piece.is_sideways { "↔" } else { "" };
            return format!("[?{lying}{}{text}]", if text.is_empty() { "" } else { " " });
        }
        let mut words = piece.title.clone();
        if words.is_empty() {
            words.clone_from(&piece.label);
        }
        let sides = piece.sides();
        if !sides.is_empty() {
            words.push(' ');
            words.push_str(&self.letters(&sides));
        }
        for corner in &piece.corners {
            words.push_str(&format!(" {corner}"));
        }
        words.extend(piece.badges.iter().map(badge_text));
        if let Some(held) = piece.held.filter(|_| piece.form != Form::Tile) {
            let top = piece.inside.last().map(|top| self.listed(top));
            words.push_str(&format!(" ×{held} {}", top.unwrap_or_default()));
        }
        if piece.is_new {
            words.push('*');
        }
        self.ink(&format!("[{}]", words.trim_end()), ink_of(piece))
    }

    // ---- zones and players

    pub(super) fn area(&self, area: &Area, indent: &str) -> Vec<String> {
        if self.is_compact && area.count == Some(0) {
            return Vec::new();
        }
        let count = area.count.map_or("?".to_owned(), |count| count.to_string());
        let mut text = format!("{indent}{} ({count})", area.title);
        let is_known = |piece: &&Piece| !piece.is_hidden || !piece.title.is_empty();
        let pieces = area.pieces.iter().filter(is_known);
        let pieces: Vec<String> = pieces.map(|piece| self.listed(piece)).collect();
        if !pieces.is_empty() {
            let is_top = self.is_compact && area.form == Form::Pile && area.count > Some(1);
            text.push_str(if is_top { ", top: " } else { ": " });
            text.push_str(&pieces.join(" "));
        }
        wrapped(&text, self.columns, &format!("{indent}    "))
    }

    /// Names the zones with nothing in them, which have no lines of their own.
    fn empty(&self, areas: &[Area]) -> Option<String> {
        let empty = areas.iter().filter(|area| area.count == Some(0));
        let titles: Vec<&str> = empty.map(|area| area.title.as_str()).collect();
        let is_told = self.is_compact && !titles.is_empty();
        is_told.then(|| format!("{} (0)", titles.join(", ")))
    }

    pub(super) fn counters(&self, counters: &[Counter]) -> Vec<String> {
        let words = counters.iter().map(counter_text);
        match counters.is_empty() {
            true => Vec::new(),
            false => wrapped(&words.collect::<Vec<_>>().join(" · "), self.columns, "  "),
        }
    }

    pub(super) fn player(&self, player: &ScenePlayer) -> Vec<String> {
        let mark = match (player.has_won, player.decides) {
            (true, _) => '♔',
            (_, true) => '▶',
            _ => ' ',
        };
        let symbol = player.symbol.map(|symbol| format!(" {}", symbol.glyph));
        let sign = symbol.unwrap_or_default();
        let color = player.color.map_or("", |color| color.word);
        let name = match self.is_compact {
            true => format!("{mark} {}{sign}", player.name),
            false => format!("{mark} {} {}{sign}", player.seat, player.name),
        };
        let mut head = self.ink(&name, player.color.map_or(Ink::Strong, Ink::Color));
        if player.is_viewer {
            head.push_str(&format!(" ({})", self.words.you));
        }
        if !color.is_empty() {
            head.push_str(&format!(" · {color}"));
        }
        if let Some(score) = player.score {
            head.push_str(&format!(" · {score} {}", self.words.points));
        }
        if let Some(clock) = &player.clock {
            head.push_str(&format!(" · {clock}"));
        }
        for counter in &player.counters {
            head.push_str(&format!(" · {}", counter_text(counter)));
        }
        let mut lines = wrapped(&head, self.columns, "    ");
        for area in &player.areas {
            lines.extend(self.area(area, "    "));
        }
        lines
    }

    /// Explains the short labels on the boards.
    pub(super) fn legend(&self, scene: &Scene) -> Vec<String> {
        let mut known: BTreeMap<String, &str> = BTreeMap::new();
        let pieces = scene.spaces().flat_map(|space| &space.pieces);
        for piece in pieces.flat_map(|piece| std::iter::once(piece).chain(&piece.inside)) {
            let is_other = piece.form == Form::Tile || piece.is_hidden || piece.is_mark;
            let has_words = !piece.label.is_empty() || self.is_compact && !piece.title.is_empty();
            let signs = |glyph: char| self.signs.iter().any(|sign| sign.starts_with(glyph));
            let is_explained = piece.symbol.is_some_and(|symbol| signs(symbol.glyph));
            let is_short = has_words && !is_other && !is_explained;
            let old = Piece {
                is_new: false,
                ..piece.clone()
            };
            let code = self.code(&old);
            if is_short && code != piece.title {
                known.entry(code).or_insert(&piece.title);
            }
        }
        if known.len() > LEGEND_MAX {
            known.clear();
        }
        let words = known.iter().map(|(code, title)| format!("{code} {title}"));
        let mut words: Vec<String> = words.collect();
        if self.is_compact {
            words.extend(self.signs.iter().cloned());
        }
        let begin = if self.is_compact { "Legend: " } else { "" };
        match words.is_empty() {
            true => Vec::new(),
            false => wrapped(&(begin.to_owned() + &words.join(" · ")), self.columns, "  "),
        }
    }
}

/// Returns the ink of a piece: its color, and without one, whether it just changed.
fn ink_of(piece: &Piece) -> Ink {
    match piece.color {
        Some(color) => Ink::Color(color),
        None if piece.is_new => Ink::Strong,
        None => Ink::Plain,
    }
}

fn badge_text(badge: &PictureBadge) -> String {
    format!("{}{}", badge.symbol.glyph, badge.number)
}

fn counter_text(counter: &Counter) -> String {
    let symbol = counter.symbol.map(|symbol| format!("{} ", symbol.glyph));
    let symbol = symbol.unwrap_or_default();
    let text = format!("{symbol}{} {}", counter.label, counter.value);
    text.trim_end().to_owned()
}

/// Wraps words; a word that is longer than a line stands alone and is broken.
fn wrapped(text: &str, columns: usize, indent: &str) -> Vec<String> {
    let start: String = text.chars().take_while(|c| *c == ' ').collect();
    let whole = start.clone() + &text.split_whitespace().collect::<Vec<_>>().join(" ");
    if columns == usize::MAX || breadth(&whole) <= columns {
        return vec![whole];
    }
    let mut lines: Vec<String> = Vec::new();
    let mut line = start;
    let mut is_empty = true;
    for word in text.split_whitespace() {
        if !is_empty && breadth(&line) + 1 + breadth(word) > columns {
            lines.push(std::mem::replace(&mut line, indent.to_owned()));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        is_empty = false;
        for letter in word.chars() {
            if breadth(&line) + width(letter) > columns {
                lines.push(std::mem::replace(&mut line, indent.to_owned()));
            }
            line.push(letter);
        }
    }
    lines.push(line);
    lines
}

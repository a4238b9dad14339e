//! Draws boards and tracks as SVG, from the layout of a program and a view.
//!
//! A picture shows only what its view contains, which is already redacted.

mod color;
mod place;
mod scene;
mod svg;

pub(crate) use svg::escaped;

use wyrmgate_program::{Language, Program};
use wyrmgate_view::ViewDoc;

/// A board with its spaces and tokens. Lengths are in units of a space.
#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    /// The name of the zone family.
    pub name: String,
    pub title: String,
    pub width: f32,
    pub height: f32,
    pub spaces: Vec<Space>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    /// The id of the zone or of the tile.
    pub id: String,
    pub x: f32,
    pub y: f32,
    pub label: String,
    /// The number of the space, if the rules number spaces differently. Otherwise empty.
    pub number: String,
    pub title: String,
    /// A CSS color, if the space has one.
    pub fill: Option<&'static str>,
    pub tokens: Vec<Token>,
}

/// A component on a space.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    pub id: String,
    pub title: String,
    /// One or two letters.
    pub mark: String,
    pub fill: &'static str,
    /// Whether letters on it are light.
    pub is_dark: bool,
}

/// Returns the boards of a game as a view shows them: grids, tracks, and tables with tiles.
pub fn boards(program: &Program, view: &ViewDoc, language: Language) -> Vec<Board> {
    let families = program.families.iter().enumerate();
    let boards = families.filter_map(|(id, _)| place::board(program, id, view, language));
    boards.filter(|board| !board.spaces.is_empty()).collect()
}

/// Draws a board as a self-contained SVG document.
pub fn svg(board: &Board) -> String {
    svg::draw(board)
}

/// Draws everything in a view as one SVG document: boards, and below them piles, rows and hands. Without a view, an
/// empty table.
pub fn table(program: &Program, view: Option<&ViewDoc>, language: Language) -> String {
    let boards = view.map(|view| boards(program, view, language));
    let title = program.texts.title.get(language);
    scene::draw(title, &boards.unwrap_or_default(), view)
}

//! Pictures of boards and tracks: from the layout of a program, and what a view shows of it, to SVG.
//!
//! A picture shows what its view shows and nothing more: what a viewer may not know has left the view already.

mod color;
mod place;
mod scene;
mod svg;

pub(crate) use svg::escaped;

use wyrmgate_program::{Language, Program};
use wyrmgate_view::ViewDoc;

/// One board: its spaces and what lies on them. Lengths are in units of a space.
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
    /// The name of the zone, or of the tile.
    pub id: String,
    pub x: f32,
    pub y: f32,
    pub label: String,
    /// A number that the rules give the space, if spaces differ in it; empty otherwise.
    pub number: String,
    pub title: String,
    /// A color of CSS, if the space has one.
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
    /// Letters on it are light.
    pub is_dark: bool,
}

/// The boards of a game as a view shows them: grids, tracks, and tables on which tiles lie.
pub fn boards(program: &Program, view: &ViewDoc, language: Language) -> Vec<Board> {
    let families = program.families.iter().enumerate();
    let boards = families.filter_map(|(id, _)| place::board(program, id, view, language));
    boards.filter(|board| !board.spaces.is_empty()).collect()
}

/// A board as an SVG document that needs nothing else.
pub fn svg(board: &Board) -> String {
    svg::draw(board)
}

/// All that a view shows as one SVG document: boards, and below them piles, rows and hands. Without a view, an empty
/// table.
pub fn table(program: &Program, view: Option<&ViewDoc>, language: Language) -> String {
    let boards = view.map(|view| boards(program, view, language));
    let title = program.texts.title.get(language);
    scene::draw(title, &boards.unwrap_or_default(), view)
}

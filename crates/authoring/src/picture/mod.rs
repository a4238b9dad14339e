//! Draws games: a view in the look that the rules describe, as SVG or as text.
//!
//! ```text
//! view + look ── build ──▶ Scene ── plan ──▶ PictureNode (shapes with places) ── markup ──▶ SVG
//!                            │                                                    └ pixels ──▶ PNG, GIF
//!                            ├────── plain ──▶ text in Unicode, with color for terminals (ink)
//!                            └────── compact ──▶ short text
//! ```
//!
//! A picture shows only what its view contains, which is already redacted.

mod answers;
mod build;
mod builder;
mod bundles;
mod canvas;
mod codes;
mod compact;
mod contents;
mod differences;
mod drawing;
mod facts;
#[cfg(feature = "png")]
mod film;
mod ink;
#[cfg(feature = "png")]
mod lettering;
mod markup;
mod midgame;
mod paint;
mod palette;
mod pieces;
#[cfg(feature = "png")]
mod pixels;
mod plain;
mod plan;
mod scene;
mod sight;
mod spaces;
mod styles;
mod symbols;
mod values;
mod wording;
pub mod words;

pub use answers::{ShownAnswer, answers};
pub use contents::{AlikeComponents, PrintedPage, contents, sheets};
pub use differences::differences;
pub use drawing::{Anchor, DrawnShape, Figure, PartRole, PictureNode, Rect};
pub use ink::{Ink, InkSpan};
pub use markup::escaped;
pub use midgame::Midgame;
pub use palette::{Color, PictureTheme, Rgb, Swatch};
pub use plain::{Panel, Sheet, Spot};
pub use scene::{Area, Piece, Scene, SceneBoard, SceneSpace};
pub use wording::width as width_of;
#[cfg(feature = "png")]
pub use {film::gif, pixels::png};

use markup::Document;
use plain::Plain;
pub use sight::{Decision, PicturedChoice, Sight, is_cell};
use wyrmgate_program::{Language, Program};
use wyrmgate_view::ViewDoc;

/// The width of a picture, unless someone asks for another one, and its limits.
pub const WIDTH: u16 = 1280;
pub const WIDTH_MIN: u16 = 320;
pub const WIDTH_MAX: u16 = 4096;
/// Outside these widths, the picture keeps its layout and is scaled.
const LAYOUT_MIN: f32 = 460.0;
const LAYOUT_MAX: f32 = 1600.0;

/// The columns of a picture in text.
pub const COLUMNS: u16 = 100;
pub const COLUMNS_MIN: u16 = 40;
pub const COLUMNS_MAX: u16 = 400;

/// How a picture is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawingOptions<'d> {
    /// The width in pixels.
    pub size: u16,
    pub theme: PictureTheme,
    /// Draws only this zone or this board.
    pub focus: Option<&'d str>,
}

impl Default for DrawingOptions<'_> {
    fn default() -> Self {
        DrawingOptions {
            size: WIDTH,
            theme: PictureTheme::default(),
            focus: None,
        }
    }
}

/// Returns what a picture shows.
pub fn scene(sight: &Sight<'_>) -> Scene {
    build::scene(sight)
}

/// Returns the layout of a picture. `None` if it has no such zone.
pub fn layout(sight: &Sight<'_>, drawing: DrawingOptions<'_>) -> Option<PictureNode> {
    let scene = build::scene(sight);
    let words = words_of(sight);
    let wide = f32::from(drawing.size).clamp(LAYOUT_MIN, LAYOUT_MAX);
    let Some(focus) = drawing.focus else {
        return Some(plan::plan(&scene, wide, words));
    };
    let has_space = |board: &SceneBoard| board.spaces.iter().any(|space| space.id == focus);
    let mut boards = scene.boards.iter();
    if let Some(board) = boards.find(|board| board.id == focus || has_space(board)) {
        return Some(plan::plan_board(board, wide, words));
    }
    let area = scene.all_areas().find(|area| area.id == focus)?;
    Some(plan::plan_area(area, wide, words))
}

/// Draws a picture as a self-contained SVG document. `None` if it has no such zone.
pub fn svg(sight: &Sight<'_>, drawing: DrawingOptions<'_>) -> Option<String> {
    let root = layout(sight, drawing)?;
    let title = sight.program.prose.texts.title.get(sight.language);
    let document = Document::of(title, drawing.theme);
    Some(document.svg(&root, f32::from(drawing.size)))
}

/// Draws a picture as text, at most this many columns wide.
pub fn text(sight: &Sight<'_>, columns: u16) -> String {
    let columns = columns.clamp(COLUMNS_MIN, COLUMNS_MAX);
    let scene = build::scene(sight);
    let plain = Plain::wide(&scene, usize::from(columns), words_of(sight));
    plain::draw(&scene, &plain)
}

/// Returns the parts of a picture in characters, with color.
pub fn sheet<'s>(scene: &'s Scene, sight: &Sight<'_>) -> Sheet<'s> {
    Sheet::of(scene, words_of(sight))
}

/// Describes a view in short text: what [`text`] draws, without frames and without zones that are empty, and what components
/// say that no picture shows.
pub fn brief(sight: &Sight<'_>) -> String {
    let builder = builder::PictureBuilder::of(sight);
    let mut scene = builder.unlabeled();
    codes::fix(&builder, &mut scene);
    let signs = codes::signs(&builder, &scene);
    let text = plain::draw(&scene, &Plain::compact(signs, words_of(sight)));
    match facts::facts(&builder).join(" · ") {
        facts if facts.is_empty() => text,
        facts => format!("{text}{facts}\n"),
    }
}

/// Returns the boards of a view as pictures, with their titles.
pub fn boards(
    program: &Program,
    view: &ViewDoc,
    language: Language,
    theme: PictureTheme,
) -> Vec<(String, String)> {
    let sight = Sight::of(program, view, language);
    let scene = build::scene(&sight);
    let draw = |board: &SceneBoard| {
        let root = plan::plan_board(board, BOARD_WIDTH, words_of(&sight));
        let document = Document::of(&board.title, theme);
        (board.title.clone(), document.svg(&root, root.at.w))
    };
    scene.boards.iter().map(draw).collect()
}

/// The width of a board in a rulebook.
const BOARD_WIDTH: f32 = 900.0;

fn words_of(sight: &Sight<'_>) -> &'static words::Words {
    words::of(sight.program.language_tag(sight.language))
}

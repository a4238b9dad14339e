//! The contents of the box: every component as a picture, for rulebooks, and sheets of them to cut out.

use wyrmgate_engine::Viewer;
use wyrmgate_program::{Form, Language, Program};
use wyrmgate_view::view;

use super::drawing::{PictureNode, Rect};
use super::markup::Document;
use super::midgame::Midgame;
use super::paint::{Painter, size_of};
use super::palette::{COLORS, Color, PictureTheme, Rgb};
use super::pieces::FACE_DOWN;
use super::scene::Piece;
use super::sight::Sight;
use super::{build, plan};

/// The contents of the box are public, and the state is that of no game.
#[expect(
    clippy::disallowed_methods,
    reason = "the list of components is public, and nobody plays"
)]
const BOX: Viewer = Viewer::omniscient();

/// Components that look the same.
#[derive(Debug, Clone, PartialEq)]
pub struct AlikeComponents {
    /// The name of their kind in the rules.
    pub kind: String,
    pub count: usize,
    piece: Piece,
    /// The print on the other side. `None`: nothing.
    back: Option<Piece>,
}

/// A page to print, with a picture of this size in millimeters.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedPage {
    pub title: String,
    pub svg: String,
}

/// A page of paper without its margins, in millimeters, and the units of a picture in one of them.
const PAPER: (f32, f32) = (198.0, 285.0);
const UNIT: f32 = 200.0 / 63.0;
/// The width of a card, of a tile and of everything smaller, in units; a card is as large as most.
const CARD: f32 = 200.0;
const TILE: f32 = 118.0;
const SMALL: f32 = 110.0;
/// The distance of components on a sheet.
const GAP: f32 = 6.0;
/// The width of a card in a rulebook.
const IN_TEXT: f32 = 84.0;
/// The width of a board, before it is fitted to the paper.
const BOARD: f32 = 1000.0;
const WHITE: Color = Color {
    light: Rgb(255, 255, 255),
    dark: Rgb(255, 255, 255),
};

/// Returns the components, in the order in which they lie on the table, each look once. Empty if no game can begin.
pub fn contents(program: &Program, language: Language) -> Vec<AlikeComponents> {
    let Ok(game) = Midgame::of(program, 0) else {
        return Vec::new();
    };
    let view = view(program, &game.state, BOX.reading(language));
    let mut all: Vec<AlikeComponents> = Vec::new();
    let mut add = |piece: &Piece, back: Option<&Piece>| {
        let component = program.component_called(&piece.id).map(i32::from);
        let kind = component.and_then(|component| program.kind_of(component));
        // A stack of cards is where its cards lie, and no component that one could cut out.
        let is_stack = piece.form == Form::Card && piece.held.is_some();
        let Some(kind) = kind.filter(|_| !piece.is_mark && !piece.is_hidden && !is_stack) else {
            return;
        };
        let mut look = Piece {
            id: String::new(),
            is_new: false,
            inside: Vec::new(),
            held: None,
            choices: Vec::new(),
            ..piece.clone()
        };
        look.corners.retain(|words| words != FACE_DOWN);
        if look.form == Form::Card && look.small.is_empty() {
            kind.text.get(language).clone_into(&mut look.small);
        }
        let back = back.cloned();
        let is_like = |alike: &&mut AlikeComponents| alike.piece == look && alike.back == back;
        match all.iter_mut().find(is_like) {
            Some(alike) => alike.count += 1,
            None => all.push(AlikeComponents {
                kind: kind.name.clone(),
                count: 1,
                piece: look,
                back,
            }),
        }
    };
    for (piece, back) in build::every_piece(&Sight::of(program, &view, language)) {
        add(&piece, back.as_ref());
        for inner in &piece.inside {
            inner.each(&mut |piece| add(piece, None));
        }
    }
    all
}

impl AlikeComponents {
    /// Draws one of them, in the size for a text.
    pub fn svg(&self, theme: PictureTheme) -> String {
        let node = drawn(&self.piece, IN_TEXT);
        let document = Document {
            title: &self.piece.title,
            ground: COLORS.panel,
            theme,
        };
        document.svg(&node, node.at.w)
    }
}

fn drawn(piece: &Piece, card: f32) -> PictureNode {
    let (w, h) = size_of(piece, card);
    let edge = 2.0;
    let inner = Painter.piece(piece, Rect::new(edge, edge, w, h));
    PictureNode {
        at: Rect::new(0.0, 0.0, w + 2.0 * edge, h + 2.0 * edge),
        inner: vec![inner],
        ..PictureNode::default()
    }
}

/// Returns pages with the boards and with every component as often as it is in the box, to print and cut out. A page of
/// components with something on their backs is followed by a page of these. Dice are left out: real ones roll better.
pub fn sheets(program: &Program, language: Language) -> Vec<PrintedPage> {
    let mut pages = boards(program, language);
    let mut pieces: Vec<AlikeComponents> = contents(program, language);
    pieces.retain(|alike| alike.piece.form != Form::Die);
    // Cards fill a page best among cards.
    pieces.sort_by_key(|alike| match alike.piece.form {
        Form::Card => 0,
        Form::Tile => 1,
        _ => 2,
    });
    let nodes = pieces.iter().flat_map(|alike| {
        let card = match alike.piece.form {
            Form::Card => CARD,
            Form::Tile => TILE,
            _ => SMALL,
        };
        let back = alike.back.as_ref().map(|back| drawn(back, card));
        std::iter::repeat_n((drawn(&alike.piece, card), back), alike.count)
    });
    for (fronts, backs) in filled(nodes) {
        let title = program.prose.texts.title.get(language);
        for page in std::iter::once(fronts).chain(backs) {
            pages.push(PrintedPage {
                title: format!("{title} {}", pages.len() + 1),
                svg: on_paper(title).svg_in_millimeters(&page, PAPER.0, PAPER.1),
            });
        }
    }
    pages
}

fn on_paper(title: &str) -> Document<'_> {
    Document {
        title,
        ground: WHITE,
        theme: PictureTheme::Light,
    }
}

fn boards(program: &Program, language: Language) -> Vec<PrintedPage> {
    let Ok(game) = Midgame::of(program, 0) else {
        return Vec::new();
    };
    let view = view(program, &game.state, Viewer::Public.reading(language));
    let sight = Sight::of(program, &view, language);
    let mut scene = build::scene(&sight);
    let words = super::words_of(&sight);
    let page = |board: &mut super::SceneBoard| {
        for space in &mut board.spaces {
            space.pieces.retain(|piece| piece.is_mark);
        }
        let node = plan::plan_board(board, BOARD, words);
        let wide = PAPER.0.min(PAPER.1 * node.at.w / node.at.h.max(1.0));
        let size = (wide, wide * node.at.h / node.at.w.max(1.0));
        PrintedPage {
            title: board.title.clone(),
            svg: on_paper(&board.title).svg_in_millimeters(&node, size.0, size.1),
        }
    };
    // A grid without borders has no board: its tiles make it.
    let boards = scene.boards.iter_mut();
    let boards = boards.filter(|board| board.form != Form::Tiles);
    boards.map(page).collect()
}

/// A page of parts, and the other side of the paper if anything is on it.
type Leaf = (PictureNode, Option<PictureNode>);

/// Fills pages with parts, row by row. The back of a part lies behind its front if the paper is turned about its long
/// edge.
fn filled(parts: impl Iterator<Item = Leaf>) -> Vec<Leaf> {
    let (wide, high) = (PAPER.0 * UNIT, PAPER.1 * UNIT);
    let empty = || PictureNode {
        at: Rect::new(0.0, 0.0, wide, high),
        ..PictureNode::default()
    };
    let mut pages = Vec::new();
    let mut page: Leaf = (empty(), None);
    let (mut x, mut y, mut row) = (0.0_f32, 0.0_f32, 0.0_f32);
    for (part, back) in parts {
        let (w, h) = (part.at.w, part.at.h);
        if x > 0.0 && x + w > wide {
            (x, y, row) = (0.0, y + row + GAP, 0.0);
        }
        if y + h > high && !page.0.inner.is_empty() {
            pages.push(std::mem::replace(&mut page, (empty(), None)));
            (x, y, row) = (0.0, 0.0, 0.0);
        }
        page.0.inner.push(part.moved(x, y));
        if let Some(back) = back {
            let backs = page.1.get_or_insert_with(empty);
            let left = wide - x - back.at.w;
            backs.inner.push(back.moved(left, y));
        }
        x += w + GAP;
        row = row.max(h);
    }
    if !page.0.inner.is_empty() {
        pages.push(page);
    }
    pages
}

//! The content of a picture, without places and sizes: the model that all renderers draw.
//!
//! A scene contains only what its viewer may know, because it is built from the view that every client receives.

use wyrmgate_program::Form;

use super::palette::Swatch;
use super::symbols::DrawnSymbol;

/// Everything in a picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    pub title: String,
    /// `Round 2`, `Turn 5`, the phase.
    pub course: Vec<String>,
    /// Who decides, or how the game ended.
    pub status: String,
    /// The question that the viewer answers.
    pub prompt: Option<String>,
    pub players: Vec<ScenePlayer>,
    pub boards: Vec<SceneBoard>,
    /// Zones that belong to nobody.
    pub areas: Vec<Area>,
    pub counters: Vec<Counter>,
    /// Choices that refer to nothing in the picture.
    pub choices: Vec<Pick>,
    /// The number of choices that are not listed.
    pub more_choices: u64,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScenePlayer {
    /// From 1.
    pub seat: u32,
    pub name: String,
    pub color: Option<&'static Swatch>,
    pub symbol: Option<&'static DrawnSymbol>,
    /// The sign on its stones that stands for its number.
    pub sign: Option<SeatSign>,
    pub is_viewer: bool,
    pub is_active: bool,
    /// Whether the player owes a decision.
    pub decides: bool,
    pub has_won: bool,
    pub score: Option<i32>,
    pub clock: Option<String>,
    pub counters: Vec<Counter>,
    pub areas: Vec<Area>,
    /// The choices that name the player.
    pub choices: Vec<String>,
}

/// A number or a word with its name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counter {
    pub id: String,
    pub label: String,
    /// Empty for a mark that is there or not.
    pub value: String,
    pub symbol: Option<&'static DrawnSymbol>,
    /// What is drawn in place of the value.
    pub badges: Vec<PictureBadge>,
}

/// A symbol with a number, which may be empty.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureBadge {
    pub symbol: &'static DrawnSymbol,
    pub number: String,
    pub color: Option<&'static Swatch>,
}

/// A zone that is not a space of a board.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Area {
    pub id: String,
    pub title: String,
    pub form: Form,
    /// The number of components. `None` if even that is secret.
    pub count: Option<i32>,
    /// The components that the viewer can tell apart, first to last.
    pub pieces: Vec<Piece>,
    pub is_new: bool,
    pub choices: Vec<String>,
    /// The board next to which it lies.
    pub beside: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct SceneBoard {
    /// The name of the zone family, and the keys that its spaces share.
    pub id: String,
    pub title: String,
    /// The seat in whose box it is drawn.
    pub owner: Option<u32>,
    pub form: Form,
    /// Whether the cells of a table of tiles are hexagons.
    pub is_of_hexagons: bool,
    /// The size in spaces.
    pub width: f32,
    pub height: f32,
    pub spaces: Vec<SceneSpace>,
    /// Labels along the lower edge and along the left edge, with their place.
    pub columns: Vec<(f32, String)>,
    pub rows: Vec<(f32, String)>,
    /// The spaces that a line joins.
    pub joins: Vec<(usize, usize)>,
    /// Spaces that lie between two others.
    pub ways: Vec<RoadSpace>,
    /// The columns and rows that are narrow, by their places.
    pub narrow: (Vec<usize>, Vec<usize>),
    /// The sides with a color, north first and clockwise.
    pub sides: Vec<(u8, &'static Swatch)>,
    /// The last move, from space to space.
    pub move_arrow: Option<(usize, usize)>,
}

/// A space on a line between two places, such as a road with its length, its color and its owner; or at one place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RoadSpace {
    pub ends: [(f32, f32); 2],
    /// Whether it is a corner or a side of spaces, which is drawn only if something is there.
    pub is_edge: bool,
    pub space: SceneSpace,
}

impl RoadSpace {
    /// Returns whether there is something to see: a word, a piece, a choice.
    pub fn is_seen(&self) -> bool {
        let SceneSpace {
            pieces,
            choices,
            is_new,
            ..
        } = &self.space;
        !self.is_edge || *is_new || !pieces.is_empty() || !choices.is_empty()
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct SceneSpace {
    /// The id of the zone; empty for a cell and for a numbered space.
    pub id: String,
    pub title: String,
    /// The upper left corner, in spaces.
    pub x: f32,
    pub y: f32,
    pub label: String,
    pub color: Option<&'static Swatch>,
    pub symbol: Option<&'static DrawnSymbol>,
    pub is_special: bool,
    /// Another space lies at the same place, and only what lies on this one is drawn.
    pub is_over: bool,
    /// The side to which it tapers off, 0 to 3, clockwise from the north. `None`: it has the shape of its board.
    pub tip: Option<u8>,
    /// Whether a line crosses the track behind it.
    pub is_line: bool,
    /// Whether nothing lies here: a place where something can be put.
    pub is_target: bool,
    pub is_new: bool,
    pub pieces: Vec<Piece>,
    pub choices: Vec<String>,
}

/// A quiet sign of a seat, where its color is known and tells it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeatSign {
    /// Light and dark are enough.
    Plain,
    Ring,
    Dot,
}

/// A component, or a mark that a variable makes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Piece {
    /// Empty for a component that the viewer cannot identify.
    pub id: String,
    pub title: String,
    pub form: Form,
    pub color: Option<&'static Swatch>,
    pub symbol: Option<&'static DrawnSymbol>,
    /// A word or two; different for pieces with different titles.
    pub label: String,
    pub text: String,
    pub big: String,
    pub small: String,
    pub corners: Vec<String>,
    pub badges: Vec<PictureBadge>,
    /// Sides with an arrow after rotation: 0 to 3, clockwise from the north.
    pub arrows: Vec<u8>,
    /// Sides to which a way leads from the middle, likewise.
    pub edges: Vec<(u8, &'static Swatch)>,
    /// The sign that stands for the number of its seat.
    pub sign: Option<SeatSign>,
    pub is_sideways: bool,
    pub is_hidden: bool,
    pub is_new: bool,
    /// Whether a query that the game shows lists it.
    pub is_marked: bool,
    /// Whether it is a mark of a variable.
    pub is_mark: bool,
    pub inside: Vec<Piece>,
    /// The number of components inside, if it holds any.
    pub held: Option<i32>,
    pub choices: Vec<String>,
}

/// A choice: its id and its words.
#[derive(Debug, Clone, PartialEq)]
pub struct Pick {
    pub id: String,
    pub label: String,
}

/// The distance of rows of hexagons, in spaces.
pub(super) const ROW_OF_HEXES: f32 = 0.866;
/// The width of a narrow column or row, in spaces.
const NARROW: f32 = 0.36;

impl SceneBoard {
    /// Returns where a place along the columns begins, in spaces, and how wide it is.
    pub(super) fn across(&self, x: f32) -> (f32, f32) {
        measured(&self.narrow.0, x)
    }

    /// Returns the distance of the rows.
    pub(super) fn step_of_rows(&self) -> f32 {
        match self.form == Form::Hexes || self.is_of_hexagons {
            true => ROW_OF_HEXES,
            false => 1.0,
        }
    }

    /// Returns where a place along the rows begins, in spaces, and how high it is.
    pub(super) fn down(&self, y: f32) -> (f32, f32) {
        measured(&self.narrow.1, y)
    }

    /// Returns the size of all spaces together, in spaces of full size.
    pub(super) fn extent(&self) -> (f32, f32) {
        (self.across(self.width).0, self.down(self.height).0)
    }
}

fn measured(narrow: &[usize], at: f32) -> (f32, f32) {
    let before = narrow.iter().filter(|place| (**place as f32) < at);
    let begin = at - before.count() as f32 * (1.0 - NARROW);
    let is_narrow = narrow.iter().any(|place| *place as f32 == at);
    (begin, if is_narrow { NARROW } else { 1.0 })
}

impl Scene {
    /// Returns all zones that are not spaces, those of the players last.
    pub fn all_areas(&self) -> impl Iterator<Item = &Area> {
        let own = self.players.iter().flat_map(|player| &player.areas);
        self.areas.iter().chain(own)
    }

    /// Returns the boards that belong to nobody.
    pub fn open_boards(&self) -> impl Iterator<Item = &SceneBoard> + Clone {
        self.boards.iter().filter(|board| board.owner.is_none())
    }

    /// Returns the spaces of all boards.
    pub fn spaces(&self) -> impl Iterator<Item = &SceneSpace> {
        self.boards.iter().flat_map(|board| {
            let ways = board.ways.iter().map(|way| &way.space);
            board.spaces.iter().chain(ways)
        })
    }

    pub fn spaces_mut(&mut self) -> impl Iterator<Item = &mut SceneSpace> {
        let all = self.boards.iter_mut();
        all.flat_map(|board| {
            let ways = board.ways.iter_mut().map(|way| &mut way.space);
            board.spaces.iter_mut().chain(ways)
        })
    }

    /// Calls a function for each piece, also for those inside others.
    pub fn each_piece<'s>(&'s self, visit: &mut dyn FnMut(&'s Piece)) {
        let in_areas = self.all_areas().flat_map(|area| &area.pieces);
        let on_boards = self.spaces().flat_map(|space| &space.pieces);
        for piece in in_areas.chain(on_boards) {
            piece.each(visit);
        }
    }

    /// Changes each piece, also those inside others.
    pub fn each_piece_mut(&mut self, change: &mut dyn FnMut(&mut Piece)) {
        let areas = self.areas.iter_mut();
        let areas = areas.chain(self.players.iter_mut().flat_map(|player| &mut player.areas));
        let in_areas = areas.flat_map(|area| &mut area.pieces);
        in_areas.for_each(|piece| piece.each_mut(change));
        let on_boards = self.spaces_mut().flat_map(|space| &mut space.pieces);
        on_boards.for_each(|piece| piece.each_mut(change));
    }
}

impl Piece {
    /// Returns a component of which nothing is known.
    pub(super) fn unseen(form: Form) -> Piece {
        Piece {
            form,
            is_hidden: true,
            ..Piece::default()
        }
    }

    /// Returns the sides with an arrow or a way.
    pub(super) fn sides(&self) -> Vec<u8> {
        let edges = self.edges.iter().map(|(side, _)| *side);
        let mut sides: Vec<u8> = self.arrows.iter().copied().chain(edges).collect();
        sides.sort_unstable();
        sides.dedup();
        sides
    }

    pub(super) fn each<'s>(&'s self, visit: &mut dyn FnMut(&'s Piece)) {
        visit(self);
        for inner in &self.inside {
            inner.each(visit);
        }
    }

    fn each_mut(&mut self, change: &mut dyn FnMut(&mut Piece)) {
        change(self);
        for inner in &mut self.inside {
            inner.each_mut(change);
        }
    }
}

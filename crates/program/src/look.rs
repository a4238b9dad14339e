//! The appearance of a game: what the rules say about its zones, components, variables and values. Only pictures read
//! it; it changes nothing in play.

use std::collections::BTreeMap;

use super::{Type, ZoneId};

/// The looks of a game. Everything without an entry has a default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameLooks {
    /// By the name of a zone family, a kind or a variable.
    pub things: BTreeMap<String, LookStyle>,
    /// By the name of a type and of its value.
    pub values: BTreeMap<(String, String), ValueStyle>,
    /// The queries that have a look, with the type of their parameter if they have one. Only games that hide nothing have any.
    pub queries: Vec<(String, Option<Type>)>,
}

/// The color and the symbol of a value: words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValueStyle {
    pub color: Option<String>,
    pub symbol: Option<String>,
}

/// The appearance of one thing. Texts are names of fields, unless they say otherwise.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LookStyle {
    pub form: Option<Form>,
    pub color: Option<Sign>,
    pub symbol: Option<Sign>,
    pub text: Option<String>,
    pub big: Option<String>,
    pub small: Option<String>,
    pub corners: Vec<String>,
    /// A field, and the word of a symbol.
    pub badges: Vec<(String, String)>,
    pub arrows: Option<String>,
    pub sideways: Option<String>,
    pub back: Option<Box<LookStyle>>,
    pub label: Option<String>,
    pub shade: Option<String>,
    pub lane: Option<String>,
    pub map: MapStyle,
    /// Of components: short words in place of values of what is written large.
    pub short: Vec<(String, String)>,
    /// Of tiles: the field with the sides to which a way leads, and the word for its color.
    pub edges: Vec<(String, String)>,
    /// Of a zone: the fields by which its components are sorted, and the one whose sum is shown.
    pub sort: Vec<String>,
    pub total: Option<String>,
    /// Of a board: each side, north first and clockwise, with the word for its color or the number of its seat.
    pub sides: Vec<(u8, String)>,
    /// Of a grid: rows and columns in which this field is nowhere true are narrow.
    pub wide: Option<String>,
    /// A zone family.
    pub beside: Option<String>,
    /// A zone family.
    pub on: Option<String>,
    pub at: Option<String>,
    pub numbered: Option<NumberedTrack>,
}

/// The places of the spaces of a map, or of the ways between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MapStyle {
    /// How far to the right and how far down each space lies, and which spaces a line joins.
    pub across: Option<String>,
    pub down: Option<String>,
    /// The side to which each space tapers off.
    pub tip: Option<String>,
    pub joins: Vec<(ZoneId, ZoneId)>,
    /// Of ways: the fields with the two spaces that each of them joins.
    pub between: Option<(String, String)>,
    /// Of corners, sides and ways that join zones: the end or the two ends of each of them.
    pub ends: Vec<Vec<MapPlace>>,
}

/// A space, or a place beside it, in sixths of the distance to the next space along both coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapPlace {
    pub zone: ZoneId,
    pub across: i32,
    pub ahead: i32,
}

/// The source of a color or a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sign {
    Word(String),
    Field(String),
    /// A word for each value of the thing, or for each of its kinds.
    ByValue(Vec<(String, String)>),
}

/// A track whose spaces are numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedTrack {
    pub from: i32,
    pub to: i32,
    /// The space behind which a line crosses the track.
    pub line: Option<i32>,
    /// A space, and the word of the symbol on it.
    pub marks: Vec<(i32, String)>,
}

macro_rules! forms {
    ($($(#[$usual:meta])? $form:ident $word:literal)*) => {
        /// The form of a zone, a component or a variable.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub enum Form {
            $($(#[$usual])? $form),*
        }

        impl Form {
            /// Returns the form that a word of the rules means.
            pub fn named(word: &str) -> Option<Form> {
                match word {
                    $($word => Some(Form::$form),)*
                    _ => None,
                }
            }
        }
    };
}

forms! {
    Grid "grid"
    Squares "squares"
    Holes "holes"
    Crossings "crossings"
    Hexes "hexes"
    Track "track"
    Circle "circle"
    Map "map"
    Tiles "tiles"
    Ways "ways"
    Trick "trick"
    Row "row"
    Fan "fan"
    Pile "pile"
    Tray "tray"
    Card "card"
    Tile "tile"
    #[default]
    Token "token"
    Pawn "pawn"
    Die "die"
    Disc "disc"
    Marks "marks"
    Stones "stones"
    Dice "dice"
    Counter "counter"
    Badge "badge"
    Hidden "hidden"
}

impl Form {
    /// Returns whether zones can have this form.
    pub fn is_of_zones(self) -> bool {
        !self.is_of_components() && !self.is_of_variables() || self == Form::Hidden
    }

    /// Returns whether spaces lie in columns and rows that are no hexagons.
    pub fn is_grid(self) -> bool {
        matches!(
            self,
            Form::Grid | Form::Squares | Form::Holes | Form::Crossings
        )
    }

    /// Returns whether components can have this form.
    pub fn is_of_components(self) -> bool {
        matches!(
            self,
            Form::Card
                | Form::Tile
                | Form::Token
                | Form::Pawn
                | Form::Die
                | Form::Disc
                | Form::Hidden
        )
    }

    /// Returns whether variables can have this form.
    pub fn is_of_variables(self) -> bool {
        matches!(
            self,
            Form::Marks | Form::Stones | Form::Dice | Form::Counter | Form::Badge | Form::Hidden
        )
    }
}

//! Describes the possible contents of a file: the vocabulary for the tables of keys.
//!
//! The reader uses these tables ([`super::keys`]), and so do the JSON Schema, completion, hover and the formatter.

/// The possible contents of a key or a list member.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// `small_letters`
    Name,
    /// A name, or that of a part: `bid.amount`
    Path,
    /// The name of something that the game has.
    NameOf(Referent),
    /// `cliff-race`
    GameName,
    /// `es`, `pt-BR`
    Language,
    /// `ABC-01`
    Clause,
    /// Words for people.
    Text,
    /// A whole number from 0.
    Number,
    /// `true` or `false`
    Truth,
    /// The name of a file in the same folder.
    File,
    /// A range of numbers with two literal ends: `0..5`, `12..36 by 2`
    Range,
    /// An expression, a list of them, or `{if: …, then: …, else: …}`
    Value,
    /// Effect text.
    Effect,
    /// One condition or a list of them.
    Conditions,
    /// A part of a view, an event or a choice.
    Json,
    /// One of these words.
    Word(&'static [&'static str]),
    List(&'static Shape),
    /// One of several shapes, the most common first.
    Either(&'static [Shape]),
    /// A map with known keys.
    Map(&'static Table),
    /// A map whose keys the author chooses.
    Section(&'static Section),
    /// Changes to parts of a game, whose paths may be written with dots.
    Edits,
    /// Nothing: the key is enough.
    Nothing,
}

/// What a name in a file stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Referent {
    /// A game, with overlays: `cliff-race+short`
    Ruleset,
    /// A path in the game: `components.card.copies`
    Path,
    Option,
    Type,
    Zone,
    Kind,
    Field,
    Data,
    /// An option of a decision.
    Choice,
    /// The id of a zone: `hand-1`
    ZoneId,
    /// The id of a component: `gust-1`
    ComponentId,
}

impl Referent {
    /// Returns whether it is spelled otherwise than names in rules are.
    pub fn is_word(self) -> bool {
        use Referent::{Choice, ComponentId, Path, Ruleset, ZoneId};
        [Ruleset, Path, Choice, ZoneId, ComponentId].contains(&self)
    }
}

/// A map whose keys are known words.
#[derive(Debug)]
pub struct Table {
    /// Its name in messages: `a zone`.
    pub what: &'static str,
    pub keys: &'static [Key],
    /// The shape of any other key; `None` if other keys are not allowed.
    pub others: Option<Shape>,
}

/// A key with its meaning.
#[derive(Debug)]
pub struct Key {
    pub name: &'static str,
    pub shape: Shape,
    pub required: bool,
    /// One or two sentences for authors.
    pub about: &'static str,
    /// An example.
    pub example: &'static str,
}

/// A map whose keys the author chooses, with one shape for all values.
#[derive(Debug)]
pub struct Section {
    pub keys: Naming,
    pub of: Shape,
}

/// Declares a [`Table`], one row for each key: its name, its shape, an example and its meaning.
#[macro_export]
macro_rules! table_of_keys {
    (
        $(#[$doc:meta])*
        $visibility:vis static $table:ident = $what:literal $(, others $others:expr)?;
        $($($required:ident)? $name:literal: $shape:expr, $example:literal, $about:expr;)*
    ) => {
        $(#[$doc])*
        $visibility static $table: $crate::shape::Table = $crate::shape::Table {
            what: $what,
            keys: &[$($crate::shape::Key {
                name: $name,
                shape: $shape,
                required: {
                    let marks: &[&str] = &[$(stringify!($required))?];
                    !marks.is_empty()
                },
                about: $about,
                example: $example,
            }),*],
            others: {
                let others: &[$crate::shape::Shape] = &[$($others)?];
                others.first().copied()
            },
        };
    };
}

/// The spelling of the keys of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// `small_letters`
    Name,
    /// `small_letters`, or a part of what has this name: `bid.amount`
    Path,
    /// `dragon d moves int n`, `fits(card c)`
    Signature,
    /// `before dragon d moves int n`
    Handler,
    /// The signature of a query: `strength(card c)`
    Query,
    /// An option of the game.
    Option,
    /// `ABC-01`
    Clause,
    /// `es`
    Language,
    /// Any text.
    Text,
}

impl Section {
    pub const fn new(keys: Naming, of: Shape) -> Section {
        Section { keys, of }
    }
}

impl Table {
    pub fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }

    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

impl Shape {
    /// Returns the shape of the members, if this is a list.
    pub fn member(self) -> Option<Shape> {
        match self {
            Shape::List(of) => Some(*of),
            Shape::Either(shapes) => shapes.iter().find_map(|shape| shape.member()),
            Shape::Value | Shape::Conditions => Some(Shape::Value),
            Shape::Json => Some(Shape::Json),
            _ => None,
        }
    }

    /// Returns the shape of a single value.
    pub fn scalar(self) -> Shape {
        match self {
            Shape::Either(shapes) => {
                let plain = |shape: &&Shape| {
                    !matches!(shape, Shape::Map(_) | Shape::Section(_) | Shape::List(_))
                };
                shapes
                    .iter()
                    .find(plain)
                    .map_or(self, |shape| shape.scalar())
            }
            Shape::Conditions => Shape::Value,
            shape => shape,
        }
    }

    /// Returns the tables of the maps that are allowed here.
    pub fn tables(self) -> Vec<&'static Table> {
        match self {
            Shape::Map(table) => vec![table],
            Shape::Either(shapes) => shapes.iter().flat_map(|shape| shape.tables()).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the section that is allowed here.
    pub fn section(self) -> Option<&'static Section> {
        match self {
            Shape::Section(section) => Some(section),
            Shape::Either(shapes) => shapes.iter().find_map(|shape| shape.section()),
            _ => None,
        }
    }
}

//! Describes the possible contents of a file: the vocabulary for the tables of keys.
//!
//! The reader uses these tables ([`super::keys`]), and so do the JSON Schema, completion, hover and the formatter.

/// What may stand behind a key or in a list.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// `small_letters`
    Name,
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
    /// A range of numbers with two ends that are written out: `0..5`, `12..36 by 2`
    Range,
    /// An expression; a list of them; or `{if: …, then: …, else: …}`
    Value,
    /// Effect text.
    Effect,
    /// A condition; several stand in a list.
    Conditions,
    /// A part of a view, an event or a choice.
    Json,
    /// One of these words.
    Word(&'static [&'static str]),
    List(&'static Shape),
    /// One of several, the commonest first.
    Either(&'static [Shape]),
    /// A map with keys of its own.
    Map(&'static Table),
    /// A map whose keys the author chooses.
    Section(&'static Section),
    /// What an overlay does with a game: parts of what `game.yaml` says, whose way down may be written with full stops.
    Edits,
    /// Nothing: what the key says is enough.
    Nothing,
}

/// A map whose keys are known words.
#[derive(Debug)]
pub struct Table {
    /// As messages call it: `a zone`.
    pub what: &'static str,
    pub keys: &'static [Key],
    /// What stands behind any other key; `None` if there is none.
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
    /// How it may look.
    pub example: &'static str,
}

/// A map whose keys the author chooses, all with one shape behind them.
#[derive(Debug)]
pub struct Section {
    pub keys: Naming,
    pub of: Shape,
}

/// How the keys of a section are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// `small_letters`
    Name,
    /// `dragon d moves int n`, `fits(card c)`
    Signature,
    /// `before dragon d moves int n`
    Handler,
    /// `ABC-01`
    Clause,
    /// `es`
    Language,
    /// Any words.
    Text,
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
    /// Where a map stands here: what is behind `key` in it.
    pub fn behind(self, key: &str) -> Option<Shape> {
        match self {
            Shape::Map(table) => match table.key(key) {
                Some(found) => Some(found.shape),
                None => table.others,
            },
            Shape::Section(section) => Some(section.of),
            Shape::Either(shapes) => shapes.iter().find_map(|shape| shape.behind(key)),
            Shape::Edits => super::keys::on_way(key),
            Shape::Value | Shape::Json => Some(self),
            // In an overlay: `{was: 3, now: 4}`
            Shape::List(_) | Shape::Nothing => None,
            _ => matches!(key, "was" | "now").then_some(self),
        }
    }

    /// Where a list stands here: what its members are.
    pub fn member(self) -> Option<Shape> {
        match self {
            Shape::List(of) => Some(*of),
            Shape::Either(shapes) => shapes.iter().find_map(|shape| shape.member()),
            Shape::Value | Shape::Conditions => Some(Shape::Value),
            Shape::Json => Some(Shape::Json),
            _ => None,
        }
    }

    /// What a single value is here.
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

    /// The tables of the maps that may stand here.
    pub fn tables(self) -> Vec<&'static Table> {
        match self {
            Shape::Map(table) => vec![table],
            Shape::Either(shapes) => shapes.iter().flat_map(|shape| shape.tables()).collect(),
            _ => Vec::new(),
        }
    }

    /// The section that may stand here.
    pub fn section(self) -> Option<&'static Section> {
        match self {
            Shape::Section(section) => Some(section),
            Shape::Either(shapes) => shapes.iter().find_map(|shape| shape.section()),
            _ => None,
        }
    }
}

//! Classifies keys in the tree of a game: names that the author chose, and attributes that the language defines.
//!
//! Overlays treat them differently. A *name* must exist to be changed and must be new to be added; a missing
//! *attribute* can be given by either.

use super::inside::Code;
use crate::table::is_table;
use crate::yaml::Node;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Root,
    Options,
    Option,
    Types,
    /// The values of a type, where they have titles: `red: {title: Rot}`
    TypeValues,
    TypeValue,
    Zones,
    Zone,
    Components,
    Component,
    Vars,
    Var,
    Handlers,
    Handler,
    Modifiers,
    Modifier,
    Looks,
    Look,
    Languages,
    /// The drawn position, or the notation.
    Start,
    /// Texts of the game, with their translations.
    Texts,
    Data,
    /// A table: names of rows.
    Table,
    /// A row of a table: names of columns.
    Row,
    /// Names with values: positions, clauses, fields.
    Named,
    /// Names with texts of the language.
    Effects,
    Queries,
    /// A text of the language: replaced as a whole, or changed inside.
    Code(Code),
    /// A value: replaced as a whole.
    Value,
}

impl Place {
    /// Returns the place below this key.
    pub fn below(self, key: &str) -> Place {
        match (self, key) {
            (Place::Root, "options") => Place::Options,
            (Place::Root, "types") => Place::Types,
            (Place::Root, "zones") => Place::Zones,
            (Place::Root, "components") | (Place::Component, "kinds") => Place::Components,
            (Place::Root, "vars") => Place::Vars,
            (Place::Root | Place::Component, "handlers") => Place::Handlers,
            (Place::Root | Place::Component, "modifiers") => Place::Modifiers,
            (Place::Root, "look") => Place::Looks,
            (Place::Zone | Place::Component | Place::Var | Place::TypeValue, "look")
            | (Place::Looks, _) => Place::Look,
            (Place::Root, "translations") => Place::Languages,
            (Place::Root, "start" | "notation") => Place::Start,
            (Place::Root, "data") => Place::Data,
            (Place::Data, _) => Place::Table,
            (Place::Table, _) => Place::Row,
            (Place::Root, "positions" | "clauses" | "allow")
            | (Place::Start, "letters" | "after" | "tags")
            | (Place::Zone | Place::Component, "each" | "fields")
            | (Place::Handler, "keeps") => Place::Named,
            (Place::Root | Place::Component, "effects") => Place::Effects,
            (Place::Root | Place::Component, "queries") => Place::Queries,
            (Place::Effects, _) | (Place::Handler, "do") => Place::Code(Code::Effect),
            (Place::Queries, _)
            | (Place::Handler, "if" | "by")
            | (Place::Modifier, "if" | "set" | "add") => Place::Code(Code::Value),
            (Place::Languages, _) => Place::Texts,
            (Place::Options, _) => Place::Option,
            (Place::Types, _) => Place::TypeValues,
            (Place::TypeValues, _) => Place::TypeValue,
            (Place::Zones, _) => Place::Zone,
            (Place::Components, _) => Place::Component,
            (Place::Vars, _) => Place::Var,
            (Place::Handlers, _) => Place::Handler,
            (Place::Modifiers, _) => Place::Modifier,
            _ => Place::Value,
        }
    }

    /// Returns the place below this key of a node: of `data`, only tables have places inside.
    pub fn inside(self, node: Option<&Node>, key: &str) -> Place {
        let is_table = || node.and_then(|node| node.get(key)).is_some_and(is_table);
        match self.below(key) {
            Place::Table if !is_table() => Place::Value,
            place => place,
        }
    }

    /// Returns whether what stands here changes as a whole.
    pub fn is_whole(self, node: &Node) -> bool {
        self == Place::Value || self == Place::Table && !is_table(node)
    }

    /// Returns the attribute that a single value stands for (`wind: int` is `wind: {type: int}`).
    pub fn short_for(self) -> Option<&'static str> {
        match self {
            Place::Var => Some("type"),
            Place::Handler => Some("do"),
            Place::Look => Some("as"),
            _ => None,
        }
    }

    /// Returns the name of an entry in messages; `None` if the keys are not names that authors choose.
    pub fn entry(self) -> Option<&'static str> {
        Some(match self {
            Place::Options => "option",
            Place::Types => "type",
            Place::TypeValues => "value",
            Place::Zones => "zone",
            Place::Components => "component",
            Place::Vars => "variable",
            Place::Handlers => "handler",
            Place::Modifiers => "modifier",
            Place::Looks => "look",
            Place::Languages => "language",
            Place::Effects => "effect",
            Place::Queries => "query",
            Place::Table => "row",
            Place::Row => "column",
            Place::Data | Place::Texts | Place::Named => "entry",
            _ => return None,
        })
    }

    /// Returns whether its keys are names that authors choose.
    pub fn has_names(self) -> bool {
        self.entry().is_some()
    }
}

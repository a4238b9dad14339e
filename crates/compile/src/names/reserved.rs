//! Names that have a meaning in every game, so that none can declare them.

/// The reserved names with their meanings.
const RESERVED: &[(&str, &str)] = &[
    ("seats", "the list of all seats"),
    ("active", "the seat whose turn it is"),
    ("round", "the number of the round"),
    ("turn", "the number of the turn"),
    ("phase", "the current phase"),
    ("score", "the points of each seat"),
    ("box", "the zone of components that are out of play"),
    ("it", "the member that a condition examines"),
    ("me", "the component in the rules of its kind"),
    ("none", "a value"),
    ("true", "a value"),
    ("false", "a value"),
    ("seat", "a type"),
    ("int", "a type"),
    ("bool", "a type"),
    ("zone", "a type"),
    ("component", "a type"),
    ("cell", "a type"),
    ("side", "a type"),
    ("viewer", "the seat that looks, in a `see` condition"),
    ("north", "a side"),
    ("east", "a side"),
    ("south", "a side"),
    ("west", "a side"),
    ("sides", "the list of the four sides"),
    ("origin", "the first cell of an open grid"),
];

/// The types of every game.
pub const TYPES: [&str; 8] = [
    "int",
    "bool",
    "seat",
    "zone",
    "component",
    "cell",
    "side",
    "text",
];

pub const SIDES: [&str; 4] = ["north", "east", "south", "west"];

/// Returns the meaning that a name has in every game.
pub fn meaning(name: &str) -> Option<&'static str> {
    let mut all = RESERVED.iter();
    let found = all.find(|(reserved, _)| *reserved == name);
    found.map(|(_, meaning)| *meaning)
}

/// Returns whether a name has a meaning in every game.
pub fn is_reserved(name: &str) -> bool {
    meaning(name).is_some()
}

pub fn reserved_names() -> impl Iterator<Item = &'static str> {
    RESERVED.iter().map(|(name, _)| *name)
}

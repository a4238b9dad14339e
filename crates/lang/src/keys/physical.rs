//! The objects on a table: zones and components.

use super::looks::{LOOK_ABOUT, LOOK_ENTRY, NAMES};
use super::{
    CLAUSES, COMPONENTS, EFFECTS, HANDLERS, MODIFIERS, PAIRS, QUERIES, SEE, SEE_ABOUT, named,
};
use crate::shape::{Referent, Section, Shape};
use crate::table_of_keys;

const KIND: Shape = Shape::NameOf(Referent::Kind);
const FIELD: Shape = Shape::NameOf(Referent::Field);

table_of_keys! {
    pub static ZONE = "a zone";
    "title": Shape::Text, "Draw pile", "The title for people.";
    "each": Shape::Section(&PAIRS), "{owner: seats}",
        "One zone for every combination of these keys; the keys become fields of the zone.";
    "if": Shape::Value, "abs(column - row) < 5",
        "A zone exists only for keys that fulfill this condition, in games where it holds.";
    "holds": KIND, "card",
        "The kind of component, or the family of kinds, that the zone can hold. Default: anything.";
    "see": SEE, "owner", SEE_ABOUT;
    "capacity": Shape::Value, "1", "The maximum number of components.";
    "order": Shape::Word(&["any"]), "any",
        "`any`: the order of the components means nothing, so copies in it are listed once.";
    "grid": Shape::Either(&[Shape::Word(&["open", "open hexagons"]), Shape::List(&FIELD)]), "[column, row]",
        "The two keys that are the coordinates of a board, or `open` for a table of tiles without edges, `open hexagons` for one of hexagonal tiles.";
    "directions": Shape::Value, "orthogonal",
        "The directions in which spaces of a grid are adjacent: `orthogonal`, `diagonal`, `compass`, `hexagonal`, `leaps`, or a list of their numbers.";
    "lines": Shape::Value, "[[1, 2, 3], [3, 4, 5]]",
        "The straight lines of a board that is no grid, as lists of keys; neighbors in a line are adjacent.";
    "corners": Shape::NameOf(Referent::Zone), "land",
        "One zone for each corner of the spaces of a grid of squares or hexagons, numbered by the key `at`.";
    "sides": Shape::NameOf(Referent::Zone), "land",
        "One zone for each side of the spaces of a grid of squares or hexagons, numbered by the key `at`.";
    "joins": Shape::Value, "[town(track.a), town(track.b)]",
        "The two zones between which each zone lies, as a track does between two towns.";
    "coordinates": Shape::Word(&["a1"]), "a1",
        "Names the spaces of a grid with a letter and a number, as in `e4`.";
    "track": FIELD, "at", "The key that orders the spaces of a track.";
    "fields": Shape::Section(&PAIRS), "{steep: at > 4}",
        "Constants of each zone, computed from its keys.";
    "look": LOOK_ENTRY, "hidden", LOOK_ABOUT;
}

table_of_keys! {
    pub static COMPONENT = "a component";
    "plural": Shape::Name, "dice",
        "The name of the list of all of them. Default: the name plus `s`.";
    "title": Shape::Text, "Gust", "The title for people.";
    "text": Shape::Text, "All others go one back.",
        "The text printed on the component, for people.";
    "each": Shape::Section(&PAIRS), "{color: color, rank: 1..7}",
        "One component for every combination of these keys; the keys become fields.";
    "from": Shape::NameOf(Referent::Data), "spells",
        "A table in `data`: each row is a kind, with the columns as fields. The columns `title`, `text` and `copies` mean what these keys mean.";
    "copies": Shape::Value, "4", "The number of copies of each; may depend on options and keys.";
    "if": Shape::Value, "windy", "The component exists only in games where this condition holds.";
    "faces": Shape::Value, "1..6",
        "Makes a die with these sides; the field `face` is the side facing up.";
    "fields": Shape::Section(&PAIRS), "{cost: 3, laps: int}",
        "Constants over the keys, or, with the name of a type, values that change during play.";
    "back": NAMES, "[color]",
        "Fields that stay visible when the component is hidden, because they are printed on its back.";
    "holds": Shape::Section(&INNER_ZONES), "{cards: card}",
        "Gives each component a zone of its own inside.";
    "in": Shape::Value, "deck",
        "The zone where the component begins. Default: the zone `box`, out of play.";
    "queries": Shape::Section(&QUERIES), "strength: me.rank * 2",
        "Queries that each kind defines in its own way; `me` is the component.";
    "effects": Shape::Section(&EFFECTS), "played(seat p): p scores 1",
        "Effects of the component; `me` is the component.";
    "handlers": Shape::Section(&HANDLERS), "after dragon d moves int n: me.laps += 1",
        "Handlers that run for each component; `me` is the component.";
    "modifiers": Shape::Section(&MODIFIERS), "strength(card c): {if: me.zone is field, add: 1}",
        "Changes of the values of queries by each component; `me` is the component.";
    "kinds": Shape::Section(&COMPONENTS), "ice: {copies: 4}",
        "The kinds of this family; they inherit what the family declares.";
    "look": LOOK_ENTRY, "hidden", LOOK_ABOUT;
    "shows": CLAUSES, "RACE-07", "The clauses that the component implements.";
}

pub static INNER_ZONES: Section = named(Shape::Either(&[KIND, Shape::Map(&INNER_ZONE)]));

table_of_keys! {
    pub static INNER_ZONE = "the zone inside a component";
    required "holds": KIND, "card", "The kind of component that the zone can hold.";
    "see": SEE, "owner", SEE_ABOUT;
}

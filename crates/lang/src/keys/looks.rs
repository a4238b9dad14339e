//! How things appear: `look`.

use crate::look::{COLORS, FORMS, SYMBOLS};
use crate::shape::{Naming, Section, Shape};
use crate::table_of_keys;

/// How something appears: the form alone, or a map.
pub(super) const LOOK_ENTRY: Shape = Shape::Either(&[Shape::Word(FORMS), Shape::Map(&LOOK)]);
pub static LOOKS: Section = Section::new(Naming::Path, LOOK_ENTRY);
pub(super) const LOOK_ABOUT: &str =
    "The appearance in pictures: a form, or a map. The same as an entry of the section `look`.";

/// A color: a word, a field whose value has one, or a word for each value.
const COLOR: Shape = Shape::Either(&[
    Shape::Word(COLORS),
    Shape::Name,
    Shape::Section(&WORDS_BY_VALUE),
]);
const SYMBOL: Shape = Shape::Either(&[
    Shape::Word(SYMBOLS),
    Shape::Name,
    Shape::Section(&WORDS_BY_VALUE),
]);
static WORDS_BY_VALUE: Section = Section::new(Naming::Text, Shape::Name);
static SHORT_WORDS: Section =
    Section::new(Naming::Text, Shape::Either(&[Shape::Text, Shape::Number]));

table_of_keys! {
    pub static LOOK_OF_VALUE = "the look of a value";
    "color": Shape::Word(COLORS), "red", "A color word.";
    "symbol": Shape::Word(SYMBOLS), "flame", "A symbol word.";
}

table_of_keys! {
    /// The appearance of the back of a component.
    pub static LOOK_OF_BACK = "the look of a back";
    "color": COLOR, "blue", "The color of the back.";
    "symbol": SYMBOL, "spell", "The symbol in its middle.";
    "big": Shape::Name, "courage", "The field printed large.";
    "corner": NAMES, "[courage, footprints]", "The fields printed in its corners.";
}

table_of_keys! {
    /// The appearance of a zone, a component, a variable or a type.
    pub static LOOK = "a look", others Shape::Map(&LOOK_OF_VALUE);
    "as": Shape::Word(FORMS), "card",
        "The form. Zones: `grid`, `squares`, `holes`, `crossings`, `hexes`, `track`, `circle`, `map`, `tiles`, `ways`, `trick`, `row`, `fan`, `pile`, `tray`. Components: `card`, `tile`, `token`, `pawn`, `die`, `disc`. Variables: `marks`, `stones`, `dice`, `counter`, `badge`. `hidden` draws nothing.";
    "color": COLOR, "owner",
        "A color word, a field whose value has a color (`owner`: the color of the seat), or a map from values or kinds to color words.";
    "symbol": SYMBOL, "{fire: flame}",
        "A symbol word, a field whose value has a symbol, or a map from values or kinds to symbol words.";
    "text": Shape::Name, "title",
        "The field written on it. `title`: its title (default); `none`: nothing.";
    "big": Shape::Name, "rank", "The field written large.";
    "short": Shape::Section(&SHORT_WORDS), "{1: A, 11: J}",
        "Short words in place of values of the field that is written large.";
    "small": Shape::Name, "text",
        "The field written small. `text`: the text printed on the component.";
    "corner": NAMES, "[courage, footprints]", "The fields in its corners, at most two.";
    "badge": Shape::Section(&WORDS_BY_VALUE), "{tree: tree}",
        "Symbols beside it, by the field that must be true or positive. Numbers stand beside their symbols.";
    "arrows": Shape::Name, "arrows",
        "The field that lists the sides with an arrow. They turn with the component.";
    "edges": Shape::Section(&WORDS_BY_VALUE), "{streets: gray, river: blue}",
        "Of tiles: the colors of ways from the middle to the sides, by the field that lists these. They turn with the tile.";
    "sideways": Shape::Name, "sideways", "The field that says whether it lies sideways.";
    "back": Shape::Map(&LOOK_OF_BACK), "{corner: courage}",
        "What its back shows, of the fields under `back` of the component.";
    "label": Shape::Name, "number",
        "The field or key written on each space of a board. `none`: nothing.";
    "shade": Shape::Name, "number",
        "The field of a space that, if it is true or positive, marks the space as special. Of components: the field without which it is open, with nothing large on it.";
    "sort": NAMES, "[suit, rank]", "The fields by which the components in a zone are sorted.";
    "total": Shape::Name, "worth", "The field whose sum over what lies in a zone stands behind its title.";
    "sides": Shape::Section(&SHORT_WORDS), "{north: 1, south: 1}",
        "The sides of a board, each with a color word or the number of the seat whose color it has.";
    "wide": Shape::Name, "square",
        "Of a grid: the field that is true for full spaces. Rows and columns without one are narrow.";
    "lane": Shape::Name, "path", "The key that separates the parallel lanes of a track.";
    "across": Shape::Name, "column",
        "Of a map: the field or key that says how far to the right a space lies.";
    "down": Shape::Name, "row", "Of a map: the field or key that says how far down a space lies.";
    "tip": Shape::Name, "tip",
        "Of a map: the field with the side to which a space tapers off. `none`: it is round.";
    "between": NAMES, "[from, to]",
        "Of ways: the two fields or keys with the spaces of the map that each way joins, by their zone or their key.";
    "beside": Shape::Name, "space", "The board next to which the zone lies.";
    "on": Shape::Name, "track",
        "The board on which the component stands, at the space that `at` names; of ways: their map.";
    "at": Shape::Name, "at",
        "The field with the number of the space on which the component stands.";
    "from": Shape::Value, "0", "The first space of a track whose spaces are numbers, not zones.";
    "to": Shape::Value, "line + 15", "The last space of a track whose spaces are numbers.";
    "line": Shape::Value, "line", "The space behind which a line crosses the track.";
    "marks": Shape::Section(&WORDS_BY_VALUE), "{holes: hole}",
        "Symbols on spaces of a track, by the name of the constant that lists their numbers.";
}

pub(super) const NAMES: Shape = Shape::Either(&[Shape::Name, Shape::List(&Shape::Name)]);

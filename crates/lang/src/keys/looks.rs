//! How things appear: `look`.

use super::{NAMES, key, table};
use crate::look::{COLORS, FORMS, SYMBOLS};
use crate::shape::{Naming, Section, Shape, Table};

/// How something appears: the form alone, or a map.
pub(super) const LOOK_ENTRY: Shape = Shape::Either(&[Shape::Word(FORMS), Shape::Map(&LOOK)]);
pub static LOOKS: Section = Section {
    keys: Naming::Path,
    of: LOOK_ENTRY,
};
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
static WORDS_BY_VALUE: Section = Section {
    keys: Naming::Text,
    of: Shape::Name,
};

pub static LOOK_OF_VALUE: Table = table(
    "the look of a value",
    &[
        key("color", Shape::Word(COLORS), "red", "A color word."),
        key("symbol", Shape::Word(SYMBOLS), "flame", "A symbol word."),
    ],
);

/// What the back of a component shows.
pub static LOOK_OF_BACK: Table = table(
    "the look of a back",
    &[
        key("color", COLOR, "blue", "The color of the back."),
        key("symbol", SYMBOL, "spell", "The symbol in its middle."),
        key("big", Shape::Name, "courage", "The field printed large."),
        key(
            "corner",
            NAMES,
            "[courage, footprints]",
            "The fields printed in its corners.",
        ),
    ],
);

/// The appearance of a zone, a component, a variable or a type.
pub static LOOK: Table = Table {
    what: "a look",
    others: Some(Shape::Map(&LOOK_OF_VALUE)),
    keys: &[
        key(
            "as",
            Shape::Word(FORMS),
            "card",
            "The form. Zones: `grid`, `hexes`, `track`, `circle`, `tiles`, `row`, `fan`, `pile`, `tray`. Components: `card`, `tile`, `token`, `pawn`, `die`, `disc`. Variables: `marks`, `counter`, `badge`. `hidden` draws nothing.",
        ),
        key(
            "color",
            COLOR,
            "owner",
            "A color word, a field whose value has a color (`owner`: the color of the seat), or a map from values or kinds to color words.",
        ),
        key(
            "symbol",
            SYMBOL,
            "{fire: flame}",
            "A symbol word, a field whose value has a symbol, or a map from values or kinds to symbol words.",
        ),
        key(
            "text",
            Shape::Name,
            "title",
            "The field written on it. `title`: its title (default); `none`: nothing.",
        ),
        key("big", Shape::Name, "rank", "The field written large."),
        key(
            "small",
            Shape::Name,
            "text",
            "The field written small. `text`: the text printed on the component.",
        ),
        key(
            "corner",
            NAMES,
            "[courage, footprints]",
            "The fields in its corners, at most two.",
        ),
        key(
            "badge",
            Shape::Section(&WORDS_BY_VALUE),
            "{tree: tree}",
            "Symbols beside it, by the field that must be true or positive.",
        ),
        key(
            "arrows",
            Shape::Name,
            "arrows",
            "The field that lists the sides with an arrow. They turn with the component.",
        ),
        key(
            "sideways",
            Shape::Name,
            "sideways",
            "The field that says whether it lies sideways.",
        ),
        key(
            "back",
            Shape::Map(&LOOK_OF_BACK),
            "{corner: courage}",
            "What its back shows, of the fields under `back` of the component.",
        ),
        key(
            "label",
            Shape::Name,
            "number",
            "The field or key written on each space of a board. `none`: nothing.",
        ),
        key(
            "shade",
            Shape::Name,
            "number",
            "The field of a space that, if it is true or positive, marks the space as special.",
        ),
        key(
            "lane",
            Shape::Name,
            "path",
            "The key that separates the parallel lanes of a track.",
        ),
        key(
            "across",
            Shape::Name,
            "column",
            "Of a map: the field or key that says how far to the right a space lies.",
        ),
        key(
            "down",
            Shape::Name,
            "row",
            "Of a map: the field or key that says how far down a space lies.",
        ),
        key(
            "tip",
            Shape::Name,
            "tip",
            "Of a map: the field with the side to which a space tapers off. `none`: it is round.",
        ),
        key(
            "beside",
            Shape::Name,
            "space",
            "The board next to which the zone lies.",
        ),
        key(
            "on",
            Shape::Name,
            "track",
            "The board on which the component stands, at the space that `at` names.",
        ),
        key(
            "at",
            Shape::Name,
            "at",
            "The field with the number of the space on which the component stands.",
        ),
        key(
            "from",
            Shape::Value,
            "0",
            "The first space of a track whose spaces are numbers, not zones.",
        ),
        key(
            "to",
            Shape::Value,
            "line + 15",
            "The last space of a track whose spaces are numbers.",
        ),
        key(
            "line",
            Shape::Value,
            "line",
            "The space behind which a line crosses the track.",
        ),
        key(
            "marks",
            Shape::Section(&WORDS_BY_VALUE),
            "{holes: hole}",
            "Symbols on spaces of a track, by the name of the constant that lists their numbers.",
        ),
    ],
};

//! The keys of game files, each with its shape and documentation. One row each.
//!
//! The reader (`load/`) rejects keys that are not listed here; the JSON Schema, completion, hover and the formatter use
//! the same list. A test ensures that the language reference mentions every key.

use super::look::{COLORS, FORMS, SYMBOLS};
use super::shape::{Key, Naming, Section, Shape, Table};

const fn key(name: &'static str, shape: Shape, example: &'static str, about: &'static str) -> Key {
    Key {
        name,
        shape,
        required: false,
        about,
        example,
    }
}

const fn required(
    name: &'static str,
    shape: Shape,
    example: &'static str,
    about: &'static str,
) -> Key {
    Key {
        required: true,
        ..key(name, shape, example, about)
    }
}

const fn table(what: &'static str, keys: &'static [Key]) -> Table {
    Table {
        what,
        keys,
        others: None,
    }
}

const NAMES: Shape = Shape::Either(&[Shape::Name, Shape::List(&Shape::Name)]);
const FILES: Shape = Shape::Either(&[Shape::File, Shape::List(&Shape::File)]);
const CLAUSES: Shape = Shape::Either(&[Shape::Clause, Shape::List(&Shape::Clause)]);
const TEXTS: Shape = Shape::Section(&Section {
    keys: Naming::Text,
    of: Shape::Text,
});

/// `game.yaml` and the files it includes.
pub static GAME: Table = table(
    "a game",
    &[
        required(
            "game",
            Shape::GameName,
            "cliff-race",
            "The name of the game in commands and over HTTP. Same as its folder: lowercase letters, digits and `-`.",
        ),
        key(
            "title",
            Shape::Text,
            "Cliff Race",
            "The title of the game for people.",
        ),
        key(
            "language",
            Shape::Language,
            "en",
            "The language of the rules, as a language tag. Default: `en`.",
        ),
        key(
            "about",
            Shape::Text,
            "Who climbs fastest?",
            "One or two sentences for the catalogue.",
        ),
        required(
            "players",
            Shape::Value,
            "2..4 [RACE-04]",
            "The number of players: a range or a list, followed by the clause that states it.",
        ),
        key(
            "bound",
            Shape::Number,
            "2000",
            "The maximum number of decisions in any random game. `wyrmgate laws` enforces it.",
        ),
        key(
            "include",
            FILES,
            "[clauses.yaml, cards.yaml]",
            "More files of the same folder. Their sections are merged with those of this file.",
        ),
        key(
            "options",
            Shape::Section(&OPTIONS),
            "windy: {type: bool, default: false}",
            "What a session may configure when it is created. In expressions, the name of an option is its value.",
        ),
        key(
            "data",
            Shape::Section(&DATA),
            "length: 8",
            "Constants: numbers, values, lists, lists of lists. Put facts that you are not sure of here.",
        ),
        key(
            "types",
            Shape::Section(&TYPES),
            "color: [red, blue]",
            "Sets of named values. The name of a type is the list of its values.",
        ),
        key(
            "zones",
            Shape::Section(&ZONES),
            "deck: {holds: card, see: nobody}",
            "Places that hold components: decks, hands, rows, the spaces of a board.",
        ),
        key(
            "components",
            Shape::Section(&COMPONENTS),
            "coin: {copies: 20, in: hoard}",
            "The objects of the game: cards, dice, tiles, pawns, coins.",
        ),
        key(
            "vars",
            Shape::Section(&VARS),
            "starter: seat",
            "All other state. Each variable is a type, or a map with `type`, `each`, `start`, `see` and `lasts`.",
        ),
        key(
            "start",
            Shape::Map(&START),
            "{on: square, rows: xx/../oo, letters: {xo: stands}}",
            "A drawn position. It becomes the effect `set_up`, which calls an effect or sets a variable for each letter.",
        ),
        key(
            "positions",
            Shape::Section(&DATA),
            "board: [stone, active]",
            "Positions that the game can remember, each with the values that make it: `record board` remembers it, and `recorded(board)` says how often it has been recorded.",
        ),
        key(
            "queries",
            Shape::Section(&QUERIES),
            "mount(seat p): the(dragons where .owner = p)",
            "Named expressions: the vocabulary of the game. A query with a parameter can follow a dot or `is`.",
        ),
        key(
            "effects",
            Shape::Section(&EFFECTS),
            "play: |",
            "What happens. `play` is the whole game, from setup to `finish`.",
        ),
        key(
            "handlers",
            Shape::Section(&HANDLERS),
            "before dragon d moves int n: {if: n > 3, do: prevent}",
            "Statements that run before, instead of or after something else.",
        ),
        key(
            "modifiers",
            Shape::Section(&MODIFIERS),
            "strength(card c): {if: c.color = wind_color, add: 1}",
            "Changes of the values of queries, in layers: first `set`, then `add`.",
        ),
        key(
            "clauses",
            Shape::Section(&CLAUSE_TEXTS),
            "RACE-03: The first dragon on the last space wins at once.",
            "The rules as numbered sentences in your own words. Conditions and statements cite them.",
        ),
        key(
            "translations",
            Shape::Section(&TRANSLATIONS),
            "es: {Cliff Race: Carrera del acantilado}",
            "The texts of the game in other languages, by language tag. The key of a translation is the original text, or the id of a clause.",
        ),
        key(
            "look",
            Shape::Section(&LOOKS),
            "card: {as: card, big: rank}",
            "The appearance of zones, components, variables and types in pictures, by name. Everything that you leave out has a default.",
        ),
        key(
            "allow",
            TEXTS,
            "unused peak: The variants use it.",
            "Warnings of `wyrmgate check` that are intended: the code, optionally a name that the warning concerns, and the reason. A warning that no longer occurs is reported.",
        ),
    ],
);

/// `variants/short.yaml`: the differences.
pub static OVERLAY: Table = table(
    "an overlay",
    &[
        required(
            "extends",
            Shape::Text,
            "cliff-race",
            "The game to change. `cliff-race+slippery` is the game after that overlay.",
        ),
        key(
            "title",
            Shape::Text,
            "A Slippery Cliff",
            "The title of the changed game for people.",
        ),
        key(
            "about",
            Shape::Text,
            "Hold on to your ropes.",
            "One or two sentences for the catalogue.",
        ),
        key(
            "include",
            FILES,
            "[cards.yaml]",
            "More files of the overlay's folder.",
        ),
        key(
            "change",
            Shape::Edits,
            "{data.length: 6}",
            "Replaces existing values. `{was: 8, now: 6}` also records the value that the overlay was written for.",
        ),
        key(
            "add",
            Shape::Edits,
            "{clauses.RACE-05: The cliff is low.}",
            "Adds new entries, or members of a list.",
        ),
        key(
            "remove",
            Shape::Either(&[Shape::List(&Shape::Text), Shape::Text]),
            "[options.windy]",
            "Removes existing entries, named by their paths.",
        ),
    ],
);

/// Returns the shape at the end of a path through a game: `components.card.kinds.gust.copies`.
pub fn on_way(way: &str) -> Option<Shape> {
    way.split('.')
        .try_fold(Shape::Map(&GAME), |shape, key| shape.behind(key))
}

pub static OPTIONS: Section = named(Shape::Map(&OPTION));
pub static DATA: Section = named(Shape::Value);
pub static TYPES: Section = named(Shape::Either(&[
    Shape::List(&Shape::Name),
    Shape::Section(&named(Shape::Either(&[
        Shape::Map(&TYPE_VALUE),
        Shape::Nothing,
    ]))),
]));
pub static ZONES: Section = named(Shape::Either(&[Shape::Map(&ZONE), Shape::Nothing]));
pub static COMPONENTS: Section = named(Shape::Either(&[Shape::Map(&COMPONENT), Shape::Nothing]));
pub static VARS: Section = named(Shape::Either(&[Shape::Name, Shape::Map(&VAR)]));
pub static PAIRS: Section = named(Shape::Value);
pub static QUERIES: Section = Section {
    keys: Naming::Signature,
    of: Shape::Value,
};
pub static EFFECTS: Section = Section {
    keys: Naming::Signature,
    of: Shape::Effect,
};
pub static HANDLERS: Section = Section {
    keys: Naming::Handler,
    of: Shape::Either(&[Shape::Effect, Shape::Map(&HANDLER)]),
};
pub static MODIFIERS: Section = Section {
    keys: Naming::Signature,
    of: Shape::Map(&MODIFIER),
};
pub static CLAUSE_TEXTS: Section = Section {
    keys: Naming::Clause,
    of: Shape::Text,
};
pub static TRANSLATIONS: Section = Section {
    keys: Naming::Language,
    of: TEXTS,
};

const fn named(of: Shape) -> Section {
    Section {
        keys: Naming::Name,
        of,
    }
}

const SEE: Shape = Shape::Either(&[
    Shape::Value,
    Shape::Word(&["all", "owner", "nobody", "nothing", "top"]),
]);
const SEE_ABOUT: &str = "Who sees the fronts: `all` (default), `owner` (the key `owner`), `nobody` (only the number is visible), `nothing` (not even the number), `top` (the last one), or a condition over `viewer` and the keys.";

pub static OPTION: Table = table(
    "an option",
    &[
        required(
            "type",
            Shape::Either(&[
                Shape::Word(&["bool"]),
                Shape::Range,
                Shape::List(&Shape::Name),
            ]),
            "1..5",
            "`bool`, a range (`0..5`), a range with steps (`12..36 by 2`), or a list of names.",
        ),
        required(
            "default",
            Shape::Value,
            "3",
            "The value when nobody sets it.",
        ),
        key(
            "title",
            Shape::Text,
            "Cards in hand",
            "The title for people.",
        ),
        key(
            "text",
            Shape::Text,
            "The hand with which every player begins.",
            "What the option changes, for people who set up a game.",
        ),
        key(
            "requires",
            Shape::Conditions,
            "count(seats) > 2",
            "One or more conditions over options and seats. Unless they hold, the option must keep its default.",
        ),
        key(
            "excludes",
            Shape::Conditions,
            "windy",
            "One or more conditions over options and seats. If one holds, the option must keep its default.",
        ),
        key(
            "shows",
            CLAUSES,
            "RACE-07",
            "The clauses that the option implements.",
        ),
    ],
);

pub static TYPE_VALUE: Table = table(
    "a value of a type",
    &[
        key("title", Shape::Text, "Fire", "The title for people."),
        key(
            "look",
            Shape::Map(&LOOK_OF_VALUE),
            "{color: red, symbol: flame}",
            "The color and the symbol of the value in pictures.",
        ),
    ],
);

/// How something appears: the form alone, or a map.
const LOOK_ENTRY: Shape = Shape::Either(&[Shape::Word(FORMS), Shape::Map(&LOOK)]);
pub static LOOKS: Section = named(LOOK_ENTRY);
const LOOK_ABOUT: &str =
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

const LETTERS: Shape = Shape::Section(&Section {
    keys: Naming::Text,
    of: NAMES,
});

pub static START: Table = table(
    "a start position",
    &[
        required(
            "on",
            Shape::Name,
            "square",
            "The zones on which the letters stand: a family with two keys, that of the column and that of the row.",
        ),
        required(
            "rows",
            Shape::Text,
            "xx/../oo",
            "The rows, the last one first, on lines of their own or with `/` between them. A `.` is an empty space, a number several. Words after the rows mean what `then` says.",
        ),
        required(
            "letters",
            LETTERS,
            "{PNBRQK: white_man, pnbrqk: black_man}",
            "The effect that each letter calls, with its space; of several letters in one key, also with the number of the letter. Or the variable that it sets for its space, to the seat or value with this number.",
        ),
        key(
            "then",
            Shape::List(&LETTERS),
            "[{wb: moves_first}, {space: passes}, {number: counts}]",
            "What the words after the rows call or set, in order: letters, `space` for a space such as `e3`, or `number`.",
        ),
    ],
);

pub static ZONE: Table = table(
    "a zone",
    &[
        key("title", Shape::Text, "Draw pile", "The title for people."),
        key(
            "each",
            Shape::Section(&PAIRS),
            "{owner: seats}",
            "One zone for every combination of these keys; the keys become fields of the zone.",
        ),
        key(
            "holds",
            Shape::Name,
            "card",
            "The kind of component, or the family of kinds, that the zone can hold. Default: anything.",
        ),
        key("see", SEE, "owner", SEE_ABOUT),
        key(
            "capacity",
            Shape::Value,
            "1",
            "The maximum number of components.",
        ),
        key(
            "order",
            Shape::Word(&["any"]),
            "any",
            "`any`: the order of the components means nothing, so copies in it are listed once.",
        ),
        key(
            "grid",
            Shape::Either(&[Shape::Word(&["open"]), Shape::List(&Shape::Name)]),
            "[column, row]",
            "The two keys that are the coordinates of a board, or `open` for a table of tiles without edges.",
        ),
        key(
            "directions",
            Shape::Value,
            "orthogonal",
            "The directions in which spaces of a grid are adjacent: `orthogonal`, `diagonal`, `compass`, `hexagonal`, `leaps`, or a list of their numbers.",
        ),
        key(
            "lines",
            Shape::Value,
            "[[1, 2, 3], [3, 4, 5]]",
            "The straight lines of a board that is no grid, as lists of keys; neighbors in a line are adjacent.",
        ),
        key(
            "coordinates",
            Shape::Word(&["a1"]),
            "a1",
            "Names the spaces of a grid with a letter and a number, as in `e4`.",
        ),
        key(
            "track",
            Shape::Name,
            "at",
            "The key that orders the spaces of a track.",
        ),
        key(
            "fields",
            Shape::Section(&PAIRS),
            "{steep: at > 4}",
            "Constants of each zone, computed from its keys.",
        ),
        key("look", LOOK_ENTRY, "hidden", LOOK_ABOUT),
    ],
);

pub static COMPONENT: Table = table(
    "a component",
    &[
        key(
            "plural",
            Shape::Name,
            "dice",
            "The name of the list of all of them. Default: the name plus `s`.",
        ),
        key("title", Shape::Text, "Gust", "The title for people."),
        key(
            "text",
            Shape::Text,
            "All others go one back.",
            "The text printed on the component, for people.",
        ),
        key(
            "each",
            Shape::Section(&PAIRS),
            "{color: color, rank: 1..7}",
            "One component for every combination of these keys; the keys become fields.",
        ),
        key(
            "copies",
            Shape::Value,
            "4",
            "The number of copies of each; may depend on options and keys.",
        ),
        key(
            "if",
            Shape::Value,
            "windy",
            "The component exists only in games where this condition holds.",
        ),
        key(
            "faces",
            Shape::Value,
            "1..6",
            "Makes a die with these sides; the field `face` is the side facing up.",
        ),
        key(
            "fields",
            Shape::Section(&PAIRS),
            "{cost: 3, laps: int}",
            "Constants over the keys, or, with the name of a type, values that change during play.",
        ),
        key(
            "back",
            NAMES,
            "[color]",
            "Fields that stay visible when the component is hidden, because they are printed on its back.",
        ),
        key(
            "holds",
            Shape::Section(&INNER_ZONES),
            "{cards: card}",
            "Gives each component a zone of its own inside.",
        ),
        key(
            "in",
            Shape::Value,
            "deck",
            "The zone where the component begins. Default: the zone `box`, out of play.",
        ),
        key(
            "queries",
            Shape::Section(&QUERIES),
            "strength: me.rank * 2",
            "Queries that each kind defines in its own way; `me` is the component.",
        ),
        key(
            "effects",
            Shape::Section(&EFFECTS),
            "played(seat p): p scores 1",
            "Effects of the component; `me` is the component.",
        ),
        key(
            "handlers",
            Shape::Section(&HANDLERS),
            "after dragon d moves int n: me.laps += 1",
            "Handlers that run for each component; `me` is the component.",
        ),
        key(
            "modifiers",
            Shape::Section(&MODIFIERS),
            "strength(card c): {if: me.zone is field, add: 1}",
            "Changes of the values of queries by each component; `me` is the component.",
        ),
        key(
            "kinds",
            Shape::Section(&COMPONENTS),
            "ice: {copies: 4}",
            "The kinds of this family; they inherit what the family declares.",
        ),
        key("look", LOOK_ENTRY, "hidden", LOOK_ABOUT),
        key(
            "shows",
            CLAUSES,
            "RACE-07",
            "The clauses that the component implements.",
        ),
    ],
);

pub static INNER_ZONES: Section = named(Shape::Either(&[Shape::Name, Shape::Map(&INNER_ZONE)]));

pub static INNER_ZONE: Table = table(
    "the zone inside a component",
    &[
        required(
            "holds",
            Shape::Name,
            "card",
            "The kind of component that the zone can hold.",
        ),
        key("see", SEE, "owner", SEE_ABOUT),
    ],
);

pub static VAR: Table = table(
    "a variable",
    &[
        required(
            "type",
            Shape::Name,
            "int",
            "The type of its values: `int`, `bool`, `seat`, `zone`, `component`, `cell`, `side`, an enum, a kind or a zone family.",
        ),
        key(
            "each",
            Shape::Either(&[Shape::Value, Shape::Section(&PAIRS)]),
            "seats",
            "The variable has one value for each of these: seats, values of a type, components, numbers. Up to three keys: `{from: seats, to: color}`.",
        ),
        key("see", SEE, "nobody", SEE_ABOUT),
        key(
            "start",
            Shape::Value,
            "true",
            "The initial value, or a list with one for each member of `each`, in their order. Default: 0, false or none.",
        ),
        key(
            "lasts",
            Shape::Word(&["turn", "round", "until_turn", "game"]),
            "round",
            "When the variable returns to its initial value: at the end of each turn or round, or, for the value of a seat, when its next turn begins.",
        ),
        key("look", LOOK_ENTRY, "hidden", LOOK_ABOUT),
    ],
);

pub static HANDLER: Table = table(
    "a handler",
    &[
        key(
            "if",
            Shape::Value,
            "n < -3",
            "The handler runs only if this condition holds.",
        ),
        key(
            "once",
            Shape::Truth,
            "true",
            "The handler does not handle what it does itself.",
        ),
        key(
            "by",
            Shape::Value,
            "p",
            "The seat that decides which of several handlers with `by` applies first.",
        ),
        key(
            "waits",
            Shape::Truth,
            "true",
            "The handler is a trigger: it waits for `resolve`, in turn order of the seats under `by`.",
        ),
        key(
            "keeps",
            Shape::Section(&PAIRS),
            "{from: c.zone}",
            "Values as they were before the event, for `if`, `by` and `do` of an `after` handler.",
        ),
        key(
            "within",
            Shape::Text,
            "played(card c, seat p)",
            "The handler runs only for what happens while this effect runs, and can use its parameters.",
        ),
        key(
            "name",
            Shape::Name,
            "second_wind",
            "The name of the handler in decisions between handlers. Default: that of its kind, or of the event.",
        ),
        key("do", Shape::Effect, "prevent", "The statements to run."),
    ],
);

pub static MODIFIER: Table = table(
    "a modifier",
    &[
        key(
            "if",
            Shape::Value,
            "me.zone is field",
            "The modifier applies only if this condition holds.",
        ),
        key(
            "set",
            Shape::Value,
            "1",
            "Replaces the value. In it, `value` is the value so far. Of several, the last one counts.",
        ),
        key(
            "add",
            Shape::Value,
            "2",
            "Is added to the value, after every `set` of the same layer.",
        ),
        key(
            "layer",
            Shape::Number,
            "2",
            "Modifiers of a lower layer apply first. Default: 1.",
        ),
    ],
);

/// `{if: …, then: …, else: …}`
pub static CONDITIONAL: Table = table(
    "a conditional value",
    &[
        required(
            "if",
            Shape::Value,
            "count(seats) > 3",
            "The condition that selects one of the two values.",
        ),
        required(
            "then",
            Shape::Value,
            "5",
            "The value if the condition holds.",
        ),
        required("else", Shape::Value, "7", "The value if it does not."),
    ],
);

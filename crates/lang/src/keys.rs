//! The keys of game files: every one with what may stand behind it, and what it is for. One row each.
//!
//! The reader (`load/`) refuses what is not listed here; the JSON Schema, completion, hover and the formatter know no
//! other list. A test asks that the language reference tells of every one.

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

/// `game.yaml`, and what it includes.
pub static GAME: Table = table(
    "a game",
    &[
        required(
            "game",
            Shape::GameName,
            "cliff-race",
            "What the game is called in commands and over HTTP: the name of its folder, in small letters, digits and `-`.",
        ),
        key(
            "title",
            Shape::Text,
            "Cliff Race",
            "What people call the game.",
        ),
        key(
            "language",
            Shape::Language,
            "en",
            "The language the rules are written in, by its tag; `en` if nothing is said.",
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
            "For how many it is: a range or a list of numbers, with the clause that says so.",
        ),
        key(
            "bound",
            Shape::Number,
            "2000",
            "No random game has more decisions: a promise that `wyrmgate laws` holds you to.",
        ),
        key(
            "include",
            FILES,
            "[clauses.yaml, cards.yaml]",
            "More files of the same folder. Their sections are added to those of this file.",
        ),
        key(
            "options",
            Shape::Section(&OPTIONS),
            "windy: {type: bool, default: false}",
            "What a session may choose when it is created. In expressions an option is its value.",
        ),
        key(
            "data",
            Shape::Section(&DATA),
            "length: 8",
            "Constants: numbers, values, lists, lists of lists. Facts you are not sure of belong here.",
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
            "What lies on the table: cards, dice, tiles, pawns, coins.",
        ),
        key(
            "vars",
            Shape::Section(&VARS),
            "starter: seat",
            "What is remembered otherwise: a type, or a map with `type`, `each`, `start`, `see` and `lasts`.",
        ),
        key(
            "queries",
            Shape::Section(&QUERIES),
            "mount(seat p): the(dragons where .owner = p)",
            "Named questions: the vocabulary of the game. With a parameter they can stand after a dot and after `is`.",
        ),
        key(
            "effects",
            Shape::Section(&EFFECTS),
            "play: |",
            "What happens. `play` is the whole game, from the start to `finish`.",
        ),
        key(
            "handlers",
            Shape::Section(&HANDLERS),
            "before dragon d moves int n: {if: n > 3, do: prevent}",
            "What happens before, instead of or after something else.",
        ),
        key(
            "clauses",
            Shape::Section(&CLAUSE_TEXTS),
            "RACE-03: The first dragon on the last space wins at once.",
            "The rules as numbered sentences in your own words. Conditions and effects cite them.",
        ),
        key(
            "translations",
            Shape::Section(&TRANSLATIONS),
            "es: {Cliff Race: Carrera del acantilado}",
            "The texts of the game in other languages, by language tag; each by the text as the rules have it, a clause by its id.",
        ),
    ],
);

/// `variants/short.yaml`: what is different.
pub static OVERLAY: Table = table(
    "an overlay",
    &[
        required(
            "extends",
            Shape::Text,
            "cliff-race",
            "The game it changes; `cliff-race+slippery`: the game as that overlay leaves it.",
        ),
        key(
            "title",
            Shape::Text,
            "A Slippery Cliff",
            "What people call the game with it.",
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
            "Gives another value to what is there. `{was: 8, now: 6}` says what it was made for.",
        ),
        key(
            "add",
            Shape::Edits,
            "{clauses.RACE-05: The cliff is low.}",
            "Adds what is not there yet; members to a list.",
        ),
        key(
            "remove",
            Shape::Either(&[Shape::List(&Shape::Text), Shape::Text]),
            "[options.windy]",
            "Removes what is there, each by the way down to it.",
        ),
    ],
);

/// What stands at the end of a way through a game: `components.card.kinds.gust.copies`.
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
const SEE_ABOUT: &str = "Who sees the fronts: `all` (if nothing is said), `owner` (the key `owner`), `nobody` (only how many there are), `nothing` (not even that), `top` (the last one), or a condition over `viewer` and the keys.";

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
            "`bool`, a range (`0..5`), a range in steps (`12..36 by 2`), or a list of names.",
        ),
        required(
            "default",
            Shape::Value,
            "3",
            "What it is when nobody sets it.",
        ),
        key(
            "title",
            Shape::Text,
            "Cards in hand",
            "What people call it.",
        ),
        key(
            "text",
            Shape::Text,
            "The hand every player begins with.",
            "What it changes, for those who set up a game.",
        ),
        key(
            "requires",
            Shape::Conditions,
            "count(seats) > 2",
            "A condition over options and seats, or several: without it the option cannot be changed from its default.",
        ),
        key(
            "excludes",
            Shape::Conditions,
            "windy",
            "A condition over options and seats, or several: with it the option cannot be changed from its default.",
        ),
        key(
            "shows",
            CLAUSES,
            "RACE-07",
            "The clauses that the option carries out.",
        ),
    ],
);

pub static TYPE_VALUE: Table = table(
    "a value of a type",
    &[key("title", Shape::Text, "Fire", "What people call it.")],
);

pub static ZONE: Table = table(
    "a zone",
    &[
        key("title", Shape::Text, "Draw pile", "What people call it."),
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
            "The kind of component, or the family of kinds, that it can hold; anything if nothing is said.",
        ),
        key("see", SEE, "owner", SEE_ABOUT),
        key("capacity", Shape::Value, "1", "How many components fit."),
        key(
            "grid",
            Shape::Either(&[Shape::Word(&["open"]), Shape::List(&Shape::Name)]),
            "[column, row]",
            "The two keys that are coordinates of a board, or `open` for a table without edges on which tiles lie at places.",
        ),
        key(
            "track",
            Shape::Name,
            "at",
            "The key that is the order of the spaces of a track.",
        ),
        key(
            "fields",
            Shape::Section(&PAIRS),
            "{steep: at > 4}",
            "Constants of each zone, worked out from its keys.",
        ),
    ],
);

pub static COMPONENT: Table = table(
    "a component",
    &[
        key(
            "plural",
            Shape::Name,
            "dice",
            "The name for all of them; the name with an `s` if nothing is said.",
        ),
        key("title", Shape::Text, "Gust", "What people call it."),
        key(
            "text",
            Shape::Text,
            "All others go one back.",
            "What is printed on it, for people.",
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
            "So many of each; may depend on options and on the keys.",
        ),
        key(
            "if",
            Shape::Value,
            "windy",
            "Only in games where this holds.",
        ),
        key(
            "faces",
            Shape::Value,
            "1..6",
            "A die with these sides; the side up is the field `face`.",
        ),
        key(
            "fields",
            Shape::Section(&PAIRS),
            "{cost: 3, laps: int}",
            "Constants over the keys, or – with the name of a type – values that change in play.",
        ),
        key(
            "back",
            NAMES,
            "[color]",
            "Fields that can be seen when the component itself cannot: they are printed on its back.",
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
            "The zone where it begins; out of play, in the zone `box`, if nothing is said.",
        ),
        key(
            "queries",
            Shape::Section(&QUERIES),
            "strength: me.rank * 2",
            "Questions answered by each kind in its own way; `me` is the component.",
        ),
        key(
            "effects",
            Shape::Section(&EFFECTS),
            "played(seat p): p scores 1",
            "What the component does when it is told to; `me` is the component.",
        ),
        key(
            "handlers",
            Shape::Section(&HANDLERS),
            "after dragon d moves int n: me.laps += 1",
            "What each component does before, instead of or after something else; `me` is the component.",
        ),
        key(
            "kinds",
            Shape::Section(&COMPONENTS),
            "ice: {copies: 4}",
            "The kinds of this family; they inherit what the family says.",
        ),
        key(
            "shows",
            CLAUSES,
            "RACE-07",
            "The clauses that the component carries out.",
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
            "The kind of component that it can hold.",
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
            "What it holds: `int`, `bool`, `seat`, `zone`, `component`, `cell`, `side`, a type, a kind or a zone family.",
        ),
        key(
            "each",
            Shape::Value,
            "seats",
            "One value for each of these: seats, values of a type, components, numbers.",
        ),
        key("see", SEE, "nobody", SEE_ABOUT),
        key(
            "start",
            Shape::Value,
            "true",
            "What it begins as; 0, false or none if nothing is said.",
        ),
        key(
            "lasts",
            Shape::Word(&["turn", "round", "game"]),
            "round",
            "When it is set back to what it began as: at the end of each turn or round.",
        ),
    ],
);

pub static HANDLER: Table = table(
    "a handler",
    &[
        key("if", Shape::Value, "n < -3", "Only when this holds."),
        key("do", Shape::Effect, "prevent", "What happens then."),
    ],
);

/// `{if: …, then: …, else: …}`
pub static CONDITIONAL: Table = table(
    "a value that depends",
    &[
        required(
            "if",
            Shape::Value,
            "count(seats) > 3",
            "Which of the two it is.",
        ),
        required(
            "then",
            Shape::Value,
            "5",
            "The value where the condition holds.",
        ),
        required("else", Shape::Value, "7", "The value where it does not."),
    ],
);

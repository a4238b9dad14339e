//! The keys of game files, each with its shape and documentation. One row each.
//!
//! The reader (`load/`) rejects keys that are not listed here; the JSON Schema, completion, hover and the formatter use
//! the same list. A test ensures that the language reference mentions every key.

mod behavior;
mod looks;
mod physical;

pub use behavior::{CONDITIONAL, HANDLER, MODIFIER};
pub use looks::{LOOK, LOOK_OF_BACK, LOOK_OF_VALUE, LOOKS};
use looks::{LOOK_ABOUT, LOOK_ENTRY};
pub use physical::{COMPONENT, INNER_ZONE, INNER_ZONES, ZONE};

use super::shape::{Naming, Referent, Section, Shape};
use crate::table_of_keys;

const FILES: Shape = Shape::Either(&[Shape::File, Shape::List(&Shape::File)]);
const CLAUSES: Shape = Shape::Either(&[Shape::Clause, Shape::List(&Shape::Clause)]);
const PATH: Shape = Shape::NameOf(Referent::Path);
const TYPE: Shape = Shape::NameOf(Referent::Type);
const TEXTS: Shape = Shape::Section(&Section::new(Naming::Text, Shape::Text));

/// The values of `draws`: whether the players may agree on one.
pub const DRAWS: &[&str] = &["never", "by agreement"];

table_of_keys! {
    /// `game.yaml` and the files it includes.
    pub static GAME = "a game";
    required "game": Shape::GameName, "cliff-race",
        "The name of the game in commands and over HTTP. Same as its folder: lowercase letters, digits and `-`.";
    "title": Shape::Text, "Cliff Race", "The title of the game for people.";
    "language": Shape::Language, "en",
        "The language of the rules, as a language tag. Default: `en`.";
    "about": Shape::Text, "Who climbs fastest?", "One or two sentences for the catalog.";
    required "players": Shape::Value, "2..4 [RACE-04]",
        "The number of players: a range or a list, followed by the clause that states it.";
    "bound": Shape::Number, "2000",
        "The maximum number of decisions in any random game. `wyrmgate laws` enforces it.";
    "draws": Shape::Word(DRAWS), "never",
        "Whether all players may agree on a draw: `never`, or `by agreement`. Default: if the rules can end the game as a draw.";
    "include": FILES, "[clauses.yaml, cards.yaml]",
        "More files of the same folder. Their sections are merged with those of this file.";
    "options": Shape::Section(&OPTIONS), "windy: {type: bool, default: false}",
        "What a session may configure when it is created. In expressions, the name of an option is its value.";
    "data": Shape::Section(&TABLES), "length: 8",
        "Constants: numbers, values, lists, lists of lists, tables. Put facts that you are not sure of here.";
    "types": Shape::Section(&TYPES), "color: [red, blue]",
        "Sets of named values; the name of such a type is the list of its values. A type with parts, `claim: {by: seat, amount: int}`, is a record; `purse: bundle of color` counts something of each color.";
    "zones": Shape::Section(&ZONES), "deck: {holds: card, see: nobody}",
        "Places that hold components: decks, hands, rows, the spaces of a board.";
    "components": Shape::Section(&COMPONENTS), "coin: {copies: 20, in: hoard}",
        "The objects of the game: cards, dice, tiles, pawns, coins.";
    "vars": Shape::Section(&VARS), "starter: seat",
        "All other state. Each variable is a type, or a map with `type`, `each`, `start`, `see` and `lasts`.";
    "start": Shape::Map(&START), "{on: square, rows: xx/../oo, letters: {xo: stands}}",
        "A drawn position. It becomes the effect `set_up`, which calls an effect or sets a variable for each letter.";
    "positions": Shape::Section(&DATA), "board: [stone, active]",
        "Positions that the game can remember, each with the values that make it: `record board` remembers it, and `recorded(board)` says how often it has been recorded.";
    "queries": Shape::Section(&QUERIES), "mount(seat p): the(dragons where .owner = p)",
        "Named expressions: the vocabulary of the game. A query with a parameter can follow a dot or `is`.";
    "effects": Shape::Section(&EFFECTS), "play: |",
        "What happens. `play` is the whole game, from setup to `finish`.";
    "handlers": Shape::Section(&HANDLERS), "before dragon d moves int n: {if: n > 3, do: prevent}",
        "Statements that run before, instead of or after something else.";
    "modifiers": Shape::Section(&MODIFIERS), "strength(card c): {if: c.color = wind_color, add: 1}",
        "Changes of the values of queries, in layers: first `set`, then `add`.";
    "clauses": Shape::Section(&CLAUSE_TEXTS), "RACE-03: The first dragon on the last space wins at once.",
        "The rules as numbered sentences in your own words. Conditions and statements cite them.";
    "translations": Shape::Section(&TRANSLATIONS), "es: {Cliff Race: Carrera del acantilado}",
        "The texts of the game in other languages, by language tag. The key of a translation is the original text, or the id of a clause.";
    "look": Shape::Section(&LOOKS), "card: {as: card, big: rank}",
        "The appearance of zones, components, variables and types in pictures, by name. Everything that you leave out has a default.";
    "notation": Shape::Map(&NOTATION), "{file: pgn, choices: {move: \"{from}{to}\"}}",
        "How choices are written in files that other programs read. It changes nothing in play.";
    "allow": TEXTS, "unused peak: The variants use it.",
        "Warnings of `wyrmgate check` that are intended: the code, optionally a name that the warning concerns, and the reason. A warning that no longer occurs is reported.";
}

table_of_keys! {
    /// `variants/short.yaml`: the differences.
    pub static OVERLAY = "an overlay";
    required "extends": Shape::NameOf(Referent::Ruleset), "cliff-race",
        "The game to change. `cliff-race+slippery` is the game after that overlay.";
    "title": Shape::Text, "A Slippery Cliff", "The title of the changed game for people.";
    "about": Shape::Text, "Hold on to your ropes.", "One or two sentences for the catalog.";
    "include": FILES, "[cards.yaml]", "More files of the overlay's folder.";
    "change": Shape::Edits, "{data.length: 6}",
        "Replaces existing values. `{was: 8, now: 6}` also records the value that the overlay was written for.";
    "add": Shape::Edits, "{clauses.RACE-05: The cliff is low.}",
        "Adds new entries, or members of a list.";
    "remove": Shape::Either(&[Shape::List(&PATH), PATH]), "[options.windy]",
        "Removes existing entries, named by their paths.";
}

table_of_keys! {
    pub static TABLE = "a table";
    "words": Shape::File, "words.txt",
        "A file of the game with a word in each line. Letters are in the list if they are one of these words, in small or capital letters.";
    "table": Shape::File, "spells.csv",
        "A file beside this one with comma-separated values: a header, then a line for each row.";
    "columns": Shape::List(&Shape::Name), "[spell, cost]",
        "The names of the columns. The first one holds the names of the rows.";
    "rows": Shape::List(&Shape::List(&Shape::Value)), "[[fog, 2], [hail, 4]]",
        "The rows, each with a cell for every column.";
}

/// Returns the shape at the end of a path through a game: `components.card.kinds.gust.copies`.
pub fn on_way(way: &str) -> Option<Shape> {
    way.split('.')
        .try_fold(Shape::Map(&GAME), |shape, key| shape.behind(key))
}

pub static OPTIONS: Section = named(Shape::Map(&OPTION));
pub static DATA: Section = named(Shape::Value);
/// The values of `data`, which may also be tables.
pub static TABLES: Section = named(Shape::Either(&[
    Shape::Value,
    Shape::List(&Shape::Section(&PAIRS)),
    Shape::Map(&TABLE),
]));
pub static TYPES: Section = named(Shape::Either(&[
    Shape::List(&Shape::Name),
    Shape::Text,
    Shape::Section(&named(Shape::Either(&[
        Shape::Map(&TYPE_VALUE),
        Shape::Nothing,
        Shape::Name,
    ]))),
]));
pub static ZONES: Section = named(Shape::Either(&[Shape::Map(&ZONE), Shape::Nothing]));
pub static COMPONENTS: Section = named(Shape::Either(&[Shape::Map(&COMPONENT), Shape::Nothing]));
pub static VARS: Section = named(Shape::Either(&[TYPE, Shape::Map(&VAR)]));
pub static PAIRS: Section = named(Shape::Value);
pub static QUERIES: Section = Section::new(Naming::Signature, Shape::Value);
pub static EFFECTS: Section = Section::new(Naming::Signature, Shape::Effect);
pub static HANDLERS: Section = Section::new(
    Naming::Handler,
    Shape::Either(&[Shape::Effect, Shape::Map(&HANDLER)]),
);
pub static MODIFIERS: Section = Section::new(Naming::Query, Shape::Map(&MODIFIER));
pub static CLAUSE_TEXTS: Section = Section::new(Naming::Clause, Shape::Text);
pub static TRANSLATIONS: Section = Section::new(Naming::Language, TEXTS);

const fn named(of: Shape) -> Section {
    Section::new(Naming::Name, of)
}

const SEE: Shape = Shape::Either(&[
    Shape::Value,
    Shape::Word(&["all", "owner", "nobody", "nothing", "top"]),
]);
const SEE_ABOUT: &str = "Who sees the fronts: `all` (default), `owner` (the key `owner`), `nobody` (only the number is visible), `nothing` (not even the number), `top` (the last one), or a condition over `viewer` and the keys.";

table_of_keys! {
    pub static OPTION = "an option";
    required "type": Shape::Either(&[Shape::Word(&["bool"]), Shape::Range, Shape::List(&Shape::Name)]), "1..5",
        "`bool`, a range (`0..5`), a range with steps (`12..36 by 2`), or a list of names.";
    required "default": Shape::Value, "3", "The value when nobody sets it.";
    "title": Shape::Text, "Cards in hand", "The title for people.";
    "text": Shape::Text, "The hand with which every player begins.",
        "What the option changes, for people who set up a game.";
    "requires": Shape::Conditions, "count(seats) > 2",
        "One or more conditions over options and seats. Unless they hold, the option must keep its default.";
    "excludes": Shape::Conditions, "windy",
        "One or more conditions over options and seats. If one holds, the option must keep its default.";
    "campaign": Shape::Name, "most_gold",
        "A query without parameters: its value at the end is the value of this option in a rematch.";
    "shows": CLAUSES, "RACE-07", "The clauses that the option implements.";
}

table_of_keys! {
    pub static TYPE_VALUE = "a value of a type";
    "title": Shape::Text, "Fire", "The title for people.";
    "look": Shape::Map(&LOOK_OF_VALUE), "{color: red, symbol: flame}",
        "The color and the symbol of the value in pictures.";
}

const LETTERS: Shape = Shape::Section(&Section::new(
    Naming::Text,
    Shape::Either(&[Shape::Path, Shape::List(&Shape::Path)]),
));

table_of_keys! {
    pub static START = "a start position";
    required "on": Shape::NameOf(Referent::Zone), "square",
        "The zones on which the letters stand: a family with two keys, that of the column and that of the row.";
    required "rows": Shape::Text, "xx/../oo",
        "The rows, the last one first, on lines of their own or with `/` between them. A `.` is an empty space, a number several. Words after the rows mean what `then` says.";
    required "letters": LETTERS, "{PNBRQK: white_man, pnbrqk: black_man}",
        "The effect that each letter calls, with its space; of several letters in one key, also with the number of the letter. Or the variable that it sets for its space, to the seat or value with this number.";
    "then": Shape::List(&LETTERS), "[{wb: moves_first}, {space: passes}, {number: counts}]",
        "What the words after the rows call or set, in order: letters, `space` for a space such as `e3`, or `number`.";
}

const TEXT_OR_TEXTS: Shape = Shape::Either(&[Shape::Text, Shape::List(&Shape::Text)]);
static TEXTS_OF_NAMES: Section = Section::new(Naming::Text, TEXT_OR_TEXTS);

table_of_keys! {
    pub static NOTATION = "a notation";
    "file": Shape::Word(&["pgn", "pdn", "sgf"]), "pgn",
        "The syntax of files: tags and numbered moves (`pgn`, `pdn`), or nodes (`sgf`).";
    "tags": TEXTS, "{GameType: 21}", "What files say before the moves, besides the players and the result. A hole is a constant.";
    "letters": Shape::Section(&TEXTS_OF_NAMES), "{piece: [\"\", N, B, R, Q, K], file: abcdefgh}",
        "What stands for each value of a type, or of what the field or query gives that a hole names last: a letter each, or a list of texts. Numbers count from 1.";
    "after": Shape::Section(&TEXTS_OF_NAMES), "{checked: [\"+\", \"#\"]}",
        "Queries without parameters, and what is added to a move after which one holds or lists something; the first counts. A second text is for moves that win the game.";
    "choices": Shape::Section(&TEXTS_OF_NAMES), "{castle: O-O}",
        "The texts of a choice, by option or, of a decision without options, by its names. The first counts that no other choice has; all are read. What follows a hole with a truth value, a hole or one character, is written if it is true. A `~` at the beginning continues the move before.";
    "position": TEXT_OR_TEXTS, "[\"{stands(it)}\", \"{active}\"]",
        "The text of a position, as `start` reads it: what stands on its space `it`, empty for nothing, then each word after the rows. In words, `3P` is `PPP`, and `-` nothing.";
}

table_of_keys! {
    pub static VAR = "a variable";
    required "type": TYPE, "int",
        "The type of its values: `int`, `bool`, `seat`, `zone`, `component`, `cell`, `side`, an enum, a kind or a zone family; a plural (`ints`, `seats`) for lists.";
    "most": Shape::Value, "12", "The largest number of members, if the type is a list.";
    "each": Shape::Either(&[Shape::Value, Shape::Section(&PAIRS)]), "seats",
        "The variable has one value for each of these: seats, values of a type, components, numbers. Up to three keys: `{from: seats, to: color}`.";
    "see": SEE, "nobody", SEE_ABOUT;
    "start": Shape::Value, "true",
        "The initial value, or a list with one for each member of `each`, in their order. Default: 0, false or none.";
    "lasts": Shape::Word(&["turn", "round", "until_turn", "game"]), "round",
        "When the variable returns to its initial value: at the end of each turn or round, or, for the value of a seat, when its next turn begins.";
    "look": LOOK_ENTRY, "hidden", LOOK_ABOUT;
}

impl Shape {
    /// Returns the shape of the value of `key`, if this is a map.
    pub fn behind(self, key: &str) -> Option<Shape> {
        match self {
            Shape::Map(table) => match table.key(key) {
                Some(found) => Some(found.shape),
                None => table.others,
            },
            Shape::Section(section) => Some(section.of),
            Shape::Either(shapes) => shapes.iter().find_map(|shape| shape.behind(key)),
            Shape::Edits => on_way(key),
            Shape::Value | Shape::Json => Some(self),
            // In an overlay: `{was: 3, now: 4}`
            Shape::List(_) | Shape::Nothing => None,
            _ => matches!(key, "was" | "now").then_some(self),
        }
    }
}

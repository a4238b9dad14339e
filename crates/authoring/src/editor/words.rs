//! The keywords of the language with a sentence and an example each, for completion and hover.

use wyrmgate_compile::compile::FUNCTIONS;
use wyrmgate_lang::effect::statement::STATEMENTS;

/// A word with the same meaning in every game.
#[derive(Clone, Copy)]
pub struct Word {
    pub name: &'static str,
    /// Its form.
    pub form: &'static str,
    pub about: &'static str,
}

const fn word(name: &'static str, form: &'static str, about: &'static str) -> Word {
    Word { name, form, about }
}

/// Words that begin a line of effect text.
pub fn statements() -> impl Iterator<Item = Word> {
    let all = STATEMENTS.iter();
    all.map(|known| word(known.word, known.form, known.about))
}

/// Word operators.
pub const OPERATORS: &[Word] = &[
    word("and", "a and b", "Both conditions hold."),
    word("or", "a or b", "At least one condition holds."),
    word("not", "not a", "The condition does not hold."),
    word("in", "c in hand(p)", "The value is a member of the list."),
    word(
        "is",
        "c is dragon",
        "Tests for a kind, a value, a zone family or a query; also `empty`, `none`, `some`, `free`, `face_up`, `face_down`.",
    ),
    word(
        "where",
        "cards where .rank > 3",
        "The members of a list that fulfil the condition; in it, `it` is the member and `.x` its field `x`.",
    ),
    word(
        "sorted by",
        "cards sorted by most .rank",
        "The list in order, ascending or `most` first.",
    ),
    word(
        "with most",
        "cards with most .rank",
        "All members that share the extreme; also `with least`.",
    ),
    word(
        "some",
        "some c in hand(p) has c is dragon",
        "At least one member fulfils the condition.",
    ),
    word(
        "every",
        "every c in hand(p) has c is dragon",
        "All members fulfil the condition.",
    ),
    word(
        "no",
        "no c in hand(p) has c is dragon",
        "No member fulfils the condition.",
    ),
    word(
        "mod",
        "a mod b",
        "The remainder of a division, with the sign of the divisor.",
    ),
    word("then", "if a then b else c", "One of two values."),
    word(
        "let",
        "let n = count(hand(p)); n * n",
        "Names a value, which is evaluated once, in the rest of the expression; at the beginning of a line, until the end of the block.",
    ),
    word(
        "any",
        "any c in hand(p)",
        "Every selection of members, in a choice or as in `count(any c in hand(p) where sum(c, .rank) = 15)`; also `2 c in …`, `up to 2 c in …`.",
    ),
];

/// Predefined names.
pub const NAMES: &[Word] = &[
    word("seats", "seats", "All seats, in turn order."),
    word("active", "active", "The seat whose turn it is."),
    word("round", "round", "The number of the round."),
    word("turn", "turn", "The number of the turn."),
    word("phase", "phase", "The current phase."),
    word(
        "score",
        "score[p]",
        "The points of a seat; `p scores n` adds to them.",
    ),
    word("box", "box", "The zone of all components out of play."),
    word("it", "it", "The member that a filter examines."),
    word(
        "me",
        "me",
        "The component, in queries, effects and handlers of its kind.",
    ),
    word(
        "none",
        "none",
        "No value. Every question to it returns `none`, 0, false or an empty list.",
    ),
    word("true", "true", "It holds."),
    word("false", "false", "The condition does not hold."),
    word("viewer", "viewer", "The viewing seat in a `see` condition."),
    word(
        "north",
        "north",
        "A side of a cell; also `east`, `south`, `west`.",
    ),
    word(
        "sides",
        "sides",
        "The four sides, clockwise from the north.",
    ),
    word("origin", "origin", "The one free cell of an empty grid."),
];

/// Functions. Each can also follow a dot, with its first argument before it.
pub fn functions() -> impl Iterator<Item = Word> {
    FUNCTIONS
        .iter()
        .map(|function| word(function.name, function.form, function.about))
}

/// Members of every component.
pub const MEMBERS: &[Word] = &[
    word("zone", "c.zone", "The zone of a component."),
    word("place", "c.place", "The position in the zone, from 1."),
    word("holder", "c.holder", "The component that holds the zone."),
    word("owner", "c.owner", "The seat that owns it."),
    word("cell", "c.cell", "The cell on an open grid."),
    word(
        "rotation",
        "c.rotation",
        "The number of quarter turns clockwise.",
    ),
];

/// Returns whether every game has a function with this name.
pub fn is_function(name: &str) -> bool {
    functions().any(|word| word.name == name)
}

/// Returns whether this names the same thing in every game: `active`, `north`.
pub fn is_name(name: &str) -> bool {
    NAMES.iter().any(|word| word.name == name)
}

pub fn all() -> impl Iterator<Item = Word> {
    let fixed = [OPERATORS, NAMES, MEMBERS].into_iter().flatten();
    statements().chain(fixed.copied()).chain(functions())
}

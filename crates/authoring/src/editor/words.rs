//! The keywords of the language with a sentence and an example each, for completion and hover.

use wyrmgate_compile::compile::FUNCTIONS;

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
pub const STATEMENTS: &[Word] = &[
    word("let", "let x = 3", "Names a value until its block ends."),
    word(
        "if",
        "if a > 3: …",
        "Runs its block only if the condition holds; `else if …:` and `else:` may follow.",
    ),
    word(
        "else",
        "else: …",
        "Runs its block if the `if`, `choose` or `ask` above did not.",
    ),
    word(
        "each",
        "each d in dragons where .ridden: …",
        "Runs its block for every member of a list. `each p in seats chooses …` asks all seats at the same time and in secret.",
    ),
    word(
        "repeat",
        "repeat 2 times: …",
        "Runs its block this many times; without a number, until `stop`.",
    ),
    word(
        "while",
        "while a > 3: …",
        "Runs its block as long as the condition holds.",
    ),
    word("stop", "stop", "Leaves the innermost loop."),
    word(
        "next",
        "next",
        "Continues the innermost loop with its next iteration.",
    ),
    word("return", "return", "Leaves the effect."),
    word(
        "choose",
        "choose c in hand(p) \"Discard a card\": …",
        "Asks the active seat (or `by p`) to choose one member of a list, several, a subset or an order, or one of several `option`s. `default` or `default where …` declares the choice that is played when the time of the seat runs out.",
    ),
    word(
        "may",
        "may choose c in hand(p): …",
        "A choice that can be declined.",
    ),
    word(
        "option",
        "option NAME \"Label\" c in hand(p) if …: …",
        "An alternative below a `choose …:`. With `default` before the `:`, it is played when the time of the seat runs out.",
    ),
    word(
        "ask",
        "ask p \"Again?\": …",
        "Asks yes or no. When the time of the seat runs out, the answer is no, or yes with `default yes` before the `:`.",
    ),
    word(
        "move",
        "move c to hand(p)",
        "Puts one component, or each member of a list, on top of a zone, unless `at bottom`, `at 3` or `face down` follows.",
    ),
    word(
        "draw",
        "draw 7 from deck to hand(p)",
        "Moves components from the top of a zone, as many as there are.",
    ),
    word("shuffle", "shuffle deck", "Shuffles a zone."),
    word("roll", "roll dice", "Rolls dice."),
    word(
        "swap",
        "swap a with b",
        "Exchanges the places of two components.",
    ),
    word(
        "turn",
        "turn c face up",
        "Turns a component over. `turn of p: …` makes p active and counts the turn.",
    ),
    word(
        "turns",
        "turns from p: …",
        "Repeats turns in seat order until `stop` or the end of the game; `turns from p where not out[it]: …` skips seats.",
    ),
    word(
        "as",
        "as p: …",
        "Makes p active inside the block; no turn begins.",
    ),
    word(
        "phase",
        "phase bidding: …",
        "Announces that a phase begins and ends.",
    ),
    word(
        "round",
        "round: …",
        "Counts the round; variables with `lasts: round` reset at its end.",
    ),
    word(
        "say",
        "say \"The tower falls\" to p",
        "Shows a text to everybody, or to some seats.",
    ),
    word("show", "show c to p", "Reveals a component to seats."),
    word(
        "finish",
        "finish ranked by score[it]",
        "Ends the game: `finish won by p`, `finish drawn`, `finish ranked by …`.",
    ),
    word(
        "prevent",
        "prevent",
        "In a `before` handler: prevents the effect.",
    ),
    word(
        "proceed",
        "proceed",
        "In an `instead` handler: runs the effect after all.",
    ),
];

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

pub fn all() -> impl Iterator<Item = Word> {
    let fixed = [STATEMENTS, OPERATORS, NAMES, MEMBERS]
        .into_iter()
        .flatten();
    fixed.copied().chain(functions())
}

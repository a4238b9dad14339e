//! The keywords of the language with a sentence and an example each, for completion and hover.

/// A word with the same meaning in every game.
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
        "Does what follows only where the condition holds; `else if …:` and `else:` go on below.",
    ),
    word(
        "else",
        "else: …",
        "What happens where the `if`, `choose` or `ask` above did not.",
    ),
    word(
        "each",
        "each d in dragons where .ridden: …",
        "Does it for every member of a list. `each p in seats chooses …` asks all of them at once and in secret.",
    ),
    word(
        "repeat",
        "repeat 2 times: …",
        "Does it so many times; without a number until `stop`.",
    ),
    word(
        "while",
        "while a > 3: …",
        "Does it as long as the condition holds.",
    ),
    word("stop", "stop", "Leaves the nearest loop."),
    word(
        "next",
        "next",
        "The nearest loop goes on with its next pass.",
    ),
    word("return", "return", "Leaves the effect."),
    word(
        "choose",
        "choose c in hand(p) \"Discard a card\": …",
        "Asks the active seat (or `by p`) for one of a list, several, a subset, an order; or for one of several `option`s. \
         `default` or `default where …` says what is played for a seat whose time is up.",
    ),
    word(
        "may",
        "may choose c in hand(p): …",
        "A choice that may be declined.",
    ),
    word(
        "option",
        "option NAME \"Label\" c in hand(p) if …: …",
        "One kind of choice below a `choose …:`. With `default` before the `:` it is played for a seat whose time is up.",
    ),
    word(
        "ask",
        "ask p \"Again?\": …",
        "Yes or no. Where time is up the answer is no; with `default yes` before the `:` it is yes.",
    ),
    word(
        "move",
        "move c to hand(p)",
        "Puts one component, or each of a list, on top of a zone; `at bottom`, `at 3`, `face down` say it otherwise.",
    ),
    word(
        "draw",
        "draw 7 from deck to hand(p)",
        "Takes as many from the top as there are.",
    ),
    word("shuffle", "shuffle deck", "Mixes a zone."),
    word("roll", "roll dice", "Throws dice."),
    word("swap", "swap a with b", "Two components change places."),
    word(
        "turn",
        "turn c face up",
        "Turns a component over. `turn of p: …` makes p active and counts the turn.",
    ),
    word(
        "turns",
        "turns from p: …",
        "Turns in seat order, endlessly, until `stop` or the end of the game.",
    ),
    word(
        "as",
        "as p: …",
        "Makes p active while it lasts; no turn begins.",
    ),
    word(
        "phase",
        "phase bidding: …",
        "Tells everybody that a phase begins and ends.",
    ),
    word(
        "round",
        "round: …",
        "Counts the round; what `lasts: round` is forgotten at its end.",
    ),
    word(
        "say",
        "say \"The tower falls\" to p",
        "Tells everybody, or some seats.",
    ),
    word(
        "show",
        "show c to p",
        "Lets somebody see what a component is.",
    ),
    word(
        "finish",
        "finish ranked by score[it]",
        "Ends the game: `finish won by p`, `finish drawn`, `finish ranked by …`.",
    ),
    word(
        "prevent",
        "prevent",
        "In a `before` handler: it does not happen.",
    ),
    word(
        "proceed",
        "proceed",
        "In an `instead` handler: it happens after all.",
    ),
];

/// Word operators.
pub const OPERATORS: &[Word] = &[
    word("and", "a and b", "Both hold."),
    word("or", "a or b", "At least one holds."),
    word("not", "not a", "It does not hold."),
    word("in", "c in hand(p)", "It is a member of the list."),
    word(
        "is",
        "c is dragon",
        "It is of a kind, a value, a zone family, or a query holds of it; also `empty`, `none`, `some`, `free`, `face_up`, `face_down`.",
    ),
    word(
        "where",
        "cards where .rank > 3",
        "The members of a list of which the condition holds; in it `it` is the member and `.x` its `x`.",
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
        "Of at least one member it holds.",
    ),
    word(
        "every",
        "every c in hand(p) has c is dragon",
        "Of all members it holds.",
    ),
    word(
        "no",
        "no c in hand(p) has c is dragon",
        "Of no member it holds.",
    ),
    word(
        "mod",
        "a mod b",
        "What remains of a division; has the sign of the first number.",
    ),
    word("then", "if a then b else c", "One of two values."),
];

/// Predefined names.
pub const NAMES: &[Word] = &[
    word("seats", "seats", "All seats, in turn order."),
    word("active", "active", "Whose turn it is."),
    word("round", "round", "The number of the round."),
    word("turn", "turn", "The number of the turn."),
    word("phase", "phase", "The phase the game is in."),
    word(
        "score",
        "score[p]",
        "Points of a seat; `p scores n` adds to them.",
    ),
    word("box", "box", "The zone of everything out of play."),
    word("it", "it", "The member that a filter looks at."),
    word(
        "me",
        "me",
        "The component, in queries, effects and handlers of its kind.",
    ),
    word(
        "none",
        "none",
        "Nothing. What is asked of it is `none`, 0, false or empty.",
    ),
    word("true", "true", "It holds."),
    word("false", "false", "It does not hold."),
    word(
        "viewer",
        "viewer",
        "The seat that looks, in a `see` condition.",
    ),
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
pub const FUNCTIONS: &[Word] = &[
    word("count", "count(hand(p))", "How many members a list has."),
    word("size", "size(hand(p))", "How many members a list has."),
    word("first", "first(row(p))", "The first member, or none."),
    word(
        "the",
        "the(dragons where .owner = p)",
        "The one member, or none.",
    ),
    word(
        "bottom",
        "bottom(deck)",
        "The first component of a zone, or none.",
    ),
    word("last", "last(row(p))", "The last member, or none."),
    word("top", "top(deck)", "The last component of a zone, or none."),
    word("reversed", "reversed(1..3)", "The list from its end."),
    word("unique", "unique([1, 1, 2])", "Every member once."),
    word(
        "sum",
        "sum(dice, .face)",
        "The sum of a number of each member.",
    ),
    word(
        "max",
        "max(dice, .face)",
        "The greatest number of a list, or of two numbers.",
    ),
    word(
        "min",
        "min(3, 5)",
        "The least number of a list, or of two numbers.",
    ),
    word(
        "distinct",
        "distinct(cards, .color)",
        "How many different values the members have.",
    ),
    word(
        "keys",
        "keys(cards, .rank)",
        "The list of a value of each member.",
    ),
    word(
        "any",
        "any(cards, .rank = 3)",
        "Of at least one member it holds.",
    ),
    word("all", "all(cards, .rank < 9)", "Of all members it holds."),
    word("abs", "abs(-1)", "The number without its sign."),
    word(
        "revealed",
        "revealed(sum(hand(p), .rank))",
        "The value itself; declares that the rules reveal it on purpose, to all or to one seat: `revealed(x, p)`.",
    ),
    word("seat", "seat(2)", "A seat by its number."),
    word("seats_from", "seats_from(p)", "All seats beginning with p."),
    word("others", "others(p)", "All seats but p."),
    word("left", "left(p)", "The next seat in turn order."),
    word("right", "right(p)", "The seat before."),
    word(
        "index",
        "index([red, green], green)",
        "Which member of a list it is, from 1; 0 if none.",
    ),
    word("take", "take(deck, 3)", "The first members."),
    word(
        "beside",
        "beside(cell, north)",
        "The cell beside, on a side.",
    ),
    word("at", "at(table, cell)", "The tile at a cell, or none."),
    word("opposite", "opposite(side)", "The opposite side."),
    word(
        "turned",
        "turned(side, 1)",
        "The side so many quarters clockwise.",
    ),
    word(
        "within",
        "within(x, 3, .neighbours)",
        "What can be reached from x in at most so many steps.",
    ),
    word(
        "in_a_row",
        "in_a_row(s, .stone = p)",
        "The longest straight line through s whose spaces all fulfil the condition.",
    ),
];

/// Members of every component.
pub const MEMBERS: &[Word] = &[
    word("zone", "c.zone", "The zone it lies in."),
    word("place", "c.place", "Its place in its zone, from 1."),
    word("holder", "c.holder", "The component in whose zone it lies."),
    word("owner", "c.owner", "The seat it belongs to."),
    word("cell", "c.cell", "Where it lies on an open grid."),
    word(
        "rotation",
        "c.rotation",
        "By how many quarters it is turned.",
    ),
];

pub fn all() -> impl Iterator<Item = &'static Word> {
    [STATEMENTS, OPERATORS, NAMES, FUNCTIONS, MEMBERS]
        .into_iter()
        .flatten()
}

//! The keys of scenario files, with their values and documentation (see [`wyrmgate_lang::keys`]).

use wyrmgate_lang::shape::{Key, Naming, Section, Shape, Table};

const fn key(name: &'static str, shape: Shape, example: &'static str, about: &'static str) -> Key {
    Key {
        name,
        shape,
        required: false,
        about,
        example,
    }
}

const fn table(what: &'static str, keys: &'static [Key]) -> Table {
    Table {
        what,
        keys,
        others: None,
    }
}

const CLAUSES: Shape = Shape::Either(&[Shape::Clause, Shape::List(&Shape::Clause)]);
const WORDS: Shape = Shape::Either(&[Shape::Text, Shape::List(&Shape::Text)]);
const NUMBERS: Shape = Shape::Either(&[Shape::Number, Shape::List(&Shape::Number)]);
const CHOICES: Shape = Shape::List(&Shape::Map(&CHOICE));
const LUCK: Shape = Shape::List(&Shape::Either(&[Shape::Json, Shape::Map(&RESULT)]));
const VALUES: Shape = Shape::List(&Shape::Json);

/// A file under `scenarios/`.
pub static FILE: Shape = Shape::List(&Shape::Map(&SCENARIO));

pub static SCENARIO: Table = table(
    "a scenario",
    &[
        Key {
            required: true,
            ..key(
                "scenario",
                Shape::Text,
                "The first dragon on the last space wins at once",
                "What the scenario shows, in a sentence.",
            )
        },
        key(
            "shows",
            CLAUSES,
            "[RACE-01, RACE-03]",
            "The clauses that the scenario demonstrates.",
        ),
        key(
            "show",
            Shape::Either(&[Shape::Word(&["yes"]), Shape::Truth]),
            "yes",
            "The rulebook shows the choices that end the scenario as pictures.",
        ),
        key(
            "given",
            Shape::Map(&GIVEN),
            "{seats: 2, options: {hand_size: 2}}",
            "The setup of the game and the results of chance.",
        ),
        key(
            "refused",
            Shape::Map(&REFUSED_SETUP),
            "{option: seats, clause: RACE-04}",
            "Instead of steps: the setup must be refused.",
        ),
        key(
            "steps",
            Shape::List(&Shape::Map(&STEP)),
            "- play: {option: keep}",
            "The steps, in order.",
        ),
    ],
);

pub static GIVEN: Table = table(
    "the given setup",
    &[
        key(
            "seats",
            Shape::Number,
            "2",
            "The number of seats. Default: the minimum of the game.",
        ),
        key(
            "options",
            Shape::Section(&OPTIONS),
            "{windy: true}",
            "Options of the game that differ from their defaults.",
        ),
        key(
            "seed",
            Shape::Number,
            "7",
            "The seed of all chance that `luck` leaves open.",
        ),
        key(
            "position",
            Shape::Text,
            "1x1/3/1o1",
            "The start position, drawn as under `start` of the game.",
        ),
        key(
            "luck",
            LUCK,
            "[null, 1, 3]",
            "Results of chance in order: the value of an `at random`, or `{a: 3, b: 1}` if it has several names; each die of a roll; `{top: [ids]}` of a shuffle; `null` leaves one to the seed.",
        ),
    ],
);

pub static OPTIONS: Section = Section {
    keys: Naming::Name,
    of: Shape::Json,
};

/// All other keys are names that a random choice binds, and its `option`.
pub static RESULT: Table = Table {
    what: "a result of chance",
    keys: &[key(
        "top",
        WORDS,
        "[gust-1, gust-2]",
        "Of a shuffle: the ids of the components on top, the topmost first.",
    )],
    others: Some(Shape::Json),
};

pub static REFUSED_SETUP: Table = table(
    "a refused setup",
    &[
        key(
            "option",
            Shape::Text,
            "seats",
            "The option, or `seats`, that causes the refusal.",
        ),
        key(
            "clause",
            Shape::Clause,
            "RACE-04",
            "The clause that refuses the setup.",
        ),
    ],
);

pub static STEP: Table = table(
    "a scenario's step",
    &[
        key(
            "arrange",
            Shape::Effect,
            "move gust(1) to hand(active)",
            "Effect text that sets up any position.",
        ),
        key(
            "waiting",
            Shape::Map(&WAITING),
            "{seat: 1, options: [play, keep]}",
            "Checks which seats owe which decision.",
        ),
        key(
            "play",
            Shape::Map(&CHOICE),
            "{option: play, c: gust-1}",
            "Makes a choice: its option, and the values of its binders.",
        ),
        key(
            "refused",
            Shape::Map(&REFUSED),
            "{option: play, c: gust-1, clause: RACE-02}",
            "Checks that a choice is refused and changes nothing.",
        ),
        key("luck", LUCK, "[3, 1]", "The next results of chance."),
        key(
            "random",
            Shape::Number,
            "5",
            "Makes this many random choices.",
        ),
        key(
            "late",
            Shape::Number,
            "1",
            "Lets the time of this seat run out, so that its `default` is played.",
        ),
        key(
            "expect",
            Shape::Conditions,
            "score[seat(1)] = 3",
            "Checks conditions.",
        ),
        key(
            "sees",
            Shape::Map(&SEES),
            "{seat: 2, hides: [gust-1]}",
            "Checks a part of what a seat sees.",
        ),
        key(
            "events",
            VALUES,
            "[{type: scored, seat: 1}]",
            "Checks parts of the events since the last play, in order.",
        ),
        key(
            "no_events",
            VALUES,
            "[{type: scored}]",
            "Checks that no such event has happened since the last play.",
        ),
        key(
            "over",
            Shape::Map(&OVER),
            "{winners: [1]}",
            "Checks that the game has ended, and how.",
        ),
    ],
);

const SEAT: Key = key(
    "seat",
    Shape::Number,
    "1",
    "The number of the seat, from 1.",
);
const OPTION: Key = key(
    "option",
    Shape::Text,
    "play",
    "The name of the option, or `decline`.",
);

/// All other keys are names that the choice binds.
pub static CHOICE: Table = Table {
    what: "a choice",
    keys: &[SEAT, OPTION],
    others: Some(Shape::Json),
};

pub static REFUSED: Table = Table {
    what: "a choice that is refused",
    keys: &[
        SEAT,
        OPTION,
        key(
            "code",
            Shape::Text,
            "not-among-choices",
            "The code of the refusal.",
        ),
        key(
            "clause",
            Shape::Clause,
            "RACE-02",
            "The clause that forbids it.",
        ),
    ],
    others: Some(Shape::Json),
};

pub static WAITING: Table = table(
    "`waiting`",
    &[
        SEAT,
        key("seats", NUMBERS, "[1, 2]", "All seats that owe a decision."),
        key(
            "option",
            Shape::Text,
            "play",
            "The name of the only option.",
        ),
        key(
            "prompt",
            Shape::Text,
            "Play a card?",
            "The prompt of the decision.",
        ),
        key("kind", Shape::Text, "choose", "The kind of decision."),
        key(
            "options",
            WORDS,
            "[play, keep]",
            "The names of all options.",
        ),
        key("count", Shape::Number, "3", "The number of choices."),
        key(
            "choices",
            CHOICES,
            "[{c: gust-1}]",
            "All choices, in any order.",
        ),
        key("includes", CHOICES, "[{c: gust-1}]", "Some of the choices."),
        key(
            "excludes",
            CHOICES,
            "[{c: gust-1}]",
            "Choices that are not possible.",
        ),
    ],
);

pub static SEES: Table = table(
    "`sees`",
    &[
        Key {
            required: true,
            ..key(
                "seat",
                Shape::Either(&[Shape::Number, Shape::Word(&["public"])]),
                "1",
                "The viewer: the number of a seat, or `public`.",
            )
        },
        key("view", Shape::Json, "{turn: 3}", "A part of the view."),
        key(
            "hides",
            WORDS,
            "[gust-1]",
            "Ids that must not be in the view.",
        ),
        key(
            "events",
            VALUES,
            "[{type: moved, to: hand-2}]",
            "Parts of the events since the last play as the viewer receives them, in order.",
        ),
        key(
            "no_events",
            VALUES,
            "[{component: gust-1}]",
            "Checks that the viewer has received no such event since the last play.",
        ),
    ],
);

pub static OVER: Table = table(
    "`over`",
    &[
        key("winners", NUMBERS, "[1]", "The winners."),
        key("drawn", Shape::Truth, "true", "Whether the game is a draw."),
        key(
            "ranking",
            VALUES,
            "[[12, 3], [9, 5]]",
            "The numbers that were compared, best first.",
        ),
    ],
);

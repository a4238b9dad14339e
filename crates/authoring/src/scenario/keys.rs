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
const LUCK: Shape = Shape::List(&Shape::Either(&[Shape::Json, Shape::Map(&SHUFFLED)]));
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
                "What it shows, in a sentence.",
            )
        },
        key(
            "shows",
            CLAUSES,
            "[RACE-01, RACE-03]",
            "The clauses of the rules that it shows to hold.",
        ),
        key(
            "given",
            Shape::Map(&GIVEN),
            "{seats: 2, options: {hand_size: 2}}",
            "How the game is set up, and what chance brings.",
        ),
        key(
            "refused",
            Shape::Map(&REFUSED_SETUP),
            "{option: seats, clause: RACE-04}",
            "In place of steps: no such game may begin.",
        ),
        key(
            "steps",
            Shape::List(&Shape::Map(&STEP)),
            "- play: {option: keep}",
            "What happens, one step after the other.",
        ),
    ],
);

pub static GIVEN: Table = table(
    "what is given",
    &[
        key(
            "seats",
            Shape::Number,
            "2",
            "How many play; the least that can if nothing is said.",
        ),
        key(
            "options",
            Shape::Section(&OPTIONS),
            "{windy: true}",
            "Settings of the game that are not the default.",
        ),
        key(
            "seed",
            Shape::Number,
            "7",
            "What all chance begins with that `luck` leaves open.",
        ),
        key(
            "luck",
            LUCK,
            "[null, 1, 3]",
            "Results of chance in order: the value of an `at random`, each die of a roll, `{top: [ids]}` of a shuffle; `null` leaves one to the seed.",
        ),
    ],
);

pub static OPTIONS: Section = Section {
    keys: Naming::Name,
    of: Shape::Json,
};

pub static SHUFFLED: Table = table(
    "a shuffle's result",
    &[key(
        "top",
        WORDS,
        "[gust-1, gust-2]",
        "The ids of the components on top, the topmost first.",
    )],
);

pub static REFUSED_SETUP: Table = table(
    "a refused setup",
    &[
        key(
            "option",
            Shape::Text,
            "seats",
            "Because of which option, or of `seats`.",
        ),
        key("clause", Shape::Clause, "RACE-04", "By which clause."),
    ],
);

pub static STEP: Table = table(
    "a scenario's step",
    &[
        key(
            "arrange",
            Shape::Effect,
            "move gust(1) to hand(active)",
            "Effect text that brings about any position.",
        ),
        key(
            "waiting",
            Shape::Map(&WAITING),
            "{seat: 1, options: [play, keep]}",
            "Who owes which decision now.",
        ),
        key(
            "play",
            Shape::Map(&CHOICE),
            "{option: play, c: gust-1}",
            "A choice: its option and the names it binds, with their values.",
        ),
        key(
            "refused",
            Shape::Map(&REFUSED),
            "{option: play, c: gust-1, clause: RACE-02}",
            "A choice that must not be possible; nothing changes.",
        ),
        key("luck", LUCK, "[3, 1]", "What chance brings next."),
        key("random", Shape::Number, "5", "So many choices at random."),
        key(
            "late",
            Shape::Number,
            "1",
            "The seat lets its time pass: what the rules declare by `default` is played.",
        ),
        key(
            "expect",
            Shape::Conditions,
            "score[seat(1)] = 3",
            "Conditions that hold now.",
        ),
        key(
            "sees",
            Shape::Map(&SEES),
            "{seat: 2, hides: [gust-1]}",
            "A part of what a seat sees.",
        ),
        key(
            "events",
            VALUES,
            "[{type: scored, seat: 1}]",
            "Parts of the events since the step before, in order.",
        ),
        key(
            "no_events",
            VALUES,
            "[{type: scored}]",
            "Parts of events that have not happened since the last play.",
        ),
        key(
            "over",
            Shape::Map(&OVER),
            "{winners: [1]}",
            "The game has ended, and so.",
        ),
    ],
);

const SEAT: Key = key("seat", Shape::Number, "1", "Which seat, counted from 1.");
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
            "The code it is refused with.",
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
        key("prompt", Shape::Text, "Play a card?", "What is asked."),
        key("kind", Shape::Text, "choose", "The kind of decision."),
        key(
            "options",
            WORDS,
            "[play, keep]",
            "The names of all options.",
        ),
        key("count", Shape::Number, "3", "How many choices there are."),
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
            "What is not among the choices.",
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
                "Who looks: a seat's number, or `public`.",
            )
        },
        key("view", Shape::Json, "{turn: 3}", "A part of the view."),
        key(
            "hides",
            WORDS,
            "[gust-1]",
            "Ids that must not be in the view.",
        ),
    ],
);

pub static OVER: Table = table(
    "`over`",
    &[
        key("winners", NUMBERS, "[1]", "Who has won."),
        key("drawn", Shape::Truth, "true", "Whether it is a draw."),
        key(
            "ranking",
            VALUES,
            "[[12, 3], [9, 5]]",
            "What was compared, best first.",
        ),
    ],
);

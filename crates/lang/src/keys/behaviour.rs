//! What reacts to effects and changes values.

use super::{PAIRS, key, required, table};
use crate::shape::{Shape, Table};

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

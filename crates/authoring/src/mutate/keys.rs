//! The keys of a list of equivalent mutants (see [`wyrmgate_lang::keys`]).

use wyrmgate_lang::shape::{Key, Shape, Table};

/// `equivalents.yaml`
pub static FILE: Shape = Shape::List(&Shape::Map(&EQUIVALENT));

pub static EQUIVALENT: Table = Table {
    what: "an equivalent mutant",
    keys: &[
        Key {
            name: "change",
            shape: Shape::Text,
            required: true,
            about: "The mutation, in the words of `wyrmgate mutate`.",
            example: "\"`<` becomes `<=`\"",
        },
        Key {
            name: "at",
            shape: Shape::Text,
            required: true,
            about: "The line in the rules that contains the mutation, or a piece of it that is long enough to identify it.",
            example: "c.rank < 8",
        },
        Key {
            name: "because",
            shape: Shape::Text,
            required: true,
            about: "Why the mutation cannot change any game.",
            example: "No card has a rank of eight.",
        },
    ],
    others: None,
};

//! The keys of a list of equivalent mutants (see [`wyrmgate_lang::keys`]).

use wyrmgate_lang::shape::Shape;
use wyrmgate_lang::table_of_keys;

/// `equivalents.yaml`
pub static FILE: Shape = Shape::List(&Shape::Map(&EQUIVALENT));

table_of_keys! {
    pub static EQUIVALENT = "an equivalent mutant";
    required "change": Shape::Text, "\"`<` becomes `<=`\"",
        "The mutation, in the words of `wyrmgate mutate`.";
    required "at": Shape::Text, "c.rank < 8",
        "The line in the rules that contains the mutation, or a piece of it that is long enough to identify it.";
    required "because": Shape::Text, "No card has a rank of eight.",
        "Why the mutation cannot change any game.";
}

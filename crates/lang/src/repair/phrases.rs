//! Words and signs that are written otherwise in other languages and in speech, each with ours.

use super::rewriting::Rewritten;

/// A row: what is written, ours, and the message, in which `{}` stands for what is written.
type Phrase = (&'static str, &'static str, &'static str);

const NOT_AN_OPERATOR: &str = "`{}` is not an operator";
const NOT_A_NAME: &str = "`{}` is not a name";
const TWO_WORDS: &str = "`{}` is two words";
const WITH_MOST: &str = "`{}` is written `with most`";
const WITH_LEAST: &str = "`{}` is written `with least`";
const VALUES_IN_TEXT: &str = "every text can contain values in braces";

/// Of two phrases that begin alike, the longer one comes first.
const PHRASES: &[Phrase] = &[
    (" with max ", " with most ", WITH_MOST),
    (" with highest ", " with most ", WITH_MOST),
    (" with min ", " with least ", WITH_LEAST),
    (" with lowest ", " with least ", WITH_LEAST),
    ("face-down", "face down", TWO_WORDS),
    ("face-up", "face up", TWO_WORDS),
    ("facedown", "face down", TWO_WORDS),
    ("faceup", "face up", TWO_WORDS),
    ("at-random", "at random", TWO_WORDS),
    ("up-to", "up to", TWO_WORDS),
    ("the next player", "left(active)", NOT_A_NAME),
    ("next player", "left(active)", NOT_A_NAME),
    ("next seat", "left(active)", NOT_A_NAME),
    ("previous player", "right(active)", NOT_A_NAME),
    ("current player", "active", NOT_A_NAME),
    ("active player", "active", NOT_A_NAME),
    ("all players", "seats", NOT_A_NAME),
    ("all other players", "others(active)", NOT_A_NAME),
    ("other players", "others(active)", NOT_A_NAME),
    (
        "if ask ",
        "ask ",
        "`ask` is a statement: its block is run after a yes",
    ),
    ("<-", "=", NOT_AN_OPERATOR),
    ("!==", "!=", NOT_AN_OPERATOR),
    ("===", "=", NOT_AN_OPERATOR),
    (" f\"", " \"", VALUES_IN_TEXT),
    (" F\"", " \"", VALUES_IN_TEXT),
    (" $\"", " \"", VALUES_IN_TEXT),
];

/// Returns the line with one phrase replaced, for each phrase in it.
pub(super) fn replaced(line: &str) -> impl Iterator<Item = Rewritten> {
    let found = PHRASES.iter().filter(|(said, ..)| line.contains(said));
    found.map(|(said, ours, message)| Rewritten {
        message: message.replace("{}", said.trim()),
        line: line.replacen(said, ours, 1),
    })
}

//! Letters of other scripts that look like ours, and characters that nobody sees.

use crate::read;

/// A word, the expected message, and the expected advice.
const WORDS: &[(&str, &str, &str)] = &[
    (
        "sp\u{430}\u{441}e",
        "`а` is CYRILLIC SMALL LETTER A (U+0430), not `a`",
        "write `space` with plain letters",
    ),
    (
        "\u{3bf}ption",
        "`ο` is GREEK SMALL LETTER OMICRON (U+03BF), not `o`",
        "write `option` with plain letters",
    ),
    (
        "a\u{200b}b",
        "an invisible character: ZERO WIDTH SPACE (U+200B)",
        "delete it, or type the line again",
    ),
    (
        "a\u{ff1a}",
        "`：` is FULLWIDTH COLON (U+FF1A), not the ASCII character",
        "write `:`",
    ),
];

/// Returns the message and the advice about an effect.
fn problem(effect: &str) -> (String, String) {
    let game = format!("game: test\nplayers: 2\neffects:\n  play: let x = {effect}\n");
    let report = read(&[("test/game.yaml", &game)]).report;
    let problem = report.diagnostics.first().cloned().unwrap();
    (problem.message, problem.help.unwrap_or_default())
}

#[test]
fn the_character_is_named_and_the_word_is_written_plainly() {
    for (word, message, help) in WORDS {
        assert_eq!(problem(word), (message.to_string(), help.to_string()));
    }
}

#[test]
fn a_letter_that_resembles_none_of_ours_is_no_look_alike() {
    let (message, _) = problem("ж");
    assert!(!message.contains("CYRILLIC"), "{message}");
}

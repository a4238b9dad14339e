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

/// A file, and what is reported with its text at that place.
const HIDDEN: &[(&str, &str, &str)] = &[
    (
        "title: \"a\\e[2Jb\"",
        "\\e",
        "an escape for an invisible character: U+001B",
    ),
    (
        "title: \"\\u202Eab\"",
        "\\u202E",
        "an escape for an invisible character: RIGHT-TO-LEFT OVERRIDE (U+202E)",
    ),
    (
        "title: \"a\\rb\"",
        "\\",
        "an escape for an invisible character: U+000D",
    ),
    (
        "about: a \u{2028}b",
        "\u{2028}",
        "an invisible character: LINE SEPARATOR (U+2028)",
    ),
    (
        "about: a \u{85}b",
        "\u{85}",
        "an invisible character: U+0085",
    ),
    (
        "# \u{202e}\nabout: a",
        "\u{202e}",
        "an invisible character: RIGHT-TO-LEFT OVERRIDE (U+202E)",
    ),
];

#[test]
fn characters_that_nobody_sees_are_refused_in_files_and_in_values() {
    for (line, sign, message) in HIDDEN {
        let game = format!("game: test\nplayers: 2\n{line}\n");
        let read = read(&[("test/game.yaml", &game)]);
        let found = read.report.diagnostics.iter();
        let found: Vec<_> = found.filter(|d| d.code == "invisible-character").collect();
        let [problem] = found.as_slice() else {
            panic!("{line}: {found:?}")
        };
        assert_eq!(problem.message, *message);
        let span = problem.span.start as usize..problem.span.end as usize;
        assert_eq!(&game[span], *sign);
    }
    let words = "\u{feff}game: test\r\nplayers: 2\r\ntitle: \"می\u{200c}خواهم\\n\\t🐉\"\r\n";
    let read = read(&[("test/game.yaml", words)]);
    assert!(
        read.report
            .diagnostics
            .iter()
            .all(|d| d.code != "invisible-character")
    );
}

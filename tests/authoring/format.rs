//! `wyrmgate fmt`: what it changes, what it never changes, and that the shipped rules are formatted.

use std::fs;

use proptest::prelude::*;
use wyrmgate::diagnostic::Sources;
use wyrmgate::format::format;
use wyrmgate::lang::load;
use wyrmgate::rules::game_folders;
use wyrmgate::schema::File;

use super::{root, shipped};
use crate::support::command::{wyrmgate, wyrmgate_with_input};

#[track_caller]
fn fair(kind: File, text: &str) -> String {
    match format(kind, text) {
        Ok(fair) => fair,
        Err(report) => {
            let mut sources = Sources::default();
            sources.add("file", text);
            panic!("{}\n{text}", report.render(&sources, false))
        }
    }
}

#[track_caller]
fn check(written: &str, expected: &str) {
    let once = fair(File::Game, written);
    assert_eq!(once, expected);
    assert_eq!(
        fair(File::Game, &once),
        expected,
        "the second time it changes more"
    );
}

#[test]
fn keys_stand_at_the_column_of_their_depth() {
    check(
        "zones:\n     deck:   {holds:   card,see: nobody }\n     hand:\n       each: { owner: seats }\n",
        "zones:\n  deck: {holds: card, see: nobody}\n  hand:\n    each: {owner: seats}\n",
    );
    check(
        "include:\n- a.yaml\n- b.yaml\n",
        "include:\n  - a.yaml\n  - b.yaml\n",
    );
    check("data: [1,\n  2,\n     3]\n", "data: [1,\n  2,\n  3]\n");
    let on_a_line_of_its_own = "data:\n  a:\n    [1,\n     2]\n  b: 3\n";
    check(on_a_line_of_its_own, on_a_line_of_its_own);
}

#[test]
fn comments_and_columns_stay() {
    check(
        "# top\ndata:\n    a:    1 # one\n    abc:  2 # two\n\n\n    # of b\n    b: 3   # three\n    # behind\nvars: {x: int}\n# end\n",
        "# top\ndata:\n  a:   1 # one\n  abc: 2 # two\n\n  # of b\n  b: 3 # three\n  # behind\nvars: {x: int}\n# end\n",
    );
}

#[test]
fn effect_text_is_written_out_fair() {
    check(
        "effects:\n    play: |   # the game\n        # deal\n        draw   7 from deck to hand( p )   # seven\n        if a>1:\n            b=2\n    end: \"if a:  b=1\"\n",
        "effects:\n  play: | # the game\n    # deal\n    draw 7 from deck to hand(p) # seven\n    if a > 1:\n      b = 2\n  end: \"if a: b = 1\"\n",
    );
    check(
        "queries:\n  f(card c,int n):   c.rank+n\n",
        "queries:\n  f(card c, int n): c.rank + n\n",
    );
    check(
        "clauses:\n  AB-01:   A  (b )text.\n",
        "clauses:\n  AB-01: A  (b )text.\n",
    );
}

#[test]
fn texts_of_several_lines_keep_their_words() {
    check(
        "about: >\n      one\n      two\n\n      three\ntitle: 'it''s'\n",
        "about: >\n  one\n  two\n\n  three\ntitle: 'it''s'\n",
    );
    check("about: one\n     two\n", "about: one\n  two\n");
}

#[test]
fn code_in_overlays_is_formatted_too() {
    let text = "extends: a\nchange:\n    components.card.kinds.gust:\n        copies:   max( 1,2 )\n        effects:\n            played(seat p):   p scores   1\n    data.x: {was: 1+1, now: 2}\n";
    let fair_text = "extends: a\nchange:\n  components.card.kinds.gust:\n    copies: max(1, 2)\n    effects:\n      played(seat p): p scores 1\n  data.x: {was: 1 + 1, now: 2}\n";
    assert_eq!(fair(File::Overlay, text), fair_text);
}

#[test]
fn shipped_rules_are_formatted() {
    let ran = wyrmgate(&["fmt", "--check", "rules"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn every_shipped_file_is_a_fixed_point() {
    for path in shipped() {
        let text = fs::read_to_string(&path).unwrap();
        let once = fair(File::of(&path, &text), &text);
        assert_eq!(
            fair(File::of(&path, &once), &once),
            once,
            "{}",
            path.display()
        );
    }
}

/// Returns a definition without locations.
fn meaning(files: &[(String, String)], root: &str) -> String {
    let mut sources = Sources::default();
    let (definition, report) = load::load(&mut sources, files, root);
    let definition = definition.unwrap_or_else(|| panic!("{}", report.render(&sources, false)));
    let told = format!("{definition:?}");
    let mut meant = String::new();
    let mut rest = told.as_str();
    while let Some((before, after)) = rest.split_once("Span {") {
        meant.push_str(before);
        rest = after.split_once('}').unwrap().1;
    }
    meant + rest
}

/// Returns a badly formatted file: deeper indentation, more blanks between words of code, more empty lines.
fn spoilt(text: &str, by: usize) -> String {
    let mut spoilt = String::new();
    for (i, line) in text.lines().enumerate() {
        let indent = line.len() - line.trim_start().len();
        spoilt.extend(std::iter::repeat_n(' ', indent * by));
        spoilt.push_str(line.trim_start());
        if (i * 7 + by).is_multiple_of(5) && !line.is_empty() {
            spoilt.push_str("   ");
        }
        spoilt.push('\n');
    }
    spoilt
}

#[test]
fn formatting_keeps_what_shipped_games_mean() {
    for folder in game_folders(&root().join("rules")).unwrap() {
        let mut files = Vec::new();
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|of| of == "yaml" || of == "csv" || of == "txt")
            {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                files.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
        let before = meaning(&files, "game.yaml");
        for by in [1, 3] {
            let written = |(name, text): &(String, String)| {
                let text = match !name.ends_with(".yaml") {
                    true => text.clone(),
                    false => fair(File::Game, &spoilt(text, by)),
                };
                (name.clone(), text)
            };
            let after: Vec<(String, String)> = files.iter().map(written).collect();
            assert!(
                meaning(&after, "game.yaml") == before,
                "{}",
                folder.display()
            );
            if by > 1 {
                let is_rules = |(name, _): &&(String, String)| name.ends_with(".yaml");
                let straight: Vec<(String, String)> = files
                    .iter()
                    .filter(is_rules)
                    .map(|(name, text)| (name.clone(), fair(File::Game, text)))
                    .collect();
                for ((name, one), (_, other)) in straight.iter().zip(after.iter().filter(is_rules))
                {
                    assert_eq!(one, other, "{}/{name}", folder.display());
                }
            }
        }
    }
}

#[test]
fn a_remark_above_a_list_that_moves_to_the_right_moves_with_it() {
    check(
        "effects:\n  # remark\n- y: z\n",
        "effects:\n  # remark\n  - y: z\n",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// No text makes the formatter panic, and its result is a fixed point.
    #[test]
    fn any_text_is_formatted_or_refused(lines in prop::collection::vec(
        prop::sample::select(vec![
            "a: b", "  c: {d: e, f: [1, 2]}", "  - x", "- y: z", "  # remark", "effects:", "  play: |",
            "    if a:  b = 1", "      c=2", "", "   g: 'h'", "&i j: *i", "k: \"l\\n\"", "m: >-", "  n", "? o", "---",
            "zones: {a: {holds: c}, # why", "  b: }", "}", "[", "\t", "p:\r",
        ]), 0..12)) {
        let text = lines.join("\n");
        if let Ok(once) = format(File::Game, &text) {
            prop_assert_eq!(format(File::Game, &once).ok(), Some(once));
        }
    }
}

#[test]
fn the_command_reads_standard_input_and_checks() {
    let ran = wyrmgate_with_input(&["fmt", "-"], "data:\n     a:   1\n");
    assert_eq!((ran.code, ran.out.as_str()), (0, "data:\n  a: 1\n"));
    let ran = wyrmgate_with_input(&["fmt", "--check", "-"], "data:\n     a:   1\n");
    assert_eq!(ran.code, 1);
    let ran = wyrmgate_with_input(&["fmt", "-"], "data: [1\n");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("yaml-syntax"), "{}", ran.err);
}

#[test]
fn a_folder_is_formatted_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.yaml");
    fs::write(&path, "game:   a\n").unwrap();
    let name = folder.path().to_str().unwrap();
    assert_eq!(wyrmgate(&["fmt", "--check", name]).code, 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), "game:   a\n");
    assert_eq!(wyrmgate(&["fmt", name]).code, 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), "game: a\n");
    assert_eq!(wyrmgate(&["fmt", "--check", name]).code, 0);
}

#[test]
fn lines_end_as_they_did_and_a_byte_order_mark_goes() {
    let unix = "data:\n  a: 1\n";
    let windows = unix.replace('\n', "\r\n");
    check(&windows, &windows);
    check("data:\r\n    a:   1\r\n", &windows);
    check(&format!("\u{feff}{unix}"), unix);
}

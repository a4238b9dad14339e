//! A character of effect text is found where it really stands, in every YAML style.

use wyrmgate::diagnostic::{FileId, Report};
use wyrmgate::lang::yaml::{self, Budget, Node, NodeKind, Scalar};

use crate::random::Random;
use crate::read;

/// How a text is written as the value of a key; lines are indented by `indent`.
type Style = fn(lines: &[String], indent: &str) -> String;

const STYLES: &[(&str, Style)] = &[
    ("literal", |lines, indent| block("|", lines, indent)),
    ("stripped", |lines, indent| block("|-", lines, indent)),
    ("kept", |lines, indent| block("|+", lines, indent)),
    ("commented", |lines, indent| {
        block("|  # a note", lines, indent)
    }),
    ("folded", |lines, indent| block(">", lines, indent)),
    ("folded and stripped", |lines, indent| {
        block(">-", lines, indent)
    }),
    ("plain", |lines, indent| {
        visible(lines).join(&format!("\n{indent}"))
    }),
    ("plain with gaps", |lines, indent| {
        visible(lines).join(&format!("  \n\n{indent}  "))
    }),
    ("single", |lines, indent| {
        quoted(
            '\'',
            &lines.join(&format!("\n{indent}")).replace('\'', "''"),
        )
    }),
    ("double", |lines, indent| {
        quoted('"', &escape(&lines.join(&format!("\n{indent}"))))
    }),
    ("joined", |lines, indent| {
        quoted(
            '"',
            &escape(&lines.join(" ")).replace(' ', &format!(" \\\n{indent}")),
        )
    }),
    ("escaped", |lines, _| {
        quoted(
            '"',
            &escape(&lines.join("\n"))
                .replace('\n', "\\n")
                .replace('é', "\\u00e9"),
        )
    }),
    ("hex", |lines, _| {
        quoted(
            '"',
            &escape(&lines.join("\n"))
                .replace('\n', "\\x0A\\t")
                .replace('é', "\\xe9"),
        )
    }),
    ("surrogates", |lines, _| {
        quoted(
            '"',
            &escape(&lines.join("\\n")).replace('🐉', "\\ud83d\\udc09"),
        )
    }),
];

fn block(header: &str, lines: &[String], indent: &str) -> String {
    let body: Vec<String> = lines.iter().map(|line| format!("{indent}{line}")).collect();
    format!("{header}\n{}\n", body.join("\n"))
}

fn quoted(quote: char, text: &str) -> String {
    format!("{quote}{text}{quote}")
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn visible(lines: &[String]) -> Vec<String> {
    lines
        .iter()
        .map(|line| line.trim().to_string())
        .filter(|line| !line.is_empty())
        .collect()
}

/// Lines of words, each word the only one of its kind; some stand further right, some lines are empty.
fn lines(random: &mut Random) -> Vec<String> {
    let mut words = 0;
    let count = 1 + random.below(5);
    let mut lines: Vec<String> = (0..count).map(|i| line(random, i, &mut words)).collect();
    if lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.push("end".to_string());
    }
    lines
}

fn line(random: &mut Random, number: usize, words: &mut usize) -> String {
    if number > 0 && random.below(5) == 0 {
        return String::new();
    }
    let indent = if number > 0 {
        " ".repeat(random.below(3) * 2)
    } else {
        String::new()
    };
    let mut line = indent;
    for i in 0..1 + random.below(4) {
        if i > 0 {
            line.push_str(&" ".repeat(1 + random.below(2)));
        }
        *words += 1;
        let tail = ["", "é", "🐉", "'", "''", "\"", "\\", "\\n"][random.below(8)];
        line.push_str(&format!("w{words}{tail}"));
    }
    line
}

fn scalar_of(text: &str) -> Scalar {
    let mut report = Report::default();
    let tree = yaml::parse(FileId(0), text, &mut Budget::default(), &mut report);
    assert!(report.diagnostics.is_empty(), "{report:?}\n{text}");
    value(tree.unwrap()).unwrap()
}

/// The value of the innermost `do`.
fn value(node: Node) -> Option<Scalar> {
    let NodeKind::Map(entries) = node.kind else {
        return None;
    };
    let (_, node) = entries
        .into_iter()
        .find(|(key, _)| &*key.text == "outer" || &*key.text == "do")?;
    match node.kind {
        NodeKind::Scalar(scalar) => Some(scalar),
        _ => value(node),
    }
}

/// Where each `w17` begins.
fn words(text: &str) -> Vec<(String, usize)> {
    let mut words = Vec::new();
    for (i, _) in text.match_indices('w') {
        let digits = text[i + 1..]
            .chars()
            .take_while(char::is_ascii_digit)
            .count();
        words.push((text[i..=i + digits].to_string(), i));
    }
    words
}

fn check(name: &str, file: &str) {
    let scalar = scalar_of(file);
    let written: std::collections::HashMap<_, _> = words(file).into_iter().collect();
    let found = words(&scalar.text);
    assert!(!found.is_empty());
    for (word, at) in found {
        let span = scalar.positions.span(at, at + word.len());
        let expected = written[&word];
        let range = (span.start as usize, span.end as usize);
        assert_eq!(
            range,
            (expected, expected + word.len()),
            "{name}: {word} in\n{file}"
        );
    }
    for (i, c) in scalar
        .text
        .char_indices()
        .filter(|(_, c)| !c.is_whitespace())
    {
        let span = scalar.positions.span(i, i + c.len_utf8());
        let there = &file[span.start as usize..span.end as usize];
        let escaped = there.starts_with('\\') || there == "''";
        assert!(
            escaped || there == c.to_string(),
            "{name}: `{c}` is shown as `{there}` in\n{file}"
        );
    }
}

#[test]
fn every_visible_character_of_every_style_is_found() {
    let mut random = Random::new(7);
    for _ in 0..1_500 {
        let lines = lines(&mut random);
        for (name, style) in STYLES {
            let (bom, eol) = (
                ["", "\u{feff}"][random.below(2)],
                ["\n", "\r\n"][random.below(2)],
            );
            let file = format!("{bom}# é🐉\nouter:\n  do: {}\n", style(&lines, "    "));
            check(name, &file.replace('\n', eol));
        }
    }
}

#[test]
fn a_flow_map_keeps_positions_too() {
    let mut random = Random::new(8);
    for _ in 0..500 {
        let lines = lines(&mut random);
        for (name, style) in STYLES
            .iter()
            .filter(|(name, _)| ["plain", "single", "double", "escaped"].contains(name))
        {
            check(
                name,
                &format!("outer: {{é: 1, do: {}, b: c}}\n", style(&lines, "  ")),
            );
        }
    }
}

/// The `?` on a line of its own is the only error; it is reported where it stands.
fn error_place(file: &str) {
    let read = read(&[("game.yaml", file)]);
    let places: Vec<_> = read
        .report
        .diagnostics
        .iter()
        .map(|d| read.sources.line_column(d.span.file, d.span.start))
        .collect();
    let line = file.lines().position(|line| line.contains('?')).unwrap();
    let column = file.lines().nth(line).unwrap().find('?').unwrap();
    let before = &file.lines().nth(line).unwrap()[..column];
    assert_eq!(
        places,
        [(line + 1, before.chars().count() + 1)],
        "{file}\n{:?}",
        read.report
    );
}

#[test]
fn an_error_in_an_effect_is_reported_at_its_line_and_column() {
    let head = "game: g\nplayers: 2\neffects:\n";
    for file in [
        "  play: |\n    stop\n\n    if a:\n      b  # é\n      roll ?\n",
        "  play: |  # é\n      stop\n      roll ?\n",
        "  play: |2-\n    stop\n    roll ?\n",
        "  play: >\n    say\n    \"é\" to\n    ?\n",
        "  play: >\n    stop\n\n    roll\n    ?\n    ",
        "  play: say \"é\"\n    to\n    ?\n",
        "  play: 'say \"it''s\" to ?'\n",
        "  play: 'stop\n\n    say \"it''s\" to ?'\n",
        "  play: \"say \\\"\\u00e9\\\" to\\\n     \\  ?\"\n",
        "  play: \"stop\\nroll ?\"\n",
    ] {
        error_place(&format!("{head}{file}"));
    }
}

#[test]
fn the_end_of_a_line_is_behind_its_last_character() {
    let file = "game: g\nplayers: 2\neffects:\n  play: |\n    stop\n    move a to  # é\n    stop\n";
    let read = read(&[("game.yaml", file)]);
    let d = &read.report.diagnostics[0];
    assert_eq!(read.sources.line_column(d.span.file, d.span.start), (6, 19));
}

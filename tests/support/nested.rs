//! Rules that nest: one row for each construct that can contain itself, and what happens at its limit and beyond.
//!
//! Where one construct nests in another, every program that reads rules, translates them, plays, describes or draws goes as deep.
//! The tests that use these rows send them through everything that does, on the smallest stack of all.

use std::fmt::Write;

/// Far beyond every limit.
pub const FAR: usize = 1_500;

/// A construct that nests.
pub struct Nested {
    pub name: &'static str,
    /// How deep it may nest; [`FAR`] if nothing goes as deep as it is written, 0 if it is refused at any depth.
    pub most: usize,
    /// The codes of the reports about more, any one of which may come first.
    pub codes: &'static [&'static str],
    /// Files of rules in which it nests so deep: a game, then overlays on it.
    pub write: fn(usize) -> Vec<String>,
}

const BYTES: &[&str] = &["bundle-size", "file-size"];

/// `section:`, then a line for each level; the last one is `end`.
fn chain(head: &str, depth: usize, line: impl Fn(usize) -> String, end: &str) -> String {
    let mut text = format!("{head}:\n");
    for level in 0..depth {
        writeln!(text, "  {}", line(level)).unwrap();
    }
    writeln!(text, "  {end}").unwrap();
    text
}

/// A game of one decision, with these sections and these lines before the decision.
fn game(sections: &str, before: &str) -> String {
    let lines = before.lines().map(|line| format!("    {line}\n"));
    format!(
        "game: nested\nplayers: 2\n{sections}effects:\n  play: |\n{}    turn of seat(1):\n      choose n in 1..3: \
         score[active] += n\n    finish drawn\n",
        lines.collect::<String>()
    )
}

/// Queries `q0`, `q1`, … in which each uses the next; the game asks for the first.
fn queries(depth: usize, line: impl Fn(usize) -> String, last: &str, asked: &str) -> Vec<String> {
    vec![game(&chain("queries", depth, line, last), asked)]
}

fn around(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

/// An expression in the game.
fn value(text: String) -> Vec<String> {
    vec![game("", &format!("let x = {text}\nsay \"{{x}}\""))]
}

/// Blocks in blocks.
fn blocks(head: &str, inner: &str, depth: usize) -> Vec<String> {
    let mut text = String::new();
    for level in 0..depth {
        writeln!(
            text,
            "{}{}",
            " ".repeat(level),
            head.replace('#', &level.to_string())
        )
        .unwrap();
    }
    writeln!(text, "{}{inner}", " ".repeat(depth)).unwrap();
    vec![game("", &text)]
}

/// A game in which so many crates come to lie in one another with the first move.
pub fn crates(count: usize) -> Vec<String> {
    vec![format!(
        "game: nested\nplayers: 2\nzones: {{row: {{}}}}\ncomponents: {{crate: {{each: {{n: 1..{count}}}, \
         holds: {{inside: crate}}, in: row}}}}\neffects:\n  play: |\n    turn of seat(1):\n      \
         choose n in 1..3: score[active] += n\n    each c in crates where .n > 1: move c to crate(c.n - 1).inside\n    \
         turn of seat(1):\n      choose n in 1..3: score[active] += n\n    finish drawn\n"
    )]
}

const ASK: &str = "if q0 > 0: say \"yes\"";

pub const CONSTRUCTS: &[Nested] = &[
    Nested {
        name: "queries that add",
        most: 255,
        codes: &["query-depth"],
        write: |depth| {
            let last = format!("q{depth}: 1");
            queries(depth, |at| format!("q{at}: q{} + 1", at + 1), &last, ASK)
        },
    },
    Nested {
        name: "queries that are others",
        most: 511,
        codes: &["query-depth"],
        write: |depth| {
            let last = format!("q{depth}: 1");
            queries(depth, |at| format!("q{at}: q{}", at + 1), &last, ASK)
        },
    },
    Nested {
        name: "queries that negate",
        most: 169,
        codes: &["query-depth"],
        write: |depth| {
            let last = format!("q{depth}: score[seat(1)] > 0");
            let line = |at| format!("q{at}: not q{} and score[seat(2)] = {at}", at + 1);
            queries(depth, line, &last, "if q0: say \"yes\"")
        },
    },
    Nested {
        name: "queries with a parameter",
        most: 511,
        codes: &["query-depth"],
        write: |depth| {
            let last = format!("q{depth}(int x): x");
            let line = |at| format!("q{at}(int x): q{}(x)", at + 1);
            queries(depth, line, &last, "if q0(1) > 0: say \"yes\"")
        },
    },
    Nested {
        name: "queries that pass on a sum",
        most: 255,
        codes: &["query-depth"],
        write: |depth| {
            let last = format!("q{depth}(int x): x + score[seat(1)]");
            let line = |at| format!("q{at}(int x): q{}(x + score[seat(2)])", at + 1);
            queries(depth, line, &last, "if q0(1) > 0: say \"yes\"")
        },
    },
    Nested {
        name: "queries that count",
        most: 127,
        codes: &["query-depth"],
        write: |depth| {
            let last = format!("q{depth}(int x): x");
            let line = |at| format!("q{at}(int x): count(1..2 where q{}(it) > 0)", at + 1);
            queries(depth, line, &last, "say \"started\"")
        },
    },
    Nested {
        name: "queries that use the next twice",
        most: 254,
        codes: &["query-depth"],
        write: |depth| {
            let last = format!("q{depth}: score[seat(1)]");
            queries(
                depth,
                |at| format!("q{at}: q{0} + q{0}", at + 1),
                &last,
                "say \"started\"",
            )
        },
    },
    Nested {
        name: "queries that name the next twice and are nothing",
        most: 170,
        codes: &["query-depth"],
        write: |depth| {
            let last = format!("q{depth}(int x): x");
            let line = |at| format!("q{at}(int x): let a = q{0}(x); let b = q{0}(x); x", at + 1);
            queries(depth, line, &last, "say \"started\"")
        },
    },
    Nested {
        name: "queries of a kind",
        most: 511,
        codes: &["query-depth"],
        write: |depth| {
            let line = |at| format!("    q{at}: me.q{}", at + 1);
            let last = format!("    q{depth}: 1");
            let kind = chain(
                "components:\n  pawn:\n    copies: 2\n    queries",
                depth,
                line,
                &last,
            );
            vec![game(&kind, "if pawn(1).q0 > 0: say \"yes\"")]
        },
    },
    Nested {
        name: "what-ifs in queries",
        most: 170,
        codes: &["query-depth"],
        write: |depth| {
            let last = format!("q{depth}: 1");
            let line = |at| format!("q{at}: after(e, q{}) + 1", at + 1);
            let mut files = queries(depth, line, &last, "say \"started\"");
            files[0] += "  e: score[seat(1)] += 1\n";
            files
        },
    },
    Nested {
        name: "modifiers that ask the next query",
        most: 127,
        codes: &["query-depth"],
        write: |depth| {
            let queries = chain(
                "queries",
                depth,
                |at| format!("q{at}(seat s): 0"),
                &format!("q{depth}(seat s): 1"),
            );
            let line = |at| format!("q{at}(seat s): {{if: 'q{}(s) > 0', add: 1}}", at + 1);
            let modifiers = chain("modifiers", depth, line, "");
            vec![game(
                &(queries + &modifiers),
                "if q0(seat(1)) > 0: say \"yes\"",
            )]
        },
    },
    Nested {
        name: "modifiers of one query",
        most: 128,
        codes: &["modifiers"],
        write: |depth| {
            let line = |at| {
                format!(
                    "k{at}: {{in: box, modifiers: {{q(seat s): {{if: \"score[s] > {at}\", set: value + 1}}}}}}"
                )
            };
            let kinds = chain("components", depth, line, "");
            vec![game(
                &format!("queries: {{q(seat s): 1}}\n{kinds}"),
                "if q(seat(1)) > 0: say \"yes\"",
            )]
        },
    },
    Nested {
        name: "who sees, through queries",
        most: 511,
        codes: &["query-depth"],
        write: |depth| {
            let last = format!("q{depth}(seat s): score[s] > 0");
            let line = |at| format!("q{at}(seat s): q{}(s)", at + 1);
            let queries = chain("queries", depth, line, &last);
            let rest =
                "zones: {deck: {see: q0(viewer)}}\ncomponents: {card: {copies: 3, in: deck}}\n";
            vec![game(&(queries + rest), "")]
        },
    },
    Nested {
        name: "effects that call others",
        most: FAR,
        codes: &[],
        write: |depth| {
            let mut text = game("", "e0");
            text += &chain(
                "x",
                depth,
                |at| format!("e{at}: e{}", at + 1),
                &format!("e{depth}: score[seat(1)] += 1"),
            )[3..];
            vec![text]
        },
    },
    Nested {
        name: "effects whose results others return",
        most: FAR,
        codes: &[],
        write: |depth| {
            let mut text = game("", "let x = e0()\nsay \"{x}\"");
            text += &chain(
                "x",
                depth,
                |at| {
                    let next = at + 1;
                    format!("int e{at}(): |\n    let x = e{next}()\n    return x")
                },
                &format!("int e{depth}(): return 1"),
            )[3..];
            vec![text]
        },
    },
    Nested {
        name: "what-ifs of effects that ask what if",
        most: FAR,
        codes: &[],
        write: |depth| {
            let mut text = game("", "e0");
            let line = |at| {
                format!(
                    "e{at}: \"if after(e{}, score[seat(1)]) > 0: score[seat(1)] += 1\"",
                    at + 1
                )
            };
            text += &chain("x", depth, line, &format!("e{depth}: score[seat(1)] += 1"))[3..];
            vec![text]
        },
    },
    Nested {
        name: "handlers that cause the next",
        most: FAR,
        codes: &[],
        write: |depth| {
            let mut text = game("", "e0");
            text += &chain("x", depth, |at| format!("e{at}: score[seat(1)] += 1"), "")[3..];
            text += &chain(
                "handlers",
                depth.saturating_sub(1),
                |at| format!("after e{at}: e{}", at + 1),
                "",
            );
            vec![text]
        },
    },
    Nested {
        name: "handlers of one effect",
        most: FAR,
        codes: &[],
        write: |depth| {
            let line = |at| {
                format!(
                    "k{at}: {{in: box, handlers: {{instead e: {{if: \"score[seat(1)] > {at}\", do: proceed}}}}}}"
                )
            };
            let mut text = game(&chain("components", depth.min(1_000), line, ""), "e");
            text += "  e: score[seat(1)] += 1\n";
            vec![text]
        },
    },
    Nested {
        name: "constants of constants",
        most: FAR,
        codes: &[],
        write: |depth| {
            let data = chain(
                "data",
                depth,
                |at| {
                    format!(
                        "d{}: {}",
                        at + 1,
                        match at {
                            0 => "1".to_owned(),
                            _ => format!("d{at} + 1"),
                        }
                    )
                },
                "",
            );
            vec![game(&data, "say \"{d1}\"")]
        },
    },
    Nested {
        name: "constants of later constants",
        most: 0,
        codes: &["unknown-name", "circular-constant"],
        write: |depth| {
            let data = chain(
                "data",
                depth,
                |at| format!("d{at}: d{} + 1", at + 1),
                &format!("d{depth}: 1"),
            );
            vec![game(&data, "say \"{d0}\"")]
        },
    },
    Nested {
        name: "records of records",
        most: 0,
        codes: &["unknown-type", "record"],
        write: |depth| {
            let types = chain(
                "types",
                depth,
                |at| format!("r{at}: {{a: r{}}}", at + 1),
                &format!("r{depth}: {{a: int}}"),
            );
            vec![game(&types, "")]
        },
    },
    Nested {
        name: "brackets",
        most: 64,
        codes: &["nesting", "effect-size"],
        write: |depth| value(around("(", "1", ")", depth)),
    },
    Nested {
        name: "lists in lists",
        most: 1,
        codes: &["list-in-list", "nesting", "effect-size"],
        write: |depth| value(format!("count({})", around("[", "1", "]", depth))),
    },
    Nested {
        name: "zones in brackets",
        most: 0,
        codes: &["zone-in-brackets", "nesting", "effect-size"],
        write: |depth| {
            let zone = "zones: {trip: {each: {owner: seats, n: 1..3}}}\n";
            let text = around("trip[", "active", "]", depth.max(20));
            vec![game(zone, &format!("let x = {text}\nsay \"{{x}}\""))]
        },
    },
    Nested {
        name: "functions in functions",
        most: 64,
        codes: &["nesting", "effect-size"],
        write: |depth| value(around("abs(", "1", ")", depth)),
    },
    Nested {
        name: "sums",
        most: 256,
        codes: &["operators", "effect-size"],
        write: |depth| {
            value(format!(
                "score[seat(1)]{}",
                " + 1".repeat(depth.saturating_sub(1))
            ))
        },
    },
    Nested {
        name: "sums in brackets",
        most: 64,
        codes: &["nesting", "effect-size"],
        write: |depth| {
            let more = 240usize.saturating_sub(depth);
            value(format!(
                "{}{}",
                around("(1 + ", "score[seat(1)]", ")", depth),
                " + 1".repeat(more)
            ))
        },
    },
    Nested {
        name: "negation",
        most: 255,
        codes: &["operators", "effect-size"],
        write: |depth| value(format!("if {}true then 1 else 2", "not ".repeat(depth))),
    },
    Nested {
        name: "conditions",
        most: 256,
        codes: &["operators", "effect-size"],
        write: |depth| {
            vec![game(
                "",
                &format!("if true{}: say \"yes\"", " and true".repeat(depth)),
            )]
        },
    },
    Nested {
        name: "either, or",
        most: 64,
        codes: &["nesting", "operators", "effect-size"],
        write: |depth| {
            value(format!(
                "{}1",
                "if score[seat(1)] = 1 then 1 else ".repeat(depth)
            ))
        },
    },
    Nested {
        name: "names in values",
        most: 128,
        codes: &["nesting", "operators", "effect-size"],
        write: |depth| {
            let names = (0..depth).map(|at| format!("let a{at} = score[seat(1)]; "));
            value(format!("{}1", names.collect::<String>()))
        },
    },
    Nested {
        name: "quantifiers",
        most: 32,
        codes: &["nesting", "operators", "effect-size"],
        write: |depth| {
            let all = (0..depth).map(|at| format!("some p{at} in seats has "));
            vec![game(
                "",
                &format!("if {}true: say \"yes\"", all.collect::<String>()),
            )]
        },
    },
    Nested {
        name: "filters in filters",
        most: 21,
        codes: &["nesting", "operators", "effect-size"],
        write: |depth| {
            value(around(
                "count(1..2 where it = ",
                "score[seat(1)]",
                ")",
                depth,
            ))
        },
    },
    Nested {
        name: "filters after filters",
        most: 100,
        codes: &["operators", "effect-size"],
        write: |depth| value(format!("count(1..2{})", " where it > 0".repeat(depth))),
    },
    Nested {
        name: "texts in texts",
        most: 1,
        codes: &["text-as-value", "nesting", "effect-size"],
        write: |depth| {
            vec![game(
                "",
                &format!("say {}", around("\"{abs(", "1", ")}\"", depth)),
            )]
        },
    },
    Nested {
        name: "if in if",
        most: 30,
        codes: &["nesting", "effect-size"],
        write: |depth| blocks("if score[seat(1)] = #:", "score[seat(2)] += 1", depth),
    },
    Nested {
        name: "loops in loops",
        most: 30,
        codes: &["nesting", "effect-size"],
        write: |depth| blocks("each s# in [seat(1)]:", "score[seat(2)] += 1", depth),
    },
    Nested {
        name: "turns in turns",
        most: 30,
        codes: &["nesting", "effect-size"],
        write: |depth| blocks("turn of seat(1):", "score[active] += 1", depth),
    },
    Nested {
        name: "decisions in decisions",
        most: 30,
        codes: &["nesting", "effect-size"],
        write: |depth| {
            blocks(
                "choose n# in 1..2 by seat(1):",
                "score[seat(1)] += 1",
                depth,
            )
        },
    },
    Nested {
        name: "lists in YAML",
        most: 30,
        codes: &["yaml-depth"],
        write: |depth| {
            vec![game(
                &format!("data: {{a: {}}}\n", around("[", "1", "]", depth)),
                "",
            )]
        },
    },
    Nested {
        name: "maps in YAML",
        most: 0,
        codes: &["yaml-depth", "unexpected-value", "value"],
        write: |depth| {
            vec![game(
                &format!("data: {{a: {}}}\n", around("{a: ", "1", "}", depth)),
                "",
            )]
        },
    },
    Nested {
        name: "lists in blocks of YAML",
        most: 0,
        codes: &["yaml-depth"],
        write: |depth| {
            vec![game(
                &format!("data:\n  a:\n    {}1\n", "- ".repeat(depth.min(FAR))),
                "",
            )]
        },
    },
    Nested {
        name: "keys of YAML that are lists",
        most: 0,
        codes: &["yaml-depth", "yaml", "yaml-key"],
        write: |depth| {
            vec![game(
                &format!("data: {}\n", around("? [", "a", "]", depth)),
                "",
            )]
        },
    },
    Nested {
        name: "tags of YAML",
        most: 0,
        codes: &["yaml", "yaml-tag"],
        write: |depth| {
            vec![game(
                &format!("data: {{a: {}1}}\n", "!a ".repeat(depth)),
                "",
            )]
        },
    },
    Nested {
        name: "kinds that hold the next kind",
        most: FAR,
        codes: &[],
        write: |depth| {
            let line = |at| format!("k{at}: {{holds: {{inside: k{}}}, in: table}}", at + 1);
            let kinds = chain(
                "components",
                depth,
                line,
                &format!("k{depth}: {{in: table}}"),
            );
            let moves = (0..depth.min(300))
                .rev()
                .map(|at| format!("move k{} to k{at}.inside\n", at + 1));
            let moves: String = moves.collect();
            vec![game(&format!("zones: {{table: {{}}}}\n{kinds}"), &moves)]
        },
    },
    Nested {
        name: "components in components",
        most: FAR,
        codes: &[],
        write: |depth| crates(depth.min(1_500)),
    },
    Nested {
        name: "components in components, the inner ones first",
        most: FAR,
        codes: &[],
        write: |depth| {
            let count = depth.min(1_500);
            let mut files = crates(count);
            let inner_first =
                format!("crate({count} - c.n + 2) to crate({count} - c.n + 1).inside");
            files[0] = files[0].replace("c to crate(c.n - 1).inside", &inner_first);
            files
        },
    },
    Nested {
        name: "files that include the next",
        most: 0,
        codes: &["missing-file", "include", "unknown-key"],
        write: |_| vec![game("include: [game.yaml]\n", "")],
    },
    Nested {
        name: "overlays on all overlays before",
        most: 63,
        codes: &["overlays", "bundle-size", "file-size"],
        write: |depth| {
            let overlay = |number: usize| {
                let before = (1..number).map(|before| format!("+overlay-{before}"));
                let before: String = before.collect();
                format!("extends: nested{before}\nchange: {{title: Number {number}}}\n")
            };
            let overlays = (1..=depth.min(100)).map(overlay);
            [game("", "")].into_iter().chain(overlays).collect()
        },
    },
    Nested {
        name: "a path of steps",
        most: FAR,
        codes: &[],
        write: |depth| {
            let board = format!(
                "zones: {{space: {{each: {{at: 0..{}}}}}}}\n",
                depth.min(1_000)
            );
            vec![game(
                &board,
                "choose path way from space(0) in space where it not in way by seat(1): say \"went\"",
            )]
        },
    },
];

//! Checking takes time in proportion to the rules: four times as many declarations take four times the work, in many shapes.
//!
//! Measures the processor time of one thread, the minimum of several runs, so that other load does not count.

use std::fmt::Write;
use std::time::Duration;

use cpu_time::ThreadTime;
use wyrmgate::check::{Cores, check_on, warn_on};
use wyrmgate::lang::Bundle;

/// Quadratic work would take sixteen times as long; what does not grow makes the ratio smaller.
const RATIO_MAX: f64 = 6.5;
const RUNS: usize = 1;
/// Runs that are made when the first ones disagree with the claim: a machine may have been busy.
const TRIES: usize = 4;

/// A shape of rules: a game with a number of declarations, and the overlay on it, if there is one.
struct Shape {
    name: &'static str,
    /// Number of declarations at first; then four times as many.
    count: usize,
    write: fn(usize) -> (String, String),
}

/// `section:`, then a line for each number.
fn section(head: &str, count: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = format!("{head}:\n");
    for number in 0..count {
        writeln!(text, "  {}", line(number)).unwrap();
    }
    text
}

fn with_play(play: &str, effects: &str, rest: &str) -> (String, String) {
    let effects = format!("effects:\n  play: {play}\n{effects}");
    (
        format!("game: fuzz\nplayers: 2\n{effects}{rest}"),
        String::new(),
    )
}

fn game(rest: &str) -> (String, String) {
    with_play("finish drawn", "", rest)
}

fn effects(count: usize, line: impl Fn(usize) -> String) -> (String, String) {
    let effects = section("", count, line);
    with_play("finish drawn", effects.trim_start_matches(":\n"), "")
}

fn kinds(count: usize, kind: impl Fn(usize) -> String) -> (String, String) {
    let kinds = (0..count).map(|n| format!("      k{n}: {}\n", kind(n)));
    let kinds: String = kinds.collect();
    game(&format!("components:\n  card:\n    kinds:\n{kinds}"))
}

fn overlay(count: usize, verb: &str, line: impl Fn(usize) -> String) -> (String, String) {
    let data = section("data", count, |n| format!("d{n}: {n}"));
    let lines = (0..count).map(|n| format!("  {}\n", line(n)));
    let overlay = format!("extends: fuzz\n{verb}:\n{}", lines.collect::<String>());
    (game(&data).0, overlay)
}

const SHAPES: &[Shape] = &[
    Shape {
        name: "zones",
        count: 500,
        write: |n| game(&section("zones", n, |i| format!("z{i}: {{}}"))),
    },
    Shape {
        name: "too many zones",
        count: 3_000,
        write: |n| game(&section("zones", n, |i| format!("z{i}: {{}}"))),
    },
    Shape {
        name: "components",
        count: 1_000,
        write: |n| game(&section("components", n, |i| format!("c{i}: {{}}"))),
    },
    Shape {
        name: "kinds with fields",
        count: 1_000,
        write: |n| kinds(n, |i| format!("{{fields: {{f{i}: 1}}}}")),
    },
    Shape {
        name: "kinds with effects",
        count: 1_000,
        write: |n| kinds(n, |i| format!("{{effects: {{go(seat p): p scores {i}}}}}")),
    },
    Shape {
        name: "kinds with queries",
        count: 1_000,
        write: |n| kinds(n, |i| format!("{{queries: {{worth(int p): p + {i}}}}}")),
    },
    Shape {
        name: "fields and backs",
        count: 1_000,
        write: |n| {
            let fields: Vec<String> = (0..n).map(|i| format!("f{i}: 1")).collect();
            let backs: Vec<String> = (0..n).map(|i| format!("f{i}")).collect();
            let (fields, backs) = (fields.join(", "), backs.join(", "));
            game(&format!(
                "components:\n  card: {{fields: {{{fields}}}, back: [{backs}]}}\n"
            ))
        },
    },
    Shape {
        name: "variables",
        count: 2_000,
        write: |n| game(&section("vars", n, |i| format!("v{i}: int"))),
    },
    Shape {
        name: "values",
        count: 2_000,
        write: |n| game(&section("types", n, |i| format!("t{i}: [a{i}, b{i}]"))),
    },
    Shape {
        name: "constants",
        count: 2_000,
        write: |n| game(&section("data", n, |i| format!("d{i}: {i}"))),
    },
    Shape {
        name: "effects",
        count: 1_000,
        write: |n| effects(n, |i| format!("seat p goes{i} int n: p scores n")),
    },
    Shape {
        name: "effects that call each other",
        count: 1_000,
        write: |n| effects(n, |i| format!("do_it{i}: do_it{}", (i + 1) % n.max(1))),
    },
    Shape {
        name: "effects in a row",
        count: 1_000,
        write: |n| {
            effects(n, |i| match i + 1 == n {
                true => format!("do_it{i}: finish drawn"),
                false => format!("do_it{i}: do_it{}", i + 1),
            })
        },
    },
    Shape {
        name: "handlers",
        count: 600,
        write: |n| {
            let (game, _) = effects(n, |i| format!("do_it{i}: finish drawn"));
            let handlers = section("handlers", n, |i| {
                format!("after do_it{i}: seat(1) scores 1")
            });
            (game + &handlers, String::new())
        },
    },
    Shape {
        name: "queries",
        count: 2_000,
        write: |n| game(&section("queries", n, |i| format!("q{i}(int a): a + {i}"))),
    },
    Shape {
        name: "options",
        count: 400,
        write: |n| {
            game(&section("options", n, |i| {
                format!(
                    "o{i}: {{type: bool, default: false, requires: not o{}}}",
                    (i + 1) % n
                )
            }))
        },
    },
    Shape {
        name: "decisions and texts",
        count: 800,
        write: |n| {
            effects(n, |i| {
                format!("do_it{i}: choose x in 1..3 by seat(1) \"Which of {i}?\"")
            })
        },
    },
    Shape {
        name: "clauses that are cited",
        count: 1_000,
        write: |n| {
            let (game, _) = effects(n, |i| format!("do_it{i}: finish drawn [AB-{i}]"));
            let clauses = section("clauses", n, |i| format!("AB-{i}: words"));
            (game + &clauses, String::new())
        },
    },
    Shape {
        name: "translations",
        count: 1_000,
        write: |n| {
            let clauses = section("clauses", n, |i| format!("AB-{i}: words"));
            let texts: String = (0..n).map(|i| format!("    AB-{i}: palabras\n")).collect();
            game(&format!("{clauses}translations:\n  es:\n{texts}"))
        },
    },
    Shape {
        name: "translations of nothing",
        count: 1_500,
        write: |n| {
            let texts: String = (0..n).map(|i| format!("    Zone {i}: Zona\n")).collect();
            game(&format!("translations:\n  es:\n{texts}"))
        },
    },
    Shape {
        name: "names that are declared twice",
        count: 1_500,
        write: |n| {
            let data = section("data", n, |i| format!("d{i}: {i}"));
            game(&(data + &section("vars", n, |i| format!("d{i}: int"))))
        },
    },
    Shape {
        name: "names that are not declared",
        count: 1_500,
        write: |n| effects(n, |i| format!("do_it{i}: shuffle heap{i}")),
    },
    Shape {
        name: "an overlay that changes",
        count: 1_500,
        write: |n| overlay(n, "change", |i| format!("data.d{i}: {}", i + 1)),
    },
    Shape {
        name: "an overlay that adds",
        count: 1_500,
        write: |n| overlay(n, "add", |i| format!("data.e{i}: {i}")),
    },
    Shape {
        name: "an overlay that removes",
        count: 1_500,
        write: |n| overlay(n, "remove", |i| format!("- data.d{i}")),
    },
];

/// The processor time that reading, checking and reporting take.
fn work(shape: &Shape, count: usize) -> Duration {
    let (game, overlay) = (shape.write)(count);
    let mut bundle = Bundle {
        name: "fuzz".into(),
        files: vec![("game.yaml".into(), game)],
        roots: vec!["game.yaml".into()],
    };
    if !overlay.is_empty() {
        bundle.files.push(("overlay.yaml".into(), overlay));
        bundle.roots.push("overlay.yaml".into());
    }
    let run = || {
        let before = ThreadTime::now();
        let mut loaded = bundle.load();
        let cores = Cores::none();
        let definition = loaded.definition.take();
        let checked = definition.and_then(|d| check_on(&cores, d, &mut loaded.report));
        if let Some(checked) = &checked {
            warn_on(&cores, checked, &mut loaded.report);
        }
        let told = loaded.report.render(&loaded.sources, false);
        assert!(!told.contains("[file-size]"), "{}: {told}", shape.name);
        before.elapsed()
    };
    (0..RUNS).map(|_| run()).min().unwrap()
}

#[test]
fn four_times_the_rules_take_four_times_the_work() {
    for shape in SHAPES {
        let ratios = (0..TRIES).map(|_| {
            let (one, four) = (work(shape, shape.count), work(shape, 4 * shape.count));
            four.as_secs_f64() / one.as_secs_f64()
        });
        let mut least = f64::MAX;
        let is_linear = ratios.into_iter().any(|ratio| {
            least = least.min(ratio);
            ratio <= RATIO_MAX
        });
        assert!(is_linear, "{}: {least:.1} times the work", shape.name);
    }
}

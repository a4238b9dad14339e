//! Oversized input is refused with a named limit, and nothing overflows the stack of an ordinary thread.

use wyrmgate::lang::limits::{
    EFFECT_BYTES_MAX, FILE_BYTES_MAX, NESTING_MAX, OPERATORS_MAX, SCALAR_BYTES_MAX,
};

use crate::{Read, read};

fn game(rest: &str) -> String {
    format!("game: g\nplayers: 2\n{rest}")
}

fn codes(read: &Read) -> Vec<&'static str> {
    read.report.diagnostics.iter().map(|d| d.code).collect()
}

/// Returns the codes of an effect text that is parsed on a thread with the small stack of a server's worker.
fn effect_codes(text: &str) -> Vec<&'static str> {
    let lines: Vec<String> = text.lines().map(|line| format!("    {line}")).collect();
    let file = game(&format!("effects:\n  play: |\n{}\n", lines.join("\n")));
    let reading = move || codes(&read(&[("game.yaml", &file)]));
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(reading)
        .unwrap()
        .join()
        .unwrap()
}

fn file_codes(text: &str) -> Vec<&'static str> {
    codes(&read(&[("game.yaml", text)]))
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

fn blocks(head: &str, depth: usize) -> String {
    let lines: Vec<String> = (0..depth)
        .map(|i| format!("{}{head}\n", " ".repeat(i)))
        .collect();
    format!("{}{}stop", lines.concat(), " ".repeat(depth))
}

#[test]
fn nesting_up_to_the_limit_is_fine() {
    assert_eq!(
        effect_codes(&format!("let x = {}", nested("(", "1", ")", NESTING_MAX))),
        [""; 0]
    );
    assert_eq!(
        effect_codes(&format!("let x = {}", nested("f(", "1", ")", NESTING_MAX))),
        [""; 0]
    );
    assert_eq!(
        effect_codes(&format!("let x = {}", nested("[", "1", "]", NESTING_MAX))),
        [""; 0]
    );
    assert_eq!(effect_codes(&blocks("if a:", NESTING_MAX / 2)), [""; 0]);
    assert_eq!(
        effect_codes(&blocks("turn of p:", NESTING_MAX / 2)),
        [""; 0]
    );
    assert_eq!(
        effect_codes(&format!("{} stop", "each p in s: ".repeat(NESTING_MAX))),
        [""; 0]
    );
    let holes = format!("say {}", nested("\"{f(", "1", ")}\"", NESTING_MAX / 3));
    assert_eq!(effect_codes(&holes), [""; 0]);
}

#[test]
fn deep_nesting_is_named() {
    for text in [
        format!("let x = {}", nested("(", "1", ")", NESTING_MAX + 1)),
        format!("let x = {}", "(".repeat(15_000)),
        format!("let x = {}", nested("[", "1", "]", 7_000)),
        format!("let x = a{}", nested("[a", "", "]", 4_000)),
        format!("let x = {}1", "if a then b else ".repeat(900)),
        format!("let x = {}1", "some x in a has ".repeat(900)),
        format!("let x = {}1", "no x in ".repeat(1_800)),
        format!("{}stop", "if a: ".repeat(2_000)),
        format!("{}stop", "round: ".repeat(2_000)),
        format!("say {}", "\"{".repeat(7_000)),
        blocks("if a:", 150),
        blocks("a b", 150),
        format!("let x = (\n{}\n)", nested(" (", "1", ")", 70)),
    ] {
        assert_eq!(
            effect_codes(&text),
            ["nesting"],
            "{}",
            &text[..60.min(text.len())]
        );
    }
}

#[test]
fn many_operators_are_named() {
    assert_eq!(
        effect_codes(&format!("let x = 1{}", " + 1".repeat(OPERATORS_MAX))),
        [""; 0]
    );
    for text in [
        format!("let x = 1{}", " + 1".repeat(OPERATORS_MAX + 1)),
        format!("let x = {}1", "-".repeat(15_000)),
        format!("let x = {}a", "not ".repeat(4_000)),
        format!("let x = a{}", ".b".repeat(7_000)),
        format!("let x = a{}", "[1]".repeat(5_000)),
        format!("let x = a{}", " where b".repeat(1_900)),
        format!("let x = a{}", " is b".repeat(2)) + &" and a is b".repeat(1_000),
        format!("a{} = 1", ".b".repeat(7_000)),
        format!("f {}", "-".repeat(15_000) + "1"),
        format!("say \"{{a{}}}\"", ".b".repeat(7_000)),
    ] {
        let codes = effect_codes(&text);
        assert!(codes.contains(&"operators"), "{codes:?} {}", &text[..60]);
    }
}

#[test]
fn long_effects_are_named() {
    for text in [
        "-".repeat(20_000),
        "(".repeat(20_000),
        "a ".repeat(20_000),
        "stop\n".repeat(5_000),
    ] {
        assert_eq!(effect_codes(&text), ["effect-size"]);
    }
    assert_eq!(
        effect_codes(&"stop\n".repeat(EFFECT_BYTES_MAX / 5)),
        [""; 0]
    );
}

#[test]
fn expressions_in_yaml_have_the_same_limits() {
    assert_eq!(
        file_codes(&game(&format!("data: {{a: '{}'}}\n", "(".repeat(100)))),
        ["nesting"]
    );
    assert_eq!(
        file_codes(&game(&format!("data: {{a: '{}1'}}\n", "-".repeat(300)))),
        ["operators"]
    );
    assert_eq!(
        file_codes(&game(&format!("data: {{a: '{}'}}\n", "1".repeat(20_000)))),
        ["effect-size"]
    );
}

#[test]
fn large_files_are_named() {
    let file = game(&"# comment\n".repeat(FILE_BYTES_MAX / 10));
    assert_eq!(file_codes(&file), ["file-size"]);
    let value = game(&format!("about: {}\n", "a".repeat(SCALAR_BYTES_MAX + 1)));
    assert_eq!(file_codes(&value), ["yaml-scalar"]);
}

#[test]
fn large_bundles_are_named() {
    let part = format!(
        "clauses: {{}}\n{}",
        "# comment\n".repeat(FILE_BYTES_MAX / 10 - 10)
    );
    let names: Vec<String> = (0..5).map(|i| format!("part{i}.yaml")).collect();
    let root = game(&format!("include: [{}]\n", names.join(", ")));
    let mut files = vec![("game.yaml", root.as_str())];
    files.extend(names.iter().map(|name| (name.as_str(), part.as_str())));
    let codes = codes(&read(&files));
    assert_eq!(
        codes,
        ["bundle-size", "duplicate-key", "duplicate-key"][..1]
    );
}

#[test]
fn deep_yaml_is_named() {
    for text in [
        format!("data: {{a: {}}}\n", nested("[", "1", "]", 65)),
        format!("data: {{a: {}}}\n", nested("{a: ", "1", "}", 65)),
        format!("data: {{a: {}}}\n", nested("[", "1", "]", 5_000)),
        (0..65).map(|i| format!("{}a:\n", "  ".repeat(i))).collect(),
        format!("data:\n{}", "- ".repeat(400)),
    ] {
        let codes = file_codes(&game(&text));
        assert_eq!(codes, ["yaml-depth"], "{}", &text[..60]);
    }
}

#[test]
fn alias_bombs_are_named() {
    let mut doubling = "data:\n  a0: &a0 [1, 1]\n".to_string();
    for i in 1..60 {
        doubling += &format!("  a{i}: &a{i} [*a{}, *a{}]\n", i - 1, i - 1);
    }
    assert_eq!(file_codes(&game(&doubling)), ["yaml-nodes"]);

    let mut deepening = "data:\n  a0: &a0 [1]\n".to_string();
    for i in 1..60 {
        deepening += &format!("  a{i}: &a{i} [*a{}]\n", i - 1);
    }
    assert_eq!(file_codes(&game(&deepening)), ["yaml-depth"]);

    let many = format!("data:\n  a: &a 1\n  b: [{}]\n", "*a, ".repeat(300));
    assert_eq!(file_codes(&game(&many)), ["yaml-aliases"]);

    let long = format!(
        "data:\n  a: &a '{}'\n  b: [{}]\n",
        "x".repeat(60_000),
        "*a, ".repeat(200)
    );
    assert_eq!(file_codes(&game(&long)), ["bundle-size"]);

    assert_eq!(file_codes(&game("data:\n  a: &a [*a]\n")), ["yaml-alias"]);
}

#[test]
fn many_nodes_are_named() {
    let many = format!("data: {{a: [{}]}}\n", "1, ".repeat(60_000));
    assert_eq!(file_codes(&game(&many)), ["yaml-nodes"]);
    let keys: String = (0..20_000).map(|i| format!(" a{i}: 1\n")).collect();
    let before = std::time::Instant::now();
    assert_eq!(file_codes(&game(&format!("data:\n{keys}"))), [""; 0]);
    assert!(before.elapsed().as_secs() < 20);
}

/// Each zone has a kind as its key, each kind the next zone, and so on: the first one needs all others.
#[test]
fn zones_and_kinds_may_need_each_other_only_so_far() {
    let checked = |length: usize| {
        let zones = (0..length).map(|at| format!("  z{at}: {{each: {{of: k{at}s}}}}\n"));
        let kinds = (0..length).map(|at| format!("  k{at}: {{each: {{at: z{}}}}}\n", at + 1));
        let zones: String = zones.chain([format!("  z{length}: {{}}\n")]).collect();
        let kinds: String = kinds.collect();
        let rest = format!("zones:\n{zones}components:\n{kinds}effects: {{play: finish drawn}}\n");
        let checking = move || {
            let mut read = read(&[("game.yaml", &game(&rest))]);
            let definition = read.definition.take().unwrap();
            wyrmgate::check::check(&definition, &mut read.report);
            codes(&read)
        };
        let small = std::thread::Builder::new().stack_size(1 << 20);
        small.spawn(checking).unwrap().join().unwrap()
    };
    assert!(!checked(12).contains(&"unknown-name"), "{:?}", checked(12));
    assert!(checked(2_000).contains(&"unknown-name"));
}

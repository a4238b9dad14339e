//! Runs the language reference: every block of `rules/README.md`.

use std::fs;
use std::path::Path;

use wyrmgate::check::check;
use wyrmgate::diagnostic::{Report, Sources};
use wyrmgate::lang::definition::Definition;
use wyrmgate::lang::load::load;

/// A fenced block: its last info word and its text.
struct Example {
    kind: String,
    text: String,
    line: usize,
}

fn examples() -> Vec<Example> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/README.md");
    let text = fs::read_to_string(path).unwrap();
    let mut found = Vec::new();
    let mut open: Option<Example> = None;
    for (i, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let kind = info.split_whitespace().last().unwrap_or_default().to_string();
                open = Some(Example { kind, text: String::new(), line: i + 1 });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(example), None) => {
                example.text.push_str(line);
                example.text.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

fn of_kind<'e>(all: &'e [Example], kind: &'e str) -> impl Iterator<Item = &'e Example> {
    all.iter().filter(move |e| e.kind == kind)
}

fn indent(text: &str, by: usize) -> String {
    text.lines().map(|line| format!("{:by$}{line}\n", "")).collect()
}

/// The expressions of all `expr` blocks with the values stated, and their lines.
fn expressions(all: &[Example]) -> Vec<(String, String, usize)> {
    let mut found = Vec::new();
    for example in of_kind(all, "expr") {
        for (i, line) in example.text.lines().enumerate() {
            let (expr, value) = line.split_once("# =>").unwrap_or_else(|| panic!("no value in `{line}`"));
            found.push((expr.trim().to_string(), value.trim().to_string(), example.line + i + 1));
        }
    }
    found
}

/// The example game with all `rules` blocks, every `effect` block as an effect and every expression as a query.
fn files(all: &[Example], play: Option<usize>) -> Vec<(String, String)> {
    let mut game = of_kind(all, "game").next().unwrap().text.clone();
    if let Some(example) = play {
        let turns = "    turns from starter:\n      take_turn\n";
        assert!(game.contains(turns));
        game = game.replace(turns, &format!("    turn of starter:\n      example_{example}\n    finish drawn\n"));
    }
    let mut files = Vec::new();
    let mut include = Vec::new();
    for (i, example) in of_kind(all, "rules").enumerate() {
        include.push(format!("rules_{i}.yaml"));
        files.push((format!("example/rules_{i}.yaml"), example.text.clone()));
    }
    include.push("examples.yaml".into());
    let mut examples = String::from("effects:\n");
    for (i, example) in of_kind(all, "effect").enumerate() {
        examples.push_str(&format!("  example_{i}: |\n{}", indent(&example.text, 4)));
    }
    examples.push_str("queries:\n");
    for (i, (expr, ..)) in expressions(all).iter().enumerate() {
        examples.push_str(&format!("  value_{i}: |\n    {expr}\n"));
    }
    files.push(("example/examples.yaml".into(), examples));
    game.push_str(&format!("include: [{}]\n", include.join(", ")));
    files.push(("example/game.yaml".into(), game));
    files
}

fn definition(files: &[(String, String)]) -> Definition {
    let mut sources = Sources::default();
    let (definition, mut report) = load(&mut sources, files, "example/game.yaml");
    let definition = definition.unwrap_or_else(|| panic!("{}", report.render(&sources, false)));
    let checked = check(&definition, &mut report);
    fail_on_problems(&report, &sources);
    assert!(checked.is_some());
    definition
}

fn fail_on_problems(report: &Report, sources: &Sources) {
    assert!(report.diagnostics.is_empty(), "{}", report.render(sources, false));
}

#[test]
fn every_example_of_the_reference_checks() {
    let all = examples();
    definition(&files(&all, None));
}

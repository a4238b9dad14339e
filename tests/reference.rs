//! Runs the pages for authors of rules: every example of the reference and its neighbors, and every game of the cookbook.

#![cfg(test)]

use std::fs;
use std::path::Path;

use wyrmgate::check::check;
use wyrmgate::compile::{FUNCTIONS, Setup, compile};
use wyrmgate::diagnostic::{Report, Sources};
use wyrmgate::engine::{Seeded, Silent, State, eval_query, pending, random_choice, start, step};
use wyrmgate::lang::definition::Definition;
use wyrmgate::lang::load::load;
use wyrmgate::program::Program;

/// The pages whose examples make one game together. The first one begins with this game.
const PAGES: [&str; 6] = [
    "rules/guide/reference.md",
    "rules/guide/boards.md",
    "rules/guide/handlers.md",
    "rules/guide/looks.md",
    "rules/guide/testing.md",
    "rules/guide/house-rules.md",
];

/// Examples that readers do not need.
const MORE: &str = "tests/fixtures/reference/more.md";

const COOKBOOK: &str = "rules/guide/cookbook.md";

/// A fenced block: its last info word and its text.
struct Example {
    kind: String,
    text: String,
    page: &'static str,
    line: usize,
}

fn examples() -> Vec<Example> {
    let pages = PAGES.into_iter().chain([MORE]);
    pages.flat_map(examples_of).collect()
}

fn text_of(page: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap()
}

fn examples_of(page: &'static str) -> Vec<Example> {
    let text = text_of(page);
    let mut found = Vec::new();
    let mut open: Option<Example> = None;
    for (i, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let kind = info
                    .split_whitespace()
                    .last()
                    .unwrap_or_default()
                    .to_string();
                open = Some(Example {
                    kind,
                    text: String::new(),
                    page,
                    line: i + 1,
                });
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
    text.lines()
        .map(|line| format!("{:by$}{line}\n", ""))
        .collect()
}

/// The expressions of all `expr` blocks with the values stated, and their places.
fn expressions(all: &[Example]) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for example in of_kind(all, "expr") {
        for (i, line) in example.text.lines().enumerate() {
            let (expr, value) = line
                .split_once("# =>")
                .unwrap_or_else(|| panic!("no value in `{line}`"));
            found.push((
                expr.trim().to_string(),
                value.trim().to_string(),
                format!("{}:{}", example.page, example.line + i + 1),
            ));
        }
    }
    found
}

/// The example game with all `rules` blocks, every `effect` block as an effect and every expression as a query.
fn files(all: &[Example], play: Option<usize>) -> Vec<(String, String)> {
    let mut game = of_kind(all, "game").next().unwrap().text.clone();
    let turns = "    turns from starter:\n      take_turn\n";
    assert!(game.contains(turns));
    // expressions are asked when everything is set up and nobody has moved
    let instead = match play {
        Some(example) => {
            format!("    turn of starter:\n      example_{example}\n    finish drawn\n")
        }
        None => "    ask starter \"Begin?\": finish drawn\n".to_string(),
    };
    game = game.replace(turns, &instead);
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
    assert!(
        report.diagnostics.is_empty(),
        "{}",
        report.render(sources, false)
    );
}

#[test]
fn every_example_of_the_reference_checks() {
    let all = examples();
    definition(&files(&all, None));
}

/// The game with every example in it, at its first rest, for two.
fn started(play: Option<usize>) -> (Program, State) {
    let all = examples();
    let definition = definition(&files(&all, play));
    let mut report = Report::default();
    let setup = Setup {
        seats: 2,
        ..Setup::default()
    };
    let windy = Setup {
        options: [("windy".to_string(), 1)].into(),
        ..setup
    };
    let program = compile(&definition, &windy, &mut report).unwrap();
    let state = start(&program, [7; 32], &mut Seeded, &mut Silent).unwrap();
    (program, state)
}

/// Formats a value as the reference does: seats count from 1. The compiled expression has no type any more, so the words
/// of the expression decide.
fn shown(expr: &str, value: i32, stated: &str) -> String {
    let is_seat = expr.ends_with(".owner") || expr.starts_with("first(seats_from");
    match stated {
        "true" | "false" => (value == 1).to_string(),
        _ if is_seat => (value + 1).to_string(),
        _ => value.to_string(),
    }
}

#[test]
fn every_expression_of_the_reference_has_the_value_stated() {
    let (program, state) = started(None);
    for (i, (expr, stated, place)) in expressions(&examples()).iter().enumerate() {
        let name = format!("value_{i}");
        let value = eval_query(&program, &state, &name).unwrap();
        assert_eq!(
            &shown(expr.trim(), value, stated),
            stated,
            "{place}: {expr}"
        );
    }
}

/// The reference, the editor and the compiler know the same functions: each has its row in the table of the reference, and
/// an example that is evaluated or played.
#[test]
fn the_reference_lists_every_function() {
    let text = text_of(PAGES[0]);
    let table = text.split_once("### All functions\n").unwrap().1;
    let rows: Vec<&str> = table
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    let wanted: Vec<String> = FUNCTIONS
        .iter()
        .map(|function| format!("| `{}` | {} |", function.form, function.about))
        .collect();
    assert_eq!(
        rows,
        wanted,
        "the table of {} should be\n{}",
        PAGES[0],
        wanted.join("\n")
    );
    let index = text_of("rules/guide/index.md");
    let all: Vec<Example> = PAGES.into_iter().flat_map(examples_of).collect();
    for function in FUNCTIONS {
        let word = |text: &str| {
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.any(|word| word == function.name)
        };
        let shown = all.iter().any(|example| word(&example.text));
        assert!(shown, "no example of `{}` in the reference", function.name);
        assert!(
            index.contains(&format!("[`{}`](", function.name)),
            "`{}` is not in the index",
            function.name
        );
    }
}

#[test]
fn every_statement_of_the_reference_can_be_played() {
    let all = examples();
    for (i, example) in of_kind(&all, "effect").enumerate() {
        let (program, state) = started(Some(i));
        for seed in 0..10 {
            play_to_the_end(&program, &state, seed, 100, example);
        }
    }
}

/// Chooses at random, at most so often.
fn play_to_the_end(program: &Program, state: &State, seed: u64, most: usize, example: &Example) {
    let mut state = state.clone();
    let mut random = seed;
    for _ in 0..most {
        let owed = pending(program, &state);
        let Some(first) = owed.first() else {
            assert!(state.outcome().is_some());
            return;
        };
        let mut draw = |n: u64| {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (random >> 33) % n
        };
        let choice = random_choice(program, &state, first, &mut draw)
            .unwrap()
            .unwrap();
        step(
            program,
            &mut state,
            first.index,
            &choice,
            &mut Seeded,
            &mut Silent,
        )
        .unwrap_or_else(|e| panic!("{}:{}: {e:?}", example.page, example.line));
    }
    panic!("{}:{}: no end in sight", example.page, example.line);
}

#[test]
fn the_scenarios_of_the_reference_pass() {
    let all = examples();
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("cliff-race");
    fs::create_dir_all(game.join("scenarios")).unwrap();
    fs::write(
        game.join("game.yaml"),
        &of_kind(&all, "game").next().unwrap().text,
    )
    .unwrap();
    for (i, example) in of_kind(&all, "scenario").enumerate() {
        fs::write(game.join(format!("scenarios/{i}.yaml")), &example.text).unwrap();
    }
    let outcome = wyrmgate::scenario::suite::run_folder(&game).unwrap();
    assert!(outcome.passed(), "{outcome:?}");
}

#[test]
fn every_overlay_can_be_put_on_the_first_game() {
    let all = examples();
    let game = &of_kind(&all, "game").next().unwrap().text;
    for (number, example) in of_kind(&all, "overlay").enumerate() {
        let files = [
            ("cliff-race/game.yaml", game),
            ("overlay.yaml", &example.text),
        ];
        let bundle = wyrmgate::lang::Bundle {
            name: "cliff-race".into(),
            files: files.map(|(path, text)| (path.into(), text.clone())).into(),
            roots: files.map(|(path, _)| path.into()).into(),
        };
        if let Err(broken) = wyrmgate::rules::Ruleset::from_bundle(&bundle) {
            let told = broken.report.render(&broken.sources, false);
            panic!(
                "overlay {} of {}:{}\n{told}",
                number + 1,
                example.page,
                example.line
            );
        }
    }
}

/// Each recipe is a game of its own, without a warning, for every number of players, and formatted.
#[test]
fn every_recipe_of_the_cookbook_can_be_played() {
    let recipes = examples_of(COOKBOOK);
    assert!(recipes.len() >= 11 && recipes.iter().all(|recipe| recipe.kind == "game"));
    for recipe in recipes {
        let path = "recipe/game.yaml";
        let mut sources = Sources::default();
        let (definition, mut report) =
            load(&mut sources, &[(path.into(), recipe.text.clone())], path);
        let checked = definition
            .as_ref()
            .and_then(|rules| check(rules, &mut report));
        let mut found = report.diagnostics.iter();
        // the folder has another name
        let fine = found.all(|problem| problem.code == "game-name");
        let place = format!("{}:{}", recipe.page, recipe.line);
        assert!(fine, "{place}\n{}", report.render(&sources, false));
        let definition = definition.unwrap();
        for seats in checked.unwrap().seats {
            let setup = Setup {
                seats,
                ..Setup::default()
            };
            let program = compile(&definition, &setup, &mut Report::default()).unwrap();
            for seed in 0..5 {
                let state = start(&program, [seed; 32], &mut Seeded, &mut Silent).unwrap();
                play_to_the_end(&program, &state, seed.into(), 300, &recipe);
            }
        }
    }
}

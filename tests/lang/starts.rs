//! Drawn positions: letters and words call effects and set variables.

use wyrmgate::lang::ast::{Expr, ExprKind, Stmt, StmtKind};
use wyrmgate::lang::load::load_stack;

const GAME: &str = "game: test
players: 2
zones:
  square: {each: {column: 1..3, row: 1..2}, grid: [column, row]}
start:
  on: square
  rows: x1O/.2 w - b2 7
  letters: {xo: stands, O: reigns}
  then: [{wb: begins}, {space: passes}, {space: passes, bw: begins}, {number: counts}]
effects:
  play: set_up
";

/// Returns the statements of `set_up`, and the problems.
fn drawn(overlay: &str) -> (Vec<String>, Vec<String>) {
    let files = [("test/game.yaml", GAME), ("house.yaml", overlay)];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let roots = match overlay.is_empty() {
        true => vec!["test/game.yaml".to_owned()],
        false => vec!["test/game.yaml".to_owned(), "house.yaml".to_owned()],
    };
    let loaded = load_stack(&files, &roots, None);
    let problems = loaded.report.diagnostics.iter();
    let problems = problems.map(|problem| problem.message.clone()).collect();
    let effects = loaded
        .definition
        .map_or(Vec::new(), |game| game.behavior.effects);
    let set_up = effects.last().map(|effect| effect.body.to_vec());
    let shown = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Phrase { terms } => terms.iter().map(shown).collect(),
        StmtKind::Set { target, value, .. } => format!("{} = {}", shown(target), shown(value)),
        _ => String::new(),
    };
    (set_up.iter().flatten().map(shown).collect(), problems)
}

fn shown(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Index(of, at) => format!("{}[{}]", shown(of), shown(at)),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Call(name, args) => {
            let args: Vec<String> = args.iter().map(shown).collect();
            format!("{}({})", name.text, args.join(", "))
        }
        _ => "?".into(),
    }
}

#[test]
fn letters_and_words_call_effects() {
    let (calls, problems) = drawn("");
    assert_eq!(problems, [""; 0]);
    let wanted = [
        "stands(square(1, 2), 1)",
        "reigns(square(3, 2))",
        "begins(1)",
        "passes(square(2, 2))",
        "counts(7)",
    ];
    assert_eq!(calls, wanted);
}

#[test]
fn letters_and_words_set_variables() {
    let (calls, problems) = drawn(
        "extends: test
add:
  types: {color: [red, blue]}
  vars:
    stone: {each: square, type: seat}
    crowned: {each: square, type: bool}
    first: color
    passed: square
    count: int
change:
  start.letters: {xo: stone, O: [crowned, reigns]}
  start.then: [{wb: first}, {space: passed}, {space: passed}, {number: count}]
",
    );
    assert_eq!(problems, [""; 0]);
    let wanted = [
        "stone[square(1, 2)] = seat(1)",
        "crowned[square(3, 2)] = true",
        "reigns(square(3, 2))",
        "first = color[1]",
        "passed = square(2, 2)",
        "count = 7",
    ];
    assert_eq!(calls, wanted);
}

#[test]
fn an_overlay_draws_another_position() {
    let rows = "extends: test\nchange:\n  start.rows: |\n    . x o\n    O . .\n";
    let (calls, problems) = drawn(rows);
    assert_eq!(problems, [""; 0]);
    let wanted = [
        "stands(square(2, 2), 1)",
        "stands(square(3, 2), 2)",
        "reigns(square(1, 1))",
    ];
    assert_eq!(calls, wanted);
}

#[test]
fn what_means_nothing_is_reported() {
    let problem = |rows: &str| {
        let (_, problems) = drawn(&format!("extends: test\nchange: {{start.rows: {rows}}}\n"));
        problems.join("; ")
    };
    assert_eq!(problem("x1q/3"), "`q` means nothing in this position");
    assert_eq!(
        problem("x1/3"),
        "row 2 has 3 spaces, the first row another number"
    );
    assert_eq!(
        problem("3/3 w - - 1 2"),
        "the position says `w - - 1 2` after its rows"
    );
    assert_eq!(problem("3/3 z"), "`z` means nothing in this position");
}

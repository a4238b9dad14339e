//! `wyrmgate bench --interpreted`: which lines of the rules machine code leaves to the interpreter.

use serde_json::{Value, json};

use super::{Args, Game, Stop, Verdict};
use crate::diagnostic::Sources;
use crate::native::{LeftLine, Part, Statement, left_to_interpreter};

/// A line of the rules of which a part is left.
struct Line<'s> {
    file: &'s str,
    number: usize,
    text: &'s str,
    what: &'static str,
    statement: &'static str,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let game = args.game.load()?;
    let left = left_to_interpreter(&game.program);
    match (&left, args.json) {
        (left, true) => say!("{}", document(&game, left.as_deref())),
        (None, false) => say!(
            "{}: nothing is machine code; the interpreter plays everything",
            heading(&game)
        ),
        (Some(left), false) => print(&game, left),
    }
    Ok(Verdict::Good)
}

fn heading(game: &Game) -> String {
    format!("{}, {} seats", game.program.name(), game.program.seats)
}

fn print(game: &Game, left: &[LeftLine]) {
    if left.is_empty() {
        return say!("{}: everything is machine code", heading(game));
    }
    say!("{}, left to the interpreter:", heading(game));
    for line in lines(&game.sources, left) {
        let Line {
            file,
            number,
            text,
            what,
            statement,
        } = line;
        say!("{what:<12} of a {statement:<17} {file}:{number}  {text}");
    }
}

fn document(game: &Game, left: Option<&[LeftLine]>) -> Value {
    let of_line = |line: Line<'_>| {
        json!({
            "file": line.file,
            "line": line.number,
            "part": line.what,
            "statement": line.statement,
        })
    };
    let lines = lines(&game.sources, left.unwrap_or_default()).map(of_line);
    json!({
        "game": game.program.name(),
        "seats": game.program.seats,
        "machine_code": left.is_some(),
        "left": lines.collect::<Vec<Value>>(),
    })
}

fn lines<'s>(sources: &'s Sources, left: &[LeftLine]) -> impl Iterator<Item = Line<'s>> {
    left.iter().map(|left| {
        let (number, _) = sources.line_column(left.span.file, left.span.start);
        let source = sources.get(left.span.file);
        let text = source.and_then(|source| source.text.lines().nth(number.checked_sub(1)?));
        Line {
            file: source.map_or("", |source| &source.path),
            number,
            text: text.unwrap_or_default().trim(),
            what: name(left.what),
            statement: name_of_statement(left.statement),
        }
    })
}

fn name(part: Part) -> &'static str {
    match part {
        Part::Effect => "effect",
        Part::Operation => "all",
        Part::Names => "names",
        Part::Choices => "choices",
        Part::Mask => "condition",
        Part::List => "list",
        Part::Value => "value",
    }
}

fn name_of_statement(statement: Statement) -> &'static str {
    match statement {
        Statement::Decision => "decision",
        Statement::RandomChoice => "choice at random",
        Statement::Condition => "condition",
        Statement::Let => "let",
        Statement::Loop => "loop",
        Statement::Assignment => "assignment",
        Statement::Move => "move",
        Statement::Finish => "finish",
        Statement::Other => "statement",
    }
}

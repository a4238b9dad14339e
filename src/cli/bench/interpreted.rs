//! `wyrmgate bench --interpreted`: which lines of the rules machine code leaves to the interpreter.

use serde_json::{Value, json};

use super::{Args, Game, RulesLine, Stop, Verdict};
use crate::native::{LeftLine, left_to_interpreter};

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
    for left in left {
        let (what, statement) = (left.what.name(), left.statement.name());
        let RulesLine { file, number, text } = line(game, left);
        say!("{what:<12} of a {statement:<17} {file}:{number}  {text}");
    }
}

fn document(game: &Game, left: Option<&[LeftLine]>) -> Value {
    let of_line = |left: &LeftLine| {
        let RulesLine { file, number, .. } = line(game, left);
        json!({
            "file": file,
            "line": number,
            "part": left.what.name(),
            "statement": left.statement.name(),
        })
    };
    json!({
        "game": game.program.name(),
        "seats": game.program.seats,
        "machine_code": left.is_some(),
        "left": left.unwrap_or_default().iter().map(of_line).collect::<Vec<_>>(),
    })
}

/// Returns the line of the rules of which a part is left.
fn line<'s>(game: &'s Game, left: &LeftLine) -> RulesLine<'s> {
    let (number, _) = (game.sources).line_column(left.span.file, left.span.start);
    RulesLine::of(&game.sources, left.span.file, number)
}

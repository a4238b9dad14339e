//! Choices survive the notation of the game: each has a text that reads back as itself, in a file too.

use super::found::{LawFinding, choice_in_words};
use super::rest::LawRest;
use crate::notation::{games_in, written_so};
use wyrmgate_program::{Program, Syntax};
use wyrmgate_view::noted_choices;

pub(super) fn concerns(program: &Program) -> bool {
    let mut options = program.sites.iter().flat_map(|site| &site.options);
    options.any(|option| !option.forms.is_empty())
}

pub(super) fn check(rest: &mut LawRest<'_>) -> Result<(), LawFinding> {
    for owed in rest.owed {
        let all = noted_choices(rest.program, rest.state, owed)?;
        for noted in &all {
            let text = noted.note.as_deref();
            let back = text.map(|text| written_so(rest.program, &all, text));
            let wrong = match (text, back.as_deref()) {
                (Some(text), Some([back])) if back.choice == noted.choice => {
                    if is_in_file(rest.program, text) {
                        continue;
                    }
                    format!("cannot stand in a file as `{text}`")
                }
                (Some(text), Some([back, ..])) => {
                    let back = choice_in_words(rest.program, rest.state, owed, &back.choice);
                    format!("is written `{text}`, which means {back}")
                }
                (_, Some([]) | None) | (None, _) => "has no text of its own".to_owned(),
            };
            return Err(rest.wrong(owed, &noted.choice, &wrong, "noted"));
        }
    }
    Ok(())
}

/// Returns whether a reader of files finds this move. Nodes can contain anything.
fn is_in_file(program: &Program, text: &str) -> bool {
    let syntax = program.prose.notation.syntax.unwrap_or(Syntax::Pgn);
    let game = games_in(text, syntax).next().and_then(Result::ok);
    let moves = game.map(|game| game.moves);
    syntax == Syntax::Sgf
        || moves.is_some_and(|moves| moves.iter().map(|made| &*made.text).eq([text]))
}

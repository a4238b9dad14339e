//! Reads `(;SZ[9];B[dd];W[])`: SGF. Of each game, the main line.

use super::game_text::{GameText, GameTextProblem, Letters, MoveText};

/// Reads the next game, if there is one.
pub(super) fn game(letters: &mut Letters<'_>) -> Result<Option<GameText>, GameTextProblem> {
    letters.word(|c| c != '(');
    let mut game = GameText {
        line: letters.line,
        ..GameText::default()
    };
    let (mut depth, mut is_main) = (0_usize, true);
    let mut name = String::new();
    while let Some(next) = letters.peek() {
        let line = letters.line;
        if next.is_ascii_alphabetic() {
            let word = letters.word(|c| c.is_ascii_alphabetic());
            name = word.chars().filter(char::is_ascii_uppercase).collect();
            continue;
        }
        letters.next();
        if next == '(' {
            depth += 1;
        } else if next == ')' && depth <= 1 {
            return Ok(Some(game));
        } else if next == ')' {
            depth -= 1;
            is_main = false; // what follows are variations
        } else if next == '[' {
            let text = letters.up_to(']', true)?;
            if is_main && ["B", "W"].contains(&name.as_str()) {
                game.moves.push(MoveText { text, line });
            } else if is_main && name == "RE" {
                game.result = result(&text).map(str::to_owned);
            } else if is_main {
                game.tags.push((name.clone(), text));
            }
        }
    }
    if depth == 0 {
        return Ok(None);
    }
    Err(GameTextProblem {
        line: letters.line,
        message: "the last game has no `)`".to_owned(),
    })
}

/// Returns the result of `B+3.5`, `W+Resign`, `Draw`.
fn result(text: &str) -> Option<&'static str> {
    match text.chars().next()?.to_ascii_uppercase() {
        'B' => Some("1-0"),
        'W' => Some("0-1"),
        first => ['0', 'D'].contains(&first).then_some("1/2-1/2"),
    }
}

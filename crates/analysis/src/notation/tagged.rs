//! Reads `[Name "value"]` and `1. e4 e5`: PGN and PDN. Comments, variations and marks are skipped.

use super::game_text::{GameText, GameTextProblem, Letters, MoveText};

const RESULTS: [&str; 6] = ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1"];
const MARKS: &str = "{}()[];$";

/// Reads the next game, if there is one.
pub(super) fn game(letters: &mut Letters<'_>) -> Result<Option<GameText>, GameTextProblem> {
    let mut game = GameText::default();
    loop {
        letters.word(char::is_whitespace);
        let line = letters.line;
        let Some(next) = letters.peek() else {
            return Ok((game.line > 0).then_some(game));
        };
        if next == '[' && !game.moves.is_empty() {
            return Ok(Some(game));
        }
        game.line = if game.line == 0 { line } else { game.line };
        match next {
            '[' => game.tags.extend(tag(letters)?),
            '{' => drop(letters.up_to('}', false)?),
            ';' | '%' => drop(letters.word(|c| c != '\n')),
            '(' => variation(letters)?,
            mark if MARKS.contains(mark) => {
                letters.next();
                letters.word(|c| mark == '$' && c.is_ascii_digit());
            }
            first => {
                let is_part = |c: char| c == first || !c.is_whitespace() && !MARKS.contains(c);
                let word = letters.word(is_part);
                let text = without_number(&word).to_owned();
                if RESULTS.contains(&text.as_str()) || text == "*" {
                    game.result = Some(text).filter(|text| text != "*");
                    return Ok(Some(game));
                }
                if !text.is_empty() && text != "e.p." {
                    game.moves.push(MoveText { text, line });
                }
            }
        }
    }
}

/// Reads `[Name "value"]`.
fn tag(letters: &mut Letters<'_>) -> Result<Option<(String, String)>, GameTextProblem> {
    letters.next();
    let name = letters.word(|c| c != '"' && c != ']' && c != '\n');
    if letters.next() != Some('"') {
        return Ok(None);
    }
    let value = letters.up_to('"', true)?;
    letters.up_to(']', false)?;
    Ok(Some((name.trim().to_owned(), value)))
}

/// Skips a variation with those inside it.
fn variation(letters: &mut Letters<'_>) -> Result<(), GameTextProblem> {
    letters.next();
    loop {
        letters.word(|c| !"(){".contains(c));
        match letters.peek() {
            Some('(') => variation(letters)?,
            Some('{') => drop(letters.up_to('}', false)?),
            Some(_) | None => return letters.up_to(')', false).map(drop),
        }
    }
}

/// Returns `e4` of `1.e4`, and nothing of `12...`.
fn without_number(word: &str) -> &str {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = after.strip_prefix('.');
    after.map_or(word, |rest| rest.trim_start_matches('.'))
}

//! Prompts that a person can pick for the model.

use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

const PLAY: &str = "play";
const EXPLAIN: &str = "explain_refusal";

pub fn list() -> Vec<Prompt> {
    let argument = |name: &str, about: &str| {
        PromptArgument::new(name)
            .with_description(about)
            .with_required(true)
    };
    vec![
        Prompt::new(
            PLAY,
            Some("Play this game well"),
            Some(vec![argument("game", "name of a game")]),
        ),
        Prompt::new(
            EXPLAIN,
            Some("Explain this refusal"),
            Some(vec![argument("refusal", "the text of the refusal")]),
        ),
    ]
}

/// Returns a prompt. The error says what is wrong with the request.
pub fn get(name: &str, arguments: &JsonObject) -> Result<GetPromptResult, String> {
    let argument = |name: &str| {
        let text = arguments.get(name).and_then(Value::as_str);
        text.ok_or_else(|| format!("the prompt needs `{name}`"))
    };
    let text = match name {
        PLAY => play(argument("game")?),
        EXPLAIN => explain(argument("refusal")?),
        _ => {
            return Err(format!(
                "there is no prompt `{name}`; there are `{PLAY}` and `{EXPLAIN}`"
            ));
        }
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(
        Role::User,
        text,
    )]))
}

fn play(game: &str) -> String {
    format!(
        "Play a game of `{game}` to its end and try to win. Read `rules` first. Open a table with `new_table`. Before each `move`: name what wins and what scores in this game, compare at least three of \
         your choices by what they gain and by what they leave to the others, and remember which cards or pieces you have \
         seen. When it is not your turn, call `wait`. If a text counts choices instead of listing them, call `look` with \
         `words`. At the end, say who won and which of your moves decided it."
    )
}

fn explain(refusal: &str) -> String {
    format!(
        "A game server refused a move:\n\n{refusal}\n\nExplain to the player in two or three sentences which rule forbids \
         it and what would be allowed. Look the clauses up with `rules` (`words` takes the id of a clause), and the present \
         choices with `look`. Do not make a move."
    )
}

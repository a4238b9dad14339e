//! The tools and their parameters. Every word is read by the model before each of its turns, so there are
//! few.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

/// A tool: its name, its use, its parameters, and whether it changes nothing.
type Row = (&'static str, &'static str, Value, bool);

const TABLE: &str = "id of a table; default: the one you joined last";
const SEAT: &str = "your seat there, if you hold several";

fn rows() -> [Row; 10] {
    let table = || json!({"type": "string", "description": TABLE});
    let seat = || json!({"type": "integer", "minimum": 1, "maximum": 8, "description": SEAT});
    let text = |about: &str| json!({"type": "string", "description": about});
    [
        (
            "games",
            "List the games, or one game with its options and variants.",
            json!({"game": text("name of a game")}),
            true,
        ),
        (
            "rules",
            "Read the rules of a game, clause by clause.",
            json!({"game!": text("name of a game"), "variant": text("variant of the game"), "words": text("only clauses with these words, or with these ids")}),
            true,
        ),
        (
            "new_table",
            "Open a table and take its first open seat. See the position.",
            json!({
                "game!": text("name of a game"),
                "variant": text("variant of the game"),
                "seats": {"type": "integer", "minimum": 1, "maximum": 8, "description": "default: as few as the game allows"},
                "bots": {"type": "integer", "minimum": 0, "maximum": 7, "description": "seats that bots take; default: all but one"},
                "level": {"enum": ["random", "greedy", "search-1", "search-2", "search-3"], "description": "strength of the bots; default: greedy"},
                "options": {"type": "object", "description": "options of the game"},
                "name": text("your name at the table"),
                "sit": {"type": "boolean", "description": "default: true; false leaves all open seats to others"},
                "private": {"type": "boolean", "description": "others need the invite code that you get"},
            }),
            false,
        ),
        (
            "join",
            "Take a seat at somebody's table. See the position.",
            json!({
                "table!": text("id of the table"),
                "seat": {"type": "integer", "minimum": 1, "maximum": 8, "description": "default: the first open one"},
                "name": text("your name at the table"),
                "invite": text("invite code of a private table"),
            }),
            false,
        ),
        (
            "look",
            "See the position and your choices.",
            json!({
                "table": table(),
                "seat": seat(),
                "words": text("only choices with all of these words"),
                "picture": {"type": "boolean", "description": "the board as an image too"},
            }),
            true,
        ),
        (
            "move",
            "Make a choice. See what follows, until you have to choose again or for some seconds.",
            json!({
                "choice!": {"type": ["string", "integer"], "description": "its number in the list (`#7`), or its words"},
                "table": table(),
                "seat": seat(),
            }),
            false,
        ),
        (
            "wait",
            "Wait until you have to choose or the game is over. See what the others did.",
            json!({
                "table": table(),
                "seat": seat(),
                "seconds": {"type": "integer", "minimum": 1, "maximum": 50, "description": "default: 30"},
            }),
            true,
        ),
        (
            "end",
            "Resign, offer or accept a draw, decline one, or call the game off before anybody has moved twice.",
            json!({
                "how!": {"enum": ["resign", "draw", "decline_draw", "call_off"], "description": "what you want"},
                "table": table(),
                "seat": seat(),
            }),
            false,
        ),
        (
            "my_games",
            "List your tables and where you have to choose.",
            json!({}),
            true,
        ),
        (
            "result",
            "See the status of a table, its seats, and who won.",
            json!({"table": table()}),
            true,
        ),
    ]
}

/// Returns the definitions of all tools.
pub fn definitions() -> Vec<Tool> {
    rows().into_iter().map(definition).collect()
}

fn definition((name, about, parameters, is_read_only): Row) -> Tool {
    let hints = ToolAnnotations::new()
        .read_only(is_read_only)
        .open_world(false);
    Tool::new(name, about, Arc::new(schema(parameters))).with_annotations(hints)
}

/// Returns the schema of parameters. The names of required ones end in `!`.
fn schema(parameters: Value) -> JsonObject {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, of) in parameters.as_object().cloned().unwrap_or_default() {
        let known = name.trim_end_matches('!');
        if known != name {
            required.push(Value::from(known));
        }
        properties.insert(known.to_owned(), of);
    }
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    schema.insert("additionalProperties".into(), false.into());
    schema
}

/// Returns the problem with the arguments of a call, if there is one.
pub fn problem_with(name: &str, arguments: &JsonObject) -> Option<String> {
    let known = definitions().into_iter().find(|tool| tool.name == name)?;
    let properties = known
        .input_schema
        .get("properties")
        .and_then(Value::as_object)?;
    let names: Vec<String> = properties.keys().map(|name| format!("`{name}`")).collect();
    let unknown = arguments
        .keys()
        .find(|name| !properties.contains_key(*name));
    if let Some(unknown) = unknown {
        return Some(format!(
            "`{name}` has no parameter `{unknown}`; it has {}",
            names.join(", ")
        ));
    }
    let required = known.input_schema.get("required").and_then(Value::as_array);
    let mut required = required.into_iter().flatten().filter_map(Value::as_str);
    let missing = required.find(|name| !arguments.contains_key(*name))?;
    Some(format!("`{name}` needs `{missing}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters of all definitions, as `tools/list` sends them. A token has three to four.
    const LETTERS_MAX: usize = 6_000;

    #[test]
    fn the_definitions_are_few_and_short() {
        let all = definitions();
        let letters = serde_json::to_string(&all).unwrap().len();
        assert!(
            all.len() <= 10 && letters <= LETTERS_MAX,
            "{letters} letters"
        );
    }

    #[test]
    fn wrong_arguments_are_named_with_the_right_ones() {
        let arguments = |value: Value| value.as_object().cloned().unwrap();
        let problem = |value| problem_with("rules", &arguments(value));
        assert_eq!(problem(json!({"game": "x", "words": "y"})), None);
        assert_eq!(problem(json!({})).unwrap(), "`rules` needs `game`");
        assert_eq!(
            problem(json!({"gaem": "x"})).unwrap(),
            "`rules` has no parameter `gaem`; it has `game`, `variant`, `words`"
        );
    }
}

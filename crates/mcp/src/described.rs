//! Documents of the API as text.

use serde_json::Value;

use super::texts::{list, string};

/// Returns the numbers of seats of a game: `2-5 seats`.
pub(crate) fn seats(game: &Value) -> String {
    let counts: Vec<u64> = list(game, "players")
        .iter()
        .filter_map(Value::as_u64)
        .collect();
    let (first, last) = (counts.first(), counts.last());
    match (first, last) {
        (Some(first), Some(last)) if first != last => format!("{first}-{last} seats"),
        (Some(only), _) => format!("{only} seats"),
        (None, _) => "no seats".to_owned(),
    }
}

/// Describes a game with its options and variants.
pub(crate) fn game(game: &Value) -> String {
    let head = |of: &Value| {
        format!(
            "{}, {}. {}\n",
            string(of, "title"),
            seats(of),
            string(of, "about")
        )
    };
    let mut said = head(game);
    for option in list(game, "options") {
        said += &self::option(option);
    }
    for variant in list(game, "variants") {
        said += &format!("variant `{}`: {}", string(variant, "name"), head(variant));
    }
    said
}

fn option(option: &Value) -> String {
    let shown = |name: &str| option.get(name).map(plain).unwrap_or_default();
    let names: Vec<String> = list(option, "names").iter().map(plain).collect();
    let values = match (string(option, "kind"), &names[..]) {
        ("number", _) => format!("{} to {}", shown("low"), shown("high")),
        (_, []) => "true or false".to_owned(),
        (_, names) => names.join(", "),
    };
    let (name, title, text) = (
        string(option, "name"),
        string(option, "title"),
        string(option, "text"),
    );
    let about = format!("{title}. {text}");
    format!(
        "option `{name}` ({values}; default {}): {}\n",
        shown("default"),
        about.trim_end()
    )
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Describes a table: its seats, who has to choose, and who has won.
pub(crate) fn table(table: &Value) -> String {
    let mut said = format!("{}: {}\n", string(table, "game"), string(table, "status"));
    for seat in list(table, "seats") {
        let who = [
            string(seat, "name"),
            string(seat, "bot"),
            string(seat, "status"),
        ];
        let who = who.iter().find(|word| !word.is_empty());
        let number = seat.get("seat").map(plain).unwrap_or_default();
        said += &format!("seat {number}: {}\n", who.copied().unwrap_or_default());
    }
    let all = |of: &Value, name: &str| {
        list(of, name)
            .iter()
            .map(plain)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let owing = all(table, "owing");
    if !owing.is_empty() {
        said += &format!("to choose: seat {owing}\n");
    }
    let Some(outcome) = table.get("outcome").filter(|outcome| !outcome.is_null()) else {
        return said;
    };
    let winners = all(outcome, "winners");
    let reason = string(outcome, "reason").replace('-', " ");
    said += &match winners.as_str() {
        "" => format!("nobody has won ({reason})\n"),
        seats => format!("won by seat {seats} ({reason})\n"),
    };
    for rank in list(outcome, "ranking")
        .iter()
        .filter(|rank| !list(rank, "keys").is_empty())
    {
        let shown = |name: &str| rank.get(name).map(plain).unwrap_or_default();
        said += &format!(
            "{}. seat {}: {}\n",
            shown("place"),
            shown("seat"),
            all(rank, "keys")
        );
    }
    said
}

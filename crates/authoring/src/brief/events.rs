//! Formats events as lines.

use serde_json::{Map, Value};

use super::names::Names;
use super::words::say;
use crate::scenario::compare::short;

/// Formats events, one line each. Of moves in a row, those between the same two zones are combined.
pub fn events(events: &[Value], names: &Names) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = events;
    while let Some(first) = rest.first() {
        let moves = rest.iter().map_while(|event| Some((way(event)?, event)));
        let moves: Vec<(Way, &Value)> = once_each(moves);
        lines.extend(all_moved(&moves, names));
        lines.extend(event(first, names).filter(|_| moves.is_empty()));
        rest = rest.get(moves.len().max(1)..).unwrap_or_default();
    }
    lines
}

/// The source and the target of a move.
type Way = (String, String);

/// Returns moves up to the first one of a component that has moved already.
fn once_each<'e>(moves: impl Iterator<Item = (Way, &'e Value)>) -> Vec<(Way, &'e Value)> {
    let mut moved = Vec::new();
    let first_ones = moves.take_while(|(_, event)| {
        let component = event.get("component").filter(|id| !id.is_null());
        let is_first = component.is_none_or(|id| !moved.contains(&id));
        moved.extend(component);
        is_first
    });
    first_ones.collect()
}

/// Formats moves, a line for each way, in the order of the first on each.
fn all_moved(moves: &[(Way, &Value)], names: &Names) -> Vec<String> {
    let mut ways: Vec<(&Way, Vec<&Value>)> = Vec::new();
    for (way, event) in moves {
        match ways.iter_mut().find(|(known, _)| *known == way) {
            Some((_, together)) => together.push(event),
            None => ways.push((way, vec![event])),
        }
    }
    let ways = ways.iter();
    ways.filter_map(|((from, to), together)| moved(together, from, to, names))
        .collect()
}

/// The letters that the events of one change may take.
const LETTERS_MAX: usize = 4_000;

/// Joins the last of the lines, as many as fit. `…` stands for earlier ones: a change can hold the turns of many bots.
pub fn ending<L: AsRef<str>>(lines: &[L]) -> String {
    let mut room = LETTERS_MAX;
    let kept = lines.iter().rev().take_while(|line| {
        let letters = line.as_ref().chars().count() + 1;
        let fits = letters <= room;
        room = room.saturating_sub(letters);
        fits
    });
    let kept = kept.count();
    let earlier = if kept < lines.len() { "…\n" } else { "" };
    let last = lines.iter().skip(lines.len() - kept);
    let last = last.map(|line| format!("{}\n", line.as_ref()));
    earlier.to_owned() + &last.collect::<String>()
}

/// Returns the source and the target of a move.
fn way(event: &Value) -> Option<Way> {
    let is_move = event.get("type").and_then(Value::as_str) == Some("moved");
    is_move.then_some((event.get("from").map(short)?, event.get("to").map(short)?))
}

/// Formats moves as `Dragon red 3, Dragon red 4: Deck to Hand 1` or `7 hidden: Deck to Hand 2`. Nothing for moves
/// within a zone.
fn moved(moves: &[&Value], from: &str, to: &str, names: &Names) -> Option<String> {
    if from == to {
        return None;
    }
    let ids = moves
        .iter()
        .filter_map(|one| one.get("component")?.as_str());
    let mut what: Vec<String> = ids.map(|id| names.name(id)).collect();
    let hidden = moves.len() - what.len();
    if hidden > 0 {
        what.push(say(names.words.hidden, &[&hidden.to_string()]));
    }
    let (from, to) = (names.name(from), names.name(to));
    Some(say(names.words.moved, &[&what.join(", "), &from, &to]))
}

/// Formats an event as one line, or `None` if the reader does not need it.
fn event(event: &Value, names: &Names) -> Option<String> {
    let fields = event.as_object()?;
    let kind = fields.get("type")?.as_str()?;
    let words = names.words;
    let field = |key: &str| fields.get(key).map(short).unwrap_or_default();
    let named = |key: &str| fields.get(key).map(|value| titled(value, names));
    let seat = || names.seat(&field("seat"));
    let about = |text: &str, key: &str| say(text, &[&named(key).unwrap_or_default()]);
    match kind {
        "said" => Some(field("text")),
        "rolled" => Some(say(words.rolled, &[&rolled(fields, names)])),
        "scored" => Some(say(words.scores, &[&seat(), &field("by"), &field("total")])),
        "chose" => Some(say(words.chooses, &[&seat(), &chosen(fields, names)])),
        "shuffled" => Some(about(words.shuffled, "zone")),
        "shown" => Some(about(words.shown, "components")),
        "turned" if field("face") == "down" => Some(about(words.turned_down, "component")),
        "turned" => Some(about(words.turned_up, "component")),
        "turn-began" => Some(say(words.turn, &[&field("turn"), &seat()])),
        "round-began" => Some(about(words.round, "round")),
        "phase-began" => Some(about(words.phase, "phase")),
        "set" | "game-began" | "turn-ended" | "round-ended" | "phase-ended" | "finished"
        | "session-created" => None,
        _ => Some(generic(kind, fields, names)),
    }
}

/// Formats `Die 1 fire, Die 2 water`.
fn rolled(fields: &Map<String, Value>, names: &Names) -> String {
    let dice = fields.get("dice").and_then(Value::as_array);
    let dice = dice.into_iter().flatten();
    let die = |die: &Value| {
        let part = |key: &str| die.get(key).map(|id| titled(id, names)).unwrap_or_default();
        format!("{} {}", part("die"), part("face"))
    };
    dice.map(die).collect::<Vec<_>>().join(", ")
}

/// Returns the label of a choice; without one, formats `move, e fire`.
fn chosen(fields: &Map<String, Value>, names: &Names) -> String {
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    if let Some(label) = text("label").filter(|label| !label.is_empty()) {
        let question = text("decision").and_then(|decision| names.question(decision));
        return question.map_or_else(|| label.to_owned(), |question| asked(question, label));
    }
    let option = fields.get("option").map(short);
    let args = fields.get("args").and_then(Value::as_object);
    let args = args.into_iter().flatten();
    let args = args.map(|(name, value)| format!("{name} {}", titled(value, names)));
    let parts: Vec<String> = option.into_iter().chain(args).collect();
    parts.join(", ")
}

/// Formats `Whom do you ask? seat 2` or `Play a card: red 3`.
fn asked(question: &str, answer: &str) -> String {
    let colon = match question.ends_with(|last: char| last.is_alphanumeric() || last == '…') {
        true => ":",
        false => "",
    };
    format!("{question}{colon} {answer}")
}

/// Formats `shown components Dragon red 3, to 1, 2`.
fn generic(kind: &str, fields: &Map<String, Value>, names: &Names) -> String {
    let fields = fields.iter();
    let told = fields.filter(|(key, value)| *key != "type" && !value.is_null());
    let part = |key: &str, value| format!("{} {}", key.replace('_', " "), titled(value, names));
    let parts: Vec<String> = told.map(|(key, value)| part(key, value)).collect();
    format!("{} {}", kind.replace('-', " "), parts.join(", "))
}

/// Formats a value with titles in place of ids.
fn titled(value: &Value, names: &Names) -> String {
    match value {
        Value::String(id) => names.name(id),
        Value::Null => names.words.nothing.to_owned(),
        Value::Array(members) => {
            let members: Vec<String> = members.iter().map(|member| titled(member, names)).collect();
            members.join(", ")
        }
        other => short(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn of_many_events_the_last_are_told() {
        let lines: Vec<String> = (0..1_000).map(|turn| format!("turn {turn}")).collect();
        let text = ending(&lines);
        assert!(text.starts_with("…\nturn 5"), "{text}");
        assert!(text.ends_with("turn 998\nturn 999\n"), "{text}");
        assert!(text.chars().count() <= LETTERS_MAX + 2, "{text}");
        assert_eq!(ending(&["turn 1"]), "turn 1\n");
    }

    #[test]
    fn moves_between_the_same_zones_are_told_together() {
        let one = |id: Value, from: &str| json!({"type": "moved", "component": id, "from": from, "to": "hand-1"});
        let moves = [
            one(json!("a-1"), "deck"),
            one(json!(null), "deck"),
            one(json!("a-2"), "row"),
            one(json!("a-3"), "deck"),
            one(json!("a-1"), "hand-1"),
            one(json!("a-1"), "deck"),
        ];
        assert_eq!(
            events(&moves, &Names::default()),
            [
                "a-1, a-3, 1 hidden: deck to hand-1",
                "a-2: row to hand-1",
                "a-1: deck to hand-1"
            ]
        );
    }
}

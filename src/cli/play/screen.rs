//! Views, choices and events as lines of text. Works on the JSON that every client gets, so it knows no more than they do.

use serde_json::{Map, Value};

use crate::record::Outcome;
use crate::scenario::compare::short;

/// Lines are broken after this many characters.
const WIDTH: usize = 100;

/// Empty zones of one family that are named one by one.
const NAMED_MAX: usize = 4;

/// The table as a seat sees it.
pub fn view(view: &Value, me: u8) -> String {
    let mut text = format!("\n{}\n", headline(view, me));
    for (name, value) in members(view, "vars") {
        text += &format!("  {name}: {}\n", short(value));
    }
    let zones: Vec<(&String, &Value)> = members(view, "zones").collect();
    let is_empty = |zone: &Value| zone.get("count").and_then(Value::as_u64) == Some(0);
    for (name, zone) in zones.iter().filter(|(_, zone)| !is_empty(zone)) {
        text += &zone_line(name, zone);
    }
    let empty = zones.iter().filter(|(_, zone)| is_empty(zone));
    let empty = by_family(empty.copied());
    if !empty.is_empty() {
        let parts: Vec<&str> = empty.iter().map(String::as_str).collect();
        text += &wrapped("  empty: ", &parts, ", ");
    }
    text
}

/// Zones by name; of a family of many only how many (`42 of space`).
fn by_family<'v>(zones: impl Iterator<Item = (&'v String, &'v Value)>) -> Vec<String> {
    let mut families: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, zone) in zones {
        let family = zone.get("family").and_then(Value::as_str).unwrap_or(name);
        match families.last_mut() {
            Some((last, names)) if *last == family => names.push(name),
            _ => families.push((family, vec![name])),
        }
    }
    let told = families.into_iter().flat_map(|(family, names)| {
        if names.len() > NAMED_MAX {
            vec![format!("{} of {family}", names.len())]
        } else {
            names.into_iter().map(str::to_owned).collect()
        }
    });
    told.collect()
}

/// `== my-game · you are seat 1 of 3 · round 2 · turn 5 of seat 1 · scores 3, 0, 7`
fn headline(view: &Value, me: u8) -> String {
    let mut parts = vec![
        format!("== {}", view.get("game").map(short).unwrap_or_default()),
        format!(
            "you are seat {me} of {}",
            view.get("seats").map(short).unwrap_or_default()
        ),
    ];
    let number = |key: &str| view.get(key).and_then(Value::as_i64).filter(|n| *n > 0);
    parts.extend(number("round").map(|round| format!("round {round}")));
    parts.extend(
        view.get("phase")
            .and_then(Value::as_str)
            .map(|phase| format!("phase {phase}")),
    );
    parts.extend(number("turn").map(|turn| format!("turn {turn}")));
    parts.extend(number("active").map(|seat| format!("seat {seat} is active")));
    if let Some(scores) = view.get("scores").and_then(Value::as_array) {
        let scores: Vec<String> = scores.iter().map(short).collect();
        parts.push(format!("scores {}", scores.join(", ")));
    }
    parts.join(" · ")
}

fn members<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = (&'v String, &'v Value)> {
    value
        .get(key)
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
}

/// `  hand-1 (7): dragon-red-3, dragon-blue-2, …`
fn zone_line(name: &str, zone: &Value) -> String {
    let count = zone.get("count").and_then(Value::as_u64);
    let listed = zone
        .get("components")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let mut parts: Vec<String> = listed.iter().map(component).collect();
    let unlisted = count.unwrap_or(0).saturating_sub(listed.len() as u64);
    if unlisted > 0 {
        parts.push(format!("{unlisted} that you cannot see"));
    }
    let head = match count {
        Some(count) if count > 1 => format!("  {name} ({count}): "),
        _ => format!("  {name}: "),
    };
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    wrapped(&head, &parts, ", ")
}

/// `die-1 (face fire)`; a hidden one `#3`.
fn component(component: &Value) -> String {
    let Some(fields) = component.as_object() else {
        return short(component);
    };
    let id = fields.get("id").and_then(Value::as_str);
    let place = fields.get("place").map(short).unwrap_or_default();
    let name = id.map_or_else(|| format!("#{place}"), str::to_owned);
    let mut told: Vec<String> = fields
        .iter()
        .filter(|(key, value)| is_worth_telling(id, key, value))
        .map(|(key, value)| format!("{key} {}", short(value)))
        .collect();
    told.extend(fields.get("holds").map(inside));
    if told.is_empty() {
        name
    } else {
        format!("{name} ({})", told.join(", "))
    }
}

/// Not what the id says already, not what is usual.
fn is_worth_telling(id: Option<&str>, key: &str, value: &Value) -> bool {
    let text = short(value);
    let in_id = id.is_some_and(|id| id.split('-').any(|part| part == text));
    let usual = value.is_null() || text == "up" || value == &Value::Bool(false);
    !in_id
        && !usual
        && !matches!(
            key,
            "id" | "kind" | "place" | "holds" | "title" | "text" | "hidden"
        )
}

/// What lies in the zone inside a component.
fn inside(zone: &Value) -> String {
    let listed = zone
        .get("components")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let parts: Vec<String> = listed.iter().map(component).collect();
    match zone.get("count").and_then(Value::as_u64) {
        Some(0) => "empty".into(),
        Some(count) if parts.is_empty() => format!("holds {count}"),
        _ => format!("holds {}", parts.join(", ")),
    }
}

/// The prompt and a page of numbered choices.
pub fn choices(decision: &Value, offset: usize, page: usize) -> String {
    let prompt = decision
        .get("prompt")
        .and_then(Value::as_str)
        .unwrap_or("Your choice");
    let count = decision.get("count").and_then(Value::as_u64).unwrap_or(0);
    let mut text = format!("{prompt}\n");
    let listed = decision
        .get("choices")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let labels: Vec<String> = listed.iter().map(label).collect();
    for (i, choice) in listed.iter().enumerate() {
        let label = labels.get(i).cloned().unwrap_or_default();
        let alike = labels.iter().filter(|other| **other == label).count();
        let which = if alike > 1 {
            refers(choice)
        } else {
            String::new()
        };
        text += &format!("{:>4}  {label}{which}\n", offset + i + 1);
    }
    let shown = (offset + page) as u64;
    if count > shown {
        text += &format!("      … {} more\n", count - shown);
    }
    text
}

fn label(choice: &Value) -> String {
    let label = choice.get("label").and_then(Value::as_str);
    label.map_or_else(|| short(choice), str::to_owned)
}

/// ` (die-1, die-3)`: tells choices apart that read alike.
fn refers(choice: &Value) -> String {
    let ids = choice.get("refers").and_then(Value::as_array);
    let ids: Vec<String> = ids.into_iter().flatten().map(short).collect();
    if ids.is_empty() {
        String::new()
    } else {
        format!(" ({})", ids.join(", "))
    }
}

/// What happened, a line for each thing; moves from one zone to another together.
pub fn events(events: &[Value]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = events;
    while let Some((first, others)) = rest.split_first() {
        let way = way(first);
        let more = others
            .iter()
            .take_while(|other| way.is_some() && self::way(other) == way);
        let count = 1 + more.count();
        let (together, after) = rest.split_at(count.min(rest.len()));
        match &way {
            Some((from, to)) => lines.extend(moved(together, from, to)),
            None => lines.extend(event(first)),
        }
        rest = after;
    }
    lines
}

/// From where to where something moved.
fn way(event: &Value) -> Option<(String, String)> {
    let is_move = event.get("type").and_then(Value::as_str) == Some("moved");
    is_move.then_some((event.get("from").map(short)?, event.get("to").map(short)?))
}

/// `dragon-red-3, dragon-red-4: deck to hand-1`, `7 hidden: deck to hand-2`; nothing if the zone is the same.
fn moved(moves: &[Value], from: &str, to: &str) -> Option<String> {
    if from == to {
        return None;
    }
    let ids = moves
        .iter()
        .filter_map(|one| one.get("component")?.as_str());
    let mut what: Vec<String> = ids.map(str::to_owned).collect();
    let hidden = moves.len() - what.len();
    if hidden > 0 {
        what.push(format!("{hidden} hidden"));
    }
    Some(format!("{}: {from} to {to}", what.join(", ")))
}

/// One line for an event; `None` for those a reader of the table does not need.
fn event(event: &Value) -> Option<String> {
    let fields = event.as_object()?;
    let kind = fields.get("type")?.as_str()?;
    let field = |key: &str| fields.get(key).map(short).unwrap_or_default();
    match kind {
        "said" => Some(field("text")),
        "rolled" => Some(format!("rolled: {}", rolled(fields))),
        "scored" => Some(format!(
            "seat {} scores {}, {} in all",
            field("seat"),
            field("by"),
            field("total")
        )),
        "chose" => Some(chosen(fields)),
        "turn-began" => Some(format!("turn {} of seat {}", field("turn"), field("seat"))),
        "round-began" => Some(format!("round {}", field("round"))),
        "phase-began" => Some(format!("phase {}", field("phase"))),
        "set" | "game-began" | "turn-ended" | "round-ended" | "phase-ended" | "finished" => None,
        _ => Some(generic(kind, fields)),
    }
}

/// `die-1 fire, die-2 water`
fn rolled(fields: &Map<String, Value>) -> String {
    let dice = fields
        .get("dice")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let die = |die: &Value| {
        let part = |key: &str| die.get(key).map(short).unwrap_or_default();
        format!("{} {}", part("die"), part("face"))
    };
    dice.iter().map(die).collect::<Vec<_>>().join(", ")
}

/// `seat 2 chooses move, e fire`
fn chosen(fields: &Map<String, Value>) -> String {
    let option = fields.get("option").map(short);
    let args = fields
        .get("args")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let args = args.map(|(name, value)| format!("{name} {}", short(value)));
    let told: Vec<String> = option.into_iter().chain(args).collect();
    let seat = fields.get("seat").map(short).unwrap_or_default();
    format!("seat {seat} chooses {}", told.join(", "))
}

/// `shown components [dragon-red-3], to [1, 2]`
fn generic(kind: &str, fields: &Map<String, Value>) -> String {
    let told: Vec<String> = fields
        .iter()
        .filter(|(key, value)| *key != "type" && !value.is_null())
        .map(|(key, value)| format!("{} {}", key.replace('_', " "), short(value)))
        .collect();
    format!("{} {}", kind.replace('-', " "), told.join(", "))
}

pub fn outcome(outcome: &Outcome, me: u8) -> String {
    let result = if outcome.drawn {
        "The game is drawn.".into()
    } else if outcome.winners.contains(&me) {
        "You win.".into()
    } else {
        let winners: Vec<String> = outcome.winners.iter().map(ToString::to_string).collect();
        format!("Won by seat {}.", winners.join(" and seat "))
    };
    let ranks = ranking(outcome);
    if ranks.is_empty() {
        result
    } else {
        format!("{result} {ranks}")
    }
}

/// `1. seat 2 with 10, 3; 2. seat 1 with 7, 3`; nothing in a game that is won without comparing.
pub fn ranking(outcome: &Outcome) -> String {
    let compared = outcome.ranking.iter().filter(|rank| !rank.keys.is_empty());
    let ranks = compared.map(|rank| {
        let keys: Vec<String> = rank.keys.iter().map(ToString::to_string).collect();
        format!(
            "{}. seat {} with {}",
            rank.place,
            rank.seat,
            keys.join(", ")
        )
    });
    ranks.collect::<Vec<_>>().join("; ")
}

/// Parts after a head, broken into lines that are indented.
fn wrapped(head: &str, parts: &[&str], between: &str) -> String {
    let mut text = String::new();
    let mut line = head.to_owned();
    for (i, part) in parts.iter().enumerate() {
        let last = i + 1 == parts.len();
        let piece = if last {
            (*part).to_owned()
        } else {
            format!("{part}{between}")
        };
        if line.chars().count() + piece.chars().count() > WIDTH && line.trim() != head.trim() {
            text += line.trim_end();
            text += "\n";
            line = "      ".into();
        }
        line += &piece;
    }
    text += line.trim_end();
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_component_tells_what_its_id_does_not() {
        assert_eq!(
            component(&json!({"id": "dragon-red-3", "kind": "dragon", "color": "red", "rank": 3})),
            "dragon-red-3"
        );
        assert_eq!(
            component(&json!({"id": "die-1", "kind": "die", "face": "fire"})),
            "die-1 (face fire)"
        );
        assert_eq!(
            component(&json!({"place": 3, "courage": 1})),
            "#3 (courage 1)"
        );
    }

    #[test]
    fn a_zone_tells_how_many_cannot_be_seen() {
        assert_eq!(
            zone_line("deck", &json!({"count": 9})),
            "  deck (9): 9 that you cannot see\n"
        );
    }

    #[test]
    fn moves_between_the_same_zones_are_told_together() {
        let one = |id: Value, from: &str| json!({"type": "moved", "component": id, "from": from, "to": "hand-1"});
        let moves = [
            one(json!("a-1"), "deck"),
            one(json!(null), "deck"),
            one(json!("a-2"), "row"),
        ];
        assert_eq!(
            events(&moves),
            ["a-1, 1 hidden: deck to hand-1", "a-2: row to hand-1"]
        );
    }

    #[test]
    fn choices_that_read_alike_are_told_apart() {
        let choice = |id: &str| json!({"label": "Fire", "refers": [id]});
        let decision =
            json!({"prompt": "Which?", "count": 2, "choices": [choice("die-1"), choice("die-2")]});
        assert_eq!(
            choices(&decision, 0, 10),
            "Which?\n   1  Fire (die-1)\n   2  Fire (die-2)\n"
        );
    }

    #[test]
    fn long_lines_are_broken() {
        let parts = vec!["dragon-red-3"; 20];
        let text = wrapped("  hand-1: ", &parts, ", ");
        assert!(text.lines().count() > 1);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
    }
}

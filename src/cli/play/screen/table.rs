//! Formats the table as one seat sees it.

use serde_json::Value;

use super::wrapped;
use crate::scenario::compare::short;

/// Maximum number of empty zones of a family that are named individually.
const NAMED_MAX: usize = 4;

/// Formats the table as a seat sees it.
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
    let with_constants = zones.iter().filter(|(_, zone)| !constants(zone).is_empty());
    let described_families: Vec<_> = with_constants.map(|(_, zone)| zone.get("family")).collect();
    let (told, plain): (Vec<_>, Vec<_>) =
        empty.partition(|(_, zone)| described_families.contains(&zone.get("family")));
    let mut empty = by_family(plain.into_iter().copied());
    empty.extend(told.into_iter().map(|(name, zone)| described(name, zone)));
    if !empty.is_empty() {
        let parts: Vec<&str> = empty.iter().map(String::as_str).collect();
        text += &wrapped("  empty: ", &parts, ", ");
    }
    text
}

/// Lists zones by name, or only the number for large families (`42 of space`).
fn by_family<'v>(zones: impl Iterator<Item = (&'v String, &'v Value)>) -> Vec<String> {
    let mut families: Vec<(&str, Vec<String>)> = Vec::new();
    for (name, zone) in zones {
        let family = zone.get("family").and_then(Value::as_str).unwrap_or(name);
        match families.last_mut() {
            Some((last, names)) if *last == family => names.push(title(zone, name)),
            _ => families.push((family, vec![title(zone, name)])),
        }
    }
    let told = families.into_iter().flat_map(|(family, names)| {
        if names.len() > NAMED_MAX {
            vec![format!("{} of {family}", names.len())]
        } else {
            names
        }
    });
    told.collect()
}

/// Formats the title of a zone: `Hand 1`, `Space 5 (value 2, is blue)`.
fn described(name: &str, zone: &Value) -> String {
    let constants = constants(zone);
    if constants.is_empty() {
        title(zone, name)
    } else {
        format!("{} ({})", title(zone, name), constants.join(", "))
    }
}

fn title(thing: &Value, id: &str) -> String {
    let title = thing.get("title").and_then(Value::as_str);
    title.unwrap_or(id).to_owned()
}

/// Returns the constants of a zone that differ from the default.
fn constants(zone: &Value) -> Vec<String> {
    let fields = members(zone, "fields").filter(|(_, value)| !is_usual(value));
    let told = fields.map(|(name, value)| match value {
        Value::Bool(_) => name.replace('_', " "),
        _ => format!("{} {}", name.replace('_', " "), short(value)),
    });
    told.collect()
}

fn is_usual(value: &Value) -> bool {
    value.is_null() || value == &Value::Bool(false) || value.as_i64() == Some(0)
}

/// Formats `== my-game · you are seat 1 of 3 · round 2 · turn 5 of seat 1 · scores 3, 0, 7`.
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

/// Formats `  Hand 1 (7): Dragon red 3, Dragon blue 2, …`.
fn zone_line(name: &str, zone: &Value) -> String {
    let name = described(name, zone);
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

/// Formats `Die 1 (face fire)`, or `#3` for a hidden component.
fn component(component: &Value) -> String {
    let Some(fields) = component.as_object() else {
        return short(component);
    };
    let id = fields.get("id").and_then(Value::as_str);
    let place = fields.get("place").map(short).unwrap_or_default();
    let name = id.map_or_else(|| format!("#{place}"), |id| title(component, id));
    let unusual: Vec<(&String, String)> = fields
        .iter()
        .filter(|(key, value)| is_worth_telling(key, value))
        .map(|(key, value)| (key, short(value)))
        .collect();
    let mut told: Vec<String> = unusual
        .iter()
        .filter(|(key, value)| *key == "face" || !is_in_id(id, value, &unusual))
        .map(|(key, value)| format!("{key} {value}"))
        .collect();
    told.extend(fields.get("holds").map(inside));
    if told.is_empty() {
        name
    } else {
        format!("{name} ({})", told.join(", "))
    }
}

/// Returns whether the id already contains a value, such as `red` in `card-red-3`. If two fields have that value, the
/// id does not say which one it means.
fn is_in_id(id: Option<&str>, value: &str, fields: &[(&String, String)]) -> bool {
    let said = id.map_or(0, |id| id.split('-').filter(|part| *part == value).count());
    let meant = fields.iter().filter(|(_, other)| other == value).count();
    said >= meant
}

/// Returns whether a value differs from the default.
fn is_worth_telling(key: &str, value: &Value) -> bool {
    let usual = value.is_null() || value == "up" || value == &Value::Bool(false);
    !usual
        && !matches!(
            key,
            "id" | "kind" | "place" | "holds" | "title" | "text" | "hidden"
        )
}

/// Formats the contents of the zone inside a component.
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
}

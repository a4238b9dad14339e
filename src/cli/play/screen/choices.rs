//! Formats a decision: its prompt and its numbered choices.

use serde_json::Value;

use crate::scenario::compare::short;

/// Formats the prompt and a page of numbered choices.
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

/// Formats ` (die-1, die-3)`, which distinguishes choices with the same label.
fn refers(choice: &Value) -> String {
    let ids = choice.get("refers").and_then(Value::as_array);
    let ids: Vec<String> = ids.into_iter().flatten().map(short).collect();
    if ids.is_empty() {
        String::new()
    } else {
        format!(" ({})", ids.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
}

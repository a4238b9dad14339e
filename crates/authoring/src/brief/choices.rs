//! Formats a decision: its prompt and its choices, numbered for a terminal or with the ids that answer it.

use serde_json::{Value, json};

use super::groups::{self, BriefChoice};
use super::names::Names;
use super::words::say;
use crate::picture::words::Words;
use crate::scenario::compare::short;

/// Formats the prompt and a page of numbered choices.
pub fn choices(decision: &Value, offset: usize, page: usize, names: &Names) -> String {
    let prompt = prompt(decision).unwrap_or(names.words.your_choice);
    let mut text = format!("{prompt}\n");
    for (i, words) in labels(decision).iter().enumerate() {
        text += &format!("{:>4}  {words}\n", offset + i + 1);
    }
    let shown = (offset + page) as u64;
    let count = count(decision);
    if count > shown {
        let more = say(names.words.more, &[&(count - shown).to_string()]);
        text += &format!("      … {more}\n");
    }
    text + &given(decision, names.beside)
}

/// Describes what the seat can give instead of a listed value, one name in each line.
fn given(decision: &Value, words: &Words) -> String {
    let named = givable(decision).map(|(_, arg)| {
        let part = |name: &str| arg.get(name).map(short).unwrap_or_default();
        match arg.get("max_length") {
            Some(_) => say(words.or_text, &[&part("name"), &part("max_length")]),
            None => say(
                words.or_number,
                &[&part("name"), &part("minimum"), &part("maximum")],
            ),
        }
    });
    named.map(|line| format!("{line}\n")).collect()
}

/// Returns the options of a decision that have a name whose value is given, each with that name.
fn givable(decision: &Value) -> impl Iterator<Item = (&Value, &Value)> {
    let options = decision.get("template").and_then(Value::as_array);
    let is_given = |arg: &&Value| arg.get("maximum").or(arg.get("max_length")).is_some();
    let given = move |option| {
        let args = Value::as_array(Value::get(option, "args")?)?;
        Some((option, args.iter().find(is_given)?))
    };
    options.into_iter().flatten().filter_map(given)
}

/// Returns the choice, as a move describes it, in which a seat gives this value, as a person types it. `None` if it can give
/// none here.
pub fn giving(decision: &Value, typed: &str) -> Option<Value> {
    givable(decision).find_map(|(option, arg)| {
        let only = option.get("args")?.as_array()?.len() == 1;
        let value = match arg.get("max_length") {
            Some(_) => Value::from(typed),
            None => Value::from(typed.trim().parse::<i32>().ok()?),
        };
        let name = arg.get("name")?.as_str().filter(|_| only)?;
        let args = json!({name: value});
        let named = option.get("option").filter(|option| !option.is_null());
        let choice = match named {
            Some(option) => json!({"option": option, "args": args}),
            None => json!({"args": args}),
        };
        Some(choice)
    })
}

/// Formats a decision for someone who answers with ids, in about this number of letters: first how ids are made, then each
/// choice with the end of its id. Where choices read as numbers, those before them have a `#`.
pub fn answers(decision: &Value, words: &Words, room: usize) -> String {
    let ids = listed(decision).iter();
    let ids: Vec<&str> = ids
        .filter_map(|choice| choice.get("id")?.as_str())
        .collect();
    let begin = ids.first().and_then(|id| Some(id.rsplit_once('.')?.0));
    let (Some(begin), count) = (begin, count(decision)) else {
        return String::new();
    };
    let labels = labels(decision);
    let are_numbers = labels.iter().any(|label| label.parse::<i64>().is_ok());
    let sign = if are_numbers { "#" } else { "" };
    let items = ids.iter().zip(labels).map(|(id, words)| BriefChoice {
        number: format!("{sign}{}", id.rsplit('.').next().unwrap_or(id)),
        words,
    });
    let items: Vec<BriefChoice> = items.collect();
    let told = groups::listed(&items, room);
    let answer_with = if count == 1 {
        words.answer_with_only
    } else {
        words.answer_with
    };
    let mut text = format!("{count} {answer_with} {begin}.N\n{}", told.text);
    let unlisted = count.saturating_sub(items.len() as u64);
    if unlisted > 0 {
        text += &format!("… +{unlisted}\n");
    }
    text += &given(decision, words);
    if !told.is_whole || unlisted > 0 {
        text += &format!("{}\n", words.ask_for_words);
    }
    text
}

/// Returns the question, if the rules have words for it.
pub fn prompt(decision: &Value) -> Option<&str> {
    decision.get("prompt").and_then(Value::as_str)
}

fn count(decision: &Value) -> u64 {
    decision.get("count").and_then(Value::as_u64).unwrap_or(0)
}

fn listed(decision: &Value) -> &[Value] {
    let choices = decision.get("choices").and_then(Value::as_array);
    choices.map_or(&[][..], Vec::as_slice)
}

/// Returns the words of each choice, with what it refers to where several read alike.
pub fn labels(decision: &Value) -> Vec<String> {
    let listed = listed(decision);
    let labels: Vec<String> = listed.iter().map(label).collect();
    let told = labels.iter().zip(listed).map(|(label, choice)| {
        let alike = labels.iter().filter(|other| *other == label).count();
        match alike > 1 {
            true => format!("{label}{}", refers(choice)),
            false => label.clone(),
        }
    });
    told.collect()
}

fn label(choice: &Value) -> String {
    let label = choice.get("label").and_then(Value::as_str);
    label.map_or_else(|| short(choice), str::to_owned)
}

/// Formats ` (die-1, die-3)`, which distinguishes choices with the same label.
fn refers(choice: &Value) -> String {
    let ids = choice.get("refers").and_then(Value::as_array);
    let ids: Vec<String> = ids.into_iter().flatten().map(short).collect();
    match ids.is_empty() {
        true => String::new(),
        false => format!(" ({})", ids.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::words;
    use serde_json::json;

    #[test]
    fn choices_that_read_alike_are_told_apart() {
        let choice = |id: &str| json!({"label": "Fire", "refers": [id]});
        let decision =
            json!({"prompt": "Which?", "count": 2, "choices": [choice("die-1"), choice("die-2")]});
        assert_eq!(
            choices(&decision, 0, 10, &Names::default()),
            "Which?\n   1  Fire (die-1)\n   2  Fire (die-2)\n"
        );
    }

    #[test]
    fn choices_with_ids_carry_them() {
        let choice = |id: &str, label: &str| json!({"id": id, "label": label});
        let listed = [choice("12.1.0", "Pass"), choice("12.1.1", "Move")];
        let decision = json!({"prompt": "Which?", "count": 5, "choices": listed});
        assert_eq!(
            answers(&decision, words::of("en"), 1000),
            "5 choices. Answer with 12.1.N\n0 Pass\n1 Move\n… +3\nAsk for choices with certain words to see the others.\n"
        );
        assert_eq!(answers(&json!({"choices": []}), words::of("en"), 1000), "");
    }

    #[test]
    fn numbers_before_choices_that_read_as_numbers_have_a_sign() {
        let choice = |id: &str, label: &str| json!({"id": id, "label": label});
        let bids = json!({"count": 2, "choices": [choice("3.1.0", "1"), choice("3.1.1", "0")]});
        assert_eq!(
            answers(&bids, words::of("en"), 1000),
            "2 choices. Answer with 3.1.N\n#0 1\n#1 0\n"
        );
        let only = json!({"count": 1, "choices": [choice("3.1.0", "Pass")]});
        assert_eq!(
            answers(&only, words::of("en"), 1000),
            "1 choice. Answer with 3.1.N\n0 Pass\n"
        );
    }
}

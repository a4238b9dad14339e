//! Formats a decision: its prompt and its choices, numbered for a terminal or with the ids that answer it.

use serde_json::{Value, json};
use wyrmgate_view::DecisionDoc;

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

/// Describes what the seat can give instead of a listed value, one name in each line, with the form of a choice that has
/// other names, too: `{"t": …, "n": …}`.
fn given(decision: &Value, words: &Words) -> String {
    let named = givable(decision).map(|(option, arg)| {
        let part = |name: &str| arg.get(name).map(short).unwrap_or_default();
        let line = match arg.get("max_length") {
            Some(_) => say(words.or_text, &[&part("name"), &part("max_length")]),
            None => say(
                words.or_number,
                &[&part("name"), &part("minimum"), &part("maximum")],
            ),
        };
        let names = names_in(option).map(|name| format!("\"{name}\": …"));
        match names.collect::<Vec<_>>().as_slice() {
            [_] => line,
            names => format!("{line}; {{{}}}", names.join(", ")),
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

fn names_in(option: &Value) -> impl Iterator<Item = &str> {
    let args = option.get("args").and_then(Value::as_array);
    let names = args.into_iter().flatten().filter_map(|arg| arg.get("name"));
    names.filter_map(Value::as_str)
}

/// Returns the choice, as a move describes it, in which a seat gives this value, as a person types it: a text, a number, or all
/// values by name as JSON. `None` if it can give none here.
pub fn giving(decision: &Value, typed: &str) -> Option<Value> {
    let by_name = serde_json::from_str::<Value>(typed).ok();
    let by_name = by_name.filter(Value::is_object);
    givable(decision).find_map(|(option, arg)| {
        let args = match &by_name {
            Some(args) if names_in(option).all(|name| args.get(name).is_some()) => args.clone(),
            _ => {
                let mut names = names_in(option);
                let name = names.next().filter(|_| names.next().is_none())?;
                let value = match arg.get("max_length") {
                    Some(_) => Value::from(typed),
                    None => Value::from(typed.trim().parse::<i32>().ok()?),
                };
                json!({name: value})
            }
        };
        let named = option.get("option").filter(|option| !option.is_null());
        let choice = match named {
            Some(option) => json!({"option": option, "args": args}),
            None => json!({"args": args}),
        };
        Some(choice)
    })
}

/// A decision as the seat that owes it reads it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BriefDecision {
    pub prompt: Option<String>,
    /// The number of choices, also of those that are not in the list.
    pub count: u64,
    /// Whether the list is what a search has found.
    pub is_search: bool,
    pub choices: Vec<BriefChoice>,
    /// What can be given instead of a listed choice, as the API describes it.
    pub described: Value,
}

impl BriefDecision {
    pub fn of(doc: DecisionDoc) -> BriefDecision {
        let choices = doc.choices.into_iter().map(|choice| BriefChoice {
            number: choice.index,
            words: choice.label,
            cuts: choice.cuts,
            same_as: choice.same_as,
            is_ambiguous: choice.is_ambiguous,
            refers: choice.refers,
        });
        BriefDecision {
            prompt: doc.prompt,
            count: doc.count,
            is_search: false,
            choices: choices.collect(),
            described: Value::Null,
        }
    }

    /// Returns the choices that a reader can tell apart. Those that read alike say what they refer to.
    fn distinct(&self) -> Vec<BriefChoice> {
        let distinct = self.choices.iter();
        let distinct = distinct.filter(|choice| choice.same_as.is_none());
        let told = distinct.map(|choice| {
            let mut told = choice.clone();
            if choice.is_ambiguous && !choice.refers.is_empty() {
                told.cuts.retain(|cut| *cut < choice.words.len());
                told.words += &format!(" ({})", choice.refers.join(", "));
            }
            told
        });
        told.collect()
    }
}

/// Formats a decision for someone who answers with ids that begin like this, in about this number of letters: the question,
/// how ids are made, then each choice with the end of its id, which a `#` distinguishes from numbers in its words.
pub fn answers(decision: &BriefDecision, begin: &str, words: &Words, room: usize) -> String {
    let prompt = decision.prompt.iter().map(|prompt| format!("{prompt}\n"));
    let mut text: String = prompt.collect();
    if decision.choices.is_empty() {
        return text;
    }
    let items = decision.distinct();
    let told = groups::listed(&items, room, decision.is_search);
    let listed = decision.choices.len();
    let unlisted = decision.count.saturating_sub(listed as u64);
    let merged = (listed - items.len()) as u64;
    let count = match decision.is_search {
        true => format!("{}/{}", items.len(), decision.count),
        false => decision.count.saturating_sub(merged).to_string(),
    };
    // More can be given than is listed.
    let given = given(&decision.described, words);
    let count = if given.is_empty() { count } else { count + "+" };
    let answer_with = if count == "1" {
        words.answer_with_only
    } else {
        words.answer_with
    };
    text += &format!("{count} {answer_with} {begin}.N\n{}", told.text);
    text += &given;
    let is_whole = told.is_whole && (decision.is_search || unlisted == 0);
    if !is_whole && let Some(first) = items.first() {
        text += &say(words.ask_for_words, &[&first.words]);
        text.push('\n');
    }
    text
}

/// Returns how closely words mean a choice: 0 for its very words, more for less, `None` if some are not in it.
pub fn closeness(label: &str, words: &str) -> Option<u8> {
    let (label, words) = (label.to_lowercase(), words.to_lowercase());
    let whole = |text: &str| -> Vec<String> {
        let bare = |word: &str| word.trim_matches([',', ';', ':', '(', ')']).to_owned();
        let words = text.split_whitespace().map(bare);
        words.filter(|word| !word.is_empty()).collect()
    };
    let (of_label, wanted) = (whole(&label), whole(&words));
    let mut left = of_label.clone();
    let has_all = wanted.iter().all(|word| {
        let found = left.iter().position(|of| of == word);
        found.map(|at| left.swap_remove(at)).is_some()
    });
    let is_part = || {
        of_label
            .windows(wanted.len().max(1))
            .any(|part| *part == wanted)
    };
    match () {
        () if of_label == wanted => Some(0),
        () if is_part() => Some(1),
        () if has_all => Some(2),
        () => {
            let mut words = words.split_whitespace();
            words.all(|word| label.contains(word)).then_some(3)
        }
    }
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

    fn decision(count: u64, labels: &[&str]) -> BriefDecision {
        let choice = |(number, words): (usize, &&str)| BriefChoice {
            number: number as u64,
            words: (*words).to_owned(),
            refers: vec![format!("die-{number}")],
            is_ambiguous: *words == "Fire",
            ..BriefChoice::default()
        };
        BriefDecision {
            count,
            choices: labels.iter().enumerate().map(choice).collect(),
            ..BriefDecision::default()
        }
    }

    fn told(decision: &BriefDecision) -> String {
        answers(decision, "12.1", words::of("en"), 1000)
    }

    #[test]
    fn choices_carry_their_numbers_and_equal_ones_are_one() {
        assert_eq!(
            told(&decision(5, &["Pass", "Move"])),
            "5 choices (#N). Answer with 12.1.N\n#0 Pass\n#1 Move\nNot all are listed: answer with words such as `Pass`, or search with `words`.\n"
        );
        assert_eq!(told(&decision(0, &[])), "");
        let mut dice = decision(3, &["Fire", "Fire", "Water"]);
        assert!(told(&dice).contains("\n#0 Fire (die-0)\n#1 Fire (die-1)\n"));
        dice.choices[1].same_as = Some(0);
        dice.choices[0].is_ambiguous = false;
        assert_eq!(
            told(&dice),
            "2 choices (#N). Answer with 12.1.N\n#0 Fire\n#2 Water\n"
        );
        dice.is_search = true;
        assert!(told(&dice).starts_with("2/3 choices"), "{}", told(&dice));
    }

    #[test]
    fn values_are_given_alone_or_by_name() {
        let text = json!({"name": "t", "max_length": 20});
        let number = json!({"name": "n", "values": [1, 2]});
        let both = json!({"template": [{"args": [text, number]}]});
        let one = json!({"template": [{"option": "bid", "args": [{"name": "n", "minimum": 0, "maximum": 900}]}]});
        let given = json!({"args": {"t": "harbor", "n": 2}});
        assert_eq!(giving(&both, r#"{"t": "harbor", "n": 2}"#), Some(given));
        assert_eq!(giving(&both, "harbor"), None);
        assert_eq!(
            giving(&one, "500"),
            Some(json!({"option": "bid", "args": {"n": 500}}))
        );
        assert_eq!(giving(&one, "many"), None);
    }

    #[test]
    fn the_very_words_of_a_choice_mean_it_before_others() {
        let label = "Card hearts K, Card hearts Q, Card clubs Q";
        let close = |words| closeness(label, words);
        assert_eq!(close("card hearts k, card hearts q, card clubs q"), Some(0));
        assert_eq!(close("hearts q, card clubs"), Some(1));
        assert_eq!(close("hearts Q, hearts K, clubs Q"), Some(2));
        assert_eq!(close("heart"), Some(3));
        assert_eq!(close("spades"), None);
        assert_eq!(closeness("Lay at -1,0", "1,0"), Some(3));
        let label = "Card clubs 4, Card hearts Q";
        assert_eq!(closeness(label, "clubs Q, hearts Q"), None);
    }
}

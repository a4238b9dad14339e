//! Repairs of code as it is written in programming languages: each row of [`CODE`] rewrites one form, and a rewritten line
//! that parses is proposed. Forms that only replace words or signs are rows in `phrases`.

use super::rewriting::{Rewritten, indented, replaced, unmatched, words};
use super::{Broken, Repair, lists, nouns, phrases, script, shown, speech};
use crate::elsewhere::Elsewhere;
use crate::token::token;
use crate::words_of_elsewhere;

/// Forms of other languages.
const CODE: &[fn(&str) -> Option<Rewritten>] = &[
    loop_over,
    declared_name,
    combined_assignment,
    script::counted_up,
    script::keys_in_one_bracket,
    script::typed_name,
    script::typed_member,
    script::number_of_elsewhere,
    lists::function_of_members,
    lists::function_as_argument,
    lists::sorted_downward,
    lists::limited,
    lists::several_of_end,
    lists::contains,
    lists::quantifier_as_function,
    script::braced_block,
    speech::seat_before_choice,
    speech::rolled_number,
    speech::range_in_words,
    speech::seats_by_number,
    speech::none_in_zone,
    speech::shuffled_into,
    speech::repeated_until,
    speech::to_each,
    value_of_elsewhere,
    comprehension,
    generator,
    conditional_value,
    condition_behind,
    integer_division,
    nouns::choice_of_noun,
    nouns::drawn_noun,
    nouns::quantified_noun,
    joined_by_dots,
];

/// Values of other languages, and ours.
pub(super) const VALUES: &[(&str, &str)] = &[
    ("None", "none"),
    ("null", "none"),
    ("Null", "none"),
    ("NULL", "none"),
    ("nil", "none"),
    ("undefined", "none"),
    ("True", "true"),
    ("TRUE", "true"),
    ("False", "false"),
    ("FALSE", "false"),
];

/// Advice for signs that have no counterpart.
const SIGNS: Elsewhere = words_of_elsewhere! {
    "**" "^" => "multiply: `x * x`; `product(list)` multiplies all members";
    "=>" "->" => "a condition needs no function: `dragons where .owner = active`";
};

impl Broken<'_> {
    /// Returns the repair of a form of another language.
    pub(super) fn code(self) -> Option<Repair> {
        let forms = CODE.iter().filter_map(|form| form(self.text));
        let mut all = forms.chain(phrases::replaced(self.text));
        let rewritten = all.find(|found| found.line != self.text && self.parses(&found.line));
        let Some(Rewritten { message, line }) = rewritten else {
            return self.sign_without_counterpart();
        };
        let mut repair = Repair {
            message,
            help: String::new(),
            place: (0, 0),
            fixed: Some(line.clone()),
        };
        let (start, end, _) = repair.change(self.text)?;
        repair.help = format!("write `{}`", shown(&line, end));
        repair.place = (start, end.max(start + 1).min(self.text.len()));
        Some(repair)
    }

    fn sign_without_counterpart(self) -> Option<Repair> {
        let around = self.at.saturating_sub(2)..=self.at;
        let mut starts = around.filter_map(|at| Some((at, self.text.get(at..)?)));
        let (at, sign, help) = starts.find_map(|(at, rest)| {
            let (sign, help) = SIGNS.beginning(rest)?;
            let before = self.text.get(..at)?.trim_end();
            let is_power = matches!(sign, "**" | "^");
            let is_function = before.ends_with(|c: char| c.is_ascii_lowercase() || c == ')')
                && before.contains('(');
            (is_power || is_function).then_some((at, sign, help))
        })?;
        Some(Repair {
            message: format!("`{sign}` is not an operator"),
            help: help.to_owned(),
            place: (at, at + sign.len()),
            fixed: None,
        })
    }
}

/// Repairs `for d in dragons:`, `for each d in dragons:`, `foreach d of dragons:`, `for i in range(1, 4):`.
fn loop_over(line: &str) -> Option<Rewritten> {
    let (indent, text) = indented(line);
    let rest = text
        .strip_prefix("foreach ")
        .or_else(|| text.strip_prefix("for "))?;
    let rest = rest.strip_prefix("each ").unwrap_or(rest);
    let (name, rest) = rest.split_once(' ')?;
    let list = rest
        .strip_prefix("in ")
        .or_else(|| rest.strip_prefix("of "))?;
    let list = list.trim_start();
    Some(Rewritten {
        message: format!("no statement begins with `{}`", token(text)),
        line: format!("{indent}each {name} in {}", counted(list)),
    })
}

/// `range(1, 4): …` as `1..3: …`
fn counted(list: &str) -> String {
    let range = || {
        let (ends, rest) = list.strip_prefix("range(")?.split_once(')')?;
        let (low, beyond) = ends.split_once(',').unwrap_or(("0", ends));
        let high = match beyond.trim().parse::<i64>() {
            Ok(number) => (number - 1).to_string(),
            Err(_) => format!("{} - 1", beyond.trim()),
        };
        Some(format!("{}..{high}{rest}", low.trim()))
    };
    range().unwrap_or_else(|| list.to_owned())
}

/// Repairs `local n = 3`, `const n = 3`, `int n = 3`.
fn declared_name(line: &str) -> Option<Rewritten> {
    let (indent, text) = indented(line);
    let word = token(text);
    let is_known = [
        "local", "const", "var", "val", "auto", "int", "bool", "my", "def",
    ]
    .contains(&word);
    let (name, value) = text.get(word.len()..)?.trim().split_once('=')?;
    let name = name.trim();
    let is_name = !name.is_empty() && token(name) == name;
    (is_known && is_name && !value.starts_with('=')).then(|| Rewritten {
        message: format!("no statement begins with `{word}`"),
        line: format!("{indent}let {name} = {}", value.trim()),
    })
}

/// Repairs `x *= 2`.
fn combined_assignment(line: &str) -> Option<Rewritten> {
    let signs = [("*=", "*"), ("/=", "/"), ("%=", "mod")];
    let (sign, ours) = signs.into_iter().find(|(sign, _)| line.contains(sign))?;
    let (target, value) = line.split_once(sign)?;
    let value = value.trim();
    let value = match value.contains([' ', '+', '-']) {
        true => format!("({value})"),
        false => value.to_owned(),
    };
    let (_, plain) = indented(target);
    Some(Rewritten {
        message: format!("`{sign}` is not an operator"),
        line: format!("{target}= {} {ours} {value}", plain.trim_end()),
    })
}

/// `is None`, `is not None`, `= True`
fn value_of_elsewhere(line: &str) -> Option<Rewritten> {
    VALUES.iter().find_map(|(said, ours)| {
        let at = words(line).find(|(_, word)| word == said)?.0;
        Some(Rewritten {
            message: format!("`{said}` is not a value"),
            line: replaced(line, at, said.len(), ours),
        })
    })
}

/// Repairs `[d.space for d in dragons if d.owner = p]`.
fn comprehension(line: &str) -> Option<Rewritten> {
    let start = line.find('[')?;
    let (value, rest) = line.get(start + 1..)?.split_once(" for ")?;
    let (name, rest) = rest.split_once(" in ")?;
    let (list, behind) = rest.split_once(']')?;
    let list = match list.split_once(" if ") {
        Some((list, condition)) => format!("{list} where {condition}"),
        None => list.to_owned(),
    };
    let head = line.get(..start)?;
    Some(Rewritten {
        message: "a list of values is written with `keys`".to_owned(),
        line: format!("{head}keys({name} in {list}, {value}){behind}"),
    })
}

/// Repairs `sum(d.laps for d in dragons if d.owner = p)`.
fn generator(line: &str) -> Option<Rewritten> {
    let (before, rest) = line.split_once(" for ")?;
    let (name, rest) = rest.split_once(" in ")?;
    let open = unmatched(before.char_indices().rev(), ')', '(')?;
    let close = unmatched(rest.char_indices(), '(', ')')?;
    let (head, value) = before.split_at_checked(open + 1)?;
    let (list, behind) = rest.split_at_checked(close)?;
    let list = list.replacen(" if ", " where ", 1);
    Some(Rewritten {
        message: "the list comes first, with a name for its members".to_owned(),
        line: format!("{head}{name} in {list}, {value}{behind}"),
    })
}

/// Repairs `let n = 2 if x > 1 else 3`.
fn conditional_value(line: &str) -> Option<Rewritten> {
    let (before, rest) = line.split_once(" if ")?;
    let (condition, other) = rest.split_once(" else ")?;
    let start = start_of_value(before);
    let (head, value) = before.split_at_checked(start)?;
    let blank = if head.ends_with('=') { " " } else { "" };
    Some(Rewritten {
        message: "the condition of a value comes first".to_owned(),
        line: format!(
            "{head}{blank}if {condition} then {} else {other}",
            value.trim()
        ),
    })
}

/// Repairs `x += 1 if windy`.
fn condition_behind(line: &str) -> Option<Rewritten> {
    let (indent, text) = indented(line);
    let (statement, condition) = text.split_once(" if ")?;
    let is_choice = ["option", "choose", "may", "each"].contains(&token(text));
    let is_plain = !condition.contains([':', '"']) && !statement.contains(':') && !is_choice;
    is_plain.then(|| Rewritten {
        message: "the condition of a statement comes first".to_owned(),
        line: format!("{indent}if {}: {statement}", condition.trim_end()),
    })
}

/// Repairs `n // 2`.
fn integer_division(line: &str) -> Option<Rewritten> {
    let (before, by) = line.split_once("//")?;
    let is_operand = token(by.trim_start()).len() == by.trim().len();
    (is_operand && !by.trim().is_empty()).then(|| Rewritten {
        message: "`//` is not an operator; `/` rounds toward zero, and a `#` begins a comment"
            .to_owned(),
        line: format!("{before}/{by}"),
    })
}

/// Repairs `say "hello " .. n`.
fn joined_by_dots(line: &str) -> Option<Rewritten> {
    let start = line.find('"')?;
    let (text, behind) = line.get(start + 1..)?.split_once('"')?;
    let behind = behind.trim_start();
    let value = behind
        .strip_prefix("..")
        .or_else(|| behind.strip_prefix('&'))?
        .trim();
    let is_value = !value.is_empty() && !value.contains(['"', ' ']);
    is_value.then(|| Rewritten {
        message: "texts join by holes".to_owned(),
        line: format!(
            "{}\"{text}{{{value}}}\"",
            line.get(..start).unwrap_or_default()
        ),
    })
}

// ---- their parts

/// Returns where the value at the end of a text begins: behind `=`, `,` or an open bracket.
fn start_of_value(text: &str) -> usize {
    let mut depth = 0i32;
    for (at, letter) in text.char_indices().rev() {
        let opens = matches!(letter, '(' | '[');
        if depth == 0 && (opens || matches!(letter, '=' | ',')) {
            return at + 1;
        }
        depth += i32::from(matches!(letter, ')' | ']')) - i32::from(opens);
    }
    text.len() - indented(text).1.len()
}

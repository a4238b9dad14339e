//! Syntax errors in words: rules of the grammar have names for people.

use std::borrow::Cow;

use pest::error::{Error, ErrorVariant, InputLocation};

use crate::advice;
use crate::effect::{Rule, is_infix, is_prefix};
use crate::lookalike::{self, Found};
use crate::positions::Positions;
use crate::repair::{Broken, Repair};
use crate::token::token;
use wyrmgate_base::diagnostic::{Diagnostic, Span};

/// Returns "expected `to`, found `hand`", with advice for well-known mistakes. `text` is the parsed line, which begins
/// at `offset` of the effect text.
pub(super) fn diagnostic(
    entrance: Rule,
    text: &str,
    offset: usize,
    error: &Error<Rule>,
    positions: &Positions,
) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at.min(text.len()),
    };
    let line = Line {
        text,
        offset,
        positions,
    };
    let broken = Broken { entrance, text, at };
    if let Some(range) = broken.range() {
        return line.repaired(range);
    }
    if let Some(found) = lookalike::in_word(text, at).or_else(|| lookalike::alone(text, at)) {
        return lookalike_at(&found, |start, end| line.span(start, end));
    }
    if let Some(repair) = broken.of_slip() {
        return line.repaired(repair);
    }
    if entrance == Rule::only_line
        && let Some((word, help)) = advice::on_first_word(text)
    {
        let start = text.len() - text.trim_start().len();
        let message = format!("no statement begins with `{word}`");
        let span = line.span(start, start + word.len());
        return Diagnostic::error("syntax", span, message).help(help);
    }
    let (before, rest) = text.split_at_checked(at).unwrap_or_default();
    if advice::on_plain_sign(rest).is_none()
        && let Some(repair) = broken.repair()
    {
        return line.repaired(repair);
    }
    let found = token(rest);
    let message = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => {
            format!("{}, found {}", expectation(positives), described(found))
        }
        // pest's own guard against deep recursion; our limits are tighter, so this is not seen in practice.
        ErrorVariant::CustomError { message } => message.clone(),
    };
    let diagnostic = Diagnostic::error("syntax", line.span(at, at + found.len()), message);
    let help = match entrance {
        Rule::signature => Some(advice::on_signature(text)),
        Rule::only_line => advice::on_line(before, rest),
        Rule::only_expr | Rule::only_range => Some(advice::on_value(text, before, rest)),
        _ => advice::on_sign(before, rest),
    };
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// A line of an effect that does not parse.
struct Line<'t> {
    text: &'t str,
    /// Where it begins in the effect text.
    offset: usize,
    positions: &'t Positions,
}

impl Line<'_> {
    /// Returns the place of these bytes of the line.
    fn span(&self, start: usize, end: usize) -> Span {
        self.positions.span(self.offset + start, self.offset + end)
    }

    /// Returns the diagnostic of a mistake that a repair explains.
    fn repaired(&self, repair: Repair) -> Diagnostic {
        let (start, end) = repair.place;
        let change = repair.change(self.text);
        let change = change.map(|(start, end, new)| (self.span(start, end), new.to_owned()));
        let code = match repair.message.starts_with("`is` tests") {
            true => "is-for-equals",
            false => "syntax",
        };
        let problem = Diagnostic::error(code, self.span(start, end), repair.message);
        let problem = problem.help(repair.help);
        match change {
            Some((span, new)) => problem.repair(span, new),
            None => problem,
        }
    }
}

/// Returns the report of a look-alike; `span` locates bytes of the text in the file.
pub(super) fn lookalike_at(found: &Found, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    let place = span(found.at, found.at + found.sign.len_utf8());
    let problem = Diagnostic::error("lookalike", place, &found.lookalike.message);
    let problem = problem.help(&found.lookalike.help);
    match &found.repair {
        Some((start, end, plain)) => problem.repair(span(*start, *end), plain),
        None => problem,
    }
}

fn described(found: &str) -> String {
    if found.is_empty() {
        "the end of the line".to_string()
    } else {
        format!("`{found}`")
    }
}

fn expectation(rules: &[Rule]) -> String {
    let mut names: Vec<Cow<str>> = Vec::new();
    for name in rules.iter().filter_map(|rule| human_name(*rule)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    // Operators fit after every value: what the statement itself waits for comes first.
    names.sort_by_key(|name| *name == OPERATOR);
    match names.split_last() {
        None => "expected the end of the line here".to_string(),
        Some((last, [])) => format!("expected {last}"),
        Some((last, others)) => format!("expected {} or {last}", others.join(", ")),
    }
}

const OPERATOR: &str = "an operator";
const VALUE: &str = "a value";
const STATEMENT: &str = "a statement";

/// Rules and their names for people. A keyword `kw_to` is `to`, and a rule `move_stmt` is a statement; messages do not
/// mention other rules.
const NAMES: &[(&str, &[Rule])] = &[
    (
        STATEMENT,
        &[
            Rule::text,
            Rule::only_line,
            Rule::sentence,
            Rule::statement,
            Rule::jump,
        ],
    ),
    ("`:`", &[Rule::block, Rule::body, Rule::colon]),
    (
        "what to choose (`c in hand(p)`)",
        &[Rule::choice, Rule::binders, Rule::binder, Rule::quantity],
    ),
    ("`by`", &[Rule::decider, Rule::by_word]),
    ("`at random`", &[Rule::at_random]),
    ("`if`", &[Rule::only_if]),
    ("`default`", &[Rule::by_default, Rule::default_word]),
    ("`label`", &[Rule::labeled, Rule::label_word]),
    ("`yes` or `no`", &[Rule::kw_yes]),
    ("`at`", &[Rule::at_place, Rule::at_word]),
    ("`face up` or `face down`", &[Rule::face, Rule::face_word]),
    ("`turned`", &[Rule::turned, Rule::turned_word]),
    ("`ranked by`", &[Rule::ranked, Rule::ranked_word]),
    ("`ties drawn`", &[Rule::ties, Rule::ties_word]),
    ("`won by`", &[Rule::won, Rule::won_word]),
    (
        VALUE,
        &[
            Rule::only_expr,
            Rule::only_range,
            Rule::range_by,
            Rule::expr,
            Rule::term,
            Rule::operand,
            Rule::portion,
            Rule::prefix,
            Rule::let_word,
            Rule::selection,
            Rule::amount,
            Rule::small,
            Rule::if_word,
            Rule::atom,
            Rule::named,
            Rule::group,
            Rule::list,
        ],
    ),
    ("a number", &[Rule::int]),
    ("a text in quotes", &[Rule::text_lit]),
    (
        OPERATOR,
        &[
            Rule::suffix,
            Rule::is_word,
            Rule::sorted_word,
            Rule::with_word,
            Rule::infix,
            Rule::goes_on,
            Rule::arithmetic,
            Rule::is_not,
        ],
    ),
    (
        "words (`seat p takes a turn`)",
        &[
            Rule::signature,
            Rule::call_signature,
            Rule::phrase_signature,
        ],
    ),
    ("a parameter (`card c`)", &[Rule::param]),
    ("a clause (`ABC-01`)", &[Rule::clause]),
    ("a name", &[Rule::word, Rule::name]),
    (
        "`=`",
        &[Rule::assign, Rule::add_assign, Rule::subtract_assign],
    ),
    ("`;`", &[Rule::let_end]),
    ("`,`", &[Rule::comma]),
    ("`\"`", &[Rule::quote]),
    ("`)`", &[Rule::right_paren]),
    ("`]`", &[Rule::right_bracket]),
    ("`}`", &[Rule::right_brace]),
];

fn human_name(rule: Rule) -> Option<Cow<'static, str>> {
    if is_infix(rule) || is_prefix(rule) {
        let name = if is_prefix(rule) { VALUE } else { OPERATOR };
        return Some(Cow::Borrowed(name));
    }
    if let Some((name, _)) = NAMES.iter().find(|(_, rules)| rules.contains(&rule)) {
        return Some(Cow::Borrowed(name));
    }
    let own = format!("{rule:?}");
    if let Some(word) = own.strip_prefix("kw_") {
        return Some(Cow::Owned(format!("`{word}`")));
    }
    own.ends_with("_stmt").then_some(Cow::Borrowed(STATEMENT))
}

//! Syntax errors in words: every rule of the grammar has a name for people.

use pest::error::{Error, ErrorVariant, InputLocation};

use crate::advice;
use crate::effect::Rule;
use crate::lookalike::{self, Found};
use crate::positions::Positions;
use crate::repair::{Broken, Repair};
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
    let rest = text.get(at..).unwrap_or_default();
    let found = token(rest);
    let span = positions.span(offset + at, offset + at + found.len());
    let message = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => {
            format!("{}, found {}", expectation(positives), described(found))
        }
        // pest's own guard against deep recursion; our limits are tighter, so this is not seen in practice.
        ErrorVariant::CustomError { message } => message.clone(),
    };
    let broken = Broken { entrance, text, at };
    let told = |repair: Repair| {
        let (start, end) = repair.place;
        let span = positions.span(offset + start, offset + end);
        let change = repair.change(text).map(|(start, end, new)| {
            (positions.span(offset + start, offset + end), new.to_owned())
        });
        let told = Diagnostic::error("syntax", span, repair.message).help(repair.help);
        match change {
            Some((span, new)) => told.repair(span, new),
            None => told,
        }
    };
    if let Some(range) = broken.range() {
        return told(range);
    }
    if let Some(found) = foreign(text, at, offset, positions) {
        return found;
    }
    let diagnostic = Diagnostic::error("syntax", span, message);
    let before = text.get(..at).unwrap_or_default();
    if let (Rule::only_line, Some((word, help))) = (entrance, advice::on_first_word(text)) {
        let start = text.len() - text.trim_start().len();
        let span = positions.span(offset + start, offset + start + word.len());
        let message = format!("no statement begins with `{word}`");
        return Diagnostic::error("syntax", span, message).help(help);
    }
    if advice::on_plain_sign(before, rest).is_none()
        && let Some(repair) = broken.repair()
    {
        return told(repair);
    }
    let help = match entrance {
        Rule::signature => Some(advice::on_signature(text)),
        Rule::only_line => advice::on_line(before, rest),
        _ => advice::on_sign(before, rest),
    };
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// Returns the report of a character at byte `at` that only looks like one of ours, in its word or alone.
fn foreign(text: &str, at: usize, offset: usize, positions: &Positions) -> Option<Diagnostic> {
    let found = lookalike::in_word(text, at).or_else(|| lookalike::alone(text, at))?;
    Some(lookalike_at(&found, |start, end| {
        positions.span(offset + start, offset + end)
    }))
}

/// Returns the report of a look-alike; `span` locates bytes of the text in the file.
pub(super) fn lookalike_at(found: &Found, span: impl Fn(usize, usize) -> Span) -> Diagnostic {
    let place = span(found.at, found.at + found.sign.len_utf8());
    let told = Diagnostic::error("lookalike", place, &found.lookalike.message);
    let told = told.help(&found.lookalike.help);
    match &found.repair {
        Some((start, end, plain)) => told.repair(span(*start, *end), plain),
        None => told,
    }
}

/// Returns the word, number or character with which a text begins.
pub(super) fn token(text: &str) -> &str {
    let is_wordy = |c: char| c.is_alphanumeric() || c == '_';
    let first = text.chars().next();
    let length = match first {
        None | Some(' ' | '\n') => 0,
        Some(c) if is_wordy(c) => text.find(|c| !is_wordy(c)).unwrap_or(text.len()),
        Some(c) => ["==", "!=", "<=", ">=", "&&", "||", "+=", "-="]
            .iter()
            .find(|sign| text.starts_with(**sign))
            .map_or(c.len_utf8(), |sign| sign.len()),
    };
    text.get(..length).unwrap_or_default()
}

fn described(found: &str) -> String {
    if found.is_empty() {
        "the end of the line".to_string()
    } else {
        format!("`{found}`")
    }
}

fn expectation(rules: &[Rule]) -> String {
    let mut names: Vec<&str> = Vec::new();
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
const NAME: &str = "a name";
const TEXT: &str = "a text in quotes";

/// The name for people; `None` for rules that messages should not mention.
fn human_name(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::EOI
        | Rule::nl
        | Rule::line
        | Rule::stray
        | Rule::missing
        | Rule::letter
        | Rule::WHITESPACE => return None,
        // After every value an index, a field or more arguments could follow: true, and never the point.
        Rule::index | Rule::args | Rule::field | Rule::semicolon | Rule::cites => return None,
        Rule::literal | Rule::escape | Rule::hole => return None,
        Rule::bad
        | Rule::bad_text
        | Rule::reserved
        | Rule::reserved_word
        | Rule::statement_word => return None,

        Rule::text
        | Rule::only_line
        | Rule::sentence
        | Rule::statement
        | Rule::phrase_stmt
        | Rule::set_stmt => STATEMENT,
        Rule::let_stmt | Rule::if_stmt | Rule::else_stmt | Rule::each_stmt | Rule::repeat_stmt => {
            STATEMENT
        }
        Rule::while_stmt
        | Rule::jump_stmt
        | Rule::choose_stmt
        | Rule::option_stmt
        | Rule::ask_stmt => STATEMENT,
        Rule::move_stmt
        | Rule::draw_stmt
        | Rule::shuffle_stmt
        | Rule::roll_stmt
        | Rule::swap_stmt => STATEMENT,
        Rule::turn_stmt
        | Rule::show_stmt
        | Rule::say_stmt
        | Rule::turn_of_stmt
        | Rule::turns_stmt
        | Rule::as_stmt => STATEMENT,
        Rule::phase_stmt | Rule::round_stmt | Rule::finish_stmt | Rule::jump => STATEMENT,

        Rule::block | Rule::body | Rule::colon => "`:`",
        Rule::choice | Rule::binders | Rule::binder | Rule::quantity => {
            "what to choose (`c in hand(p)`)"
        }
        Rule::decider | Rule::by_word => "`by`",
        Rule::at_random => "`at random`",
        Rule::only_if => "`if`",
        Rule::by_default | Rule::default_word => "`default`",
        Rule::kw_yes => "`yes` or `no`",
        Rule::at_place | Rule::at_word => "`at`",
        Rule::face | Rule::face_word => "`face up` or `face down`",
        Rule::turned | Rule::turned_word => "`turned`",
        Rule::ranked | Rule::ranked_word => "`ranked by`",
        Rule::ties | Rule::ties_word => "`ties drawn`",
        Rule::won | Rule::won_word => "`won by`",

        Rule::only_expr
        | Rule::only_range
        | Rule::range_by
        | Rule::expr
        | Rule::term
        | Rule::operand => VALUE,
        Rule::prefix
        | Rule::quantified
        | Rule::conditional
        | Rule::if_word
        | Rule::atom
        | Rule::named => VALUE,
        Rule::group | Rule::list | Rule::op_not | Rule::negate => VALUE,
        Rule::int => "a number",
        Rule::text_lit => TEXT,
        Rule::suffix
        | Rule::is_test
        | Rule::is_word
        | Rule::sorted_word
        | Rule::with_word
        | Rule::infix
        | Rule::arithmetic
        | Rule::filter_sorted
        | Rule::filter_with => OPERATOR,
        Rule::filter_where
        | Rule::op_or
        | Rule::op_and
        | Rule::op_in
        | Rule::op_not_in
        | Rule::is_not => OPERATOR,
        Rule::equal
        | Rule::not_equal
        | Rule::less
        | Rule::less_equal
        | Rule::more
        | Rule::more_equal => OPERATOR,
        Rule::range | Rule::add | Rule::subtract | Rule::multiply | Rule::divide | Rule::modulo => {
            OPERATOR
        }

        Rule::signature | Rule::call_signature | Rule::phrase_signature => {
            "words (`seat p takes a turn`)"
        }
        Rule::param => "a parameter (`card c`)",
        Rule::clause => "a clause (`ABC-01`)",
        Rule::word | Rule::name => NAME,

        Rule::assign | Rule::add_assign | Rule::subtract_assign => "`=`",
        Rule::comma => "`,`",
        Rule::quote => "`\"`",
        Rule::right_paren => "`)`",
        Rule::right_bracket => "`]`",
        Rule::right_brace => "`}`",

        Rule::kw_any => "`any`",
        Rule::kw_as => "`as`",
        Rule::kw_ask => "`ask`",
        Rule::kw_bottom => "`bottom`",
        Rule::kw_by => "`by`",
        Rule::kw_choose => "`choose`",
        Rule::kw_chooses => "`chooses`",
        Rule::kw_down => "`down`",
        Rule::kw_draw => "`draw`",
        Rule::kw_drawn => "`drawn`",
        Rule::kw_each => "`each`",
        Rule::kw_else => "`else`",
        Rule::kw_every => "`every`",
        Rule::kw_finish => "`finish`",
        Rule::kw_from => "`from`",
        Rule::kw_has => "`has`",
        Rule::kw_if => "`if`",
        Rule::kw_in => "`in`",
        Rule::kw_least => "`least`",
        Rule::kw_let => "`let`",
        Rule::kw_may => "`may`",
        Rule::kw_most => "`most`",
        Rule::kw_move => "`move`",
        Rule::kw_no => "`no`",
        Rule::kw_of => "`of`",
        Rule::kw_option => "`option`",
        Rule::kw_ordered => "`ordered`",
        Rule::kw_phase => "`phase`",
        Rule::kw_random => "`random`",
        Rule::kw_repeat => "`repeat`",
        Rule::kw_roll => "`roll`",
        Rule::kw_round => "`round`",
        Rule::kw_say => "`say`",
        Rule::kw_show => "`show`",
        Rule::kw_shuffle => "`shuffle`",
        Rule::kw_some => "`some`",
        Rule::kw_swap => "`swap`",
        Rule::kw_then => "`then`",
        Rule::kw_times => "`times`",
        Rule::kw_to => "`to`",
        Rule::kw_top => "`top`",
        Rule::kw_turn => "`turn`",
        Rule::kw_turns => "`turns`",
        Rule::kw_up => "`up`",
        Rule::kw_while => "`while`",
        Rule::kw_with => "`with`",
    })
}

//! Choices as texts without spaces, for files that other programs read: in the notation of the game, or else by option and
//! ids (`play:card-3/2`).

use std::collections::BTreeMap;

use crate::doc::{Doc, Members};
use crate::json::{choice_from_json, choice_to_json};
use crate::name::{ReaderNames, Titles};
use crate::text;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use wyrmgate_engine::{
    Choice, Evaluated, Fault, Filled, GameOutcome, Pending, SeenValue, State, Viewer, answer,
    filled, filled_for_each, noted,
};
use wyrmgate_program::{
    BinderInfo, BinderSize, Hole, KeyInfo, NotedForm, Program, SiteOption, TextPiece, Type,
};

/// Stands for a list without members.
const EMPTY: &str = "-";

/// What files of games could misread is written as in URLs.
const UNSAFE: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b',');

/// A choice, and the texts that mean it, the shortest first.
#[derive(Debug, Clone)]
pub struct NotedChoice {
    pub choice: Choice,
    pub texts: Vec<String>,
}

/// Returns the choices of a decision that the notation of the game can write; none if it says nothing about the decision.
pub fn noted_choices(
    program: &Program,
    state: &State,
    owed: &Pending,
) -> Result<Vec<NotedChoice>, Fault> {
    let names = ReaderNames::new(program, Viewer::Seat(owed.seat));
    let all = noted(program, state, owed)?.into_iter();
    let all = all.filter_map(|(choice, filled)| {
        let option = program.option(owed.site, choice.option)?;
        let forms = option.forms.iter().zip(&filled);
        let texts = forms.map(|(form, filled)| written(program, names, form, filled));
        let texts = texts.collect();
        Some(NotedChoice { choice, texts })
    });
    Ok(all.collect())
}

/// Returns the first text of each choice that means no other one.
pub fn distinct_notes(all: &[NotedChoice]) -> impl Iterator<Item = Option<&str>> {
    let mut meanings: BTreeMap<&str, usize> = BTreeMap::new();
    for noted in all {
        let first =
            |at: usize, text: &String| !noted.texts.iter().take(at).any(|known| known == text);
        for (at, text) in noted.texts.iter().enumerate() {
            *meanings.entry(text).or_default() += usize::from(first(at, text));
        }
    }
    all.iter().map(move |noted| {
        let mut texts = noted.texts.iter().map(String::as_str);
        texts.find(|text| meanings.get(text) == Some(&1))
    })
}

/// Returns the first text of a choice that means no other one of these.
pub fn distinct_note<'n>(all: &'n [NotedChoice], choice: &Choice) -> Option<&'n str> {
    let at = all.iter().position(|noted| noted.choice == *choice)?;
    distinct_notes(all).nth(at)?
}

/// Returns the text of a choice.
pub fn note(
    program: &Program,
    state: &State,
    owed: &Pending,
    choice: &Choice,
) -> Result<String, Fault> {
    let all = noted_choices(program, state, owed)?;
    let noted = distinct_note(&all, choice).map(str::to_owned);
    Ok(noted.unwrap_or_else(|| plain_note(program, state, owed, choice)))
}

/// Returns the tags with which files begin.
pub fn noted_tags<'p>(
    program: &'p Program,
    state: &State,
) -> impl Iterator<Item = (&'p str, String)> {
    let names = ReaderNames::new(program, Viewer::Public);
    let tags = program.prose.notation.tags.iter();
    tags.map(move |(name, id)| {
        let tag = filled(program, state, 0, *id);
        (name.as_str(), text::read(program, *id, &tag.holes, &names))
    })
}

/// Returns the position as `start` of the rules reads it: the rows of its board, the last one first, then words. `None` if
/// the rules do not say how, if a rule fails, or if the game can hide something.
pub fn noted_position(program: &Program, state: &State) -> Option<String> {
    let position = program.prose.notation.position.as_ref();
    let position = position.filter(|_| !program.can_hide())?;
    let family = program.family(position.on)?;
    let [columns, rows] = family.keys.as_slice() else {
        return None;
    };
    let names = ReaderNames::new(program, Viewer::Public);
    let text = |form: &NotedForm, filled: &Filled| match filled.fault {
        None => Some(written(program, names, form, filled)),
        Some(_) => None,
    };
    let row = |row: i32| {
        let zones = places(columns).map(|column| program.zone_at_place(family, column + row));
        let letter = &position.letter;
        let filled = filled_for_each(program, state, letter.text, position.space, zones);
        let letters = filled.iter().map(|filled| text(letter, filled));
        let letters: Vec<String> = letters.collect::<Option<_>>()?;
        let runs = letters.chunk_by(|one, next| one.is_empty() && next.is_empty());
        let run = |run: &[String]| match run.concat() {
            empty if empty.is_empty() => run.len().to_string(),
            letter => letter,
        };
        Some(runs.map(run).collect())
    };
    let rows: Option<Vec<String>> = places(rows).rev().map(row).collect();
    let words = position.words.iter();
    let words = words.map(|form| {
        let word = text(form, &filled(program, state, 0, form.text))?;
        Some(match word.is_empty() {
            true => EMPTY.to_owned(),
            false => counted(&word),
        })
    });
    let words: Option<Vec<String>> = words.collect();
    Some([vec![rows?.join("/")], words?].concat().join(" "))
}

/// Returns the shares of the values of a key in the place of a zone.
fn places(key: &KeyInfo) -> impl DoubleEndedIterator<Item = i32> {
    let stride = i32::from(key.stride);
    (0..key.values.len() as i32).map(move |at| at * stride)
}

/// Writes `PPP` as `3P`.
fn counted(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let runs = letters.chunk_by(|one, next| one == next && one.is_alphabetic());
    let run = |run: &[char]| match run {
        [letter] => letter.to_string(),
        [letter, ..] => format!("{}{letter}", run.len()),
        [] => String::new(),
    };
    runs.map(run).collect()
}

/// Returns what the notation adds to the move that has led here.
pub fn note_after<'p>(program: &'p Program, state: &State) -> &'p str {
    let holds = |query: &str| match answer(program, state, query, None) {
        Some(Evaluated::One(value)) => value > 0,
        Some(Evaluated::Many(members)) => !members.is_empty(),
        None => false,
    };
    let mut after = program.prose.notation.after.iter();
    let added = after.find(|(query, _)| holds(query));
    let texts = added.map_or(&[][..], |(_, texts)| texts.as_slice());
    let is_won = |outcome: &GameOutcome| !outcome.winners.is_empty();
    let last = texts.last().filter(|_| state.outcome().is_some_and(is_won));
    last.or(texts.first()).map_or("", String::as_str)
}

/// Fills a form. What follows a truth value, a hole or one character, is written only if it is true.
fn written(program: &Program, names: ReaderNames<'_>, form: &NotedForm, filled: &Filled) -> String {
    let mut text = String::new();
    let Some(info) = program.prose.texts_with_holes.get(usize::from(form.text)) else {
        return text;
    };
    let mut is_written = true;
    for piece in info.parts_in(names.language()) {
        match piece {
            TextPiece::Words(words) => {
                let shown = words
                    .chars()
                    .filter(|_| std::mem::replace(&mut is_written, true));
                text.extend(shown);
            }
            TextPiece::Hole(number) => {
                let hole = info.holes.get(*number).zip(filled.holes.get(*number));
                let Some((hole, values)) = hole else { continue };
                if let (Hole::Value(_, Type::Bool), [SeenValue::Plain(truth)]) =
                    (hole, values.as_slice())
                {
                    is_written &= *truth > 0;
                } else if std::mem::replace(&mut is_written, true) {
                    let letters = form.letters.get(*number).copied().flatten();
                    let letters =
                        letters.and_then(|letters| program.prose.notation.letters.get(letters));
                    let words = values.iter().map(|value| {
                        let letter = letters.map(|letters| letter(letters, value, hole.of()));
                        letter.unwrap_or_else(|| {
                            let id = names.id(value, hole.of());
                            id.unwrap_or_default().into_owned()
                        })
                    });
                    let words: Vec<String> = words.collect();
                    let between = text.chars().last().map(String::from);
                    text.push_str(&words.join(&between.unwrap_or_default()));
                }
            }
        }
    }
    text
}

/// Returns the letter of a value; numbers count from 1.
fn letter(letters: &[String], value: &SeenValue, of: Type) -> String {
    let SeenValue::Plain(value) = value else {
        return String::new();
    };
    let at = usize::try_from(value - i32::from(of == Type::Int)).ok();
    let letter = at.and_then(|at| letters.get(at));
    letter.cloned().unwrap_or_default()
}

/// Returns the text of a choice by its option and the ids of its values.
pub fn plain_note(program: &Program, state: &State, owed: &Pending, choice: &Choice) -> String {
    let json = choice_to_json(program, state, owed, choice, Viewer::Seat(owed.seat));
    let option = json.get("option").and_then(Doc::as_str);
    let args = json.get("args").and_then(Doc::as_object);
    let args = args.into_iter().flat_map(Members::iter);
    let args: Vec<String> = args.map(|(_, value)| plain_value(value)).collect();
    match (option, args.join("/")) {
        (None, args) => args,
        (Some(option), args) if args.is_empty() => option.to_owned(),
        (Some(option), args) => format!("{option}:{args}"),
    }
}

fn plain_value(value: &Doc<'_>) -> String {
    let joined = |words: Vec<String>| match words.is_empty() {
        true => EMPTY.to_owned(),
        false => words.join("+"),
    };
    match value {
        Doc::Null => "none".to_owned(),
        Doc::Text(text) => utf8_percent_encode(text, &UNSAFE).to_string(),
        Doc::List(members) => joined(members.iter().map(plain_value).collect()),
        Doc::Object(members) => {
            let parts = members.iter();
            let parts = parts.map(|(name, value)| format!("{name}={}", plain_value(value)));
            joined(parts.collect())
        }
        Doc::Bool(_) | Doc::Int(_) | Doc::Real(_) => value.to_string(),
    }
}

/// Returns the choice of which this is the [`plain_note`], legal or not.
pub fn from_plain_note(
    program: &Program,
    state: &State,
    owed: &Pending,
    text: &str,
) -> Option<Choice> {
    let site = program.site(owed.site)?;
    let (name, args) = text.split_once(':').unwrap_or((text, ""));
    let mut options = site.options.iter();
    let named = options.find(|option| !option.name.is_empty() && option.name == name);
    let (option, args) = match (named, site.proper_options()) {
        (Some(option), _) => (option, args),
        (None, [option]) if option.name.is_empty() => (option, text),
        (None, _) => return None,
    };
    let mut json = Members::default();
    if !option.name.is_empty() {
        json.insert("option", Doc::from(option.name.clone()));
    }
    json.insert("args", Doc::Object(plain_args(option, args)?));
    choice_from_json(program, state, owed, Doc::Object(json)).ok()
}

fn plain_args(option: &SiteOption, text: &str) -> Option<Members<'static>> {
    let mut args = Members::default();
    let mut texts = text.split('/');
    for binder in &option.binders {
        let whole = binder.whole_name();
        if args.get(whole).is_none() {
            args.insert(whole.to_owned(), arg(binder, texts.next()?)?);
        }
    }
    Some(args)
}

fn arg(binder: &BinderInfo, text: &str) -> Option<Doc<'static>> {
    let parts = text.split('+').filter(|_| text != EMPTY);
    if binder.amount_in().is_some() {
        let amounts = parts.map(|part| {
            let (name, amount) = part.split_once('=')?;
            Some((name.to_owned(), Doc::Int(amount.parse().ok()?)))
        });
        let amounts: Option<Vec<(String, Doc<'static>)>> = amounts.collect();
        return Some(Doc::object(amounts?));
    }
    if binder.is_text() {
        return decoded(text);
    }
    if binder.count == BinderSize::One {
        return value(binder.of, text);
    }
    let members: Option<Vec<Doc<'static>>> = parts.map(|part| value(binder.of, part)).collect();
    Some(Doc::List(members?))
}

fn value(of: Type, text: &str) -> Option<Doc<'static>> {
    if of == Type::Bool {
        return text.parse().ok().map(Doc::Bool);
    }
    if text == "none" {
        return Some(Doc::Null);
    }
    if matches!(of, Type::Int | Type::Seat) {
        return text.parse().ok().map(Doc::Int);
    }
    decoded(text)
}

fn decoded(text: &str) -> Option<Doc<'static>> {
    let text = percent_decode_str(text).decode_utf8().ok()?;
    Some(Doc::from(text.into_owned()))
}

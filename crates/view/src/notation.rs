//! Choices as texts without spaces, for files that other programs read: in the notation of the game, or else by option and
//! ids (`play:card-3/2`).

use std::collections::BTreeMap;

use crate::doc::{Doc, Members};
use crate::json::{choice_from_json, choice_to_json};
use crate::name::{ReaderNames, Titles};
use crate::text;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use wyrmgate_engine::{
    Choice, ChoiceMenu, ChoiceTexts, Evaluated, Fault, Filled, GameOutcome, Pending, SeenValue,
    State, Viewer, answer, fault::Halt, filled, filled_for_each, with_texts,
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
    /// The text that means no other choice, as [`distinct_notes`] finds it.
    pub note: Option<String>,
}

/// Returns the choices of a decision with all texts that the notation of the game has for them; none if it says nothing about
/// the decision.
pub fn noted_choices(
    program: &Program,
    state: &State,
    owed: &Pending,
) -> Result<Vec<NotedChoice>, Fault> {
    let site = program.site(owed.site);
    if site.is_none_or(|site| site.options.iter().all(|option| option.forms.is_empty())) {
        return Ok(Vec::new());
    }
    let menu = ChoiceMenu::of(program, state, owed)?;
    let mut all = with_texts(program, state, owed, &menu, |texts| {
        let all = (0..menu.count()).map(|number| {
            let choice = texts.turn_to(number)?;
            let text = |form| in_form(program, owed, texts, number, form).transpose();
            let texts = (0..).map_while(text);
            Ok(NotedChoice {
                choice,
                texts: texts.collect::<Result<Vec<String>, Halt>>()?,
                note: None,
            })
        });
        all.collect::<Result<Vec<NotedChoice>, Halt>>()
    })?;
    let text =
        |at: usize, form: usize| all.get(at).and_then(|noted| noted.texts.get(form)).cloned();
    let notes: Result<_, Fault> = distinct(|at, form| Ok(text(at as usize, form)), menu.count());
    for (noted, note) in all.iter_mut().zip(notes?) {
        noted.note = note;
    }
    Ok(all)
}

/// Returns for each of these choices of a decision the first text that means no other one. Later forms are written only for
/// choices that earlier ones do not tell apart.
pub fn distinct_notes(
    program: &Program,
    state: &State,
    owed: &Pending,
    menu: &ChoiceMenu,
) -> Result<Vec<Option<String>>, Fault> {
    with_texts(program, state, owed, menu, |texts| {
        let text = |number, form| in_form(program, owed, texts, number, form);
        distinct(text, menu.count())
    })
}

/// Returns the first text of a choice that means no other one of the decision. They are listed if the choice has a form.
pub fn note(
    program: &Program,
    state: &State,
    owed: &Pending,
    choice: &Choice,
    list: fn(&Program, &State, &Pending) -> Result<ChoiceMenu, Fault>,
) -> Result<Option<String>, Fault> {
    let option = program.option(owed.site, choice.option);
    if option.is_none_or(|option| option.forms.is_empty()) {
        return Ok(None);
    }
    let (menu, site) = (list(program, state, owed)?, program.site(owed.site));
    let is_it = |number| site.and_then(|site| menu.choice(site, number)).as_ref() == Some(choice);
    let notes = distinct_notes(program, state, owed, &menu)?;
    let mut notes = notes.into_iter().zip(0..);
    Ok(notes
        .find(|(_, number)| is_it(*number))
        .and_then(|(note, _)| note))
}

/// Returns the text of choice `number` in a form, if it has the form.
fn in_form(
    program: &Program,
    owed: &Pending,
    texts: &mut ChoiceTexts<'_, '_>,
    number: u64,
    form: usize,
) -> Result<Option<String>, Halt> {
    let choice = texts.turn_to(number)?;
    let option = program.option(owed.site, choice.option);
    let Some(form) = option.and_then(|option| option.forms.get(form)) else {
        return Ok(None);
    };
    let names = ReaderNames::new(program, Viewer::Seat(owed.seat));
    written(program, names, form, |_, hole| texts.hole(hole)).map(Some)
}

/// Returns, for each choice, its first text that no other choice has. A form is filled only for choices that have
/// no such text yet.
fn distinct<E>(
    mut text: impl FnMut(u64, usize) -> Result<Option<String>, E>,
    choices: u64,
) -> Result<Vec<Option<String>>, E> {
    let mut notes: Vec<Option<String>> = Vec::new();
    let mut meanings: BTreeMap<String, usize> = BTreeMap::new();
    for form in 0.. {
        let texts = (0..choices).map(|number| match notes.get(number as usize) {
            Some(Some(_)) => Ok(None),
            Some(None) | None => text(number, form),
        });
        let texts = texts.collect::<Result<Vec<Option<String>>, E>>()?;
        if texts.iter().all(Option::is_none) {
            break;
        }
        for text in texts.iter().flatten() {
            *meanings.entry(text.clone()).or_default() += 1;
        }
        notes.resize(texts.len(), None);
        for (note, text) in notes.iter_mut().zip(texts) {
            let is_own = |text: &String| meanings.get(text) == Some(&1);
            *note = note.take().or(text.filter(is_own));
        }
    }
    Ok(notes)
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
    let text = |form: &NotedForm, filled: &Filled| {
        let values = |number: usize, _| filled.holes.get(number).cloned().ok_or(());
        written(program, names, form, values).ok()
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
fn written<E>(
    program: &Program,
    names: ReaderNames<'_>,
    form: &NotedForm,
    mut values: impl FnMut(usize, Hole) -> Result<Vec<SeenValue>, E>,
) -> Result<String, E> {
    let mut text = String::new();
    let Some(info) = program.prose.texts_with_holes.get(usize::from(form.text)) else {
        return Ok(text);
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
                let Some(hole) = info.holes.get(*number) else {
                    continue;
                };
                let is_truth = matches!(hole, Hole::Value(_, Type::Bool));
                if !is_written {
                    is_written = !is_truth;
                    continue;
                }
                let values = values(*number, *hole)?;
                if is_truth {
                    let is_true = |value| matches!(value, &SeenValue::Plain(truth) if truth > 0);
                    is_written = values.iter().all(is_true);
                    continue;
                }
                let letters = form.letters.get(*number).copied().flatten();
                let letters =
                    letters.and_then(|letters| program.prose.notation.letters.get(letters));
                let between = text.chars().last();
                for (at, value) in values.iter().enumerate() {
                    text.extend(between.filter(|_| at > 0));
                    match letters {
                        Some(letters) => text.push_str(letter(letters, value, hole.of())),
                        None => text.push_str(&names.id(value, hole.of()).unwrap_or_default()),
                    }
                }
            }
        }
    }
    Ok(text)
}

/// Returns the letter of a value; numbers count from 1.
fn letter<'l>(letters: &'l [String], value: &SeenValue, of: Type) -> &'l str {
    let SeenValue::Plain(value) = value else {
        return "";
    };
    let at = usize::try_from(value - i32::from(of == Type::Int)).ok();
    at.and_then(|at| letters.get(at)).map_or("", String::as_str)
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

//! Completion.

use std::borrow::Borrow;

use super::completion::{Completion, CompletionKind};
use super::index::{DeclaredName, NameIndex, NamedThing};
use super::locals::{Local, locals};
use super::place::{CursorContext, place};
use super::words::{self, LanguageWord};
use crate::format::{CodeToken, WordKind, tokens};
use crate::schema::File;
use wyrmgate_lang::shape::{Key, Shape};

/// Returns the completions at a byte of a text, and the start of the word that they replace.
pub fn complete(
    kind: File,
    text: &str,
    byte: usize,
    index: &NameIndex,
) -> (usize, Vec<Completion>) {
    let here = place(kind.shape(), text, byte);
    let prefix = prefix(&here.before);
    let start = byte - prefix.len();
    let before = here
        .before
        .get(..here.before.len() - prefix.len())
        .unwrap_or_default();
    let found = match here.shape {
        None => Vec::new(),
        Some(shape) if here.is_key => keys(shape),
        Some(shape) => {
            let mut found = words_of(shape);
            found.extend(match shape.scalar() {
                Shape::Effect => code(&here, before, text, byte, index, true),
                Shape::Value | Shape::Range => code(&here, before, text, byte, index, false),
                shape => plain(shape, index),
            });
            found
        }
    };
    (start, found)
}

/// Returns the word being typed. Clauses may contain capitals and a dash.
fn prefix(before: &str) -> &str {
    let is_wordy = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let with_dash = before.rsplit(|c| !is_wordy(c) && c != '-').next();
    let with_dash = with_dash.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()));
    let word = || before.rsplit(|c| !is_wordy(c)).next();
    with_dash.or_else(word).unwrap_or_default()
}

// ---- keys

fn keys(shape: Shape) -> Vec<Completion> {
    let shape = match shape {
        Shape::Edits => Shape::Map(&wyrmgate_lang::keys::GAME),
        shape => shape,
    };
    let tables = shape.tables().into_iter();
    tables
        .flat_map(|table| table.keys.iter().map(of_key))
        .collect()
}

fn of_key(key: &Key) -> Completion {
    let detail = format!("{}: {}", key.name, key.example);
    Completion::new(key.name, CompletionKind::Key, &detail, key.about)
}

// ---- values that are not code

fn plain(shape: Shape, index: &NameIndex) -> Vec<Completion> {
    match shape {
        Shape::Truth => ["true", "false"].into_iter().map(value).collect(),
        Shape::Clause => of(index, |what| what == NamedThing::Clause),
        Shape::Name | Shape::Path => {
            let builtin = ["int", "bool", "seat", "zone", "component", "cell", "side"];
            let mut all: Vec<Completion> = builtin.into_iter().map(value).collect();
            all.extend(of(index, |what| {
                matches!(
                    what,
                    NamedThing::Kind | NamedThing::Type | NamedThing::Zone | NamedThing::Field
                )
            }));
            all
        }
        _ => Vec::new(),
    }
}

/// Returns the words that have a meaning only here, as in `see: owner`.
fn words_of(shape: Shape) -> Vec<Completion> {
    match shape {
        Shape::Word(words) => words.iter().map(|word| value(word)).collect(),
        Shape::Either(shapes) => shapes.iter().flat_map(|shape| words_of(*shape)).collect(),
        _ => Vec::new(),
    }
}

fn value(word: &str) -> Completion {
    Completion::new(word, CompletionKind::Value, "", "")
}

// ---- code

fn code(
    here: &CursorContext,
    before: &str,
    text: &str,
    byte: usize,
    index: &NameIndex,
    is_effect: bool,
) -> Vec<Completion> {
    let line = tokens(before);
    let locals = locals(here, text, byte, index);
    if is_in_text(&line) && !before.contains('{') {
        return Vec::new();
    }
    match line.as_slice() {
        [.., dot] if dot.is(".") => members(&line, &locals, index),
        [.., last]
            if last.is("[") && !last.is_glued
                || last.text.starts_with(|c: char| c.is_ascii_uppercase()) =>
        {
            of(index, |what| what == NamedThing::Clause)
        }
        line => {
            let begins = line.last().is_none_or(|last| last.is(":") || last.is(";"));
            let mut all: Vec<Completion> = locals.into_iter().map(Local::completion).collect();
            if is_effect && begins {
                all.extend(of_words(words::statements(), CompletionKind::Keyword));
            }
            if is_effect {
                all.extend(of(index, |what| what == NamedThing::Effect));
            }
            all.extend(of(index, |what| {
                !matches!(
                    what,
                    NamedThing::Clause | NamedThing::Field | NamedThing::Local | NamedThing::Effect
                )
            }));
            all.extend(of_words(words::NAMES, CompletionKind::Variable));
            all.extend(of_words(words::functions(), CompletionKind::Function));
            all.extend(of_words(words::OPERATORS, CompletionKind::Keyword));
            all
        }
    }
}

fn is_in_text(line: &[CodeToken<'_>]) -> bool {
    line.last().is_some_and(|last| {
        last.kind == WordKind::Text && (last.text.len() < 2 || !last.text.ends_with('"'))
    })
}

fn of_words(
    words: impl IntoIterator<Item = impl Borrow<LanguageWord>>,
    kind: CompletionKind,
) -> impl Iterator<Item = Completion> {
    words.into_iter().map(move |word| {
        let LanguageWord { name, form, about } = *word.borrow();
        Completion::new(name, kind, form, about)
    })
}

fn of(index: &NameIndex, fits: impl Fn(NamedThing) -> bool) -> Vec<Completion> {
    sorted(index, |declared| fits(declared.what))
}

/// Returns the declarations that fit by name, each name once.
fn sorted(index: &NameIndex, fits: impl Fn(&DeclaredName) -> bool) -> Vec<Completion> {
    let all = index.declared.iter().filter(|declared| fits(declared));
    let mut found: Vec<Completion> = all.map(completion).collect();
    found.sort_by(|a, b| a.label.cmp(&b.label));
    found.dedup_by(|a, b| a.label == b.label);
    found
}

fn completion(declared: &DeclaredName) -> Completion {
    let kind = match declared.what {
        NamedThing::Zone => CompletionKind::Zone,
        NamedThing::Kind | NamedThing::Plural => CompletionKind::Component,
        NamedThing::Value | NamedThing::Type => CompletionKind::Value,
        NamedThing::Query => CompletionKind::Function,
        NamedThing::Effect => CompletionKind::Effect,
        NamedThing::Clause => CompletionKind::Clause,
        NamedThing::Field => CompletionKind::Field,
        NamedThing::Option | NamedThing::Data | NamedThing::Var | NamedThing::Local => {
            CompletionKind::Variable
        }
    };
    let (detail, about) = match declared.what {
        NamedThing::Clause => ("", declared.shown.as_str()),
        what => (declared.shown.as_str(), what.name()),
    };
    Completion::new(&declared.name, kind, detail, about)
}

// ---- behind a dot

fn members(line: &[CodeToken<'_>], locals: &[Local], index: &NameIndex) -> Vec<Completion> {
    let name = receiver(line);
    let mut locals = locals.iter();
    let local = locals.find(|local| Some(local.name.as_str()) == name);
    let of = local.map(|local| local.of.as_str()).or(name);
    let of = of.unwrap_or_default();
    let kind = index.kind_of(of);
    let is_seat = matches!(
        of,
        "seat" | "seats" | "active" | "others" | "seats_from" | "left" | "right"
    );
    let fits = |declared: &DeclaredName| match declared.what {
        NamedThing::Field => match kind {
            Some(kind) => is_related(index, kind, &declared.of),
            None => !is_seat,
        },
        NamedThing::Query => {
            let first = declared.of.as_str();
            match kind {
                Some(_) if matches!(first, "" | "component") => true,
                Some(kind) => {
                    let first = index.kind_of(first);
                    first.is_some_and(|first| is_related(index, kind, first))
                }
                None => !is_seat || first == "seat",
            }
        }
        NamedThing::Zone | NamedThing::Var => true,
        NamedThing::Effect => {
            !declared.name.contains(' ') && declared.shown.contains('(') && !is_seat
        }
        _ => false,
    };
    let mut found = sorted(index, fits);
    if !is_seat {
        found.extend(of_words(words::MEMBERS, CompletionKind::Field));
    }
    found.extend(of_words(words::functions(), CompletionKind::Function));
    found
}

/// Returns whether the kinds are equal or one is the family of the other.
fn is_related(index: &NameIndex, kind: &str, other: &str) -> bool {
    let family = |name: &str| {
        let mut kinds = index.declared.iter().filter(|d| d.what == NamedThing::Kind);
        kinds.find(|d| d.name == name).map(|d| d.of.clone())
    };
    kind == other
        || family(kind).as_deref() == Some(other)
        || family(other).as_deref() == Some(kind)
}

/// Returns the name before the dot: `c` for `c.`, `top` for `top(deck).`
fn receiver<'t>(line: &[CodeToken<'t>]) -> Option<&'t str> {
    let mut depth = 0usize;
    for token in line.iter().rev().skip(1) {
        if token.is(")") || token.is("]") {
            depth += 1;
        } else if token.is("(") || token.is("[") {
            depth = depth.checked_sub(1)?;
        } else if depth == 0 {
            return (token.kind == WordKind::Word).then_some(token.text);
        }
    }
    None
}

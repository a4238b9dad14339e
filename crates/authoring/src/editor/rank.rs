//! The order of completions: what the grammar expects comes first.

use std::cmp::Reverse;

use super::completion::CompletionKind::{Component, Function, Variable, Zone};
use super::completion::{Completion, CompletionKind};
use super::index::{NameIndex, NamedThing};
use super::locals::Local;
use super::words;
use crate::format::{CodeToken, WordKind, open_call};

/// What is expected at a place in code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// Completions of these kinds, the best first.
    Kinds(&'static [CompletionKind]),
    Seats,
    /// A value of this type.
    Values(String),
    /// What follows `is`, after a component of this kind.
    Tested(String),
    Anything,
}

const ZONES: Expected = Expected::Kinds(&[Zone, Variable]);
const COMPONENTS: Expected = Expected::Kinds(&[Variable, Component, Function]);

/// What follows each word of the language.
const AFTER: &[(&str, Expected)] = &[
    ("shuffle to from rotate", ZONES),
    ("in", Expected::Kinds(&[Zone, Component, Variable])),
    ("move roll swap with show", COMPONENTS),
    ("by as of ask", Expected::Seats),
];

const SEATS: [&str; 3] = ["seat", "seats", "active"];

impl Expected {
    /// Returns what is expected after these words of a line.
    pub fn after(line: &[CodeToken<'_>], index: &NameIndex, locals: &[Local]) -> Expected {
        let Some((last, before)) = line.split_last() else {
            return Expected::Anything;
        };
        let test = if last.text == "not" { before } else { line };
        if let [.., of, is] = test
            && is.text == "is"
        {
            let of = type_of(of.text, index, locals).unwrap_or_default();
            return Expected::Tested(index.kind_of(&of).unwrap_or_default().to_owned());
        }
        if last.kind == WordKind::Word {
            return Expected::after_word(last.text);
        }
        if last.is("=") || last.is("!=") {
            let mut words = before.iter().filter(|token| token.kind == WordKind::Word);
            let of = words
                .next_back()
                .and_then(|word| type_of(word.text, index, locals));
            return Expected::of_type(&of.unwrap_or_default(), index);
        }
        let key = open_call(line).and_then(|(name, at)| match words::is_name(name) {
            true => Some(SEATS[0].to_owned()),
            false => index.key_types(name).into_iter().nth(at),
        });
        Expected::of_type(&key.unwrap_or_default(), index)
    }

    /// Returns what is expected after a word of the language, or under a key.
    pub fn after_word(word: &str) -> Expected {
        let mut rows = AFTER.iter();
        let row = rows.find(|(words, _)| words.split(' ').any(|one| one == word));
        row.map_or(Expected::Anything, |(_, expected)| expected.clone())
    }

    fn of_type(of: &str, index: &NameIndex) -> Expected {
        if SEATS.contains(&of) {
            return Expected::Seats;
        }
        let single = of.strip_suffix('s').unwrap_or(of);
        let is_a = |what| [of, single].into_iter().find(|name| index.has(what, name));
        if let Some(name) = is_a(NamedThing::Type).or_else(|| is_a(NamedThing::Option)) {
            return Expected::Values(name.to_owned());
        }
        let others = [(NamedThing::Kind, COMPONENTS), (NamedThing::Zone, ZONES)];
        let found = others.into_iter().find(|(what, _)| is_a(*what).is_some());
        found.map_or(Expected::Anything, |(_, expected)| expected)
    }

    /// Returns the rank of a completion, the best first.
    fn rank(&self, one: &Completion) -> usize {
        let is_good = match self {
            Expected::Anything => vec![true],
            Expected::Kinds(kinds) => kinds.iter().map(|kind| *kind == one.kind).collect(),
            Expected::Values(of) => vec![one.about.strip_prefix("value of ") == Some(of)],
            Expected::Seats => {
                vec![SEATS.contains(&one.detail.as_str()) || SEATS.contains(&one.label.as_str())]
            }
            Expected::Tested(kind) => vec![
                !kind.is_empty() && one.detail.contains(&format!("({kind} ")),
                words::TESTS.iter().any(|word| word.name == one.label),
                one.kind != Function,
            ],
        };
        is_good
            .iter()
            .position(|fits| *fits)
            .unwrap_or(is_good.len())
    }
}

/// Sorts completions: what is expected first, and of that, what the game uses most.
pub fn by_rank(found: &mut [Completion], expected: &Expected, index: &NameIndex) {
    let counts = index.counts();
    let uses = |one: &Completion| counts.get(one.label.as_str()).copied().unwrap_or(0);
    if *expected != Expected::Anything {
        found.sort_by_cached_key(|one| (expected.rank(one), Reverse(uses(one))));
    }
}

/// Returns the type of a name, as far as it is known.
fn type_of(name: &str, index: &NameIndex, locals: &[Local]) -> Option<String> {
    if let Some(local) = locals.iter().find(|local| local.name == name) {
        return Some(local.of.clone());
    }
    let typed = [NamedThing::Option, NamedThing::Var, NamedThing::Field];
    let mut all = index.declared.iter();
    let found = all.find(|one| one.name == name && typed.contains(&one.what))?;
    let typed = found.shown.split_once(": ");
    Some(typed.map_or_else(|| found.name.clone(), |(_, of)| of.to_owned()))
}

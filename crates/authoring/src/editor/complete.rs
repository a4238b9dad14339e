//! Completion.

use std::borrow::Borrow;
use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::completion::{Completion, CompletionKind, keys_of};
use super::index::NamedThing::{
    Clause, Data, Effect, Field, Kind, Plural, Query, Type, Value, Var, Zone,
};
use super::index::{DeclaredName, NameIndex, NamedThing};
use super::locals::{Local, locals};
use super::place::{CursorContext, place};
use super::project::Project;
use super::rank::{Expected, by_rank};
use super::ways::OpenWay;
use super::words::{self, LanguageWord};
use crate::format::{CodeToken, WordKind, tokens};
use crate::schema::File;
use wyrmgate_lang::shape::{Naming, Referent, Shape};

/// A place where something is typed.
struct Typing<'c> {
    here: CursorContext,
    text: &'c str,
    byte: usize,
    index: &'c NameIndex,
    project: Option<&'c Project>,
    /// The games that overlays can extend.
    rulesets: &'c [String],
    /// The number of bytes that a completion replaces.
    replaced: usize,
}

/// Returns the completions at a byte of a text, the best first, and the start of the word that they replace.
pub fn complete(
    kind: File,
    text: &str,
    byte: usize,
    project: Option<&Project>,
    rulesets: &[String],
) -> (usize, Vec<Completion>) {
    let here = place(kind.shape(), text, byte);
    let nothing = NameIndex::default();
    let mut typing = Typing {
        replaced: prefix(&here.before).len(),
        here,
        text,
        byte,
        index: project.map_or(&nothing, Project::index),
        project,
        rulesets,
    };
    let found = typing.here.shape.map_or(Vec::new(), |shape| {
        typing.found(kind == File::Overlay, shape)
    });
    (byte - typing.replaced, found)
}

impl Typing<'_> {
    fn found(&mut self, is_overlay: bool, shape: Shape) -> Vec<Completion> {
        let verb = self.here.path.first().map_or("", String::as_str);
        let is_added = verb == "add";
        let is_edit = is_overlay && (is_added || verb == "change");
        let has_keys = !shape.tables().is_empty() || shape.section().is_some();
        if self.here.is_key && is_edit {
            self.way(1, is_added)
        } else if self.here.is_key && has_keys {
            self.keys(shape)
        } else {
            self.values(shape)
        }
    }

    // ---- paths

    /// Returns the path below this number of keys that is being typed.
    fn open_way(&self, skipped: usize) -> Option<OpenWay<'_>> {
        let above = self.here.path.get(skipped..).unwrap_or_default();
        Some(OpenWay::of(
            self.project?.tree.as_ref()?,
            above,
            &self.here.before,
        ))
    }

    /// Returns the keys at the end of a path.
    fn way(&mut self, skipped: usize, is_added: bool) -> Vec<Completion> {
        let Some(way) = self.open_way(skipped) else {
            return Vec::new();
        };
        let (open, found) = (way.open.clone(), way.completions(is_added));
        self.replaced = open.len();
        found.unwrap_or_else(|| self.handlers(&open))
    }

    // ---- keys

    fn keys(&mut self, shape: Shape) -> Vec<Completion> {
        let tables = shape.tables();
        let mut found: Vec<Completion> = tables.iter().flat_map(|table| keys_of(table)).collect();
        if tables.iter().any(|table| table.others.is_some()) {
            let of_choices = |name| Completion::new(name, CompletionKind::Key, "", "of a choice");
            found.extend(self.index.binders.iter().map(|(name, _)| of_choices(name)));
        }
        found.extend(match shape.section().map(|section| section.keys) {
            Some(Naming::Handler) => self.handlers(&self.here.before.clone()),
            Some(Naming::Query) => by_signature(self.index, Query),
            Some(Naming::Option) => of(self.index, &[NamedThing::Option]),
            Some(Naming::Path) => of(self.index, &LOOKED),
            Some(Naming::Name | Naming::Signature | Naming::Clause) | None => Vec::new(),
            Some(Naming::Language | Naming::Text) => Vec::new(),
        });
        dedup(&mut found);
        found
    }

    /// Returns what handlers can handle, after `before`, `instead` or `after`.
    fn handlers(&mut self, written: &str) -> Vec<Completion> {
        let Some((_, event)) = written.split_once(' ') else {
            self.replaced = written.len();
            return ["before", "instead", "after"].map(value).into();
        };
        self.replaced = event.len();
        let mut found = by_signature(self.index, Effect);
        found.extend(of_words(words::HAPPENINGS, CompletionKind::Effect));
        found
    }

    // ---- values

    fn values(&mut self, shape: Shape) -> Vec<Completion> {
        let mut found = words_of(shape);
        found.extend(match shape.scalar() {
            Shape::Effect => self.code(true),
            Shape::Value | Shape::Range => self.code(false),
            Shape::NameOf(Referent::Path) => self.way(usize::MAX, false),
            Shape::NameOf(of) => self.referents(of),
            Shape::Json => self.json(),
            shape => plain(shape, self.index),
        });
        found
    }

    fn referents(&self, wanted: Referent) -> Vec<Completion> {
        let things: &[NamedThing] = match wanted {
            Referent::Ruleset => return named(self.rulesets),
            Referent::Choice => return self.choices(),
            Referent::Type => return plain(Shape::Name, self.index),
            Referent::Field => &[Field],
            Referent::Option => &[NamedThing::Option],
            Referent::Data => &[Data],
            Referent::Zone | Referent::ZoneId => &[Zone],
            Referent::Kind | Referent::ComponentId | Referent::Path => &[Kind],
        };
        // The fields of what the key belongs to come first.
        let owner = self.here.path.iter().rev().nth(1);
        let is_own = |one: &DeclaredName| things.contains(&one.what) && Some(&one.of) == owner;
        let mut found = sorted(self.index, is_own);
        found.extend(of(self.index, things));
        dedup(&mut found);
        found
    }

    /// Returns the options of decisions, the most usual first.
    fn choices(&self) -> Vec<Completion> {
        let all = &self.index.choices;
        let mut names = all.clone();
        names.extend(["yes", "no", "decline"].map(str::to_owned));
        let count = |name: &String| all.iter().filter(|one| *one == name).count();
        names.sort_by_cached_key(|name| (Reverse(count(name)), name.clone()));
        names.dedup();
        named(&names)
    }

    /// Returns the values of an option, or what ids begin with.
    fn json(&self) -> Vec<Completion> {
        let key = self.here.path.last().map_or("", String::as_str);
        if !self.index.has(NamedThing::Option, key) {
            return of(self.index, &[Kind, Zone, Value]);
        }
        let named = sorted(self.index, |one| one.what == Value && one.of == key);
        match named.is_empty() {
            true => plain(Shape::Truth, self.index),
            false => named,
        }
    }

    // ---- code

    fn code(&self, is_effect: bool) -> Vec<Completion> {
        let before = self.here.before.as_str();
        let before = before
            .get(..before.len() - self.replaced)
            .unwrap_or_default();
        let line = tokens(before);
        let index = self.index;
        let locals = locals(&self.here, self.text, self.byte, index);
        if is_in_text(&line) && !before.contains('{') {
            return Vec::new();
        }
        match line.as_slice() {
            [.., dot] if dot.is(".") => members(&line, &locals, index),
            [.., last]
                if last.is("[") && !last.is_glued
                    || last.text.starts_with(|c: char| c.is_ascii_uppercase()) =>
            {
                of(index, &[Clause])
            }
            line => {
                let way = self.here.path.join(".");
                let way: Vec<&str> = way.split('.').collect();
                let expected = match way.as_slice() {
                    [.., "options", option, "default"] => Expected::Values((*option).to_owned()),
                    [.., key] if line.is_empty() && !is_effect => Expected::after_word(key),
                    _ => Expected::after(line, index, &locals),
                };
                let begins = line.last().is_none_or(|last| last.is(":") || last.is(";"));
                let mut all: Vec<Completion> = locals.into_iter().map(Local::completion).collect();
                if is_effect && begins {
                    all.extend(of_words(words::statements(), CompletionKind::Keyword));
                }
                if is_effect {
                    all.extend(of(index, &[Effect]));
                }
                if matches!(expected, Expected::Tested(_)) {
                    all.extend(of_words(words::TESTS, CompletionKind::Keyword));
                }
                all.extend(of(index, &[NamedThing::Option, Data, Plural, Query, Value]));
                all.extend(of(index, &LOOKED));
                all.extend(of_words(words::NAMES, CompletionKind::Variable));
                all.extend(of_words(words::functions(), CompletionKind::Function));
                all.extend(of_words(words::OPERATORS, CompletionKind::Keyword));
                by_rank(&mut all, &expected, index);
                all
            }
        }
    }
}

/// What has a look.
const LOOKED: [NamedThing; 4] = [Zone, Kind, Var, Type];

/// Returns the word being typed. Clauses may contain capitals and a dash.
fn prefix(before: &str) -> &str {
    let is_wordy = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let with_dash = before.rsplit(|c| !is_wordy(c) && c != '-').next();
    let with_dash = with_dash.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()));
    let word = || before.rsplit(|c| !is_wordy(c)).next();
    with_dash.or_else(word).unwrap_or_default()
}

// ---- keys

/// Returns the signatures of effects or queries.
fn by_signature(index: &NameIndex, what: NamedThing) -> Vec<Completion> {
    let all = index.declared.iter().filter(|one| one.what == what);
    let all = all.map(|one| Completion {
        label: one.shown.clone(),
        ..completion(one)
    });
    all.collect()
}

/// Leaves every name once.
fn dedup(found: &mut Vec<Completion>) {
    let mut known = BTreeSet::new();
    found.retain(|one| known.insert(one.label.clone()));
}

// ---- values that are not code

fn plain(shape: Shape, index: &NameIndex) -> Vec<Completion> {
    match shape {
        Shape::Truth => ["true", "false"].into_iter().map(value).collect(),
        Shape::Clause => of(index, &[Clause]),
        Shape::Name | Shape::Path => {
            let builtin = ["int", "bool", "seat", "zone", "component", "cell", "side"];
            let mut all: Vec<Completion> = builtin.into_iter().map(value).collect();
            all.extend(of(index, &[Kind, Type, Zone, Field]));
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

fn named(names: &[String]) -> Vec<Completion> {
    names.iter().map(|name| value(name)).collect()
}

fn value(word: &str) -> Completion {
    Completion::new(word, CompletionKind::Value, "", "")
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

fn of(index: &NameIndex, things: &[NamedThing]) -> Vec<Completion> {
    sorted(index, |declared| things.contains(&declared.what))
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
        Zone => CompletionKind::Zone,
        Kind | Plural => CompletionKind::Component,
        Value | Type => CompletionKind::Value,
        Query => CompletionKind::Function,
        Effect => CompletionKind::Effect,
        Clause => CompletionKind::Clause,
        Field => CompletionKind::Field,
        NamedThing::Option | Data | Var | NamedThing::Local => CompletionKind::Variable,
    };
    let of_type = format!("value of {}", declared.of);
    let (detail, about) = match declared.what {
        Clause => ("", declared.shown.as_str()),
        Value => ("", of_type.as_str()),
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
    let is_zone = local.is_none() && index.has(Zone, of);
    let is_seat = matches!(
        of,
        "seat" | "seats" | "active" | "others" | "seats_from" | "left" | "right"
    );
    let fits = |declared: &DeclaredName| match declared.what {
        Field => match kind {
            _ if is_zone => declared.of == of,
            Some(kind) => is_related(index, kind, &declared.of),
            None => !is_seat,
        },
        Query => {
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
        Zone | Var => true,
        Effect => !declared.name.contains(' ') && declared.shown.contains('(') && !is_seat,
        _ => false,
    };
    let mut found = sorted(index, fits);
    if !is_seat {
        found.extend(of_words(words::MEMBERS, CompletionKind::Field));
    }
    let order = [CompletionKind::Field, CompletionKind::Function];
    let rank = |kind| order.iter().position(|one| *one == kind);
    found.sort_by_key(|one| rank(one.kind).unwrap_or(order.len()));
    found.extend(of_words(words::functions(), CompletionKind::Function));
    found
}

/// Returns whether the kinds are equal or one is the family of the other.
fn is_related(index: &NameIndex, kind: &str, other: &str) -> bool {
    let family = |name: &str| {
        let mut kinds = index.declared.iter().filter(|d| d.what == Kind);
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

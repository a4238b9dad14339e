//! The index of a game: where each name is declared and used.

use std::collections::{BTreeSet, HashMap};

use wyrmgate_base::diagnostic::Span;
use wyrmgate_base::named_enum;
use wyrmgate_lang::ast::{Expr, Name};

named_enum! {
/// The kind of thing that a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedThing {
    Option = "option",
    Data = "data",
    Type = "type",
    /// A value of a type or of an option.
    Value = "value",
    Zone = "zone",
    Kind = "component",
    Plural = "plural",
    Var = "variable",
    Query = "query",
    Effect = "effect",
    Clause = "clause",
    /// A key or a field of zones or components.
    Field = "field",
    /// A parameter, or a name bound by a statement.
    Local = "name",
}
}

#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredName {
    pub name: String,
    pub what: NamedThing,
    pub span: Span,
    /// The text in which a local name is known.
    pub body: Option<u32>,
    /// The origin of the name. For a local: its type, kind, plural or zone family. For a field: the kind or zone family
    /// that has it. For a kind: its family. For a query: the type of its first parameter.
    pub of: String,
    /// How it is used, for readers: `dragon d moves int n`.
    pub shown: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct NameUse {
    pub name: String,
    pub span: Span,
    pub role: Role,
    pub body: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A standalone word.
    Name,
    /// After a dot.
    Member,
    /// In the brackets of a citation.
    Clause,
    /// A word of the effect with this index in [`NameIndex::declared`].
    Effect(usize),
}

#[derive(Debug, Clone, Default)]
pub struct NameIndex {
    pub declared: Vec<DeclaredName>,
    pub uses: Vec<NameUse>,
    /// Phrases: the effect's index in `declared`, and its words, `None` for a parameter.
    pub(super) phrases: Vec<(usize, Vec<Option<String>>)>,
    /// Words that precede a parameter.
    pub(super) types: BTreeSet<String>,
    pub(super) bodies: u32,
    /// Names bound by choices, under which answers are given.
    pub(super) binders: Vec<(String, Span)>,
    /// The options of decisions, and again for each use in a scenario.
    pub(super) choices: Vec<String>,
}

impl NameIndex {
    /// Returns the name at a byte of a file.
    pub fn at(&self, span: Span) -> Option<FoundName<'_>> {
        let covers =
            |own: Span| own.file == span.file && own.start <= span.start && span.start <= own.end;
        let used = self.uses.iter().find(|used| covers(used.span));
        let declared = || self.declared.iter().find(|declared| covers(declared.span));
        match used {
            Some(used) => Some(FoundName {
                name: &used.name,
                span: used.span,
                declared: self.resolve(used),
            }),
            None => declared().map(|declared| FoundName {
                name: &declared.name,
                span: declared.span,
                declared: vec![declared],
            }),
        }
    }

    /// Returns the declarations and the uses of a name that is found.
    pub fn mentions(&self, found: &FoundName<'_>) -> Vec<(Span, &str)> {
        let is_meant =
            |one: &DeclaredName| found.declared.iter().any(|own| std::ptr::eq(*own, one));
        let declared = self.declared.iter().filter(|one| is_meant(one));
        let used = self
            .uses
            .iter()
            .filter(|one| self.resolve(one).into_iter().any(is_meant));
        let declared = declared.map(|one| (one.span, one.name.as_str()));
        declared
            .chain(used.map(|one| (one.span, one.name.as_str())))
            .collect()
    }

    /// Adds a use of a name, or of a variable and a part of its records: `bid.amount`.
    pub fn note_use(&mut self, name: &Name, role: Role, body: Option<u32>) {
        let Some((variable, part)) = name.text.split_once('.') else {
            return self.uses.push(NameUse {
                name: name.text.clone(),
                span: name.span,
                role,
                body,
            });
        };
        let after = |text: &str| u32::try_from(text.len()).unwrap_or(0);
        let mut cut = |text: &str, start: u32, role| {
            let end = start + after(text);
            let span = Span {
                start,
                end,
                ..name.span
            };
            let name = Name::new(text, span);
            self.note_use(&name, role, body);
        };
        cut(variable, name.span.start, role);
        cut(
            part,
            name.span.end.saturating_sub(after(part)),
            Role::Member,
        );
    }

    /// Returns what a use may mean. There are several if only the checker can decide.
    pub fn resolve(&self, used: &NameUse) -> Vec<&DeclaredName> {
        match used.role {
            Role::Effect(number) => self.declared.get(number).into_iter().collect(),
            Role::Clause => self.named(&used.name, |what| what == NamedThing::Clause),
            Role::Member => self.named(&used.name, is_member),
            Role::Name => {
                let locals = self.locals(used.body);
                let local = locals.filter(|local| local.name == used.name);
                let local: Vec<&DeclaredName> = local.collect();
                match local.is_empty() {
                    true => self.global(&used.name),
                    false => local,
                }
            }
        }
    }

    fn global(&self, name: &str) -> Vec<&DeclaredName> {
        let all = self.named(name, |what| {
            !matches!(what, NamedThing::Local | NamedThing::Clause)
        });
        let is_field = |declared: &&DeclaredName| declared.what == NamedThing::Field;
        let (fields, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_field);
        let proper = if others.is_empty() { fields } else { others };
        if !proper.is_empty() {
            return proper;
        }
        let plural = |what| matches!(what, NamedThing::Kind | NamedThing::Type | NamedThing::Zone);
        name.strip_suffix('s')
            .map_or(Vec::new(), |single| self.named(single, plural))
    }

    fn named(&self, name: &str, fits: impl Fn(NamedThing) -> bool) -> Vec<&DeclaredName> {
        let all = self.declared.iter();
        all.filter(|declared| declared.name == name && fits(declared.what))
            .collect()
    }

    /// Returns the names bound by statements and parameters of a text.
    pub fn locals(&self, body: Option<u32>) -> impl Iterator<Item = &DeclaredName> {
        let all = self.declared.iter().filter(move |_| body.is_some());
        all.filter(move |declared| declared.what == NamedThing::Local && declared.body == body)
    }

    /// Returns the effect that a phrase calls, and its words. `words` are the bare words of the phrase, `None` for an argument.
    pub(super) fn phrase(&self, words: &[Option<&Name>]) -> Option<&(usize, Vec<Option<String>>)> {
        let fit = |(own, word): (&Option<String>, &Option<&Name>)| {
            own.is_none() || own.as_ref() == word.map(|word| &word.text)
        };
        let mut phrases = self.phrases.iter();
        phrases.find(|(_, own)| own.len() == words.len() && own.iter().zip(words).all(fit))
    }

    /// Returns whether there is a thing of this kind with this name.
    pub fn has(&self, what: NamedThing, name: &str) -> bool {
        let mut all = self.declared.iter();
        all.any(|one| one.what == what && one.name == name)
    }

    /// Returns the number of uses of each name.
    pub fn counts(&self) -> HashMap<&str, usize> {
        let mut counts = HashMap::new();
        for used in &self.uses {
            *counts.entry(used.name.as_str()).or_default() += 1;
        }
        counts
    }

    /// Returns the types of the keys or parameters of a name, as far as they are known.
    pub fn key_types(&self, name: &str) -> Vec<String> {
        let shown = self.declared.iter().find_map(|one| {
            let keys = one.shown.strip_prefix(name)?.strip_prefix(['(', '['])?;
            keys.split_once([')', ']']).map(|(keys, _)| keys)
        });
        // A kind has the keys of its family.
        let mut kinds = self
            .declared
            .iter()
            .filter(|one| one.what == NamedThing::Kind);
        let family = kinds.find(|one| shown.is_none() && one.name == name && !one.of.is_empty());
        if let Some(family) = family {
            return self.key_types(&family.of);
        }
        let keys = shown.unwrap_or_default().split(", ");
        let typed = keys.map(|key| match key.split_once(": ") {
            Some((_, of)) => of,
            None => key.split(' ').next().unwrap_or_default(),
        });
        typed.map(str::to_owned).collect()
    }

    pub(super) fn declare(&mut self, declared: DeclaredName) -> usize {
        self.declared.push(declared);
        self.declared.len() - 1
    }

    /// Returns the kind for the origin of a local name: `dragons`, `dragon`, or a zone family that holds it.
    pub fn kind_of(&self, of: &str) -> Option<&str> {
        let called = |what: NamedThing, name: &str| {
            let mut all = self.declared.iter();
            all.find(|one| one.what == what && one.name == name)
        };
        let kind = |name: &str| Some(called(NamedThing::Kind, name)?.name.as_str());
        kind(of)
            .or_else(|| kind(of.strip_suffix('s')?))
            .or_else(|| kind(&called(NamedThing::Plural, of)?.of))
            .or_else(|| kind(&called(NamedThing::Zone, of)?.of))
    }
}

fn is_member(what: NamedThing) -> bool {
    matches!(
        what,
        NamedThing::Field
            | NamedThing::Query
            | NamedThing::Zone
            | NamedThing::Var
            | NamedThing::Effect
    )
}

/// A name at a place.
#[derive(Debug, Clone)]
pub struct FoundName<'i> {
    pub name: &'i str,
    pub span: Span,
    pub declared: Vec<&'i DeclaredName>,
}

/// Returns the name at the root of a list expression, which is all that is known of its members without types.
pub(super) fn root_of(expr: &Expr) -> String {
    use wyrmgate_lang::ast::ExprKind;
    match &expr.kind {
        ExprKind::Name(name) | ExprKind::Call(name, _) => name.text.clone(),
        ExprKind::Field(_, name, _) => name.text.clone(),
        ExprKind::Where(of, _) | ExprKind::Cited(of, _) => root_of(of),
        ExprKind::Sorted { of, .. } | ExprKind::With { of, .. } => root_of(of),
        _ => String::new(),
    }
}

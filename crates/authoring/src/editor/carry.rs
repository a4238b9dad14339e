//! Finds names in places outside the language: ids and answers in scenarios (`card-sun-3`), and paths in overlays
//! (`data.goal`, `components.card.kinds.gust`).

use super::index::{DeclaredName, NameIndex, NamedThing};
use super::project::Project;
use wyrmgate_base::diagnostic::{FileId, Report, Sources, Span};
use wyrmgate_lang::yaml::{self, Budget, Node, NodeKind, Scalar};

/// Steps of a scenario with effect text or clause sentences, whose names the language itself finds.
const IN_THE_LANGUAGE: [&str; 5] = ["arrange", "expect", "scenario", "shows", "prompt"];

/// Steps whose keys are names bound by a choice.
const CHOICES: [&str; 2] = ["play", "refused"];

/// Returns the additional places that change with a name, each with its new text.
pub fn carried(project: &Project, old: &DeclaredName, new: &str) -> Vec<(Span, String)> {
    let mut carry = Carry {
        sources: &project.sources,
        index: project.index(),
        old,
        new,
        edits: Vec::new(),
    };
    for file in project.scenario_files() {
        carry.file(file, Carry::scenarios);
    }
    for file in project.overlay_files() {
        carry.file(file, Carry::overlay);
    }
    carry.edits
}

struct Carry<'p> {
    sources: &'p Sources,
    index: &'p NameIndex,
    old: &'p DeclaredName,
    new: &'p str,
    edits: Vec<(Span, String)>,
}

impl Carry<'_> {
    fn file(&mut self, file: FileId, walk: fn(&mut Self, &Node)) {
        let Some(source) = self.sources.get(file) else {
            return;
        };
        let (mut budget, mut report) = (Budget::default(), Report::default());
        if let Some(tree) = yaml::parse(file, &source.text, &mut budget, &mut report) {
            walk(self, &tree);
        }
    }

    /// Replaces the words from `start` to `end` of a scalar.
    fn change(&mut self, scalar: &Scalar, start: usize, end: usize, words: String) {
        let source = self.sources.get(scalar.span.file);
        let range = scalar.span.start as usize..scalar.span.end as usize;
        let written = source.and_then(|source| source.text.get(range));
        // In a quoted scalar the text begins after the quote; with escapes it does not occur literally.
        let Some(inset) = written.and_then(|written| written.find(&*scalar.text)) else {
            return;
        };
        let begin = scalar.span.start as usize + inset;
        let span = Span::new(scalar.span.file, begin + start, begin + end);
        self.edits.push((span, words));
    }

    // ---- scenarios

    fn scenarios(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::Scalar(scalar) => self.id(scalar),
            NodeKind::List(members) => members.iter().for_each(|member| self.scenarios(member)),
            NodeKind::Map(entries) => {
                for (key, value) in entries {
                    if IN_THE_LANGUAGE.contains(&&*key.text) {
                        continue;
                    }
                    if CHOICES.contains(&&*key.text) {
                        self.bound_names(value);
                    }
                    self.scenarios(value);
                }
            }
        }
    }

    /// Handles an id such as `card-sun-3`: the kind or the family and its keys, or a value alone.
    fn id(&mut self, scalar: &Scalar) {
        let parts: Vec<&str> = scalar.text.split('-').collect();
        let is_id = parts.len() > 1 && parts.first().is_some_and(|first| self.has_ids(first));
        let is_kind_or_zone = matches!(self.old.what, NamedThing::Kind | NamedThing::Zone);
        let is_value = self.old.what == NamedThing::Value;
        if !(is_kind_or_zone || is_value) || (parts.len() > 1 && !is_id) {
            return;
        }
        let is_meant = |place: usize| match is_value {
            true => place > 0 || parts.len() == 1,
            false => place == 0,
        };
        let named = parts.iter().enumerate().map(|(place, part)| {
            let is_old = is_meant(place) && *part == self.old.name;
            if is_old { self.new } else { part }
        });
        let new = named.collect::<Vec<_>>().join("-");
        if new != *scalar.text {
            self.change(scalar, 0, scalar.text.len(), new);
        }
    }

    fn has_ids(&self, name: &str) -> bool {
        let mut all = self.index.declared.iter();
        all.any(|one| matches!(one.what, NamedThing::Kind | NamedThing::Zone) && one.name == name)
    }

    /// Renames the keys of a choice, which are names that choices bind. If several choices of the game bind the name,
    /// the right one is unknown, and `wyrmgate test` reports the problem.
    fn bound_names(&mut self, choice: &Node) {
        let binders = self.index.binders.iter();
        let mut same = binders.filter(|(name, _)| *name == self.old.name);
        let only = same.next().filter(|_| same.next().is_none());
        if only.is_none_or(|(_, span)| *span != self.old.span) {
            return;
        }
        let bound = choice.entries();
        for (key, _) in bound.filter(|(key, _)| *key.text == *self.old.name) {
            self.change(key, 0, key.text.len(), self.new.to_owned());
        }
    }

    // ---- overlays

    fn overlay(&mut self, tree: &Node) {
        for (verb, patch) in tree.entries() {
            if matches!(&*verb.text, "change" | "add" | "remove") {
                self.ways(patch, "");
            }
        }
    }

    /// Handles the paths of an overlay. `above` is the last key of the path to here.
    fn ways(&mut self, node: &Node, above: &str) {
        match &node.kind {
            NodeKind::Scalar(scalar) => drop(self.way(scalar, above)),
            NodeKind::List(members) => members.iter().for_each(|member| self.ways(member, above)),
            NodeKind::Map(entries) => {
                for (key, value) in entries {
                    let last = self.way(key, above);
                    if !matches!(value.kind, NodeKind::Scalar(_)) {
                        self.ways(value, &last);
                    }
                }
            }
        }
    }

    /// Handles a path such as `components.card.kinds.gust`. The word before a word determines what it names.
    fn way(&mut self, way: &Scalar, above: &str) -> String {
        let mut above = above.to_owned();
        let mut start = 0;
        for word in way.text.split('.') {
            let name = word.split('(').next().unwrap_or(word);
            if name == self.old.name && self.is_section(&above) {
                self.change(way, start, start + name.len(), self.new.to_owned());
            }
            start += word.len() + 1;
            word.clone_into(&mut above);
        }
        above
    }

    fn is_section(&self, word: &str) -> bool {
        match self.old.what {
            NamedThing::Option => word == "options",
            NamedThing::Data => word == "data",
            NamedThing::Type => word == "types",
            NamedThing::Zone => word == "zones",
            NamedThing::Kind => matches!(word, "components" | "kinds"),
            NamedThing::Var => word == "vars",
            NamedThing::Query => word == "queries",
            NamedThing::Effect => word == "effects",
            NamedThing::Clause => word == "clauses",
            NamedThing::Field => matches!(word, "fields" | "each" | "types"),
            NamedThing::Value | NamedThing::Plural | NamedThing::Local => false,
        }
    }
}

//! Maps with known keys, and sections with arbitrary ones.

use hashbrown::HashMap;
use std::sync::Arc;

use super::Loader;
use crate::elsewhere::Elsewhere;
use crate::keys;
use crate::shape::{Shape, Table};
use crate::words_of_elsewhere;
use crate::yaml::{Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Diagnostic, Span, did_you_mean, misspelled};

/// The description of a map whose keys the author chooses.
const NAMED: &str = "what each name means";

/// Keys that other systems have, behind the map in which they stand, and what is written here.
const KEYS_ELSEWHERE: Elsewhere = words_of_elsewhere! {
    "a zone: hidden" "a zone: private" "a zone: secret" "a zone: face" => "who sees the fronts is `see: nobody`, `see: owner` or `see: top`";
    "a zone: count" "a zone: number" "a zone: size" => "a zone for each number has a key: `each: {at: 1..9}`";
    "a component: start" "a component: position" => "write the zone where it begins: `in: deck`";
    "a component: table" "a component: rows" => "write the table of `data` that lists them: `from: spells`";
    "a variable: reset" "a variable: scope" => "write `lasts: turn`, after which it begins again";
    "a variable: list" "a variable: array" => "a list has the plural of its type, and how many members at most: `{type: ints, most: 12}`";
    "a modifier: plus" "a modifier: increase" => "write `add: 1`";
    "a modifier: do" => "a modifier changes a value, by `add: 1` or `set: 2`; statements stand under `handlers:`";
    "a game: seats" => "write `players: 2..4`";
    "a game: rules" => "write `effects:` for what happens, or `clauses:` for the rules in words";
    "an option: min" "an option: max" => "write the range as its type: `type: 1..5`";
    "a notation: format" "a notation: syntax" => "write `file: pgn`";
};

/// Examples of maps in whose place something else was found.
const EXAMPLES: &[(&str, &str)] = &[
    ("a zone", "write `{holds: card}`, with what it holds"),
    ("a component", "write `{copies: 4}`, or `key: value` lines"),
    (
        "a value of a type",
        "list the values, as in `color: [red, blue]`",
    ),
    ("an option", "write `{type: bool, default: false}`"),
];

fn example_of(what: &str) -> Option<&'static str> {
    let found = EXAMPLES.iter().find(|(of, _)| *of == what);
    found.map(|(_, example)| *example)
}

/// The values of a map with known keys, or of several maps if files were merged.
#[derive(Default)]
pub(super) struct Fields<'n> {
    entries: Vec<(&'n Scalar, &'n Node)>,
}

impl<'n> Fields<'n> {
    pub fn get(&self, key: &str) -> Option<&'n Node> {
        self.all(key).first().copied()
    }

    pub fn all(&self, key: &str) -> Vec<&'n Node> {
        self.entries
            .iter()
            .filter(|(k, _)| &*k.text == key)
            .map(|(_, node)| *node)
            .collect()
    }
}

/// Keys of the root that only one file may contain.
const SINGLE_KEYS: &[&str] = &[
    "game", "title", "language", "about", "players", "bound", "draws",
];

/// Parses an entry of a section.
type EntryParser<T> = fn(&mut Loader, &Scalar, &Node) -> Option<T>;

impl Loader {
    /// Reads the fields that a table describes; a missing value counts as no fields. `None` if it is not a map.
    pub(super) fn fields<'n>(&mut self, node: &'n Node, table: &Table) -> Option<Fields<'n>> {
        let mut known = Vec::new();
        for (key, value) in self.entries(node, table.what)? {
            match table.key(&key.text) {
                Some(_) => known.push((key, value)),
                None => self.report_unknown_key(key, table),
            }
        }
        Some(Fields { entries: known })
    }

    /// Rejects a second value for a key of the root that only one file may contain.
    pub(super) fn refuse_repeated(&mut self, fields: &Fields) {
        let mut first: HashMap<&str, Span> = HashMap::new();
        for (key, _) in fields
            .entries
            .iter()
            .filter(|(key, _)| SINGLE_KEYS.contains(&&*key.text))
        {
            match first.get(&*key.text) {
                Some(span) if span.file != key.span.file => self.report_duplicate(key, *span),
                Some(_) => {} // the YAML tree has said so already
                None => drop(first.insert(&key.text, key.span)),
            }
        }
    }

    fn report_duplicate(&mut self, key: &Scalar, first: Span) {
        let message = format!("`{}` is given twice", key.text);
        let duplicate = Diagnostic::error("duplicate-key", key.span, message)
            .related(first, "first given here");
        self.report
            .push(duplicate.help("remove one of them, or join what they contain"));
    }

    /// Returns the entries of a map; other shapes are rejected.
    pub(super) fn entries<'n>(
        &mut self,
        node: &'n Node,
        what: &str,
    ) -> Option<&'n [(Scalar, Node)]> {
        match &node.kind {
            NodeKind::Map(entries) => Some(entries),
            NodeKind::Scalar(scalar) if scalar.is_missing() => Some(&[]),
            _ => {
                let expected = format!("a map that describes {what}");
                let help = match &node.kind {
                    NodeKind::List(members) if what == NAMED && members.len() == 1 => {
                        "each entry has a name and a `:`, as in `{owner: seats}`, `{laps: int}` or `{unused: Kept for variants.}`"
                    }
                    NodeKind::Scalar(_) if what == NAMED => {
                        "each entry has a name and a `:`, as in `{owner: seats}` or `{unused: Kept for variants.}`"
                    }
                    NodeKind::List(members)
                        if members.first().is_some_and(|first| first.span != node.span) =>
                    {
                        "write `{key: value}`, in braces"
                    }
                    NodeKind::List(_) => "write `key: value` lines, without the `-`",
                    _ => example_of(what).unwrap_or(
                        "write `key: value` lines, or `{key: value}` on one line; a `:` may be missing before",
                    ),
                };
                self.wrong_shape(node, &expected, help);
                None
            }
        }
    }

    pub(super) fn wrong_shape(&mut self, node: &Node, expected: &str, help: &str) {
        self.holes = true;
        let message = format!("found {}, expected {expected}", node.shape());
        self.report.error("wrong-shape", node.span, message, help);
    }

    pub(super) fn report_unknown_key(&mut self, key: &Scalar, table: &Table) {
        let (what, allowed) = (table.what, table.names());
        if self.reports_foreign(key) {
            self.holes = true;
            return;
        }
        let known = format!("{what} can have `{}`", allowed.join("`, `"));
        let near = did_you_mean(&key.text, allowed.iter().copied())
            .or_else(|| misspelled(&key.text, allowed.iter().copied()));
        self.holes |= near.is_some(); // what it was meant to say is missing now
        let elsewhere = KEYS_ELSEWHERE.advice(&format!("{what}: {}", key.text));
        self.holes |= elsewhere.is_some();
        let unspaced = key.text.split_once(':').map(|(name, _)| name);
        let unspaced = unspaced.filter(|name| allowed.contains(name));
        let help = match (unspaced, near) {
            (Some(name), _) => format!("write a space after the colon: `{name}: …`"),
            (None, _) if let Some(advice) = elsewhere => advice.to_owned(),
            (None, Some(near)) => format!("did you mean `{near}`? {known}"),
            (None, None) if what == "a component" && key.text.ends_with(')') => {
                "the effects of a kind stand below `effects:`, its queries below `queries:`"
                    .to_owned()
            }
            (None, None) if key.text.ends_with(')') => {
                format!("a comma inside `{{ }}` ends the value: put the value in quotes; {known}")
            }
            (None, None) if ["a component", "a zone"].contains(&what) => {
                format!(
                    "a field of its own is declared in `fields: {{{}: …}}`; {known}",
                    key.text
                )
            }
            (None, None) => known,
        };
        let message = format!("{what} has no `{}`", key.text);
        self.report.error("unknown-key", key.span, message, help);
    }

    /// Reports a section of the game that is indented like an entry of the section above.
    fn refuses_section(&mut self, key: &Scalar, value: &Node) -> bool {
        let is_section = keys::GAME
            .key(&key.text)
            .is_some_and(|key| matches!(key.shape, Shape::Section(_)));
        let describes = [&keys::OPTION, &keys::ZONE, &keys::COMPONENT, &keys::VAR];
        let is_known = |name: &str| describes.iter().any(|table| table.key(name).is_some());
        let is_entry =
            !value.is_missing() && (value.keys().next().is_none() || value.keys().any(is_known));
        if !is_section || is_entry {
            return false;
        }
        self.holes = true;
        let message = format!(
            "`{}:` is indented like an entry of the section above",
            key.text
        );
        let help = "sections are not indented: begin the line with its name, and indent its entries by 2 spaces";
        self.report
            .error("yaml-indentation", key.span, message, help);
        true
    }

    /// Parses the entries of a section in which a name may occur several times.
    pub(super) fn parse_every<T>(&mut self, nodes: &[&Node], parse: EntryParser<T>) -> Vec<T> {
        let mut parsed = Vec::new();
        for node in nodes {
            let entries = self.entries(node, NAMED);
            for (key, value) in entries.unwrap_or_default() {
                parsed.extend(parse(self, key, value));
            }
        }
        parsed
    }

    /// Parses the entries of a section; a key in two files is rejected.
    pub(super) fn parse_section<T>(&mut self, nodes: &[&Node], parse: EntryParser<T>) -> Vec<T> {
        let mut first: HashMap<Arc<str>, Span> = HashMap::new();
        let mut parsed = Vec::new();
        for node in nodes {
            let entries = self.entries(node, NAMED);
            for (key, value) in entries.unwrap_or_default() {
                if self.refuses_section(key, value) {
                    match value.is_missing() {
                        true => break, // the other entries belong to it
                        false => continue,
                    }
                }
                match first.get(&key.text) {
                    Some(span) if span.file != key.span.file => self.report_duplicate(key, *span),
                    Some(_) => {} // the YAML tree has said so already
                    None => {
                        first.insert(key.text.clone(), key.span);
                        parsed.extend(parse(self, key, value));
                    }
                }
            }
        }
        parsed.shrink_to_fit();
        parsed
    }

    /// Parses a section inside another value.
    pub(super) fn parse_section_of<T>(
        &mut self,
        of: Option<&Node>,
        parse: EntryParser<T>,
    ) -> Vec<T> {
        of.map(|node| self.parse_section(&[node], parse))
            .unwrap_or_default()
    }
}

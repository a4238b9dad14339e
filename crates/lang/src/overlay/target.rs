//! Advice for changes whose target does not exist: what became of it, and which names exist.

use super::applier::Applier;
use super::history::EditKind;
use super::path::Path;
use super::place::Place;
use crate::keys;
use crate::yaml::{Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Diagnostic, did_you_mean, numbered_like};

/// The maximum number of names in a help line.
const NAMES_MAX: usize = 12;

/// The maximum number of keys of a path that is looked for.
const DEPTH_MAX: usize = 4;

/// Where names of other places stand again.
const UNNAMED: [&str; 2] = ["look", "translations"];

impl Applier<'_> {
    /// Reports that `key` is missing in `base`, which is at `path`.
    pub(super) fn report_vanished(
        &mut self,
        base: &Node,
        key: &Scalar,
        wanted: Option<&Node>,
        path: &Path,
    ) {
        let inner = path.below(&key.text);
        let message = if path.0.is_empty() {
            format!("the game has no `{}`", key.text)
        } else {
            format!("there is no `{}` in `{path}`", key.text)
        };
        let mut gone = Diagnostic::error("vanished-target", key.span, message);
        let removed = self.history.edits.iter().rev();
        let removed = removed
            .filter(|edit| edit.kind == EditKind::Removed)
            .find(|edit| edit.path == inner);
        if let Some(edit) = removed {
            let by = self.history.overlay(edit);
            gone = gone.related(edit.at, format!("`{by}` removes it here"));
        } else if let Some(was) = wanted.and_then(|value| value.get("was")) {
            gone = gone.label(format!("it was {}", was.in_words()));
        }
        self.report
            .push(gone.help(match real_path(base, &key.text) {
                Some(real) => format!("did you mean `{}`?", real.under(path)),
                None => advice(base, key, wanted, path.place()),
            }));
    }

    /// Reports a key that means nothing where it stands, if something below has this name (`target` for
    /// `options.target`), and a value in place of an option.
    pub(super) fn is_misplaced(
        &mut self,
        base: &Node,
        key: &Scalar,
        value: &Node,
        path: &Path,
    ) -> bool {
        let (place, known) = (path.place(), base.get(&key.text));
        let tables = [
            (Place::Root, &keys::GAME),
            (Place::Zone, &keys::ZONE),
            (Place::Component, &keys::COMPONENT),
        ];
        let table = tables.iter().find(|(of, _)| *of == place);
        let is_option = |of: &Node| value.text().is_some() && of.get("default").is_some();
        let is_kind = matches!(value.kind, NodeKind::Map(_)) && base.get("kinds").is_some();
        let kind = || is_kind.then(|| Path::default().below("kinds").below(&key.text));
        let is_new = table.is_some_and(|(_, table)| table.key(&key.text).is_none());
        let real = match known {
            Some(of) if place == Place::Options && is_option(of) => {
                Some(Path::default().below(&key.text))
            }
            None if is_new => real_path(base, &key.text).or_else(kind),
            Some(_) | None => None,
        };
        let Some(mut real) = real else { return false };
        if real.find(base).is_some_and(is_option) {
            real = real.below("default");
        }
        let message = format!("this does not stand at `{}`", path.below(&key.text));
        let help = format!("did you mean `{}`?", real.under(path));
        self.report
            .error("vanished-target", key.span, message, help);
        true
    }
}

/// Returns the path of the only entry below a tree with this name, or the one that is written with other signs.
fn real_path(tree: &Node, name: &str) -> Option<Path> {
    let written = Path::parse(tree, &name.replace(['/', '['], ".").replace(']', ""));
    if written.0.len() > 1 && written.find(tree).is_some() {
        return Some(written);
    }
    let mut found = Vec::new();
    let mut next = vec![(tree, Path::default())];
    while let Some((node, path)) = next.pop() {
        for (key, inside) in node.entries() {
            let way = path.below(&key.text);
            if &*key.text == name && !path.0.is_empty() {
                found.push(way);
            } else if way.0.len() < DEPTH_MAX && !UNNAMED.contains(&&*key.text) {
                next.push((inside, way));
            }
        }
    }
    found.pop().filter(|_| found.is_empty())
}

fn advice(base: &Node, key: &Scalar, wanted: Option<&Node>, place: Place) -> String {
    let entry = place.entry().unwrap_or("entry");
    let was = wanted.and_then(|value| value.get("was"));
    let renamed = was.and_then(|was| base.entries().find(|(_, node)| node.says_the_same(was)));
    if let Some((now, _)) = renamed {
        return format!(
            "`{}` has the value that the overlay expects: was the entry renamed?",
            now.text
        );
    }
    let there = listed(base);
    let called = |other: &&str| {
        let rest = other.strip_prefix(&*key.text);
        rest.is_some_and(|rest| rest.starts_with(['(', ' ']))
    };
    let near = base.keys().find(called);
    let named = || {
        let name = |key: &str| key.split('(').next().unwrap_or_default().to_owned();
        let names: Vec<String> = base.keys().map(name).collect();
        let meant = did_you_mean(&key.text, names.iter().map(String::as_str))?;
        base.keys().find(|key| name(key) == meant)
    };
    let near = near.or_else(|| match key.text.contains('-') {
        true => numbered_like(&key.text, base.keys()),
        false => did_you_mean(&key.text, base.keys()),
    });
    match near.or_else(named) {
        Some(near) if base.entries().count() == 1 => format!("did you mean `{near}`?"),
        Some(near) => format!("did you mean `{near}`? {there}"),
        None if wanted.is_some() => {
            format!("{there}; to add a new {entry}, use `add:`")
        }
        None => there,
    }
}

/// Returns the names that exist, for advice: `existing names: a, b and 3 more`.
fn listed(base: &Node) -> String {
    let names: Vec<String> = match &base.kind {
        NodeKind::List(members) => members.iter().filter_map(Node::text).map(quoted).collect(),
        _ => base.keys().map(quoted).collect(),
    };
    let more = names.len().saturating_sub(NAMES_MAX);
    let shown = names
        .iter()
        .take(NAMES_MAX)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match (names.len(), more) {
        (0, _) => "nothing of this kind exists".into(),
        (1, _) => format!("the only existing name is {shown}"),
        (_, 0) => format!("existing names: {shown}"),
        (_, more) => format!("existing names: {shown} and {more} more"),
    }
}

fn quoted(name: &str) -> String {
    format!("`{name}`")
}

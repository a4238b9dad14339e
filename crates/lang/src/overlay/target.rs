//! Advice for changes whose target does not exist: what became of it, and which names exist.

use super::applier::{Applier, pinned};
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
        let help = match real_path(base, &key.text) {
            Some(real) => format!("did you mean `{}`?", Path(real).under(path)),
            None => advice(base, key, wanted, path.place()),
        };
        self.report.push(gone.help(help));
    }

    /// Reports a key that means nothing where it stands if something below it has this name: `target` for
    /// `options.target.default`.
    pub(super) fn is_misplaced(
        &mut self,
        base: &Node,
        key: &Scalar,
        value: &Node,
        path: &Path,
    ) -> bool {
        let place = path.place();
        let table = match place {
            Place::Root => &keys::GAME,
            Place::Zone => &keys::ZONE,
            Place::Component => &keys::COMPONENT,
            _ => return false,
        };
        if table.key(&key.text).is_some() || base.get(&key.text).is_some() {
            return false;
        }
        let is_kind = place == Place::Component && base.get("kinds").is_some();
        let is_kind = is_kind && matches!(value.kind, NodeKind::Map(_));
        let real = real_path(base, &key.text)
            .or_else(|| is_kind.then(|| vec!["kinds".to_owned(), key.text.to_string()]));
        let Some(real) = real else { return false };
        let real = Path(real);
        let has_default = real
            .find(base)
            .is_some_and(|found| found.get("default").is_some());
        let real = match has_default && value.text().is_some() {
            true => real.below("default"),
            false => real,
        };
        let message = match path.0.is_empty() {
            true => format!("the game has no `{}`", key.text),
            false => format!("there is no `{}` in `{path}`", key.text),
        };
        let help = format!("did you mean `{}`?", real.under(path));
        self.report
            .error("vanished-target", key.span, message, help);
        true
    }

    /// Reports an option in whose place a value stands: `options.target: 50`.
    pub(super) fn is_bare_option(
        &mut self,
        base: &Node,
        key: &Scalar,
        value: &Node,
        path: &Path,
    ) -> bool {
        let now = pinned(value).map_or(value, |(_, now)| now);
        let found = path.place() == Place::Options && now.text().is_some() && !now.is_missing();
        if !found
            || base
                .get(&key.text)
                .is_none_or(|option| option.get("default").is_none())
        {
            return false;
        }
        let message = format!("`{}` is an option, not a value", key.text);
        let help = format!(
            "write `{path}.{}.default: {}`",
            key.text,
            now.text().unwrap_or_default()
        );
        self.report.error("wrong-shape", value.span, message, help);
        true
    }
}

/// Returns the keys that lead to the only entry with this name in a tree, or to the path that is written with other signs.
fn real_path(tree: &Node, name: &str) -> Option<Vec<String>> {
    let written = name.replace(['/', '['], ".").replace(']', "");
    let written = Path::parse(tree, &written);
    if written.0.len() > 1 && written.find(tree).is_some() {
        return Some(written.0);
    }
    let mut found = Vec::new();
    let mut next = vec![(tree, Vec::new())];
    while let Some((node, way)) = next.pop() {
        for (key, inside) in node.entries() {
            let way: Vec<String> = way.iter().cloned().chain([key.text.to_string()]).collect();
            if &*key.text == name && way.len() > 1 {
                found.push(way.clone());
            }
            if way.len() < DEPTH_MAX {
                next.push((inside, way));
            }
        }
    }
    // the name may stand again where its look or its translation is
    found.retain(|way| {
        !way.iter()
            .any(|key| ["look", "translations"].contains(&key.as_str()))
    });
    match found.as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    }
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

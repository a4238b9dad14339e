//! The three verbs of an overlay: `change`, `add`, `remove`.

use super::applier::{Applier, pinned};
use super::history::{Edit, EditKind};
use super::inner::Site;
use super::path::Path;
use super::place::Place;
use super::read::Overlay;
use super::unfold::{keys_of, lengthen, unfolded};
use crate::table::{self, COLUMNS};
use crate::yaml::{Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Diagnostic, Span, misspelled};

/// The maximum number of comparisons between new and existing names; very large overlays would need too many.
const NAMES_COMPARED_MAX: usize = 100_000;

impl Applier<'_> {
    pub fn apply(&mut self, game: &mut Node, overlay: &Overlay) {
        for key in ["title", "about"] {
            for (key, node) in overlay.trees.iter().filter_map(|tree| tree.entry(key)) {
                forget_translations_of(game, &key.text);
                self.set(game, key, node, &Path::default());
            }
        }
        // Removals come first, to make room for additions.
        let root = Path::default();
        for node in overlay.all("remove") {
            let node = unfolded(Some(game), node, Place::Root);
            self.remove(game, &node, &root);
        }
        game.sweep();
        for node in overlay.all("change") {
            let node = self.by_rows(unfolded(Some(game), node, Place::Root));
            self.change(game, &node, &root);
        }
        for node in overlay.all("add") {
            let node = self.by_rows(unfolded(Some(game), node, Place::Root));
            self.add(game, &node, &root);
        }
    }

    /// Writes changes of columns of tables by rows.
    fn by_rows(&mut self, mut patch: Node) -> Node {
        for data in table::data_mut(&mut patch, &[]) {
            table::by_rows(data, self.report);
        }
        patch
    }

    pub(super) fn record(
        &mut self,
        kind: EditKind,
        path: Path,
        at: Span,
        was: Option<Node>,
        now: Option<Node>,
    ) {
        self.history.edits.push(Edit {
            overlay: self.overlay,
            kind,
            path,
            at,
            was,
            now,
        });
    }

    // ---- change

    /// Names must exist; everything that is not a map is replaced as a whole.
    fn change(&mut self, base: &mut Node, patch: &Node, path: &Path) {
        let Some(entries) = self.entries(patch, path) else {
            return;
        };
        let place = path.place();
        for (key, value) in entries {
            let child = place.inside(Some(base), &key.text);
            let inner = path.below(&key.text);
            let is_given = base.get(&key.text).is_some();
            if !is_given && let Some((list, number)) = member_of(base, &key.text) {
                self.change_member(base, key, list, number, value, path);
                continue;
            }
            if !is_given && place.has_names() {
                self.report_vanished(base, key, Some(value), path);
                continue;
            }
            if place == Place::Data && table::is_whole(value) {
                let mut now = value.clone();
                table::from_yaml(&mut now, self.report);
                self.set(base, key, &now, path);
                continue;
            }
            if place == Place::Table && value.text().is_some() && is_given {
                let message = format!("`{inner}` is a row, and this is one value");
                let help = format!("name the cell: `{inner}.cost`");
                self.report.error("wrong-shape", value.span, message, help);
                continue;
            }
            if self.is_misplaced(base, key, value, path) {
                continue;
            }
            let number = value.entries().next().map(|(number, _)| number);
            let number = number.filter(|number| number.text.parse::<u32>().is_ok());
            let is_list = base
                .get(&key.text)
                .is_some_and(|is| matches!(is.kind, NodeKind::List(_)));
            if let Some(number) = number.filter(|_| is_list) {
                let message = format!("`{inner}` is a list");
                let help = format!("write `{inner}[{}]`", number.text);
                self.report.error("wrong-shape", number.span, message, help);
                continue;
            }
            let goes_deeper = matches!(value.kind, NodeKind::Map(_))
                && child != Place::Value
                && pinned(value).is_none();
            if child == Place::Value && self.refuse_was_alone(value) {
                continue;
            }
            if !goes_deeper {
                let now = self.unpinned(value, base.get(&key.text), &inner);
                self.set(base, key, now, path);
                continue;
            }
            if let Place::Code(code) = child {
                if let Some(text) = base.get_mut(&key.text) {
                    let mut site = Site::new(text, code, &inner);
                    self.edit_inside(&mut site, value, EditKind::Changed);
                }
                continue;
            }
            let mut nothing = Node::empty_map(value.span);
            let inside = base.get_mut(&key.text).unwrap_or(&mut nothing);
            lengthen(inside, child);
            self.change(inside, value, &inner);
            if !is_given && nothing.entries().next().is_some() {
                base.put(key.clone(), nothing);
            }
        }
    }

    /// `data.bonus[2]: 5` replaces one member of a list.
    fn change_member(
        &mut self,
        base: &mut Node,
        key: &Scalar,
        list: &str,
        number: usize,
        value: &Node,
        path: &Path,
    ) {
        let inner = path.below(list).below(&format!("[{number}]"));
        let Some(NodeKind::List(members)) = base.get_mut(list).map(|node| &mut node.kind) else {
            return;
        };
        let count = members.len();
        let at = number.checked_sub(1);
        let Some(member) = at.and_then(|at| members.get_mut(at)) else {
            let message = format!("`{list}` has no member {number}");
            let help = format!("it has {count}; the first is `{list}[1]`, and `add` appends more");
            self.report
                .error("vanished-target", key.span, message, help);
            return;
        };
        let now = self.unpinned(value, Some(&*member), &inner);
        let before = std::mem::replace(member, now.clone());
        let now = Some(now.clone());
        self.record(EditKind::Changed, inner, key.span, Some(before), now);
    }

    /// `{was: 8}` alone changes nothing.
    fn refuse_was_alone(&mut self, value: &Node) -> bool {
        let mut entries = value.entries();
        let Some((key, was)) = entries.next().filter(|(key, _)| &*key.text == "was") else {
            return false;
        };
        if entries.next().is_some() {
            return false;
        }
        let message = "`was` without `now`".to_owned();
        let help = format!(
            "add the new value: `{{was: {}, now: …}}`",
            was.in_words().trim_matches('`')
        );
        self.report.error("missing-key", key.span, message, help);
        true
    }

    /// Returns the new value. With `{was: 8, now: 6}`, the overlay states the value it was written for.
    fn unpinned<'v>(&mut self, value: &'v Node, found: Option<&Node>, path: &Path) -> &'v Node {
        let Some((was, now)) = pinned(value) else {
            return value;
        };
        if let Some(found) = found.filter(|found| !found.says_the_same(was))
            && !self.is_conflict(path)
        {
            self.report_base_changed(path, was, found);
        }
        now
    }

    fn report_base_changed(&mut self, path: &Path, was: &Node, found: &Node) {
        let message = format!("`{path}` has changed since the overlay was written");
        let changed = Diagnostic::error("base-changed", was.span, message)
            .label(format!("it was {}", was.in_words()))
            .related(found.span, format!("it is {}", found.in_words()))
            .help("check whether the change still makes sense, then update `was`");
        self.report.push(changed);
    }

    /// Returns whether an overlay that this one does not know has changed the value; that is reported separately.
    fn is_conflict(&self, path: &Path) -> bool {
        let edits = self.history.edits.iter();
        let mut others = edits.filter(|edit| edit.overlay != self.overlay && edit.path == *path);
        others.any(|edit| {
            !self
                .known
                .iter()
                .any(|name| name == self.history.overlay(edit))
        })
    }

    fn set(&mut self, base: &mut Node, key: &Scalar, value: &Node, path: &Path) {
        let was = base.get(&key.text).cloned();
        let inner = path.below(&key.text);
        let lost = was
            .as_ref()
            .and_then(|was| self.told_of(was, key, value, &inner));
        if let Some(lost) = lost {
            self.report.push(lost);
        }
        self.record(EditKind::Changed, inner, key.span, was, Some(value.clone()));
        base.put(key.clone(), value.clone());
    }

    /// Warns of a change that does nothing, or more than it says: a short form (`wind: bool`) in place of a map.
    fn told_of(&self, was: &Node, key: &Scalar, value: &Node, path: &Path) -> Option<Diagnostic> {
        let mut earlier = self.history.edits.iter();
        if was.says_the_same(value) && !earlier.any(|edit| edit.path == *path) {
            let message = format!("`{path}` is {} already", was.in_words());
            let warning = Diagnostic::warning("no-change", key.span, message);
            return Some(
                warning
                    .related(was.span, "it is here")
                    .help("remove the change"),
            );
        }
        let is_list = matches!(value.kind, NodeKind::List(_));
        let short = path.place().short_for();
        let short = short.filter(|_| value.text().is_some());
        let entries = was.entries().filter(|(key, value)| match short {
            Some(short) => &*key.text != short,
            None => is_list && value.entries().next().is_some(),
        });
        let lost: Vec<String> = entries.map(|(key, _)| format!("`{}`", key.text)).collect();
        (!lost.is_empty()).then(|| {
            let what = if is_list { "what it says of " } else { "" };
            let message = format!("`{path}` loses {what}{}", lost.join(", "));
            let help = match short {
                Some(short) => format!(
                    "to change nothing else, write `{path}.{short}`; to replace all of it, `remove` it and `add` it"
                ),
                None => format!("name only what changes, under `add: {{{path}: …}}` or `remove:`"),
            };
            let warning = Diagnostic::warning("lost-attributes", key.span, message);
            warning.related(was.span, "it is replaced as a whole").help(help)
        })
    }

    // ---- add

    /// Names must be new; lists grow.
    fn add(&mut self, base: &mut Node, patch: &Node, path: &Path) {
        let Some(entries) = self.entries(patch, path) else {
            return;
        };
        let place = path.place();
        for (key, value) in entries {
            let (child, inner) = (place.inside(Some(base), &key.text), path.below(&key.text));
            if self.is_misplaced(base, key, value, path) {
                continue;
            }
            if place == Place::Component
                && &*key.text == "kinds"
                && self.refuse_first(base, key, value, path)
            {
                continue;
            }
            if child.has_names() && !place.has_names() && base.get(&key.text).is_none() {
                base.push(key.clone(), Node::empty_map(value.span));
            }
            let inside = match place {
                Place::Handlers | Place::Modifiers => None, // several may meet the same
                _ => base.get_mut(&key.text),
            };
            let Some(inside) = inside else {
                self.perhaps_misspelled(base, key, place);
                self.record(EditKind::Added, inner, key.span, None, Some(value.clone()));
                base.push(key.clone(), value.clone());
                continue;
            };
            if matches!(value.kind, NodeKind::Map(_)) && child != Place::Value {
                lengthen(inside, child);
            }
            if let (Place::Code(code), NodeKind::Map(_)) = (child, &value.kind) {
                self.edit_inside(&mut Site::new(inside, code, &inner), value, EditKind::Added);
                continue;
            }
            match (&mut inside.kind, &value.kind) {
                (NodeKind::Map(_), NodeKind::Map(_)) if child != Place::Value => {
                    self.add(inside, value, &inner);
                }
                (NodeKind::List(members), NodeKind::List(more)) => {
                    members.extend(more.iter().cloned());
                    self.record(EditKind::Added, inner, key.span, None, Some(value.clone()));
                }
                _ => self.report_present(key, inside, &inner),
            }
        }
    }

    /// Refuses kinds of a family that has none so far: its own components would be gone, or double.
    fn refuse_first(&mut self, base: &Node, key: &Scalar, kinds: &Node, path: &Path) -> bool {
        if base.get("from").is_some() {
            return false; // its kinds are in a table
        }
        let own = base.keys().filter(|key| ["each", "copies"].contains(key));
        let own: Vec<String> = own.map(|key| format!("{path}.{key}")).collect();
        let is_replaced = kinds.entries().count() > 1
            || ["each", "copies"]
                .iter()
                .any(|key| self.is_removed(&path.below(key)));
        if base.get("kinds").is_some() || own.is_empty() && is_replaced {
            return false;
        }
        let family = path.last();
        let message =
            format!("`{family}` has no kinds so far: with these, its own components are gone");
        let first = Diagnostic::error("first-kind", key.span, message);
        let rest = match own.is_empty() {
            true => String::new(),
            false => format!(" (`remove: [{}]`, and write that there)", own.join(", ")),
        };
        let help = format!(
            "keep them as one more kind, `{path}.kinds.plain`{rest}; their ids then begin with `plain`. Or add a component of its own, beside `components.{family}`"
        );
        self.report
            .push(first.related(base.span, "the family").help(help));
        true
    }

    fn report_present(&mut self, key: &Scalar, present: &Node, path: &Path) {
        let message = format!("`{path}` already exists");
        let more = match matches!(path.place(), Place::Code(_)) {
            true => "to add a statement, say where, with a key below: `after draw 1 from deck: …`",
            false => "to add something else, choose another name",
        };
        let help = format!("to change its value, move this to `change:`; {more}");
        let twice = Diagnostic::error("already-there", key.span, message);
        self.report
            .push(twice.related(present.span, "it is here").help(help));
    }

    /// Warns of a new name that differs from an existing one by a typo. Names with different numbers are different.
    fn perhaps_misspelled(&mut self, base: &Node, key: &Scalar, place: Place) {
        if key.text.contains([' ', '('])
            || matches!(place, Place::Handlers | Place::Modifiers | Place::Languages)
        {
            return; // several words are not mistyped for others
        }
        self.compared += base.entries().count();
        if self.compared > NAMES_COMPARED_MAX {
            return;
        }
        let letters = |name: &str| name.replace(|c: char| c.is_ascii_digit(), "");
        let own = letters(&key.text);
        let others = base
            .entries()
            .filter(|(other, _)| letters(&other.text) != own);
        let others: Vec<(&Scalar, &Node)> = others.filter(|_| place.has_names()).collect();
        let meant = misspelled(&key.text, others.iter().map(|(other, _)| &*other.text));
        let found = others.iter().find(|(other, _)| Some(&*other.text) == meant);
        if let Some((meant, _)) = found {
            let message = format!(
                "adding `{}`, whose name resembles `{}`",
                key.text, meant.text
            );
            let help = "to change the existing one, move this to `change:`; otherwise choose a more distinct name";
            let near = Diagnostic::warning("near-name", key.span, message);
            self.report.push(
                near.related(meant.span, "this one exists already")
                    .help(help),
            );
        }
    }

    // ---- remove

    /// Parses a list of paths, or nested maps that end in one.
    fn remove(&mut self, base: &mut Node, patch: &Node, path: &Path) {
        if let Place::Code(code) = path.place() {
            return self.remove_inside(&mut Site::new(base, code, path), patch);
        }
        match &patch.kind {
            NodeKind::Scalar(scalar) if !scalar.is_missing() => {
                self.remove_at(base, scalar, path);
            }
            NodeKind::Scalar(_) => {}
            NodeKind::List(members) => {
                for member in members {
                    self.remove(base, member, path);
                }
            }
            NodeKind::Map(entries) => {
                for (key, value) in entries {
                    self.remove_below(base, key, value, path);
                }
            }
        }
    }

    fn remove_below(&mut self, base: &mut Node, key: &Scalar, value: &Node, path: &Path) {
        if value.is_missing() {
            self.remove_key(base, key, path);
            return;
        }
        match base.get_mut(&key.text) {
            Some(inside) => self.remove(inside, value, &path.below(&key.text)),
            None => self.report_vanished(base, key, None, path),
        }
    }

    /// `components.card.kinds.gust`
    fn remove_at(&mut self, base: &mut Node, written: &Scalar, path: &Path) {
        let keys = keys_of(base, written);
        let Some((last, way)) = keys.split_last() else {
            return;
        };
        let (mut node, mut path) = (base, path.clone());
        for key in way {
            if path.place() == Place::Table && &*key.text == COLUMNS {
                return self.remove_column(node, last, &path);
            }
            if node.get(&key.text).is_none() {
                self.report_vanished(node, key, None, &path);
                return;
            }
            let Some(inside) = node.get_mut(&key.text) else {
                return;
            };
            (node, path) = (inside, path.below(&key.text));
        }
        if let Place::Code(code) = path.place() {
            return self.remove_part(&mut Site::new(node, code, &path), last);
        }
        self.remove_key(node, last, &path);
    }

    /// Removes a column from all rows.
    fn remove_column(&mut self, table: &mut Node, column: &Scalar, path: &Path) {
        let NodeKind::Map(rows) = &mut table.kind else {
            return;
        };
        let with = rows
            .iter_mut()
            .filter(|(_, cells)| cells.get(&column.text).is_some());
        let mut is_known = false;
        for (row, cells) in with {
            self.remove_key(cells, column, &path.below(&row.text));
            is_known = true;
        }
        if let Some((row, cells)) = rows.first().filter(|_| !is_known) {
            self.report_vanished(cells, column, None, &path.below(&row.text));
        }
    }

    fn remove_key(&mut self, base: &mut Node, key: &Scalar, path: &Path) {
        let inner = path.below(&key.text);
        match base.take(&key.text) {
            // Another overlay may have removed it already. This one states the same.
            None if !self.is_removed(&inner) => self.report_vanished(base, key, None, path),
            was => self.record(EditKind::Removed, inner, key.span, was, None),
        }
    }

    fn is_removed(&self, path: &Path) -> bool {
        let mut edits = self.history.edits.iter();
        edits.any(|edit| edit.kind == EditKind::Removed && edit.path == *path)
    }

    pub(super) fn entries<'n>(
        &mut self,
        patch: &'n Node,
        path: &Path,
    ) -> Option<&'n [(Scalar, Node)]> {
        match &patch.kind {
            NodeKind::Map(entries) => Some(entries),
            _ if patch.is_missing() => Some(&[]),
            _ => {
                let message = format!(
                    "found {}, expected the parts of the game to change",
                    patch.shape()
                );
                let what = if path.0.is_empty() {
                    "data.length".into()
                } else {
                    format!("{path}.…")
                };
                let help = format!("write `key: value` lines, such as `{what}: 6`");
                self.report.error("wrong-shape", patch.span, message, help);
                None
            }
        }
    }
}

/// Drops the translations of a replaced text, which nobody reads any more.
fn forget_translations_of(game: &mut Node, key: &str) {
    let Some(text) = game.get(key).and_then(Node::text).map(str::to_owned) else {
        return;
    };
    let Some(languages) = game.get_mut("translations") else {
        return;
    };
    if let NodeKind::Map(languages) = &mut languages.kind {
        for (_, texts) in languages.iter_mut() {
            texts.take(&text);
        }
    }
}

/// Returns the list and the number of the member of `bonus[2]`, if there is such a list.
fn member_of<'k>(base: &Node, key: &'k str) -> Option<(&'k str, usize)> {
    let (list, number) = key.strip_suffix(']')?.rsplit_once('[')?;
    let is_list = matches!(base.get(list)?.kind, NodeKind::List(_));
    is_list.then_some((list, number.parse().ok()?))
}

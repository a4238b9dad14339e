//! What editors show of a file besides its problems: an outline, links, hints, and which overlays change what.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::answer::DeskRequest;
use super::convert::{location, position, position_from, range, range_in, uri_of};
use crate::editor::{self, EditorPosition, LineStarts, NamedThing};
use wyrmgate_base::diagnostic::{FileId, Report, Span};
use wyrmgate_lang::yaml::{self, Budget, Node, NodeKind};

/// The kinds of the protocol for each depth of an outline: a module, a class, a field.
const KINDS: [u8; 4] = [2, 5, 8, 8];
const SPACES: &str = "                                ";

impl DeskRequest<'_> {
    fn tree(&self) -> Option<Node> {
        let (mut budget, mut report) = (Budget::default(), Report::default());
        yaml::parse(FileId::default(), &self.text, &mut budget, &mut report)
    }

    /// Returns the keys of the file, and the scenarios, inside each other.
    pub fn symbols(&self) -> Value {
        let lines = LineStarts::of(&self.text);
        self.tree()
            .map_or(json!([]), |tree| symbols_in(&lines, &tree, &KINDS))
    }

    pub fn folds(&self) -> Value {
        let mut found = Vec::new();
        walk(&self.symbols(), &mut |range| {
            let line = |end: &str| range.pointer(end).cloned();
            let (start, end) = (line("/start/line"), line("/end/line"));
            found.extend((start != end).then(|| json!({"startLine": start, "endLine": end})));
        });
        found.into()
    }

    /// Returns, for each position, the parts of the file around it, inside each other.
    pub fn selections(&self) -> Value {
        let places = self.params.get("positions").and_then(Value::as_array);
        let symbols = self.symbols();
        let around = |place: &Value| {
            let at = position_from(place)?;
            let whole = range(&LineStarts::of(&self.text), 0, self.text.len());
            let mut inner = json!({"range": whole});
            walk(&symbols, &mut |range| {
                let end = |name| range.get(name).and_then(position_from);
                if end("start") <= Some(at) && Some(at) <= end("end") {
                    inner = json!({"range": range, "parent": inner.take()});
                }
            });
            Some(inner)
        };
        places.into_iter().flatten().filter_map(around).collect()
    }

    /// Returns the names of all open games that contain some letters.
    pub fn workspace_symbols(&self) -> Value {
        let query = self
            .params
            .get("query")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let mut found = BTreeMap::new();
        for project in self
            .desk
            .buffers
            .keys()
            .filter_map(|path| self.desk.project(path))
        {
            let named = project.index().declared.iter();
            for one in named.filter(|one| one.what != NamedThing::Local && one.name.contains(query))
            {
                let place = location(&project, one.span);
                let symbol = json!({"name": one.name, "kind": 13, "containerName": one.what.name(), "location": place});
                found.insert(
                    (one.name.clone(), place.map(|place| place.to_string())),
                    symbol,
                );
            }
        }
        found.into_values().collect()
    }

    /// Returns where the files are that this one names.
    pub fn links(&self) -> Value {
        let project = self.project();
        let game =
            project.and_then(|project| Some(project.texts().key().first()?.join("game.yaml")));
        let tree = self.tree();
        let entries = tree.iter().flat_map(Node::entries);
        let named =
            entries.flat_map(|(key, node)| node.members().iter().map(move |node| (key, node)));
        let link = named.filter_map(|(key, node)| {
            let target = match &*key.text {
                "include" => self.path.with_file_name(node.text()?),
                "extends" => game.clone()?,
                _ => return None,
            };
            Some(json!({"range": range_in(&self.text, node.span), "target": uri_of(&target)}))
        });
        link.collect()
    }

    /// Returns the form of what is called at the cursor, and which argument that is.
    pub fn signature(&self) -> Value {
        let called = self.project().and_then(|project| {
            let before = self.text.get(..self.byte)?;
            editor::signature(project.index(), before.lines().next_back()?)
        });
        called.map_or(Value::Null, |(form, parts, active)| {
            let parts: Vec<Value> = parts.iter().map(|part| json!({"label": part})).collect();
            json!({"signatures": [{"label": form, "parameters": parts}], "activeParameter": active})
        })
    }

    /// Returns what an overlay replaces, at the end of each line that does not say it.
    pub fn hints(&self) -> Value {
        let Some((project, here)) = self.here() else {
            return json!([]);
        };
        let edits = project.history.edits.iter();
        let edits = edits
            .filter(|edit| edit.at.file == here.file && edit.pinned(&project.sources).is_some());
        let hints = edits.filter_map(|edit| {
            let line = self.text.get(edit.at.start as usize..)?.lines().next()?;
            let end = edit.at.start as usize + line.len();
            let place = position(LineStarts::of(&self.text).position(end));
            let label = format!("was {}", edit.was.as_ref()?.in_words());
            Some(json!({"position": place, "label": label, "paddingLeft": true}))
        });
        hints.collect()
    }

    /// Returns the lines that overlays change, with the places of the changes.
    pub fn lenses(&self) -> Value {
        let mut changes: BTreeMap<u32, (BTreeSet<String>, Vec<Value>)> = BTreeMap::new();
        for (project, _) in self.related() {
            let Some((file, text)) = project.file(&self.path) else {
                continue;
            };
            let lines = LineStarts::of(text);
            for edit in &project.history.edits {
                let was = edit
                    .was
                    .as_ref()
                    .filter(|was| was.span.file == file && was.span.file != edit.at.file);
                if let (Some(was), Some(place)) = (was, location(&project, edit.at)) {
                    let (names, places) = changes
                        .entry(lines.position(was.span.start as usize).line)
                        .or_default();
                    names.insert(project.history.overlay(edit).to_owned());
                    places.push(place);
                }
            }
        }
        let lenses = changes.into_iter().map(|(line, (names, places))| {
            let there = position(EditorPosition { line, character: 0 });
            let title = match names.len() {
                1 => names
                    .iter()
                    .map(|name| format!("`{name}` changes this"))
                    .collect(),
                several => format!("{several} overlays change this"),
            };
            let about = json!([uri_of(&self.path), there, places]);
            let command =
                json!({"title": title, "command": "wyrmgate.changes", "arguments": about});
            json!({"range": {"start": there, "end": there}, "command": command})
        });
        lenses.collect()
    }

    /// Returns the indentation of a new line below a line that begins a block.
    pub fn indentation(&self) -> Value {
        let before = self.text.get(..self.byte).unwrap_or_default();
        let mut lines = before.split('\n').rev();
        let (line, above) = (
            lines.next().unwrap_or_default(),
            lines.next().unwrap_or_default(),
        );
        let depth = above.len() - above.trim_start().len() + 2;
        let missing = SPACES
            .get(..depth.saturating_sub(line.len()))
            .unwrap_or_default();
        let begins = above.trim_end().ends_with([':', '|']) && line.trim().is_empty();
        match begins && !missing.is_empty() {
            true => {
                json!([{"range": range(&LineStarts::of(&self.text), self.byte, self.byte), "newText": missing}])
            }
            false => json!([]),
        }
    }
}

/// Visits the ranges of symbols, outer ones first.
fn walk(symbols: &Value, visit: &mut dyn FnMut(&Value)) {
    for symbol in symbols.as_array().into_iter().flatten() {
        if let (Some(range), Some(inside)) = (symbol.get("range"), symbol.get("children")) {
            visit(range);
            walk(inside, visit);
        }
    }
}

/// Returns the last byte of a node with all that is in it.
fn end_of(node: &Node) -> u32 {
    let inside = match &node.kind {
        NodeKind::Scalar(_) => None,
        NodeKind::Map(_) => node.entries().map(|(_, value)| end_of(value)).max(),
        NodeKind::List(members) => members.iter().map(end_of).max(),
    };
    inside.unwrap_or(0).max(node.span.end)
}

fn symbols_in(lines: &LineStarts<'_>, node: &Node, kinds: &[u8]) -> Value {
    let Some((kind, inner)) = kinds.split_first() else {
        return json!([]);
    };
    let mut named: Vec<(&str, Span, &Node)> = match &node.kind {
        NodeKind::Scalar(_) => Vec::new(),
        NodeKind::Map(_) => node
            .entries()
            .map(|(key, value)| (&*key.text, key.span, value))
            .collect(),
        NodeKind::List(members) => {
            let first = |member| Some((Node::entries(member).next()?, member));
            let named = members.iter().filter_map(first);
            named
                .filter_map(|((key, value), member)| Some((value.text()?, key.span, member)))
                .collect()
        }
    };
    named.retain(|(name, ..)| !name.is_empty());
    let symbols = named.into_iter().map(|(name, key, value)| {
        let end = end_of(value).max(key.end) as usize;
        json!({
            "name": name,
            "kind": kind,
            "range": range(lines, key.start as usize, end),
            "selectionRange": range(lines, key.start as usize, key.end as usize),
            "children": symbols_in(lines, value, inner),
        })
    });
    symbols.collect()
}

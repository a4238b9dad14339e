//! `wyrmgate explain`: a value of the rules and the files that set it.

use std::path::Path as FilePath;

use serde_json::{Value, json};

use super::report::CommandReport;
use super::setup::{RulesArgs, complain_of, find_game, loaded};
use super::{Stop, Verdict};
use crate::diagnostic::{Sources, Span, did_you_mean};
use crate::lang::Loaded;
use crate::lang::overlay::{Edit, EditKind, History, Path};
use crate::lang::yaml::{Node, NodeKind};

const EXAMPLES: &str = "\
Examples:
  wyrmgate explain my-game+short data.length
  wyrmgate explain my-game+short components.card.kinds.gust
  wyrmgate explain my-game+short+windy
  wyrmgate explain my-game+short effects.take_turn --json

A path leads down the YAML, with dots between keys. Without a path, the command lists every change that overlays made. \
For a value it prints the history, newest first: which file set it, and its earlier values.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game, optionally with overlays, or an overlay file
    game: String,
    /// Path of the value to explain, such as `data.length`
    path: Option<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let stack = find_game(&args.game, &args.rules.rules)?;
    let loaded = loaded(&stack)?;
    let tree = tree_of(&loaded, &stack.folder)?;
    let Some(text) = &args.path else {
        tell_all(args, &stack.name, &loaded);
        return Ok(Verdict::Good);
    };
    let path = Path::parse(tree, text);
    let explained = Explained::of(&loaded, tree, path);
    if explained.value.is_none() && explained.edits.is_empty() {
        let reason = nothing_there(&stack.name, tree, &explained.path);
        return Err(Stop::Usage(reason));
    }
    explained.print(args.json);
    Ok(Verdict::Good)
}

/// Returns the merged tree. If there is none, prints its problems.
pub fn tree_of<'l>(loaded: &'l Loaded, folder: &FilePath) -> Result<&'l Node, Stop> {
    loaded.tree.as_ref().ok_or_else(|| {
        complain_of(&loaded.report, &loaded.sources);
        Stop::Failure(format!("cannot read the rules in {}", folder.display()))
    })
}

/// A value with its history.
struct Explained<'l> {
    path: Path,
    value: Option<&'l Node>,
    /// The edits, newest first.
    edits: Vec<&'l Edit>,
    history: &'l History,
    sources: &'l Sources,
}

impl<'l> Explained<'l> {
    fn of(loaded: &'l Loaded, tree: &'l Node, path: Path) -> Explained<'l> {
        let edits = loaded.history.edits.iter().rev();
        let edits: Vec<&Edit> = edits.filter(|edit| edit.path.overlaps(&path)).collect();
        // A part of a text is no value of the tree, but an overlay may have given it one.
        let last = edits.iter().find(|edit| edit.path == path);
        let given = last.and_then(|edit| edit.now.as_ref());
        Explained {
            value: path.find(tree).or(given),
            edits,
            path,
            history: &loaded.history,
            sources: &loaded.sources,
        }
    }

    /// Returns what an edit changed or removed at the path.
    fn was<'e>(&self, edit: &'e Edit) -> Option<&'e Node> {
        if edit.path.0.len() > self.path.0.len() {
            return edit.was.as_ref(); // a part of it
        }
        let rest = self.path.0.get(edit.path.0.len()..).unwrap_or_default();
        Path(rest.to_vec()).find(edit.was.as_ref()?)
    }

    /// Returns the value in the original game: what the oldest edit of the whole value found, or the value itself.
    fn first(&self) -> Option<&Node> {
        let whole = |edit: &&&Edit| edit.path.0.len() <= self.path.0.len();
        match self.edits.iter().rev().find(whole) {
            Some(oldest) => self.was(oldest),
            None => self.value,
        }
    }
}

impl CommandReport for Explained<'_> {
    fn text(&self) -> String {
        let mut text = match self.value {
            Some(value) => format!("{}\n{}", self.path, indented(&value.to_yaml())),
            None => format!("{} is removed\n", self.path),
        };
        for edit in &self.edits {
            let place = place(self.sources, edit.at);
            let by = self.history.overlay(edit);
            text += &format!("\n{place}  {by} {}\n", described(edit, &self.path));
            if let Some(was) = self.was(edit) {
                text += &format!("  it was\n{}", indented(&was.to_yaml()));
            }
        }
        if let Some(first) = self.first() {
            let place = place(self.sources, first.span);
            text += &format!("\n{place}  as the game has it\n");
        }
        text
    }

    fn json(&self) -> Value {
        let edits = self.edits.iter();
        let history = edits.map(|edit| edit_json(self.history, self.sources, edit));
        json!({
            "path": self.path.to_string(),
            "value": self.value.map(value_json),
            "place": self.value.map(|value| place_json(self.sources, value.span)),
            "history": history.collect::<Vec<_>>(),
            "original": self.first().map(|first| json!({
                "value": value_json(first),
                "place": place_json(self.sources, first.span),
            })),
        })
    }
}

/// Lists all edits of overlays, in order.
fn tell_all(args: &Args, name: &str, loaded: &Loaded) {
    let (history, sources) = (&loaded.history, &loaded.sources);
    if args.json {
        let edits = history.edits.iter();
        let edits = edits.map(|edit| edit_json(history, sources, edit));
        return say_json!({"game": name, "history": edits.collect::<Vec<_>>()});
    }
    say!("{name}");
    for edit in &history.edits {
        let value = |node: &Option<Node>| node.as_ref().map_or("nothing".into(), Node::in_words);
        let (sign, what) = match edit.kind {
            EditKind::Changed => ("~", format!("{} → {}", value(&edit.was), value(&edit.now))),
            EditKind::Added => ("+", value(&edit.now)),
            EditKind::Removed => ("-", value(&edit.was)),
        };
        let (path, place) = (&edit.path, place(sources, edit.at));
        say!("  {sign} {path}: {what}  ({place})");
    }
    if history.edits.is_empty() {
        say!("  as the game has it: no overlay changes anything");
    }
}

/// Returns what an edit does, and what it has done.
fn words(kind: EditKind) -> [&'static str; 2] {
    match kind {
        EditKind::Changed => ["changes", "changed"],
        EditKind::Added => ["adds", "added"],
        EditKind::Removed => ["removes", "removed"],
    }
}

fn described(edit: &Edit, path: &Path) -> String {
    let [what, _] = words(edit.kind);
    match edit.path == *path {
        true => format!("{what} it"),
        false => format!("{what} {}", edit.path),
    }
}

fn nothing_there(name: &str, tree: &Node, path: &Path) -> String {
    let mut node = tree;
    for (depth, key) in path.0.iter().enumerate() {
        let Some(inside) = node.member(key) else {
            let above = Path(path.0.get(..depth).unwrap_or_default().to_vec());
            let at = match depth {
                0 => name.to_owned(),
                1.. => format!("`{above}`"),
            };
            let keys: Vec<String> = node.keys().map(|key| format!("`{key}`")).collect();
            let near = did_you_mean(key, node.keys());
            let advice = match near {
                Some(near) => format!("; did you mean `{near}`?"),
                None if keys.is_empty() => String::new(),
                None => format!("; there is {}", keys.join(", ")),
            };
            return format!("there is no `{key}` in {at}{advice}");
        };
        node = inside;
    }
    format!("there is nothing at `{path}`")
}

fn edit_json(history: &History, sources: &Sources, edit: &Edit) -> Value {
    let [_, deed] = words(edit.kind);
    json!({
        "overlay": history.overlay(edit),
        "deed": deed,
        "path": edit.path.to_string(),
        "was": edit.was.as_ref().map(value_json),
        "now": edit.now.as_ref().map(value_json),
        "place": place_json(sources, edit.at),
    })
}

/// Returns a value of the rules as JSON. All scalars are strings, because only the rules know their types.
pub fn value_json(node: &Node) -> Value {
    match &node.kind {
        NodeKind::Scalar(scalar) => scalar.text.trim_end().into(),
        NodeKind::List(members) => members.iter().map(value_json).collect(),
        NodeKind::Map(entries) => {
            let entries = entries.iter();
            let entries = entries.map(|(key, value)| (key.text.to_string(), value_json(value)));
            Value::Object(entries.collect())
        }
    }
}

/// Formats a place as `some-game/game.yaml:3:11`.
pub fn place(sources: &Sources, span: Span) -> String {
    let (line, column) = sources.line_column(span.file, span.start);
    let file = sources.get(span.file).map_or("", |source| &source.path);
    format!("{file}:{line}:{column}")
}

pub fn place_json(sources: &Sources, span: Span) -> Value {
    let (line, column) = sources.line_column(span.file, span.start);
    let file = sources.get(span.file).map(|source| source.path.as_str());
    json!({"file": file, "line": line, "column": column})
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

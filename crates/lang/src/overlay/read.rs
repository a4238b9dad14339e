//! An overlay as written: the game it extends, and its changes.

use crate::keys;
use crate::yaml::{Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span, did_you_mean};

/// All files of one overlay.
#[derive(Debug)]
pub(crate) struct Overlay {
    /// `short`, after its file or folder
    pub name: String,
    pub extends: Option<Extends>,
    pub trees: Vec<Node>,
    /// The beginning of the overlay.
    pub start: Span,
}

/// `extends: cliff-race+short`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extends {
    pub game: String,
    /// The overlays it extends, in order.
    pub overlays: Vec<String>,
    pub span: Span,
}

/// Sections of a game, which an overlay contains only under one of its verbs.
const GAME_KEYS: &[&str] = &[
    "players",
    "bound",
    "draws",
    "options",
    "data",
    "types",
    "zones",
    "components",
    "vars",
    "queries",
    "effects",
    "handlers",
    "clauses",
    "translations",
];

impl Overlay {
    pub fn new(path: &str, trees: Vec<Node>, report: &mut Report) -> Overlay {
        for tree in &trees {
            check_keys(tree, report);
        }
        let extends = trees.iter().find_map(|tree| tree.get("extends"));
        let text = extends.and_then(|node| Some((node.text()?, node.span)));
        Overlay {
            name: name_of(path).to_owned(),
            extends: text.map(|(text, span)| Extends::parse(text, span)),
            start: trees.first().map_or(Span::default(), |tree| tree.span),
            trees,
        }
    }

    /// Returns the values under a verb, in all files.
    pub fn all<'o>(&'o self, key: &'o str) -> impl Iterator<Item = &'o Node> {
        self.trees.iter().filter_map(move |tree| tree.get(key))
    }
}

impl Extends {
    pub fn parse(text: &str, span: Span) -> Extends {
        let mut names = text.split('+').map(|name| name.trim().to_owned());
        Extends {
            game: names.next().unwrap_or_default(),
            overlays: names.collect(),
            span,
        }
    }
}

/// `cliff-race/variants/short.yaml`, `cliff-race/variants/short/overlay.yaml`: `short`
fn name_of(path: &str) -> &str {
    let path = path.strip_suffix("/overlay.yaml").unwrap_or(path);
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".yaml").unwrap_or(name)
}

fn check_keys(tree: &Node, report: &mut Report) {
    let NodeKind::Map(entries) = &tree.kind else {
        let message = format!("found {}, expected an overlay", tree.shape());
        let help = "begin with `extends: name-of-the-game`";
        report.push(Diagnostic::error("wrong-shape", tree.span, message).help(help));
        return;
    };
    for (key, _) in entries {
        if keys::OVERLAY.key(&key.text).is_none() {
            report.push(unknown_key(key));
        }
    }
}

fn unknown_key(key: &Scalar) -> Diagnostic {
    let name = &key.text;
    let message = format!("an overlay has no `{name}`");
    let wrong = Diagnostic::error("unknown-key", key.span, message);
    let section = name.split('.').next().unwrap_or_default();
    if GAME_KEYS.contains(&section) {
        return wrong.help(format!(
            "put `{section}` under `change:`, `add:` or `remove:`"
        ));
    }
    let known =
        "an overlay can have `extends`, `title`, `about`, `include`, `change`, `add` and `remove`";
    wrong.help(match did_you_mean(name, keys::OVERLAY.names()) {
        Some(near) => format!("did you mean `{near}`? {known}"),
        None => known.to_owned(),
    })
}

/// Returns what the text of a file extends, without parsing the rest; `None` for a file that is not an overlay.
pub fn extends_of(text: &str) -> Option<Extends> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("extends:"))?;
    let value = line.split(" #").next().unwrap_or_default();
    let value = value.trim().trim_matches(['"', '\'']);
    Some(Extends::parse(value, Span::default()))
}

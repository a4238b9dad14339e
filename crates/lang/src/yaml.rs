//! Parses a YAML file to a tree in which every part has a location.
//!
//! The tree is built from the parser's events, not through serde: sections are maps with arbitrary keys, locations
//! inside scalars must be exact, and our limits are stricter than the defaults. This module knows nothing about games.

mod advice;
mod comma;
mod hidden;
mod indentation;
pub(crate) mod lines;
mod map;
mod node;
mod quote;
mod scalar;
mod slip;
mod write;

pub(crate) use hidden::HIDDEN;
pub use map::Map;

use hashbrown::HashMap;
use std::sync::Arc;

use serde_yaml::granit_parser::{
    Event, Marker, Parser, ScalarStyle, Span as Range, StructureStyle, options,
};

use crate::limits::{
    BUNDLE_BYTES_MAX, SCALAR_BYTES_MAX, YAML_ALIASES_MAX, YAML_DEPTH_MAX, YAML_NODES_MAX,
};
use crate::positions::Positions;
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Report, Span};

#[derive(Debug, Clone)]
pub struct Node {
    pub kind: NodeKind,
    /// For a block list or map, only its first key or member, so that a message marks a word and not a page.
    pub span: Span,
}

impl Node {
    pub fn new(kind: NodeKind, span: Span) -> Node {
        Node { kind, span }
    }

    pub(crate) fn scalar(scalar: Scalar) -> Node {
        let span = scalar.span;
        Node::new(NodeKind::Scalar(scalar), span)
    }
}

#[derive(Debug, Clone)]
pub enum NodeKind {
    Scalar(Scalar),
    List(Vec<Node>),
    Map(Map),
}

/// A decoded key or value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    pub text: Arc<str>,
    pub span: Span,
    pub positions: Positions,
    /// Whether it is written without quotes, `|` or `>`. With them, an empty text is intended.
    pub is_plain: bool,
}

impl Scalar {
    /// Returns a word that stands for what is written at a place.
    pub(crate) fn named(text: &str, span: Span) -> Scalar {
        Scalar {
            text: text.into(),
            span,
            positions: Positions::at(span, text.len()),
            is_plain: false,
        }
    }

    /// Returns whether the value is missing (`key:` without a value).
    pub fn is_missing(&self) -> bool {
        self.is_plain && self.text.is_empty()
    }
}

/// The share of the limits that the files of one ruleset have used together.
#[derive(Debug, Clone, Copy, Default)]
pub struct Budget {
    nodes: usize,
    aliases: usize,
    /// Bytes of scalars, including those that aliases repeat.
    bytes: usize,
}

impl Budget {
    pub(super) fn since(&self, before: &Budget) -> Budget {
        Budget {
            nodes: self.nodes - before.nodes,
            aliases: self.aliases - before.aliases,
            bytes: self.bytes - before.bytes,
        }
    }

    pub(super) fn add(&mut self, more: &Budget) {
        self.nodes += more.nodes;
        self.aliases += more.aliases;
        self.bytes += more.bytes;
    }

    /// Adds the cells of a table that is no YAML.
    pub(super) fn add_cells(&mut self, cells: usize) {
        self.nodes += cells;
    }

    /// Returns whether this much more stays within the limits.
    pub(super) fn has_room_for(&self, more: &Budget) -> bool {
        self.nodes + more.nodes <= YAML_NODES_MAX
            && self.aliases + more.aliases <= YAML_ALIASES_MAX
            && self.bytes + more.bytes <= BUNDLE_BYTES_MAX
    }
}

/// Parses a file to its tree; `None` if it is not YAML or exceeds a limit, which the report states.
pub fn parse(file: FileId, text: &str, budget: &mut Budget, report: &mut Report) -> Option<Node> {
    let tree = parse_events(file, text, budget, report);
    hidden::in_file(file, text, report);
    tree
}

fn parse_events(
    file: FileId,
    text: &str,
    budget: &mut Budget,
    report: &mut Report,
) -> Option<Node> {
    let mut options = options! { disallow_directives: true, emit_unresolved_aliases: true };
    options.set_emit_comments(false);
    let mut tree = Tree {
        file,
        text,
        budget,
        report,
        open: Vec::new(),
        anchors: HashMap::new(),
        root: None,
        last: None,
    };
    for event in Parser::new_from_str_with_options(text, options) {
        match event {
            Ok((event, range)) => tree.add(event, range)?,
            Err(error) => {
                let at = tree.place(*error.marker());
                let place = slip::Place { file, text, at };
                let mut wrong = advice::diagnostic(&place, tree.last, error.kind());
                if let Some(open) = tree.open.last().filter(|open| open.is_flow) {
                    wrong = wrong.related(open.span, "opened here");
                }
                tree.forget_commas_in(&wrong);
                tree.report.push(wrong);
                return None;
            }
        }
    }
    Some(tree.root.unwrap_or_else(|| empty(file)))
}

fn empty(file: FileId) -> Node {
    let span = Span::new(file, 0, 0);
    let positions = Positions::straight(file, 0);
    Node {
        kind: NodeKind::Scalar(Scalar {
            text: "".into(),
            span,
            positions,
            is_plain: true,
        }),
        span,
    }
}

/// A list or map that is not complete yet.
struct Open {
    kind: NodeKind,
    span: Span,
    is_flow: bool,
    anchor: usize,
    /// The key of the next value.
    key: Option<Scalar>,
    /// Where each key was first given.
    keys: HashMap<Arc<str>, Span>,
    size: Size,
    /// The number of the report about a comma in an unquoted value.
    comma: Option<usize>,
}

/// The cost of a node, added once more for every alias.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    nodes: usize,
    bytes: usize,
    depth: usize,
}

impl Size {
    fn of_one(bytes: usize, depth: usize) -> Size {
        Size {
            nodes: 1,
            bytes,
            depth,
        }
    }
}

struct Tree<'a> {
    file: FileId,
    text: &'a str,
    budget: &'a mut Budget,
    report: &'a mut Report,
    open: Vec<Open>,
    anchors: HashMap<usize, (Node, Size)>,
    root: Option<Node>,
    /// The beginning of the last value or key.
    last: Option<usize>,
}

impl Tree<'_> {
    /// Returns `None` if the rest of the file is not worth reading.
    fn add(&mut self, event: Event, range: Range) -> Option<()> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.last = Some(self.place(range.start));
                match self.refuse_tag(tag.is_some(), range) {
                    // `!Lantern`: a value that was meant to begin so
                    Some(tag) if text.is_empty() || &*text == "~" => self.add_tag(tag, anchor),
                    _ => self.add_scalar(&text, style, anchor, range),
                }
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.refuse_tag(tag.is_some(), range);
                self.begin(NodeKind::List(Vec::new()), style, anchor, range)
            }
            Event::MappingStart(style, anchor, tag) => {
                self.refuse_tag(tag.is_some(), range);
                self.begin(NodeKind::Map(Map::default()), style, anchor, range)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(range),
            Event::Alias(anchor) => self.add_alias(anchor, range),
            Event::UnresolvedAlias(name) => self.refuse_alias(&name, range),
            _ => Some(()),
        }
    }

    /// Drops reports about commas in a value that should be in quotes altogether.
    fn forget_commas_in(&mut self, wrong: &Diagnostic) {
        let is_comma = |d: &Diagnostic| d.code == "yaml-comma" && wrong.span.covers(d.span);
        self.report.diagnostics.retain(|d| !is_comma(d));
        self.report.index();
    }

    fn place(&self, marker: Marker) -> usize {
        let in_characters = || {
            self.text
                .char_indices()
                .nth(marker.index())
                .map_or(self.text.len(), |(i, _)| i)
        };
        marker.byte_offset().unwrap_or_else(in_characters)
    }

    fn span(&self, range: Range) -> Span {
        Span::new(self.file, self.place(range.start), self.place(range.end))
    }

    /// Rejects the tag, if there is one.
    fn refuse_tag(&mut self, tagged: bool, range: Range) -> Option<Span> {
        if !tagged {
            return None;
        }
        let begins = self.place(range.start);
        let before = self.text.get(..begins).unwrap_or_default();
        let sign = before.rfind('!').unwrap_or(begins);
        let tag = self.text.get(sign..).unwrap_or_default();
        let length = tag.find([' ', '\n', ',', '}', ']']).unwrap_or(tag.len());
        let span = Span::new(self.file, sign, sign + length);
        let help = "remove the tag; quote a value that begins with `!`";
        let message = "YAML tags (`!…`) have no meaning here";
        self.report.error("yaml-tag", span, message, help);
        Some(span)
    }

    /// Handles a tag in place of a value.
    fn add_tag(&mut self, tag: Span, anchor: usize) -> Option<()> {
        let written = self.text.get(tag.start as usize..tag.end as usize);
        let written = written.unwrap_or_default();
        let size = Size::of_one(written.len(), 0);
        self.spend(size, tag)?;
        let scalar = scalar::locate(self.file, self.text, written, ScalarStyle::Plain, tag);
        let node = Node::scalar(scalar);
        self.put(node, anchor, size)
    }

    fn refuse_alias(&mut self, name: &str, range: Range) -> Option<()> {
        let message = format!("there is no anchor `&{name}` above");
        let help = "in YAML, a value that begins with `*` repeats another one; put it in quotes if it is a text";
        self.report
            .error("yaml-alias", self.span(range), message, help);
        None
    }

    fn spend(&mut self, size: Size, span: Span) -> Option<()> {
        self.budget.nodes += size.nodes;
        self.budget.bytes += size.bytes;
        let depth = self.open.len() + size.depth;
        let (code, message) = if depth > YAML_DEPTH_MAX {
            (
                "yaml-depth",
                format!("lists and maps are nested more than {YAML_DEPTH_MAX} deep"),
            )
        } else if self.budget.nodes > YAML_NODES_MAX {
            (
                "yaml-nodes",
                format!("more than {YAML_NODES_MAX} keys and values in one ruleset"),
            )
        } else if self.budget.bytes > BUNDLE_BYTES_MAX {
            (
                "bundle-size",
                format!("more than {BUNDLE_BYTES_MAX} bytes of text, including repetitions by `*`"),
            )
        } else {
            return Some(());
        };
        self.report
            .error(code, span, message, "simplify the ruleset here");
        None
    }

    fn add_scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        anchor: usize,
        range: Range,
    ) -> Option<()> {
        let span = self.span(range);
        let size = Size::of_one(text.len(), 0);
        if text.len() > SCALAR_BYTES_MAX {
            let message = format!(
                "a value of {} bytes; at most {SCALAR_BYTES_MAX} are allowed",
                text.len()
            );
            self.report
                .error("yaml-scalar", span.beginning(), message, "split it");
            return None;
        }
        self.spend(size, span)?;
        let scalar = scalar::locate(self.file, self.text, text, style, span);
        if let Some(hidden) = hidden::in_value(&scalar, style) {
            self.report.push(hidden);
        }
        self.put(Node::scalar(scalar), anchor, size)
    }

    fn begin(
        &mut self,
        kind: NodeKind,
        style: StructureStyle,
        anchor: usize,
        range: Range,
    ) -> Option<()> {
        let span = self.span(range);
        let size = Size::of_one(0, 1);
        self.spend(size, span)?;
        let is_flow = style == StructureStyle::Flow;
        self.open.push(Open {
            kind,
            span,
            is_flow,
            anchor,
            key: None,
            keys: HashMap::new(),
            size,
            comma: None,
        });
        Some(())
    }

    fn end(&mut self, range: Range) -> Option<()> {
        let open = self.open.pop()?;
        let span = match &open.kind {
            _ if open.is_flow => open.span.to(self.span(range)),
            NodeKind::List(nodes) => nodes.first().map_or(open.span, |node| node.span),
            NodeKind::Map(entries) => entries.first().map_or(open.span, |(key, _)| key.span),
            NodeKind::Scalar(_) => open.span,
        };
        self.put(Node::new(open.kind, span), open.anchor, open.size)
    }

    fn add_alias(&mut self, anchor: usize, range: Range) -> Option<()> {
        let span = self.span(range);
        self.budget.aliases += 1;
        if self.budget.aliases > YAML_ALIASES_MAX {
            let message = format!("more than {YAML_ALIASES_MAX} aliases (`*…`) in one ruleset");
            let help = "name the repeated value in the rules: use `data` or a query";
            self.report.error("yaml-aliases", span, message, help);
            return None;
        }
        let Some((_, size)) = self.anchors.get(&anchor) else {
            let help = "an alias can only repeat a value that ends before it";
            let message = "this alias stands inside the value it repeats";
            self.report.error("yaml-alias", span, message, help);
            return None;
        };
        let size = *size;
        self.spend(size, span)?;
        let node = self.anchors.get(&anchor).map(|(node, _)| node.clone())?;
        self.put(node, 0, size)
    }

    /// Adds a finished node: a key, a value, a member or the root.
    fn put(&mut self, node: Node, anchor: usize, size: Size) -> Option<()> {
        if anchor > 0 {
            self.anchors.insert(anchor, (node.clone(), size));
        }
        let Some(open) = self.open.last_mut() else {
            return self.put_root(node);
        };
        open.size.nodes += size.nodes;
        open.size.bytes += size.bytes;
        open.size.depth = open.size.depth.max(size.depth + 1);
        let mut commas = comma::CommaMending {
            file: self.file,
            text: self.text,
            told: &mut open.comma,
            report: self.report,
        };
        match (&mut open.kind, open.key.take()) {
            (NodeKind::List(members), _) => {
                if !open.is_flow || !commas.mend_member(members, &node) {
                    members.push(node);
                }
            }
            (NodeKind::Map(entries), Some(key)) => {
                let is_rest = open.is_flow && node.is_missing();
                if is_rest && commas.mend_entry(entries, &key) {
                    open.keys.remove(&key.text);
                } else {
                    entries.push((key, node));
                }
            }
            (_, _) => return self.put_key(node),
        }
        Some(())
    }

    fn put_root(&mut self, node: Node) -> Option<()> {
        if self.root.is_some() {
            let help = "a file holds one document; remove the `---`";
            let before = self
                .text
                .get(..node.span.start as usize)
                .unwrap_or_default();
            let span = before.rfind("\n---").map_or(node.span, |line| {
                Span::new(self.file, line + 1, line + 1 + "---".len())
            });
            let message = "a second document in one file";
            self.report.error("yaml-documents", span, message, help);
            return None;
        }
        self.root = Some(node);
        Some(())
    }

    fn put_key(&mut self, node: Node) -> Option<()> {
        let NodeKind::Scalar(key) = node.kind else {
            let help =
                "a key is a word or phrase; put a value that begins with `{` or `[` in quotes";
            let message = format!("expected a key, found {}", node.shape());
            self.report.error("yaml-key", node.span, message, help);
            return None;
        };
        let open = self.open.last_mut()?;
        if let Some(first) = open.keys.get(&key.text) {
            let message = format!("`{}` is given twice", key.text);
            let duplicate = Diagnostic::error("duplicate-key", key.span, message);
            self.report.push(
                duplicate
                    .related(*first, "first given here")
                    .help("remove one of them, or join what they contain"),
            );
        } else {
            open.keys.insert(key.text.clone(), key.span);
        }
        open.key = Some(key);
        Some(())
    }
}

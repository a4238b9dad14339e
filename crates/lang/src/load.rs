//! Reads a rules folder to its [`Definition`]: files, `include`, and the sections of the root.
//!
//! Reading is strict: unknown keys are rejected with advice. All problems are reported together.

mod behavior;
mod components;
mod fields;
pub(super) mod files;
mod folded;
mod look;
mod notation;
mod options;
mod start;
mod tables;
mod translations;
mod values;
mod zones;

pub use files::is_rules_file;
pub use start::{SET_UP, drawn};
pub use values::{is_clause, is_identifier};

use std::io;
use std::path::Path;
use std::rc::Rc;

use crate::ast::{Expr, ExprKind, Name, Text, TextPart};
use crate::bundle::Bundle;
use crate::definition::{
    Behavior, DataDef, Definition, EffectDef, GameTexts, LookDef, Origin, PlainText, PositionDefs,
    RecordDef, StartDef, ValueDefs, VarDef,
};
use crate::effect::{self, Rule, Written};
use crate::keys;
use crate::known::{Known, KnownFile};
use crate::limits::OVERLAYS_MAX;
use crate::overlay::{self, History, Overlay};
use crate::positions::Positions;
use crate::repair::OF_A_BUNDLE;
use crate::stack::Stack;
use crate::table::{self, DataTable};
use crate::yaml::{self, Budget, Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Sources, Span};

/// A ruleset as read: its texts, its definition, and its problems.
#[derive(Debug)]
pub struct Loaded {
    pub sources: Sources,
    pub definition: Option<Definition>,
    pub report: Report,
    /// The changes that overlays made to the game.
    pub history: History,
    /// The merged tree from which the definition was built.
    pub tree: Option<Node>,
}

/// Loads the game of a folder: its `game.yaml` and the files it includes. Paths are shown from the folder's name on.
pub fn load_dir(path: &Path) -> io::Result<Loaded> {
    Ok(Stack::of_folder(path).bundle()?.load())
}

/// Loads the game whose root is the file `root` among `files` (path, text). There is a definition if enough was
/// understood for further checks, even if the report has errors: effects that did not parse are empty then.
pub fn load(
    sources: &mut Sources,
    files: &[(String, String)],
    root: &str,
) -> (Option<Definition>, Report) {
    let loaded = load_stack(files, &[root.to_owned()], None);
    *sources = loaded.sources;
    (loaded.definition, loaded.report)
}

/// Loads a game like [`load`], with overlays. `roots`: the root of the game, then the roots of the overlays on it, in
/// order. Files in `known` are not read again.
pub fn load_stack(files: &[(String, String)], roots: &[String], known: Option<&Known>) -> Loaded {
    load_noting(files, roots, known, false).0
}

/// Notes the texts of the effect language too, if they are wanted.
fn load_noting(
    files: &[(String, String)],
    roots: &[String],
    known: Option<&Known>,
    wants_written: bool,
) -> (Loaded, Vec<Written>) {
    let mut sources = Sources::default();
    let mut loader = Loader {
        report: Report::default(),
        complete: true,
        holes: false,
        known: Vec::new(),
        plain: Vec::new(),
        operators: Vec::new(),
        looks: Vec::new(),
        written: wants_written.then(Vec::new),
    };
    let mut reader = files::Reader {
        sources: &mut sources,
        files,
        known,
        known_files: Vec::new(),
        report: &mut loader.report,
        budget: Budget::default(),
        bytes: 0,
        seen: Vec::new(),
    };
    let mut trees = roots.iter().map(|root| (root, reader.read_all(root)));
    let game = trees.next().map(|(_, read)| read);
    let overlays: Vec<_> = trees.collect();
    loader.known = reader.known_files;
    let game = game.unwrap_or_default();
    loader.complete = game.complete && overlays.iter().all(|(_, read)| read.complete);
    loader.holes = !loader.complete;
    let overlays: Vec<Overlay> = overlays
        .into_iter()
        .map(|(root, read)| Overlay::new(root, read.trees, &mut loader.report))
        .collect();
    let (tree, history) = loader.merge_overlays(game.trees, &overlays);
    let definition = tree.as_ref().and_then(|tree| loader.parse_root(tree));
    if let Some(tree) = tree.as_ref().filter(|_| !history.is_empty()) {
        history.warn_uncited(tree, &mut loader.report);
    }
    let folder = roots.first().and_then(|root| root.rsplit('/').nth(1));
    let definition = definition.map(|definition| Definition {
        origin: Origin {
            folder: folder.unwrap_or_default().to_owned(),
            overlaid_from: overlays.first().map(|overlay| overlay.start.file),
        },
        ..definition
    });
    let of_records = definition.iter().flat_map(|def| &def.values.records);
    if !of_records.clone().any(|record| record.bundle_of.is_some()) {
        let told = loader.report.diagnostics.iter_mut();
        let is_of_bundle = |help: &String| help.starts_with(OF_A_BUNDLE);
        for told in told.filter(|told| told.help.as_ref().is_some_and(is_of_bundle)) {
            let operators = "an operator stands between two values: `=`, `!=`, `and`, `+`";
            (told.help, told.repair) = (Some(operators.to_owned()), None);
        }
    }
    loader.warn_of_comments(&sources);
    loader.forget_uses_of_operators(&sources);
    let written = loader.written.take().unwrap_or_default();
    let mut report = loader.report;
    // Where a word tells of a hidden character, that is enough.
    let words = report.diagnostics.iter().filter(|d| d.code == "lookalike");
    let words: Vec<Span> = words.map(|d| d.span).collect();
    let is_told = |d: &Diagnostic| d.code == yaml::HIDDEN && words.contains(&d.span);
    report.diagnostics.retain(|d| !is_told(d));
    report
        .diagnostics
        .sort_by_key(|d| (d.span.file, d.span.start));
    report.shorten();
    history.annotate(&mut report, &sources);
    report.index();
    let loaded = Loaded {
        sources,
        definition: definition.filter(|_| !loader.holes),
        report,
        history,
        tree,
    };
    (loaded, written)
}

/// Walks the tree and reports.
struct Loader {
    report: Report,
    /// Whether all files could be read, so that missing things are really missing.
    complete: bool,
    /// Whether something that other parts depend on could not be read, so that further checks would mislead.
    holes: bool,
    /// By the number of the file; `None` for a file that is not known.
    known: Vec<Option<Rc<KnownFile>>>,
    /// Texts for people without quotes.
    plain: Vec<Span>,
    /// Operators that are declared as names.
    operators: Vec<String>,
    /// The keys `look` of zones, components, variables and values.
    looks: Vec<LookDef>,
    /// The texts of the effect language, if they are wanted.
    written: Option<Vec<Written>>,
}

impl Loader {
    /// Notes a text of the effect language.
    fn note_written(&mut self, entrance: Rule, text: &str, positions: &Positions) {
        if let Some(written) = &mut self.written {
            written.push(Written {
                entrance,
                text: text.into(),
                positions: positions.clone(),
            });
        }
    }

    /// Returns the cached file that contains this span.
    fn known_in(&self, span: Span) -> Option<Rc<KnownFile>> {
        self.known.get(usize::from(span.file.0))?.clone()
    }

    /// Returns the tree of the game with its overlays.
    fn merge_overlays(
        &mut self,
        roots: Vec<Node>,
        overlays: &[Overlay],
    ) -> (Option<Node>, History) {
        let Some(mut game) = self.game_tree(roots) else {
            return (None, History::default());
        };
        for (number, overlay) in overlays.iter().enumerate() {
            if overlay.extends.is_none() && !self.complete {
                continue; // why it says nothing has been told
            }
            let below = overlays.get(..number).unwrap_or_default();
            overlay::check_base(&game, below, overlay, &mut self.report);
        }
        let some = overlays.get(..OVERLAYS_MAX).unwrap_or(overlays);
        if let Some(beyond) = overlays.get(OVERLAYS_MAX) {
            let message = format!("more than {OVERLAYS_MAX} overlays are used at once");
            let help = "join some of them to one overlay";
            self.report.error("overlays", beyond.start, message, help);
        }
        let history = overlay::apply(&mut game, some, &mut self.report);
        (Some(game), history)
    }

    /// Returns the sections of all files of the game, if their shapes are right.
    fn game_tree(&mut self, roots: Vec<Node>) -> Option<Node> {
        let first = roots.first()?;
        if let Some(extends) = first.get("extends") {
            self.report_no_base(extends);
            return None;
        }
        let NodeKind::Map(_) = &first.kind else {
            self.wrong_shape(first, "a game", "begin with `game: name-of-the-game`");
            return None;
        };
        for root in &roots {
            self.entries(root, "a game");
        }
        overlay::combine(roots)
    }

    /// Reports an overlay that was read as if it were a game.
    fn report_no_base(&mut self, extends: &Node) {
        let name = extends.text().unwrap_or_default();
        let message = format!("there is no game `{name}` to extend");
        let help = "name a game of the rules folder, optionally with overlays: `extends: name-of-the-game`";
        self.report
            .error("unknown-base", extends.span, message, help);
        self.holes = true;
    }

    fn parse_root(&mut self, tree: &Node) -> Option<Definition> {
        let before = self.problems();
        let (tree, tables) = table::expand(tree, self.complete, &mut self.report);
        self.holes |= self.problems() > before;
        self.parse_expanded(&tree, &tables)
    }

    fn parse_expanded(&mut self, tree: &Node, tables: &[DataTable]) -> Option<Definition> {
        let start = tree.span.beginning();
        let root = self.fields(tree, &keys::GAME)?;
        self.refuse_repeated(&root);
        self.check_includes(&root.all("include"));
        let vars = self.parse_section(&root.all("vars"), Self::parse_var);
        let (types, records) = self.parse_types(&root.all("types"));
        let (effects, drawn) =
            self.parse_effects(&root.all("effects"), root.get("start"), &vars, &records);
        let mut data = self.parse_section(&root.all("data"), Self::parse_data);
        self.add_columns(&mut data, tables);
        let mut components = self.parse_section(&root.all("components"), Self::parse_component);
        Self::fill_kinds(&mut components, &data, tables);
        Some(Definition {
            name: self.parse_game_name(root.get("game"), start),
            texts: GameTexts {
                title: self.parse_plain_text_of(root.get("title")),
                language: root
                    .get("language")
                    .and_then(|node| self.parse_language_of(node)),
                translations: self.parse_translations(&root.all("translations")),
                about: self.parse_plain_text_of(root.get("about")),
                notation: self.parse_notation(root.get("notation")),
            },
            origin: Origin::default(),
            players: self.parse_players(root.get("players"), start),
            bound: root.get("bound").and_then(|node| self.parse_number(node)),
            options: self.parse_section(&root.all("options"), Self::parse_option),
            values: ValueDefs {
                types,
                records,
                data,
            },
            zones: self.parse_section(&root.all("zones"), Self::parse_zone),
            components,
            vars,
            positions: PositionDefs {
                kept: self.parse_section(&root.all("positions"), Self::parse_data),
                drawn,
            },
            behavior: Behavior {
                queries: self.parse_section(&root.all("queries"), Self::parse_query),
                effects,
                handlers: self.parse_every(&root.all("handlers"), Self::parse_handler),
                modifiers: self.parse_every(&root.all("modifiers"), Self::parse_modifier),
                draws: root.get("draws").and_then(|node| self.parse_draws(node)),
            },
            clauses: self.parse_section(&root.all("clauses"), Self::parse_clause),
            looks: self.parse_looks(&root.all("look")),
            allow: self.parse_section(&root.all("allow"), Self::parse_allow),
        })
    }

    /// Parses the effects of the game with the one that arranges the drawn position, and how positions are drawn.
    fn parse_effects(
        &mut self,
        nodes: &[&Node],
        start: Option<&Node>,
        vars: &[VarDef],
        records: &[RecordDef],
    ) -> (Vec<EffectDef>, Option<StartDef>) {
        let mut effects = self.parse_section(nodes, Self::parse_effect);
        let Some(start) = start else {
            return (effects, None);
        };
        let Some((set_up, start)) = self.parse_start(start, &effects, vars, records) else {
            self.holes = true;
            return (effects, None);
        };
        effects.push(set_up);
        (effects, Some(start))
    }

    /// Reports wrong values of `include`. The files themselves have been read already.
    fn check_includes(&mut self, nodes: &[&Node]) {
        for name in nodes.iter().flat_map(|node| node.members()) {
            self.parse_text(name, "the name of a file, or a list of them");
        }
    }

    /// Drops the problems of lines that use an operator as the name that was declared.
    fn forget_uses_of_operators(&mut self, sources: &Sources) {
        let operators = std::mem::take(&mut self.operators);
        let uses_one = |span: Span| {
            let line = line_around(sources, span).unwrap_or_default();
            let mut words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            words.any(|word| operators.iter().any(|operator| operator == word))
        };
        let diagnostics = &mut self.report.diagnostics;
        diagnostics.retain(|problem| problem.code != "syntax" || !uses_one(problem.span));
    }

    /// Warns about texts without quotes that end at a `#`: `title: Pig #2`
    fn warn_of_comments(&mut self, sources: &Sources) {
        for span in std::mem::take(&mut self.plain) {
            let text = sources.get(span.file).map(|source| &*source.text);
            let text = text.unwrap_or_default();
            let line = text
                .get(span.start as usize..)
                .and_then(|rest| rest.lines().next());
            let line = line.unwrap_or_default().trim_end();
            let length = (span.end - span.start) as usize;
            let comment = line.get(length..).unwrap_or_default().trim_start();
            let is_glued = comment
                .strip_prefix('#')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()));
            if is_glued && !line.contains('"') {
                let whole = Span {
                    end: span.start + line.len() as u32,
                    ..span
                };
                let message = format!(
                    "the text ends before the `#`: `{}`",
                    line.get(..length).unwrap_or_default()
                );
                let warning = Diagnostic::warning("comment-in-text", whole, message)
                    .help(format!(
                        "a `#` after a space begins a comment; put the text in quotes: `\"{line}\"`"
                    ))
                    .repair(whole, format!("\"{line}\""));
                self.report.push(warning);
            }
        }
    }

    /// Returns a placeholder for an expression that could not be read.
    fn hole(&mut self, span: Span) -> Expr {
        self.holes = true;
        effect::unreadable(span)
    }

    fn missing_key(&mut self, key: &str, start: Span, help: &str) {
        if self.complete && !self.is_misspelled(key) {
            let message = format!("this game has no `{key}`");
            self.report.error("missing-key", start, message, help);
        }
        self.holes = true;
    }

    /// Returns whether a key was reported that was probably meant to be this one.
    fn is_misspelled(&self, key: &str) -> bool {
        let meant = format!("did you mean `{key}`?");
        let mut unknown = self
            .report
            .diagnostics
            .iter()
            .filter(|d| d.code == "unknown-key");
        unknown.any(|d| d.help.as_ref().is_some_and(|help| help.starts_with(&meant)))
    }

    fn parse_game_name(&mut self, node: Option<&Node>, start: Span) -> Name {
        let Some(node) = node else {
            self.missing_key("game", start, "begin with `game: name-of-the-game`");
            return Name::new("", start);
        };
        self.parse_name_with(node, "lowercase letters, digits and `-`", is_game_name)
    }

    fn parse_players(&mut self, node: Option<&Node>, start: Span) -> Expr {
        if let Some(node) = node {
            return self.parse_value(node);
        }
        self.missing_key(
            "players",
            start,
            "add the number of players: `players: 2..5`",
        );
        Expr::new(ExprKind::None, start)
    }

    fn parse_number(&mut self, node: &Node) -> Option<(u32, Span)> {
        let text = self.parse_text(node, "a number")?;
        match text.text.parse() {
            Ok(bound) => Some((bound, node.span)),
            Err(_) => {
                let help = "write the maximum number of decisions, such as `bound: 5000`";
                let message = format!("`{}` is not a whole number", text.text);
                self.report.error("wrong-shape", node.span, message, help);
                None
            }
        }
    }

    fn parse_draws(&mut self, node: &Node) -> Option<bool> {
        let text = self.parse_text(node, "`never` or `by agreement`")?;
        let found = keys::DRAWS.iter().position(|word| **word == *text.text);
        if found.is_none() {
            let message = format!(
                "`{}` does not say whether players may agree on a draw",
                text.text
            );
            let help = "write `draws: never` or `draws: by agreement`";
            self.report.error("wrong-shape", node.span, message, help);
        }
        Some(found? == 1)
    }

    fn parse_plain_text_of(&mut self, node: Option<&Node>) -> PlainText {
        node.map(|node| self.parse_plain_text(node))
            .unwrap_or_default()
    }

    fn parse_data(&mut self, key: &Scalar, node: &Node) -> Option<DataDef> {
        let name = self.parse_declared(key);
        if let Some(words) = table::words_of(node) {
            let parts = vec![TextPart::Literal(words.text.to_string())];
            let span = words.span;
            let value = Expr::new(ExprKind::Text(Text { parts, span }), span);
            return Some(DataDef { name, value });
        }
        let value = self.parse_value(node);
        Some(DataDef { name, value })
    }
}

/// Returns the line in which a span begins.
fn line_around(sources: &Sources, span: Span) -> Option<&str> {
    let text = &*sources.get(span.file)?.text;
    let before = text.get(..span.start as usize)?;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    text.get(start..)?.lines().next()
}

/// Returns whether this can be the name of a game.
pub fn is_game_name(text: &str) -> bool {
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(good)
}

impl Bundle {
    pub fn load(&self) -> Loaded {
        self.load_knowing(None)
    }

    /// Loads the texts, sharing parsed files with other rulesets that are read too.
    pub fn load_knowing(&self, known: Option<&Known>) -> Loaded {
        load_stack(&self.files, &self.roots(), known)
    }

    /// Loads the texts, and returns those of the effect language too.
    pub fn load_noting(&self) -> (Loaded, Vec<Written>) {
        load_noting(&self.files, &self.roots(), None, true)
    }
}

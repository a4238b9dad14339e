//! The files of a ruleset: those of a folder, and those that the root includes.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use crate::known::{Known, KnownFile, Parsed};
use crate::limits::{BUNDLE_BYTES_MAX, FILE_BYTES_MAX};
use crate::table;
use crate::yaml::{self, Budget, Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Report, Sources, Span, did_you_mean};

/// Returns the path of a file of the folder as shown: `cliff-race/game.yaml`.
pub(crate) fn shown_path(folder: &Path, file: &str) -> String {
    match folder.file_name() {
        Some(name) => format!("{}/{file}", name.to_string_lossy()),
        None => file.to_string(),
    }
}

/// Returns whether a file can belong to a ruleset: YAML, or a table.
pub fn is_rules_file(name: &str) -> bool {
    name.ends_with(".yaml") || table::is_data(name)
}

/// Reads all files of rules directly in the folder, by name, each only up to the limit of a file.
pub(crate) fn read_dir(folder: &Path) -> io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_file() && is_rules_file(&name) {
            files.push((shown_path(folder, &name), read_file(&path)?));
        }
    }
    files.sort();
    Ok(files)
}

pub(crate) fn read_file(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?
        .take(FILE_BYTES_MAX as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// The trees of a root and of all files it includes, in order.
#[derive(Default)]
pub(super) struct Trees {
    pub trees: Vec<Node>,
    /// Whether all of them could be read.
    pub complete: bool,
}

/// Reads the files of one ruleset, which share the limits.
pub(super) struct Reader<'a> {
    pub sources: &'a mut Sources,
    pub files: &'a [(String, String)],
    pub known: Option<&'a Known>,
    /// The cached form of each file, by its number.
    pub known_files: Vec<Option<Rc<KnownFile>>>,
    pub report: &'a mut Report,
    pub budget: Budget,
    pub bytes: usize,
    /// The paths read, and where they were included.
    pub seen: Vec<(String, Span)>,
}

impl<'a> Reader<'a> {
    pub fn read_all(&mut self, root: &str) -> Trees {
        let folder = root
            .rfind('/')
            .map_or("", |i| root.get(..=i).unwrap_or_default());
        let mut trees = Vec::new();
        let mut complete = true;
        let mut waiting = VecDeque::from([(root.to_string(), Span::default())]);
        while let Some((path, from)) = waiting.pop_front() {
            let Some(mut tree) = self.read(&path, from) else {
                complete = false;
                continue;
            };
            for value in table::data_mut(&mut tree, &["add", "change"]) {
                complete &= self.read_table(folder, value) && self.read_words(folder, value);
            }
            // A table that replaces another one is known by its form until then.
            for value in table::data_mut(&mut tree, &["add"]) {
                table::from_yaml(value, self.report);
            }
            for name in includes(&tree) {
                waiting.extend(self.include(folder, name));
            }
            trees.push(tree);
        }
        Trees { trees, complete }
    }

    /// Returns the path of an included file, if it is a new one.
    fn include(&mut self, folder: &str, name: &Scalar) -> Option<(String, Span)> {
        let path = format!("{folder}{}", name.text);
        let before = self.seen.iter().find(|(seen, _)| *seen == path);
        if let Some((_, first)) = before {
            let message = format!("`{}` is included twice", name.text);
            let twice = Diagnostic::error("included-twice", name.span, message)
                .help("include each file once");
            self.report.push(if *first == Span::default() {
                twice
            } else {
                twice.related(*first, "first included here")
            });
            return None;
        }
        self.seen.push((path.clone(), name.span));
        Some((path, name.span))
    }

    fn read(&mut self, path: &str, included_at: Span) -> Option<Node> {
        let Some((_, text)) = self.files.iter().find(|(known, _)| known == path) else {
            self.report_missing(path, included_at);
            return None;
        };
        if !self.seen.iter().any(|(seen, _)| seen == path) {
            self.seen.push((path.to_string(), Span::default())); // a root
        }
        let next = self.sources.next();
        let before = self.known.and_then(|known| known.file(next, path, text));
        self.bytes += text.len();
        self.known_files.push(before.clone());
        if let Some(known) = before.filter(|known| self.budget.has_room_for(&known.used)) {
            self.budget.add(&known.used);
            let file = self.sources.add(path, known.text.clone());
            self.check_text(file, text)?;
            return Some(known.tree.clone());
        }
        let file = self.sources.add(path, text.as_str());
        self.check_text(file, text)?;
        self.parse(file, path, text)
    }

    /// Reads a file that is not cached, and caches it if it has no problems.
    fn parse(&mut self, file: FileId, path: &str, text: &str) -> Option<Node> {
        let (problems, used) = (self.report.diagnostics.len(), self.budget);
        let tree = yaml::parse(file, text, &mut self.budget, self.report)?;
        let (Some(known), Some(source)) = (self.known, self.sources.get(file)) else {
            return Some(tree);
        };
        if self.report.diagnostics.len() == problems {
            let kept = known.keep(KnownFile {
                file,
                path: path.to_owned(),
                text: source.text.clone(),
                tree: tree.clone(),
                used: self.budget.since(&used),
                exprs: Parsed::default(),
                signatures: Parsed::default(),
                blocks: Parsed::default(),
            });
            if let Some(slot) = self.known_files.last_mut() {
                *slot = Some(kept);
            }
        }
        Some(tree)
    }

    /// Puts the rows of a file where a table names it. Returns false if it could not be read.
    fn read_table(&mut self, folder: &str, value: &mut Node) -> bool {
        let Some(name) = table::file_of(value).cloned() else {
            return true;
        };
        let rows = match name.text.ends_with(table::ENDING) {
            true => self.rows_of_file(&format!("{folder}{}", name.text), name.span),
            false => {
                let message = format!("`{}` is no file of comma-separated values", name.text);
                let help = "save the table as one: `{table: cards.csv}`";
                self.report.error(table::CODE, name.span, message, help);
                None
            }
        };
        let is_read = rows.is_some();
        // A table that could not be read has been reported: a number stands for it.
        *value = rows.unwrap_or_else(|| table::unread(name.span));
        is_read
    }

    /// Puts the words of a file where a list of words names it. Returns false if it could not be read.
    fn read_words(&mut self, folder: &str, value: &mut Node) -> bool {
        let named = table::words_of(value).cloned();
        let Some(name) = named.filter(|name| name.text.ends_with(table::WORDS_ENDING)) else {
            return true;
        };
        let read = self.data_file(&format!("{folder}{}", name.text), name.span);
        let Some((file, text)) = read else {
            return false;
        };
        let words = table::words_from(file, text, self.report);
        self.budget.add_cells(words.len());
        if let Some(place) = value.get_mut("words") {
            *place = Node::scalar(Scalar::named(&words.join(" "), name.span));
        }
        true
    }

    /// Returns a file that is no YAML.
    fn data_file(&mut self, path: &str, named_at: Span) -> Option<(FileId, &'a str)> {
        let Some((_, text)) = self.files.iter().find(|(known, _)| known == path) else {
            self.report_missing(path, named_at);
            return None;
        };
        self.bytes += text.len();
        self.known_files.push(None);
        let file = self.sources.add(path, text.as_str());
        self.check_text(file, text)?;
        Some((file, text))
    }

    fn rows_of_file(&mut self, path: &str, named_at: Span) -> Option<Node> {
        let (file, text) = self.data_file(path, named_at)?;
        let rows = table::from_csv(file, text, self.report)?;
        let cells: usize = rows
            .members()
            .iter()
            .map(|row| 1 + row.entries().count())
            .sum();
        self.budget.add_cells(cells);
        Some(rows)
    }

    fn check_text(&mut self, file: FileId, text: &str) -> Option<()> {
        let start = Span::new(file, 0, 0);
        let (code, message) = if text.len() > FILE_BYTES_MAX {
            (
                "file-size",
                format!("this file has more than {FILE_BYTES_MAX} bytes"),
            )
        } else if self.bytes > BUNDLE_BYTES_MAX {
            (
                "bundle-size",
                format!("with this file the ruleset has more than {BUNDLE_BYTES_MAX} bytes"),
            )
        } else {
            return self.check_encoding(file, text);
        };
        self.report
            .push(Diagnostic::error(code, start, message).help("split or simplify it"));
        None
    }

    fn check_encoding(&mut self, file: FileId, text: &str) -> Option<()> {
        let is_no_text = |c: char| c == char::REPLACEMENT_CHARACTER || c == '\0';
        let Some((at, c)) = text.char_indices().find(|(_, c)| is_no_text(*c)) else {
            return Some(());
        };
        let span = Span::new(file, at, at + c.len_utf8());
        self.report.push(
            Diagnostic::error("encoding", span, "these bytes are not UTF-8")
                .help("save the file as UTF-8"),
        );
        None
    }

    fn report_missing(&mut self, path: &str, included_at: Span) {
        let message = format!("there is no file `{path}`");
        if self.sources.iter().next().is_none() {
            let file = self.sources.add(path, "");
            let missing = Diagnostic::error("missing-file", Span::new(file, 0, 0), message);
            self.report
                .push(missing.help("a game begins with the file `game.yaml` of its folder"));
            return;
        }
        let near = did_you_mean(path, self.files.iter().map(|(known, _)| known.as_str()));
        let help = match near {
            Some(near) => format!(
                "did you mean `{}`?",
                near.rsplit('/').next().unwrap_or(near)
            ),
            None => "it must be in the folder of the file that names it".to_string(),
        };
        self.report
            .push(Diagnostic::error("missing-file", included_at, message).help(help));
    }
}

/// Returns the names below `include:`. Their shape is checked with the other keys of the root.
fn includes(tree: &Node) -> Vec<&Scalar> {
    let NodeKind::Map(entries) = &tree.kind else {
        return Vec::new();
    };
    let nodes = entries
        .iter()
        .filter(|(key, _)| &*key.text == "include")
        .map(|(_, node)| node);
    nodes.flat_map(scalars).collect()
}

fn scalars(node: &Node) -> Vec<&Scalar> {
    match &node.kind {
        NodeKind::Scalar(scalar) => vec![scalar],
        NodeKind::List(nodes) => nodes.iter().flat_map(scalars).collect(),
        NodeKind::Map(_) => Vec::new(),
    }
}

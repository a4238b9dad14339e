//! The game that a file belongs to, with unsaved buffers in place of the files on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::index::NameIndex;
use crate::rules::{Catalog, Submission, find, is_game, variant, variants_of};
use crate::scenario::{self, Scenario, suite};
use crate::schema::File;
use wyrmgate_base::diagnostic::{FileId, Report, Severity, Sources, Span};
use wyrmgate_compile::check;
use wyrmgate_lang::definition::Definition;
use wyrmgate_lang::load::is_rules_file;
use wyrmgate_lang::overlay::History;
use wyrmgate_lang::{Bundle, Stack};

/// The folder of rules that were sent. It does not exist.
const NOWHERE: &str = "/nowhere/game";
const GAME_FILE: &str = "game.yaml";

/// Maximum distance of a file from its game's folder: `variants/short/overlay.yaml`.
const LEVELS_MAX: usize = 4;

/// A game with its scenarios and overlays.
#[derive(Debug, Clone)]
pub struct Project {
    stack: Stack,
    bundle: Bundle,
    pub sources: Sources,
    pub definition: Option<Definition>,
    pub scenarios: Vec<Scenario>,
    pub report: Report,
    /// The changes made by overlays.
    pub history: History,
    /// The paths of the scenario files, by display name.
    files: BTreeMap<String, PathBuf>,
}

impl Project {
    /// Reads the game of a file. `None` if the file belongs to no game. Checks only the syntax.
    pub fn read(path: &Path, rules: &Path, buffers: &BTreeMap<PathBuf, String>) -> Option<Project> {
        let stack = stack_of(path, rules, buffers)?;
        let mut bundle = stack.bundle().ok()?;
        let mut files = BTreeMap::new();
        for (path, text) in buffers {
            let shown = stack.shown(path);
            let inside = path.parent() == Some(stack.folder.as_path());
            match bundle.files.iter_mut().find(|(known, _)| *known == shown) {
                Some((_, known)) => known.clone_from(text),
                None if inside && is_rules_file(&shown) => {
                    bundle.files.push((shown.clone(), text.clone()))
                }
                None => continue,
            }
            files.insert(shown, path.clone());
        }
        let mut project = Project::of(stack, bundle, files);
        project.read_scenarios(buffers);
        Some(project)
    }

    /// Reads a game from disk.
    pub fn of_stack(stack: Stack) -> std::io::Result<Project> {
        let bundle = stack.bundle()?;
        let mut project = Project::of(stack, bundle, BTreeMap::new());
        project.read_scenarios(&BTreeMap::new());
        Ok(project)
    }

    /// Reads rules that exist only in these buffers: a game, or an overlay on a game of the catalog, and scenarios. Only
    /// the names of the files count, not their folders.
    pub fn sent(buffers: &BTreeMap<PathBuf, String>, catalog: &Catalog) -> Option<Project> {
        let is_scenario =
            |(path, text): &(&PathBuf, &String)| File::of(path, text) == File::Scenarios;
        let (scenarios, rules): (Vec<_>, Vec<_>) = buffers.iter().partition(is_scenario);
        let named = |(path, text): (&PathBuf, &String)| {
            let name = path.file_name()?.to_str()?.to_owned();
            Some((name, text.clone()))
        };
        let files: BTreeMap<String, String> = rules.into_iter().filter_map(named).collect();
        let root = files.contains_key(GAME_FILE).then(|| GAME_FILE.to_owned());
        let bundle = Submission { files, root }.bundle(catalog).ok()?;
        let is_overlay = bundle.roots.iter().any(|root| !root.contains('/'));
        let shown = |path: &Path| {
            let name = path.file_name()?.to_str()?;
            Some(match is_overlay {
                true => name.to_owned(),
                false => format!("{}/{name}", bundle.name),
            })
        };
        let paths = buffers.keys();
        let known = paths.filter_map(|path| Some((shown(path)?, path.clone())));
        let files: BTreeMap<String, PathBuf> = known.collect();
        let last = bundle.roots.last().and_then(|root| files.get(root));
        let stack = Stack {
            name: bundle.name.clone(),
            folder: PathBuf::from(NOWHERE),
            overlays: last.filter(|_| is_overlay).into_iter().cloned().collect(),
        };
        let mut project = Project::of(stack, bundle, files);
        for (path, text) in scenarios {
            project.read_scenario(path, text);
        }
        Some(project)
    }

    /// Runs the scenarios.
    pub fn play_scenarios(self) -> suite::SuiteResults {
        let name = self.stack.name.clone();
        suite::run_read(name, self.with_scenarios(), None)
    }

    /// Returns what scenarios run with.
    pub fn with_scenarios(self) -> suite::GameScenarios {
        suite::GameScenarios {
            sources: self.sources,
            definition: self.definition,
            scenarios: self.scenarios,
            report: self.report,
            history: self.history,
        }
    }

    /// Returns the texts of the rules.
    pub fn bundle(&self) -> &Bundle {
        &self.bundle
    }

    /// Returns the game without the last overlay, as it is on disk.
    pub fn below(&self) -> Option<Bundle> {
        self.stack.below().last()?.bundle().ok()
    }

    /// Returns the name, such as `cliff-race+short`.
    pub fn name(&self) -> &str {
        &self.stack.name
    }

    fn of(stack: Stack, bundle: Bundle, files: BTreeMap<String, PathBuf>) -> Project {
        let loaded = bundle.load();
        Project {
            stack,
            bundle,
            sources: loaded.sources,
            definition: loaded.definition,
            scenarios: Vec::new(),
            report: loaded.report,
            history: loaded.history,
            files,
        }
    }

    fn read_scenarios(&mut self, buffers: &BTreeMap<PathBuf, String>) {
        for path in self.stack.scenario_files().unwrap_or_default() {
            let saved = || std::fs::read_to_string(&path).ok();
            let Some(text) = buffers.get(&path).cloned().or_else(saved) else {
                continue;
            };
            self.read_scenario(&path, &text);
        }
    }

    fn read_scenario(&mut self, path: &Path, text: &str) {
        let shown = self.shown(path);
        let file = self.sources.add(shown.clone(), text);
        self.files.insert(shown, path.to_owned());
        let read = scenario::read::read(file, text, &mut self.report);
        self.scenarios.extend(read);
    }

    /// Returns the name under which messages show a file.
    fn shown(&self, path: &Path) -> String {
        let mut known = self.files.iter();
        let known = known.find(|(_, own)| *own == path);
        known.map_or_else(|| self.stack.shown(path), |(shown, _)| shown.clone())
    }

    /// Finds errors in names and types, in rules and scenarios, and warnings.
    pub fn check(&mut self) {
        let Some(definition) = &self.definition else {
            return;
        };
        let scenarios = self.scenarios.clone();
        let checked = suite::check_with(definition, scenarios, &mut self.report);
        if checked && let Some(checked) = check::check(definition, &mut Report::default()) {
            check::warn(&checked, &mut self.report);
        }
    }

    /// Returns the scenario files of the game or of the last overlay.
    pub fn scenario_files(&self) -> Vec<FileId> {
        let mut files: Vec<FileId> = self.scenarios.iter().map(|one| one.file).collect();
        files.dedup();
        files
    }

    /// Returns the root files of the overlays.
    pub(super) fn overlay_files(&self) -> Vec<FileId> {
        let overlays = self.stack.overlays.iter();
        let shown: Vec<String> = overlays.map(|path| self.shown(path)).collect();
        let all = self.sources.iter();
        let own = all.filter(|(_, source)| shown.contains(&source.path));
        own.map(|(file, _)| file).collect()
    }

    /// Returns the root files of the game's variants, or none for a variant.
    pub fn variants(&self) -> Vec<PathBuf> {
        if !self.stack.overlays.is_empty() {
            return Vec::new();
        }
        let variants = variants_of(&self.stack.folder).unwrap_or_default();
        variants.into_iter().map(|(_, file)| file).collect()
    }

    pub fn index(&self) -> NameIndex {
        let Some(definition) = &self.definition else {
            return NameIndex::default();
        };
        let mut index = NameIndex::of(definition);
        super::uses::scenarios(&mut index, &self.scenarios);
        index
    }

    /// Returns the path of a file on disk.
    pub fn path(&self, file: FileId) -> Option<PathBuf> {
        let shown = &self.sources.get(file)?.path;
        if let Some(path) = self.files.get(shown) {
            return Some(path.clone());
        }
        let mut overlays = self.stack.overlays.iter();
        if let Some(path) = overlays.find(|path| self.shown(path) == *shown) {
            return Some(path.clone());
        }
        Some(self.stack.folder.parent()?.join(shown))
    }

    /// Returns the file at a path, with its text.
    pub fn file(&self, path: &Path) -> Option<(FileId, &str)> {
        let shown = self.shown(path);
        let mut files = self.sources.iter();
        let (file, source) = files.find(|(_, source)| source.path == shown)?;
        Some((file, &source.text))
    }

    /// Returns the errors after replacing the text at some places.
    pub(super) fn errors_with(&self, edits: &[(Span, String)]) -> Vec<String> {
        let mut bundle = self.bundle.clone();
        for (path, text) in &mut bundle.files {
            let mut files = self.sources.iter();
            if let Some((file, _)) = files.find(|(_, source)| source.path == *path) {
                *text = edited(text, file, edits);
            }
        }
        let mut other = Project::of(self.stack.clone(), bundle, BTreeMap::new());
        if let Some(definition) = &other.definition {
            check::check(definition, &mut other.report);
        }
        other.errors()
    }

    pub(super) fn errors(&self) -> Vec<String> {
        let all = self.report.diagnostics.iter();
        let errors = all.filter(|problem| problem.severity == Severity::Error);
        errors.map(|problem| problem.message.clone()).collect()
    }
}

/// Applies the edits of one file to its text.
fn edited(text: &str, file: FileId, edits: &[(Span, String)]) -> String {
    let mut own: Vec<&(Span, String)> =
        edits.iter().filter(|(span, _)| span.file == file).collect();
    own.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut text = text.to_owned();
    for (span, words) in own {
        let range = span.start as usize..span.end as usize;
        if text.get(range.clone()).is_some() {
            text.replace_range(range, words);
        }
    }
    text
}

/// Returns the game of a file, with the overlay to which it belongs.
fn stack_of(path: &Path, rules: &Path, buffers: &BTreeMap<PathBuf, String>) -> Option<Stack> {
    let mut above = path.ancestors().skip(1).take(LEVELS_MAX);
    let game = above.find(|folder| is_game(folder));
    let Some(file) = overlay_of(path, buffers) else {
        return game.map(Stack::of_folder);
    };
    let of_game = game.and_then(|game| variant(game, &file, rules).ok());
    of_game.or_else(|| find(&file.to_string_lossy(), rules).ok())
}

/// Returns the root of the overlay that a file is or lies beside.
fn overlay_of(path: &Path, buffers: &BTreeMap<PathBuf, String>) -> Option<PathBuf> {
    let name = path.file_name()?.to_string_lossy();
    let endings = [".scenarios.yaml", ".equivalents.yaml"];
    if let Some(stem) = endings.iter().find_map(|ending| name.strip_suffix(ending)) {
        let overlay = path.with_file_name(format!("{stem}.yaml"));
        return overlay.is_file().then_some(overlay);
    }
    let mut folders = path.ancestors().skip(1).take(2);
    let root = folders.find_map(|folder| {
        let root = folder.join(wyrmgate_lang::stack::OVERLAY_FILE);
        root.is_file().then_some(root)
    });
    let saved = || std::fs::read_to_string(path).ok();
    let text = buffers.get(path).cloned().or_else(saved);
    let text = text.unwrap_or_default();
    let is_overlay = File::of(path, &text) == File::Overlay && path.is_file();
    root.or_else(|| is_overlay.then(|| path.to_owned()))
}

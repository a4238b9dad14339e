//! The game that a file belongs to, with unsaved buffers in place of the files on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::index::NameIndex;
use super::texts::ProjectTexts;
use crate::rules::variants_of;
use crate::scenario::{self, Scenario, suite};
use wyrmgate_base::diagnostic::{FileId, Report, Severity, Sources, Span};
use wyrmgate_compile::check;
use wyrmgate_lang::definition::Definition;
use wyrmgate_lang::effect::Written;
use wyrmgate_lang::overlay::History;
use wyrmgate_lang::yaml::Node;
use wyrmgate_lang::{Bundle, Stack};

/// A game with its scenarios and overlays, and what is computed from them, once.
#[derive(Debug, Clone)]
pub struct Project {
    texts: ProjectTexts,
    pub sources: Sources,
    pub definition: Option<Definition>,
    /// The tree of the game with its overlays.
    pub tree: Option<Node>,
    pub scenarios: Vec<Scenario>,
    /// The problems of the syntax.
    pub report: Report,
    /// The changes made by overlays.
    pub history: History,
    /// The texts of the effect language.
    pub(super) written: Vec<Written>,
    index: OnceLock<NameIndex>,
    checked: OnceLock<Report>,
}

impl Project {
    /// Reads a game from disk.
    pub fn of_stack(stack: Stack) -> std::io::Result<Project> {
        ProjectTexts::of_stack(stack, &BTreeMap::new()).map(Project::of)
    }

    /// Reads a game. Checks only the syntax.
    pub fn of(texts: ProjectTexts) -> Project {
        let (loaded, written) = texts.bundle.load_noting();
        let mut project = Project {
            sources: loaded.sources,
            definition: loaded.definition,
            tree: loaded.tree,
            scenarios: Vec::new(),
            report: loaded.report,
            history: loaded.history,
            written,
            index: OnceLock::new(),
            checked: OnceLock::new(),
            texts,
        };
        for (path, text) in &project.texts.scenarios {
            let file = project
                .sources
                .add(project.texts.shown(path), text.as_str());
            let read = scenario::read::read(file, text, &mut project.report);
            project.scenarios.extend(read);
        }
        project
    }

    /// Runs the scenarios.
    pub fn play_scenarios(self) -> suite::SuiteResults {
        let name = self.texts.stack.name.clone();
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
        &self.texts.bundle
    }

    /// Returns what the project is read from.
    pub fn texts(&self) -> &ProjectTexts {
        &self.texts
    }

    /// Returns the game without the last overlay, as it is on disk.
    pub fn below(&self) -> Option<Bundle> {
        self.texts.stack.below().last()?.bundle().ok()
    }

    /// Returns the name, such as `cliff-race+short`.
    pub fn name(&self) -> &str {
        &self.texts.stack.name
    }

    /// Returns all problems: those of the syntax, errors in names and types, in rules and scenarios, and warnings.
    pub fn checked(&self) -> &Report {
        self.checked.get_or_init(|| {
            let mut report = self.report.clone();
            let Some(definition) = &self.definition else {
                return report;
            };
            let is_good = suite::check_with(definition, self.scenarios.clone(), &mut report);
            if is_good && let Some(checked) = check::check(definition, &mut Report::default()) {
                check::warn(&checked, &mut report);
            }
            report
        })
    }

    /// Returns the scenario files of the game or of the last overlay.
    pub fn scenario_files(&self) -> Vec<FileId> {
        let mut files: Vec<FileId> = self.scenarios.iter().map(|one| one.file).collect();
        files.dedup();
        files
    }

    /// Returns the root files of the overlays.
    pub(super) fn overlay_files(&self) -> Vec<FileId> {
        let overlays = self.texts.stack.overlays.iter();
        let shown: Vec<String> = overlays.map(|path| self.texts.shown(path)).collect();
        let all = self.sources.iter();
        let own = all.filter(|(_, source)| shown.contains(&source.path));
        own.map(|(file, _)| file).collect()
    }

    /// Returns the root files of the game's variants.
    pub fn variants(&self) -> Vec<PathBuf> {
        let variants = variants_of(&self.texts.stack.folder).unwrap_or_default();
        variants.into_iter().map(|(_, file)| file).collect()
    }

    /// Returns where each name is declared and used.
    pub fn index(&self) -> &NameIndex {
        self.index.get_or_init(|| {
            let definition = self.definition.as_ref();
            let mut index = definition.map_or_else(NameIndex::default, NameIndex::of);
            super::uses::scenarios(&mut index, &self.scenarios);
            index
        })
    }

    /// Returns the path of a file on disk.
    pub fn path(&self, file: FileId) -> Option<PathBuf> {
        let shown = &self.sources.get(file)?.path;
        if let Some(path) = self.texts.files.get(shown) {
            return Some(path.clone());
        }
        let mut overlays = self.texts.stack.overlays.iter();
        if let Some(path) = overlays.find(|path| self.texts.shown(path) == *shown) {
            return Some(path.clone());
        }
        Some(self.texts.stack.folder.parent()?.join(shown))
    }

    /// Returns the file at a path, with its text.
    pub fn file(&self, path: &Path) -> Option<(FileId, &str)> {
        let shown = self.texts.shown(path);
        let mut files = self.sources.iter();
        let (file, source) = files.find(|(_, source)| source.path == shown)?;
        Some((file, &source.text))
    }

    /// Returns the errors after replacing the text at some places.
    pub(super) fn errors_with(&self, edits: &[(Span, String)]) -> Vec<String> {
        let mut texts = self.texts.clone();
        texts.scenarios.clear();
        for (path, text) in &mut texts.bundle.files {
            let mut files = self.sources.iter();
            if let Some((file, _)) = files.find(|(_, source)| source.path == *path) {
                *text = edited(text, file, edits);
            }
        }
        Project::of(texts).errors()
    }

    pub(super) fn errors(&self) -> Vec<String> {
        let all = self.checked().diagnostics.iter();
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

//! The texts of the game that a file belongs to, with unsaved buffers in place of the files on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::rules::{Catalog, Submission, find, is_game, variant};
use crate::schema::File;
use wyrmgate_lang::load::is_rules_file;
use wyrmgate_lang::{Bundle, Stack};

/// The folder of rules that were sent. It does not exist.
const NOWHERE: &str = "/nowhere/game";
const GAME_FILE: &str = "game.yaml";

/// Maximum distance of a file from its game's folder: `variants/short/overlay.yaml`.
const LEVELS_MAX: usize = 4;

/// The texts of a game, of its overlays and of their scenarios.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectTexts {
    pub(super) stack: Stack,
    pub(super) bundle: Bundle,
    /// The scenario files with their texts.
    pub(super) scenarios: Vec<(PathBuf, String)>,
    /// The paths of files that are not where their display name says, by that name.
    pub(super) files: BTreeMap<String, PathBuf>,
}

impl ProjectTexts {
    /// Reads the texts of the game of a file. `None` if the file belongs to no game.
    pub fn read(
        path: &Path,
        rules: &Path,
        buffers: &BTreeMap<PathBuf, String>,
    ) -> Option<ProjectTexts> {
        ProjectTexts::of_stack(stack_of(path, rules, buffers)?, buffers).ok()
    }

    /// Reads the texts of a game from disk and from buffers.
    pub fn of_stack(
        stack: Stack,
        buffers: &BTreeMap<PathBuf, String>,
    ) -> std::io::Result<ProjectTexts> {
        let mut bundle = stack.bundle()?;
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
        let scenarios = stack.scenario_files().unwrap_or_default().into_iter();
        let scenarios = scenarios.filter_map(|path| {
            let saved = || std::fs::read_to_string(&path).ok();
            let text = buffers.get(&path).cloned().or_else(saved)?;
            files.insert(stack.shown(&path), path.clone());
            Some((path, text))
        });
        let scenarios = scenarios.collect();
        Ok(ProjectTexts {
            scenarios,
            stack,
            bundle,
            files,
        })
    }

    /// Returns rules that exist only in these buffers: a game, or an overlay on a game of the catalog, and scenarios. Only
    /// the names of the files count, not their folders.
    pub fn sent(buffers: &BTreeMap<PathBuf, String>, catalog: &Catalog) -> Option<ProjectTexts> {
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
        let scenarios = scenarios.into_iter();
        let scenarios = scenarios
            .map(|(path, text)| (path.clone(), text.clone()))
            .collect();
        Some(ProjectTexts {
            stack,
            bundle,
            scenarios,
            files,
        })
    }

    /// Returns what a game is known by: its folder, and the files of its overlays.
    pub fn key(&self) -> Vec<PathBuf> {
        let mut key = vec![self.stack.folder.clone()];
        key.extend_from_slice(&self.stack.overlays);
        key
    }

    /// Returns whether the others differ in so few lines that somebody is typing them.
    pub fn differ_little(&self, others: &ProjectTexts) -> bool {
        let (own, others) = (&self.bundle.files, &others.bundle.files);
        let changed = own
            .iter()
            .zip(others)
            .map(|(old, new)| lines_changed(&old.1, &new.1));
        own.len() == others.len() && changed.sum::<usize>() <= 2
    }

    /// Returns the name under which messages show a file.
    pub(super) fn shown(&self, path: &Path) -> String {
        let mut known = self.files.iter();
        let known = known.find(|(_, own)| *own == path);
        known.map_or_else(|| self.stack.shown(path), |(shown, _)| shown.clone())
    }
}

/// Returns how many lines of the new text are not at the beginning or the end of the old one.
fn lines_changed(old: &str, new: &str) -> usize {
    let head = old
        .lines()
        .zip(new.lines())
        .take_while(|(a, b)| a == b)
        .count();
    let behind = old.lines().rev().zip(new.lines().rev());
    let tail = behind.take_while(|(a, b)| a == b).count();
    new.lines().count().saturating_sub(head + tail)
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

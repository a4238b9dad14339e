//! The texts of a game and of its overlays, as they lie in folders.

use std::io;
use std::path::{Path, PathBuf};

use super::bundle::Bundle;
use super::load::files::{is_rules_file, read_dir, read_file, shown_path};
use super::table;

/// The location of a game with overlays in the file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stack {
    /// `cliff-race+short`
    pub name: String,
    /// The folder of the game.
    pub folder: PathBuf,
    /// The root file of each overlay, in order.
    pub overlays: Vec<PathBuf>,
}

/// The root of an overlay that has its own folder.
pub const OVERLAY_FILE: &str = "overlay.yaml";

/// The list of equivalent mutants, among the scenarios.
pub const EQUIVALENTS_FILE: &str = "equivalents.yaml";

impl Stack {
    /// Returns the game of a folder without overlays.
    pub fn of_folder(folder: &Path) -> Stack {
        let name = folder.file_name().unwrap_or_default();
        Stack {
            name: name.to_string_lossy().into_owned(),
            folder: folder.to_owned(),
            overlays: Vec::new(),
        }
    }

    /// Returns the name of the game without overlays.
    pub fn game(&self) -> &str {
        self.name.split('+').next().unwrap_or_default()
    }

    /// Returns the game alone, then with each overlay except the last.
    pub fn below(&self) -> Vec<Stack> {
        let names: Vec<&str> = self.name.split('+').collect();
        let stack = |number: usize| Stack {
            name: names.get(..=number).unwrap_or_default().join("+"),
            folder: self.folder.clone(),
            overlays: self.overlays.get(..number).unwrap_or_default().to_vec(),
        };
        (0..self.overlays.len()).map(stack).collect()
    }

    /// Reads all texts.
    pub fn bundle(&self) -> io::Result<Bundle> {
        let mut bundle = Bundle {
            name: self.name.clone(),
            files: read_dir(&self.folder)?,
            roots: vec![shown_path(&self.folder, "game.yaml")],
        };
        for overlay in &self.overlays {
            bundle.roots.push(self.shown(overlay));
            for path in beside(overlay)? {
                let shown = self.shown(&path);
                if !bundle.files.iter().any(|(known, _)| *known == shown) {
                    bundle.files.push((shown, read_file(&path)?));
                }
            }
        }
        Ok(bundle)
    }

    /// Returns the path as shown: `cliff-race/variants/short.yaml`, or only `house.yaml` for a file from elsewhere.
    pub fn shown(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.folder).ok();
        match inside.and_then(Path::to_str) {
            Some(inside) => shown_path(&self.folder, &inside.replace('\\', "/")),
            None if path.ends_with(OVERLAY_FILE) => {
                shown_path(path.parent().unwrap_or(Path::new("")), OVERLAY_FILE)
            }
            None => path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
        }
    }

    /// Returns the scenario files, by name, without drafts: `*.yaml` of `scenarios/` next to the game's root, or those
    /// of the last overlay: next to its root, or in `short.scenarios.yaml` next to `short.yaml`.
    pub fn scenario_files(&self) -> io::Result<Vec<PathBuf>> {
        let Some(folder) = self.scenario_folder() else {
            let beside = self.beside_overlay("scenarios.yaml");
            return Ok(beside.into_iter().collect());
        };
        let mut files = yaml_files(&folder)?;
        files.retain(|path| !path.ends_with(EQUIVALENTS_FILE));
        Ok(files)
    }

    /// Returns the list of equivalent mutants: `equivalents.yaml` among the scenarios, or `short.equivalents.yaml` next
    /// to `short.yaml`.
    pub fn equivalents_file(&self) -> Option<PathBuf> {
        match self.scenario_folder() {
            Some(folder) => Some(folder.join(EQUIVALENTS_FILE)).filter(|path| path.is_file()),
            None => self.beside_overlay(EQUIVALENTS_FILE),
        }
    }

    /// Returns the folder of the scenarios; none if the last overlay is a single file.
    fn scenario_folder(&self) -> Option<PathBuf> {
        match self.overlays.last() {
            None => Some(self.folder.join("scenarios")),
            Some(overlay) if overlay.ends_with(OVERLAY_FILE) => {
                Some(overlay.with_file_name("scenarios"))
            }
            Some(_) => None,
        }
    }

    /// Returns the file with this ending next to the last overlay, if there is one.
    fn beside_overlay(&self, ending: &str) -> Option<PathBuf> {
        let beside = self.overlays.last()?.with_extension(ending);
        beside.is_file().then_some(beside)
    }
}

/// Returns an overlay and the files that it can include: those of its folder, if it has its own, or the tables beside it that it
/// names.
fn beside(overlay: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = overlay.parent().filter(|of| *of != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    if overlay.ends_with(OVERLAY_FILE) {
        return files_of(folder, is_rules_file);
    }
    let text = read_file(overlay)?;
    let is_named = |name: &str| table::is_data(name) && text.contains(name);
    let mut files = files_of(folder, is_named)?;
    files.insert(0, overlay.to_owned());
    Ok(files)
}

fn yaml_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    files_of(folder, |name| name.ends_with(".yaml"))
}

/// Returns the wanted files directly in a folder, by name, without drafts.
fn files_of(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_file() && is_wanted(&name) && !name.ends_with(".draft.yaml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

//! The open files of an editor, and the game of each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::editor::Project;
use crate::rules::Catalog;

/// Where the files are.
pub enum Home {
    /// On disk, below the folder with the games that overlays elsewhere extend.
    Folder(PathBuf),
    /// Nowhere: the buffers are all files, and overlays extend games of this catalog. Nothing is read from disk.
    Catalog(Arc<Catalog>),
}

/// The open files of an editor.
pub struct Desk {
    pub(super) home: Home,
    pub(super) buffers: BTreeMap<PathBuf, String>,
    /// The latest texts that could be read, of files that are nowhere else.
    pub(super) before: BTreeMap<PathBuf, String>,
    /// Whether a buffer has changed since the last diagnostics.
    pub(super) changed: bool,
    /// Files for which diagnostics were published.
    pub(super) reported: BTreeSet<PathBuf>,
}

impl Desk {
    pub fn new(home: Home) -> Desk {
        Desk {
            home,
            buffers: BTreeMap::new(),
            before: BTreeMap::new(),
            changed: false,
            reported: BTreeSet::new(),
        }
    }

    /// Returns whether there may be new diagnostics.
    pub fn has_changed(&self) -> bool {
        self.changed
    }

    /// Returns the letters in all buffers.
    pub fn size(&self) -> usize {
        self.buffers.values().map(String::len).sum()
    }

    /// Returns the rules in the buffers, if they are nowhere else.
    pub fn sent(&self) -> Option<Project> {
        match &self.home {
            Home::Folder(_) => None,
            Home::Catalog(catalog) => Project::sent(&self.buffers, catalog),
        }
    }

    pub(super) fn project(&self, path: &Path) -> Option<Project> {
        self.project_of(path, &self.buffers)
    }

    fn project_of(&self, path: &Path, buffers: &BTreeMap<PathBuf, String>) -> Option<Project> {
        match &self.home {
            Home::Folder(rules) => Project::read(path, rules, buffers),
            Home::Catalog(catalog) => Project::sent(buffers, catalog),
        }
    }

    /// Returns the game of a file with the latest text of the file that could be read.
    pub(super) fn project_before(&self, path: &Path) -> Option<Project> {
        let mut others = self.buffers.clone();
        others.remove(path);
        if let (Home::Catalog(_), Some(before)) = (&self.home, self.before.get(path)) {
            others.insert(path.to_owned(), before.clone());
        }
        self.project_of(path, &others)
    }

    /// Returns the text of a file that is not open.
    pub(super) fn saved(&self, path: &Path) -> Option<String> {
        match &self.home {
            Home::Folder(_) => std::fs::read_to_string(path).ok(),
            Home::Catalog(_) => None,
        }
    }
}

//! The open files of an editor, and the game of each.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::editor::{Project, ProjectTexts};
use crate::rules::{Catalog, game_folders, name_of};

/// The maximum number of games that are kept.
const ANALYSES_MAX: usize = 64;

/// What is known of a game.
#[derive(Clone)]
struct Analysis {
    now: Arc<Project>,
    /// The game when it could be read last.
    good: Option<Arc<Project>>,
}

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
    /// The version of each buffer that its editor counts.
    pub(super) versions: BTreeMap<PathBuf, i64>,
    /// What is known of each game, by [`ProjectTexts::key`].
    analyses: RefCell<BTreeMap<Vec<PathBuf>, Analysis>>,
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
            versions: BTreeMap::new(),
            analyses: RefCell::default(),
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
            Home::Catalog(catalog) => ProjectTexts::sent(&self.buffers, catalog).map(Project::of),
        }
    }

    fn texts(&self, path: &Path) -> Option<ProjectTexts> {
        match &self.home {
            Home::Folder(rules) => ProjectTexts::read(path, rules, &self.buffers),
            Home::Catalog(catalog) => ProjectTexts::sent(&self.buffers, catalog),
        }
    }

    /// Returns the game of a file, which is read again only if a text of it has changed.
    pub(super) fn project(&self, path: &Path) -> Option<Arc<Project>> {
        let texts = self.texts(path)?;
        Some(self.analyzed(texts).now)
    }

    /// Returns the game of a file as it was when it could be read last. Before a line that is being typed is complete, its
    /// names are those of the text before it.
    pub(super) fn project_while_typing(&self, path: &Path) -> Option<Arc<Project>> {
        let texts = self.texts(path)?;
        let known = self.analyses.borrow().get(&texts.key()).cloned();
        let known = known.filter(|known| known.now.texts().differ_little(&texts));
        let found = known.unwrap_or_else(|| self.analyzed(texts));
        // A file that was opened with errors has the names that it has on disk.
        let saved = || match &self.home {
            Home::Folder(rules) => ProjectTexts::read(path, rules, &BTreeMap::new()),
            Home::Catalog(_) => None,
        };
        found.good.or_else(|| Some(Arc::new(Project::of(saved()?))))
    }

    fn analyzed(&self, texts: ProjectTexts) -> Analysis {
        let key = texts.key();
        let known = self.analyses.borrow().get(&key).cloned();
        if let Some(known) = known.as_ref().filter(|known| *known.now.texts() == texts) {
            return known.clone();
        }
        let now = Arc::new(Project::of(texts));
        let before = known.and_then(|known| known.good);
        let good = now.definition.as_ref().map(|_| now.clone()).or(before);
        let analysis = Analysis { now, good };
        let mut analyses = self.analyses.borrow_mut();
        // A server has many desks, each with one game.
        let is_own = matches!(self.home, Home::Folder(_));
        if !is_own || analyses.len() >= ANALYSES_MAX {
            analyses.clear();
        }
        analyses.insert(key, analysis.clone());
        analysis
    }

    /// Returns the names after `extends:` that there are: games, also with variants.
    pub(super) fn rulesets(&self) -> Vec<String> {
        match &self.home {
            Home::Folder(rules) => {
                let games = game_folders(rules).unwrap_or_default();
                games.iter().map(|game| name_of(game)).collect()
            }
            Home::Catalog(catalog) => {
                let games = catalog.games.iter();
                games.map(|game| game.ruleset.name.clone()).collect()
            }
        }
    }

    /// Returns the text of a file that is not open.
    pub(super) fn saved(&self, path: &Path) -> Option<String> {
        match &self.home {
            Home::Folder(_) => std::fs::read_to_string(path).ok(),
            Home::Catalog(_) => None,
        }
    }
}

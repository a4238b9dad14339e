//! The texts of a ruleset: a game, and the overlays on it.

use serde::{Deserialize, Serialize};

/// All texts that make up a ruleset, and nothing else: what a digest identifies and a store keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bundle {
    /// `cliff-race+short`
    pub name: String,
    /// Paths as shown, with their texts; the root of the game first.
    pub files: Vec<(String, String)>,
    /// The root of the game, then that of each overlay on it, in order. Default: the first file.
    #[serde(default)]
    pub roots: Vec<String>,
}

impl Bundle {
    pub fn roots(&self) -> Vec<String> {
        let first = || self.files.first().map(|(path, _)| path.clone());
        match self.roots.is_empty() {
            true => first().into_iter().collect(),
            false => self.roots.clone(),
        }
    }

    /// Adds the overlays of another bundle of the same game on top; those that are here already stay in place.
    pub fn put(&mut self, other: Bundle) {
        self.roots = self.roots();
        let new = other
            .roots()
            .into_iter()
            .filter(|root| !self.roots.contains(root));
        let new: Vec<String> = new.collect();
        self.roots.extend(new);
        for (path, text) in other.files {
            if !self.files.iter().any(|(known, _)| *known == path) {
                self.files.push((path, text));
            }
        }
        for name in other.name.split('+').skip(1) {
            if !self.name.split('+').skip(1).any(|known| known == name) {
                self.name = format!("{}+{name}", self.name);
            }
        }
    }

    /// Hashes all texts, including unused ones.
    pub fn hash(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        let files = self.files.iter().flat_map(|(path, text)| [path, text]);
        for part in files.chain(&self.roots) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize()
    }
}

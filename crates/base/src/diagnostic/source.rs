//! The source texts of a ruleset, and the lines and columns of their bytes.

use std::sync::Arc;

/// A file of a ruleset: its number in [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct FileId(pub u16);

#[derive(Debug, Clone)]
pub struct Source {
    /// The path as shown to the author, relative to the rules folder (`cliff-race/game.yaml`).
    pub path: String,
    pub text: Arc<str>,
}

/// All files of one ruleset.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        self.files.push(Source {
            path: path.into(),
            text: text.into(),
        });
        FileId(self.files.len() as u16 - 1)
    }

    /// Returns the number of the next file.
    pub fn next(&self) -> FileId {
        FileId(self.files.len() as u16)
    }

    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(file.0 as usize)
    }

    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files
            .iter()
            .enumerate()
            .map(|(i, s)| (FileId(i as u16), s))
    }

    /// Identifies the ruleset: the hash of all its files, with their paths, in the order in which they were read.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in self
            .files
            .iter()
            .flat_map(|file| [&*file.path, &*file.text])
        {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// Returns line and column of a byte, both from 1; columns count characters.
    pub fn line_column(&self, file: FileId, byte: u32) -> (usize, usize) {
        let Some(source) = self.get(file) else {
            return (1, 1);
        };
        let before = source.text.get(..byte as usize).unwrap_or(&source.text);
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let column = before.get(line_start..).map_or(0, |s| s.chars().count());
        (before.matches('\n').count() + 1, column + 1)
    }
}

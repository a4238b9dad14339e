//! The source texts of a ruleset, and the lines and columns of their bytes.

use std::borrow::Cow;
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

/// Returns a text with the line ends of Unix, without a byte order mark.
pub fn unix_text(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.contains("\r\n") {
        true => text.replace("\r\n", "\n").into(),
        false => text.into(),
    }
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

    /// Identifies the ruleset: the hash of all its files, with their paths, in the order in which they were read. How the
    /// lines of a file end, and whether it begins with a byte order mark, does not matter.
    pub fn digest(&self) -> String {
        self.digest_of(unix_text)
    }

    /// Returns other digests of the same rules. Earlier versions hashed line ends and byte order marks as they found them:
    /// those of these files, or those of a checkout on Windows.
    pub fn earlier_digests(&self) -> [String; 2] {
        let as_written = self.digest_of(|text| text.into());
        let on_windows = self.digest_of(|text| unix_text(text).replace('\n', "\r\n").into());
        [as_written, on_windows]
    }

    fn digest_of(&self, form: fn(&str) -> Cow<'_, str>) -> String {
        let mut hasher = blake3::Hasher::new();
        for file in &self.files {
            for part in [Cow::Borrowed(&*file.path), form(&file.text)] {
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part.as_bytes());
            }
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

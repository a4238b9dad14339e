//! Maps the characters of a decoded text to locations in its file.

use std::sync::Arc;

use wyrmgate_base::diagnostic::{FileId, Span};

/// Maps byte offsets of a text extracted from a file to byte offsets of the file.
#[derive(Debug, Clone)]
pub struct Positions {
    file: FileId,
    map: Map,
}

#[derive(Debug, Clone)]
enum Map {
    /// The text is unchanged in the file, from this byte on.
    Straight(u32),
    /// For every byte of the text, and its end: the bytes of the file where its character begins and ends.
    Mapped(Arc<[(u32, u32)]>),
}

impl Positions {
    /// The text is `file[start..]`, unchanged.
    pub fn straight(file: FileId, start: usize) -> Self {
        Positions {
            file,
            map: Map::Straight(start as u32),
        }
    }

    /// `map[i]` is where the character of byte `i` begins and ends in the file; one entry more for the end.
    pub(super) fn mapped(file: FileId, map: Vec<(u32, u32)>) -> Self {
        Positions {
            file,
            map: Map::Mapped(map.into()),
        }
    }

    /// Returns the characters of the file from which `start..end` of the text was decoded.
    pub fn span(&self, start: usize, end: usize) -> Span {
        match &self.map {
            Map::Straight(base) => {
                Span::new(self.file, *base as usize + start, *base as usize + end)
            }
            Map::Mapped(map) => {
                let at = |byte: usize| map.get(byte).or(map.last()).copied().unwrap_or_default();
                let from = at(start).0;
                let to = if end > start { at(end - 1).1 } else { from };
                Span {
                    file: self.file,
                    start: from,
                    end: to.max(from),
                }
            }
        }
    }

    /// Returns the positions of the text from `byte` on.
    pub fn after(&self, byte: usize) -> Positions {
        match &self.map {
            Map::Straight(base) => Positions::straight(self.file, *base as usize + byte),
            Map::Mapped(map) => {
                Positions::mapped(self.file, map.get(byte..).unwrap_or_default().to_vec())
            }
        }
    }
}

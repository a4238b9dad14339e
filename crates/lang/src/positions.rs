//! Maps the characters of a decoded text to locations in its file.

use std::sync::Arc;

use wyrmgate_base::diagnostic::{FileId, Span};

/// Maps byte offsets of a text extracted from a file to byte offsets of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Positions {
    file: FileId,
    map: Map,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Map {
    /// The text is unchanged in the file, from this byte on.
    Straight(u32),
    /// For every byte of the text, and its end: the bytes of the file where its character begins and ends.
    Mapped(Arc<[(u32, u32)]>),
    /// Pieces of one or several files: where each ends in the text, and its own positions.
    Joined(Arc<[(usize, Positions)]>),
}

impl Positions {
    /// Returns the positions of a text that is `file[start..]`, unchanged.
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

    /// Returns the positions of a text of this length whose bytes all stand for the same characters.
    pub(super) fn at(span: Span, length: usize) -> Self {
        Positions::mapped(span.file, vec![(span.start, span.end); length + 1])
    }

    /// Returns the texts of these lengths, one after the other.
    pub(super) fn joined(pieces: Vec<(usize, Positions)>) -> Self {
        let mut end = 0;
        let pieces: Arc<[(usize, Positions)]> = pieces
            .into_iter()
            .map(|(length, positions)| {
                end += length;
                (end, positions)
            })
            .collect();
        let file = pieces.first().map_or(FileId(0), |(_, first)| first.file);
        Positions {
            file,
            map: Map::Joined(pieces),
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
            Map::Joined(pieces) => span_of_pieces(pieces, start, end),
        }
    }

    /// Returns the positions of the text from `byte` on.
    pub fn after(&self, byte: usize) -> Positions {
        match &self.map {
            Map::Straight(base) => Positions::straight(self.file, *base as usize + byte),
            Map::Mapped(map) => {
                Positions::mapped(self.file, map.get(byte..).unwrap_or_default().to_vec())
            }
            Map::Joined(pieces) => {
                let mut begin = 0;
                let mut rest = Vec::new();
                for (end, positions) in pieces.iter() {
                    if *end > byte {
                        let cut = byte.saturating_sub(begin);
                        rest.push((end - begin - cut, positions.after(cut)));
                    }
                    begin = *end;
                }
                Positions::joined(rest)
            }
        }
    }
}

/// Returns the location of `start..end`; if it crosses pieces, of its beginning in the first one.
fn span_of_pieces(pieces: &[(usize, Positions)], start: usize, end: usize) -> Span {
    let mut begin = 0;
    for (number, (piece_end, positions)) in pieces.iter().enumerate() {
        let is_last = number + 1 == pieces.len();
        if start < *piece_end || is_last {
            let (from, to) = (start.saturating_sub(begin), end.min(*piece_end).max(start));
            return positions.span(from, to.saturating_sub(begin));
        }
        begin = *piece_end;
    }
    Span::default()
}

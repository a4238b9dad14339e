//! Positions as editors count them: lines and UTF-16 units, both from 0.

/// A position of the language server protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct EditorPosition {
    pub line: u32,
    /// Offset in UTF-16 units.
    pub character: u32,
}

/// The starts of the lines of a text.
#[derive(Debug, Clone)]
pub struct LineStarts<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> LineStarts<'t> {
    pub fn of(text: &'t str) -> LineStarts<'t> {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        LineStarts {
            text,
            starts: std::iter::once(0).chain(breaks).collect(),
        }
    }

    /// Returns the position of a byte.
    pub fn position(&self, byte: usize) -> EditorPosition {
        let byte = byte.min(self.text.len());
        let next = self.starts.partition_point(|start| *start <= byte);
        let line = next.saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let before = self.text.get(start..byte).unwrap_or_default();
        EditorPosition {
            line: line as u32,
            character: before.encode_utf16().count() as u32,
        }
    }

    /// Returns the byte of a position. A position beyond the end of its line means that end.
    pub fn byte(&self, position: EditorPosition) -> usize {
        let line = position.line as usize;
        let Some(start) = self.starts.get(line).copied() else {
            return self.text.len();
        };
        let rest = self.text.get(start..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        let mut units = 0;
        for (at, c) in line.char_indices() {
            if units >= position.character as usize {
                return start + at;
            }
            units += c.len_utf16();
        }
        start + line.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf16_units() {
        let lines = LineStarts::of("a: é🐉x\nb");
        let at = |line, character| EditorPosition { line, character };
        assert_eq!(lines.position("a: é🐉".len()), at(0, 6));
        assert_eq!(lines.byte(at(0, 6)), "a: é🐉".len());
        assert_eq!(lines.position("a: é🐉x\n".len()), at(1, 0));
        assert_eq!(lines.byte(at(1, 9)), "a: é🐉x\nb".len());
        assert_eq!(lines.byte(at(7, 0)), "a: é🐉x\nb".len());
    }

    #[test]
    fn every_character_is_found_again() {
        let text = "# 🐉🐲\nkéy: \"ü\"\r\n\n  - x";
        let lines = LineStarts::of(text);
        for (at, _) in text.char_indices() {
            assert_eq!(lines.byte(lines.position(at)), at);
        }
    }
}

//! Converts paths to URIs and places to JSON.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Value, json};

use crate::editor::{EditorPosition, LineStarts, Project};
use wyrmgate_base::diagnostic::Span;

/// What stays as it is in a URI.
const PLAIN: AsciiSet = NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Returns the path of `file:///a%20b/game.yaml`.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let path = percent_decode_str(uri.strip_prefix("file://")?);
    path.decode_utf8().ok().map(|path| PathBuf::from(&*path))
}

pub fn uri_of(path: &Path) -> String {
    format!(
        "file://{}",
        utf8_percent_encode(&path.to_string_lossy(), &PLAIN)
    )
}

pub fn position(at: EditorPosition) -> Value {
    json!({"line": at.line, "character": at.character})
}

pub fn position_from(value: &Value) -> Option<EditorPosition> {
    let number = |key: &str| u32::try_from(value.get(key)?.as_u64()?).ok();
    Some(EditorPosition {
        line: number("line")?,
        character: number("character")?,
    })
}

pub fn range(lines: &LineStarts<'_>, start: usize, end: usize) -> Value {
    json!({"start": position(lines.position(start)), "end": position(lines.position(end))})
}

pub fn range_in(text: &str, span: Span) -> Value {
    let lines = LineStarts::of(text);
    range(&lines, span.start as usize, span.end as usize)
}

/// Returns the place of a span as `{uri, range}`.
pub fn location(project: &Project, span: Span) -> Option<Value> {
    let path = project.path(span.file)?;
    let range = range_in(&project.sources.get(span.file)?.text, span);
    Some(json!({"uri": uri_of(&path), "range": range}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris_fit_together() {
        for path in ["/a/b.yaml", "/a b/é%/x.yaml"] {
            assert_eq!(path_of(&uri_of(Path::new(path))), Some(PathBuf::from(path)));
        }
        assert_eq!(uri_of(Path::new("/a b")), "file:///a%20b");
        assert_eq!(path_of("untitled:1"), None);
    }
}

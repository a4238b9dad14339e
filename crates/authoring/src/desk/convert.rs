//! Converts paths to URIs and places to JSON.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::editor::{EditorPosition, LineStarts, Project};
use wyrmgate_base::diagnostic::Span;

/// Returns the path of `file:///a%20b/game.yaml`.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = std::str::from_utf8(&digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

pub fn uri_of(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let path = path.to_string_lossy();
    let written = path.bytes().map(|byte| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    format!("file://{}", written.collect::<String>())
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

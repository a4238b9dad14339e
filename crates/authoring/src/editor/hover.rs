//! Hover documentation as Markdown.

use super::index::{DeclaredName, NamedThing};
use super::place::place;
use super::project::Project;
use super::words;
use crate::schema::File;
use wyrmgate_base::diagnostic::{FileId, Span};
use wyrmgate_lang::shape::Shape;

/// Maximum number of lines of a declaration.
const LINES_MAX: usize = 8;

/// Returns the documentation of the word at a byte of a file.
pub fn hover(project: &Project, kind: File, file: FileId, byte: usize) -> Option<String> {
    let text = &project.sources.get(file)?.text;
    let here = place(kind.shape(), text, byte);
    if let Some(key) = &here.key
        && let Some(text) = here.shape.and_then(|shape| of_key(shape, key))
    {
        return Some(text);
    }
    let index = project.index();
    let at = Span::new(file, byte, byte);
    if let Some(found) = index.at(at).filter(|found| !found.declared.is_empty()) {
        let text = found.declared.iter();
        let text = text.map(|declared| of_name(project, declared));
        return Some(text.collect::<Vec<_>>().join("\n\n---\n\n"));
    }
    let word = word_at(text, byte);
    let known = words::all().find(|known| known.name.split(' ').next() == Some(word))?;
    Some(format!("```wyrmgate\n{}\n```\n{}", known.form, known.about))
}

fn of_key(shape: Shape, key: &str) -> Option<String> {
    let tables = shape.tables();
    let found = tables.iter().find_map(|table| table.key(key))?;
    Some(format!(
        "**{}** — {}\n\n```yaml\n{}: {}\n```",
        found.name, found.about, found.name, found.example
    ))
}

fn of_name(project: &Project, declared: &DeclaredName) -> String {
    let (what, shown) = (declared.what.name(), &declared.shown);
    let origin = origin(project, declared.span);
    if declared.what == NamedThing::Clause {
        return format!("**{}** {shown}\n\n{origin}", declared.name);
    }
    let mut text = format!("**{what}** `{shown}`");
    if declared.what == NamedThing::Field && !declared.of.is_empty() {
        text.push_str(&format!(" of `{}`", declared.of));
    }
    if declared.what != NamedThing::Local {
        let source = source(project, declared.span);
        text.push_str(&format!("\n\n```yaml\n{source}\n```\n\n{origin}"));
        text.extend(edits(project, &declared.name));
    }
    text
}

/// Returns what overlays have changed, one line each.
fn edits(project: &Project, name: &str) -> Vec<String> {
    let about = project.history.edits.iter();
    let about = about.filter(|edit| edit.path.0.iter().any(|key| key == name));
    let text = about.map(|edit| {
        let overlay = project.history.overlay(edit);
        let was = edit.was.as_ref();
        let was = was.map_or(String::new(), |was| format!(", was {}", was.in_words()));
        let place = origin(project, edit.at);
        format!("\n\n`{}`{was}: by `{overlay}`, {place}", edit.path)
    });
    text.collect()
}

/// Returns the file and line of the declaration.
fn origin(project: &Project, span: Span) -> String {
    let (line, _) = project.sources.line_column(span.file, span.start);
    let source = project.sources.get(span.file);
    let path = source.map_or("", |source| &source.path);
    format!("*{path}:{line}*")
}

/// Returns the comments above a declaration, its line, and the lines indented below it.
fn source(project: &Project, span: Span) -> String {
    let (number, _) = project.sources.line_column(span.file, span.start);
    let source = project.sources.get(span.file);
    let lines: Vec<&str> = source.map_or("", |source| &source.text).lines().collect();
    let at = number.saturating_sub(1);
    let Some(first) = lines.get(at) else {
        return String::new();
    };
    let indent = |line: &str| line.len() - line.trim_start().len();
    let depth = indent(first);
    let above = lines.get(..at).unwrap_or_default().iter().rev();
    let comments = above
        .take_while(|line| line.trim_start().starts_with('#') && indent(line) == depth)
        .count();
    let below = lines.get(at + 1..).unwrap_or_default().iter();
    let body = below
        .take_while(|line| line.trim().is_empty() || indent(line) > depth)
        .count();
    let end = (at + 1 + body).min(at + LINES_MAX);
    let shown = lines.get(at - comments..end).unwrap_or_default().iter();
    let shown = shown.map(|line| line.get(depth..).unwrap_or_default());
    let mut shown: Vec<&str> = shown.collect();
    while shown.last().is_some_and(|line| line.trim().is_empty()) {
        shown.pop();
    }
    if at + 1 + body > end {
        shown.push("  …");
    }
    shown.join("\n")
}

/// Returns the word around a byte.
fn word_at(text: &str, byte: usize) -> &str {
    let is_wordy = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = text.get(..byte).unwrap_or_default();
    let start = before.rfind(|c| !is_wordy(c)).map_or(0, |at| at + 1);
    let rest = text.get(start..).unwrap_or_default();
    rest.split(|c| !is_wordy(c)).next().unwrap_or_default()
}

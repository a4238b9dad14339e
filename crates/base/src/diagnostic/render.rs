//! Reports as an author reads them, and as a program does.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use serde_json::{Value, json};

use super::source::Source;
use super::{Diagnostic, Report, Severity, Sources, Span};

/// Lines that one excerpt of [`Report::to_json`] shows.
const EXCERPT_LINES_MAX: usize = 10;

impl Report {
    /// All diagnostics like a compiler shows them, each with `file:line:column` and an excerpt.
    pub fn render(&self, sources: &Sources, color: bool) -> String {
        let renderer = if color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let rendered = self
            .diagnostics
            .iter()
            .map(|diagnostic| render(diagnostic, sources, &renderer));
        rendered
            .map(|text| text + "\n")
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// An array with one object for each diagnostic; lines and columns count from 1.
    pub fn to_json(&self, sources: &Sources) -> Value {
        self.diagnostics
            .iter()
            .map(|diagnostic| to_json(diagnostic, sources))
            .collect()
    }
}

fn render(diagnostic: &Diagnostic, sources: &Sources, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code);
    let mut group = title.elements(excerpts(diagnostic, sources));
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    let report: [Group; 1] = [group];
    renderer.render(&report)
}

/// The place itself, with the related places of the same file; then the other files.
fn excerpts<'a>(
    diagnostic: &'a Diagnostic,
    sources: &'a Sources,
) -> Vec<Snippet<'a, Annotation<'a>>> {
    let mut snippets = Vec::new();
    let mut files = vec![diagnostic.span.file];
    files.extend(diagnostic.related.iter().map(|(span, _)| span.file));
    let mut seen = Vec::new();
    for file in files {
        let Some(source) = sources.get(file).filter(|_| !seen.contains(&file)) else {
            continue;
        };
        seen.push(file);
        let mut snippet = Snippet::source(&*source.text).path(source.path.as_str());
        if diagnostic.span.file == file {
            snippet = snippet.annotation(mark(
                AnnotationKind::Primary,
                diagnostic.span,
                &diagnostic.label,
                source,
            ));
        }
        for (span, what) in diagnostic
            .related
            .iter()
            .filter(|(span, _)| span.file == file)
        {
            snippet = snippet.annotation(mark(AnnotationKind::Context, *span, what, source));
        }
        snippets.push(snippet);
    }
    snippets
}

fn mark<'a>(kind: AnnotationKind, span: Span, label: &'a str, source: &Source) -> Annotation<'a> {
    let annotation = kind.span(within(span, &source.text));
    if label.is_empty() {
        annotation
    } else {
        annotation.label(label)
    }
}

/// The bytes of a span, widened to whole characters of the text.
fn within(span: Span, text: &str) -> Range<usize> {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1; // byte 0 is a boundary
        }
        at
    };
    let ceil = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at += 1; // the end is a boundary
        }
        at
    };
    let start = floor(span.start as usize);
    start..ceil(span.end as usize).max(start)
}

fn to_json(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let mut object = json!({
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "label": diagnostic.label,
    });
    extend(&mut object, place(diagnostic.span, sources));
    let related = diagnostic.related.iter().map(|(span, what)| {
        let mut object = json!({ "message": what });
        extend(&mut object, place(*span, sources));
        object
    });
    let related: Vec<Value> = related.collect();
    extend(
        &mut object,
        json!({
            "excerpt": excerpt(diagnostic.span, sources),
            "help": diagnostic.help,
            "related": related,
        }),
    );
    object
}

fn extend(object: &mut Value, more: Value) {
    if let (Value::Object(object), Value::Object(more)) = (object, more) {
        object.extend(more);
    }
}

/// Where it stands; all null for what has no place.
pub fn place(span: Span, sources: &Sources) -> Value {
    if sources.get(span.file).is_none() {
        return json!({
            "file": null, "line": null, "column": null, "end_line": null, "end_column": null,
        });
    }
    let (line, column) = sources.line_column(span.file, span.start);
    let (end_line, end_column) = sources.line_column(span.file, span.end);
    json!({
        "file": sources.get(span.file).map(|source| source.path.as_str()),
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    })
}

/// The whole lines a span touches.
pub fn excerpt(span: Span, sources: &Sources) -> String {
    let Some(source) = sources.get(span.file) else {
        return String::new();
    };
    let Range { start, end } = within(span, &source.text);
    let begin = source
        .text
        .get(..start)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |i| i + 1);
    let rest = source.text.get(end..).unwrap_or_default();
    let stop = end + rest.find('\n').unwrap_or(rest.len());
    let lines = source.text.get(begin..stop).unwrap_or_default().lines();
    lines.take(EXCERPT_LINES_MAX).collect::<Vec<_>>().join("\n")
}

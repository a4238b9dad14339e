//! Reports as text for authors and as JSON for programs.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;

use super::source::Source;
use super::{Diagnostic, Report, Severity, Sources, Span};

/// Lines that one excerpt of a [`RenderedProblem`] shows.
const EXCERPT_LINES_MAX: usize = 10;

impl Report {
    /// Renders all diagnostics like a compiler, each with `file:line:column` and an excerpt.
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

    /// Returns one document for each diagnostic.
    pub fn documents(&self, sources: &Sources) -> Vec<RenderedProblem<'_>> {
        self.first_documents(usize::MAX, sources)
    }

    /// Returns one document for each of the first diagnostics.
    pub fn first_documents(&self, most: usize, sources: &Sources) -> Vec<RenderedProblem<'_>> {
        let diagnostics = self.diagnostics.iter().take(most);
        diagnostics
            .map(|diagnostic| RenderedProblem::of(diagnostic, sources))
            .collect()
    }
}

/// A diagnostic as a program reads it.
#[derive(Debug, Clone, Serialize)]
pub struct RenderedProblem<'d> {
    code: &'static str,
    severity: Severity,
    message: &'d str,
    label: &'d str,
    #[serde(flatten)]
    place: Place,
    excerpt: String,
    help: Option<&'d str>,
    related: Vec<RelatedPlace<'d>>,
}

/// Another place that explains a diagnostic.
#[derive(Debug, Clone, Serialize)]
struct RelatedPlace<'d> {
    message: &'d str,
    #[serde(flatten)]
    place: Place,
}

/// The location of a span in its file. Lines and columns count from 1. Everything is null for a span without a place.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Place {
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
}

impl<'d> RenderedProblem<'d> {
    fn of(diagnostic: &'d Diagnostic, sources: &Sources) -> RenderedProblem<'d> {
        let related = diagnostic
            .related
            .iter()
            .map(|(span, message)| RelatedPlace {
                message,
                place: place(*span, sources),
            });
        RenderedProblem {
            code: diagnostic.code,
            severity: diagnostic.severity,
            message: &diagnostic.message,
            label: &diagnostic.label,
            place: place(diagnostic.span, sources),
            excerpt: excerpt(diagnostic.span, sources),
            help: diagnostic.help.as_deref(),
            related: related.collect(),
        }
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

/// Returns the excerpt of the place itself with the related places of the same file, then those of the other files.
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

/// Returns the bytes of a span, widened to whole characters of the text.
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

/// Returns the location of a span.
pub fn place(span: Span, sources: &Sources) -> Place {
    let Some(source) = sources.get(span.file) else {
        return Place::default();
    };
    let (line, column) = sources.line_column(span.file, span.start);
    let (end_line, end_column) = sources.line_column(span.file, span.end);
    Place {
        file: Some(source.path.clone()),
        line: Some(line),
        column: Some(column),
        end_line: Some(end_line),
        end_column: Some(end_column),
    }
}

/// Returns the whole lines that a span touches.
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

//! Splits a YAML file into keys, values and aliases, in order; the rest is punctuation.

use serde_yaml::granit_parser::{
    Event, Marker, Parser, ScalarStyle, Span, StructureStyle, options,
};

use super::code::CodeKind;
use wyrmgate_lang::shape::{Naming, Shape};

#[derive(Debug, Clone)]
pub struct CodePiece {
    /// Its start, without surrounding spaces.
    pub start: usize,
    pub end: usize,
    pub kind: PieceKind,
    /// The decoded text.
    pub text: String,
    pub code: Option<CodeKind>,
    /// The enclosing block lists and maps, outermost first, with their source columns.
    pub around: Vec<Around>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    /// After `|` or `>`
    Block,
    Alias,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Around {
    pub is_list: bool,
    pub column: usize,
}

/// An open list or map.
struct OpenBlock {
    shape: Option<Shape>,
    is_list: bool,
    is_block: bool,
    column: usize,
    /// In a map, the shape after the last key.
    value: Option<Option<Shape>>,
}

/// Returns the pieces of a text, or the position of the first unsupported syntax.
pub fn pieces(root: Shape, text: &str) -> Result<Vec<CodePiece>, usize> {
    let mut options = options! { disallow_directives: true, emit_unresolved_aliases: true };
    options.set_emit_comments(false);
    let mut walk = PieceWalk {
        text,
        root,
        open: Vec::new(),
        pieces: Vec::new(),
    };
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, range) = event.map_err(|error| walk.place(*error.marker()))?;
        walk.add(event, range)?;
    }
    Ok(walk.pieces)
}

struct PieceWalk<'t> {
    text: &'t str,
    root: Shape,
    open: Vec<OpenBlock>,
    pieces: Vec<CodePiece>,
}

impl PieceWalk<'_> {
    fn add(&mut self, event: Event<'_>, range: Span) -> Result<(), usize> {
        match event {
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, _, Some(_))
            | Event::MappingStart(_, _, Some(_)) => return Err(self.place(range.start)),
            Event::Scalar(text, style, _, None) => self.scalar(&text, style, range),
            Event::Alias(_) | Event::UnresolvedAlias(_) => self.alias(range),
            Event::SequenceStart(style, ..) => self.begin(true, style, range),
            Event::MappingStart(style, ..) => self.begin(false, style, range),
            Event::SequenceEnd | Event::MappingEnd => drop(self.open.pop()),
            _ => {}
        }
        Ok(())
    }

    fn place(&self, marker: Marker) -> usize {
        let in_characters = || {
            let mut places = self.text.char_indices().map(|(i, _)| i);
            places.nth(marker.index()).unwrap_or(self.text.len())
        };
        marker.byte_offset().unwrap_or_else(in_characters)
    }

    /// Returns the shape of the next node (`None` if unknown) and whether it is a key.
    fn next_shape(&mut self) -> (Option<Shape>, bool) {
        let Some(open) = self.open.last_mut() else {
            return (Some(self.root), false);
        };
        if open.is_list {
            return (open.shape.and_then(Shape::member), false);
        }
        match open.value.take() {
            Some(shape) => (shape, false),
            None => (open.shape, true),
        }
    }

    fn begin(&mut self, is_list: bool, style: StructureStyle, range: Span) {
        let (shape, _) = self.next_shape();
        let start = self.place(range.start);
        let line = self.text.get(..start).unwrap_or_default();
        let column = line.len() - line.rfind('\n').map_or(0, |i| i + 1);
        self.open.push(OpenBlock {
            shape,
            is_list,
            is_block: style != StructureStyle::Flow,
            column,
            value: None,
        });
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, range: Span) {
        let (shape, is_key) = self.next_shape();
        let code = match is_key {
            true => shape.and_then(code_of_keys),
            false => shape.and_then(CodeKind::of),
        };
        if is_key && let Some(open) = self.open.last_mut() {
            open.value = Some(shape.and_then(|shape| shape.behind(text)));
        }
        let kind = match style {
            ScalarStyle::SingleQuoted => PieceKind::SingleQuoted,
            ScalarStyle::DoubleQuoted => PieceKind::DoubleQuoted,
            ScalarStyle::Literal | ScalarStyle::Folded => PieceKind::Block,
            ScalarStyle::Plain => PieceKind::Plain,
        };
        self.push(kind, text, code, range);
    }

    fn alias(&mut self, range: Span) {
        let (_, is_key) = self.next_shape();
        if is_key && let Some(open) = self.open.last_mut() {
            open.value = Some(None);
        }
        self.push(PieceKind::Alias, "", None, range);
    }

    fn push(&mut self, kind: PieceKind, text: &str, code: Option<CodeKind>, range: Span) {
        let (start, end) = (self.place(range.start), self.place(range.end));
        let written = self.text.get(start..end).unwrap_or_default();
        let leading = written.len() - written.trim_start().len();
        let end = start + written.trim_end().len();
        let blocks = self.open.iter().filter(|open| open.is_block);
        self.pieces.push(CodePiece {
            start: (start + leading).min(end.max(start)),
            end: end.max(start),
            kind,
            text: text.to_owned(),
            code,
            around: blocks
                .map(|open| Around {
                    is_list: open.is_list,
                    column: open.column,
                })
                .collect(),
        });
    }
}

/// Returns the kind of code in the keys of a section, if they are code.
fn code_of_keys(shape: Shape) -> Option<CodeKind> {
    match shape.section()?.keys {
        Naming::Signature => Some(CodeKind::Signature),
        Naming::Handler => Some(CodeKind::Handler),
        _ => None,
    }
}

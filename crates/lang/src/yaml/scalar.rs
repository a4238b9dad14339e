//! Locations of the characters of a scalar.
//!
//! Folding and indentation affect only white space. The k-th visible character of the value is therefore the k-th
//! visible character of the source, once `''` and `\` escapes are decoded; the white space in between follows its
//! neighbors.

use serde_yaml::granit_parser::ScalarStyle;

use super::Scalar;
use crate::positions::Positions;
use wyrmgate_base::diagnostic::{FileId, Span};

/// Locates the scalar `text`, written at `span` of the file `source`.
pub(super) fn locate(
    file: FileId,
    source: &str,
    text: &str,
    style: ScalarStyle,
    span: Span,
) -> Scalar {
    let is_plain = style == ScalarStyle::Plain;
    let (start, end) = (span.start as usize, span.end as usize);
    let written = source.get(start..end).unwrap_or_default();
    // The parser writes `~` for what is not there.
    let text = if is_plain && text == "~" { "" } else { text };
    let positions = match written == text {
        true => Positions::straight(file, start),
        false => Positions::mapped(file, map(text, &decode(written, style), start as u32)),
    };
    let span = visible_span(file, written, start);
    Scalar {
        text: text.into(),
        span,
        positions,
        is_plain,
    }
}

/// Excludes surrounding white space: a block scalar ends before its last line break.
fn visible_span(file: FileId, written: &str, start: usize) -> Span {
    let leading = written.len() - written.trim_start().len();
    Span::new(
        file,
        start + leading,
        start + written.trim_end().len().max(leading),
    )
}

/// A character of the value, and where its source begins and ends.
#[derive(Debug, Clone, Copy)]
struct Written {
    character: char,
    start: u32,
    end: u32,
}

fn decode(written: &str, style: ScalarStyle) -> Vec<Written> {
    match style {
        ScalarStyle::DoubleQuoted => decode_double_quoted(written),
        ScalarStyle::SingleQuoted => decode_single_quoted(written),
        _ => written
            .char_indices()
            .map(|(i, c)| written_at(c, i, c.len_utf8()))
            .collect(),
    }
}

fn written_at(character: char, start: usize, length: usize) -> Written {
    Written {
        character,
        start: start as u32,
        end: (start + length) as u32,
    }
}

fn decode_single_quoted(written: &str) -> Vec<Written> {
    let mut decoded = Vec::new();
    let mut characters = written.char_indices().peekable();
    characters.next_if(|(_, c)| *c == '\'');
    while let Some((i, c)) = characters.next() {
        let doubled = c == '\'' && characters.next_if(|(_, next)| *next == '\'').is_some();
        decoded.push(written_at(c, i, if doubled { 2 } else { c.len_utf8() }));
    }
    decoded
}

fn decode_double_quoted(written: &str) -> Vec<Written> {
    let mut decoded = Vec::new();
    let mut rest = written
        .char_indices()
        .skip_while(|(i, c)| *i == 0 && *c == '"')
        .peekable();
    while let Some((i, c)) = rest.next() {
        if c != '\\' {
            decoded.push(written_at(c, i, c.len_utf8()));
            continue;
        }
        let Some((_, sign)) = rest.next() else { break };
        let digits = hex_digits(sign);
        let mut code: String = (0..digits)
            .filter_map(|_| rest.next())
            .map(|(_, digit)| digit)
            .collect();
        if is_high_surrogate(&code) {
            code = rest
                .by_ref()
                .take("\\uDC00".len())
                .map(|(_, c)| c)
                .collect(); // the other half of one character
        }
        let end = rest.peek().map_or(written.len(), |(i, _)| *i);
        let character = if digits > 0 {
            character_of(&code)
        } else {
            escaped(sign)
        };
        decoded.push(written_at(character, i, end - i));
    }
    decoded
}

fn hex_digits(sign: char) -> usize {
    match sign {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => 0,
    }
}

fn is_high_surrogate(hex: &str) -> bool {
    u32::from_str_radix(hex, 16).is_ok_and(|code| (0xD800..0xDC00).contains(&code))
}

fn character_of(hex: &str) -> char {
    let code = u32::from_str_radix(hex, 16).ok();
    code.and_then(char::from_u32)
        .unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Returns the meaning of an escape, in which only the distinction between white space and other characters matters.
fn escaped(sign: char) -> char {
    match sign {
        'n' | 'r' | 't' | '\n' | '\r' | ' ' | '\t' => ' ',
        other => other,
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Returns the location in the file for every byte of `text`, and one more.
fn map(text: &str, decoded: &[Written], base: u32) -> Vec<(u32, u32)> {
    let mut map: Vec<(u32, u32)> = Vec::with_capacity(text.len() + 1);
    let mut visible = decoded.iter().filter(|w| !is_space(w.character));
    let mut end = decoded
        .iter()
        .find(|w| !is_space(w.character))
        .map_or(0, |w| w.start);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if is_space(first) {
            rest.len() - rest.trim_start_matches(is_space).len()
        } else {
            first.len_utf8()
        };
        let (head, tail) = rest.split_at(length);
        if is_space(first) {
            let next = visible
                .clone()
                .next()
                .filter(|_| !tail.is_empty())
                .map(|w| w.start);
            map_spaces(&mut map, head, base + end, next.map(|start| base + start));
        } else if let Some(w) = visible.next() {
            map.extend((0..length).map(|_| (base + w.start, base + w.end)));
            end = w.end;
        } else {
            map.extend((0..length).map(|_| (base + end, base + end)));
        }
        rest = tail;
    }
    map.push((base + end, base + end));
    map
}

/// Maps white space: up to its last line break, it follows the character before it; the rest precedes the next.
fn map_spaces(map: &mut Vec<(u32, u32)>, spaces: &str, after: u32, before: Option<u32>) {
    let last_break = spaces.rfind('\n').map_or(0, |i| i + 1);
    let (first, indentation) = spaces.split_at(last_break);
    let room = before.unwrap_or(u32::MAX);
    let behind = |i: u32| ((after + i).min(room), (after + i + 1).min(room));
    map.extend((0..first.len() as u32).map(behind));
    match before {
        Some(before) if !first.is_empty() => {
            let length = indentation.len() as u32;
            let ahead = |i: u32| {
                (
                    before.saturating_sub(length - i).max(after),
                    before.saturating_sub(length - i - 1),
                )
            };
            map.extend((0..length).map(ahead));
        }
        _ => map.extend((0..indentation.len() as u32).map(behind)),
    }
}

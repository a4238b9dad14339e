//! The context of a cursor: which keys lead there, and what is being typed.
//!
//! It is found from the lines above instead of the tree, because a file that is being typed is rarely valid YAML.

use wyrmgate_lang::shape::Shape;

/// The context of a cursor.
#[derive(Debug, Clone, Default)]
pub struct CursorContext {
    /// The enclosing keys, outermost first.
    pub path: Vec<String>,
    /// The shape expected here: after the last key of the path, or in its list.
    pub shape: Option<Shape>,
    /// Whether a key is being typed instead of a value.
    pub is_key: bool,
    /// The key under the cursor, if it is complete.
    pub key: Option<String>,
    /// The text from the beginning of the value or its line to the cursor.
    pub before: String,
    /// Whether the cursor is inside a block scalar.
    pub in_block: bool,
}

/// A key above, with the shape of its children.
struct AncestorKey {
    column: usize,
    key: String,
    /// Whether it begins a block scalar.
    opens_block: bool,
}

/// Returns the context of a byte in the text of a file with this root shape.
pub fn place(root: Shape, text: &str, byte: usize) -> CursorContext {
    let head = text.get(..byte).unwrap_or(text);
    let start = head.rfind('\n').map_or(0, |at| at + 1);
    let line = head.get(start..).unwrap_or_default();
    let full = text.get(start..).unwrap_or_default();
    let full = full.split('\n').next().unwrap_or_default();
    let column = line.len() - line.trim_start().len();
    let above = steps(text.get(..start).unwrap_or_default(), column);
    let mut shape = Some(root);
    let mut path = Vec::new();
    for step in &above {
        shape = shape.and_then(|shape| step_into(shape, step));
        path.extend((!step.key.is_empty()).then(|| step.key.clone()));
    }
    if above.last().is_some_and(|step| step.opens_block) {
        return CursorContext {
            path,
            shape,
            before: line.trim_start().to_owned(),
            in_block: true,
            ..CursorContext::default()
        };
    }
    on_line(path, shape, line, full)
}

fn step_into(shape: Shape, step: &AncestorKey) -> Option<Shape> {
    match step.key.is_empty() {
        true => shape.member(),
        false => shape.behind(&step.key),
    }
}

/// Returns the enclosing keys: each is further to the left than the one below it.
fn steps(above: &str, column: usize) -> Vec<AncestorKey> {
    let mut found: Vec<AncestorKey> = Vec::new();
    let mut limit = column;
    for line in above.lines().rev() {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        for step in steps_of_line(indent, trimmed).into_iter().rev() {
            let is_block_text = indent < limit && step.column >= limit;
            if step.column < limit && !is_block_text {
                limit = step.column;
                found.push(step);
            }
        }
        if limit == 0 {
            break;
        }
    }
    found.reverse();
    // Text in a block scalar contains no keys.
    if let Some(block) = found.iter().position(|step| step.opens_block) {
        found.truncate(block + 1);
    }
    found
}

/// Returns the steps of one line. `- - key: |` has two list members and a key.
fn steps_of_line(indent: usize, line: &str) -> Vec<AncestorKey> {
    let mut steps = Vec::new();
    let (mut column, mut rest) = (indent, line);
    while let Some(inside) = rest
        .strip_prefix("- ")
        .or_else(|| (rest == "-").then_some(""))
    {
        steps.push(AncestorKey {
            column,
            key: String::new(),
            opens_block: inside.trim_start().starts_with(['|', '>']),
        });
        let blanks = inside.len() - inside.trim_start().len();
        (column, rest) = (column + 2 + blanks, inside.trim_start());
    }
    if let Some((key, value)) = split_key(rest) {
        let value = value.split(" #").next().unwrap_or_default().trim();
        steps.push(AncestorKey {
            column,
            key,
            opens_block: value.starts_with(['|', '>']),
        });
    }
    steps
}

/// Splits a line into a key and its value, also if the key is quoted or has an anchor.
fn split_key(text: &str) -> Option<(String, &str)> {
    let text = match text.strip_prefix('&') {
        Some(anchored) => anchored.split_once(' ')?.1,
        None => text,
    };
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let (key, rest) = text.get(1..)?.split_once(quote)?;
        return Some((key.to_owned(), rest.trim_start().strip_prefix(':')?));
    }
    let at = text
        .find(": ")
        .or_else(|| text.ends_with(':').then(|| text.len() - 1))?;
    Some((text.get(..at)?.trim().to_owned(), text.get(at + 1..)?))
}

/// Returns what is open on the line itself: `hand: {each: {owner: se`.
fn on_line(
    mut path: Vec<String>,
    mut shape: Option<Shape>,
    line: &str,
    full: &str,
) -> CursorContext {
    let mut rest = line.trim_start();
    while let Some(inside) = rest.strip_prefix("- ") {
        shape = shape.and_then(Shape::member);
        rest = inside.trim_start();
    }
    let mut open = LineScanner {
        text: rest,
        ..LineScanner::default()
    };
    let mut here: Vec<(Vec<String>, Option<Shape>, bool)> = Vec::new();
    let mut is_map = true;
    while let Some(sign) = open.next() {
        match sign {
            TypedSign::Key(key) if is_map => {
                shape = shape.and_then(|shape| shape.behind(&key));
                path.push(key);
                is_map = false;
            }
            TypedSign::Begin(bracket) => {
                here.push((path.clone(), shape, bracket == '{'));
                is_map = bracket == '{';
                if bracket == '[' {
                    shape = shape.and_then(Shape::member);
                }
            }
            TypedSign::Comma => {
                if let Some((outer, of, map)) = here.last() {
                    (path, is_map) = (outer.clone(), *map);
                    shape = match map {
                        true => *of,
                        false => of.and_then(Shape::member),
                    };
                }
            }
            TypedSign::End => {
                if let Some((outer, of, _)) = here.pop() {
                    (path, shape) = (outer, of);
                }
                is_map = false;
            }
            TypedSign::Key(_) => {}
        }
    }
    let before = open.word().to_owned();
    let key = key_under(line, full).filter(|_| is_map);
    CursorContext {
        path,
        shape,
        is_key: is_map,
        key,
        before,
        in_block: false,
    }
}

/// Returns the whole key under the cursor.
fn key_under(line: &str, full: &str) -> Option<String> {
    let separators = [' ', '{', '[', ','];
    let start = line.rfind(separators).map_or(0, |at| at + 1);
    let rest = full.get(start..)?;
    let end = rest.find([':', ',', '}', ']'])?;
    let (key, rest) = rest.split_at_checked(end)?;
    rest.starts_with(':').then(|| key.to_owned())
}

enum TypedSign {
    Key(String),
    Begin(char),
    End,
    Comma,
}

/// Reads a line character by character; what remains at its end is being typed.
#[derive(Default)]
struct LineScanner<'t> {
    text: &'t str,
    /// Start of the current word.
    start: usize,
    at: usize,
    depth: usize,
}

impl<'t> LineScanner<'t> {
    fn word(&self) -> &'t str {
        let word = self.text.get(self.start..).unwrap_or_default();
        word.trim_start().trim_start_matches(['"', '\''])
    }

    fn next(&mut self) -> Option<TypedSign> {
        while let Some(rest) = self.text.get(self.at..).filter(|rest| !rest.is_empty()) {
            let c = rest.chars().next()?;
            let written = self.text.get(self.start..self.at);
            let written = written.unwrap_or_default().trim();
            let found = match c {
                '"' | '\'' if written.is_empty() => {
                    let inside = rest.get(1..).and_then(|rest| rest.find(c));
                    self.at += inside.map_or(rest.len(), |end| end + 2);
                    continue;
                }
                ':' if rest.len() == 1 || rest.starts_with(": ") => {
                    Some(TypedSign::Key(written.trim_matches(['"', '\'']).to_owned()))
                }
                '{' | '[' if written.is_empty() => {
                    self.depth += 1;
                    Some(TypedSign::Begin(c))
                }
                '}' | ']' if self.depth > 0 && !is_index(written, c) => {
                    self.depth -= 1;
                    Some(TypedSign::End)
                }
                ',' if self.depth > 0 => Some(TypedSign::Comma),
                _ => None,
            };
            self.at += c.len_utf8();
            if let Some(sign) = found {
                self.start = self.at;
                return Some(sign);
            }
        }
        None
    }
}

/// Returns whether the bracket closes an index such as `bonus[1]`.
fn is_index(written: &str, closing: char) -> bool {
    let opening = if closing == ']' { '[' } else { '{' };
    written.matches(opening).count() > written.matches(closing).count()
}

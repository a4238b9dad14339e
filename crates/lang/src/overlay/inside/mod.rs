//! Changes inside the text of an effect or a query: one statement, one option, one condition, one `else`.
//!
//! ```yaml
//! change:
//!   effects.play:
//!     RACE-02: c.color = it.color [RACE-07]      the condition or the statement that implements the clause
//!     option throw.label: Hurl {c} at {d}
//! add:
//!   effects.play:
//!     after draw 1 from deck: say "A card!"
//!     choose "Play a card?": {option sleep "Sleep": stop}
//! remove: [effects.play.option leap]
//! ```
//!
//! A *part* is found by the clause that it implements, or by the words with which it begins ([`outline`]). The text is cut and
//! joined, and every piece keeps its location ([`splice`]), so everything that reads effect text works on the result.

mod impossible;
mod key;
mod outline;
mod splice;

pub(super) use key::Key;
pub(super) use outline::Code;

use std::ops::Range;

use crate::yaml::Scalar;
pub(super) use impossible::ImpossibleEdit;
use outline::{Outline, Part, PartKind};
use splice::{Piece, lines_of, one_line, replaced};
use wyrmgate_base::diagnostic::Span;

/// A text after an edit.
pub(super) struct Edited {
    pub text: Scalar,
    /// The previous text.
    pub was: Option<String>,
}

type Answer = Result<Edited, ImpossibleEdit>;

/// Returns the names of the parts of a text: the statements of an effect, or the conditions of a value.
pub fn parts_of(text: &str, is_effect: bool) -> Vec<String> {
    let code = if is_effect { Code::Effect } else { Code::Value };
    Outline::of(text, code).map_or(Vec::new(), |outline| outline.names())
}

/// A text of which parts can be changed.
pub(super) struct Inside<'t> {
    text: &'t Scalar,
    outline: Outline,
    /// The parts within which keys are looked up, outermost first.
    scope: Vec<usize>,
}

impl<'t> Inside<'t> {
    /// Reads the text, then enters these parts. `None`: the text does not parse, which is reported elsewhere.
    pub fn new(
        text: &'t Scalar,
        code: Code,
        way: &[&str],
    ) -> Option<Result<Inside<'t>, ImpossibleEdit>> {
        let outline = Outline::of(&text.text, code)?;
        let mut inside = Inside {
            text,
            outline,
            scope: Vec::new(),
        };
        for words in way {
            match inside.outline.find(words, inside.within()) {
                Ok(part) => inside.scope.push(part),
                Err(edit) => return Some(Err(edit)),
            }
        }
        Some(Ok(inside))
    }

    /// Returns whether the key names a part or something of it, and not a part to enter.
    fn within(&self) -> Option<&Part> {
        self.outline.part(*self.scope.last()?)
    }

    fn target(&self, key: &Key) -> Result<&Part, ImpossibleEdit> {
        let missing = || {
            ImpossibleEdit::new(
                "vanished-target",
                format!("`{key}` needs a statement"),
                "name the statement above it",
            )
        };
        if key.words.is_empty() {
            return self.within().ok_or_else(missing);
        }
        let found = self.outline.find(&key.words, self.within())?;
        let part = self.outline.part(found).ok_or_else(missing)?;
        // Only a statement has an `else`: that of the condition which the clause names.
        let is_of_condition = key.attribute == Some("else") && part.kind == PartKind::Condition;
        Ok(self
            .outline
            .around(part)
            .filter(|_| is_of_condition)
            .unwrap_or(part))
    }

    /// Returns the text of what the key names, if there is any.
    pub fn present(&self, key: &Key) -> Option<&str> {
        let part = self.target(key).ok()?;
        let range = match key.attribute {
            None => Some(part.range.clone()),
            Some(attribute) => part.attribute(attribute),
        };
        self.text.text.get(range?)
    }

    /// Replaces a part, or something of it.
    pub fn change(&self, key: &Key, value: &Scalar) -> Answer {
        let part = self.target(key)?;
        if key.side.is_some() {
            return Err(between(
                key,
                "change",
                "; to insert another one there, move this to `add:`",
            ));
        }
        let Some(attribute) = key.attribute else {
            self.refuse_nested(key, part, value)?;
            refuse_lost(key, part, value)?;
            return self.put(part.range.clone(), self.fitting(part, value)?);
        };
        let Some(range) = part.attribute(attribute) else {
            return Err(ImpossibleEdit::new(
                "vanished-target",
                format!("`{}` has no `{attribute}`", part.words),
                "to give it one, use `add:`",
            ));
        };
        let pieces = match attribute {
            "prompt" | "label" => splice::quoted(value),
            "if" => vec![Piece::of(value)],
            _ => self.body(part, value),
        };
        self.put(range, pieces)
    }

    /// Inserts a statement, an option, or something that a part lacks.
    pub fn add(&self, key: &Key, value: &Scalar) -> Answer {
        if let Some(side) = key.side {
            return self.insert(key, side, value);
        }
        if key.words.starts_with("option ") && key.attribute.is_none() {
            return self.add_option(key, value);
        }
        let part = self.target(key)?;
        let attribute = key.attribute.ok_or_else(|| unclear(key))?;
        if part.attribute(attribute).is_some() {
            return Err(ImpossibleEdit::new(
                "already-there",
                format!("`{}` already has `{attribute}`", part.words),
                "to change it, move this to `change:`",
            ));
        }
        match attribute {
            "else" => {
                let mut pieces = vec![Piece::fixed(format!("\n{}else:", part.indent()), value)];
                pieces.extend(self.body(part, value));
                self.put(part.range.end..part.range.end, pieces)
            }
            "if" if part.is_decision => {
                let mut pieces = vec![Piece::fixed(" if ".into(), value)];
                pieces.push(Piece::of(value));
                self.put(part.tail..part.tail, pieces)
            }
            "label" if part.is_decision && !part.is_option => {
                let mut pieces = vec![Piece::fixed(" label ".into(), value)];
                pieces.extend(splice::quoted(value));
                self.put(part.tail..part.tail, pieces)
            }
            "prompt" | "label" if part.is_decision => {
                let mut pieces = vec![Piece::fixed(" ".into(), value)];
                pieces.extend(splice::quoted(value));
                self.put(part.text_at..part.text_at, pieces)
            }
            _ => Err(unclear(key)),
        }
    }

    /// Removes a part, or something of it.
    pub fn remove(&self, key: &Key, at: &Scalar) -> Answer {
        let part = self.target(key)?;
        if key.side.is_some() {
            return Err(between(key, "remove", ""));
        }
        match key.attribute {
            None => self.remove_part(part, at),
            Some("else") if let Some(range) = &part.otherwise => {
                self.put(self.with_line(range.clone()), Vec::new())
            }
            Some(attribute @ ("prompt" | "label" | "if"))
                if let Some(range) = part.attribute(attribute) =>
            {
                let before = self.text.text.get(..range.start).unwrap_or_default();
                let word = before.trim_end();
                let word = word
                    .strip_suffix("if")
                    .filter(|_| attribute == "if")
                    .or_else(|| {
                        let is_label = attribute == "label" && !part.is_option;
                        word.strip_suffix("label").filter(|_| is_label)
                    })
                    .unwrap_or(word);
                self.put(word.trim_end().len()..range.end, Vec::new())
            }
            Some(attribute) => Err(ImpossibleEdit::new(
                "vanished-target",
                format!("`{}` has no `{attribute}` to remove", part.words),
                "remove the whole statement, or change it",
            )),
        }
    }

    /// Refuses a new text that repeats the statement around the part: by the clause of `each p in seats: x [A-01]`, a loop
    /// would be written into the loop.
    fn refuse_nested(&self, key: &Key, part: &Part, value: &Scalar) -> Result<(), ImpossibleEdit> {
        let Some(outer) = self.outline.around(part).filter(|_| part.cites(&key.words)) else {
            return Ok(());
        };
        let (outer, part) = (&*outer.words, &part.words);
        if !opens_block(&value.text) || first_word(&value.text) != first_word(outer) {
            return Ok(());
        }
        Err(ImpossibleEdit::new(
            "nested-twice",
            format!("`{key}` is only `{part}`, inside of `{outer}`"),
            format!(
                "to change only that, leave `{}` out of the new text; to change the whole statement, name it: `{outer}`",
                first_word(outer)
            ),
        ))
    }

    fn remove_part(&self, part: &Part, at: &Scalar) -> Answer {
        if part.kind == PartKind::Condition {
            return self.put(part.range.clone(), vec![Piece::fixed("true".into(), at)]);
        }
        if part.among.is_only {
            return Err(ImpossibleEdit::new(
                "nothing-left",
                "nothing would be left of the block",
                "remove the statement around it, or change this one",
            ));
        }
        if part.among.has_lines() {
            return self.put(self.with_line(part.range.clone()), Vec::new());
        }
        self.put(self.with_semicolon(part.range.clone()), Vec::new())
    }

    /// Extends the range of whole lines by the line break before or after it.
    fn with_line(&self, range: Range<usize>) -> Range<usize> {
        let text = &*self.text.text;
        let before = text.get(..range.start).unwrap_or_default();
        match before.rfind('\n') {
            Some(line_break) => line_break..range.end,
            None => {
                let after = text.get(range.end..).unwrap_or_default();
                range.start..range.end + after.find('\n').map_or(after.len(), |at| at + 1)
            }
        }
    }

    /// Extends the range of one of several statements on a line by its semicolon.
    fn with_semicolon(&self, range: Range<usize>) -> Range<usize> {
        let text = &*self.text.text;
        let after = text.get(range.end..).unwrap_or_default();
        if let Some(rest) = after.trim_start_matches(' ').strip_prefix(';') {
            return range.start..text.len() - rest.trim_start_matches(' ').len();
        }
        let before = text.get(..range.start).unwrap_or_default();
        before.trim_end_matches([' ', ';']).len()..range.end
    }

    fn insert(&self, key: &Key, side: key::Side, value: &Scalar) -> Answer {
        let part = self.target(key)?;
        if part.kind == PartKind::Condition {
            return Err(ImpossibleEdit::new(
                "not-a-statement",
                format!("`{}` is a condition", part.words),
                "`before` and `after` stand with a statement; to change the condition, use `change:`",
            ));
        }
        let after = side == key::Side::After;
        let at = if after {
            part.range.end
        } else {
            part.range.start
        };
        if part.among.has_lines() {
            let pieces = match after {
                true => lines_of(value, part.indent(), true),
                false => {
                    let mut pieces = lines_of(value, part.indent(), false);
                    pieces.push(Piece::fixed(format!("\n{}", part.indent()), value));
                    pieces
                }
            };
            return self.put(at..at, pieces);
        }
        let line = one_line(value).ok_or_else(|| crowded(part))?;
        if opens_block(&value.text) && (!after || self.goes_on(part)) {
            return Err(swallowing(part));
        }
        let sign = Piece::fixed("; ".into(), value);
        let pieces = if after {
            vec![sign, line]
        } else {
            vec![line, sign]
        };
        self.put(at..at, pieces)
    }

    fn add_option(&self, key: &Key, value: &Scalar) -> Answer {
        let last = self.outline.last_option(self.within()).ok_or_else(|| {
            ImpossibleEdit::new(
                "vanished-target",
                "there is no list of options here",
                "an option stands below its decision: `choose \"…\": {option …: …}`",
            )
        })?;
        let mut pieces = vec![Piece::fixed(format!("\n{}", last.indent()), value)];
        pieces.push(key.piece());
        if !value.is_missing() {
            pieces.push(Piece::fixed(":".into(), value));
            pieces.extend(self.body(last, value));
        }
        self.put(last.range.end..last.range.end, pieces)
    }

    /// Returns the block below a part: on the same line if it is one line.
    fn body(&self, part: &Part, value: &Scalar) -> Vec<Piece> {
        match one_line(value) {
            Some(line) => vec![Piece::fixed(" ".into(), value), line],
            None => lines_of(value, &format!("{}  ", part.indent()), true),
        }
    }

    /// Returns the new text of a part, in the form that its place allows.
    fn fitting(&self, part: &Part, value: &Scalar) -> Result<Vec<Piece>, ImpossibleEdit> {
        if part.kind == PartKind::Condition {
            return Ok(vec![
                Piece::fixed("(".into(), value),
                Piece::of(value),
                Piece::fixed(")".into(), value),
            ]);
        }
        if part.among.has_lines() {
            return Ok(lines_of(value, part.indent(), false));
        }
        let line = one_line(value).ok_or_else(|| crowded(part))?;
        match opens_block(&value.text) && self.goes_on(part) {
            true => Err(swallowing(part)),
            false => Ok(vec![line]),
        }
    }

    /// Returns whether another statement follows on the line of a part.
    fn goes_on(&self, part: &Part) -> bool {
        let after = self.text.text.get(part.range.end..).unwrap_or_default();
        after.trim_start_matches(' ').starts_with(';')
    }

    fn put(&self, range: Range<usize>, pieces: Vec<Piece>) -> Answer {
        let was = self.text.text.get(range.clone()).unwrap_or_default().trim();
        Ok(Edited {
            was: (!was.is_empty()).then(|| was.to_owned()),
            text: replaced(self.text, range, pieces),
        })
    }

    /// Returns the location of a part of the text.
    pub fn span(&self, range: &Range<usize>) -> Span {
        self.text.positions.span(range.start, range.end)
    }
}

/// Reports a place between statements where a verb needs a statement.
fn between(key: &Key, verb: &str, instead: &str) -> ImpossibleEdit {
    ImpossibleEdit::new(
        "wrong-verb",
        format!("`{key}` is a place between statements: there is nothing to {verb}"),
        format!(
            "to {verb} the statement itself, write `{}`{instead}",
            key.words
        ),
    )
}

/// Refuses `if x > 3: finish drawn`, written like a line of the game: the value of that key replaces the `if`, too.
fn refuse_lost(key: &Key, part: &Part, value: &Scalar) -> Result<(), ImpossibleEdit> {
    let first = first_word(&part.words);
    let has_block = ["each", "if", "repeat", "while"].contains(&first);
    if !has_block || part.cites(&key.words) || opens_block(&value.text) {
        return Ok(());
    }
    Err(ImpossibleEdit::new(
        "lost-block",
        format!(
            "this replaces all of `{}`, and the `{first}` would be gone",
            part.words
        ),
        format!(
            "write `{key}.do` to change only what it does; to do without the `{first}`, insert the new statement under `add: before {key}`, and `remove` this one"
        ),
    ))
}

fn first_word(text: &str) -> &str {
    let words = text.trim_start().split([' ', ':', '\n']);
    words.into_iter().next().unwrap_or_default()
}

fn unclear(key: &Key) -> ImpossibleEdit {
    ImpossibleEdit::new(
        "vanished-target",
        format!("`{key}` does not say where"),
        "write `before …` or `after …` with the clause or the first words of a statement, `option …` below a `choose`, or `else`",
    )
}

/// Returns whether a line has a statement with a block: what follows on the line would belong to it.
fn opens_block(line: &str) -> bool {
    let (mut depth, mut is_text) = (0_u32, false);
    line.chars().any(|sign| {
        match sign {
            '"' => is_text = !is_text,
            '(' | '[' | '{' if !is_text => depth += 1,
            ')' | ']' | '}' if !is_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        sign == ':' && depth == 0 && !is_text
    })
}

fn swallowing(part: &Part) -> ImpossibleEdit {
    ImpossibleEdit::new(
        "wrong-shape",
        format!(
            "`{}` shares its line with others, and what follows would belong to the new block",
            part.words
        ),
        "add it after the last statement of the line, or change the statement around it",
    )
}

fn crowded(part: &Part) -> ImpossibleEdit {
    ImpossibleEdit::new(
        "wrong-shape",
        format!("`{}` shares its line with others", part.words),
        "write the new statements in one line, with `;` between them, or change the statement around it",
    )
}

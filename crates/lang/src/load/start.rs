//! `start`: a drawn position becomes the effect `set_up`, which calls an effect or sets a variable of the game for each
//! letter.
//!
//! The effect is made of the same tree that a text would yield, so everything after this reads it like any other effect.

use std::sync::Arc;

use super::Loader;
use crate::ast::{Block, Expr, ExprKind, Name, SetOp, Signature, Stmt, StmtKind};
use crate::definition::{DrawnSpace, EffectDef, Legend, RecordDef, StartDef, VarDef};
use crate::keys;
use crate::positions::Positions;
use crate::yaml::{Node, NodeKind, Scalar};
use wyrmgate_base::diagnostic::{Report, Span};

/// The effect that arranges the drawn position.
pub const SET_UP: &str = "set_up";

/// A drawing and what its letters mean.
struct Drawing<'d> {
    start: &'d StartDef,
    /// The place of the rows.
    span: Span,
    positions: &'d Positions,
    spaces: Vec<DrawnSpace>,
    beyond: Vec<DrawnSpace>,
    report: &'d mut Report,
}

/// Returns the calls of the effects that arrange a position, drawn like the start position of the game, and adds the spaces
/// that it names to those of the game.
pub fn drawn(start: &mut StartDef, rows: &Scalar, report: &mut Report) -> Option<Block> {
    let mut drawing = Drawing {
        start,
        span: rows.span,
        positions: &rows.positions,
        spaces: Vec::new(),
        beyond: Vec::new(),
        report,
    };
    let block = drawing.drawn(&rows.text);
    let (spaces, beyond) = (drawing.spaces, drawing.beyond);
    start.spaces.extend(spaces);
    start.beyond.extend(beyond);
    block
}

impl Loader {
    /// Returns the effect `set_up` of the drawn position, and what its letters mean.
    pub(super) fn parse_start(
        &mut self,
        node: &Node,
        effects: &[EffectDef],
        vars: &[VarDef],
        records: &[RecordDef],
    ) -> Option<(EffectDef, StartDef)> {
        let fields = self.fields(node, &keys::START)?;
        for key in ["on", "rows", "letters"] {
            if fields.get(key).is_none() {
                let message = format!("the start position has no `{key}`");
                let help = "write `start: {on: square, rows: xx/../oo, letters: {xo: stands}}`";
                self.report.error("missing-key", node.span, message, help);
            }
        }
        let on = self.parse_name(fields.get("on")?);
        let rows = self.parse_text(fields.get("rows")?, "the rows of the position")?;
        let rows = rows.clone();
        let mut start = StartDef {
            on,
            letters: self.parse_legend(fields.get("letters")?)?,
            then: match fields.get("then").map(|node| &node.kind) {
                None => Vec::new(),
                Some(NodeKind::List(nodes)) => {
                    let all = nodes.iter().map(|node| self.parse_legend(node));
                    all.collect::<Option<_>>()?
                }
                Some(_) => {
                    let help = "write one entry for each word: `then: [{wb: moves_first}, {number: turns_passed}]`";
                    self.wrong_shape(fields.get("then")?, "a list", help);
                    return None;
                }
            },
            variables: variables(effects, vars, records),
            spaces: Vec::new(),
            beyond: Vec::new(),
        };
        self.first_twice(&start);
        let name = Name::new(SET_UP, node.span);
        let set_up = EffectDef {
            signature: Signature::Phrase(vec![name]),
            body: Arc::new(drawn(&mut start, &rows, &mut self.report)?),
            span: node.span,
        };
        Some((set_up, start))
    }

    /// Reports `{x: stone, o: stone}`: each entry counts its letters from the first value of the variable.
    fn first_twice(&mut self, start: &StartDef) {
        for (at, (letters, entry)) in start.letters.iter().enumerate() {
            let mut before = start.letters.iter().take(at);
            let same = before.find(|(_, known)| known.text == entry.text);
            let mut variables = start.variables.iter();
            let of = variables.find(|(name, _)| *name == entry.text);
            let is_all = |key: &Name| {
                let own = start.letters.iter().filter(|(known, _)| known == key);
                key.text.chars().count() == 1 && own.count() == 1
            };
            if let (Some((first, _)), Some((_, of))) = (same, of)
                && of != "bool"
                && is_all(first)
                && is_all(letters)
            {
                let (both, name) = (format!("{}{}", first.text, letters.text), &entry.text);
                let message = format!(
                    "`{}` and `{}` both set `{name}` to its first value",
                    first.text, letters.text
                );
                let help = format!("write one entry, a letter for each value: `{both}: {name}`");
                let span = letters.span;
                self.report.error("drawn-letter", span, message, help);
            }
        }
    }

    fn parse_legend(&mut self, node: &Node) -> Option<Legend> {
        let entries = self.entries(node, "which effect each letter calls")?;
        let mut legend = Legend::new();
        for (key, value) in entries {
            for value in value.members() {
                let letters = Name::new(key.text.to_string(), key.span);
                let called = match &value.kind {
                    NodeKind::Scalar(scalar) => self.parse_path(scalar),
                    NodeKind::List(_) | NodeKind::Map(_) => self.parse_name(value),
                };
                legend.push((letters, called));
            }
        }
        Some(legend)
    }
}

/// Returns the variables and their parts with their types, except those that are called like an effect.
fn variables(
    effects: &[EffectDef],
    vars: &[VarDef],
    records: &[RecordDef],
) -> Vec<(String, String)> {
    let is_effect = |var: &&VarDef| {
        let mut signatures = effects.iter().map(|effect| &effect.signature);
        signatures.any(|signature| {
            matches!(signature, Signature::Call { name, .. } if name.text == var.name.text)
        })
    };
    let vars = vars.iter().filter(|var| !is_effect(var));
    let named = vars.flat_map(|var| {
        let record = records
            .iter()
            .find(|record| record.name.text == var.of.text);
        let parts = record.into_iter().flat_map(|record| &record.parts);
        let parts =
            parts.map(|(part, of)| (format!("{}.{}", var.name.text, part.text), of.text.clone()));
        let whole = (var.name.text.clone(), var.of.text.clone());
        std::iter::once(whole).chain(parts).collect::<Vec<_>>()
    });
    named.collect()
}

impl Drawing<'_> {
    /// Returns the calls of all letters and words.
    fn drawn(&mut self, text: &str) -> Option<Block> {
        let (start, span) = (self.start, self.span);
        let mut from = text.len() - text.trim_start().len();
        let text = text.trim();
        let (rows, words) = match text.contains('/') {
            true => {
                let mut words = text.split_whitespace();
                (words.next()?.split('/').collect(), words.collect())
            }
            false => (text.lines().collect::<Vec<&str>>(), Vec::new()),
        };
        let mut calls = Block::new();
        let mut width = None;
        for (above, row) in rows.iter().enumerate() {
            let row_from = from;
            from += row.len() + 1; // a `/` or the end of a line
            let row = symbols(row);
            let count = row.len();
            if *width.get_or_insert(count) != count {
                let message = format!(
                    "row {} has {count} spaces, the first row another number",
                    above + 1
                );
                let help = "a `.` stands for an empty space, a number for several";
                self.report.error("drawn-row", span, message, help);
                return None;
            }
            for (column, letters) in (1..).zip(row) {
                for (at, letter) in letters {
                    let at = row_from + at;
                    self.span = self.positions.span(at, at + letter.len_utf8());
                    let space = self.space(column, (rows.len() - above) as i32);
                    calls.extend(self.called(&start.letters, letter, Some(&space))?);
                }
            }
        }
        self.span = span;
        let (right, above) = (width.unwrap_or(0) as i32 + 1, rows.len() as i32 + 1);
        let beyond = [(right, 1), (1, above)];
        self.beyond = beyond
            .map(|(column, row)| DrawnSpace { column, row, span })
            .to_vec();
        for (word, legend) in words.iter().zip(&start.then) {
            calls.extend(self.said(legend, word)?);
        }
        if words.len() > start.then.len() {
            let message = format!("the position says `{}` after its rows", words.join(" "));
            let help = format!("`then` explains {} words after the rows", start.then.len());
            self.report.error("drawn-words", span, message, help);
            return None;
        }
        Some(calls)
    }

    /// Returns what a word after the rows does: a space, a number, or letters. A `-` says nothing, and neither does a word
    /// for which `then` has an empty entry.
    fn said(&mut self, legend: &Legend, word: &str) -> Option<Block> {
        if word == "-" || legend.is_empty() {
            return Some(Block::new());
        }
        let of = |key: &str| -> Vec<&Name> {
            let entries = legend.iter().filter(|(known, _)| known.text == key);
            entries.map(|(_, entry)| entry).collect()
        };
        let (spaces, numbers) = (of("space"), of("number"));
        if let (false, Some((column, row))) = (spaces.is_empty(), coordinates(word)) {
            let space = self.space(column, row);
            return Some(self.each_with(&spaces, &space));
        }
        if let (false, Ok(number)) = (numbers.is_empty(), word.parse()) {
            return Some(self.each_with(&numbers, &int(number, self.span)));
        }
        let (mut block, mut times) = (Block::new(), 0);
        for letter in word.chars() {
            if let Some(digit) = letter.to_digit(10) {
                times = (times * 10 + digit as usize).min(SPACES_MAX);
                continue;
            }
            let calls = self.called(legend, letter, None)?;
            let times = std::mem::take(&mut times).max(1);
            block.extend(std::iter::repeat_n(calls, times).flatten());
        }
        Some(block)
    }

    /// Returns what these entries do with a value.
    fn each_with(&self, entries: &[&Name], value: &Expr) -> Block {
        let done = entries.iter().map(|entry| match self.type_of(entry) {
            Some(_) => set(named(entry), value.clone(), self.span),
            None => call_of(entry, vec![value.clone()], self.span),
        });
        done.collect()
    }

    fn space(&mut self, column: i32, row: i32) -> Expr {
        let span = self.span;
        self.spaces.push(DrawnSpace { column, row, span });
        let on = self.start.on.clone();
        Expr::new(
            ExprKind::Call(on, vec![int(column, span), int(row, span)]),
            span,
        )
    }

    /// Returns what a letter does.
    fn called(&mut self, legend: &Legend, letter: char, space: Option<&Expr>) -> Option<Block> {
        let found: Vec<(&Name, &Name, usize)> = legend
            .iter()
            .filter(|(letters, _)| !matches!(letters.text.as_str(), "space" | "number"))
            .filter_map(|(letters, entry)| {
                let at = letters.text.chars().position(|known| known == letter)?;
                Some((letters, entry, at))
            })
            .collect();
        if found.is_empty() {
            let known: Vec<&str> = legend
                .iter()
                .map(|(letters, _)| letters.text.as_str())
                .collect();
            let message = format!("`{letter}` means nothing in this position");
            let help = format!(
                "the letters that mean something here are {}",
                known.join(", ")
            );
            self.report.error("drawn-letter", self.span, message, help);
            return None;
        }
        let done = found.into_iter().map(|(letters, entry, at)| {
            let number = int(at as i32 + 1, self.span);
            match self.type_of(entry) {
                Some(of) => self.assigned(entry, space, value_of(of, number)),
                None => {
                    let number = (letters.text.chars().count() > 1).then_some(number);
                    let args = space.cloned().into_iter().chain(number);
                    call_of(entry, args.collect(), self.span)
                }
            }
        });
        Some(done.collect())
    }

    /// Returns the statement that sets a variable, for a space if there is one.
    fn assigned(&self, variable: &Name, space: Option<&Expr>, value: Expr) -> Stmt {
        let target = named(variable);
        let target = match space {
            Some(space) => Expr::new(
                ExprKind::Index(Box::new(target), Box::new(space.clone())),
                self.span,
            ),
            None => target,
        };
        set(target, value, self.span)
    }

    /// Returns the type of the variable that an entry names; `None` for an effect.
    fn type_of(&self, entry: &Name) -> Option<&str> {
        let mut variables = self.start.variables.iter();
        let found = variables.find(|(name, _)| *name == entry.text);
        found.map(|(_, of)| of.as_str())
    }
}

/// Returns the symbols of a row: a letter with its place in the text, a `+` before it as another one after it, or nothing for
/// an empty space.
fn symbols(row: &str) -> Vec<Vec<(usize, char)>> {
    let mut symbols = Vec::new();
    let mut empty = 0usize;
    let mut marks = Vec::new();
    let written = row.char_indices();
    for (at, symbol) in written.filter(|(_, symbol)| !symbol.is_whitespace()) {
        match (symbol, symbol.to_digit(10)) {
            (_, Some(digit)) => empty = (empty * 10 + digit as usize).min(SPACES_MAX),
            ('+', None) => marks.push((at, symbol)),
            (_, None) => {
                symbols.extend(std::iter::repeat_n(Vec::new(), empty));
                empty = 0;
                let letter = (symbol != '.').then_some((at, symbol));
                symbols.push(letter.into_iter().chain(marks.drain(..)).collect());
            }
        }
    }
    symbols.extend(std::iter::repeat_n(Vec::new(), empty));
    symbols
}

/// Maximum number of adjacent empty spaces: more than any board has.
const SPACES_MAX: usize = 4_096;

/// Reads the name of a space: `e4`.
fn coordinates(word: &str) -> Option<(i32, i32)> {
    let (letter, row) = word.split_at_checked(1)?;
    let letter = letter.bytes().next().filter(u8::is_ascii_lowercase)?;
    let row: i32 = row.parse().ok()?;
    Some((i32::from(letter - b'a') + 1, row))
}

fn int(value: i32, span: Span) -> Expr {
    Expr::new(ExprKind::Int(value), span)
}

fn named(name: &Name) -> Expr {
    Expr::new(ExprKind::Name(name.clone()), name.span)
}

/// Returns the value of a type with this number.
fn value_of(of: &str, number: Expr) -> Expr {
    let span = number.span;
    let name = |text: &str| Name::new(text, span);
    let kind = match of {
        "int" => return number,
        "bool" => ExprKind::Bool(true),
        "seat" => ExprKind::Call(name(of), vec![number]),
        _ => ExprKind::Index(Box::new(named(&name(of))), Box::new(number)),
    };
    Expr::new(kind, span)
}

fn set(target: Expr, value: Expr, span: Span) -> Stmt {
    Stmt {
        kind: StmtKind::Set {
            target,
            op: SetOp::Set,
            value,
        },
        span,
        cites: Vec::new(),
    }
}

/// Returns the statement that calls an effect.
fn call_of(effect: &Name, args: Vec<Expr>, span: Span) -> Stmt {
    let name = Name::new(effect.text.clone(), effect.span);
    let call = match args.is_empty() {
        true => ExprKind::Name(name),
        false => ExprKind::Call(name, args),
    };
    Stmt {
        kind: StmtKind::Phrase {
            terms: vec![Expr::new(call, span)],
        },
        span,
        cites: Vec::new(),
    }
}

//! Lines and blocks, and lines that depend on the line above.

use pest::Parser;
use pest::iterators::Pairs;

use super::builder::{Builder, Part, next, skip_to};
use super::{Grammar, Rule, unreadable};
use crate::ast::{Block, Choose, Expr, Name, Stmt, StmtKind};
use crate::indent::may_open;
use crate::token;
use wyrmgate_base::diagnostic::{Diagnostic, Span};

/// The statements of a block so far.
#[derive(Default)]
struct Lines {
    block: Block,
    /// Whether the last statement began its line, so that an `else` below may belong to it.
    takes_else: bool,
    /// Whether the last line did not parse, so that an `else` below may have belonged to it.
    after_bad: bool,
}

impl Builder<'_> {
    /// Parses the `line`s of a text or a block.
    pub(super) fn parse_lines(&mut self, parts: &mut Pairs<Rule>) -> Block {
        let mut lines = Lines::default();
        let mut above: Option<Part> = None;
        for line in parts.filter(|part| part.as_rule() == Rule::line) {
            self.report_unopened(above.replace(line.clone()), &line);
            if let Some(part) = self.sentence_of(line) {
                self.add_sentence(&mut lines, part);
            }
        }
        lines.block.shrink_to_fit(); // kept as long as the rules, and most blocks are a line or two
        lines.block
    }

    /// Returns the sentence of a line, or the usable sentences of a line that did not parse.
    pub(super) fn sentence_of<'i>(&mut self, line: Part<'i>) -> Option<Part<'i>> {
        let mut parts = line.into_inner();
        if let Some(stray) = next(&mut parts, Rule::stray) {
            let help = "a block begins after a `:`, and all its lines have the same indentation";
            let message = "this line is indented differently from all lines above";
            self.error("indentation", self.span_of_blanks(&stray), message, help);
        }
        parts.next()
    }

    /// Reports a statement without its `:` above lines that are meant to be its block.
    pub(super) fn report_unopened(&mut self, above: Option<Part>, line: &Part) {
        let is_deeper = line
            .clone()
            .into_inner()
            .any(|part| part.as_rule() == Rule::stray);
        let is_open = |text: &str| may_open(text) && !text.contains(['\n', ':']);
        let Some(above) = above.filter(|above| is_deeper && is_open(above.as_str().trim())) else {
            return;
        };
        let start = above.as_span().start();
        let end = start + above.as_str().trim_end_matches([' ', '\n']).len();
        let last = self.positions.span(end - 1, end);
        let behind = self.positions.span(end, end);
        let missing = Diagnostic::error("syntax", last, "missing `:`");
        let help = "end this line with `:`; the lines below are its block";
        self.report.push(missing.help(help).repair(behind, ":"));
        self.misaligned_from = Some(last.end); // the block has no owner
    }

    fn span_of_blanks(&self, part: &Part) -> Span {
        let span = part.as_span();
        self.positions.span(span.start(), span.end())
    }

    /// Handles a line that did not parse; the block below it may contain more mistakes.
    pub(super) fn parse_bad(&mut self, part: Part) {
        let misaligned_from = self.misaligned_from;
        for part in part.into_inner() {
            match part.as_rule() {
                Rule::bad_text => {
                    self.bad_lines += 1;
                    self.report_line(&part);
                }
                _ => {
                    self.misaligned_from = Some(0); // what belongs to the line above has no owner
                    self.parse_lines(&mut part.into_inner());
                }
            }
        }
        self.misaligned_from = misaligned_from;
    }

    /// Declares the names that a line with a syntax error introduces, without a type, so that their uses are not
    /// reported.
    fn names_of_bad(&self, part: &Part) -> Vec<Stmt> {
        let line = part.as_str().split('\n').next().unwrap_or_default();
        let start = part.as_span().start();
        let words = line.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_');
        let mut at = 0;
        let words: Vec<(usize, &str)> = words
            .map(|word| {
                at += word.len();
                (at - word.len(), token::token(word))
            })
            .filter(|(_, word)| word.starts_with(|c: char| c.is_ascii_lowercase()))
            .collect();
        let pairs = words.iter().zip(words.iter().skip(1));
        let names = pairs.filter_map(|(first, second)| match (first.1, second.1) {
            (word, "in") => Some((first.0, word)),
            (
                "let" | "choose" | "chooses" | "each" | "any" | "ordered" | "repeated" | "path"
                | "local" | "const" | "var" | "val" | "auto" | "int" | "bool",
                word,
            ) => Some((second.0, word)),
            _ => None,
        });
        let names = names.filter(|(_, word)| Grammar::parse(Rule::name, word).is_ok());
        names
            .map(|(at, word)| {
                let span = self.positions.span(start + at, start + at + word.len());
                let name = Name::new(word, span);
                let value = unreadable(span);
                let kind = StmtKind::Let { name, value };
                Stmt {
                    kind,
                    span,
                    cites: Vec::new(),
                }
            })
            .collect()
    }

    fn add_sentence(&mut self, lines: &mut Lines, part: Part) {
        if part.as_rule() == Rule::bad {
            let mut block = std::mem::take(&mut lines.block);
            block.extend(self.names_of_bad(&part));
            self.parse_bad(part);
            *lines = Lines {
                block,
                takes_else: false,
                after_bad: true,
            };
            return;
        }
        self.add_statements(lines, part, true);
    }

    /// Adds the statements of a sentence, which is a line of its own or not.
    fn add_statements(&mut self, lines: &mut Lines, sentence: Part, is_line: bool) {
        for (i, statement) in statements(sentence).enumerate() {
            let begins_line = is_line && i == 0;
            match statement.as_rule() {
                Rule::else_stmt => self.attach_else(lines, statement, begins_line),
                Rule::option_stmt => self.refuse_option(statement),
                _ => {
                    lines.block.extend(self.parse_statement(statement));
                    (lines.takes_else, lines.after_bad) = (begins_line, false);
                }
            }
        }
    }

    fn refuse_option(&mut self, part: Part) {
        let span = self.head_span(&part);
        let message = "an option outside of a `choose`";
        let help = "put options below `choose \"…\":`";
        self.error("stray-option", span, message, help);
        self.parse_option(part);
    }

    fn attach_else(&mut self, lines: &mut Lines, part: Part, begins_line: bool) {
        let span = self.head_span(&part);
        let mut parts = part.into_inner();
        let condition = self.next_condition(&mut parts);
        let body = self.parse_body(&mut parts);
        if lines.after_bad && begins_line {
            return;
        }
        let above = lines
            .block
            .last_mut()
            .filter(|_| lines.takes_else && begins_line);
        if let Err((message, help)) = attach(above.map(|stmt| &mut stmt.kind), condition, body) {
            self.error("stray-else", span, message, help);
        }
    }

    /// Parses the condition of an `else if`.
    fn next_condition(&mut self, parts: &mut Pairs<Rule>) -> Option<Expr> {
        let has_one = parts.clone().any(|part| part.as_rule() == Rule::expr);
        has_one.then(|| self.next_expr(parts)).flatten()
    }

    /// Parses the block after a `:`.
    pub(super) fn parse_body(&mut self, parts: &mut Pairs<Rule>) -> Block {
        match skip_to(parts, |rule| rule == Rule::body) {
            Some(body) => self.parse_body_part(body),
            None => Block::new(),
        }
    }

    pub(super) fn parse_body_part(&mut self, body: Part) -> Block {
        let mut parts = body.into_inner();
        let colon = parts.next();
        match (parts.next(), colon) {
            (Some(part), _) if part.as_rule() == Rule::block => {
                self.parse_lines(&mut part.into_inner())
            }
            (Some(part), _) if part.as_rule() == Rule::sentence => {
                let mut lines = Lines::default();
                self.add_statements(&mut lines, part, false);
                lines.block
            }
            (_, Some(colon)) => {
                let help = "write statements after the `:`, or indented in the lines below";
                let message = "nothing follows this `:`";
                self.error("empty-body", self.span(&colon), message, help);
                Block::new()
            }
            _ => Block::new(),
        }
    }

    /// Returns the span of a statement without its body.
    pub(super) fn head_span(&self, part: &Part) -> Span {
        let start = part.as_span().start();
        let body = part
            .clone()
            .into_inner()
            .find(|p| p.as_rule() == Rule::body);
        let end = body.map_or(part.as_span().end(), |body| body.as_span().start());
        let head = part.as_str().get(..end - start).unwrap_or_default();
        self.positions
            .span(start, start + head.trim_end_matches([' ', '\n']).len())
    }
}

/// Returns the statements of a `sentence`.
pub(super) fn statements(sentence: Part) -> impl Iterator<Item = Part> {
    sentence
        .into_inner()
        .filter(|part| part.as_rule() != Rule::semicolon)
}

type Complaint = (&'static str, &'static str);

fn attach(
    above: Option<&mut StmtKind>,
    condition: Option<Expr>,
    body: Block,
) -> Result<(), Complaint> {
    let slot = match above {
        Some(StmtKind::If {
            arms,
            otherwise: None,
        }) if condition.is_some() => {
            arms.extend(condition.map(|condition| (condition, body)));
            return Ok(());
        }
        Some(StmtKind::If { otherwise, .. }) => otherwise,
        Some(StmtKind::Ask { no, .. }) => no,
        Some(StmtKind::Choose(choose)) => else_of_choice(choose)?,
        _ => return Err(NOTHING_ABOVE),
    };
    match (&slot, condition) {
        (Some(_), _) => Err(TWO_ELSES),
        (None, Some(_)) => Err(ELSE_IF),
        (None, None) => {
            *slot = Some(body);
            Ok(())
        }
    }
}

fn else_of_choice(choose: &mut Choose) -> Result<&mut Option<Block>, Complaint> {
    match choose.body.is_some() || choose.options.iter().all(|option| option.body.is_some()) {
        true => Ok(&mut choose.otherwise),
        false => Err(NO_BODY),
    }
}

const NOTHING_ABOVE: Complaint = (
    "this `else` has no `if`, `choose` or `ask` above it",
    "put `else:` on its own line, with the indentation of its statement",
);
const TWO_ELSES: Complaint = (
    "a second `else` for the same statement",
    "merge both into one `else:`",
);
const ELSE_IF: Complaint = (
    "`else if` can only follow an `if`",
    "write `else:` and an `if` below it",
);
const NO_BODY: Complaint = (
    "`else` after a `choose` without a body",
    "add a `:` and a body to the `choose`; otherwise the rest of the block is its body",
);

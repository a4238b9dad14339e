//! The parts of a text that an overlay can name, with the places where something can be inserted.
//!
//! Locations of statements come from the grammar's own tree, and clauses from the syntax tree, which knows what a citation
//! belongs to.

use hashbrown::HashMap;
use std::ops::Range;

use pest::Parser;
use pest::iterators::{Pair, Pairs};

use super::impossible::ImpossibleEdit;
use crate::ast::{Block, Expr, ExprKind, Name, Stmt, StmtKind};
use crate::effect::{Grammar, Rule, parse_block, parse_expr};
use crate::layout::lay_out;
use crate::positions::Positions;
use wyrmgate_base::diagnostic::{FileId, Report, did_you_mean};

/// The maximum number of parts that a message lists.
const LISTED_MAX: usize = 12;

/// The kind of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// The statements of an effect or a handler.
    Effect,
    /// The value of a query.
    Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PartKind {
    #[default]
    Statement,
    /// A condition or another value that cites a clause.
    Condition,
}

/// A statement, an option or a condition.
#[derive(Debug, Default)]
pub struct Part {
    pub kind: PartKind,
    /// All of it, with its block and its `else`.
    pub range: Range<usize>,
    /// Its first line, without its block, for messages.
    pub words: String,
    clauses: Vec<String>,
    /// The prompt and the label, with their quotes, and where the first would stand. An option has only one of them.
    texts: [Option<Range<usize>>; 2],
    pub text_at: usize,
    /// The condition after `if` of an option or a decision, and where one would stand.
    condition: Option<Range<usize>>,
    pub tail: usize,
    /// From behind the `:` to the end of the block.
    body: Option<Range<usize>>,
    /// The statement `else: …`, and the part behind its `:`.
    pub otherwise: Option<Range<usize>>,
    otherwise_body: Option<Range<usize>>,
    pub is_option: bool,
    /// Whether it is a decision or an option, which can have words and a condition.
    pub is_decision: bool,
    pub among: Among,
    indent: String,
}

/// How a statement stands among the others of its block.
#[derive(Debug, Default, Clone, Copy)]
pub struct Among {
    begins_line: bool,
    /// Whether no other statement shares its line.
    is_alone: bool,
    /// Whether it is the only statement of its block.
    pub is_only: bool,
}

impl Among {
    /// Returns whether the lines of the statement are all its own.
    pub fn has_lines(self) -> bool {
        self.begins_line && self.is_alone
    }
}

impl Part {
    pub fn indent(&self) -> &str {
        &self.indent
    }

    pub fn attribute(&self, name: &str) -> Option<Range<usize>> {
        match name {
            "else" => self.otherwise_body.clone(),
            "prompt" => self.texts[0].clone(),
            "label" => self.texts[1].clone(),
            "if" => self.condition.clone(),
            _ => self.body.clone(),
        }
    }

    fn encloses(&self, other: &Part) -> bool {
        let (outer, inner) = (&self.range, &other.range);
        outer != inner && outer.start <= inner.start && inner.end <= outer.end
    }
}

/// The parts of a text, in order.
#[derive(Debug)]
pub struct Outline {
    text: String,
    parts: Vec<Part>,
}

impl Outline {
    /// Returns the parts of a text that parses.
    pub fn of(text: &str, code: Code) -> Option<Outline> {
        let positions = Positions::straight(FileId(0), 0);
        let mut report = Report::default();
        let mut outline = Outline {
            text: text.to_owned(),
            parts: Vec::new(),
        };
        match code {
            Code::Value => {
                let value = parse_expr(text, &positions, &mut report)?;
                value.all().for_each(|part| outline.add_condition(part));
            }
            Code::Effect => {
                let block = parse_block(text, &positions, &mut report);
                let laid_out = lay_out(text, &positions, &mut report)?;
                let mut tree = Grammar::parse(Rule::text, &laid_out).ok()?;
                outline.add_lines(tree.next()?.into_inner());
                let mut clauses = HashMap::new();
                outline.add_block(&block, &mut clauses);
                for part in &mut outline.parts {
                    let found = clauses.get(&part.range.start);
                    if let Some(found) = found.filter(|_| part.kind == PartKind::Statement) {
                        part.clauses.clone_from(found);
                    }
                }
            }
        }
        (!report.has_errors()).then_some(outline)
    }

    /// Returns the names of all parts: their words, and the clauses that they implement.
    pub fn names(&self) -> Vec<String> {
        let parts = self.parts.iter();
        let names = parts.flat_map(|part| std::iter::once(&part.words).chain(&part.clauses));
        let mut names: Vec<String> = names.filter(|name| !name.is_empty()).cloned().collect();
        names.dedup();
        names
    }

    pub fn part(&self, number: usize) -> Option<&Part> {
        self.parts.get(number)
    }

    /// Returns the statement on whose line a part stands, behind its `:`, or to which a condition belongs.
    pub fn around(&self, part: &Part) -> Option<&Part> {
        let is_around = |outer: &&Part| outer.kind == PartKind::Statement && outer.encloses(part);
        let outer = self.parts.iter().filter(is_around);
        let outer = outer.max_by_key(|outer| outer.range.start);
        outer.filter(|_| part.kind == PartKind::Condition || !part.among.begins_line)
    }

    /// Returns the last option of a decision; without one, the last option of the text.
    pub fn last_option(&self, within: Option<&Part>) -> Option<&Part> {
        let inside = |part: &&Part| within.is_none_or(|outer| outer.encloses(part));
        self.parts
            .iter()
            .rfind(|part| part.is_option && inside(part))
    }

    /// Finds the part that implements a clause or begins with these words.
    pub fn find(&self, words: &str, within: Option<&Part>) -> Result<usize, ImpossibleEdit> {
        let wanted = squeezed(words);
        let inside = |part: &Part| within.is_none_or(|outer| outer.encloses(part));
        let head = |part: &Part| squeezed(&part.words);
        let parts = self.parts.iter().enumerate();
        let mut found: Vec<(usize, &Part)> = parts
            .filter(|(_, part)| inside(part) && part.is_called(&wanted, &head(part)))
            .collect();
        if found.len() > 1 {
            let exact = |(_, part): &&(usize, &Part)| head(part) == wanted;
            if let [one] = found.iter().filter(exact).collect::<Vec<_>>().as_slice() {
                found = vec![**one];
            }
        }
        match found.as_slice() {
            [(number, _)] => Ok(*number),
            [] => Err(self.nothing(words, within)),
            several => Err(ambiguous(words, several)),
        }
    }

    fn nothing(&self, words: &str, within: Option<&Part>) -> ImpossibleEdit {
        let inside = |part: &&Part| within.is_none_or(|outer| outer.encloses(part));
        let parts: Vec<&Part> = self.parts.iter().filter(inside).collect();
        let heads: Vec<&str> = parts.iter().map(|part| part.words.as_str()).collect();
        let clauses = parts.iter().flat_map(|part| &part.clauses);
        let names = heads.iter().copied().chain(clauses.map(String::as_str));
        let near = did_you_mean(words, names);
        let listed: Vec<String> = heads
            .iter()
            .take(LISTED_MAX)
            .map(|head| format!("`{head}`"))
            .collect();
        let there = match listed.is_empty() {
            true => "nothing here cites a clause".to_owned(),
            false => format!("there is {}", listed.join(", ")),
        };
        ImpossibleEdit::new(
            "vanished-target",
            format!("there is no `{words}` here"),
            match near {
                Some(near) => format!("did you mean `{near}`? {there}"),
                None => format!("name a clause, or the first words of a statement: {there}"),
            },
        )
    }

    // ---- the grammar's tree

    fn add_lines(&mut self, lines: Pairs<Rule>) {
        let lines = lines.filter(|part| part.as_rule() == Rule::line);
        let sentences = lines.filter_map(|line| {
            line.into_inner()
                .find(|part| part.as_rule() == Rule::sentence)
        });
        self.add_sentences(sentences.collect(), true);
    }

    fn add_sentences(&mut self, sentences: Vec<Pair<Rule>>, are_lines: bool) {
        let mut above = None;
        let first = self.parts.len();
        let mut own = Vec::new();
        for sentence in sentences {
            let statements = sentence.into_inner();
            let statements: Vec<Pair<Rule>> = statements
                .filter(|part| part.as_rule() != Rule::semicolon)
                .collect();
            let is_alone = statements.len() == 1;
            for (i, statement) in statements.into_iter().enumerate() {
                if statement.as_rule() == Rule::else_stmt {
                    self.attach_else(above, statement);
                    continue;
                }
                above = Some(self.parts.len());
                own.push(self.parts.len());
                let among = Among {
                    begins_line: are_lines && i == 0,
                    is_alone,
                    is_only: false,
                };
                self.add_statement(statement, among);
            }
        }
        if let [only] = own.as_slice()
            && let Some(part) = self.parts.get_mut((*only).max(first))
        {
            part.among.is_only = true;
        }
    }

    fn add_statement(&mut self, statement: Pair<Rule>, among: Among) {
        let range = self.trimmed(statement.as_span().start(), statement.as_span().end());
        let children = || statement.clone().into_inner();
        let find = |rule: Rule| children().find(|part| part.as_rule() == rule);
        let body = find(Rule::body);
        let head_end = body
            .as_ref()
            .map_or(range.end, |body| body.as_span().start());
        let tails = [Rule::by_default, Rule::cites, Rule::body];
        let tail = children()
            .find(|part| tails.contains(&part.as_rule()))
            .map_or(range.end, |part| part.as_span().start());
        let named = children().find(|part| matches!(part.as_rule(), Rule::word | Rule::kw_choose));
        let text_at = named
            .as_ref()
            .map_or(range.start, |part| part.as_span().end());
        let condition = find(Rule::only_if).and_then(|part| {
            part.into_inner()
                .find(|part| part.as_rule() == Rule::expr)
                .map(|part| self.range_of(&part))
        });
        let is_option = statement.as_rule() == Rule::option_stmt;
        let text = find(Rule::text_lit);
        let label = find(Rule::labeled).and_then(|part| {
            part.into_inner()
                .find(|part| part.as_rule() == Rule::text_lit)
        });
        let label = if is_option { text.clone() } else { label };
        self.parts.push(Part {
            words: self.written(self.trimmed(range.start, head_end)),
            texts: [text, label].map(|text| text.map(|part| self.range_of(&part))),
            text_at,
            condition,
            tail: self.trimmed(range.start, tail).end,
            body: body.as_ref().map(|body| self.behind_colon(body)),
            is_option,
            is_decision: named.is_some(),
            among,
            indent: self.indent_at(range.start),
            range,
            ..Part::default()
        });
        if let Some(body) = body {
            self.add_body(body);
        }
    }

    fn add_body(&mut self, body: Pair<Rule>) {
        for part in body.into_inner() {
            match part.as_rule() {
                Rule::block => self.add_lines(part.into_inner()),
                Rule::sentence => self.add_sentences(vec![part], false),
                _ => {}
            }
        }
    }

    fn attach_else(&mut self, above: Option<usize>, statement: Pair<Rule>) {
        let range = self.range_of(&statement);
        let mut children = statement.into_inner();
        let has_condition = children.clone().any(|part| part.as_rule() == Rule::expr);
        let body = children.find(|part| part.as_rule() == Rule::body);
        let behind = body.as_ref().map(|body| self.behind_colon(body));
        if let Some(part) = above.and_then(|above| self.parts.get_mut(above)) {
            part.range.end = range.end;
            if !has_condition {
                (part.otherwise, part.otherwise_body) = (Some(range), behind);
            }
        }
        if let Some(body) = body {
            self.add_body(body);
        }
    }

    fn range_of(&self, part: &Pair<Rule>) -> Range<usize> {
        self.trimmed(part.as_span().start(), part.as_span().end())
    }

    fn behind_colon(&self, body: &Pair<Rule>) -> Range<usize> {
        let start = body.as_span().start();
        let end = self.trimmed(start, body.as_span().end()).end;
        let colon = body.clone().into_inner().next();
        colon.map_or(start, |colon| colon.as_span().end())..end
    }

    /// Excludes the white space at the end.
    fn trimmed(&self, start: usize, end: usize) -> Range<usize> {
        let text = self.text.get(start..end).unwrap_or_default();
        start..start + text.trim_end().len()
    }

    fn written(&self, range: Range<usize>) -> String {
        self.text.get(range).unwrap_or_default().to_owned()
    }

    fn indent_at(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let length = line.len() - line.trim_start_matches(' ').len();
        " ".repeat(length)
    }

    // ---- the syntax tree

    fn add_block(&mut self, block: &Block, clauses: &mut HashMap<usize, Vec<String>>) {
        for statement in block {
            note(clauses, statement.span.start, &statement.cites);
            self.add_options(statement, clauses);
            for value in statement.exprs().into_iter().flat_map(Expr::all) {
                self.add_condition(value);
            }
            for inner in statement.blocks() {
                self.add_block(inner, clauses);
            }
        }
    }

    fn add_options(&mut self, statement: &Stmt, clauses: &mut HashMap<usize, Vec<String>>) {
        if let StmtKind::Choose(choose) = &statement.kind {
            for option in choose.options.iter().filter(|option| option.name.is_some()) {
                note(clauses, option.span.start, &option.cites);
            }
        }
    }

    fn add_condition(&mut self, value: &Expr) {
        if let ExprKind::Cited(_, names) = &value.kind {
            let range = value.span.start as usize..value.span.end as usize;
            self.parts.push(Part {
                kind: PartKind::Condition,
                words: self.written(range.clone()),
                clauses: texts(names),
                text_at: range.start,
                tail: range.end,
                range,
                ..Part::default()
            });
        }
    }
}

impl Part {
    pub fn cites(&self, wanted: &str) -> bool {
        self.clauses.iter().any(|clause| clause == wanted)
    }

    fn is_called(&self, wanted: &str, head: &str) -> bool {
        if self.cites(wanted) {
            return true;
        }
        let rest = head.strip_prefix(wanted);
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        self.kind == PartKind::Statement && rest.is_some_and(ends)
    }
}

fn note(clauses: &mut HashMap<usize, Vec<String>>, start: u32, names: &[Name]) {
    let found = clauses.entry(start as usize).or_default();
    found.extend(texts(names));
}

fn texts(names: &[Name]) -> Vec<String> {
    names.iter().map(|name| name.text.clone()).collect()
}

/// Compares words however they are spaced.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn ambiguous(words: &str, several: &[(usize, &Part)]) -> ImpossibleEdit {
    let named = |(_, part): &(usize, &Part)| {
        let start = part.range.start;
        (start..start + part.words.len(), "one of them".to_owned())
    };
    let heads = several.iter().take(LISTED_MAX);
    let heads: Vec<String> = heads.map(|(_, part)| format!("`{}`", part.words)).collect();
    ImpossibleEdit {
        related: several.iter().map(named).collect(),
        ..ImpossibleEdit::new(
            "ambiguous-target",
            format!("`{words}` names {} parts", several.len()),
            format!(
                "name one by more of its first words, or below the statement around it: {}",
                heads.join(", ")
            ),
        )
    }
}

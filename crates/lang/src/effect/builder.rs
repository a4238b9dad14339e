//! What builds a statement or an expression from what the grammar found.

use pest::iterators::{Pair, Pairs};

use crate::ast::{Face, Name};
use crate::positions::Positions;
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};
use wyrmgate_grammar::Rule;

pub(super) type Part<'i> = Pair<'i, Rule>;

/// Builds nodes and reports what is wrong with them.
pub(super) struct Builder<'a> {
    pub(super) positions: &'a Positions,
    pub(super) report: &'a mut Report,
    /// From here on, wrong indentation has been reported, and the structure of lines is uncertain.
    pub(super) misaligned_from: Option<u32>,
    /// The number of lines that did not parse; each is reported once.
    pub(super) bad_lines: usize,
}

/// Problems that may be caused only by the indentation of other lines, or by lines that did not parse.
const OF_ALIGNMENT: [&str; 4] = ["indentation", "not-an-option", "stray-else", "stray-option"];

impl Builder<'_> {
    pub(super) fn span(&self, part: &Part) -> Span {
        let span = part.as_span();
        let written = span.as_str().trim_end_matches([' ', '\n']);
        self.positions
            .span(span.start(), span.start() + written.len())
    }

    pub(super) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: &str,
    ) {
        if OF_ALIGNMENT.contains(&code) && self.misaligned_from.is_some_and(|from| span.end >= from)
        {
            return;
        }
        self.report
            .push(Diagnostic::error(code, span, message).help(help));
    }

    pub(super) fn name(&self, part: &Part) -> Name {
        Name::new(part.as_str().to_string(), self.span(part))
    }

    pub(super) fn next_name(&self, parts: &mut Pairs<Rule>) -> Name {
        skip_to(parts, |rule| matches!(rule, Rule::name | Rule::word))
            .map_or_else(|| Name::new("", Span::default()), |part| self.name(&part))
    }

    /// Parses the clauses of a `[WAY-01 WAY-02]`.
    pub(super) fn parse_cites(&self, part: Part) -> Vec<Name> {
        part.into_inner()
            .filter(|p| p.as_rule() == Rule::clause)
            .map(|p| self.name(&p))
            .collect()
    }
}

/// Returns the next part, if it is a `rule`.
pub(super) fn next<'i>(parts: &mut Pairs<'i, Rule>, rule: Rule) -> Option<Part<'i>> {
    let found = parts.peek().filter(|part| part.as_rule() == rule);
    if found.is_some() {
        parts.next();
    }
    found
}

/// Returns the next part that is `wanted`; skips the tokens before it.
pub(super) fn skip_to<'i>(
    parts: &mut Pairs<'i, Rule>,
    wanted: impl Fn(Rule) -> bool,
) -> Option<Part<'i>> {
    parts.find(|part| wanted(part.as_rule()))
}

pub(super) fn next_face(parts: &mut Pairs<Rule>) -> Option<Face> {
    parts.find(|part| part.as_rule() == Rule::face).map(face)
}

pub(super) fn face(part: Part) -> Face {
    match part.into_inner().any(|p| p.as_rule() == Rule::kw_down) {
        true => Face::Down,
        false => Face::Up,
    }
}

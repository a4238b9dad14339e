//! Parses effect text: the entry points, and the parts that all builders share.
//!
//! pest recognizes the shape (`effect.pest`), and one `parse_` function per rule builds the node. A line that does not
//! parse is reported by itself and parsing continues with the next line, so an author sees all mistakes of a text at
//! once.

mod block;
mod builder;
mod choose;
mod expr;
mod lexeme;
mod physical;
mod signature;
pub mod statement;
mod stmt;
pub mod table;
mod text;

pub use lexeme::{Lexeme, Written};

use pest::Parser;
use pest::iterators::Pairs;

use crate::ast::{Block, Expr, ExprKind, Name, Signature};
use crate::expected;
use crate::indent::odd_lines;
use crate::layout::lay_out;
use crate::positions::Positions;
use builder::{Builder, Part, next};
pub(super) use expr::{is_infix, is_prefix};
use wyrmgate_base::diagnostic::{Report, Span};
pub(super) use wyrmgate_grammar::{Grammar, Rule};

/// Returns an expression that did not parse. The checker reports nothing about the name without letters, so an
/// unreadable part of the rules does not hide mistakes in the others.
pub(super) fn unreadable(span: Span) -> Expr {
    let name = Name::new("", span);
    Expr::new(ExprKind::Name(name), span)
}

/// Returns whether expressions can contain this name: `in` and `not` are operators.
pub fn is_name(text: &str) -> bool {
    Grammar::parse(Rule::name, text).is_ok_and(|found| found.as_str() == text)
}

/// Parses an expression; `None` if it does not parse.
pub fn parse_expr(text: &str, positions: &Positions, report: &mut Report) -> Option<Expr> {
    parse_with(
        Rule::only_expr,
        text,
        positions,
        report,
        |builder, parts| builder.next_expr(parts),
    )
}

/// Parses a range with its step: `0..5` or `12..36 by 2`.
pub fn parse_range(
    text: &str,
    positions: &Positions,
    report: &mut Report,
) -> Option<(Expr, Option<Expr>)> {
    parse_with(
        Rule::only_range,
        text,
        positions,
        report,
        |builder, parts| {
            let mut parts = next(parts, Rule::range_by)?.into_inner();
            let range = builder.next_expr(&mut parts)?;
            Some((range, builder.next_expr(&mut parts)))
        },
    )
}

/// Parses the statements of an effect. Lines that do not parse are reported and omitted. The block is empty if anything
/// else is wrong, because its statements might not be those that were meant.
pub fn parse_block(text: &str, positions: &Positions, report: &mut Report) -> Block {
    let before = report.diagnostics.len();
    let block = parse_with(Rule::text, text, positions, report, |builder, parts| {
        let block = builder.parse_lines(parts);
        let found = builder.report.diagnostics.len() - before;
        (found <= builder.bad_lines).then_some(block)
    });
    block.unwrap_or_default()
}

/// Parses the signature of an effect, a query or a handler: `seat p loses a coin` or `fits(card c)`.
pub fn parse_signature(
    text: &str,
    positions: &Positions,
    report: &mut Report,
) -> Option<Signature> {
    parse_with(
        Rule::signature,
        text,
        positions,
        report,
        |builder, parts| builder.parse_signature(parts),
    )
}

fn parse_with<T>(
    entrance: Rule,
    text: &str,
    positions: &Positions,
    report: &mut Report,
    build: impl FnOnce(&mut Builder, &mut Pairs<Rule>) -> Option<T>,
) -> Option<T> {
    let untouched = report.diagnostics.len();
    let mut laid_out = lay_out(text, positions, report)?;
    if entrance != Rule::text {
        // one line, however many the author took for it
        laid_out = laid_out.replace('\n', " ");
    }
    let before = report.diagnostics.len();
    if entrance == Rule::text && before == untouched {
        let odd = odd_lines(&laid_out, positions);
        odd.into_iter().for_each(|odd| report.push(odd));
    }
    let told = report.diagnostics.get(untouched..).unwrap_or_default();
    let misaligned_from = told.iter().map(|wrong| wrong.span.start).min();
    let mut builder = Builder {
        positions,
        report,
        misaligned_from,
        bad_lines: 0,
    };
    let built = match Grammar::parse(entrance, &laid_out) {
        Ok(mut whole) => build(&mut builder, &mut whole.next()?.into_inner()),
        Err(error) => {
            let problem = expected::diagnostic(entrance, &laid_out, 0, &error, positions);
            builder.report.push(problem);
            None
        }
    };
    // A tree with a part left out is only of use where parts are statements.
    let broken = entrance != Rule::text && report.diagnostics.len() > before;
    built.filter(|_| !broken)
}

impl Builder<'_> {
    /// Reports a line that did not parse, by parsing it again alone.
    pub(super) fn report_line(&mut self, part: &Part) {
        let (line, offset) = (part.as_str(), part.as_span().start());
        match Grammar::parse(Rule::only_line, line) {
            Err(error) => {
                let positions = self.positions;
                let problem =
                    expected::diagnostic(Rule::only_line, line, offset, &error, positions);
                self.report.push(problem);
            }
            Ok(_) => self.error(
                "syntax",
                self.span(part),
                "this line is not allowed here",
                "check the lines around it",
            ),
        }
    }
}

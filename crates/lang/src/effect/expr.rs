//! Expressions and the precedence of operators.

use pest::iterators::Pairs;

use super::Rule;
use super::builder::{Builder, Part, next, skip_to};
use crate::ast::{BinaryOp, Binder, BinderCount, Expr, ExprKind, Form, Name, Quantifier, UnaryOp};
use crate::limits::OPERATORS_MAX;
use wyrmgate_base::diagnostic::Span;

/// The precedence of an operator; 0 is the lowest.
type Power = u8;

const LOOSEST: Power = 0;
const FILTER: Power = 1;
/// `some x in S has …` and `if … then … else …` extend as far right as possible, but not past a filter.
const REACHING: Power = 2;
const OR: Power = 3;
const AND: Power = 4;
const CITED: Power = 5;
const NOT: Power = 6;
const COMPARISON: Power = 7;
const RANGE: Power = 8;
const SUM: Power = 9;
const PRODUCT: Power = 10;
const NEGATIVE: Power = 11;

fn power(operator: Rule) -> Power {
    match operator {
        Rule::filter_where | Rule::filter_sorted | Rule::filter_with => FILTER,
        Rule::op_or => OR,
        Rule::op_and => AND,
        Rule::cites => CITED,
        Rule::range => RANGE,
        Rule::add | Rule::subtract => SUM,
        Rule::multiply | Rule::divide | Rule::modulo => PRODUCT,
        operator if is_comparison(operator) => COMPARISON,
        _ => LOOSEST,
    }
}

fn is_comparison(operator: Rule) -> bool {
    use Rule::*;
    matches!(
        operator,
        equal | not_equal | less | less_equal | more | more_equal | op_in | op_not_in | is_test
    )
}

/// Returns whether it stands between two operands, or behind one.
pub(crate) fn is_infix(rule: Rule) -> bool {
    power(rule) != LOOSEST && rule != Rule::cites
}

/// Returns whether it stands before an operand.
pub(crate) fn is_prefix(rule: Rule) -> bool {
    use Rule::*;
    matches!(
        rule,
        op_not | negate | quantified | conditional | let_in | selected
    )
}

fn is_operator(rule: Rule) -> bool {
    is_prefix(rule) || power(rule) != LOOSEST || matches!(rule, Rule::field | Rule::index)
}

impl Builder<'_> {
    /// Parses the next expression of a statement. Expressions with too many operators are not built, so that trees stay
    /// shallow.
    pub(super) fn next_expr(&mut self, parts: &mut Pairs<Rule>) -> Option<Expr> {
        let part = skip_to(parts, |rule| {
            matches!(rule, Rule::expr | Rule::term | Rule::operand)
        })?;
        Some(self.parse_whole_expr(part))
    }

    /// Parses the first expression in a part.
    pub(super) fn expr_in(&mut self, part: Part) -> Option<Expr> {
        self.next_expr(&mut part.into_inner())
    }

    pub(super) fn parse_whole_expr(&mut self, part: Part) -> Expr {
        let operators = part
            .clone()
            .into_inner()
            .flatten()
            .filter(|p| is_operator(p.as_rule()));
        if let Some(first_too_many) = operators.skip(OPERATORS_MAX).last() {
            let message = format!("more than {OPERATORS_MAX} operators in one expression");
            let help = "name parts of it: use queries, or `let` lines before it";
            self.error("operators", self.span(&first_too_many), message, help);
            return Expr::new(ExprKind::None, self.span(&part));
        }
        self.parse_expr(part)
    }

    /// Parses an `expr`, a `term` or an `operand`.
    fn parse_expr(&mut self, part: Part) -> Expr {
        if part.as_rule() == Rule::operand {
            return self.parse_operand(part);
        }
        self.refuse_chains(part.clone().into_inner());
        let span = self.span(&part);
        self.parse_flat(&mut part.into_inner(), LOOSEST)
            .unwrap_or(Expr::new(ExprKind::None, span))
    }

    fn parse_inner_expr(&mut self, parts: &mut Pairs<Rule>) -> Expr {
        match skip_to(parts, |rule| rule == Rule::expr) {
            Some(part) => self.parse_expr(part),
            None => Expr::new(ExprKind::None, Span::default()),
        }
    }

    /// Parses a sequence of operands and operators with a precedence above `min`.
    fn parse_flat(&mut self, parts: &mut Pairs<Rule>, min: Power) -> Option<Expr> {
        let first = parts.next()?;
        let mut left = match first.as_rule() {
            Rule::quantified => self.parse_quantified(first, parts)?,
            rule if is_prefix(rule) => self.parse_prefix(first, parts)?,
            _ => self.parse_operand(first),
        };
        while let Some(operator) = parts.peek().filter(|part| power(part.as_rule()) > min) {
            parts.next();
            left = match operator.as_rule() {
                Rule::is_test => self.parse_is_test(left, operator),
                Rule::cites => self.parse_cited(left, operator),
                _ => self.parse_infix(left, operator, parts)?,
            };
        }
        Some(left)
    }

    /// Parses an operator that stands before its last operand, as far as it reaches.
    fn parse_prefix(&mut self, head: Part, parts: &mut Pairs<Rule>) -> Option<Expr> {
        let (span, rule) = (self.span(&head), head.as_rule());
        let inner = &mut head.into_inner();
        let mut operand =
            |builder: &mut Self, power| builder.parse_flat(parts, power).map(Box::new);
        let kind = match rule {
            Rule::op_not => ExprKind::Unary(UnaryOp::Not, operand(self, NOT - 1)?),
            Rule::negate => ExprKind::Unary(UnaryOp::Negate, operand(self, NEGATIVE - 1)?),
            Rule::conditional => {
                let condition = Box::new(self.parse_inner_expr(inner));
                let then = Box::new(self.parse_inner_expr(inner));
                ExprKind::If(condition, then, operand(self, REACHING)?)
            }
            // `let n = count(hand(p)); …`: what follows the `;` is the body.
            Rule::let_in => {
                let name = self.next_name(inner);
                let value = Box::new(self.parse_inner_expr(inner));
                let body = operand(self, LOOSEST)?;
                ExprKind::Let { name, value, body }
            }
            // `2 c in S`
            _ => {
                let count = next(inner, Rule::amount).and_then(|part| self.parse_amount(part))?;
                let name = self.next_name(inner);
                let of = *operand(self, COMPARISON)?;
                let form = Form::Plain;
                ExprKind::Selections(Box::new(Binder {
                    name,
                    count,
                    form,
                    of,
                }))
            }
        };
        let expr = Expr::new(kind, span);
        let end = expr.parts().last().map_or(span, |last| last.span);
        Some(Expr {
            span: span.to(end),
            ..expr
        })
    }

    fn parse_quantified(&mut self, head: Part, parts: &mut Pairs<Rule>) -> Option<Expr> {
        let span = self.span(&head);
        let mut inner = head.into_inner();
        let quantifier = match inner.next()?.as_rule() {
            Rule::kw_some => Quantifier::Some,
            Rule::kw_every => Quantifier::Every,
            _ => Quantifier::No,
        };
        let name = self.next_name(&mut inner);
        let of = Box::new(self.parse_inner_expr(&mut inner));
        let condition = self.parse_flat(parts, REACHING)?;
        let span = span.to(condition.span);
        let (condition, cites) = take_last_cites(condition);
        let kind = ExprKind::Quantified {
            quantifier,
            name,
            of,
            condition: Box::new(condition),
        };
        Some(cited(Expr::new(kind, span), cites))
    }

    fn parse_amount(&mut self, part: Part) -> Option<BinderCount> {
        let mut parts = part.into_inner();
        let first = parts.peek()?.as_rule();
        let small = skip_to(&mut parts, |rule| rule == Rule::small);
        let small = small.and_then(|small| small.into_inner().next());
        let number = small.map(|part| self.parse_atom_or_name(part));
        Some(match (first, number) {
            (Rule::kw_up, Some(most)) => BinderCount::UpTo(most),
            (_, Some(count)) => BinderCount::Exactly(count),
            (_, None) => BinderCount::Any,
        })
    }

    fn parse_atom_or_name(&mut self, part: Part) -> Expr {
        let span = self.span(&part);
        let kind = match part.as_rule() {
            Rule::int => self.parse_int(&part),
            _ => ExprKind::Name(self.name(&part)),
        };
        Expr::new(kind, span)
    }

    fn parse_is_test(&mut self, subject: Expr, part: Part) -> Expr {
        let span = subject.span.to(self.span(&part));
        let mut inner = part.into_inner();
        inner.next(); // `is`
        let negated = next(&mut inner, Rule::is_not).is_some();
        let what = self.next_name(&mut inner);
        Expr {
            kind: ExprKind::Is {
                subject: Box::new(subject),
                negated,
                what,
            },
            span,
        }
    }

    fn parse_cited(&mut self, expr: Expr, part: Part) -> Expr {
        let span = expr.span.to(self.span(&part));
        Expr::new(
            ExprKind::Cited(Box::new(expr), self.parse_cites(part)),
            span,
        )
    }

    fn parse_infix(&mut self, left: Expr, operator: Part, parts: &mut Pairs<Rule>) -> Option<Expr> {
        let right = self.parse_flat(parts, power(operator.as_rule()))?;
        let span = left.span.to(right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        let most = operator
            .clone()
            .into_inner()
            .any(|p| p.as_rule() == Rule::kw_most);
        let kind = match operator.as_rule() {
            Rule::filter_where => ExprKind::Where(left, right),
            Rule::filter_sorted => ExprKind::Sorted {
                of: left,
                key: right,
                descending: most,
            },
            Rule::filter_with => ExprKind::With {
                of: left,
                key: right,
                most,
            },
            Rule::range => ExprKind::Range(left, right),
            _ => ExprKind::Binary(binary_op(&operator)?, left, right),
        };
        Some(Expr::new(kind, span))
    }

    /// Rejects `a < b < c`, which would compare a truth value with a number.
    fn refuse_chains(&mut self, parts: Pairs<Rule>) {
        let mut compared = false;
        for part in parts {
            let rule = part.as_rule();
            if is_comparison(rule) && compared {
                let help = "compare two at a time: `a < b and b < c`; a condition stands alone, without `is true`";
                let message = "a second comparison in a row";
                self.error("chained-comparison", self.span(&part), message, help);
            }
            let fresh = matches!(power(rule), FILTER | OR | AND)
                || matches!(rule, Rule::quantified | Rule::conditional);
            compared = !fresh && (compared || is_comparison(rule));
        }
    }

    fn parse_operand(&mut self, part: Part) -> Expr {
        let mut parts = part.into_inner();
        let mut expr = match parts.next() {
            Some(portion) if portion.as_rule() == Rule::portion => self.parse_portion(portion),
            Some(atom) => self.parse_atom(atom),
            None => Expr::new(ExprKind::None, Span::default()),
        };
        for part in parts {
            let span = expr.span.to(self.span(&part));
            let kind = match part.as_rule() {
                Rule::index => ExprKind::Index(
                    Box::new(expr),
                    Box::new(self.parse_inner_expr(&mut part.into_inner())),
                ),
                _ => {
                    let (name, args) = self.parse_named(part);
                    ExprKind::Field(Box::new(expr), name, args)
                }
            };
            expr = Expr::new(kind, span);
        }
        expr
    }

    fn parse_atom(&mut self, part: Part) -> Expr {
        let span = self.span(&part);
        let kind = match part.as_rule() {
            Rule::int => self.parse_int(&part),
            Rule::text_lit => ExprKind::Text(self.parse_text(part)),
            Rule::list => ExprKind::List(self.parse_each_expr(part)),
            Rule::group => {
                return Expr {
                    span,
                    ..self.parse_inner_expr(&mut part.into_inner())
                };
            }
            Rule::field => {
                let (name, args) = self.parse_named(part);
                ExprKind::ItField(name, args)
            }
            _ => {
                let (name, args) = self.parse_named(part);
                named_kind(name, args)
            }
        };
        Expr::new(kind, span)
    }

    /// Parses `2 wood`.
    fn parse_portion(&mut self, part: Part) -> Expr {
        let span = self.span(&part);
        let parts = part.into_inner();
        let parts = parts.filter(|part| matches!(part.as_rule(), Rule::int | Rule::name));
        let mut parts = parts.map(|part| Box::new(self.parse_atom_or_name(part)));
        let both = parts.next().zip(parts.next());
        let kind = both.map(|(number, value)| ExprKind::Binary(BinaryOp::Portion, number, value));
        Expr::new(kind.unwrap_or_default(), span)
    }

    fn parse_int(&mut self, part: &Part) -> ExprKind {
        match part.as_str().parse() {
            Ok(number) => ExprKind::Int(number),
            Err(_) => {
                let help = format!("the largest number is {}", i32::MAX);
                let message = "this number is too large";
                let help = &help;
                self.error("number-too-large", self.span(part), message, help);
                ExprKind::Int(0)
            }
        }
    }

    /// Parses `rank` or `fits(s)` of a `named` or a `field`.
    fn parse_named(&mut self, part: Part) -> (Name, Option<Vec<Expr>>) {
        let mut parts = part.into_inner();
        let name = self.next_name(&mut parts);
        (
            name,
            next(&mut parts, Rule::args).map(|args| self.parse_each_expr(args)),
        )
    }

    fn parse_each_expr(&mut self, part: Part) -> Vec<Expr> {
        let exprs = part.into_inner().filter(|p| p.as_rule() == Rule::expr);
        exprs.map(|p| self.parse_expr(p)).collect()
    }
}

fn named_kind(name: Name, args: Option<Vec<Expr>>) -> ExprKind {
    match (name.text.as_str(), args) {
        (_, Some(args)) => ExprKind::Call(name, args),
        ("true", None) => ExprKind::Bool(true),
        ("false", None) => ExprKind::Bool(false),
        ("none", None) => ExprKind::None,
        ("it", None) => ExprKind::It,
        (_, None) => ExprKind::Name(name),
    }
}

fn binary_op(operator: &Part) -> Option<BinaryOp> {
    let words: Vec<&str> = operator.as_str().split_whitespace().collect();
    let sign = words.join(" ");
    BinaryOp::ALL.into_iter().find(|op| op.sign() == sign)
}

fn cited(expr: Expr, cites: Vec<Name>) -> Expr {
    let Some(last) = cites.last() else {
        return expr;
    };
    let span = expr.span.to(last.span);
    Expr::new(ExprKind::Cited(Box::new(expr), cites), span)
}

/// Removes a citation from the last operand: at the end of `some x in S has a and b [WAY-01]`, it belongs to the whole
/// expression.
fn take_last_cites(expr: Expr) -> (Expr, Vec<Name>) {
    match expr.kind {
        ExprKind::Cited(inner, cites) => (*inner, cites),
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let (right, cites) = take_last_cites(*right);
            let span = left.span.to(right.span);
            (
                Expr::new(ExprKind::Binary(op, left, Box::new(right)), span),
                cites,
            )
        }
        kind => (Expr::new(kind, expr.span), Vec::new()),
    }
}

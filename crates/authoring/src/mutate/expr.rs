//! Mutations of expressions.

use super::walk::{Mutant, MutationWalk};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{BinaryOp, Expr, ExprKind, Name, Quantifier, UnaryOp};
use wyrmgate_lang::table::is_cell;

/// Functions that differ only in the order in which they go through their argument.
const DIRECTIONS: &[(&str, &str)] = &[("left", "right"), ("top", "bottom"), ("first", "last")];

/// Other words of the language with opposite meanings.
const OPPOSITES: &[(&str, &str)] = &[
    ("min", "max"),
    ("any", "all"),
    ("north", "south"),
    ("east", "west"),
];

/// Functions that return a part or another order of their list or seat, and that can be removed.
const WITHOUT: &[&str] = &["others", "reversed", "seats_from", "unique"];

impl MutationWalk {
    /// Mutates an expression and all its parts.
    pub(super) fn expr(&mut self, expr: &mut Expr) {
        if is_cell(expr) {
            return; // the column has it
        }
        let span = expr.span;
        match &mut expr.kind {
            ExprKind::Int(number) => self.number(number, span),
            ExprKind::Bool(value) => self.truth(value, span),
            ExprKind::Name(name) | ExprKind::ItField(name, _) | ExprKind::Field(_, name, _) => {
                self.word(name);
            }
            ExprKind::Unary(UnaryOp::Not, _) => {
                return self.without(expr, span, "`not` is left out");
            }
            ExprKind::Unary(UnaryOp::Negate, _) => {
                return self.without(expr, span, "`-` is left out");
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => return self.condition(expr),
            ExprKind::Binary(op, left, right) => {
                let (others, span) = (others(*op), left.span.to(right.span));
                self.replace(op, others, span, BinaryOp::sign);
            }
            ExprKind::Is { negated, .. } => {
                let what = match negated {
                    true => "`is not` becomes `is`",
                    false => "`is` becomes `is not`",
                };
                *negated ^= self.is(span, what);
            }
            ExprKind::If(_, then, otherwise)
                if self.is(span, "`then` and `else` change places") =>
            {
                std::mem::swap(then, otherwise);
            }
            ExprKind::Where(of, _) => {
                let filter = after(of.span, span);
                return self.without(expr, filter, "`where` is left out");
            }
            ExprKind::Sorted { descending, .. } => {
                *descending ^= self.is(span, "the order is reversed");
                return self.without(expr, span, "`sorted by` is left out");
            }
            ExprKind::With { most, .. } => {
                *most ^= self.is(span, "`most` and `least` change places");
                return self.without(expr, span, "`with` is left out");
            }
            ExprKind::Quantified { quantifier, .. } => self.quantifier(quantifier, span),
            ExprKind::Call(name, _) => {
                let is_whole = WITHOUT.contains(&name.text.as_str());
                self.word(name);
                if is_whole {
                    let what = "only part of it is asked for, and now all";
                    return self.without(expr, span, what);
                }
            }
            // Texts for people are not mutated.
            ExprKind::Text(_) => return,
            _ => {}
        }
        self.parts_of(expr);
    }

    /// Mutates the parts of an expression.
    fn parts_of(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::If(condition, then, otherwise) => {
                self.condition(condition);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Where(of, condition) | ExprKind::Quantified { of, condition, .. } => {
                self.expr(of);
                self.condition(condition);
            }
            _ => self.exprs(expr.parts_mut()),
        }
    }

    fn number(&mut self, number: &mut i32, span: Span) {
        for change in [1, -1] {
            let changed = number.saturating_add(change);
            if self.is(span, format_args!("`{number}` becomes `{changed}`")) {
                *number = changed;
                return;
            }
        }
    }

    fn truth(&mut self, value: &mut bool, span: Span) {
        *value ^= self.is(span, format_args!("`{value}` becomes `{}`", !*value));
    }

    /// Replaces a word by its opposite.
    fn word(&mut self, name: &mut Name) {
        let mut pairs = DIRECTIONS.iter().chain(OPPOSITES);
        let opposite = pairs.find_map(|(one, other)| match &*name.text {
            text if text == *one => Some(*other),
            text => (text == *other).then_some(*one),
        });
        if let Some(opposite) = opposite
            && self.is(name.span, becomes(&name.text, opposite))
        {
            name.text = opposite.to_owned();
        }
    }

    /// Replaces the expression by its first operand, or mutates its parts.
    fn without(&mut self, expr: &mut Expr, span: Span, what: &str) {
        if self.is(span, what) {
            if let Some(first) = first_operand(&mut expr.kind) {
                *expr = first;
            }
            return;
        }
        self.parts_of(expr);
    }

    fn quantifier(&mut self, quantifier: &mut Quantifier, span: Span) {
        let word = |quantifier: Quantifier| match quantifier {
            Quantifier::Some => "some",
            Quantifier::Every => "every",
            Quantifier::No => "no",
        };
        let others: &[Quantifier] = match quantifier {
            Quantifier::Some => &[Quantifier::Every, Quantifier::No],
            Quantifier::Every | Quantifier::No => &[Quantifier::Some],
        };
        self.replace(quantifier, others, span, word);
    }
}

/// Returns the part of the whole behind its beginning.
fn after(beginning: Span, whole: Span) -> Span {
    Span {
        start: beginning.end,
        ..whole
    }
}

pub(super) fn becomes(one: &str, other: &str) -> String {
    format!("`{one}` becomes `{other}`")
}

/// Returns whether the mutant only reverses the order in which a function goes through its argument.
pub(super) fn reverses(mutant: &Mutant) -> bool {
    let mut pairs = DIRECTIONS.iter();
    let is_what = |one, other| mutant.what == becomes(one, other);
    pairs.any(|(one, other)| is_what(one, other) || is_what(other, one))
}

fn first_operand(kind: &mut ExprKind) -> Option<Expr> {
    match std::mem::replace(kind, ExprKind::None) {
        ExprKind::Unary(_, first) | ExprKind::Where(first, _) => Some(*first),
        ExprKind::Sorted { of, .. } | ExprKind::With { of, .. } => Some(*of),
        ExprKind::Call(name, mut args) => match &*name.text {
            "others" | "seats_from" => Some(Expr {
                span: name.span,
                kind: ExprKind::Name(Name::new("seats", name.span)),
            }),
            _ => args.pop(),
        },
        _ => None,
    }
}

/// Returns the operators that an author could confuse with this one.
fn others(op: BinaryOp) -> &'static [BinaryOp] {
    use BinaryOp::*;
    match op {
        Equal => &[NotEqual],
        NotEqual => &[Equal],
        Less => &[LessOrEqual, MoreOrEqual],
        LessOrEqual => &[Less, More],
        More => &[MoreOrEqual, LessOrEqual],
        MoreOrEqual => &[More, Less],
        In => &[NotIn],
        NotIn => &[In],
        Add => &[Subtract],
        Subtract => &[Add],
        Multiply => &[Add],
        Divide => &[Multiply],
        Modulo => &[Divide],
        And | Or | Portion => &[],
    }
}

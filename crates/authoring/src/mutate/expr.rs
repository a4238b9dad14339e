//! Mutations of expressions.

use super::walk::{Mutant, Walk};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{BinaryOp, BinderCount, Expr, ExprKind, Name, Quantifier, UnaryOp};

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

impl Walk {
    pub(super) fn exprs(&mut self, exprs: &mut [Expr]) {
        exprs.iter_mut().for_each(|expr| self.expr(expr));
    }

    /// Mutates an expression and all its parts.
    pub(super) fn expr(&mut self, expr: &mut Expr) {
        let span = expr.span;
        match &mut expr.kind {
            ExprKind::Int(number) => self.number(number, span),
            ExprKind::Bool(value) => self.truth(value, span),
            ExprKind::Name(name) => self.word(name),
            ExprKind::Unary(op, _) => {
                let sign = match op {
                    UnaryOp::Not => "`not` is left out",
                    UnaryOp::Negate => "`-` is left out",
                };
                self.without(expr, span, sign);
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => self.condition(expr),
            ExprKind::Binary(op, left, right) => {
                self.operator(op, left.span, right.span);
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Is {
                subject, negated, ..
            } => {
                let what = if *negated {
                    "`is not` becomes `is`"
                } else {
                    "`is` becomes `is not`"
                };
                *negated ^= self.is(span, || what.to_owned());
                self.expr(subject);
            }
            ExprKind::If(condition, then, otherwise) => {
                if self.is(span, || "`then` and `else` change places".to_owned()) {
                    std::mem::swap(then, otherwise);
                }
                self.condition(condition);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Where(of, _) => {
                let filter = after(of.span, span);
                self.without(expr, filter, "`where` is left out");
            }
            ExprKind::Sorted { descending, .. } => {
                *descending ^= self.is(span, || "the order is reversed".to_owned());
                self.without(expr, span, "`sorted by` is left out");
            }
            ExprKind::With { most, .. } => {
                *most ^= self.is(span, || "`most` and `least` change places".to_owned());
                self.without(expr, span, "`with` is left out");
            }
            ExprKind::Quantified {
                quantifier,
                of,
                condition,
                ..
            } => {
                self.quantifier(quantifier, span);
                self.expr(of);
                self.condition(condition);
            }
            ExprKind::Call(name, args) => {
                let is_whole = WITHOUT.contains(&name.text.as_str());
                self.word(name);
                match is_whole {
                    true => self.without(expr, span, "only part of it is asked for, and now all"),
                    false => self.exprs(args),
                }
            }
            ExprKind::ItField(name, args) => {
                self.word(name);
                args.iter_mut().for_each(|args| self.exprs(args));
            }
            ExprKind::Field(of, name, args) => {
                self.word(name);
                self.expr(of);
                args.iter_mut().for_each(|args| self.exprs(args));
            }
            ExprKind::Index(one, other) | ExprKind::Range(one, other) => {
                self.expr(one);
                self.expr(other);
            }
            ExprKind::List(members) => self.exprs(members),
            ExprKind::Let { value, body, .. } => {
                self.expr(value);
                self.expr(body);
            }
            ExprKind::Selections(binder) => {
                if let BinderCount::Exactly(count) | BinderCount::UpTo(count) = &mut binder.count {
                    self.expr(count);
                }
                self.expr(&mut binder.of);
            }
            ExprKind::Cited(inner, _) => self.expr(inner),
            // Texts for people are not mutated.
            ExprKind::Text(_) | ExprKind::None | ExprKind::It => {}
        }
    }

    fn number(&mut self, number: &mut i32, span: Span) {
        for change in [1, -1] {
            let changed = number.saturating_add(change);
            if self.is(span, || format!("`{number}` becomes `{changed}`")) {
                *number = changed;
                return;
            }
        }
    }

    fn truth(&mut self, value: &mut bool, span: Span) {
        *value ^= self.is(span, || format!("`{value}` becomes `{}`", !*value));
    }

    /// Replaces a word by its opposite.
    fn word(&mut self, name: &mut Name) {
        let mut pairs = DIRECTIONS.iter().chain(OPPOSITES);
        let opposite = pairs.find_map(|(one, other)| match &*name.text {
            text if text == *one => Some(*other),
            text if text == *other => Some(*one),
            _ => None,
        });
        if let Some(opposite) = opposite
            && self.is(name.span, || becomes(&name.text, opposite))
        {
            name.text = opposite.to_owned();
        }
    }

    /// Replaces the expression by its first operand, or mutates its parts.
    fn without(&mut self, expr: &mut Expr, span: Span, what: &str) {
        if self.is(span, || what.to_owned()) {
            if let Some(first) = first_operand(&mut expr.kind) {
                *expr = first;
            }
            return;
        }
        match &mut expr.kind {
            ExprKind::Where(of, condition) => {
                self.expr(of);
                self.condition(condition);
            }
            ExprKind::Sorted { of, key, .. } | ExprKind::With { of, key, .. } => {
                self.expr(of);
                self.expr(key);
            }
            ExprKind::Unary(_, inner) => self.expr(inner),
            ExprKind::Call(_, args) => self.exprs(args),
            _ => {}
        }
    }

    fn operator(&mut self, op: &mut BinaryOp, left: Span, right: Span) {
        let span = left.to(right);
        for other in others(*op) {
            if self.is(span, || {
                format!("`{}` becomes `{}`", sign(*op), sign(*other))
            }) {
                *op = *other;
                return;
            }
        }
    }

    fn quantifier(&mut self, quantifier: &mut Quantifier, span: Span) {
        let word = |quantifier: Quantifier| match quantifier {
            Quantifier::Some => "some",
            Quantifier::Every => "every",
            Quantifier::No => "no",
        };
        let others: &[Quantifier] = match quantifier {
            Quantifier::Some => &[Quantifier::Every, Quantifier::No],
            Quantifier::Every => &[Quantifier::Some],
            Quantifier::No => &[Quantifier::Some],
        };
        for other in others {
            let what = || format!("`{}` becomes `{}`", word(*quantifier), word(*other));
            if self.is(span, what) {
                *quantifier = *other;
                return;
            }
        }
    }
}

/// Returns the part of the whole behind its beginning.
fn after(beginning: Span, whole: Span) -> Span {
    Span {
        start: beginning.end,
        ..whole
    }
}

fn becomes(one: &str, other: &str) -> String {
    format!("`{one}` becomes `{other}`")
}

/// Returns whether the mutant only reverses the order in which a function goes through its argument.
pub(super) fn reverses(mutant: &Mutant) -> bool {
    let mut pairs = DIRECTIONS.iter();
    pairs.any(|(one, other)| {
        mutant.what == becomes(one, other) || mutant.what == becomes(other, one)
    })
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
        And | Or => &[],
    }
}

fn sign(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Or => "or",
        And => "and",
        Equal => "=",
        NotEqual => "!=",
        Less => "<",
        LessOrEqual => "<=",
        More => ">",
        MoreOrEqual => ">=",
        In => "in",
        NotIn => "not in",
        Add => "+",
        Subtract => "-",
        Multiply => "*",
        Divide => "/",
        Modulo => "mod",
    }
}

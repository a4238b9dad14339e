//! What `each`, `copies`, `data`, `fields`, `faces`, `if` and options are worth: translated as every other expression and
//! evaluated at once. Known are data, options, types, `seats`, zones and components above, and the keys of the
//! declaration at hand.
//!
//! Lists of lists exist only here: in play one index leads to values.

use std::sync::Arc;

use crate::compile::builder::Builder;
use crate::compile::expressions::value::wrong_type;
use crate::names::constant::Constant;
use crate::names::types::{Families, Ty, default_of, is_ordinal};
use crate::names::world::{Symbol, World};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};
use wyrmgate_lang::ast::{BinaryOp, Expr, ExprKind};
use wyrmgate_program::pure::Stopped;
use wyrmgate_program::{NONE, Type};

/// Keys of a declaration and their values: `owner`, `path`.
pub type Keys = Vec<(Arc<str>, Constant)>;

pub struct Evaluator<'a> {
    pub world: &'a mut World,
    pub b: &'a mut Builder,
    pub report: &'a mut Report,
}

/// Returns the value of a number or a truth value that is written out: it needs no translation.
fn literal(expr: &Expr) -> Option<Constant> {
    match expr.kind {
        ExprKind::Int(value) => Some(Constant::int(value)),
        ExprKind::Bool(value) => Some(Constant::bool(value)),
        _ => None,
    }
}

impl Evaluator<'_> {
    /// Returns the value, or `None` after a diagnostic. `wanted` determines the enum of a bare value.
    pub fn eval(&mut self, expr: &Expr, keys: &Keys, wanted: Option<Type>) -> Constant {
        let values = self.eval_all(expr, std::slice::from_ref(keys), wanted);
        values.into_iter().next().unwrap_or(Constant::NOTHING)
    }

    /// Returns the value for each of several scopes with the same keys.
    pub fn eval_all(
        &mut self,
        expr: &Expr,
        scopes: &[Keys],
        wanted: Option<Type>,
    ) -> Vec<Constant> {
        if scopes.is_empty() {
            return Vec::new();
        }
        if let Some(constant) = literal(expr) {
            return vec![constant; scopes.len()];
        }
        if self.is_of_lists(expr) {
            let rows = scopes.iter().map(|keys| self.rows(expr, keys, wanted));
            return rows.collect();
        }
        let translated = self.translated(expr, scopes, wanted);
        let Some(values) = translated else {
            return vec![Constant::NOTHING; scopes.len()];
        };
        let told = values
            .iter()
            .find_map(|value| value.as_ref().err().copied());
        if let Some(stopped) = told {
            self.not_known(stopped, expr.span);
        }
        let values = values.into_iter();
        values
            .map(|value| value.unwrap_or(Constant::NOTHING))
            .collect()
    }

    /// Returns a single value of this type for each of several scopes with the same keys, or its default after a diagnostic.
    pub fn each(&mut self, expr: &Expr, scopes: &[Keys], wanted: Type) -> Vec<i32> {
        let found = self.eval_all(expr, scopes, Some(wanted)).into_iter();
        found
            .map(|constant| self.single(constant, expr.span, wanted))
            .collect()
    }

    /// Returns a single value of this type, or its default after a diagnostic.
    pub fn one(&mut self, expr: &Expr, keys: &Keys, wanted: Type) -> i32 {
        let found = self.eval(expr, keys, Some(wanted));
        self.single(found, expr.span, wanted)
    }

    /// Returns a constant as a single value of this type.
    pub fn single(&mut self, found: Constant, span: Span, wanted: Type) -> i32 {
        match found {
            Constant::One(of, value) if self.world.fits(of, Some(wanted)) => {
                if value == NONE && of.is_none() {
                    default_of(wanted)
                } else {
                    value
                }
            }
            found => {
                self.wrong_type(span, &found, Ty::one(wanted));
                default_of(wanted)
            }
        }
    }

    pub fn number(&mut self, expr: &Expr, keys: &Keys) -> i32 {
        self.one(expr, keys, Type::Int)
    }

    pub fn truth(&mut self, expr: &Expr, keys: &Keys) -> bool {
        self.one(expr, keys, Type::Bool) == 1
    }

    fn wrong_type(&mut self, span: Span, found: &Constant, wanted: Ty) {
        let help = match (wanted.of, wanted.list) {
            (Some(Type::Bool), false) => {
                "write `true` or `false`, or a condition such as `x = false`"
            }
            (Some(Type::Int), false) => {
                "write a number, or an expression such as `count(seats) + 1`"
            }
            (_, true) => "write a list: `[1, 2]`, a range `1..6`, or the name of a type",
            (Some(Type::Zone(_)), false) if found.ty().list => {
                "write one of them, with its keys in parentheses: `space(1)`"
            }
            (Some(Type::Seat), false) => "write `seat(1)` for the first seat",
            _ => "write a value of the type that is needed",
        };
        let found = self.world.name_of(found.ty());
        let wanted = self.world.name_of(wanted);
        let problem = wrong_type(span, &found, &wanted);
        self.report.push(problem.help(help));
    }

    /// Reports why an expression has no value before the game begins.
    fn not_known(&mut self, stopped: Unknown, span: Span) {
        let problem = match stopped {
            None => Diagnostic::error(
                "not-constant",
                span,
                "this is not known before the game begins",
            )
            .help("use numbers, data, options, types, `seats` and the keys of `each` here"),
            Some((Stopped::Overflow(_), place)) => Diagnostic::error(
                "number-too-large",
                place.unwrap_or(span),
                "this number is too large, or an amount of a bundle negative",
            )
            .help(
                "numbers range from -2147483648 to 2147483647, and those of bundles begin with 0",
            ),
            Some((Stopped::TooMuch, _)) => {
                let message = format!("a list may have at most {LIST_MAX} members");
                Diagnostic::error("list-too-long", span, message)
                    .help("a range may be longer during play; here every member is stored")
            }
        };
        self.report.push(problem);
    }

    // ---- lists of lists

    /// Returns whether this is a literal list of lists, or a member of one. Lists of lists in constants are translated as
    /// lists of rows.
    fn is_of_lists(&self, expr: &Expr) -> bool {
        let mut base = expr;
        while let ExprKind::Index(of, _) = &base.kind {
            base = of;
        }
        // An index into a constant is translated, if it leads to values.
        let is_indexed_name = base != expr && matches!(base.kind, ExprKind::Name(_));
        self.depth(base) > if is_indexed_name { 2 } else { 1 }
    }

    /// Returns how many indexes lead to values, as far as lists of lists are concerned.
    fn depth(&self, expr: &Expr) -> usize {
        match &expr.kind {
            ExprKind::List(items) => {
                let of_item = |item: &Expr| match item.kind {
                    ExprKind::List(_) => self.depth(item).max(1),
                    _ => Some(self.depth(item))
                        .filter(|depth| *depth > 1)
                        .unwrap_or(0),
                };
                1 + items.iter().map(of_item).max().unwrap_or(0)
            }
            ExprKind::Name(name) => match self.world.declared(&name.text) {
                Some(Symbol::Constant) => {
                    let constant = self.world.constants.get(&name.text);
                    constant.map_or(0, Constant::depth)
                }
                _ => 0,
            },
            ExprKind::If(_, a, b) | ExprKind::Binary(BinaryOp::Add, a, b) => {
                self.depth(a).max(self.depth(b))
            }
            ExprKind::Index(of, _) => self.depth(of).saturating_sub(1),
            ExprKind::Cited(of, _) => self.depth(of),
            _ => 0,
        }
    }

    fn rows(&mut self, expr: &Expr, keys: &Keys, wanted: Option<Type>) -> Constant {
        match &expr.kind {
            ExprKind::List(items) => self.list_of(items, keys, wanted),
            ExprKind::Name(name) => {
                self.world.mark_used(&name.text);
                let constant = self.world.constants.get(&name.text);
                constant.cloned().unwrap_or(Constant::NOTHING)
            }
            ExprKind::If(condition, a, b) => {
                let holds = self.truth(condition, keys);
                // Both sides are looked at, so that the mistakes of the one not taken show too.
                let (one, other) = (self.eval(a, keys, wanted), self.eval(b, keys, wanted));
                if !self.world.fits(one.of(), other.of()) {
                    self.wrong_type(b.span, &other, one.ty());
                }
                if holds { one } else { other }
            }
            ExprKind::Binary(_, a, b) => {
                let (one, other) = (self.eval(a, keys, wanted), self.eval(b, keys, wanted));
                Constant::List(
                    one.of().or(other.of()),
                    [one.items(), other.items()].concat(),
                )
            }
            ExprKind::Index(of, index) => self.row(of, index, keys, wanted),
            ExprKind::Cited(inner, _) => self.rows(inner, keys, wanted),
            _ => Constant::NOTHING,
        }
    }

    fn list_of(&mut self, items: &[Expr], keys: &Keys, wanted: Option<Type>) -> Constant {
        let mut of = wanted;
        let mut values = Vec::new();
        for item in items {
            let value = self.eval(item, keys, of);
            of = of.or(value.of());
            if !self.world.fits(value.of(), of) {
                let found = self.world.name_of(Ty::one(value.of()));
                let first = self.world.name_of(Ty::one(of));
                let message = format!("this is {found} in a list that begins with {first}");
                let help = "all members of a list have one type";
                self.report.error("mixed-list", item.span, message, help);
            }
            values.push(value);
        }
        Constant::List(of, values)
    }

    fn row(&mut self, of: &Expr, index: &Expr, keys: &Keys, wanted: Option<Type>) -> Constant {
        let rows = self.rows(of, keys, wanted);
        let place = match self.eval(index, keys, None) {
            Constant::One(Some(of), value) if is_ordinal(of) => usize::try_from(value).ok(),
            Constant::One(Some(Type::Int), value) => usize::try_from(i64::from(value) - 1).ok(),
            found => {
                self.wrong_type(index.span, &found, Ty::INT);
                None
            }
        };
        let of = rows.of();
        match place.and_then(|place| rows.items().get(place).cloned()) {
            Some(Constant::List(None, members)) => Constant::List(of, members),
            Some(found) => found,
            None if rows.is_of_lists() => Constant::List(of, Vec::new()),
            None => Constant::One(of, of.map_or(NONE, default_of)),
        }
    }
}

/// Why there is no value: `None` if the state would have to be looked at.
pub type Unknown = Option<(Stopped, Option<Span>)>;

/// The maximum length of a list of constants.
const LIST_MAX: usize = 4_096;

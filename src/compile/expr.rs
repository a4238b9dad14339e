//! Expressions: from the tree as written to the arenas, with types found on the way.

use super::Compiler;
use super::scope::Binding;
use super::value::Value;
use crate::check::types::{Families, Ty};
use crate::diagnostic::Span;
use crate::lang::ast::{self, ExprKind, Name, Quantifier};
use crate::program::*;

impl Compiler<'_> {
    /// `None` after a diagnostic. `wanted` settles what a bare name of a value means.
    pub fn expr(&mut self, expr: &ast::Expr, wanted: Option<Type>) -> Option<Value> {
        match &expr.kind {
            ExprKind::Int(value) => Some(Value::One(self.b.constant(*value), Some(Type::Int))),
            ExprKind::Bool(value) => {
                Some(Value::One(self.b.constant(*value as i32), Some(Type::Bool)))
            }
            ExprKind::None => Some(Value::One(self.b.constant(NONE), None)),
            ExprKind::Text(text) => self.problem(
                "text-as-value",
                text.span,
                "a text is no value",
                "texts stand in `say`, in prompts and in labels",
            ),
            ExprKind::Name(name) => self.name(name, wanted),
            ExprKind::It => self.it(expr.span),
            ExprKind::ItField(name, args) => {
                let it = self.it(expr.span)?;
                self.member(it, expr.span, name, args.as_deref())
            }
            ExprKind::Field(of, name, args) => {
                let of_value = self.expr(of, None)?;
                self.member(of_value, of.span, name, args.as_deref())
            }
            ExprKind::Call(name, args) => self.call(name, args, expr.span),
            ExprKind::Index(of, index) => self.index(of, index),
            ExprKind::List(items) => self.list_literal(items, wanted),
            ExprKind::Range(low, high) => {
                let (low, high) = (self.number(low)?, self.number(high)?);
                Some(Value::List(
                    self.b.set(Set::Range(low, high)),
                    Some(Type::Int),
                ))
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr.span),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expr.span),
            ExprKind::Is {
                subject,
                negated,
                what,
            } => self.is(subject, *negated, what),
            ExprKind::If(condition, a, b) => self.if_expr(condition, a, b, wanted),
            ExprKind::Where(of, condition) => self.filtered(of, condition, None),
            ExprKind::Sorted {
                of,
                key,
                descending,
            } => {
                let (set, of) = self.list(of)?;
                let (temp, key, _) = self.key(key, of)?;
                Some(Value::List(
                    self.b.set(Set::Sorted {
                        of: set,
                        temp,
                        key,
                        descending: *descending,
                    }),
                    of,
                ))
            }
            ExprKind::With { of, key, most } => {
                let (set, of) = self.list(of)?;
                let (temp, key, _) = self.key(key, of)?;
                Some(Value::List(
                    self.b.set(Set::With {
                        of: set,
                        temp,
                        key,
                        most: *most,
                    }),
                    of,
                ))
            }
            ExprKind::Quantified {
                quantifier,
                name,
                of,
                condition,
            } => self.quantified(*quantifier, name, of, condition),
            ExprKind::Cited(inner, cites) => {
                let clauses = self.cite(cites);
                let value = self.expr(inner, wanted)?;
                if let Value::One(id, Some(Type::Bool)) = value {
                    self.b.cite_expr(id, clauses);
                }
                Some(value)
            }
        }
    }

    fn it(&mut self, span: Span) -> Option<Value> {
        match self.scope.it() {
            Some((temp, ty)) => Some(Value::One(self.b.expr(Expr::Temp(temp)), ty.of)),
            None => self.problem(
                "no-it",
                span,
                "there is no `it` here",
                "`it` and `.field` stand for the member a filter (`where`, `sum(…, .x)`) looks at",
            ),
        }
    }

    // ---- names

    // ---- filters and keys

    /// `S where cond`; a binder's own name may be used in its filter.
    pub fn filtered(
        &mut self,
        of: &ast::Expr,
        condition: &ast::Expr,
        name: Option<&str>,
    ) -> Option<Value> {
        let (set, member) = match (&of.kind, name) {
            (ExprKind::Where(inner, inner_condition), Some(_)) => {
                let value = self.filtered(inner, inner_condition, name)?;
                self.list_of(value)
            }
            _ => self.list(of)?,
        };
        let (temp, condition, of_key) = self.key_named(condition, member, name)?;
        if !self.world.fits(of_key.of, Some(Type::Bool)) {
            return self.mismatch(of.span, of_key, Ty::BOOL);
        }
        Some(Value::List(
            self.b.set(Set::Where {
                of: set,
                temp,
                condition,
            }),
            member,
        ))
    }

    /// An expression over the member of a list: its temp, itself and its type.
    pub fn key(&mut self, key: &ast::Expr, member: Option<Type>) -> Option<(Temp, ExprId, Ty)> {
        self.key_named(key, member, None)
    }

    pub fn key_named(
        &mut self,
        key: &ast::Expr,
        member: Option<Type>,
        name: Option<&str>,
    ) -> Option<(Temp, ExprId, Ty)> {
        let mark = self.scope.mark();
        let temp = self.scope.temp(Ty {
            of: member,
            list: false,
        });
        self.scope.push_it(temp, member);
        if let Some(name) = name {
            self.scope.bind(
                name,
                Binding::Temp(
                    temp,
                    Ty {
                        of: member,
                        list: false,
                    },
                ),
            );
        }
        let value = self.expr(key, None);
        self.scope.reset(mark);
        match value? {
            Value::One(expr, of) => Some((temp, expr, Ty { of, list: false })),
            other => self.mismatch(key.span, other.ty(), Ty::INT),
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        name: &Name,
        of: &ast::Expr,
        condition: &ast::Expr,
    ) -> Option<Value> {
        let (set, member) = self.binder_list(of, &name.text)?;
        let (temp, condition, ty) = self.key_named(condition, member, Some(&name.text))?;
        if !self.world.fits(ty.of, Some(Type::Bool)) {
            return self.mismatch(of.span, ty, Ty::BOOL);
        }
        let some = Expr::Some {
            of: set,
            temp,
            condition,
        };
        let expr = match quantifier {
            Quantifier::Some => self.b.expr(some),
            Quantifier::Every => self.b.expr(Expr::Every {
                of: set,
                temp,
                condition,
            }),
            Quantifier::No => {
                let some = self.b.expr(some);
                self.b.not(some)
            }
        };
        Some(Value::One(expr, Some(Type::Bool)))
    }

    /// The list of a binder: its filters may use the binder's name.
    pub fn binder_list(&mut self, of: &ast::Expr, name: &str) -> Option<(SetId, Option<Type>)> {
        let value = match &of.kind {
            ExprKind::Where(inner, condition) => self.filtered(inner, condition, Some(name))?,
            _ => self.expr(of, None)?,
        };
        Some(self.list_of(value))
    }

    // ---- operators

    // ---- `is`

    pub fn single(&mut self, value: Value, span: Span) -> Option<ExprId> {
        match value {
            Value::One(expr, _) => Some(expr),
            Value::List(..) => self.mismatch(span, value.ty(), value.ty().element()),
        }
    }

    // ---- index
}

//! `x[i]`: members of lists, words of variables, answers of seats.

use super::Compiler;
use super::scope::Binding;
use super::value::Value;
use crate::check::types::default_of;
use crate::check::world::Symbol;
use crate::lang::ast::{self, ExprKind, Name};
use crate::program::*;

impl Compiler<'_> {
    pub fn index(&mut self, of: &ast::Expr, index: &ast::Expr) -> Option<Value> {
        if let ExprKind::Name(name) = &of.kind {
            if let Some(Binding::BySeat(base, ty)) = self.scope.find(&name.text) {
                let index = self.one(index, Type::Seat)?;
                return Some(match ty.list {
                    true => Value::List(self.b.set(Set::LocalAt { base, index }), ty.of),
                    false => {
                        let default = ty.of.map_or(NONE, default_of);
                        let answer = Expr::LocalAt {
                            base,
                            index,
                            default,
                        };
                        Value::One(self.b.expr(answer), ty.of)
                    }
                });
            }
            if let (None, Some(Symbol::Var(id))) =
                (self.scope.find(&name.text), self.world.symbol(&name.text))
            {
                return self.indexed_variable(id, index, name);
            }
        }
        let (set, member) = self.list(of)?;
        let index = self.number(index)?;
        let default = member.map_or(NONE, default_of);
        let expr = match self.b.get_set(set) {
            Set::Table(table) => Expr::Table {
                table,
                low: 1,
                index,
                default,
            },
            _ => Expr::Nth(set, index, default),
        };
        Some(Value::One(self.b.expr(expr), member))
    }

    fn indexed_variable(&mut self, id: VarId, index: &ast::Expr, name: &Name) -> Option<Value> {
        let var = self.world.vars.get(id as usize)?.clone();
        let Some(by) = var.index else {
            return self.not_indexed(name);
        };
        let index = self.one(index, by)?;
        Some(self.word_at(id, index))
    }

    pub fn not_indexed<T>(&mut self, name: &Name) -> Option<T> {
        self.problem(
            "not-indexed",
            name.span,
            format!("`{}` is a single value", name.text),
            "give it `each:` where it is declared, or leave the index out",
        )
    }

    /// The word of an indexed variable.
    pub fn word_at(&mut self, id: VarId, index: ExprId) -> Value {
        let (of, expr) = match self.world.vars.get(id as usize) {
            Some(var) => {
                let expr = Expr::WordAt {
                    offset: var.offset,
                    low: var.low,
                    len: var.len,
                    index,
                    default: default_of(var.of),
                };
                (Some(var.of), expr)
            }
            None => (None, Expr::Const(NONE)),
        };
        Value::One(self.b.expr(expr), of)
    }
}

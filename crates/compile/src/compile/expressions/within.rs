//! `within(x, n, key)`: everything that can be reached in n steps.

use crate::compile::compiler::Compiler;
use crate::compile::terms::value::{Value, ValueAt};
use crate::names::types::{Families, Ty};
use wyrmgate_lang::ast;
use wyrmgate_program::*;

impl Compiler<'_> {
    /// `key` maps `it` to its neighbors: a list, or a single one.
    pub fn within(&mut self, start: ValueAt, steps: &ast::Expr, key: &ast::Expr) -> Option<Value> {
        let (from, of) = self.members_or_itself(start)?;
        let steps = self.number(steps);
        let mark = self.scope.mark();
        let temp = self.scope.temp(Ty::one(of));
        self.scope.push_it(temp, of);
        let near = self.expr(key, of);
        self.scope.reset(mark);
        let (next, found) = self.members_or_itself(near?.at(key.span))?;
        if !self.world.fits(found, of) {
            return self.mismatch(key.span, Ty::list(found), Ty::list(of));
        }
        let within = Set::Within(WithinSearch {
            from,
            steps: steps?,
            temp,
            next,
        });
        let of = self.world.wider(of, found);
        Some(Value::List(self.b.set(within), of))
    }

    /// Returns a list, or a single value as a list of one: a zone means itself here, not its contents.
    pub(crate) fn members_or_itself(&mut self, of: ValueAt) -> Option<(SetId, Option<Type>)> {
        let Value::One(zone, of @ Some(Type::Zone(_))) = of.value else {
            return self.list_from(of.value, of.span);
        };
        Some((self.b.list(&[zone]), of))
    }
}

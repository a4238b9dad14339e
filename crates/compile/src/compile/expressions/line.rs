//! `in_a_row(space, condition)`: lines on a board.

use crate::compile::Compiler;
use crate::compile::expressions::value::Value;
use crate::names::types::{Families, Ty};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast;
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Translates the longest line through a space of a grid whose spaces (`it`) all fulfill the condition.
    pub fn in_a_row(&mut self, space: Value, span: Span, condition: &ast::Expr) -> Option<Value> {
        let zone = self.one_from(space, Type::Zone(None), span)?;
        let of = space.ty().of;
        if let Some(Type::Zone(Some(family))) = of
            && self.declares_directions(family)
        {
            return self.in_a_row_of_board(family, zone, condition);
        }
        let Some(family) = self.grid_family(of) else {
            return self.problem(
                "no-grid",
                span,
                "this is not a space of a grid",
                "pass a space of a zone family with `grid: [column, row]` or `lines`",
            );
        };
        let (temp, test, ty) = self.key(condition, of)?;
        if !self.world.fits(ty.of, Some(Type::Bool)) {
            return self.mismatch(condition.span, ty, Ty::BOOL);
        }
        let line = Expr::InARow {
            family,
            zone,
            temp,
            condition: test,
        };
        Some(Value::One(self.b.expr(line), Some(Type::Int)))
    }

    /// Returns whether a board declares in which directions its lines go.
    fn declares_directions(&self, family: FamilyId) -> bool {
        let decl = self.world.family(family);
        decl.is_some_and(|decl| !decl.directions.is_empty())
    }

    /// Returns the family of a zone, if its zones are the spaces of a grid.
    fn grid_family(&self, of: Option<Type>) -> Option<FamilyId> {
        let Some(Type::Zone(Some(id))) = of else {
            return None;
        };
        let family = self.b.program.family(id)?;
        family.grid.map(|_| id)
    }
}

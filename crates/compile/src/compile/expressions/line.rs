//! `in_a_row(space, condition)`: lines on a board.

use crate::compile::compiler::Compiler;
use crate::compile::terms::value::{Value, ValueAt};
use crate::names::types::{Families, Ty};
use wyrmgate_lang::ast;
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Translates the longest line through a space of a grid whose spaces (`it`) all fulfill the condition.
    pub fn in_a_row(&mut self, space: ValueAt, condition: &ast::Expr) -> Option<Value> {
        let zone = self.one_from(space.value, Type::Zone(None), space.span)?;
        let of = space.value.ty().of;
        let ways = self.ways_of_lines(of);
        if let (Some(Type::Zone(Some(family))), None) = (of, ways) {
            return self.in_a_row_of_board(family, zone, condition);
        }
        let Some(family) = self.grid_family(of) else {
            let message = "this is not a space of a grid";
            let help = "pass a space of a zone family with `grid: [column, row]` or `lines`";
            return self.problem("no-grid", space.span, message, help);
        };
        let (temp, test, ty) = self.key(condition, of, None)?;
        if !self.world.fits(ty.of, Some(Type::Bool)) {
            return self.mismatch(condition.span, ty, Ty::BOOL);
        }
        let line = Expr::InARow(LineSearch {
            family,
            ways: ways.unwrap_or(ALL_WAYS),
            zone,
            temp,
            condition: test,
        });
        Some(Value::One(self.b.expr(line), Some(Type::Int)))
    }

    /// Returns the lines on which spaces of this type lie; `None` if their board declares lines of its own, or directions
    /// that lead to other spaces than neighbors.
    fn ways_of_lines(&self, of: Option<Type>) -> Option<WaySet> {
        let Some(Type::Zone(Some(family))) = of else {
            return Some(ALL_WAYS);
        };
        let decl = self.world.family(family);
        match decl {
            Some(decl) if !decl.beside.is_empty() => Some(ALL_WAYS),
            Some(decl) if !decl.lines.is_empty() => None,
            Some(decl) if !decl.directions.is_empty() => ways_along(&decl.directions),
            _ => Some(ALL_WAYS),
        }
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

//! Whether evaluating an expression can end in a fault, because a number gets too large.
//!
//! As written, `a and b` asks `b` only where `a` holds. Masks ask in another order where that is faster, so they must
//! not ask for more members, or for fewer, what can fail.

use super::range::range;
use super::{
    Expr, ExprId, Field, Mask, MaskId, NONE, Operation, Part, Program, QueryId, Set, SetId, Temp,
};

/// The knowledge gathered while an expression is examined.
pub struct Overflow<'p> {
    program: &'p Program,
    /// The possible values of temps.
    temps: Vec<(Temp, i32, i32)>,
    /// Queries that are being examined; one that uses itself can fail.
    open: Vec<QueryId>,
}

impl<'p> Overflow<'p> {
    pub fn new(program: &'p Program, temps: &[(Temp, i32, i32)]) -> Overflow<'p> {
        Overflow {
            program,
            temps: temps.to_vec(),
            open: Vec::new(),
        }
    }

    /// Returns whether this mask can fail for some member.
    pub fn of_mask(&mut self, id: MaskId) -> bool {
        let Some(info) = self.program.masks.get(id as usize) else {
            return false;
        };
        let Mask::Each { temp, condition } = info.mask else {
            return self.of_operation(info.mask);
        };
        let domain = info.domain;
        let last = domain.first + i32::from(domain.len) - 1;
        self.temps.push((temp, domain.first, last));
        let can = self.of_expr(condition);
        self.temps.pop();
        can
    }

    pub fn of_expr(&mut self, id: ExprId) -> bool {
        let expr = self.program.exprs.get(id as usize).copied();
        let expr = expr.unwrap_or(Expr::Const(NONE));
        let Expr::Binary(op, left, right) = expr else {
            return self.of_operation(expr);
        };
        op.can_overflow() && range(self.program, id, &self.temps).is_none()
            || self.of_expr(left)
            || self.of_expr(right)
    }

    pub fn of_set(&mut self, id: SetId) -> bool {
        let set = self.program.sets.get(id as usize).copied();
        self.of_operation(set.unwrap_or(Set::Empty))
    }

    fn of_operation<T: Operation>(&mut self, operation: T) -> bool {
        // An operation with one of these fields states its failures in that place.
        let (mut elsewhere, mut can) = (false, false);
        let parts = operation.parts(self.program);
        operation.each_field(&mut |field| {
            if let Field::Query(query) = field {
                elsewhere = true;
                can = can || self.of_query(*query, &parts);
            } else if let Field::Mask(mask) = field {
                elsewhere = true;
                can = can || self.of_mask(*mask);
            }
        });
        can || operation.facts().overflows && !elsewhere
            || parts.into_iter().any(|part| self.of_part(part))
    }

    fn of_part(&mut self, part: Part) -> bool {
        match part {
            Part::Expr(id) => self.of_expr(id),
            Part::Set(id) => self.of_set(id),
        }
    }

    fn of_query(&mut self, id: QueryId, arguments: &[Part]) -> bool {
        let Some(info) = self.program.query(id) else {
            return false;
        };
        if self.open.contains(&id) {
            return true;
        }
        self.open.push(id);
        // Temps of a query are its own.
        let inside = self.parameters(arguments);
        let outside = std::mem::replace(&mut self.temps, inside);
        let can = self.of_part(info.body.part());
        self.temps = outside;
        self.open.pop();
        can
    }

    /// Returns the possible values of the parameters to which these arguments are passed.
    fn parameters(&self, arguments: &[Part]) -> Vec<(Temp, i32, i32)> {
        let (mut known, mut temp) = (Vec::new(), 0);
        for argument in arguments {
            let Part::Expr(id) = *argument else {
                break;
            };
            let is_list = matches!(
                self.program.exprs.get(id as usize),
                Some(Expr::ListArgument(_))
            );
            if !is_list && let Some((low, high)) = range(self.program, id, &self.temps) {
                known.push((temp, low, high));
            }
            temp += if is_list { 2 } else { 1 };
        }
        known
    }
}

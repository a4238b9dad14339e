//! Copies expressions with substituted parts.

use super::tree::{add, add_set, get, get_set};
use wyrmgate_program::*;

/// The treatment of each visited expression: `Some` substitutes another one, including its parts.
pub trait Rule {
    fn expr(&mut self, program: &mut Program, id: ExprId) -> Option<ExprId>;

    fn set(&mut self, _: &mut Program, _: SetId) -> Option<SetId> {
        None
    }

    /// Renames a temp that is bound on the way.
    fn bound(&self, temp: Temp) -> Temp {
        temp
    }
}

/// Returns a copy to which the rule has been applied; the same expression if the rule changes nothing.
pub fn rewrite(program: &mut Program, id: ExprId, rule: &mut dyn Rule) -> ExprId {
    if let Some(new) = rule.expr(program, id) {
        return new;
    }
    let expr = get(program, id);
    let new = of_new_parts(program, expr, rule);
    if new == expr {
        return id;
    }
    add_in_place_of(program, id, new)
}

/// Adds an expression whose faults name the location of another one.
fn add_in_place_of(program: &mut Program, other: ExprId, expr: Expr) -> ExprId {
    let span = program.span_of(other);
    let added = add(program, expr);
    if let Some(span) = span {
        program.origins.expr_spans.push((added, span));
    }
    added
}

pub fn rewrite_set(program: &mut Program, id: SetId, rule: &mut dyn Rule) -> SetId {
    if let Some(new) = rule.set(program, id) {
        return new;
    }
    let set = get_set(program, id);
    let new = of_new_parts(program, set, rule);
    if new == set {
        return id;
    }
    add_set(program, new)
}

/// Returns the same operation with the rule applied to its parts and to the temp that it binds.
fn of_new_parts<T: Operation>(program: &mut Program, operation: T, rule: &mut dyn Rule) -> T {
    let before = operation.parts(program);
    let mut after = Vec::with_capacity(before.len());
    for part in &before {
        after.push(match part {
            Part::Expr(id) => Part::Expr(rewrite(program, *id, rule)),
            Part::Set(id) => Part::Set(rewrite_set(program, *id, rule)),
        });
    }
    if operation.facts().row.is_some() && after != before {
        after = in_a_row(program, &after);
    }
    let mut new = operation.with_parts(&after);
    new.each_field_mut(&mut |field| {
        if let Field::Bound(temp) | Field::BoundList(temp) = field {
            *temp = rule.bound(*temp);
        }
    });
    new
}

/// Copies parts to consecutive ids.
fn in_a_row(program: &mut Program, parts: &[Part]) -> Vec<Part> {
    let mut row = Vec::with_capacity(parts.len());
    for part in parts {
        row.push(match part {
            Part::Expr(id) => {
                let expr = get(program, *id);
                Part::Expr(add_in_place_of(program, *id, expr))
            }
            Part::Set(id) => Part::Set(*id),
        });
    }
    row
}

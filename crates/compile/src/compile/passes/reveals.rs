//! `revealed(…)` matters only to the search for leaks; a program for play contains the plain value instead.

use wyrmgate_program::*;

/// Replaces every `revealed(…)` by its value.
pub fn forget(program: &mut Program) {
    if program.origins.reveals.is_empty() {
        return;
    }
    for id in 0..program.exprs.len() {
        let mut of = None;
        // A revealed value may contain another one, which was made before.
        while let Some(&Expr::Revealed { of: inner, .. }) =
            program.exprs.get(of.unwrap_or(id as ExprId) as usize)
        {
            of = Some(inner);
        }
        if let Some(of) = of {
            stand_for(program, id as ExprId, of);
        }
    }
    program.origins.expr_spans.sort_by_key(|(id, _)| *id);
    program.origins.expr_cites.sort_by_key(|(id, _)| *id);
}

/// Replaces an expression by another, with its location and clauses.
fn stand_for(program: &mut Program, id: ExprId, of: ExprId) {
    let Some(expr) = program.exprs.get(of as usize).copied() else {
        return;
    };
    if let Some(place) = program.exprs.get_mut(id as usize) {
        *place = expr;
    }
    let spans = program.origins.expr_spans.iter();
    let spans: Vec<_> = spans.filter(|(other, _)| *other == of).collect();
    let spans: Vec<_> = spans.into_iter().map(|(_, span)| (id, *span)).collect();
    program.origins.expr_spans.extend(spans);
    let cites = program.origins.expr_cites.iter();
    let cites = cites.filter(|(other, _)| *other == of);
    let cites: Vec<_> = cites.map(|(_, cites)| (id, cites.clone())).collect();
    program.origins.expr_cites.extend(cites);
}

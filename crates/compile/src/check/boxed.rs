//! Warnings about choices among components that nobody sees: without `in:`, they begin in the box, and stay there.

use crate::names::walk;
use wyrmgate_base::diagnostic::{Diagnostic, Report};
use wyrmgate_lang::ast::{Choose, Expr, ExprKind, Stmt, StmtKind};
use wyrmgate_lang::definition::{ComponentDef, Definition};

/// Reports warnings about the decisions of a definition.
pub fn warn(definition: &Definition, report: &mut Report) {
    let mut all: Vec<&Stmt> = Vec::new();
    for text in walk::texts(definition) {
        walk::blocks(text, &mut |block| all.extend(block));
    }
    for family in &definition.components {
        if !family.with_kinds().any(|kind| kind.starts_in.is_some())
            && !is_moved(family, definition, &all)
        {
            all.iter()
                .filter_map(|one| decision(one))
                .for_each(|one| look(one, family, report));
        }
    }
}

fn decision(statement: &Stmt) -> Option<&Choose> {
    let StmtKind::Choose(choose) = &statement.kind else {
        return None;
    };
    (!choose.at_random).then_some(choose)
}

/// Returns whether something moves components to a zone that can hold those of a family.
fn is_moved(family: &ComponentDef, definition: &Definition, all: &[&Stmt]) -> bool {
    let can_hold = |zone: &str| {
        let zone = definition
            .zones
            .iter()
            .find(|known| known.name.text == zone);
        let held = zone.and_then(|zone| zone.holds.as_ref());
        held.is_none_or(|held| family.with_kinds().any(|kind| kind.name.text == held.text))
    };
    all.iter().any(|statement| {
        if let StmtKind::Move { to, .. } | StmtKind::Draw { to, .. } = &statement.kind {
            return root(to).is_none_or(can_hold);
        }
        matches!(statement.kind, StmtKind::Swap { .. })
    })
}

/// Returns the name of a zone or a list: `hand` of `hand(p)`, `cards` of `cards where …`.
fn root(expr: &Expr) -> Option<&str> {
    if let ExprKind::Where(of, _) | ExprKind::Cited(of, _) = &expr.kind {
        return root(of);
    }
    let (ExprKind::Name(name) | ExprKind::Call(name, _) | ExprKind::Field(_, name, _)) = &expr.kind
    else {
        return None;
    };
    Some(&name.text)
}

fn look(choose: &Choose, family: &ComponentDef, report: &mut Report) {
    for binder in choose.options.iter().flat_map(|option| &option.binders) {
        let list = root(&binder.of).unwrap_or_default();
        let is_of = |kind: &ComponentDef| kind.name.text == list || kind.plural_name().text == list;
        if family.with_kinds().any(is_of) {
            let message = format!("`{list}` lie in the box, where nobody sees what can be chosen");
            let help = format!(
                "add `in:` to `{}`, with a zone that shows them",
                family.name.text
            );
            report.push(Diagnostic::warning("hidden-choice", binder.of.span, message).help(help));
        }
    }
}

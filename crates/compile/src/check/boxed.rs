//! Warnings about choices among components that nobody sees: without `in:`, they begin in the box, and stay there.

use crate::names::walk;
use wyrmgate_base::diagnostic::{Diagnostic, Report};
use wyrmgate_lang::ast::{Choose, Expr, ExprKind, Stmt, StmtKind};
use wyrmgate_lang::definition::{ComponentDef, Definition};

/// Reports warnings about the decisions of a definition.
pub fn warn(definition: &Definition, report: &mut Report) {
    let families = definition.components.iter();
    let boxed: Vec<&ComponentDef> = families.filter(|one| stays(one, definition)).collect();
    each_statement(definition, &mut |statement| {
        if let StmtKind::Choose(choose) = &statement.kind {
            boxed.iter().for_each(|family| look(choose, family, report));
        }
    });
}

fn each_statement<'d>(definition: &'d Definition, visit: &mut dyn FnMut(&'d Stmt)) {
    for text in walk::texts(definition) {
        walk::blocks(text, &mut |block| block.iter().for_each(&mut *visit));
    }
}

/// Returns whether components begin in the box and nothing moves them to a zone that can hold them.
fn stays(family: &ComponentDef, definition: &Definition) -> bool {
    let can_hold = |zone: &str| {
        let known = definition
            .zones
            .iter()
            .find(|known| known.name.text == zone);
        let held = known.map(|known| known.holds.as_ref().map(|held| &held.text));
        held.is_none_or(|held| {
            held.is_none_or(|held| family.with_kinds().any(|kind| kind.name.text == *held))
        })
    };
    let mut is_moved = family.with_kinds().any(|kind| kind.starts_in.is_some());
    each_statement(definition, &mut |statement| {
        is_moved |= match &statement.kind {
            StmtKind::Move { to, .. } | StmtKind::Draw { to, .. } => root(to).is_none_or(can_hold),
            StmtKind::Swap { .. } => true,
            _ => false,
        };
    });
    !is_moved
}

/// Returns the name of a zone or a list: `hand` of `hand(p)`, `cards` of `cards where …`.
fn root(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) | ExprKind::Call(name, _) | ExprKind::Field(_, name, _) => {
            Some(&name.text)
        }
        ExprKind::Where(of, _) | ExprKind::Cited(of, _) => root(of),
        _ => None,
    }
}

fn look(choose: &Choose, family: &ComponentDef, report: &mut Report) {
    let is_of =
        |kind: &ComponentDef, name: &str| kind.name.text == name || kind.plural_name().text == name;
    let binders = choose.options.iter().flat_map(|option| &option.binders);
    for binder in binders.filter(|_| !choose.at_random) {
        let list =
            root(&binder.of).filter(|list| family.with_kinds().any(|kind| is_of(kind, list)));
        if let Some(list) = list {
            let message = format!("`{list}` lie in the box, where nobody sees what can be chosen");
            let help = format!(
                "add `in:` to `{}`, with a zone that shows them",
                family.name.text
            );
            report.push(Diagnostic::warning("hidden-choice", binder.of.span, message).help(help));
        }
    }
}

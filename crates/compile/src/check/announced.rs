//! Warnings about choices that are announced to everybody although they are only stored in hidden variables.

use crate::names::walk;
use wyrmgate_base::diagnostic::{Diagnostic, Report};
use wyrmgate_lang::ast::{Choose, ChooseOption, Expr, ExprKind, Stmt, StmtKind};
use wyrmgate_lang::definition::Definition;

/// Reports warnings about the decisions of a definition.
pub fn warn(definition: &Definition, report: &mut Report) {
    let is_hidden = |see: &Expr| !matches!(&see.kind, ExprKind::Name(name) if name.text == "all");
    let vars = definition.vars.iter();
    let hidden = vars.filter(|var| var.see.as_ref().is_some_and(|(see, _)| is_hidden(see)));
    let hidden: Vec<&str> = hidden.map(|var| var.name.text.as_str()).collect();
    for text in walk::texts(definition) {
        walk::blocks(text, &mut |block| {
            for (number, statement) in block.iter().enumerate() {
                if let StmtKind::Choose(choose) = &statement.kind {
                    let rest = block.get(number + 1..).unwrap_or_default();
                    look(choose, rest, &hidden, report);
                }
            }
        });
    }
}

/// Reports a choice that is announced although some seats may not see the variable that keeps it. Answers of several
/// seats at once are secret, and random choices are announced to nobody.
fn look(choose: &Choose, rest: &[Stmt], hidden: &[&str], report: &mut Report) {
    if choose.each.is_some() || choose.at_random {
        return;
    }
    for option in &choose.options {
        let body = option.body.as_ref().or(choose.body.as_ref());
        let body = body.map_or(rest, |body| body);
        let (Some(var), Some(binder)) = (kept_in(option, body, hidden), option.binders.first())
        else {
            continue;
        };
        let name = &binder.name.text;
        let message =
            format!("this choice is announced to everybody, but some seats may not see `{var}`");
        let help = format!(
            "write `each q in [active] chooses {name} in …`, then `{name}[active]`: such an answer is secret; or show `{var}` to all"
        );
        let warning = Diagnostic::warning("announced", binder.name.span, message).help(help);
        report.push(warning);
    }
}

/// Returns the first hidden variable to which what was chosen is assigned, if nothing else happens with it.
fn kept_in<'d>(option: &ChooseOption, body: &'d [Stmt], hidden: &[&str]) -> Option<&'d str> {
    let uses = body.iter().filter(|statement| {
        let mut binders = option.binders.iter();
        binders.any(|binder| walk::statement_mentions(statement, &binder.name.text))
    });
    let targets: Option<Vec<&str>> = uses
        .map(|statement| hidden_target(statement, hidden))
        .collect();
    targets?.first().copied()
}

/// Returns the hidden variable to which a statement assigns.
fn hidden_target<'d>(statement: &'d Stmt, hidden: &[&str]) -> Option<&'d str> {
    let StmtKind::Set { target, .. } = &statement.kind else {
        return None;
    };
    let mut target = target;
    while let ExprKind::Index(of, _) = &target.kind {
        target = of;
    }
    match &target.kind {
        ExprKind::Name(name) if hidden.contains(&name.text.as_str()) => Some(&name.text),
        _ => None,
    }
}

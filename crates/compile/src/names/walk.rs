//! Walks over a definition as written.

use hashbrown::HashMap;
use indexmap::IndexSet;

use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{Block, Expr, ExprKind, Name, Part, SetOp, Signature, Stmt, StmtKind};
use wyrmgate_lang::definition::Definition;

/// Returns the signature and the text of every effect and handler: those of the game, then those of each kind.
pub fn code(def: &Definition) -> impl Iterator<Item = (&Signature, &Block)> {
    def.behaviors().flat_map(|behavior| {
        let effects = behavior.effects.iter();
        let handlers = behavior.handlers.iter();
        let effects = effects.map(|e| (&e.signature, &*e.body));
        effects.chain(handlers.map(|h| (&h.signature, &*h.body)))
    })
}

/// Returns every effect text of a definition.
pub fn texts(def: &Definition) -> Vec<&Block> {
    code(def).map(|(_, body)| body).collect()
}

/// Visits a block and all nested blocks.
pub fn blocks<'d>(block: &'d Block, visit: &mut dyn FnMut(&'d Block)) {
    visit(block);
    for statement in block {
        for inner in statement.blocks() {
            blocks(inner, visit);
        }
    }
}

/// Returns the names of all phases, each once, in file order.
pub fn phases(def: &Definition) -> Vec<String> {
    let mut names: IndexSet<String> = IndexSet::new();
    for text in texts(def) {
        blocks(text, &mut |block| {
            for statement in block {
                if let StmtKind::Phase { name, .. } = &statement.kind {
                    names.insert(name.text.clone());
                }
            }
        });
    }
    names.into_iter().collect()
}

/// Returns the names that occur a second time, each with the place of the first.
pub fn repeated<'d>(names: impl IntoIterator<Item = &'d Name>) -> Vec<(&'d Name, Span)> {
    let mut firsts: HashMap<&str, Span> = HashMap::new();
    let mut found = Vec::new();
    for name in names {
        let first = *firsts.entry(&name.text).or_insert(name.span);
        if first != name.span {
            found.push((name, first));
        }
    }
    found
}

/// Returns the names that stand alone in an expression.
pub fn names(expr: &Expr) -> impl Iterator<Item = &Name> {
    expr.all().filter_map(Expr::as_name)
}

/// Returns the names that stand alone in an expression, and those of the functions that it calls.
pub fn words(expr: &Expr) -> impl Iterator<Item = &Name> {
    expr.all().filter_map(|part| match &part.kind {
        ExprKind::Name(name) | ExprKind::Call(name, _) => Some(name),
        _ => None,
    })
}

/// Returns whether an expression refers to one of these names.
pub fn mentions(expr: &Expr, names: &[&str]) -> bool {
    words(expr).any(|name| names.contains(&name.text.as_str()))
}

/// Returns whether an expression refers to `it` or to a field of it.
pub fn mentions_it(expr: &Expr) -> bool {
    let mut all = expr.all();
    all.any(|part| matches!(part.kind, ExprKind::It | ExprKind::ItField(..)))
}

/// A statement that assigns to a name, or to a member of it.
#[derive(Clone, Copy)]
pub struct Assignment<'s> {
    pub op: SetOp,
    pub of_member: bool,
    pub value: &'s Expr,
}

/// Returns the assignments to a name, or to its members, in these statements and their blocks.
pub fn assignments<'s>(
    statements: impl IntoIterator<Item = &'s Stmt>,
    name: &str,
) -> Vec<Assignment<'s>> {
    let mut found = Vec::new();
    for statement in statements {
        if let StmtKind::Set { target, op, value } = &statement.kind {
            let (target, of_member) = match &target.kind {
                ExprKind::Index(of, _) => (&**of, true),
                _ => (target, false),
            };
            if matches!(&target.kind, ExprKind::Name(set) if set.text == name) {
                found.push(Assignment {
                    op: *op,
                    of_member,
                    value,
                });
            }
        }
        found.extend(assignments(statement.blocks().into_iter().flatten(), name));
    }
    found
}

/// Returns whether a statement, with its blocks, refers to this name.
pub fn statement_mentions(statement: &Stmt, name: &str) -> bool {
    let says = |value: &Expr| mentions(value, &[name]);
    statement.kind.parts().into_iter().any(|part| match part {
        Part::Value(value) | Part::Condition(value) => says(value),
        Part::Text(text) => text.holes().any(says),
        Part::Block(block) => block.iter().any(|inner| statement_mentions(inner, name)),
        Part::Bound(_) | Part::Chosen(_) | Part::Cites(_) => false,
    })
}

//! Conditions of loops that are tested once, before the loop, although the loop changes what they are about:
//! `each p in seats where trump = none: …`

use std::collections::BTreeSet;

use super::contradiction::chain;
use super::naming;
use crate::compile::written_condition;
use crate::names::walk::{assignments, mentions, mentions_it};
use wyrmgate_base::diagnostic::{Diagnostic, Report};
use wyrmgate_lang::ast::{BinaryOp, Block, Expr, ExprKind, Name, Signature, Stmt, StmtKind};
use wyrmgate_lang::definition::Definition;

pub fn warn(definition: &Definition, report: &mut Report) {
    let effects = definition.behavior.effects.iter();
    let effects = effects.map(|effect| (&effect.signature, &*effect.body));
    let game = Game {
        variables: definition.vars.iter().map(|var| &*var.name.text).collect(),
        types: naming::types(definition),
        effects: effects.collect(),
    };
    for text in naming::texts(definition) {
        game.block(text.body, report);
    }
}

struct Game<'d> {
    variables: Vec<&'d str>,
    types: BTreeSet<&'d str>,
    effects: Vec<(&'d Signature, &'d Block)>,
}

impl Game<'_> {
    fn block(&self, block: &Block, report: &mut Report) {
        for statement in block {
            if let StmtKind::Each { name, of, body } = &statement.kind
                && !may_leave(body)
            {
                self.each(name, of, body, report);
            }
            for inner in statement.blocks() {
                self.block(inner, report);
            }
        }
    }

    fn each(&self, name: &Name, of: &Expr, body: &Block, report: &mut Report) {
        let ExprKind::Where(of, condition) = &of.kind else {
            return;
        };
        self.each(name, of, body, report);
        for part in chain(BinaryOp::And, condition) {
            if mentions_it(part) || mentions(part, &[&name.text]) {
                continue;
            }
            let mut variables = self.variables.iter();
            let changed =
                variables.find(|var| mentions(part, &[var]) && self.sets(body, var, true));
            if let Some(variable) = changed {
                report.push(tested_once(part, variable));
            }
        }
    }

    /// Returns whether a block assigns a variable, or calls an effect of the game that does.
    fn sets(&self, block: &Block, variable: &str, calls: bool) -> bool {
        !assignments(block, variable).is_empty()
            || calls && self.calls_one_that_sets(block, variable)
    }

    fn calls_one_that_sets(&self, block: &Block, variable: &str) -> bool {
        block.iter().any(|statement| {
            let called = |(signature, body): &(&Signature, &Block)| {
                self.is_call(statement, signature) && self.sets(body, variable, false)
            };
            self.effects.iter().any(called)
                || statement
                    .blocks()
                    .into_iter()
                    .any(|inner| self.calls_one_that_sets(inner, variable))
        })
    }

    /// Returns whether a statement has the words of an effect.
    fn is_call(&self, statement: &Stmt, signature: &Signature) -> bool {
        let StmtKind::Phrase { terms } = &statement.kind else {
            return false;
        };
        let says = |word: &Name| terms.iter().any(|term| begins_with(term, &word.text));
        match signature {
            Signature::Call { name, .. } => says(name),
            Signature::Phrase(words) => naming::verbs(words, &self.types).all(says),
        }
    }
}

fn begins_with(term: &Expr, word: &str) -> bool {
    match &term.kind {
        ExprKind::Name(name) | ExprKind::Call(name, _) | ExprKind::Field(_, name, _) => {
            name.text == word
        }
        _ => false,
    }
}

/// Returns whether a loop can end early, so that the change matters no more.
fn may_leave(body: &Block) -> bool {
    body.iter().any(|statement| {
        matches!(
            statement.kind,
            StmtKind::Stop | StmtKind::Return | StmtKind::Finish(_) | StmtKind::Answer { .. }
        ) || statement.blocks().into_iter().any(may_leave)
    })
}

fn tested_once(part: &Expr, variable: &str) -> Diagnostic {
    let message =
        format!("this is tested once, before the loop, although `{variable}` changes in the loop");
    let condition = written_condition(part);
    let help = match condition.contains('…') {
        true => "put it into the loop as an `if`, to test it for each member".to_owned(),
        false => format!("write `if {condition}: …` in the loop to test it for each member"),
    };
    Diagnostic::warning("tested-once", part.span, message).help(help)
}

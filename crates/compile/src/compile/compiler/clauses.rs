//! Citations of clauses.

use crate::compile::compiler::Compiler;
use wyrmgate_base::diagnostic::{meant_or, numbered_like};
use wyrmgate_lang::ast::{self, ExprKind, Name};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Returns the clauses that an expression itself cites (`cond [X-01]`).
    pub(crate) fn cites_of(&mut self, expr: &ast::Expr) -> Vec<ClauseId> {
        let ExprKind::Cited(_, cites) = &expr.kind else {
            return Vec::new();
        };
        self.cite(cites)
    }

    /// Returns the numbers of these clauses; unknown ones are problems.
    pub(crate) fn cite(&mut self, cites: &[Name]) -> Vec<ClauseId> {
        // The citations of declarations are noted once, not for each value.
        if self.is_of_constants() {
            return Vec::new();
        }
        let mut ids = Vec::new();
        for name in cites {
            match self.clauses.get(name.text.as_str()).copied() {
                Some(id) => ids.push(id as ClauseId),
                None => self.unknown_clause(name),
            }
        }
        ids
    }

    fn unknown_clause(&mut self, name: &Name) {
        let message = format!("there is no clause `{}`", name.text);
        let known = self.def.clauses.iter().map(|c| c.id.text.as_str());
        let meant = numbered_like(&name.text, known);
        let otherwise = format!("add `{}: …` under `clauses`", name.text);
        let help = meant_or(meant, otherwise);
        self.unknown::<()>("unknown-clause", name, message, help);
    }
}

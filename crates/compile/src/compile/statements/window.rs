//! `any p in S may choose … until all decline up to 12 times`: a window in which seats act in any order.
//!
//! It becomes a loop around the decision of the first seat that chooses. All seats are asked again after each choice, so
//! that it ends when all have declined since the last one.

use super::sequence::{note_choice, or_otherwise};
use crate::compile::compiler::Compiler;
use crate::compile::tree::Tree;
use wyrmgate_lang::ast::{Choose, Expr, Sequence, Stmt, StmtKind};

impl Compiler<'_> {
    pub(crate) fn window(
        &mut self,
        choose: &Choose,
        window: &Sequence,
        statement: &Stmt,
    ) -> Option<()> {
        let most = self.window_fits(choose, window)?;
        let tree = Tree { span: window.span };
        let mut once = choose.clone();
        once.sequence = None;
        once.otherwise = Some(vec![tree.statement(StmtKind::Stop)]);
        if choose.otherwise.is_some() {
            let of_options = once.options.iter_mut().map(|option| &mut option.body);
            for body in of_options.chain([&mut once.body]).flatten() {
                body.insert(0, note_choice(tree));
            }
        }
        let decision = Stmt {
            kind: StmtKind::Choose(Box::new(once)),
            ..statement.clone()
        };
        let repeated = tree.statement(StmtKind::Repeat {
            times: Some(most.clone()),
            body: vec![decision],
        });
        let statements = or_otherwise(tree, repeated, choose.otherwise.as_ref());
        self.block(&statements);
        Some(())
    }

    /// Rejects a window that could not end, or in which nothing happens; returns how often seats choose at most.
    fn window_fits<'c>(&mut self, choose: &Choose, window: &'c Sequence) -> Option<&'c Expr> {
        let does_nothing = choose.body.is_none() && choose.options.iter().all(|o| o.body.is_none());
        let help = if !choose.first || !choose.may {
            "write `any p in seats may choose …`: several seats, each of which can decline"
        } else if does_nothing {
            "write a `:` behind it, and what each choice does"
        } else if let Some(most) = &window.most {
            return Some(most);
        } else {
            "say how often they can choose at most: `until all decline up to 20 times`"
        };
        let message = "this decision cannot go on until all decline";
        self.problem("window", window.span, message, help)
    }
}

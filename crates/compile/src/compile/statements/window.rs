//! `any p in S may choose … until all decline up to 12 times`: a window in which seats act in any order.
//!
//! It becomes a loop around the decision of the first seat that chooses. All seats are asked again after each choice, so
//! that it ends when all have declined since the last one.

use super::sequence::{note_choice, or_otherwise};
use crate::compile::compiler::Compiler;
use crate::compile::tree::Tree;
use wyrmgate_lang::ast::{BinaryOp, Choose, Expr, ExprKind, Sequence, SetOp, Stmt, StmtKind};

/// Names that no rules can write: the seats that have chosen, once for each choice, and one of them.
const CHOSE: &str = "who chose";
const ONE: &str = "one choice";

impl Compiler<'_> {
    pub(crate) fn window(
        &mut self,
        choose: &Choose,
        window: &Sequence,
        statement: &Stmt,
    ) -> Option<()> {
        let mut most = self.window_fits(choose, window)?.clone();
        let tree = Tree { span: window.span };
        let mut once = choose.clone();
        once.sequence = None;
        once.otherwise = Some(vec![tree.statement(StmtKind::Stop)]);
        let mut notes = Vec::new();
        notes.extend(choose.otherwise.as_ref().map(|_| note_choice(tree)));
        if let Some((name, seats)) = once.each.as_mut().filter(|_| window.each) {
            let seat = tree.of(ExprKind::Name(name.clone()));
            notes.push(tree.statement(StmtKind::Set {
                target: tree.name(CHOSE),
                op: SetOp::Add,
                value: seat.clone(),
            }));
            let is_it = tree.binary(BinaryOp::Equal, tree.name(ONE), seat);
            let own = tree.members(ONE, tree.name(CHOSE), Some(is_it));
            let count = tree.call("count", vec![own]);
            let may_still = tree.binary(BinaryOp::Less, count, most.clone());
            let all = std::mem::take(seats);
            *seats = tree.of(ExprKind::Where(Box::new(all), Box::new(may_still)));
            let seats = tree.call("count", vec![tree.name("seats")]);
            most = tree.binary(BinaryOp::Multiply, most, seats);
        }
        let of_options = once.options.iter_mut().map(|option| &mut option.body);
        for body in of_options.chain([&mut once.body]).flatten() {
            body.splice(0..0, notes.iter().cloned());
        }
        let decision = Stmt {
            kind: StmtKind::Choose(Box::new(once)),
            ..statement.clone()
        };
        let repeated = tree.statement(StmtKind::Repeat {
            times: Some(most),
            body: vec![decision],
        });
        let mut statements = or_otherwise(tree, repeated, choose.otherwise.as_ref());
        if window.each {
            let nobody = tree.statement(StmtKind::Let {
                name: tree.word(CHOSE),
                value: tree.of(ExprKind::List(Vec::new())),
            });
            statements.insert(0, nobody);
        }
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

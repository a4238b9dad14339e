//! Questions about lists, answered by their masks.

use std::collections::BTreeMap;

use super::build::Masks;
use super::counts::is_quick;
use super::lists::{list, with_condition};
use super::parts;
use super::quantified::Quantified;
use super::rewrite::{Rule, rewrite};
use super::tree::get;
use wyrmgate_program::*;

impl Masks<'_> {
    /// `some`, `every`, `count`, `is empty`, `first` of a list.
    pub(super) fn question(&mut self, id: ExprId) -> Option<Expr> {
        let expr = get(self.program, id);
        let list = match expr {
            Expr::Some { .. } | Expr::Every { .. } => {
                let quantified = Quantified::of(expr)?;
                let deciding = quantified.deciding(self.program);
                with_condition(self, quantified.of, quantified.temp, deciding)?
            }
            Expr::Count(of) | Expr::IsEmpty(of) | Expr::First(of, _) => list(self, of)?,
            _ => return None,
        };
        match expr {
            _ if !list.pays => None,
            Expr::First(_, default) => list.ordered.then_some(Expr::FirstBit(list.mask, default)),
            _ => parts::answer(self, expr, &[list.mask]),
        }
    }

    /// Returns a condition with masks in place of its questions about zones.
    pub(super) fn with_masks(&mut self, condition: ExprId) -> ExprId {
        let mut questions = Vec::new();
        collect(self.program, Part::Expr(condition), &mut questions);
        let mut found = BTreeMap::new();
        for id in questions {
            if let Some(Expr::CountBits(mask) | Expr::AnyBit(mask)) = self.question(id)
                && is_quick(self.program, mask)
            {
                let expr = match get(self.program, id) {
                    Expr::Count(_) => Expr::CountBits(mask),
                    _ => Expr::AnyBit(mask),
                };
                self.program.exprs.push(expr);
                found.insert(id, self.program.exprs.len() as ExprId - 1);
            }
        }
        rewrite(self.program, condition, &mut Found(found))
    }
}

/// Finds the outermost questions.
fn collect(program: &Program, part: Part, into: &mut Vec<ExprId>) {
    let Some(node) = program.node(part) else {
        return;
    };
    if let (Part::Expr(id), Node::Expr(Expr::Count(_) | Expr::Some { .. })) = (part, node) {
        into.push(id);
        return;
    }
    for part in node.parts(program) {
        collect(program, part, into);
    }
}

struct Found(BTreeMap<ExprId, ExprId>);

impl Rule for Found {
    fn expr(&mut self, _: &mut Program, id: ExprId) -> Option<ExprId> {
        self.0.get(&id).copied()
    }
}

//! `purse[p] += price`, `purse[p].wood -= 1`, `purse[p][g] = 3`.

use super::BundleType;
use crate::compile::compiler::{Attempt, Compiler};
use crate::compile::scope::Binding;
use crate::compile::terms::place::Change;
use crate::compile::terms::value::Value;
use crate::compile::tree::Tree;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, BinaryOp, ExprKind, Name, SetOp};
use wyrmgate_program::*;

/// The name of a new amount: no author can write it.
const AMOUNT: &str = "the new amount";

impl Compiler<'_> {
    /// Returns what is in a bundle after a change of the whole.
    pub(crate) fn changed_bundle(
        &mut self,
        target: &ast::Expr,
        record: u16,
        change: Change<'_>,
    ) -> Option<Value> {
        let Change { op, value, span } = change;
        let by = self.expr(value, Some(Type::Record(record)))?;
        let op = match op {
            SetOp::Set => return Some(self.as_bundle(by, record)),
            SetOp::Add => BinaryOp::Add,
            SetOp::Subtract => BinaryOp::Subtract,
        };
        let old = self.expr(target, None)?;
        self.of_bundles(op, old.at(target.span), by.at(value.span), span)?
    }

    /// `b[g] = …`, `b.wood += …`; `None`: the target is no amount of a bundle.
    pub(crate) fn set_amount(&mut self, target: &ast::Expr, change: Change<'_>) -> Attempt<()> {
        let (ExprKind::Index(of, _) | ExprKind::Field(of, _, None)) = &target.kind else {
            return None;
        };
        let ty = match self.records_named(of) {
            Some(_) => self.bundle_variable(of)?,
            None => self.bundle_target(of)?,
        };
        let mark = self.scope.mark();
        let which = if let ExprKind::Index(_, which) = &target.kind {
            self.one(which, Type::Enum(ty.values))
        } else if let ExprKind::Field(_, part, None) = &target.kind {
            self.number_of_part(ty, part)
        } else {
            None
        };
        let done = which.and_then(|which| self.set_amount_of(of, which, ty, change));
        self.scope.reset(mark);
        Some(done)
    }

    fn number_of_part(&mut self, ty: BundleType, part: &Name) -> Option<ExprId> {
        match self.world.enum_value(ty.values, &part.text) {
            Some(value) => Some(self.b.constant(value)),
            None => self.no_such_part(ty.record, part),
        }
    }

    fn set_amount_of(
        &mut self,
        of: &ast::Expr,
        which: ExprId,
        ty: BundleType,
        change: Change<'_>,
    ) -> Option<()> {
        let parts = self.record_decl(ty.record).parts;
        let of = self.with_kept_keys(of)?;
        let bundle = self.expr(&of, None)?;
        let Change { op, value, span } = change;
        let by = self.number(value)?;
        if let Expr::Const(which) = self.b.get(which) {
            let at = usize::try_from(which).ok();
            let (part, _) = at.and_then(|at| parts.get(at))?;
            let old = self.part(bundle, which as usize);
            let new = self.new_amount(op, old, by, span);
            return self.store_amount(&of, part, new, span);
        }
        let which = self.kept_value(which, Type::Enum(ty.values));
        let by = self.kept_value(by, Type::Int);
        for (number, (part, _)) in (0i32..).zip(&parts) {
            let old = self.part(bundle, number as usize);
            let new = self.new_amount(op, old, by, span);
            let is_it = self.b.compare(Binary::Equal, which, number);
            let new = self.b.expr(Expr::If(is_it, new, old));
            self.store_amount(&of, part, new, span)?;
        }
        Some(())
    }

    fn new_amount(&mut self, op: SetOp, old: ExprId, by: ExprId, span: Span) -> ExprId {
        let new = match op {
            SetOp::Set => by,
            SetOp::Add => self.calculated(Binary::Add, old, by, span),
            SetOp::Subtract => self.calculated(Binary::Subtract, old, by, span),
        };
        let grows = op == SetOp::Add && matches!(self.b.get(by), Expr::Const(0..));
        if grows { new } else { self.natural(new, span) }
    }

    fn store_amount(&mut self, of: &ast::Expr, part: &str, new: ExprId, span: Span) -> Option<()> {
        self.scope.bind(AMOUNT, Binding::Alias(new, Ty::INT));
        let value = Tree { span }.name(AMOUNT);
        self.set_named_part(of, &Name::new(part, span), &value)
    }
}

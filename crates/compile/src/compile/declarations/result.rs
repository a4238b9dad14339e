//! Results of effects, see [`crate::compile::declarations::listed`] for lists: `bool stands(seat p)`, `return x`, `let x = stands(p)`, `if stands(p) and …`.
//!
//! A result travels in a word of the state from the `return` to the `let`, and nothing happens in between. The word is
//! reset afterwards, so that it distinguishes no states.

use crate::compile::compiler::{Attempt, Compiler};
use crate::compile::scope::Binding;
use crate::compile::tree::Tree;
use crate::names::types::{Ty, default_of};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, BinaryOp, ExprKind, Name, Signature, UnaryOp};
use wyrmgate_program::*;

/// The name of a result that has none, which no rules can write.
const RESULT: &str = "the result";

impl Compiler<'_> {
    /// Returns the type of the result of an effect that is declared with one.
    pub(crate) fn result_type(&mut self, signature: &Signature) -> Option<Ty> {
        let Signature::Call { recursion, .. } = signature else {
            return None;
        };
        if let Some((_, span)) = recursion.deep {
            let message = "an effect has no limit of its own";
            let help = "remove it; 256 effects may wait for each other in every game";
            self.problem::<()>("result", span, message, help);
        }
        let result = recursion.result.as_ref()?;
        let ty = self.type_of(result)?;
        if ty.list && self.record_type(ty.of).is_some() {
            let message = "the result of an effect is no list of records";
            let help = "let the effect change a variable with the list";
            self.problem::<()>("result", result.span, message, help);
            return Some(Ty::list(None));
        }
        Some(ty)
    }

    /// `return x`
    pub(crate) fn answer(&mut self, value: &ast::Expr, span: Span) -> Option<()> {
        let Some(ty) = self.body.result else {
            // An effect can be declared with the words `return card c`.
            let text = "return".to_owned();
            let word = ast::Expr::new(ast::ExprKind::Name(Name::new(text, span)), span);
            let terms = [word, value.clone()];
            if self.matching_effect(&terms).is_some() {
                return self.phrase(&terms, span);
            }
            let message = "this effect has no result";
            let help = "declare the type before its name, as in `bool stands(seat p)`, or leave the effect with `return`";
            return self.problem("result", value.span, message, help);
        };
        let called = match self.result_of(value) {
            Some(result) => Some(result?),
            None => None,
        };
        let value = called.as_ref().unwrap_or(value);
        let of = ty.of?;
        if ty.list {
            self.set_list_result(value, of)?;
        } else if let Some(record) = self.record_type(ty.of) {
            let found = self.expr(value, ty.of)?;
            let parts = self.parts_of(found, record, value.span)?;
            self.set_results(&parts)?;
        } else {
            let value = self.one(value, of)?;
            self.set_results(&[value])?;
        }
        self.emit_cleanups(0);
        self.b.emit(Op::Return);
        Some(())
    }

    /// Emits the result of an effect without a `return`: 0, false or none.
    pub(crate) fn no_answer(&mut self) {
        if let Some(ty) = self.body.result.filter(|ty| !ty.list) {
            let parts = self.by_parts(&[(RESULT.to_owned(), ty)]).into_iter();
            let none = parts.map(|(_, ty)| self.b.constant(ty.of.map_or(NONE, default_of)));
            let none: Vec<ExprId> = none.collect();
            self.set_results(&none);
        }
    }

    /// Sets the result: one value, or each part of a record.
    fn set_results(&mut self, values: &[ExprId]) -> Option<()> {
        let first = self.world.results.word?;
        for (offset, value) in (first..).zip(values) {
            self.b.set_word(offset, *value);
        }
        Some(())
    }

    /// Returns whether an effect of this name has a result.
    pub(crate) fn has_result(&self, name: &str) -> bool {
        let found = self.effects.index.called(name);
        let effect = found.and_then(|found| self.effects.all.get(found));
        effect.is_some_and(|effect| effect.result.is_some())
    }

    /// Returns whether parts of a condition, joined by `and`, call effects with a result.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an effect is called nowhere else in a condition"
    )]
    pub(crate) fn calls_effect(&self, condition: &ast::Expr) -> bool {
        match &condition.kind {
            ExprKind::Binary(BinaryOp::And, one, other) => {
                self.calls_effect(one) || self.calls_effect(other)
            }
            ExprKind::Cited(inner, _) | ExprKind::Unary(UnaryOp::Not, inner) => {
                self.calls_effect(inner)
            }
            ExprKind::Call(name, _) => self.has_result(&name.text),
            _ => false,
        }
    }

    /// Calls the effect of `stands(p)` or `not stands(p)`, and returns an expression of its result. `None`: something else.
    pub(crate) fn result_of(&mut self, value: &ast::Expr) -> Attempt<ast::Expr> {
        let span = value.span;
        if let ExprKind::Unary(UnaryOp::Not, inner) = &value.kind {
            let result = self.result_of(inner)?;
            let negated = |result| ExprKind::Unary(UnaryOp::Not, Box::new(result));
            let kind = result.map(negated);
            return Some(kind.map(|kind| ast::Expr::new(kind, span)));
        }
        let name = Tree { span }.word(RESULT);
        let called = self.let_result(&name, value, span)?;
        Some(called.map(|()| Tree { span }.name(RESULT)))
    }

    /// `let x = stands(p)`; `None` if the value is no call of an effect with a result.
    pub(crate) fn let_result(&mut self, name: &Name, value: &ast::Expr, span: Span) -> Attempt<()> {
        let ast::ExprKind::Call(effect, _) = &value.kind else {
            return None;
        };
        let Some(found) = self.effects.index.called(&effect.text) else {
            return self.let_shuffled(name, value);
        };
        let ty = self.effects.all.get(found)?.result?;
        Some(self.let_called(name, value, ty, span))
    }

    fn let_called(&mut self, name: &Name, call: &ast::Expr, ty: Ty, span: Span) -> Option<()> {
        let Some(Some((callee, values))) = self.effect_call(call, span) else {
            self.scope.bind(&name.text, Binding::Failed);
            return None;
        };
        let args = self.b.args(values);
        self.emit_resting(callee.called_with(args));
        if ty.list {
            let local = self.scope.local(ty);
            self.take_list_result(local, ty.of.unwrap_or(Type::Int))?;
            self.scope.bind(&name.text, Binding::Local(local, ty));
            return Some(());
        }
        let parts = self.by_parts(&[(name.text.clone(), ty)]);
        let first = self.world.results.word?;
        for (offset, (name, ty)) in (first..).zip(&parts) {
            let local = self.scope.local(*ty);
            let result = self.b.expr(Expr::Word(offset));
            self.b.emit(Op::Let(local, result));
            self.scope.bind(name, Binding::Local(local, *ty));
        }
        let nothing = vec![self.b.constant(0); parts.len()];
        self.set_results(&nothing)
    }
}

//! Branches and loops.

use crate::compile::builder::LATER;
use crate::compile::compiler::Compiler;
use crate::compile::compiler::body::Loop;
use crate::compile::scope::Binding;
use crate::compile::terms::value::Value;
use crate::names::types::{Ty, default_of};
use crate::names::walk::mentions;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, BinaryOp, Block, ExprKind, Name};
use wyrmgate_program::*;

impl Compiler<'_> {
    pub fn if_statement(
        &mut self,
        arms: &[(ast::Expr, Block)],
        otherwise: Option<&Block>,
    ) -> Option<()> {
        let mut ends = Vec::new();
        for (condition, body) in arms {
            let cites = self.cites_of(condition);
            self.b.at(condition.span, cites);
            let mark = self.scope.mark();
            let past = self.unless(condition);
            self.block(body);
            self.scope.reset(mark);
            ends.push(self.b.emit(Op::Jump(LATER)));
            self.b.land_all(past);
        }
        if let Some(otherwise) = otherwise {
            self.block(otherwise);
        }
        self.b.land_all(ends);
        Some(())
    }

    /// Emits the jumps that are taken unless a condition holds. Its parts can be calls of effects with a result.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    fn unless(&mut self, condition: &ast::Expr) -> Vec<Address> {
        match &condition.kind {
            ExprKind::Binary(BinaryOp::And, one, other) if self.calls_effect(condition) => {
                let mut past = self.unless(one);
                past.extend(self.unless(other));
                return past;
            }
            ExprKind::Cited(inner, cites) if self.calls_effect(inner) => {
                let cites = self.cite(cites);
                self.b.at(condition.span, cites);
                return self.unless(inner);
            }
            _ => {}
        }
        let test = match self.result_of(condition) {
            Some(result) => result.and_then(|result| self.condition(&result)),
            None => self.condition(condition),
        };
        let past = test.map(|test| self.b.emit(Op::JumpUnless(test, LATER)));
        past.into_iter().collect()
    }

    /// Returns the frame of a loop: the stack is freed before each iteration and at the end.
    fn looped(
        &mut self,
        head: impl FnOnce(&mut Self) -> Option<Option<Address>>,
        body: impl FnOnce(&mut Self),
    ) -> Option<()> {
        let mark = self.scope.mark();
        let height = self.scope.local(Ty::INT);
        self.b.emit(Op::Mark(height));
        let top = self.b.here();
        self.b.emit(Op::Release(height));
        let exit = head(self);
        self.body.loops.push(Loop {
            cleanups: self.body.cleanups.len(),
            ..Loop::default()
        });
        body(self);
        let ended = self.body.loops.pop().unwrap_or_default();
        self.b.land_all(ended.nexts);
        self.b.emit(Op::Jump(top));
        self.b.land_all(ended.stops);
        if let Some(Some(exit)) = exit {
            self.b.land(exit);
        }
        self.b.emit(Op::Release(height));
        self.scope.reset(mark);
        exit.map(|_| ())
    }

    /// `each x in xs: …`, where the list can be the result of an effect.
    pub fn each(&mut self, name: &Name, of: &ast::Expr, body: &Block) -> Option<()> {
        let mark = self.scope.mark();
        let done = match self.result_of(of) {
            None => self.each_in(name, of, |c| c.block(body)),
            Some(Some(list)) => self.each_in(name, &list, |c| c.block(body)),
            Some(None) => self.each_of_nothing(name, |c| c.block(body)),
        };
        self.scope.reset(mark);
        done
    }

    /// Translates a loop over the members of a list, with a body of any kind.
    pub fn each_in(
        &mut self,
        name: &Name,
        of: &ast::Expr,
        body: impl FnOnce(&mut Self),
    ) -> Option<()> {
        let mark = self.scope.mark();
        let Some((set, member)) = self.binder_list(of, &name.text) else {
            return self.each_of_nothing(name, body);
        };
        let listed = Ty::list(member);
        let lists = self.values_of_parts(Value::List(set, member), of.span)?;
        let parts = self.by_parts(&[(name.text.clone(), listed)]);
        let height = self.scope.local(Ty::INT);
        // Of records, the index comes first.
        let index = self.record_type(member).map(|_| self.scope.local(Ty::INT));
        let zero = self.b.constant(0);
        self.b.emit(Op::Mark(height));
        let lists = self.emit_values(&parts, lists);
        let index = index.unwrap_or_else(|| self.scope.local(Ty::INT));
        self.b.emit(Op::Let(index, zero));
        let own = parts.into_iter().map(|(name, ty)| (name, ty.element()));
        let own: Vec<(String, Ty)> = own.collect();
        let slots = own.iter().map(|(_, ty)| self.scope.local(*ty));
        let slots: Vec<Local> = slots.collect();
        self.bind_slots(&own, &slots);
        let done = self.looped(|c| Some(c.emit_next(&lists, index, &slots, &own)), body);
        self.b.emit(Op::Release(height));
        self.scope.reset(mark);
        done
    }

    /// Emits the step to the next member. The other parts of a record are found by its number.
    fn emit_next(
        &mut self,
        lists: &[Local],
        index: Local,
        slots: &[Local],
        own: &[(String, Ty)],
    ) -> Option<Address> {
        let (list, var) = (*lists.first()?, *slots.first()?);
        let exit = LATER;
        let next = self.b.emit(Op::EachNext(LoopStep {
            list,
            index,
            var,
            exit,
        }));
        for ((list, slot), (_, ty)) in lists.iter().zip(slots).zip(own).skip(1) {
            let list = self.b.set(Set::Local(*list));
            let number = self.b.local(index);
            let default = ty.of.map_or(NONE, default_of);
            let part = self.b.expr(Expr::Nth(list, number, default));
            self.b.emit(Op::Let(*slot, part));
        }
        Some(next)
    }

    /// Goes through the members of a list in slots, with the number of each from 1.
    pub(super) fn each_number(
        &mut self,
        list: Local,
        index: Local,
        var: Local,
        body: impl FnOnce(&mut Self),
    ) -> Option<()> {
        let exit = LATER;
        let next = Op::EachNext(LoopStep {
            list,
            index,
            var,
            exit,
        });
        self.looped(|c| Some(Some(c.b.emit(next))), body)
    }

    /// Translates the body of a loop whose list has been reported.
    fn each_of_nothing(&mut self, name: &Name, body: impl FnOnce(&mut Self)) -> Option<()> {
        let mark = self.scope.mark();
        self.scope.bind(&name.text, Binding::Failed);
        self.body.loops.push(Loop::default());
        body(self);
        self.body.loops.pop();
        self.scope.reset(mark);
        None
    }

    pub fn repeat(&mut self, times: Option<&ast::Expr>, body: &Block, span: Span) -> Option<()> {
        let Some(times) = times else {
            let from = self.b.here();
            let done = self.looped(|_| Some(None), |c| c.block(body));
            self.notes.endless.push((from..self.b.here(), span));
            return done;
        };
        let count = self.number(times)?;
        let mark = self.scope.mark();
        let left = self.scope.local(Ty::INT);
        self.b.emit(Op::Let(left, count));
        let done = self.looped(
            |c| {
                let (zero, one, now) = (c.b.constant(0), c.b.constant(1), c.b.local(left));
                let more = c.b.binary(Binary::More, now, zero);
                let exit = c.b.emit(Op::JumpUnless(more, LATER));
                let fewer = c.b.binary(Binary::Subtract, now, one);
                c.b.emit(Op::Let(left, fewer));
                Some(Some(exit))
            },
            |c| c.block(body),
        );
        self.scope.reset(mark);
        done
    }

    pub fn while_loop(&mut self, condition: &ast::Expr, body: &Block) -> Option<()> {
        let cites = self.cites_of(condition);
        let from = self.b.here();
        let done = self.looped(
            |c| {
                c.b.at(condition.span, cites);
                let test = c.condition(condition)?;
                let holds = c.known_value(test) != Some(0);
                c.notes.doubts.loops.push((condition.span, holds));
                Some(Some(c.b.emit(Op::JumpUnless(test, LATER))))
            },
            |c| c.block(body),
        );
        let is_idle = self.b.code_since(from).iter().all(changes_nothing);
        if is_idle && !mentions(condition, &["score"]) {
            self.notes.doubts.idle.push(condition.span);
        }
        done
    }

    /// Returns the value of an expression that is the same in every game of this setup.
    pub fn known_value(&self, expr: ExprId) -> Option<i32> {
        pure::value(&self.b.program, expr, &mut pure::Known::default())
    }

    pub fn leave_loop(&mut self, span: Span, stop: bool) -> Option<()> {
        let Some(depth) = self.body.loops.last().map(|l| l.cleanups) else {
            let word = if stop { "stop" } else { "next" };
            let message = format!("`{word}` is outside of a loop");
            let help =
                "use it inside `each`, `repeat`, `while` or `turns`; `return` leaves the effect";
            return self.problem("no-loop", span, message, help);
        };
        self.emit_cleanups(depth);
        let jump = self.b.emit(Op::Jump(LATER));
        if let Some(innermost) = self.body.loops.last_mut() {
            let jumps = if stop {
                &mut innermost.stops
            } else {
                &mut innermost.nexts
            };
            jumps.push(jump);
        }
        Some(())
    }
}

/// Returns whether an operation of a loop leaves everything as it is, except points.
fn changes_nothing(op: &Op) -> bool {
    matches!(
        op,
        Op::Jump(_)
            | Op::JumpUnless(..)
            | Op::Mark(_)
            | Op::Release(_)
            | Op::Score { .. }
            | Op::Say { .. }
    )
}

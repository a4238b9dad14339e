//! The code of handlers: their conditions and bodies, in place of the original or beside it.

use crate::compile::builder::LATER;
use crate::compile::compiler::Compiler;
use crate::compile::compiler::body::{Cleanup, Original};
use crate::compile::scope::Binding;
use crate::compile::terms::pattern::Params;
use crate::compile::terms::value::Value;
use crate::names::types::Ty;
use wyrmgate_lang::definition::{HandlerDef, When};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Returns the effect of a `before` or `after` handler: its condition, then its body.
    pub(crate) fn handler_effect(&mut self, index: usize, met: &[(String, Ty)]) -> EffectId {
        let params = self.handler_params(index);
        let id = self.add_handler_effect(index, &params);
        let waits = self.translate_trigger(index, &params);
        self.effect_body(id, &params, |c| {
            let past = c.unless_handler_holds(index, met, LATER);
            match waits {
                true => c.wait_in_line(index, &params),
                false => c.handler_body(index, None),
            }
            c.b.land_all(past.into_iter().collect());
        });
        id
    }

    pub(crate) fn handler_body(&mut self, index: usize, original: Option<Original>) {
        let Some(handler) = self.handlers.get(index) else {
            return;
        };
        let (def, when) = (handler.def, handler.def.when);
        let outer = (self.body.preventing, self.body.original.take());
        self.body.preventing = when == When::Before;
        self.body.original = original;
        self.is_within(index);
        let running = self.running(index);
        if let Some(word) = running {
            self.set_running(word, true);
            self.body.cleanups.push(Cleanup::Running(word));
        }
        self.block(&def.body);
        if let Some(word) = running {
            self.body.cleanups.pop();
            self.emit_cleanup(Cleanup::Running(word));
        }
        (self.body.preventing, self.body.original) = outer;
    }

    /// Emits a jump if the condition of a handler does not hold; none if it has no condition.
    pub(crate) fn unless_handler_holds(
        &mut self,
        index: usize,
        met: &[(String, Ty)],
        to: Address,
    ) -> Option<Address> {
        let handler = self.handlers.get(index)?;
        let (def, own) = (handler.def, handler.pattern.params());
        self.b.at(def.span, Vec::new());
        let me = self.b.local(0);
        let rests = self.rests(index, me);
        let within = self.is_within(index);
        let rests = self.b.both(rests, within);
        let stated = self.handler_condition(def, &own, met);
        let test = self.b.both(rests, stated)?;
        Some(self.b.emit(Op::JumpUnless(test, to)))
    }

    /// Wraps `inner` in an `instead` handler, which has no effect if its condition does not hold.
    pub(crate) fn instead(
        &mut self,
        index: usize,
        all: &[(String, Ty)],
        inner: EffectId,
    ) -> EffectId {
        if let Some(kind) = self.handlers.get(index).and_then(|h| h.me) {
            return self.instead_of_kind(index, kind, all, inner);
        }
        let params = self.with_hidden(index, all);
        let id = self.add_handler_effect(index, &params);
        self.effect_body(id, &params, |c| {
            let past = c.unless_handler_holds(index, all, LATER);
            let original = c.original(index, inner, &params, 0);
            c.handler_body(index, Some(original));
            if let Some(past) = past {
                c.b.emit(Op::Return);
                c.b.land(past);
                let args = c.own_slots(0, &params);
                c.emit_call(inner, args);
            }
        });
        id
    }

    /// Returns what `proceed` of a handler calls: an effect that is given the frame from the slot `first` on.
    pub(crate) fn original(
        &self,
        index: usize,
        effect: EffectId,
        params: &Params,
        first: Local,
    ) -> Original {
        let passed = params.iter().skip(usize::from(first)).cloned();
        Original {
            effect,
            params: passed.collect(),
            first,
            running: self.running(index),
        }
    }

    /// Returns the handler's own names, then those that no handler sees.
    pub(crate) fn with_hidden(&self, index: usize, all: &[(String, Ty)]) -> Params {
        let mut params = self.handler_params(index);
        let seen = params.len() - usize::from(self.handlers.is_of_kind(index));
        params.extend(all.iter().skip(seen).cloned());
        params
    }

    /// Wraps `inner` in an `instead` handler of a kind, once for each component, the last one outermost. `next` walks
    /// down from the component in its first slot to one whose condition holds, or else to the original; `proceed` calls
    /// it.
    pub(crate) fn instead_of_kind(
        &mut self,
        index: usize,
        kind: KindId,
        all: &[(String, Ty)],
        inner: EffectId,
    ) -> EffectId {
        let params = self.with_hidden(index, all);
        let body = self.add_handler_effect(index, &params);
        let next = self.add_handler_effect(index, &params);
        let entry = self.add_handler_effect(index, &all.to_vec());
        let (first, count) = (self.world.kind(kind).first, self.world.kind(kind).count);
        self.effect_body(body, &params, |c| {
            let original = c.original(index, next, &params, 0);
            c.handler_body(index, Some(original));
        });
        self.effect_body(next, &params, |c| {
            c.next_of_kind(index, all, first as i32, body, inner);
        });
        self.effect_body(entry, all, |c| {
            let beyond = c.b.constant((first + count) as i32);
            let mut args = vec![Arg::Value(beyond)];
            args.extend(c.own_slots(0, all));
            c.emit_call(next, args);
        });
        entry
    }

    pub(crate) fn next_of_kind(
        &mut self,
        index: usize,
        all: &[(String, Ty)],
        first: i32,
        body: EffectId,
        inner: EffectId,
    ) {
        let top = self.b.here();
        let (me, first, one) = (self.b.local(0), self.b.constant(first), self.b.constant(1));
        let more = self.b.binary(Binary::More, me, first);
        let none_left = self.b.emit(Op::JumpUnless(more, LATER));
        let before = self.b.binary(Binary::Subtract, me, one);
        self.b.emit(Op::Let(0, before));
        self.unless_handler_holds(index, all, top);
        let mut args = vec![Arg::Value(me)];
        args.extend(self.own_slots(1, all));
        self.emit_call(body, args);
        self.b.emit(Op::Return);
        self.b.land(none_left);
        let args = self.own_slots(1, all);
        self.emit_call(inner, args);
    }

    /// Translates the stated condition, and tests narrower parameter types (`after move(piece p, space z)`).
    pub(crate) fn handler_condition(
        &mut self,
        def: &HandlerDef,
        own: &[(String, Ty)],
        met: &[(String, Ty)],
    ) -> Option<ExprId> {
        let mut test: Option<ExprId> = None;
        for ((name, wanted), (_, known)) in own.iter().zip(met) {
            if let Some(Binding::Local(local, _)) = self.scope.find(name)
                && !wanted.list
                && wanted.of != known.of
                && let value = self.b.local(local)
                && let Some(is) = self.is_of(value, wanted.of)
            {
                test = self.b.both(test, Some(is));
            }
        }
        if let Some(condition) = &def.condition {
            let clauses = self.cites_of(condition);
            self.b.at(condition.span, clauses);
            let stated = self.condition(condition)?;
            test = self.b.both(test, Some(stated));
        }
        test
    }

    /// Tests whether a value is of this kind or zone family.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    pub(crate) fn is_of(&mut self, value: ExprId, of: Option<Type>) -> Option<ExprId> {
        match of? {
            Type::Component(Some(kind)) => Some(self.b.expr(Expr::IsKind { kind, of: value })),
            Type::Zone(Some(family)) => {
                let inside = self.b.expr(Expr::ZoneIn {
                    family,
                    zone: value,
                });
                Some(self.b.compare(Binary::NotEqual, inside, NONE))
            }
            _ => None,
        }
    }

    /// Calls a handler once, or for each component of its kind.
    pub(crate) fn call_handler(
        &mut self,
        index: usize,
        effect: EffectId,
        params: &[(String, Ty)],
        kept: &[(Local, Ty)],
    ) {
        let Some(handler) = self.handlers.get(index) else {
            return;
        };
        let (me, before) = (handler.me, handler.def.when == When::Before);
        let call = |c: &mut Self, me: Option<ExprId>| {
            let mut args: Vec<Arg> = me.map(Arg::Value).into_iter().collect();
            args.extend(c.own_slots(0, params));
            args.extend(kept.iter().map(|(slot, ty)| c.own_slot(*slot, *ty)));
            c.emit_call(effect, args);
            if before {
                c.leave_if_prevented();
            }
        };
        match me.map(|kind| self.all_of(kind)) {
            Some(Value::List(components, _)) => {
                self.each_member(components, |c, component| call(c, Some(component)));
            }
            _ => call(self, None),
        }
    }
}

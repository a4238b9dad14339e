//! Handlers: what happens before, instead of and after an effect or a primitive.
//!
//! An effect that is met becomes two: the *wrapper*, which every call goes to, and the *original*. The wrapper calls
//! the `before` handlers (one of them may `prevent` the rest), then the outermost `instead` handler (whose `proceed`
//! calls the next one, the last of them the original), then the `after` handlers. All in the order of the files.
//! Handlers of a kind run for each component of the kind, with `me`.

use super::Compiler;
use super::builder::LATER;
use super::effect::{Part, Pattern};
use super::scope::Binding;
use crate::check::types::Ty;
use crate::check::world::Symbol;
use crate::diagnostic::Span;
use crate::lang::definition::{HandlerDef, When};
use crate::program::*;

pub struct HandlerDecl<'d> {
    pub def: &'d HandlerDef,
    pub pattern: Pattern,
    /// Kind whose components it runs for.
    pub me: Option<KindId>,
    pub met: bool,
}

/// Where `proceed` leads while an `instead` handler is translated.
#[derive(Clone)]
pub struct Original {
    pub effect: EffectId,
    pub params: Vec<(String, Ty)>,
}

impl<'d> Compiler<'d> {
    pub fn declare_handlers(&mut self) {
        let def = self.def;
        for handler in &def.handlers {
            self.declare_handler(handler, None);
        }
        for component in &def.components {
            for kind in std::iter::once(component).chain(&component.kinds) {
                let Some(Symbol::Kind(id)) = self.world.symbol(&kind.name.text) else {
                    continue;
                };
                for handler in &kind.handlers {
                    self.declare_handler(handler, Some(id));
                }
            }
        }
    }

    fn declare_handler(&mut self, def: &'d HandlerDef, me: Option<KindId>) {
        if let Some(pattern) = self.pattern(&def.signature, def.span) {
            self.handlers.push(HandlerDecl {
                def,
                pattern,
                me,
                met: false,
            });
        }
    }

    pub fn has_handlers(&self, pattern: &Pattern) -> bool {
        self.handlers.iter().any(|h| meets(&h.pattern, pattern))
    }

    fn handlers_of(&mut self, pattern: &Pattern, when: When) -> Vec<usize> {
        let mut found = Vec::new();
        for (i, handler) in self.handlers.iter_mut().enumerate() {
            if handler.def.when == when && meets(&handler.pattern, pattern) {
                handler.met = true;
                found.push(i);
            }
        }
        found
    }

    /// Emits the wrapper of an effect around `inner`.
    pub fn wrap(&mut self, id: EffectId, inner: EffectId, pattern: &Pattern) {
        let params = pattern.params();
        let before = self.handlers_of(pattern, When::Before);
        let instead = self.handlers_of(pattern, When::Instead);
        let after = self.handlers_of(pattern, When::After);
        let before: Vec<_> = before
            .into_iter()
            .map(|h| (h, self.handler_effect(h, &params, None)))
            .collect();
        let mut middle = inner;
        for handler in instead {
            middle = self.handler_effect(
                handler,
                &params,
                Some(Original {
                    effect: middle,
                    params: params.clone(),
                }),
            );
        }
        let after: Vec<_> = after
            .into_iter()
            .map(|h| (h, self.handler_effect(h, &params, None)))
            .collect();
        self.effect_body(id, &params, |c| {
            c.b.at(pattern.span, Vec::new());
            for (handler, effect) in &before {
                c.call_handler(*handler, *effect, &params);
                c.leave_if_prevented();
            }
            c.call_with_own_params(middle, &params, None);
            for (handler, effect) in &after {
                c.call_handler(*handler, *effect, &params);
            }
        });
    }

    fn prevented(&self) -> u32 {
        self.world
            .vars
            .get(super::VAR_PREVENTED as usize)
            .map_or(0, |v| v.offset)
    }

    fn leave_if_prevented(&mut self) {
        let offset = self.prevented();
        let flag = self.b.expr(Expr::Word(offset));
        let zero = self.b.constant(0);
        let past = self.b.emit(Op::JumpUnless(flag, LATER));
        self.b.emit(Op::SetWord {
            offset,
            value: zero,
        });
        self.b.emit(Op::Return);
        self.b.land(past);
    }

    pub fn prevent(&mut self, span: Span) -> Option<()> {
        if !self.preventing {
            return self.problem(
                "no-prevent",
                span,
                "there is nothing to prevent here",
                "`prevent` stands in a `before` handler",
            );
        }
        let offset = self.prevented();
        let one = self.b.constant(1);
        self.b.emit(Op::SetWord { offset, value: one });
        self.b.emit(Op::Return);
        Some(())
    }

    pub fn proceed(&mut self, span: Span) -> Option<()> {
        let Some(original) = self.original.clone() else {
            return self.problem(
                "no-proceed",
                span,
                "there is nothing to proceed with here",
                "`proceed` stands in an `instead` handler",
            );
        };
        self.call_with_own_params(
            original.effect,
            &original.params,
            self.handler_me.map(|_| 1),
        );
        Some(())
    }

    /// Passes this frame's parameters on; `skip` of them (the handler's `me`) are not the original's.
    fn call_with_own_params(
        &mut self,
        effect: EffectId,
        params: &[(String, Ty)],
        skip: Option<Local>,
    ) {
        let mut slot = skip.unwrap_or(0);
        let mut args = Vec::new();
        for (_, ty) in params {
            args.push(self.own_slot(slot, *ty));
            slot += if ty.list { 2 } else { 1 };
        }
        self.emit_call(effect, args);
    }

    fn own_slot(&mut self, slot: Local, ty: Ty) -> Arg {
        match ty.list {
            true => Arg::List(self.b.set(Set::Local(slot))),
            false => Arg::Value(self.b.expr(Expr::Local(slot))),
        }
    }

    /// The effect of one handler: its condition, then its body. Under a false condition an `instead` handler proceeds.
    fn handler_effect(
        &mut self,
        index: usize,
        met: &[(String, Ty)],
        original: Option<Original>,
    ) -> EffectId {
        let Some(handler) = self.handlers.get(index) else {
            return 0;
        };
        let (def, me, own) = (handler.def, handler.me, handler.pattern.params());
        let mut params: Vec<(String, Ty)> = Vec::new();
        // an `instead` handler of a kind has the kind's component as its last name, see below
        if let Some(kind) = me {
            params.push(("me".into(), Ty::one(Type::Component(Some(kind)))));
        }
        params.extend(own.iter().cloned());
        let name = format!("{}_{}", when_name(def.when), handler.pattern.name());
        let id = self.add_effect(&name, &params, def.span);
        let before = (self.preventing, self.original.take(), self.handler_me);
        self.preventing = def.when == When::Before;
        self.original = original.clone();
        self.handler_me = me;
        self.effect_body(id, &params, |c| {
            c.b.at(def.span, Vec::new());
            let test = c.handler_condition(def, &own, met);
            let past = test.map(|test| c.b.emit(Op::JumpUnless(test, LATER)));
            c.block(&def.body);
            let end = c.b.emit(Op::Jump(LATER));
            if let Some(past) = past {
                c.b.land(past);
                if original.is_some() {
                    c.proceed(def.span);
                }
            }
            c.b.land(end);
        });
        (self.preventing, self.original, self.handler_me) = before;
        match (me, original) {
            // wrapped so that calls need not know the component
            (Some(kind), Some(original)) => self.instead_of_kind(id, kind, &original.params),
            _ => id,
        }
    }

    /// `instead` of a kind: the first component of the kind stands for `me`.
    fn instead_of_kind(
        &mut self,
        handler: EffectId,
        kind: KindId,
        params: &[(String, Ty)],
    ) -> EffectId {
        let id = self.add_effect("instead", params, Span::default());
        let first = self.world.kind(kind).first as i32;
        self.effect_body(id, params, |c| {
            let me = c.b.constant(first);
            let mut args = vec![Arg::Value(me)];
            let mut slot = 0;
            for (_, ty) in params {
                args.push(c.own_slot(slot, *ty));
                slot += if ty.list { 2 } else { 1 };
            }
            c.emit_call(handler, args);
        });
        id
    }

    /// The stated condition, and that narrower parameter types hold (`after move(piece p, zone z)`).
    fn handler_condition(
        &mut self,
        def: &HandlerDef,
        own: &[(String, Ty)],
        met: &[(String, Ty)],
    ) -> Option<ExprId> {
        let mut test: Option<ExprId> = None;
        for ((name, wanted), (_, known)) in own.iter().zip(met) {
            if let (Some(Type::Component(Some(kind))), Some(Type::Component(known))) =
                (wanted.of, known.of)
                && known != Some(kind)
                && !wanted.list
                && let Some(Binding::Local(local, _)) = self.scope.find(name)
            {
                let of = self.b.expr(Expr::Local(local));
                let is = self.b.expr(Expr::IsKind { kind, of });
                test = Some(test.map_or(is, |t| self.b.and(t, is)));
            }
        }
        if let Some(condition) = &def.condition {
            let stated = self.condition(condition)?;
            test = Some(test.map_or(stated, |t| self.b.and(t, stated)));
        }
        test
    }

    /// Once, or for each component of the handler's kind.
    fn call_handler(&mut self, index: usize, effect: EffectId, params: &[(String, Ty)]) {
        let me = self.handlers.get(index).and_then(|h| h.me);
        let Some(kind) = me else {
            self.call_with_own_params(effect, params, None);
            return;
        };
        let (first, count) = (
            self.world.kind(kind).first as i32,
            self.world.kind(kind).count as i32,
        );
        for component in first..first + count {
            let me = self.b.constant(component);
            let mut args = vec![Arg::Value(me)];
            let mut slot = 0;
            for (_, ty) in params {
                args.push(self.own_slot(slot, *ty));
                slot += if ty.list { 2 } else { 1 };
            }
            self.emit_call(effect, args);
            if self
                .handlers
                .get(index)
                .is_some_and(|h| h.def.when == When::Before)
            {
                self.leave_if_prevented();
            }
        }
    }

    /// A handler that meets nothing is a mistake.
    pub fn check_handlers(&mut self) {
        let unmet: Vec<Span> = self
            .handlers
            .iter()
            .filter(|h| !h.met)
            .map(|h| h.pattern.span)
            .collect();
        for span in unmet {
            self.problem::<()>(
                "handler-meets-nothing",
                span,
                "no effect reads like this",
                "repeat the effect's words: `after dragon d moves int n`; primitives are move(component c, zone z), roll(components d), shuffle(zone z), scores(seat p, int n), turn_begins(seat p)",
            );
        }
    }
}

fn meets(handler: &Pattern, effect: &Pattern) -> bool {
    let shape = handler.parts.len() == effect.parts.len()
        && handler
            .parts
            .iter()
            .zip(&effect.parts)
            .all(|pair| match pair {
                (Part::Word(a), Part::Word(b)) => a == b,
                (Part::Param(..), Part::Param(..)) => true,
                _ => false,
            });
    shape && handler.call_style == effect.call_style
}

fn when_name(when: When) -> &'static str {
    match when {
        When::Before => "before",
        When::Instead => "instead",
        When::After => "after",
    }
}

//! Handlers: what happens before, instead of and after an effect or a primitive.
//!
//! An effect with handlers becomes two: the *wrapper*, which every call reaches, and the *original*. The wrapper calls
//! the `before` handlers (one of them may `prevent` the rest), then the outermost `instead` handler (whose `proceed`
//! calls the one declared before it, and the first of them calls the original), then the `after` handlers in file
//! order. Handlers of a kind run for each component of the kind, as `me`.

use crate::compile::builder::LATER;
use crate::compile::compiler::handlers::HandlerDecl;
use crate::compile::compiler::{Compiler, VAR_PREVENTED};
use crate::compile::scope::Binding;
use crate::compile::terms::pattern::{Params, Part, Pattern};
use crate::compile::terms::value::Value;
use crate::names::declaration::{Running, WordRun};
use crate::names::types::{Families, Ty};
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::ast::{self, ExprKind};
use wyrmgate_lang::definition::{HandlerDef, When};
use wyrmgate_program::*;

impl<'d> Compiler<'d> {
    pub fn declare_handlers(&mut self) {
        for (me, of) in self.world.behaviors(self.def) {
            for handler in &of.handlers {
                self.declare_handler(handler, me);
            }
        }
    }

    fn declare_handler(&mut self, def: &'d HandlerDef, me: Option<KindId>) {
        self.no_recursion(&def.signature, "a handler");
        for (word, value) in [("once", &def.once), ("waits", &def.waits)] {
            if let Some(value) = value
                && !matches!(value.kind, ExprKind::Bool(_))
            {
                let help = format!("write `{word}: true`, or remove it");
                self.problem::<()>("wrong-type", value.span, "this is not `true`", help);
            }
        }
        self.keys_fit(def);
        if let Some(pattern) = self.pattern(&def.signature, def.span) {
            let pattern = as_happening(pattern);
            if pattern.name() == "turn_begins" && def.when != When::After {
                let message = "the beginning of a turn can be neither prevented nor replaced";
                let help = "write `after turn_begins(seat p)`, or ask before the turn: `if …: turn of p: …`";
                self.problem::<()>("turn-has-begun", pattern.span, message, help);
            }
            let at = self.handlers.all.len();
            self.handlers
                .by_shape
                .entry(pattern.shape())
                .or_default()
                .push(at);
            let kept = self.kept_types(def, &pattern);
            let within = def.within.as_ref();
            let within = within.and_then(|(signature, span)| self.watch(signature, *span));
            self.handlers.all.push(HandlerDecl {
                def,
                pattern,
                me,
                met: false,
                kept,
                within,
                trigger: None,
            });
            if def.does_wait() {
                self.declare_trigger(at);
            }
        }
    }

    /// Rejects keys that mean nothing at this kind of handler.
    fn keys_fit(&mut self, def: &HandlerDef) {
        let (after, waits) = (def.when == When::After, def.does_wait());
        let place = |value: &Option<ast::Expr>| value.as_ref().map(|value| value.span);
        let kept = def.keeps.first().map(|(name, _)| name.span);
        let within = def.within.as_ref().map(|(_, span)| *span);
        let may_order = waits || def.when == When::Instead;
        let unfit = [
            (
                kept.filter(|_| !after),
                "only an `after` handler `keeps` values",
                "use the values themselves: the event has not happened yet",
            ),
            (
                place(&def.waits).filter(|_| !after),
                "only an `after` handler `waits`",
                "write an `after` handler, which cannot change the event any more",
            ),
            (
                within.filter(|_| waits),
                "a handler that waits runs when this effect has ended",
                "keep what it needs: `keeps: {cause: …}`",
            ),
            (
                place(&def.once).filter(|_| waits),
                "`once` is about the event, and a handler that waits runs later",
                "give it a condition that becomes false",
            ),
            (
                (waits && def.by.is_none()).then_some(def.span),
                "this handler waits, but has no seat",
                "add `by: p`, the seat that orders its triggers",
            ),
            (
                place(&def.by).filter(|_| !may_order),
                "`by` orders `instead` handlers, and handlers that wait",
                "remove it, or add `waits: true` to an `after` handler",
            ),
        ];
        for (span, message, help) in unfit {
            if let Some(span) = span {
                self.problem::<()>("handler-key", span, message, help);
            }
        }
    }

    /// Returns the names of what a handler keeps from before the event, with their types.
    fn kept_types(&mut self, def: &HandlerDef, pattern: &Pattern) -> Params {
        if def.keeps.is_empty() {
            return Params::new();
        }
        let outer = std::mem::take(&mut self.scope);
        for (name, ty) in pattern.params() {
            let local = self.scope.local(ty);
            self.scope.bind(&name, Binding::Local(local, ty));
        }
        let problems = self.report.diagnostics.len();
        let mut kept = Params::new();
        for (name, value) in &def.keeps {
            let ty = self.expr(value, None).map_or(Ty::ANY, Value::ty);
            kept.extend(self.by_parts(&[(name.text.clone(), ty)]));
        }
        // They are translated again in each effect around the event, and reported there.
        self.report.diagnostics.truncate(problems);
        self.scope = outer;
        kept
    }

    pub fn has_handlers(&self, pattern: &Pattern) -> bool {
        self.handlers.by_shape.contains_key(&pattern.shape()) || self.is_watched(pattern)
    }

    fn handlers_of(&mut self, pattern: &Pattern, when: When) -> Vec<usize> {
        let mut found = Vec::new();
        let meeting = self.handlers.by_shape.get(&pattern.shape());
        for at in meeting.into_iter().flatten() {
            if let Some(handler) = self.handlers.all.get_mut(*at)
                && handler.def.when == when
            {
                handler.met = true;
                found.push(*at);
            }
        }
        found.retain(|i| self.parameters_fit(*i, pattern));
        found
    }

    /// Returns whether the parameters of a handler fit. It may use a more specific kind or zone than the effect, but no
    /// other type.
    fn parameters_fit(&mut self, index: usize, pattern: &Pattern) -> bool {
        let Some(handler) = self.handlers.get(index) else {
            return false;
        };
        let (own, spans) = (handler.pattern.given(), handler.pattern.param_spans.clone());
        let met = pattern.given();
        let wrong = own.iter().zip(&met).position(|((_, own), (_, met))| {
            own.list != met.list || !self.world.fits(own.of, met.of)
        });
        let Some(at) = wrong else { return true };
        if let (Some((name, found)), Some((_, wanted)), Some(span)) =
            (own.get(at), met.get(at), spans.get(at))
        {
            let written = format!("{} {name}", self.world.type_word(*wanted));
            let (found, wanted) = (self.world.name_of(*found), self.world.name_of(*wanted));
            let message = format!("`{name}` is {found} here, but {wanted} in the handled effect");
            let help = format!("write `{written}`");
            let problem = Diagnostic::error("handler-parameter", *span, message);
            self.report.push(problem.help(help).repair(*span, written));
        }
        false
    }

    /// Emits the wrapper of an effect around `inner`. Of all its parameters, handlers see those of the pattern.
    pub fn wrap(&mut self, id: EffectId, inner: EffectId, pattern: &Pattern, all: &Params) {
        let met = pattern.params();
        let before = self.around(pattern, When::Before);
        let mut middle = inner;
        let mut ordered = Vec::new();
        for handler in self.handlers_of(pattern, When::Instead) {
            match self.is_ordered(handler) {
                true => ordered.push(handler),
                false => middle = self.instead(handler, all, middle),
            }
        }
        match ordered.as_slice() {
            [] => {}
            [only] if !self.handlers.is_of_kind(*only) => middle = self.instead(*only, all, middle),
            several => middle = self.ordered(several, all, middle),
        }
        let after = self.around(pattern, When::After);
        self.effect_body(id, all, |c| {
            c.b.at(pattern.span, Vec::new());
            for (handler, effect) in &before {
                c.call_handler(*handler, *effect, &met, &[]);
            }
            let kept: Vec<Vec<(Local, Ty)>> =
                after.iter().map(|(handler, _)| c.keep(*handler)).collect();
            let watched = c.begin_watched(pattern, &met);
            let args = c.own_slots(0, all);
            c.emit_call(middle, args);
            c.end_watched(&watched);
            for ((handler, effect), kept) in after.iter().zip(&kept) {
                c.call_handler(*handler, *effect, &met, kept);
            }
        });
    }

    /// Evaluates what a handler keeps from before the event; returns the slots.
    fn keep(&mut self, index: usize) -> Vec<(Local, Ty)> {
        let Some(handler) = self.handlers.get(index) else {
            return Vec::new();
        };
        let (def, own, types) = (handler.def, handler.pattern.params(), handler.kept.clone());
        let slots = types.iter().map(|(_, ty)| (self.scope.local(*ty), *ty));
        let slots: Vec<(Local, Ty)> = slots.collect();
        let hidden = self.scope.hide_names();
        self.bind_own(&own);
        let mut free = slots.iter();
        for (_, value) in &def.keeps {
            self.b.at(value.span, Vec::new());
            let kept = self.expr(value, None);
            let parts = kept.and_then(|kept| self.values_of_parts(kept, value.span));
            for (part, (slot, ty)) in parts.into_iter().flatten().zip(free.by_ref()) {
                match part {
                    Value::One(value, _) => drop(self.b.emit(Op::Let(*slot, value))),
                    Value::List(list, _) => self.emit_list(*slot, list, *ty),
                    Value::Record(..) => {}
                }
            }
        }
        self.scope.show_names(hidden);
        slots
    }

    /// Gives the first slots of the frame, which are the parameters of an event, the names that a handler uses.
    pub(crate) fn bind_own(&mut self, own: &[(String, Ty)]) {
        let mut slot = 0;
        for (name, ty) in own {
            self.scope.bind(name, Binding::Local(slot, *ty));
            slot += if ty.list { 2 } else { 1 };
        }
    }

    /// Returns the handlers before or after, each with its effect.
    fn around(&mut self, pattern: &Pattern, when: When) -> Vec<(usize, EffectId)> {
        let met = pattern.params();
        let handlers = self.handlers_of(pattern, when);
        handlers
            .into_iter()
            .map(|handler| (handler, self.handler_effect(handler, &met)))
            .collect()
    }

    fn prevented(&self) -> u32 {
        self.world.var(VAR_PREVENTED).map_or(0, |var| var.offset)
    }

    pub(crate) fn leave_if_prevented(&mut self) {
        let offset = self.prevented();
        let flag = self.b.expr(Expr::Word(offset));
        let zero = self.b.constant(0);
        let past = self.b.emit(Op::JumpUnless(flag, LATER));
        self.b.set_word(offset, zero);
        self.b.emit(Op::Return);
        self.b.land(past);
    }

    pub fn prevent(&mut self, span: Span) -> Option<()> {
        if !self.body.preventing {
            let message = "there is nothing to prevent here";
            let help = "use `prevent` in a `before` handler";
            return self.problem("no-prevent", span, message, help);
        }
        let offset = self.prevented();
        let one = self.b.constant(1);
        self.b.set_word(offset, one);
        self.emit_cleanups(0);
        self.b.emit(Op::Return);
        Some(())
    }

    pub fn proceed(&mut self, span: Span) -> Option<()> {
        let Some(original) = self.body.original.clone() else {
            let message = "there is nothing to proceed with here";
            let help = "use `proceed` in an `instead` handler";
            return self.problem("no-proceed", span, message, help);
        };
        let args = self.own_slots(original.first, &original.params);
        if let Some(word) = original.running {
            self.set_running(word, false);
        }
        self.emit_call(original.effect, args);
        if let Some(word) = original.running {
            self.set_running(word, true);
        }
        Some(())
    }

    /// Returns the word that says whether a handler with `once` is running.
    pub(crate) fn running(&self, index: usize) -> Option<Running> {
        let span = self.handlers.get(index)?.def.span;
        let mut all = self.world.running.iter();
        all.find(|(of, _)| *of == span).map(|(_, word)| *word)
    }

    pub(crate) fn set_running(&mut self, word: Running, is_running: bool) {
        let op = self.runs(word, is_running);
        self.b.emit(op);
    }

    /// Returns the operation that notes whether a handler is running. The component whose handler it is lies in the
    /// first slot.
    pub(crate) fn runs(&mut self, word: Running, is_running: bool) -> Op {
        let value = self.b.constant(i32::from(is_running));
        let Running { offset, of_kind } = word;
        match of_kind {
            None => Op::SetWord { offset, value },
            Some((low, len)) => WordRun::new(offset, low, len).set(self.b.local(0), value, false),
        }
    }

    /// Tests whether a handler with `once` is not running, for this component if it belongs to a kind.
    pub(crate) fn rests(&mut self, index: usize, me: ExprId) -> Option<ExprId> {
        let Running { offset, of_kind } = self.running(index)?;
        let runs = match of_kind {
            None => self.b.expr(Expr::Word(offset)),
            Some((low, len)) => self.b.expr(WordRun::new(offset, low, len).at(me, 0)),
        };
        Some(self.b.compare(Binary::Equal, runs, 0))
    }

    /// Returns this frame's parameters from a slot on, to be passed to another effect.
    pub fn own_slots(&mut self, first: Local, params: &[(String, Ty)]) -> Vec<Arg> {
        let mut slot = first;
        let mut args = Vec::new();
        for (_, ty) in params {
            args.push(self.own_slot(slot, *ty));
            slot += if ty.list { 2 } else { 1 };
        }
        args
    }

    pub(crate) fn own_slot(&mut self, slot: Local, ty: Ty) -> Arg {
        match ty.list {
            true => Arg::List(self.b.set(Set::Local(slot))),
            false => Arg::Value(self.b.local(slot)),
        }
    }

    /// Returns a handler's own parameter names, after `me` if it belongs to a kind.
    pub(crate) fn handler_params(&self, index: usize) -> Params {
        let Some(handler) = self.handlers.get(index) else {
            return Params::new();
        };
        let me = handler.me.map(me_of);
        let own = me.into_iter().chain(handler.pattern.params());
        own.chain(handler.kept.iter().cloned()).collect()
    }

    pub(crate) fn add_handler_effect(&mut self, index: usize, params: &Params) -> EffectId {
        let Some(handler) = self.handlers.get(index) else {
            return 0;
        };
        let name = format!("{}_{}", when_name(handler.def.when), handler.pattern.name());
        let span = handler.def.span;
        self.add_effect(&name, params, span)
    }
}

/// `seat p scores int n` is called like an effect, and handled like one.
pub(crate) fn as_happening(mut pattern: Pattern) -> Pattern {
    if let [Part::Param(..), Part::Word(word), Part::Param(..)] = pattern.parts.as_slice()
        && word == "scores"
    {
        pattern.parts.swap(0, 1);
        pattern.call_style = true;
    }
    pattern
}

/// Returns the component for which a kind's handler runs.
fn me_of(kind: KindId) -> (String, Ty) {
    ("me".into(), Ty::one(Type::Component(Some(kind))))
}

fn when_name(when: When) -> &'static str {
    match when {
        When::Before => "before",
        When::Instead => "instead",
        When::After => "after",
    }
}

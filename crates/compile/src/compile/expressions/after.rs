//! `after(effect, value)`: what-ifs. The value can be a list.

use std::collections::BTreeSet;

use crate::compile::compiler::Compiler;
use crate::compile::passes::extents::Extents;
use crate::compile::terms::callee::Callee;
use crate::compile::terms::pattern::Params;
use crate::compile::terms::value::Value;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, ExprKind};
use wyrmgate_program::*;

/// Why an effect cannot be supposed, and whether an operation is the reason.
type Obstacle = (&'static str, fn(RowFacts) -> bool);

const OBSTACLES: [Obstacle; 3] = [
    ("asks somebody", |facts| facts.asks),
    ("uses chance", |facts| facts.random),
    ("can end the game", |facts| facts.finishes),
];

impl Compiler<'_> {
    /// Translates `after(call, value)`. The value can use the names around it, which keep their values.
    pub fn after(&mut self, call: &ast::Expr, value: &ast::Expr, name: Span) -> Option<Value> {
        let (callee, args) = match self.effect_call(call, call.span) {
            Some(called) => called?,
            None => match self.matching_effect(std::slice::from_ref(call)) {
                Some((effect, ..)) => (Callee::Effect(effect), Vec::new()),
                None => return self.no_effect(call),
            },
        };
        let args: Vec<ExprId> = args.into_iter().map(|arg| self.as_expr(arg)).collect();
        let span = value.span;
        let value = self.expr(value, None)?;
        if self.record_type(value.ty().of).is_some() {
            return self.not_a_record(value, span);
        }
        let effect = match callee {
            Callee::Effect(effect) => effect,
            Callee::OfKind(dispatch) => self.by_kind(dispatch, call)?,
        };
        self.effects.supposed.push((effect, name.to(call.span)));
        let count = u16::try_from(args.len()).ok()?;
        let args = self.b.row(&args);
        Some(match value {
            Value::One(value, of) => {
                let after = Expr::After(SupposedValue {
                    effect,
                    args,
                    count,
                    value,
                });
                Value::One(self.b.expr(after), of)
            }
            Value::List(list, of) => {
                let after = Set::After(SupposedList {
                    effect,
                    args,
                    count,
                    list,
                });
                Value::List(self.b.set(after), of)
            }
            Value::Record(..) => value,
        })
    }

    pub(crate) fn as_expr(&mut self, arg: Arg) -> ExprId {
        match arg {
            Arg::Value(value) => value,
            Arg::List(list) => self.b.expr(Expr::ListArgument(list)),
        }
    }

    fn no_effect(&mut self, call: &ast::Expr) -> Option<Value> {
        let message = "this is no effect";
        let help = "write an effect that is declared like a function, with its arguments: `go(a, b)`, `c.played(p)`; for \
            a phrase, declare an effect `go(card c)` that says it";
        self.problem("after-what", call.span, message, help)
    }

    /// Returns an effect that calls the one of the kind of its first argument.
    fn by_kind(&mut self, dispatch: DispatchId, call: &ast::Expr) -> Option<EffectId> {
        let (ExprKind::Field(_, name, _) | ExprKind::Call(name, _)) = &call.kind else {
            return None;
        };
        let name = name.text.clone();
        let key = format!("after {name}");
        if let Some(known) = self.effects.primitives.get(&key) {
            return Some(*known);
        }
        let mut params: Params = self.effects.of_kinds.get(&name)?.params.clone();
        if let Some((_, me)) = params.first_mut() {
            *me = Ty::COMPONENT;
        }
        let id = self.add_effect(&name, &params, call.span);
        self.effects.primitives.insert(key, id);
        self.effects.by_kinds.push((id, params, dispatch));
        Some(id)
    }

    /// Translates the effects that [`Compiler::by_kind`] has added.
    pub fn translate_by_kinds(&mut self) {
        for (id, params, dispatch) in std::mem::take(&mut self.effects.by_kinds) {
            let args = self.own_slots(0, &params);
            let args = self.b.args(args);
            self.effect_body(id, &params, |c| {
                c.emit_resting(Op::CallKind { dispatch, args });
            });
        }
    }

    /// Reports what-ifs about effects that do more than change the position.
    pub fn check_supposed(&mut self) {
        let extents = Extents::of(&self.b.program);
        let mut found = BTreeSet::new();
        for &(effect, span) in &self.effects.supposed {
            let reached = extents.reached(effect);
            let facts = reached
                .iter()
                .flat_map(|id| extents.ops(*id))
                .map(Op::facts);
            let facts: Vec<RowFacts> = facts.collect();
            for (what, is_obstacle) in OBSTACLES {
                if facts.iter().any(|facts| is_obstacle(*facts)) {
                    found.insert((span, what));
                }
            }
        }
        for (span, what) in found {
            let message = format!("this effect {what}, so what follows it cannot be supposed");
            let help = "put the part that only changes the position into an effect of its own, and suppose that";
            self.problem::<()>("after-more", span, message, help);
        }
    }
}

//! Effects: declared as a phrase or a function, resolved by their words, translated to code.

use hashbrown::HashMap;

use crate::compile::compiler::Compiler;
use crate::compile::compiler::effects::{ByKind, EffectDecl, Later, MemberEffect};
use crate::compile::declarations::primitive;
use crate::compile::scope::Binding;
use crate::compile::terms::pattern::{Part, Pattern};
use crate::names::types::{Families, Ty};
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::definition::EffectDef;
use wyrmgate_lang::effect::statement::words_that_begin;
use wyrmgate_lang::effect::table::Begins;
use wyrmgate_program::*;

/// Returns whether both have the same types in the same order, apart from `me`.
pub fn same_types(one: &[(String, Ty)], other: &[(String, Ty)]) -> bool {
    let types =
        |params: &[(String, Ty)]| -> Vec<Ty> { params.iter().skip(1).map(|(_, ty)| *ty).collect() };
    types(one) == types(other)
}

impl<'d> Compiler<'d> {
    pub fn declare_effects(&mut self) {
        for def in &self.def.behavior.effects {
            let Some(pattern) = self.pattern(&def.signature, def.span) else {
                continue;
            };
            let earlier = self.effects.index.same(&pattern);
            if let Some(earlier) = earlier.and_then(|at| self.effects.all.get(at)) {
                let first = earlier.pattern.span;
                self.report.push(
                    Diagnostic::error(
                        "duplicate-effect",
                        pattern.span,
                        "this effect is declared twice",
                    )
                    .related(first, "first declared here")
                    .help("remove one, or change its words"),
                );
                continue;
            }
            self.can_be_called(&pattern);
            let name = pattern.name();
            let id = self.add_effect(&name, &pattern.params(), def.span);
            // tools call only those without parameters
            if pattern.params().is_empty() {
                self.b.program.origins.effect_names.insert(name, id);
            }
            self.effects.index.add(&pattern, self.effects.all.len());
            let result = self.result_type(&def.signature);
            self.effects.all.push(EffectDecl {
                pattern,
                body: Some(&def.body),
                id,
                me: None,
                result,
            });
        }
        for (kind, of) in self.world.behaviors(self.def) {
            if let Some(kind) = kind {
                self.declare_member_effects(kind, &of.effects);
            }
        }
        self.fill_effect_dispatches();
    }

    /// Reports a phrase that begins with a word of a built-in statement, because it is always read as that statement.
    fn can_be_called(&mut self, pattern: &Pattern) {
        let Some(Part::Word(first)) = pattern.parts.first() else {
            return;
        };
        let alone = pattern.parts.len() == 1 && !pattern.call_style;
        let known = |begins| words_that_begin(begins).any(|word| word == first);
        let taken = known(Begins::Always) || alone && known(Begins::Alone);
        if taken || primitive::is_happening(pattern) {
            let message =
                format!("`{first}` has a meaning already, so this effect can never be called");
            let help = "begin with another word, or with a parameter: `seat p draws int n`";
            self.problem::<()>("never-callable", pattern.span, message, help);
        }
    }

    /// Reserves an effect whose code follows later.
    pub fn add_effect(&mut self, name: &str, params: &[(String, Ty)], span: Span) -> EffectId {
        self.b.program.effects.push(EffectInfo {
            name: name.to_string(),
            entry: 0,
            params: params
                .iter()
                .map(|(_, ty)| ty.of.unwrap_or(Type::Int))
                .collect(),
            list_params: params.iter().map(|(_, ty)| ty.list).collect(),
            slots: 0,
            of_components: Vec::new(),
            span,
        });
        self.b.program.effects.len() as EffectId - 1
    }

    fn declare_member_effects(&mut self, kind: KindId, effects: &'d [EffectDef]) {
        for def in effects {
            self.no_recursion(&def.signature, "an effect of a kind");
            if let Some(mut pattern) = self.pattern(&def.signature, def.span) {
                let me = Part::Param("me".into(), Ty::one(Type::Component(Some(kind))));
                pattern.parts.insert(1, me);
                self.declare_member_effect(kind, def, pattern);
            }
        }
    }

    fn declare_member_effect(&mut self, kind: KindId, def: &'d EffectDef, pattern: Pattern) {
        let (name, params) = (pattern.name(), pattern.params());
        if !self.effects.of_kinds.contains_key(&name) {
            let dispatch = self.b.program.dispatches.len() as DispatchId;
            self.b.program.dispatches.push(Dispatch {
                name: name.clone(),
                ..Dispatch::default()
            });
            let member = MemberEffect {
                dispatch,
                by_kind: Vec::new(),
                params: params.clone(),
                given: pattern.given(),
                wrapper: None,
            };
            self.effects.of_kinds.insert(name.clone(), member);
        }
        self.agrees_with_other_kinds(&name, kind, &params, pattern.span);
        let id = self.add_effect(&name, &params, def.span);
        self.effects.all.push(EffectDecl {
            pattern,
            body: Some(&def.body),
            id,
            me: Some(kind),
            result: None,
        });
        let index = self.effects.all.len() - 1;
        if let Some(member) = self.effects.of_kinds.get_mut(&name) {
            member.by_kind.push((kind, index));
        }
    }

    /// Reports a difference from the same effect of another kind. A call does not know the kind, so all kinds take the
    /// same arguments.
    fn agrees_with_other_kinds(
        &mut self,
        name: &str,
        kind: KindId,
        params: &[(String, Ty)],
        span: Span,
    ) {
        let Some(member) = self.effects.of_kinds.get(name) else {
            return;
        };
        let Some((other, index)) = member.by_kind.first().copied() else {
            return;
        };
        let first = self.effects.all.get(index).map(|e| e.pattern.span);
        let twice = member.by_kind.iter().any(|(known, _)| *known == kind);
        let agrees = same_types(&member.params, params);
        let other = self.world.kind_name(other).to_string();
        self.kinds_disagree(name, &other, first.unwrap_or_default(), span, twice, agrees);
    }

    /// Reports two effects or queries with the same name that contradict each other.
    pub fn kinds_disagree(
        &mut self,
        name: &str,
        other: &str,
        first: Span,
        span: Span,
        twice: bool,
        agrees: bool,
    ) {
        let message = match (twice, agrees) {
            (true, _) => format!("this kind has two `{name}`"),
            (_, false) => format!("the parameters of `{name}` differ from those of `{other}`"),
            _ => return,
        };
        self.report.push(
            Diagnostic::error("kinds-disagree", span, message)
                .related(first, "the first one")
                .help("an effect or query that several kinds have must have the same parameters in all of them; otherwise rename it"),
        );
    }

    fn fill_effect_dispatches(&mut self) {
        let members: Vec<(DispatchId, ByKind, usize)> = self
            .effects
            .of_kinds
            .values()
            .map(|m| (m.dispatch, m.by_kind.clone(), m.params.len()))
            .collect();
        for (dispatch, by_kind, params) in members {
            let table = self.dispatch_table(&by_kind, |c, i| c.effects.all.get(i).map(|e| e.id));
            if let Some(info) = self.b.program.dispatches.get_mut(dispatch as usize) {
                info.effects = table;
                info.params = params as u16;
            }
        }
    }

    /// Returns for each kind its own declaration, or else that of its family. `by_kind` has the first of a kind first.
    pub fn dispatch_table<T>(
        &self,
        by_kind: &[(KindId, usize)],
        id: impl Fn(&Self, usize) -> Option<T>,
    ) -> Vec<Option<T>> {
        let own: HashMap<KindId, usize> = by_kind.iter().rev().copied().collect();
        let kinds = 0..self.world.kinds.len() as KindId;
        let found = kinds.map(|kind| {
            let family = || own.get(&self.world.kind(kind).family?);
            own.get(&kind).or_else(family).copied()
        });
        found.map(|index| id(self, index?)).collect()
    }

    // ---- bodies

    /// Translates the code of every declared effect and wraps those with handlers.
    pub fn translate_effects(&mut self) {
        for index in 0..self.effects.all.len() {
            let Some(decl) = self.effects.all.get(index) else {
                continue;
            };
            let Some(body) = decl.body else {
                continue;
            };
            let (pattern, id, me) = (decl.pattern.clone(), decl.id, decl.me);
            let result = decl.result;
            let handled = me.is_none() && self.has_handlers(&pattern);
            if handled && result.is_some() {
                let message = "an effect with a result cannot have handlers";
                let help = "put the part that others may handle into an effect of its own";
                self.problem::<()>("result", pattern.span, message, help);
            }
            let inner = if handled {
                self.add_effect(&pattern.name(), &pattern.params(), pattern.span)
            } else {
                id
            };
            self.body.result = result;
            self.effect_body(inner, &pattern.params(), |c| {
                c.block(body);
                c.no_answer();
            });
            self.body.result = None;
            if handled {
                self.wrap(id, inner, &pattern, &[]);
            }
        }
    }

    /// Wraps effects of kinds with handlers: the handlers run around the dispatch by kind.
    pub fn wrap_member_effects(&mut self) {
        let names: Vec<String> = self.effects.of_kinds.keys().cloned().collect();
        for name in names {
            let Some((dispatch, pattern)) = self.member_pattern(&name) else {
                continue;
            };
            if !self.has_handlers(&pattern) {
                continue;
            }
            let params = pattern.params();
            let id = self.add_effect(&name, &params, pattern.span);
            let inner = self.add_effect(&name, &params, pattern.span);
            if let Some(member) = self.effects.of_kinds.get_mut(&name) {
                member.wrapper = Some(id);
            }
            let args = self.own_slots(0, &params);
            let args = self.b.args(args);
            self.effects.later.push(Later {
                id,
                inner,
                pattern,
                extra: Vec::new(),
                op: Op::CallKind { dispatch, args },
            });
        }
    }

    /// Returns the form for handlers: `played(card c, seat p)`.
    fn member_pattern(&self, name: &str) -> Option<(DispatchId, Pattern)> {
        let member = self.effects.of_kinds.get(name)?;
        let (_, index) = member.by_kind.first()?;
        let mut pattern = self.effects.all.get(*index)?.pattern.clone();
        pattern.call_style = true;
        if let Some(me) = pattern.parts.get_mut(1) {
            *me = Part::Param("me".into(), Ty::COMPONENT);
        }
        Some((member.dispatch, pattern))
    }

    /// Opens a frame with these parameters, lets `body` emit code, and ends with a return.
    pub fn effect_body(
        &mut self,
        id: EffectId,
        params: &[(String, Ty)],
        body: impl FnOnce(&mut Self),
    ) {
        let outer = std::mem::take(&mut self.scope);
        let cleanups = std::mem::take(&mut self.body.cleanups);
        let loops = std::mem::take(&mut self.body.loops);
        for (name, ty) in params {
            let local = self.scope.local(*ty);
            self.scope.bind(name, Binding::Local(local, *ty));
        }
        let entry = self.b.here();
        body(self);
        self.b.emit(Op::Return);
        let slots = self.scope.locals_max;
        let of_components = std::mem::take(&mut self.scope.of_components);
        self.scope = outer;
        self.body.cleanups = cleanups;
        self.body.loops = loops;
        if let Some(info) = self.b.program.effects.get_mut(id as usize) {
            info.entry = entry;
            info.slots = slots;
            info.of_components = of_components.into_iter().collect();
        }
    }
}

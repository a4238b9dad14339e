//! Effects: declared as a phrase or a function, resolved by their words, translated to code.

use crate::compile::compiler::Compiler;
use crate::compile::compiler::effects::{EffectDecl, Later, MemberDecl};
use crate::compile::declarations::primitive;
use crate::compile::scope::Binding;
use crate::compile::terms::pattern::{Params, Part, Pattern};
use crate::names::types::{Families, Ty};
use crate::names::world::World;
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::ast::{Name, RESIGNS};
use wyrmgate_lang::definition::EffectDef;
use wyrmgate_lang::effect::statement::words_that_begin;
use wyrmgate_lang::effect::table::Begins;
use wyrmgate_program::*;

/// Returns whether both have the same types in the same order, apart from `me`.
fn same_types(one: &[(String, Ty)], other: &[(String, Ty)]) -> bool {
    let types = one.iter().skip(1).map(|(_, ty)| ty);
    types.eq(other.iter().skip(1).map(|(_, ty)| ty))
}

/// Gives a kind and the kinds of its family, which are declared after it, their own effect or query.
pub fn assign<T: Copy>(own: &mut Vec<Option<T>>, world: &World, kind: KindId, id: T) {
    own.resize(world.kinds.len(), None);
    let kinds = world.with_kinds_of(kind);
    let kinds = usize::from(kinds.start)..usize::from(kinds.end);
    own.get_mut(kinds).unwrap_or_default().fill(Some(id));
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
            let Some(mut pattern) = self.pattern(&def.signature, def.span) else {
                continue;
            };
            let me = Part::Param("me".into(), Ty::one(Type::Component(Some(kind))));
            pattern.parts.insert(1, me);
            let name = Name::new(pattern.name(), pattern.span);
            let params = pattern.params();
            let known = self.effects.of_kinds.remove(&name.text);
            let mut member = self.member_decl(known, &name, kind, &params);
            if member.by_kind.is_empty() {
                member.given = pattern.given();
            }
            let id = self.add_effect(&name.text, &params, def.span);
            if let Some(info) = self
                .b
                .program
                .dispatches
                .get_mut(usize::from(member.dispatch))
            {
                assign(&mut info.effects, self.world, kind, id);
            }
            member.by_kind.push((kind, self.effects.all.len()));
            self.effects.of_kinds.insert(name.text, member);
            self.effects.all.push(EffectDecl {
                pattern,
                body: Some(&def.body),
                id,
                me: Some(kind),
                result: None,
            });
        }
    }

    /// Returns the effects or queries of kinds to which one of this kind is added. All of them take the same arguments,
    /// because a call does not know the kind.
    pub fn member_decl(
        &mut self,
        known: Option<MemberDecl>,
        name: &Name,
        kind: KindId,
        params: &Params,
    ) -> MemberDecl {
        let Some(member) = known else {
            self.b.program.dispatches.push(Dispatch {
                name: name.text.clone(),
                params: self.by_parts(params).len() as u16,
                ..Dispatch::default()
            });
            return MemberDecl {
                dispatch: self.b.program.dispatches.len() as DispatchId - 1,
                by_kind: Vec::new(),
                params: params.clone(),
                given: Params::new(),
                span: name.span,
                wrapper: None,
            };
        };
        let first = member.by_kind.first().map_or(kind, |(kind, _)| *kind);
        let (text, other) = (&name.text, self.world.kind_name(first));
        let message = if member.by_kind.iter().any(|(known, _)| *known == kind) {
            format!("this kind has two `{text}`")
        } else if !same_types(&member.params, params) {
            format!("the parameters of `{text}` differ from those of `{other}`")
        } else {
            return member;
        };
        let problem = Diagnostic::error("kinds-disagree", name.span, message);
        let problem = problem.related(member.span, "the first one");
        let help = "an effect or query that several kinds have must have the same parameters in all of them; otherwise rename it";
        self.report.push(problem.help(help));
        member
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
            let params = pattern.params();
            let inner = match handled {
                true => self.add_effect(&pattern.name(), &params, pattern.span),
                false => id,
            };
            self.body.result = result;
            let resigns = pattern.call_style && pattern.name() == RESIGNS;
            self.effect_body(inner, &params, |c| {
                if resigns {
                    c.mark_resigned();
                }
                c.block(body);
                c.no_answer();
            });
            self.body.result = None;
            if handled {
                self.wrap(id, inner, &pattern, &params);
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
                params,
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

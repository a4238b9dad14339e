//! Effects: declared by a phrase or a call, found by their words, translated to code.

use std::collections::BTreeMap;

use super::Compiler;
use super::scope::Binding;
use crate::check::types::Ty;
use crate::check::world::Symbol;
use crate::diagnostic::{Diagnostic, Span};
use crate::lang::ast::{Block, Signature};
use crate::lang::definition::ComponentDef;
use crate::program::*;

/// A piece of an effect's phrase.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Word(String),
    Param(String, Ty),
}

/// What a call must look like: `[Param d, Word moves, Param n]`; for call style the name and the parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    pub parts: Vec<Part>,
    pub call_style: bool,
    pub span: Span,
}

impl Pattern {
    pub fn params(&self) -> Vec<(String, Ty)> {
        let params = self.parts.iter().filter_map(|part| match part {
            Part::Param(name, ty) => Some((name.clone(), *ty)),
            Part::Word(_) => None,
        });
        params.collect()
    }

    /// Words joined with `_`.
    pub fn name(&self) -> String {
        let words = self.parts.iter().filter_map(|part| match part {
            Part::Word(word) => Some(word.as_str()),
            Part::Param(..) => None,
        });
        words.collect::<Vec<_>>().join("_")
    }

    /// Same words in the same places.
    pub fn same_shape(&self, other: &Pattern) -> bool {
        self.call_style == other.call_style
            && self.parts.len() == other.parts.len()
            && self.parts.iter().zip(&other.parts).all(|pair| match pair {
                (Part::Word(a), Part::Word(b)) => a == b,
                (Part::Param(..), Part::Param(..)) => true,
                _ => false,
            })
    }
}

pub struct EffectDecl<'d> {
    pub pattern: Pattern,
    pub body: &'d Block,
    /// What calls go to.
    pub id: EffectId,
    /// For effects of a kind.
    pub me: Option<KindId>,
}

/// Effects of one name on several kinds.
pub struct MemberEffect {
    pub dispatch: DispatchId,
    pub by_kind: Vec<(KindId, usize)>,
    pub params: Vec<(String, Ty)>,
    /// Handlers stand around the call: then calls go to this effect.
    pub wrapper: Option<EffectId>,
}

/// Kind and index into the declared effects.
type ByKind = Vec<(KindId, usize)>;
/// Names and types of parameters, in order.
pub type Params = Vec<(String, Ty)>;

pub type MemberEffects = BTreeMap<String, MemberEffect>;

impl<'d> Compiler<'d> {
    pub fn declare_effects(&mut self) {
        for def in &self.def.effects {
            let Some(pattern) = self.pattern(&def.signature, def.span) else {
                continue;
            };
            if let Some(earlier) = self
                .effects
                .iter()
                .find(|e| e.me.is_none() && e.pattern.same_shape(&pattern))
            {
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
            let name = pattern.name();
            let id = self.add_effect(&name, &pattern.params(), def.span);
            self.b.program.effect_names.insert(name, id);
            self.effects.push(EffectDecl {
                pattern,
                body: &def.body,
                id,
                me: None,
            });
        }
        for component in &self.def.components {
            self.declare_member_effects(component);
            for kind in &component.kinds {
                self.declare_member_effects(kind);
            }
        }
        self.fill_effect_dispatches();
    }

    /// Room for an effect whose code comes later.
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
            span,
        });
        self.b.program.effects.len() as EffectId - 1
    }

    /// In a phrase a type name followed by another word is a parameter.
    pub fn pattern(&mut self, signature: &Signature, span: Span) -> Option<Pattern> {
        let mut parts = Vec::new();
        let call_style = matches!(signature, Signature::Call { .. });
        let span = match signature {
            Signature::Call { name, params } => {
                parts.push(Part::Word(name.text.clone()));
                for param in params {
                    parts.push(Part::Param(
                        param.name.text.clone(),
                        self.type_of(&param.of)?,
                    ));
                }
                name.span
            }
            Signature::Phrase(words) => {
                let mut words = words.iter().peekable();
                let mut all: Option<Span> = None;
                while let Some(word) = words.next() {
                    all = Some(all.map_or(word.span, |s| s.to(word.span)));
                    match (self.world.type_named(&word.text), words.peek()) {
                        (Some(ty), Some(name)) => {
                            parts.push(Part::Param(name.text.clone(), ty));
                            words.next();
                        }
                        _ => parts.push(Part::Word(word.text.clone())),
                    }
                }
                all.unwrap_or(span)
            }
        };
        if parts.iter().all(|part| matches!(part, Part::Param(..))) {
            return self.problem(
                "no-words",
                span,
                "an effect needs a word of its own",
                "write it as it will be called: `dragon d moves int n`",
            );
        }
        Some(Pattern {
            parts,
            call_style,
            span,
        })
    }

    fn declare_member_effects(&mut self, component: &'d ComponentDef) {
        let Some(Symbol::Kind(kind)) = self.world.symbol(&component.name.text) else {
            return;
        };
        for def in &component.effects {
            let Some(mut pattern) = self.pattern(&def.signature, def.span) else {
                continue;
            };
            let name = pattern.name();
            pattern.parts.insert(
                1,
                Part::Param("me".into(), Ty::one(Type::Component(Some(kind)))),
            );
            let params = pattern.params();
            let id = self.add_effect(&name, &params, def.span);
            self.effects.push(EffectDecl {
                pattern,
                body: &def.body,
                id,
                me: Some(kind),
            });
            let index = self.effects.len() - 1;
            let dispatch = self.b.program.dispatches.len() as DispatchId;
            let member = self
                .member_effects
                .entry(name.clone())
                .or_insert_with(|| MemberEffect {
                    dispatch,
                    by_kind: Vec::new(),
                    params,
                    wrapper: None,
                });
            if member.by_kind.is_empty() {
                self.b.program.dispatches.push(Dispatch {
                    name,
                    ..Dispatch::default()
                });
            }
            member.by_kind.push((kind, index));
        }
    }

    fn fill_effect_dispatches(&mut self) {
        let members: Vec<(DispatchId, ByKind, usize)> = self
            .member_effects
            .values()
            .map(|m| (m.dispatch, m.by_kind.clone(), m.params.len()))
            .collect();
        for (dispatch, by_kind, params) in members {
            let find = |kind: KindId| {
                by_kind
                    .iter()
                    .find(|(k, _)| *k == kind)
                    .map(|(_, index)| *index)
            };
            let table: Vec<Option<EffectId>> = (0..self.world.kinds.len() as KindId)
                .map(|kind| find(kind).or_else(|| self.world.kind(kind).family.and_then(find)))
                .map(|index| index.and_then(|i| self.effects.get(i)).map(|e| e.id))
                .collect();
            if let Some(info) = self.b.program.dispatches.get_mut(dispatch as usize) {
                info.effects = table;
                info.params = params as u16;
            }
        }
    }

    // ---- bodies

    /// Translates the code of every declared effect; those with handlers get them around.
    pub fn translate_effects(&mut self) {
        for index in 0..self.effects.len() {
            let Some(decl) = self.effects.get(index) else {
                continue;
            };
            let (pattern, body, id, me) = (decl.pattern.clone(), decl.body, decl.id, decl.me);
            let handled = me.is_none() && self.has_handlers(&pattern);
            let inner = if handled {
                self.add_effect(&pattern.name(), &pattern.params(), pattern.span)
            } else {
                id
            };
            self.effect_body(inner, &pattern.params(), |c| c.block(body));
            if handled {
                self.wrap(id, inner, &pattern);
            }
        }
    }

    /// Opens a frame with these parameters, lets `body` emit, ends with a return.
    pub fn effect_body(
        &mut self,
        id: EffectId,
        params: &[(String, Ty)],
        body: impl FnOnce(&mut Self),
    ) {
        let outer = std::mem::take(&mut self.scope);
        let cleanups = std::mem::take(&mut self.cleanups);
        let loops = std::mem::take(&mut self.loops);
        for (name, ty) in params {
            let local = self.scope.local(*ty);
            self.scope.bind(name, Binding::Local(local, *ty));
        }
        let entry = self.b.here();
        body(self);
        self.b.emit(Op::Return);
        let slots = self.scope.locals_max;
        self.temps_max = self.temps_max.max(self.scope.temps_max);
        self.scope = outer;
        self.cleanups = cleanups;
        self.loops = loops;
        if let Some(info) = self.b.program.effects.get_mut(id as usize) {
            info.entry = entry;
            info.slots = slots;
        }
    }

    // ---- calls
}

//! Effects: declared by a phrase or a call, found by their words, translated to code.

use std::collections::BTreeMap;

use super::Compiler;
use super::scope::Binding;
use super::value::Value;
use crate::check::types::{Families, Ty};
use crate::check::world::Symbol;
use crate::diagnostic::{Diagnostic, Span};
use crate::lang::ast::{self, Block, ExprKind, Name, Signature};
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

    /// A statement that is no built-in: a phrase of the game.
    pub fn phrase(&mut self, terms: &[ast::Expr], span: Span) -> Option<()> {
        if let [term] = terms
            && let Some(done) = self.single_term(term, span)
        {
            return done;
        }
        if let Some(done) = self.scores(terms) {
            return done;
        }
        let Some((id, params, args)) = self.matching_effect(terms) else {
            return self.unknown_effect(terms, span);
        };
        let values = self.effect_args(&params, &args)?;
        self.emit_call(id, values);
        Some(())
    }

    /// `p scores n`
    fn scores(&mut self, terms: &[ast::Expr]) -> Option<Option<()>> {
        let [seat, verb, by] = terms else { return None };
        if !matches!(&verb.kind, ExprKind::Name(name) if name.text == "scores") {
            return None;
        }
        let (seat, by) = (self.one(seat, Type::Seat), self.number(by));
        let (Some(seat), Some(by)) = (seat, by) else {
            return Some(None);
        };
        self.emit_score(seat, by);
        Some(Some(()))
    }

    /// `c.played(s)`, `advance(d, 3)`, `deal_hands`
    fn single_term(&mut self, term: &ast::Expr, span: Span) -> Option<Option<()>> {
        match &term.kind {
            ExprKind::Field(me, name, args) if self.member_effects.contains_key(&name.text) => {
                Some(self.member_call(me, name, args.as_deref().unwrap_or_default()))
            }
            ExprKind::Call(name, args) => {
                if self.member_effects.contains_key(&name.text)
                    && let Some((me, rest)) = args.split_first()
                {
                    return Some(self.member_call(me, name, rest));
                }
                let found = self.effects.iter().find(|e| {
                    e.me.is_none() && e.pattern.call_style && e.pattern.name() == name.text
                })?;
                let (id, params) = (found.id, found.pattern.params());
                if params.len() != args.len() {
                    let message = format!(
                        "`{}` takes {} arguments, {} are given",
                        name.text,
                        params.len(),
                        args.len()
                    );
                    return Some(self.problem(
                        "wrong-number-of-arguments",
                        span,
                        message,
                        "see where it is declared",
                    ));
                }
                let args: Vec<&ast::Expr> = args.iter().collect();
                let values = self.effect_args(&params, &args);
                Some(values.map(|values| self.emit_call(id, values)))
            }
            _ => None,
        }
    }

    fn member_call(&mut self, me: &ast::Expr, name: &Name, args: &[ast::Expr]) -> Option<()> {
        let me_value = self.expr(me, None)?;
        let Some(Type::Component(kind)) = me_value.ty().of.filter(|_| !me_value.ty().list) else {
            return self.mismatch(me.span, me_value.ty(), Ty::COMPONENT);
        };
        let member = self.member_effects.get(&name.text)?;
        let (dispatch, wrapper, mut params) =
            (member.dispatch, member.wrapper, member.params.clone());
        if params.len() != args.len() + 1 {
            let message = format!(
                "`{}` takes {} arguments, {} are given",
                name.text,
                params.len() - 1,
                args.len()
            );
            return self.problem(
                "wrong-number-of-arguments",
                name.span,
                message,
                "see where it is declared",
            );
        }
        if let Some(first) = params.first_mut() {
            first.1 = Ty::one(Type::Component(kind));
        }
        let mut values = vec![Arg::Value(self.single(me_value, me.span)?)];
        let rest: Vec<&ast::Expr> = args.iter().collect();
        values.extend(self.effect_args(params.get(1..).unwrap_or_default(), &rest)?);
        let args = self.b.args(values);
        match wrapper {
            Some(effect) => self.b.emit(Op::Call { effect, args }),
            None => self.b.emit(Op::CallKind { dispatch, args }),
        };
        Some(())
    }

    /// The effect whose words stand where this phrase has them; the one with most words if several do.
    fn matching_effect<'t>(
        &self,
        terms: &'t [ast::Expr],
    ) -> Option<(EffectId, Params, Vec<&'t ast::Expr>)> {
        let word_at = |term: &ast::Expr| match &term.kind {
            ExprKind::Name(name) => Some(name.text.clone()),
            _ => None,
        };
        let fits = |pattern: &Pattern| {
            pattern.parts.len() == terms.len()
                && pattern
                    .parts
                    .iter()
                    .zip(terms)
                    .all(|(part, term)| match part {
                        Part::Word(word) => word_at(term).as_ref() == Some(word),
                        Part::Param(..) => true,
                    })
        };
        let words = |pattern: &Pattern| {
            pattern
                .parts
                .iter()
                .filter(|p| matches!(p, Part::Word(_)))
                .count()
        };
        let single_name = |e: &&EffectDecl<'_>| !e.pattern.call_style || e.pattern.parts.len() == 1;
        let found = self
            .effects
            .iter()
            .filter(|e| e.me.is_none())
            .filter(single_name)
            .filter(|e| fits(&e.pattern))
            .max_by_key(|e| words(&e.pattern))?;
        let args = found
            .pattern
            .parts
            .iter()
            .zip(terms)
            .filter(|(part, _)| matches!(part, Part::Param(..)));
        Some((
            found.id,
            found.pattern.params(),
            args.map(|(_, term)| term).collect(),
        ))
    }

    fn unknown_effect(&mut self, terms: &[ast::Expr], span: Span) -> Option<()> {
        let spoken: Vec<String> = terms
            .iter()
            .map(|t| match &t.kind {
                ExprKind::Name(name) => name.text.clone(),
                ExprKind::Call(name, _) | ExprKind::Field(_, name, _) => name.text.clone(),
                _ => "…".into(),
            })
            .collect();
        let shown = |e: &EffectDecl<'_>| {
            let parts: Vec<String> = e
                .pattern
                .parts
                .iter()
                .map(|p| match p {
                    Part::Word(word) => word.clone(),
                    Part::Param(name, _) => format!("<{name}>"),
                })
                .collect();
            parts.join(" ")
        };
        // the declared effect that shares most words with what was written, allowing for typing mistakes
        let likeness = |e: &EffectDecl<'_>| {
            e.pattern.parts.iter().filter(|p| matches!(p, Part::Word(w) if spoken.iter().any(|s| strsim::damerau_levenshtein(s, w) <= w.len() / 4))).count()
        };
        let best = self
            .effects
            .iter()
            .filter(|e| e.me.is_none())
            .max_by_key(|e| likeness(e))
            .filter(|e| likeness(e) > 0);
        let help = match best {
            Some(e) => format!("did you mean `{}`?", shown(e)),
            None => {
                "statements begin with a built-in word or are phrases declared under `effects:`"
                    .into()
            }
        };
        self.problem(
            "unknown-effect",
            span,
            format!("no effect reads `{}`", spoken.join(" ")),
            help,
        )
    }

    fn effect_args(&mut self, params: &[(String, Ty)], args: &[&ast::Expr]) -> Option<Vec<Arg>> {
        let mut values = Vec::new();
        let mut failed = false;
        for ((_, wanted), arg) in params.iter().zip(args) {
            match self.effect_arg(arg, *wanted) {
                Some(value) => values.push(value),
                None => failed = true,
            }
        }
        (!failed).then_some(values)
    }

    fn effect_arg(&mut self, arg: &ast::Expr, wanted: Ty) -> Option<Arg> {
        let value = self.expr(arg, wanted.of)?;
        if !wanted.list {
            return self
                .one_from(value, wanted.of.unwrap_or(Type::Int), arg.span)
                .map(Arg::Value);
        }
        let (set, of) = match (value, wanted.of) {
            (Value::One(..), Some(Type::Zone(_))) => {
                (self.list_typed(arg, Type::Zone(None))?, wanted.of)
            }
            _ => self.list_of(value),
        };
        if !self.world.fits(of, wanted.of) {
            return self.mismatch(arg.span, Ty { of, list: true }, wanted);
        }
        Some(Arg::List(set))
    }

    pub fn emit_call(&mut self, effect: EffectId, values: Vec<Arg>) {
        let args = self.b.args(values);
        self.b.emit(Op::Call { effect, args });
    }
}

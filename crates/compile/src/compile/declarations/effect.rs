//! Effects: declared as a phrase or a function, resolved by their words, translated to code.

use crate::compile::declarations::primitive;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::compile::Compiler;
use crate::compile::scope::Binding;
use crate::names::types::{Families, Ty};
use crate::names::world::{Symbol, World};
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::ast::{Block, Name, Param, Signature};
use wyrmgate_lang::definition::{ComponentDef, EffectDef};
use wyrmgate_lang::effect::statement::words_that_begin;
use wyrmgate_lang::effect::table::Begins;
use wyrmgate_program::*;

/// A piece of an effect's phrase.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Word(String),
    Param(String, Ty),
}

/// The form of a call: `[Param d, Word moves, Param n]`; for function syntax, the name and the parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    pub parts: Vec<Part>,
    pub call_style: bool,
    pub span: Span,
    /// Location of each parameter.
    pub param_spans: Vec<Span>,
    /// The parts of those parameters that are records.
    pub records: Vec<(String, Params)>,
}

impl Pattern {
    /// Returns the parameters of the effect: of a record, one for each part.
    pub fn params(&self) -> Params {
        let mut all = Params::new();
        for param in self.given() {
            match self.records.iter().find(|(name, _)| *name == param.0) {
                Some((_, parts)) => all.extend(parts.iter().cloned()),
                None => all.push(param),
            }
        }
        all
    }

    /// Returns the parameters as they are declared.
    pub fn given(&self) -> Params {
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

    pub fn words(&self) -> Vec<String> {
        let words = self.parts.iter().filter_map(|part| match part {
            Part::Word(word) => Some(word.clone()),
            Part::Param(..) => None,
        });
        words.collect()
    }

    /// Formats the pattern as declared.
    pub fn shown(&self, world: &World) -> String {
        let shown = |part: &Part| match part {
            Part::Word(word) => word.clone(),
            Part::Param(name, ty) => format!("{} {name}", world.type_word(*ty)),
        };
        let mut parts = self.parts.iter().map(shown);
        if !self.call_style {
            return parts.collect::<Vec<_>>().join(" ");
        }
        let name = parts.next().unwrap_or_default();
        format!("{name}({})", parts.collect::<Vec<_>>().join(", "))
    }

    /// Returns its words and positions. (`deal` and `deal()` are the same.)
    pub fn shape(&self) -> Shape {
        let words = self.parts.iter().map(|part| match part {
            Part::Word(word) => Some(word.clone()),
            Part::Param(..) => None,
        });
        Shape {
            is_call: self.call_style && self.parts.len() > 1,
            words: words.collect(),
        }
    }
}

/// The common part of equal patterns: their words, and the positions of their parameters (`None`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    is_call: bool,
    words: Vec<Option<String>>,
}

/// Effects indexed by the form of their calls, so that a call is not compared with all of them.
#[derive(Default)]
pub struct EffectIndex {
    by_shape: HashMap<Shape, usize>,
    /// The positions of words (`true`) and parameters in effects without parentheses.
    outlines: BTreeSet<Vec<bool>>,
    by_name: HashMap<String, usize>,
}

impl EffectIndex {
    /// Returns the declared effect with this shape.
    fn same(&self, pattern: &Pattern) -> Option<usize> {
        self.by_shape.get(&pattern.shape()).copied()
    }

    pub fn add(&mut self, pattern: &Pattern, at: usize) {
        let shape = pattern.shape();
        if !shape.is_call {
            let outline = shape.words.iter().map(Option::is_some);
            self.outlines.insert(outline.collect());
        }
        if pattern.call_style {
            self.by_name.entry(pattern.name()).or_insert(at);
        }
        self.by_shape.entry(shape).or_insert(at);
    }

    /// Returns the effect with function syntax and this name.
    pub fn called(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Returns the effect whose words match this phrase; if several do, the one with most words, then the last.
    pub fn reads(&self, phrase: &[Option<&str>]) -> Option<usize> {
        let fits = |outline: &&Vec<bool>| outline.len() == phrase.len();
        let found = self.outlines.iter().filter(fits).filter_map(|outline| {
            let words = outline.iter().zip(phrase);
            let words = words.map(|(is_word, word)| match (is_word, word) {
                (true, None) => None,
                (true, Some(word)) => Some(Some((*word).to_owned())),
                (false, _) => Some(None),
            });
            let shape = Shape {
                is_call: false,
                words: words.collect::<Option<_>>()?,
            };
            let at = self.by_shape.get(&shape).copied()?;
            Some((outline.iter().filter(|is_word| **is_word).count(), at))
        });
        found.max().map(|(_, at)| at)
    }
}

pub struct EffectDecl<'d> {
    pub pattern: Pattern,
    /// `None`: the compiler has made the effect.
    pub body: Option<&'d Block>,
    /// The target of calls.
    pub id: EffectId,
    /// For effects of a kind.
    pub me: Option<KindId>,
    /// The type of its result, if it has one.
    pub result: Option<Ty>,
}

/// Effects of one name on several kinds.
pub struct MemberEffect {
    pub dispatch: DispatchId,
    pub by_kind: Vec<(KindId, usize)>,
    pub params: Params,
    /// The parameters as they are declared.
    pub given: Params,
    /// The wrapper with the handlers, if there are any: then calls go to it.
    pub wrapper: Option<EffectId>,
}

/// After these, a word is a word even if it is the name of a type: `seat p loses a coin to seat q`.
const ARTICLES: &[&str] = &["a", "an", "the", "another", "no", "any", "all"];

/// Words that link other words of a phrase, and are unusual names for a parameter.
const LINKS: &[&str] = &[
    "to", "of", "by", "from", "with", "for", "at", "in", "on", "and",
];

/// Returns whether both have the same types in the same order, apart from `me`.
pub fn same_types(one: &[(String, Ty)], other: &[(String, Ty)]) -> bool {
    let types =
        |params: &[(String, Ty)]| -> Vec<Ty> { params.iter().skip(1).map(|(_, ty)| *ty).collect() };
    types(one) == types(other)
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
            let earlier = self.effect_index.same(&pattern);
            if let Some(earlier) = earlier.and_then(|at| self.effects.get(at)) {
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
                self.b.program.effect_names.insert(name, id);
            }
            self.effect_index.add(&pattern, self.effects.len());
            let result = self.result_type(&def.signature);
            self.effects.push(EffectDecl {
                pattern,
                body: Some(&def.body),
                id,
                me: None,
                result,
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

    /// Returns the pattern of a phrase. The name of a type followed by another word is a parameter, except after an
    /// article.
    pub fn pattern(&mut self, signature: &Signature, span: Span) -> Option<Pattern> {
        let mut pattern = match signature {
            Signature::Call { name, params, .. } => self.call_pattern(name, params)?,
            Signature::Phrase(words) => self.phrase_pattern(words, span),
        };
        pattern.records = self.records_among(&pattern.given());
        let no_words = pattern.words().is_empty();
        if no_words {
            return self.problem(
                "no-words",
                pattern.span,
                "an effect needs a word of its own",
                "write it the way you call it: `dragon d moves int n`",
            );
        }
        self.parameters_once(&pattern);
        Some(pattern)
    }

    fn call_pattern(&mut self, name: &Name, params: &[Param]) -> Option<Pattern> {
        let mut parts = vec![Part::Word(name.text.clone())];
        let mut param_spans = Vec::new();
        for param in params {
            let ty = self.type_of(&param.of)?;
            parts.push(Part::Param(param.name.text.clone(), ty));
            param_spans.push(param.of.span.to(param.name.span));
        }
        Some(Pattern {
            parts,
            call_style: true,
            span: name.span,
            param_spans,
            records: Vec::new(),
        })
    }

    fn phrase_pattern(&mut self, words: &[Name], span: Span) -> Pattern {
        let (mut parts, mut param_spans) = (Vec::new(), Vec::new());
        let mut after_article = false;
        let mut rest = words.iter().peekable();
        while let Some(word) = rest.next() {
            let ty = self.world.type_named(&word.text).filter(|_| !after_article);
            // `seat p bids int n`: the verb may be the plural of a type with parts.
            let ty = ty.filter(|ty| {
                let next = rest.peek().map(|next| next.text.as_str());
                let is_verb = ty.list && matches!(ty.of, Some(Type::Record(_)));
                !(is_verb && next.is_some_and(|next| self.world.type_named(next).is_some()))
            });
            after_article = ARTICLES.contains(&word.text.as_str());
            match (ty, rest.peek()) {
                (Some(ty), Some(name)) => {
                    self.perhaps_a_word(word, name, ty);
                    parts.push(Part::Param(name.text.clone(), ty));
                    param_spans.push(word.span.to(name.span));
                    rest.next();
                }
                _ => parts.push(Part::Word(word.text.clone())),
            }
        }
        let ends = words.first().zip(words.last());
        Pattern {
            parts,
            call_style: false,
            span: ends.map_or(span, |(first, last)| first.span.to(last.span)),
            param_spans,
            records: Vec::new(),
        }
    }

    /// `p loses coin to zone z`: a parameter `to` of type `coin` may be a mistake. Types of every game (`seat`, `zone`)
    /// are rarely words of a phrase.
    fn perhaps_a_word(&mut self, of: &Name, name: &Name, ty: Ty) {
        let of_game = matches!(
            ty.of,
            Some(Type::Enum(_) | Type::Component(Some(_)) | Type::Zone(Some(_)))
        );
        if of_game && LINKS.contains(&name.text.as_str()) {
            let message = format!("this is a parameter `{}` of type `{}`", name.text, of.text);
            let help = format!(
                "if `{0}` is a word of the phrase, write `a {0}` or another word; otherwise rename the parameter",
                of.text
            );
            let span = of.span.to(name.span);
            self.report
                .push(Diagnostic::warning("parameter-or-word", span, message).help(help));
        }
    }

    fn parameters_once(&mut self, pattern: &Pattern) {
        let params = pattern.given();
        for (i, ((name, _), span)) in params.iter().zip(&pattern.param_spans).enumerate() {
            let mut earlier = params.iter().zip(&pattern.param_spans).take(i);
            if let Some((_, first)) = earlier.find(|((other, _), _)| other == name) {
                self.report.push(
                    Diagnostic::error(
                        "duplicate-name",
                        *span,
                        format!("two parameters have the name `{name}`"),
                    )
                    .related(*first, "first here")
                    .help("rename one of them"),
                );
            }
        }
    }

    fn declare_member_effects(&mut self, component: &'d ComponentDef) {
        let Some(Symbol::Kind(kind)) = self.world.declared(&component.name.text) else {
            return;
        };
        for def in &component.effects {
            if let Signature::Call { recursion, .. } = &def.signature {
                self.no_recursion(recursion, "an effect of a kind");
            }
            if let Some(mut pattern) = self.pattern(&def.signature, def.span) {
                let me = Part::Param("me".into(), Ty::one(Type::Component(Some(kind))));
                pattern.parts.insert(1, me);
                self.declare_member_effect(kind, def, pattern);
            }
        }
    }

    fn declare_member_effect(&mut self, kind: KindId, def: &'d EffectDef, pattern: Pattern) {
        let (name, params) = (pattern.name(), pattern.params());
        if !self.member_effects.contains_key(&name) {
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
            self.member_effects.insert(name.clone(), member);
        }
        self.agrees_with_other_kinds(&name, kind, &params, pattern.span);
        let id = self.add_effect(&name, &params, def.span);
        self.effects.push(EffectDecl {
            pattern,
            body: Some(&def.body),
            id,
            me: Some(kind),
            result: None,
        });
        let index = self.effects.len() - 1;
        if let Some(member) = self.member_effects.get_mut(&name) {
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
        let Some(member) = self.member_effects.get(name) else {
            return;
        };
        let Some((other, index)) = member.by_kind.first().copied() else {
            return;
        };
        let first = self.effects.get(index).map(|e| e.pattern.span);
        let twice = member.by_kind.iter().any(|(known, _)| *known == kind);
        let agrees = same_types(&member.params, params);
        let other = self.world.kind_name(other).to_string();
        self.kinds_disagree(
            name,
            (&other, first.unwrap_or_default()),
            span,
            twice,
            agrees,
        );
    }

    /// Reports two effects or queries with the same name that contradict each other.
    pub fn kinds_disagree(
        &mut self,
        name: &str,
        (other, first): (&str, Span),
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
            .member_effects
            .values()
            .map(|m| (m.dispatch, m.by_kind.clone(), m.params.len()))
            .collect();
        for (dispatch, by_kind, params) in members {
            let table = self.dispatch_table(&by_kind, |c, i| c.effects.get(i).map(|e| e.id));
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
        for index in 0..self.effects.len() {
            let Some(decl) = self.effects.get(index) else {
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
            self.result = result;
            self.effect_body(inner, &pattern.params(), |c| {
                c.block(body);
                c.no_answer();
            });
            self.result = None;
            if handled {
                self.wrap(id, inner, &pattern, &[]);
            }
        }
    }

    /// Wraps effects of kinds with handlers: the handlers run around the dispatch by kind.
    pub fn wrap_member_effects(&mut self) {
        let names: Vec<String> = self.member_effects.keys().cloned().collect();
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
            if let Some(member) = self.member_effects.get_mut(&name) {
                member.wrapper = Some(id);
            }
            let args = self.own_slots(0, &params);
            let args = self.b.args(args);
            self.later.push(crate::compile::Later {
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
        let member = self.member_effects.get(name)?;
        let (_, index) = member.by_kind.first()?;
        let mut pattern = self.effects.get(*index)?.pattern.clone();
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
        let of_components = std::mem::take(&mut self.scope.of_components);
        self.temps_max = self.temps_max.max(self.scope.temps_max);
        self.scope = outer;
        self.cleanups = cleanups;
        self.loops = loops;
        if let Some(info) = self.b.program.effects.get_mut(id as usize) {
            info.entry = entry;
            info.slots = slots;
            info.of_components = of_components.into_iter().collect();
        }
    }

    // ---- calls
}

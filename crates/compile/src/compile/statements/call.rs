//! Calls of effects: which effect a phrase refers to, and its arguments.

use crate::compile::compiler::effects::EffectDecl;
use crate::compile::compiler::{Attempt, Compiler};
use crate::compile::expressions::advice::counted;
use crate::compile::terms::callee::{Callee, EffectCall};
use crate::compile::terms::pattern::{Params, Part};
use crate::compile::terms::value::Value;
use crate::names::types::{Families, Ty};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, ExprKind, Name};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Translates a statement that is not built in: a phrase of the game.
    pub fn phrase(&mut self, terms: &[ast::Expr], span: Span) -> Option<()> {
        if let [term] = terms
            && let Some(done) = self.single_term(term, span)
        {
            return done;
        }
        if let Some(done) = self.scores(terms) {
            return done;
        }
        let joined: Vec<ast::Expr>;
        let mut found = self.matching_effect(terms);
        if found.is_none() {
            joined = self.portions_in(terms);
            found = self.matching_effect(&joined);
        }
        let Some((id, params, args)) = found else {
            return self.unknown_effect(terms, span);
        };
        let values = self.effect_args(&params, &args)?;
        self.emit_call(id, values);
        Some(())
    }

    /// `p scores n`
    fn scores(&mut self, terms: &[ast::Expr]) -> Attempt<()> {
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

    /// `c.played(s)`, `advance(d, 3)`
    fn single_term(&mut self, term: &ast::Expr, span: Span) -> Attempt<()> {
        let call = self.effect_call(term, span)?;
        Some(call.map(|(effect, values)| {
            let args = self.b.args(values);
            self.emit_resting(effect.called_with(args));
        }))
    }

    /// Returns the effect that a term calls, and its arguments; `None` if it calls none.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    pub fn effect_call(&mut self, term: &ast::Expr, span: Span) -> Attempt<EffectCall> {
        match &term.kind {
            ExprKind::Field(me, name, args) if self.effects.of_kinds.contains_key(&name.text) => {
                Some(self.member_call(me, name, args.as_deref().unwrap_or_default()))
            }
            ExprKind::Call(name, args) => {
                if self.effects.of_kinds.contains_key(&name.text)
                    && let Some((me, rest)) = args.split_first()
                {
                    return Some(self.member_call(me, name, rest));
                }
                let found = self.effects.index.called(&name.text)?;
                let found = self.effects.all.get(found)?;
                let (id, params) = (found.id, found.pattern.given());
                if params.len() != args.len() {
                    let shown = found.pattern.shown(self.world);
                    let (wanted, given) = (params.len(), args.len());
                    return Some(self.wrong_count(&name.text, wanted, given, span, &shown));
                }
                let args: Vec<&ast::Expr> = args.iter().collect();
                let values = self.effect_args(&params, &args);
                Some(values.map(|values| (Callee::Effect(id), values)))
            }
            _ => None,
        }
    }

    fn member_call(
        &mut self,
        me: &ast::Expr,
        name: &Name,
        args: &[ast::Expr],
    ) -> Option<EffectCall> {
        let me_value = self.expr(me, None)?;
        let Some(Type::Component(kind)) = me_value.ty().of.filter(|_| !me_value.ty().list) else {
            return self.mismatch(me.span, me_value.ty(), Ty::COMPONENT);
        };
        let member = self.effects.of_kinds.get(&name.text)?;
        let (dispatch, wrapper, mut params) =
            (member.dispatch, member.wrapper, member.given.clone());
        if params.len() != args.len() + 1 {
            let names = params.iter().skip(1);
            let names = names.map(|(name, ty)| format!("{} {name}", self.world.type_word(*ty)));
            let shown = format!("{}({})", name.text, names.collect::<Vec<_>>().join(", "));
            let wanted = params.len() - 1;
            return self.wrong_count(&name.text, wanted, args.len(), name.span, &shown);
        }
        if let Some(first) = params.first_mut() {
            first.1 = Ty::one(Type::Component(kind));
        }
        let mut values = vec![Arg::Value(self.single(me_value, me.span)?)];
        let rest: Vec<&ast::Expr> = args.iter().collect();
        values.extend(self.effect_args(params.get(1..).unwrap_or_default(), &rest)?);
        let callee = wrapper.map_or(Callee::OfKind(dispatch), Callee::Effect);
        Some((callee, values))
    }

    /// Returns the effect that a phrase calls, and its arguments.
    pub fn matching_effect<'t>(
        &self,
        terms: &'t [ast::Expr],
    ) -> Option<(EffectId, Params, Vec<&'t ast::Expr>)> {
        let words = terms.iter().map(|term| {
            let name = term.as_name()?;
            Some(name.text.as_str())
        });
        let found = self.effects.index.reads(&words.collect::<Vec<_>>())?;
        let found = self.effects.all.get(found)?;
        let args = found
            .pattern
            .parts
            .iter()
            .zip(terms)
            .filter(|(part, _)| matches!(part, Part::Param(..)));
        Some((
            found.id,
            found.pattern.given(),
            args.map(|(_, term)| term).collect(),
        ))
    }

    /// Returns the form of a call: effects of kinds follow a dot.
    pub fn called_as(&self, effect: &EffectDecl<'_>) -> String {
        let mut pattern = effect.pattern.clone();
        let Some(kind) = effect.me else {
            return pattern.shown(self.world);
        };
        pattern.parts.remove(1); // `me`
        format!(
            "{}.{}",
            self.world.kind_name(kind),
            pattern.shown(self.world)
        )
    }

    /// Returns the declared effect that shares most words with the text, allowing for typos.
    pub fn most_like(&self, spoken: &[String], of_kind: bool) -> Option<&EffectDecl<'_>> {
        let said = spoken.join("_");
        let near =
            |said: &str, word: &str| strsim::damerau_levenshtein(said, word) <= word.len() / 4;
        let name = |e: &EffectDecl<'_>| e.pattern.words().join("_");
        let likeness = |e: &EffectDecl<'_>| {
            let (name, is_said) = (name(e), |word: &&str| {
                said.split('_').any(|s| near(s, word))
            });
            let parts = name.split('_');
            parts
                .filter(|word| near(&said, &name) || is_said(word))
                .count()
        };
        let ours = self.effects.all.iter();
        ours.filter(|e| likeness(e) * 2 > name(e).split('_').count())
            .max_by_key(|e| (likeness(e), e.me.is_some() == of_kind))
    }

    /// Reports a wrong number of arguments.
    fn wrong_count<T>(
        &mut self,
        name: &str,
        wanted: usize,
        given: usize,
        span: Span,
        shown: &str,
    ) -> Option<T> {
        let message = format!(
            "`{name}` takes {}, {given} given",
            counted(wanted, "argument")
        );
        let help = format!("it is declared as `{shown}`");
        self.problem("wrong-number-of-arguments", span, message, help)
    }

    fn effect_args(&mut self, params: &[(String, Ty)], args: &[&ast::Expr]) -> Option<Vec<Arg>> {
        let mut values = Vec::new();
        let mut failed = false;
        for ((_, wanted), arg) in params.iter().zip(args) {
            let given = match self.record_type(wanted.of) {
                Some(record) => self.record_arg(arg, record, *wanted),
                None => self.effect_arg(arg, *wanted).map(|value| vec![value]),
            };
            match given {
                Some(given) => values.extend(given),
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
            return self.mismatch(arg.span, Ty::list(of), wanted);
        }
        Some(Arg::List(set))
    }

    pub fn emit_call(&mut self, effect: EffectId, values: Vec<Arg>) {
        let args = self.b.args(values);
        self.emit_resting(Op::Call { effect, args });
    }

    /// Emits an operation at which this effect may be suspended, and records which of its slots are in scope then.
    pub fn emit_resting(&mut self, op: Op) {
        if let Op::Choose(site) = op {
            self.ask_nobody_who_resigned(site);
        }
        let goes_on = self.b.emit(op) + 1;
        let rest = (goes_on, self.scope.locals_in_scope());
        self.b.program.code.rests.push(rest);
    }
}

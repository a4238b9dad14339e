//! Calls of effects: which one a phrase means, and its arguments.

use super::Compiler;
use super::effect::{EffectDecl, Params, Part, Pattern};
use super::value::Value;
use crate::check::types::{Families, Ty};
use crate::diagnostic::Span;
use crate::lang::ast::{self, ExprKind, Name};
use crate::program::*;

impl Compiler<'_> {
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

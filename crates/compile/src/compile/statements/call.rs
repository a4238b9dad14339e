//! Calls of effects: which effect a phrase refers to, and its arguments.

use crate::compile::constants::eval::counted;
use crate::compile::declarations::effect::EffectDecl;
use crate::compile::declarations::pattern::{Params, Part};
use crate::compile::expressions::value::Value;
use crate::compile::scope::Binding;
use crate::compile::{Attempt, Compiler};
use crate::names::types::{Families, Ty};
use wyrmgate_base::diagnostic::{Span, did_you_mean, misspelled};
use wyrmgate_lang::advice::{CONDITIONAL, on_foreign_word};
use wyrmgate_lang::ast::{self, ExprKind, Name};
use wyrmgate_lang::effect::statement::words_that_begin;
use wyrmgate_lang::effect::table::Begins;
use wyrmgate_program::*;

/// The target of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    Effect(EffectId),
    /// The effect of the kind of the first argument.
    OfKind(DispatchId),
}

/// A call and its arguments.
pub type EffectCall = (Callee, Vec<Arg>);

impl Callee {
    pub fn called_with(self, args: ArgsId) -> Op {
        match self {
            Callee::Effect(effect) => Op::Call { effect, args },
            Callee::OfKind(dispatch) => Op::CallKind { dispatch, args },
        }
    }
}

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
        let Some((id, params, args)) = self.matching_effect(terms) else {
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
            ExprKind::Field(me, name, args) if self.member_effects.contains_key(&name.text) => {
                Some(self.member_call(me, name, args.as_deref().unwrap_or_default()))
            }
            ExprKind::Call(name, args) => {
                if self.member_effects.contains_key(&name.text)
                    && let Some((me, rest)) = args.split_first()
                {
                    return Some(self.member_call(me, name, rest));
                }
                let found = self.effect_index.called(&name.text)?;
                let found = self.effects.get(found)?;
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
        let member = self.member_effects.get(&name.text)?;
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
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    pub fn matching_effect<'t>(
        &self,
        terms: &'t [ast::Expr],
    ) -> Option<(EffectId, Params, Vec<&'t ast::Expr>)> {
        let words = terms.iter().map(|term| match &term.kind {
            ExprKind::Name(name) => Some(name.text.as_str()),
            _ => None,
        });
        let found = self.effect_index.reads(&words.collect::<Vec<_>>())?;
        let found = self.effects.get(found)?;
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

    fn unknown_effect(&mut self, terms: &[ast::Expr], span: Span) -> Option<()> {
        if let [term] = terms
            && let Some(done) = self.meaning_of_letter(term).or_else(|| self.appended(term))
        {
            self.report.push(done);
            return None;
        }
        if let [term] = terms
            && let Some(done) = self.only_a_value(term)
        {
            return done;
        }
        if let Some((name, meant)) = self.one_word_off(terms) {
            let message = format!("no effect has the word `{}` here", name.text);
            return self.problem(
                "unknown-effect",
                name.span,
                message,
                format!("did you mean `{meant}`?"),
            );
        }
        if let Some(term) = terms.iter().find(|term| self.subtracts_from_a_word(term)) {
            let message = "this is read as a subtraction";
            let help = "write a negative number without a space after the minus: `-1`";
            return self.problem("unknown-effect", term.span, message, help);
        }
        if let Some(problem) = self
            .almost_a_statement(terms, span)
            .or_else(|| self.called_otherwise(terms, span))
        {
            self.report.push(problem);
            return None;
        }
        let spoken: Vec<String> = terms.iter().map(word_of).collect();
        let misspelled = spoken.first().filter(|_| is_word(terms.first()));
        let statement = misspelled.and_then(|first| self.statement_like(first));
        let foreign = misspelled.and_then(|first| on_foreign_word(first));
        let foreign = foreign.or_else(|| foreign_call(terms));
        let help = match (foreign, statement) {
            (Some(help), _) => help.to_owned(),
            (None, Some(word)) => format!("did you mean `{word}`?"),
            (None, None) => self.help_with_effect(terms, &spoken),
        };
        if let (Some("choose" | "let"), [_, named, ..]) = (statement, terms)
            && let ExprKind::Name(name) = &named.kind
        {
            self.scope.bind(&name.text, Binding::Failed); // its type is unknown, and the mistake is already reported
        }
        // Of a word that begins a statement, or an effect behind a dot, that word is to blame.
        let span = match (statement, terms) {
            (Some(_), [first, ..]) => first.span,
            (None, [first, ..]) if foreign.is_some() => first.span,
            (_, [one]) => word_span(one).unwrap_or(span),
            _ => span,
        };
        let message = format!("no effect matches `{}`", spoken.join(" "));
        self.problem("unknown-effect", span, message, help)
    }

    /// Returns advice on words that begin no statement.
    fn help_with_effect(&self, terms: &[ast::Expr], spoken: &[String]) -> String {
        if is_conditional(spoken) {
            return CONDITIONAL.to_owned();
        }
        if terms.iter().any(begins_with_minus) {
            return "write a space on both sides of a minus (`a - 1`); without the second, it starts a negative number".to_owned();
        }
        let of_kind = matches!(terms, [term] if matches!(term.kind, ExprKind::Field(..)));
        if let Some(effect) = self.most_like(spoken, of_kind) {
            return format!("did you mean `{}`?", self.called_as(effect));
        }
        if spoken.iter().any(|word| word == "if") {
            return "the condition of a statement comes first: `if windy: …`".to_owned();
        }
        let on_second = second_word(terms).and_then(on_foreign_word);
        let help = on_second.unwrap_or(
            "statements begin with a built-in word or are phrases declared under `effects:`",
        );
        help.to_owned()
    }

    /// Returns whether this is `climbs - 1`, where `climbs` is a word of an effect.
    fn subtracts_from_a_word(&self, term: &ast::Expr) -> bool {
        let ExprKind::Binary(ast::BinaryOp::Subtract, word, _) = &term.kind else {
            return false;
        };
        let ExprKind::Name(word) = &word.kind else {
            return false;
        };
        self.scope.find(&word.text).is_none()
            && (word.text == "scores"
                || self
                    .effects
                    .iter()
                    .any(|e| e.pattern.words().contains(&word.text)))
    }

    /// Returns the single word of a phrase that differs from that of a declared effect, and its spelling there.
    fn one_word_off<'t>(&self, terms: &'t [ast::Expr]) -> Option<(&'t Name, String)> {
        let scores = [
            Part::Param(String::new(), Ty::SEAT),
            Part::Word("scores".into()),
            Part::Param(String::new(), Ty::INT),
        ];
        let phrases = self
            .effects
            .iter()
            .filter(|e| e.me.is_none() && !e.pattern.call_style);
        let patterns = phrases.map(|e| e.pattern.parts.as_slice());
        let mut near = patterns
            .chain([scores.as_slice()])
            .filter(|parts| parts.len() == terms.len() && terms.len() > 1);
        near.find_map(|parts| {
            let mut off = None;
            for (part, term) in parts.iter().zip(terms) {
                let Part::Word(word) = part else { continue };
                let ExprKind::Name(name) = &term.kind else {
                    return None;
                };
                if name.text == *word {
                    continue;
                }
                let near = did_you_mean(&name.text, [word.as_str()]).is_some();
                if !near || off.replace((name, word.clone())).is_some() {
                    return None;
                }
            }
            off
        })
    }

    /// Returns the built-in statement that this word was meant to begin, unless an effect of the game begins similarly.
    fn statement_like(&self, word: &str) -> Option<&'static str> {
        let begins = |e: &EffectDecl<'_>| match e.pattern.parts.first() {
            Some(Part::Word(first)) => misspelled(word, [first.as_str()]).is_some(),
            _ => false,
        };
        if self.effects.iter().any(begins) {
            return None;
        }
        let ours = || {
            [Begins::Always, Begins::Alone]
                .into_iter()
                .flat_map(words_that_begin)
                .filter(|ours| ours.len() > 2)
        };
        let short = || did_you_mean(word, ours()).filter(|_| word.len() == 3);
        misspelled(word, ours()).or_else(short)
    }

    /// Reports a value in place of a statement: a query, a component, a sum.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    fn only_a_value(&mut self, term: &ast::Expr) -> Attempt<()> {
        let name = match &term.kind {
            ExprKind::Name(name) | ExprKind::Call(name, _) | ExprKind::Field(_, name, _) => name,
            _ => return Some(self.value_alone(term.span, "a calculation")),
        };
        let known = match self.world.declared(&name.text) {
            Some(symbol) => Some(symbol.describe()),
            None if self.scope.find(&name.text).is_some() => Some("a name for a value"),
            None if self.member_query(&name.text).is_some() => Some("a query"),
            None => crate::compile::function_names()
                .any(|f| f == name.text)
                .then_some("a function"),
        }?;
        Some(self.value_alone(name.span, &format!("`{}` is {known}: it", name.text)))
    }

    fn value_alone(&mut self, span: Span, what: &str) -> Option<()> {
        let message = match what.strip_suffix(": it") {
            Some(what) => format!("{what}; alone on a line it does nothing"),
            None => format!("{what} alone on a line does nothing"),
        };
        let help = "say what happens: `move …`, `x = …`, or the phrase of an effect";
        self.problem("nothing-happens", span, message, help)
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
        let near = |word: &String| {
            spoken
                .iter()
                .any(|s| strsim::damerau_levenshtein(s, word) <= word.len() / 4)
        };
        let likeness = |e: &EffectDecl<'_>| e.pattern.words().iter().filter(|w| near(w)).count();
        let ours = self.effects.iter();
        ours.filter(|e| likeness(e) * 2 > e.pattern.words().len())
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
        self.problem(
            "wrong-number-of-arguments",
            span,
            message,
            format!("it is declared as `{shown}`"),
        )
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
        let goes_on = self.b.emit(op) + 1;
        let rest = (goes_on, self.scope.locals_in_scope());
        self.b.program.rests.push(rest);
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the other forms have a general translation"
)]
fn word_of(term: &ast::Expr) -> String {
    match &term.kind {
        ExprKind::Name(name) | ExprKind::Call(name, _) | ExprKind::Field(_, name, _) => {
            name.text.clone()
        }
        _ => "…".into(),
    }
}

/// Returns the name of a call or a field.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the other forms have a general translation"
)]
fn word_span(term: &ast::Expr) -> Option<Span> {
    match &term.kind {
        ExprKind::Call(name, _) | ExprKind::Field(_, name, _) => Some(name.span),
        _ => None,
    }
}

/// Returns whether a phrase has `if … then …` behind its first word.
fn is_conditional(spoken: &[String]) -> bool {
    let mut words = spoken.iter().skip(1);
    words.any(|word| word == "if") && words.any(|word| word == "then")
}

/// Returns whether a term begins with `-`.
fn begins_with_minus(term: &ast::Expr) -> bool {
    matches!(&term.kind, ExprKind::Unary(ast::UnaryOp::Negate, of) if !matches!(of.kind, ExprKind::Int(_)))
}

fn is_word(term: Option<&ast::Expr>) -> bool {
    term.is_some_and(|term| matches!(term.kind, ExprKind::Name(_)))
}

/// Returns our statement for `print("…")` or `xs.append(3)`.
fn foreign_call(terms: &[ast::Expr]) -> Option<&'static str> {
    let [term] = terms else { return None };
    if let ExprKind::Call(name, _) | ExprKind::Field(_, name, Some(_)) = &term.kind {
        return on_foreign_word(&name.text);
    }
    None
}

/// Returns the second word of a phrase.
fn second_word(terms: &[ast::Expr]) -> Option<&str> {
    match terms {
        [
            _,
            ast::Expr {
                kind: ExprKind::Name(name),
                ..
            },
            ..,
        ] => Some(&name.text),
        _ => None,
    }
}

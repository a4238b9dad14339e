//! Phrases that match no effect: what they were meant to be.

use crate::compile::compiler::effects::EffectDecl;
use crate::compile::compiler::{Attempt, Compiler};
use crate::compile::scope::Binding;
use crate::compile::terms::pattern::Part;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::{Span, did_you_mean, misspelled};
use wyrmgate_lang::advice::{CONDITIONAL, form_of, on_foreign_word};
use wyrmgate_lang::ast::{self, ExprKind, Name};
use wyrmgate_lang::effect::statement::words_that_begin;
use wyrmgate_lang::effect::table::Begins;

impl Compiler<'_> {
    /// Reports a phrase that matches no effect, with advice on what it was meant to be.
    pub fn unknown_effect(&mut self, terms: &[ast::Expr], span: Span) -> Option<()> {
        if let [term] = terms
            && let Some(done) = self.meaning_of_letter(term).or_else(|| self.appended(term))
        {
            return self.push(done);
        }
        if let [term] = terms
            && let Some(done) = self.only_a_value(term)
        {
            return done;
        }
        if let Some((name, meant)) = self.one_word_off(terms) {
            let message = format!("no effect has the word `{}` here", name.text);
            let help = format!("did you mean `{meant}`?");
            return self.problem("unknown-effect", name.span, message, help);
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
            return self.push(problem);
        }
        let spoken: Vec<String> = terms.iter().map(word_of).collect();
        let first_is_word = terms.first().is_some_and(|term| term.as_name().is_some());
        let misspelled = spoken.first().filter(|_| first_is_word);
        let statement = misspelled.and_then(|first| self.statement_like(first));
        let foreign = misspelled.filter(|first| self.scope.find(first).is_none());
        let foreign = foreign.and_then(|first| on_foreign_word(first));
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
        if let Some(usage) = called_statement(terms) {
            return format!("a statement is no function; {usage}");
        }
        if let Some(effect) = self.most_like(spoken, of_kind) {
            let called = self.called_as(effect);
            return match spoken {
                _ if of_kind && effect.me.is_none() => {
                    format!(
                        "`{called}` belongs to no component: leave out what stands before the dot"
                    )
                }
                [one] if *one == effect.pattern.name() => {
                    format!("write it as it is declared: `{called}`")
                }
                [] | [..] => format!("did you mean `{called}`?"),
            };
        }
        if spoken.iter().any(|word| word == "if") {
            return "the condition of a statement comes first: `if windy: …`".to_owned();
        }
        let mut others = terms.iter().skip(1).filter_map(ast::Expr::as_name);
        let help = others
            .find_map(|name| on_foreign_word(&name.text))
            .unwrap_or(
                "statements begin with a built-in word or are phrases declared under `effects:`",
            );
        help.to_owned()
    }

    /// Returns whether this is `climbs - 1`, where `climbs` is a word of an effect.
    fn subtracts_from_a_word(&self, term: &ast::Expr) -> bool {
        let ExprKind::Binary(ast::BinaryOp::Subtract, word, _) = &term.kind else {
            return false;
        };
        let Some(word) = word.as_name() else {
            return false;
        };
        self.scope.find(&word.text).is_none()
            && (word.text == "scores"
                || self
                    .effects
                    .all
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
            .all
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
                let name = term.as_name()?;
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
        if self.effects.all.iter().any(begins) {
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
    fn only_a_value(&mut self, term: &ast::Expr) -> Attempt<()> {
        let Some(name) = name_of(term) else {
            let message = "a calculation alone on a line does nothing";
            return Some(self.value_alone(term.span, message));
        };
        let known = match self.world.declared(&name.text) {
            Some(symbol) => Some(symbol.describe()),
            None if self.scope.find(&name.text).is_some() => Some("a name for a value"),
            None if self.member_query(&name.text).is_some() => Some("a query"),
            None => crate::compile::function_names()
                .any(|f| f == name.text)
                .then_some("a function"),
        }?;
        let message = format!(
            "`{}` is {known}; alone on a line it does nothing",
            name.text
        );
        Some(self.value_alone(name.span, message))
    }

    fn value_alone(&mut self, span: Span, message: impl Into<String>) -> Option<()> {
        let help = "say what happens: `move …`, `x = …`, or the phrase of an effect";
        self.problem("nothing-happens", span, message, help)
    }
}

fn word_of(term: &ast::Expr) -> String {
    name_of(term).map_or("…".into(), |name| name.text.clone())
}

/// Returns the name of a word, a call or a field.
fn name_of(term: &ast::Expr) -> Option<&Name> {
    let (ExprKind::Name(name) | ExprKind::Call(name, _) | ExprKind::Field(_, name, _)) = &term.kind
    else {
        return None;
    };
    Some(name)
}

/// Returns the name of a call or a field.
fn word_span(term: &ast::Expr) -> Option<Span> {
    let is_word = matches!(term.kind, ExprKind::Name(_));
    name_of(term).map(|name| name.span).filter(|_| !is_word)
}

/// Returns the usage of the statement that is written as a function: `c.move(discard)`, `record(layout)`.
fn called_statement(terms: &[ast::Expr]) -> Option<&'static str> {
    let [term] = terms else { return None };
    let (ExprKind::Call(name, _) | ExprKind::Field(_, name, Some(_))) = &term.kind else {
        return None;
    };
    form_of(&name.text)
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

/// Returns our statement for `print("…")` or `xs.append(3)`.
fn foreign_call(terms: &[ast::Expr]) -> Option<&'static str> {
    let [term] = terms else { return None };
    if let ExprKind::Call(name, _) | ExprKind::Field(_, name, Some(_)) = &term.kind {
        return on_foreign_word(&name.text);
    }
    None
}

//! Reads the forms of calls from the phrases of declarations.

use crate::compile::compiler::Compiler;
use crate::compile::terms::pattern::{Part, Pattern};
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::ast::{Name, Param, Signature};
use wyrmgate_program::*;

/// After these, a word is a word even if it is the name of a type: `seat p loses a coin to seat q`.
const ARTICLES: &[&str] = &["a", "an", "the", "another", "no", "any", "all"];

/// Words that link other words of a phrase, and are unusual names for a parameter.
const LINKS: &[&str] = &[
    "to", "of", "by", "from", "with", "for", "at", "in", "on", "and",
];

impl Compiler<'_> {
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
            let names = pattern.given().into_iter().map(|(name, _)| name);
            self.effects.failed.extend(names);
            let message = "an effect needs a word of its own";
            let help = "write it the way you call it: `dragon d moves int n`";
            return self.problem("no-words", pattern.span, message, help);
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
            ..Pattern::default()
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
            span: ends.map_or(span, |(first, last)| first.span.to(last.span)),
            param_spans,
            ..Pattern::default()
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
                self.two_parameters(name, *span, *first);
            }
        }
    }

    /// Reports a second parameter of the same name.
    pub(crate) fn two_parameters(&mut self, name: &str, span: Span, first: Span) {
        let message = format!("two parameters have the name `{name}`");
        let twice = Diagnostic::error("duplicate-name", span, message);
        let twice = twice.related(first, "first here");
        self.report.push(twice.help("rename one of them"));
    }
}

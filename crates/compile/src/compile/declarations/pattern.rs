//! The forms of calls: phrases and functions, and effects indexed by them.

use hashbrown::HashMap;
use std::collections::BTreeSet;

use crate::compile::Compiler;
use crate::names::types::Ty;
use crate::names::world::World;
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::ast::{Name, Param, Signature};
use wyrmgate_program::*;

/// After these, a word is a word even if it is the name of a type: `seat p loses a coin to seat q`.
const ARTICLES: &[&str] = &["a", "an", "the", "another", "no", "any", "all"];

/// Words that link other words of a phrase, and are unusual names for a parameter.
const LINKS: &[&str] = &[
    "to", "of", "by", "from", "with", "for", "at", "in", "on", "and",
];

/// Names and types of parameters, in order.
pub type Params = Vec<(String, Ty)>;

/// A piece of an effect's phrase.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Word(String),
    Param(String, Ty),
}

/// The form of a call: `[Param d, Word moves, Param n]`; for function syntax, the name and the parameters.
#[derive(Debug, Clone, PartialEq, Default)]
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
    pub fn same(&self, pattern: &Pattern) -> Option<usize> {
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

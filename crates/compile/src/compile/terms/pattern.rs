//! The forms of calls: phrases and functions, and effects indexed by them.

use hashbrown::HashMap;
use std::collections::BTreeSet;

use crate::names::types::Ty;
use crate::names::world::World;
use wyrmgate_base::diagnostic::Span;

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
        self.words().join("_")
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

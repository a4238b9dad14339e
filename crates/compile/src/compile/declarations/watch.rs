//! `within: played(card c, seat p)`: a handler that runs only for what happens while an effect runs.
//!
//! The wrapper of such an effect puts its parameters into words of the state before it calls the effect, and restores
//! afterwards what was in them, because effects can be nested. In the handler, the names of the parameters are these
//! words.

use crate::compile::compiler::Compiler;
use crate::compile::compiler::handlers::Watch;
use crate::compile::declarations::handler::as_happening;
use crate::compile::declarations::trigger::widest;
use crate::compile::scope::Binding;
use crate::compile::terms::pattern::{Params, Pattern, Shape};
use crate::names::types::{Ty, default_of};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::Signature;
use wyrmgate_program::*;

/// The words of an effect that runs, with the slots that contain what was in them before.
pub struct Watched(Vec<(u32, Local)>);

impl Compiler<'_> {
    /// Returns the form of the effect, and the names and types of the parameters in this handler.
    pub(crate) fn watch(&mut self, signature: &Signature, span: Span) -> Option<(Shape, Params)> {
        let pattern = as_happening(self.pattern(signature, span)?);
        let params = pattern.params();
        if params.iter().any(|(_, ty)| ty.list) {
            let help = "name an effect of single values";
            let message = "the parameters of this effect include a list";
            return self.problem("handler-key", span, message, help);
        }
        let shape = pattern.shape();
        if !self.handlers.watches.contains_key(&shape) {
            let runs = self.take_column(Type::Bool, 1, 0);
            let words = params.iter().map(|(_, ty)| {
                let of = widest(ty.of.unwrap_or(Type::Int));
                self.take_column(of, 1, default_of(of))
            });
            let watch = Watch {
                pattern,
                runs,
                words: words.collect(),
                met: false,
            };
            self.handlers.watches.insert(shape.clone(), watch);
        }
        Some((shape, params))
    }

    pub(crate) fn is_watched(&self, pattern: &Pattern) -> bool {
        let watches = &self.handlers.watches;
        !watches.is_empty() && watches.contains_key(&pattern.shape())
    }

    /// Notes that the effect of this wrapper is running.
    pub(crate) fn begin_watched(&mut self, pattern: &Pattern, met: &Params) -> Watched {
        let Some(watch) = self.handlers.watches.get_mut(&pattern.shape()) else {
            return Watched(Vec::new());
        };
        watch.met = true;
        let words: Vec<u32> = watch.words.iter().copied().chain([watch.runs]).collect();
        let types = met.iter().map(|(_, ty)| *ty).chain([Ty::BOOL]);
        let types: Vec<Ty> = types.collect();
        let mut before = Vec::new();
        for (word, ty) in words.into_iter().zip(&types) {
            let slot = self.scope.local(*ty);
            let value = self.b.expr(Expr::Word(word));
            self.b.emit(Op::Let(slot, value));
            before.push((word, slot));
        }
        for (number, (offset, _)) in before.iter().enumerate() {
            let value = match met.get(number) {
                Some(_) => self.b.local(number as Local),
                None => self.b.constant(1),
            };
            self.b.set_word(*offset, value);
        }
        Watched(before)
    }

    pub(crate) fn end_watched(&mut self, watched: &Watched) {
        for (offset, slot) in &watched.0 {
            let value = self.b.local(*slot);
            self.b.set_word(*offset, value);
        }
    }

    /// Tests whether the effect is running that a handler names, and gives its parameters their names.
    pub(crate) fn is_within(&mut self, index: usize) -> Option<ExprId> {
        let (shape, params) = self.handlers.get(index)?.within.clone()?;
        let watch = self.handlers.watches.get(&shape)?;
        let (runs, words) = (watch.runs, watch.words.clone());
        let mut test = self.b.expr(Expr::Word(runs));
        for ((name, ty), word) in params.iter().zip(words) {
            let value = self.b.expr(Expr::Word(word));
            if let Some(is) = self.is_of(value, ty.of) {
                test = self.b.and(test, is);
            }
            self.scope.bind(name, Binding::Alias(value, *ty));
        }
        Some(test)
    }

    /// Returns the effects that handlers name and that do not exist, with advice.
    pub(crate) fn unmet_watches(&mut self) -> Vec<(Span, String)> {
        let unmet = self.handlers.watches.values().filter(|watch| !watch.met);
        let unmet = unmet.map(|watch| (watch.pattern.span, self.what_can_be_met(&watch.pattern)));
        unmet.collect()
    }
}

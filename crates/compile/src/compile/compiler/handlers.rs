//! The handlers of a translation, those that wait, and the effects that they watch.

use hashbrown::HashMap;
use indexmap::IndexMap;

use crate::compile::terms::pattern::{Params, Pattern, Shape};
use wyrmgate_lang::definition::HandlerDef;
use wyrmgate_program::*;

/// All handlers, in the order of their declarations.
#[derive(Default)]
pub struct Handlers<'d> {
    pub all: Vec<HandlerDecl<'d>>,
    /// Handlers in order, by the words they handle.
    pub by_shape: HashMap<Shape, Vec<usize>>,
    pub waiting: Waiting,
    /// Effects of which handlers must know whether they are running.
    pub watches: IndexMap<Shape, Watch>,
}

impl<'d> Handlers<'d> {
    pub fn get(&self, index: usize) -> Option<&HandlerDecl<'d>> {
        self.all.get(index)
    }

    /// Returns whether a handler runs for each component of a kind.
    pub fn is_of_kind(&self, index: usize) -> bool {
        self.get(index).is_some_and(|handler| handler.me.is_some())
    }
}

/// A declared handler.
pub struct HandlerDecl<'d> {
    pub def: &'d HandlerDef,
    pub pattern: Pattern,
    /// The kind for whose components it runs.
    pub me: Option<KindId>,
    pub met: bool,
    /// The names and types of the values that it keeps from before the event.
    pub kept: Params,
    /// The effect that must be running around the event, with the names of its parameters.
    pub within: Option<(Shape, Params)>,
    /// The effect that runs its body later, if it waits.
    pub trigger: Option<Trigger>,
}

/// The handlers that wait, and the words where they do.
#[derive(Default)]
pub struct Waiting {
    /// The effect of `resolve`, and the words that are there if a handler waits.
    pub words: Option<WaitingWords>,
    /// Columns of values by their type, in the order in which a trigger uses them.
    pub columns: Vec<(Type, u32)>,
    /// The handlers that wait.
    pub handlers: Vec<usize>,
    /// Whether a `resolve` runs them.
    pub is_resolved: bool,
}

/// The words of all triggers.
#[derive(Clone, Copy)]
pub struct WaitingWords {
    pub resolve: EffectId,
    /// How many wait.
    pub count: u32,
    /// How many belong to batches that are being resolved.
    pub base: u32,
    /// The handler of each, from 1; 0 for none.
    pub handler: u32,
    /// The seat of each.
    pub seat: u32,
}

/// A handler that waits.
pub struct Trigger {
    /// The effect that runs its body.
    pub effect: EffectId,
    pub is_translated: bool,
}

/// An effect of which handlers must know whether it is running.
pub struct Watch {
    pub pattern: Pattern,
    /// Says whether it is running.
    pub runs: u32,
    /// Its parameters.
    pub words: Vec<u32>,
    pub met: bool,
}

//! The effects of a translation, and those that it still owes.

use std::collections::{BTreeMap, BTreeSet};

use crate::compile::terms::pattern::{EffectIndex, Params, Pattern};
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::Block;
use wyrmgate_program::*;

/// All effects, in the order of their declarations.
#[derive(Default)]
pub struct Effects<'d> {
    pub all: Vec<EffectDecl<'d>>,
    pub index: EffectIndex,
    pub of_kinds: MemberDecls,
    /// Words of effects and queries whose declaration has a mistake.
    pub failed: BTreeSet<String>,
    pub primitives: BTreeMap<String, EffectId>,
    pub later: Vec<Later>,
    /// Effects that only select the effect of a kind, to be emitted.
    pub by_kinds: Vec<(EffectId, Params, DispatchId)>,
    /// The steps of decisions that repeat themselves, to be translated.
    pub steps: Vec<Step>,
    /// The effects of what-ifs, and where they stand.
    pub supposed: Vec<(EffectId, Span)>,
    /// Where lists of components become part of a frame.
    pub component_lists: Vec<Address>,
}

/// A declared effect, or one that the compiler has made.
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

/// Effects or queries of one name on several kinds.
pub struct MemberDecl {
    pub dispatch: DispatchId,
    /// Kind and index into the declared effects or queries.
    pub by_kind: Vec<(KindId, usize)>,
    /// The parameters of the first one.
    pub params: Params,
    /// The parameters of an effect as they are declared.
    pub given: Params,
    /// Where the first one is declared.
    pub span: Span,
    /// The wrapper with the handlers of an effect, if there are any: then calls go to it.
    pub wrapper: Option<EffectId>,
}

/// Member effects or queries by name.
pub type MemberDecls = BTreeMap<String, MemberDecl>;

/// A primitive with handlers that must be emitted.
pub struct Later {
    pub id: EffectId,
    pub inner: EffectId,
    pub pattern: Pattern,
    /// Those of the pattern, and those that no handler sees.
    pub params: Params,
    pub op: Op,
}

/// The body of a decision that repeats itself, as an effect.
pub struct Step {
    pub effect: EffectId,
    pub params: Params,
    /// How many of the parameters are names of the surroundings, which the body cannot change.
    pub outer: usize,
    pub body: Block,
}

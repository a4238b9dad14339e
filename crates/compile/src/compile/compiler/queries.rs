//! The queries of a translation, and what modifies them.

use hashbrown::HashMap;
use std::borrow::Cow;

use crate::compile::compiler::effects::MemberDecls;
use crate::compile::terms::pattern::Params;
use crate::names::types::Ty;
use wyrmgate_lang::ast::{self, Name};
use wyrmgate_lang::definition::ModifierDef;
use wyrmgate_program::*;

/// All queries, in the order of their declarations.
#[derive(Default)]
pub struct Queries<'d> {
    pub all: Vec<QueryDecl<'d>>,
    pub params: Vec<Params>,
    /// The queries for the parts of the records that queries return.
    pub of_parts: HashMap<(usize, usize), usize>,
    pub of_kinds: MemberDecls,
    /// The queries that list the values of each position.
    pub positions: Vec<QueryId>,
    pub modifiers: Vec<ModifierDecl<'d>>,
}

/// The progress of the translation of a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Progress {
    NotYet,
    /// Its body is being translated: using it now is a cycle.
    Busy,
    Done(Ty),
    Failed,
}

/// A declared query.
pub struct QueryDecl<'d> {
    pub name: Name,
    pub params: Params,
    /// The expression that it evaluates, with its modifiers.
    pub body: Cow<'d, ast::Expr>,
    pub id: QueryId,
    pub progress: Progress,
    /// The number of expressions and lists in its body, once it is translated.
    pub weight: usize,
    /// The type of its result, if it may use itself.
    pub recursive: Option<Ty>,
}

/// A declared modifier.
pub struct ModifierDecl<'d> {
    pub def: &'d ModifierDef,
    /// The kind for whose components it applies.
    pub me: Option<KindId>,
    pub met: bool,
}

//! The state of one translation. The files above add what it does, as methods, and call each other's methods: a
//! translation is one recursion.

pub(crate) mod body;
mod clauses;
pub(crate) mod effects;
pub(crate) mod handlers;
pub(crate) mod notes;
pub(crate) mod queries;

use hashbrown::HashMap;

use crate::compile::builder::Builder;
use crate::compile::scope::Scope;
use crate::compile::terms::board::Board;
use crate::compile::terms::rows::Rows;
use crate::compile::terms::value::Value;
use crate::names::translation::Translations;
use crate::names::world::World;
use body::Body;
use effects::Effects;
use handlers::Handlers;
use notes::Notes;
use queries::Queries;
use wyrmgate_base::diagnostic::Report;
use wyrmgate_lang::ast::Expr;
use wyrmgate_lang::definition::Definition;
use wyrmgate_program::*;

/// The internal variable that a `prevent` sets.
pub const VAR_PREVENTED: VarId = VAR_SCORE + 1;

/// The result of a translation that applies only to some forms: `None` if another translation must handle the form,
/// `Some(None)` if this one reported a problem.
pub type Attempt<T> = Option<Option<T>>;

/// The state of one translation.
pub struct Compiler<'d> {
    pub def: &'d Definition,
    pub world: &'d mut World,
    pub b: &'d mut Builder,
    pub translations: Translations,
    pub report: &'d mut Report,
    /// The lists of lists of a constant; `None` once there are effects and queries.
    pub rows: Option<Vec<Rows>>,
    /// The first clause with each id.
    pub clauses: HashMap<&'d str, usize>,
    /// The adjacency of each board that a rule uses.
    pub boards: HashMap<FamilyId, Board>,
    pub scope: Scope,
    pub body: Body,
    pub queries: Queries<'d>,
    pub effects: Effects<'d>,
    pub handlers: Handlers<'d>,
    pub notes: Notes,
    /// An expression of a tool.
    pub watched: Option<Watched<'d>>,
}

/// An expression that a tool evaluates, and the names that it may use.
pub struct Watched<'d> {
    pub expr: &'d Expr,
    pub names: &'d [NamedSlot],
    pub value: Option<Value>,
}

impl<'d> Compiler<'d> {
    /// Creates a compiler for a world that is laid out. Its clauses are not numbered yet.
    pub fn new(
        def: &'d Definition,
        world: &'d mut World,
        b: &'d mut Builder,
        translations: Translations,
        report: &'d mut Report,
    ) -> Compiler<'d> {
        Compiler {
            def,
            world,
            b,
            translations,
            report,
            rows: None,
            clauses: HashMap::new(),
            boards: HashMap::new(),
            scope: Scope::default(),
            body: Body::default(),
            queries: Queries::default(),
            effects: Effects::default(),
            handlers: Handlers::default(),
            notes: Notes::default(),
            watched: None,
        }
    }

    /// Returns whether expressions are evaluated at once, before there are effects and queries.
    pub fn is_of_constants(&self) -> bool {
        self.rows.is_some()
    }
}

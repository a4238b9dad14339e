//! Definition → program, for one setup.
//!
//! The walk that chooses instructions also infers types, because it needs them. [`compile`] of a definition that
//! `check` accepted reports nothing and cannot fail; `check` is this walk for several setups plus
//! questions about the whole. One file per part: `layout` (what exists), `expr`, `member`, `function`, `query`
//! (expressions), `stmt`, `choose`, `effect` (code), `handler`, `primitive` (what handlers can handle).

mod advice;
pub mod builder;
pub(crate) mod constants;
mod declarations;
mod expressions;
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a form that is not recognized gets no advice"
)]
mod habit;
mod layout;
pub(crate) mod passes;
mod scope;
mod setup;
mod statements;
mod tree;
mod watched;

pub(crate) use advice::written_condition;
pub(crate) use constant::Translated;
pub use expressions::function::{FUNCTIONS, Function, function_names};
pub use setup::Setup;
pub use watched::{WithExpression, compile_with_expression};

use constants::{constant, rows};
use declarations::{modifier, trigger, watch};
use expressions::board;
use hashbrown::HashMap;
use passes::{masks, nesting, optimized, reveals, simplify};
use statements::{naming, sequence, standing};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::names::translation::Translations;
use crate::names::types::Ty;
use crate::names::world::World;
use builder::Builder;
use declarations::effect::{EffectDecl, MemberEffects};
use declarations::handler::{HandlerDecl, Original};
use declarations::pattern::{EffectIndex, Params, Pattern, Shape};
use declarations::query::{MemberQueries, QueryDecl};
use layout::Layout;
use scope::Scope;
use statements::stmt::{Cleanup, Loop};
use wyrmgate_base::diagnostic::{Report, Span, meant_or, numbered_like};
use wyrmgate_base::stack::with_room;
use wyrmgate_lang::ast::{self, ExprKind, Name};
use wyrmgate_lang::definition::Definition;
use wyrmgate_program::*;

/// The internal variable that a `prevent` sets.
const VAR_PREVENTED: VarId = VAR_SCORE + 1;

/// A primitive with handlers that must be emitted.
struct Later {
    id: EffectId,
    inner: EffectId,
    pattern: Pattern,
    /// Parameters that no handler sees.
    extra: Vec<Ty>,
    op: Op,
}

/// The result of a translation that applies only to some forms: `None` if another translation must handle the form,
/// `Some(None)` if this one reported a problem.
type Attempt<T> = Option<Option<T>>;

/// The state of one translation.
pub struct Compiler<'d> {
    pub(crate) def: &'d Definition,
    pub(crate) world: &'d mut World,
    b: &'d mut Builder,
    translations: Translations,
    report: &'d mut Report,
    /// Whether expressions are evaluated at once, before there are effects and queries.
    of_constants: bool,
    /// The lists of lists of a constant.
    rows: Vec<rows::Rows>,
    scope: Scope,
    temps_max: Temp,
    /// The adjacency of each board that a rule uses.
    boards: HashMap<FamilyId, board::Board>,
    /// The queries that list the values of each position.
    positions: Vec<QueryId>,
    queries: Vec<QueryDecl<'d>>,
    query_names: Vec<String>,
    query_params: Vec<Vec<(String, Ty)>>,
    /// The queries for the parts of the records that queries return.
    queries_of_parts: HashMap<(usize, usize), usize>,
    member_queries: MemberQueries,
    effects: Vec<EffectDecl<'d>>,
    effect_index: EffectIndex,
    member_effects: MemberEffects,
    modifiers: Vec<modifier::ModifierDecl<'d>>,
    handlers: Vec<HandlerDecl<'d>>,
    /// Handlers in order, by the words they handle.
    handlers_by_shape: HashMap<Shape, Vec<usize>>,
    primitives: BTreeMap<String, EffectId>,
    waiting: trigger::Waiting,
    /// Effects of which handlers must know whether they are running.
    watches: Vec<watch::Watch>,
    later: Vec<Later>,
    /// Effects that only select the effect of a kind, to be emitted.
    by_kinds: Vec<(EffectId, Params, DispatchId)>,
    /// The steps of decisions that repeat themselves, to be translated.
    steps: Vec<sequence::Step>,
    /// The effects of what-ifs, and where they stand.
    supposed: Vec<(EffectId, Span)>,
    loops: Vec<Loop>,
    cleanups: Vec<Cleanup>,
    /// The type of the result of the effect that is being translated.
    result: Option<crate::names::types::Ty>,
    /// Whether this is inside a `before` handler.
    preventing: bool,
    /// Inside an `instead` handler: the target of `proceed`.
    original: Option<Original>,
    /// All cited clauses, to find those that are not.
    pub(crate) cited: Vec<bool>,
    clause_numbers: HashMap<&'d str, usize>,
    endless: Vec<(Range<Address>, Span)>,
    doubts: Doubts,
    /// Names in calls of functions, and whether the first argument can have an order.
    ordered: Vec<(Span, bool)>,
    /// Where lists of components become part of a frame.
    component_lists: Vec<Address>,
    /// An expression of a tool.
    watched: Option<watched::Watched<'d>>,
}

/// Facts that are a mistake only if they hold in every setup.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    /// Conditions of `while`, and whether they can hold.
    pub loops: Vec<(Span, bool)>,
    /// Conditions of `while` that nothing in the loop can change.
    pub idle: Vec<Span>,
    /// Lists with the index 0, which no member has.
    pub before_first: Vec<Span>,
    /// Names of zones from which components are drawn, and of those to which components are moved; `None` for a zone
    /// that is known only in play.
    pub drawn: Vec<(String, Span)>,
    pub filled: Vec<Option<String>>,
    /// Seats with which `turns` begin, and whether they can exist.
    pub first_seats: Vec<(Span, bool)>,
}

/// Observations during translation, for warnings.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// Declared names that are used.
    pub used: BTreeSet<String>,
    /// Loops without a condition: their code and their location.
    pub endless: Vec<(Range<Address>, Span)>,
    /// Effects with their code and the location of their declaration, except those that the compiler created.
    pub effects: Vec<(EffectId, Span)>,
    pub doubts: Doubts,
    /// Names in calls of functions, and whether the first argument can have an order.
    pub ordered: Vec<(Span, bool)>,
}

/// Compiles a definition for one setup and reports every problem. `None` if there were errors.
pub fn compile(def: &Definition, setup: &Setup, report: &mut Report) -> Option<Program> {
    let mut program = compile_as_written(def, setup, report)?;
    reveals::forget(&mut program);
    Some(finished(program))
}

/// Compiles a definition so that the engine records what the rules reveal on purpose, for the search for leaks.
pub fn compile_with_reveals(
    def: &Definition,
    setup: &Setup,
    report: &mut Report,
) -> Option<Program> {
    compile_as_written(def, setup, report).map(finished)
}

fn finished(mut program: Program) -> Program {
    with_room(|| {
        simplify::simplify(&mut program);
        program.standing = standing::find(&mut program);
        masks::add_masks(&mut program);
        simplify::finish(&mut program);
        program.nesting = nesting::deepest(&program);
        program.optimized = optimized::optimized(&program);
    });
    program
}

/// Compiles a definition without optimizations, for comparisons: the program plays the same games as that of [`compile`].
pub fn compile_as_written(def: &Definition, setup: &Setup, report: &mut Report) -> Option<Program> {
    compile_noting(def, setup, report).map(|(program, _)| program)
}

/// Compiles a definition without optimizations, and returns what the checks need to know about it.
pub(crate) fn compile_noting(
    def: &Definition,
    setup: &Setup,
    report: &mut Report,
) -> Option<(Program, Notes)> {
    let mut laid_out = LaidOut::of(def, setup, report);
    let mut compiler = laid_out.compiler(def, report);
    with_room(|| compiler.run());
    let notes = compiler.notes();
    drop(compiler);
    let mut program = laid_out.b.program;
    naming::name_decisions(&mut program);
    naming::find_rotations(&mut program);
    (!report.has_errors()).then_some((program, notes))
}

/// What exists in a setup, before the rules about it are translated.
struct LaidOut {
    world: World,
    b: Builder,
    translations: Translations,
}

impl LaidOut {
    fn of(def: &Definition, setup: &Setup, report: &mut Report) -> LaidOut {
        let mut layout = Layout::new(def, setup, report);
        layout.builtin_variables();
        layout.run();
        LaidOut {
            world: layout.world,
            b: layout.b,
            translations: layout.translations,
        }
    }

    fn compiler<'d>(&'d mut self, def: &'d Definition, report: &'d mut Report) -> Compiler<'d> {
        let translations = std::mem::take(&mut self.translations);
        let mut compiler = Compiler::new(def, &mut self.world, &mut self.b, translations, report);
        compiler.clause_numbers = numbered_clauses(def);
        compiler
    }
}

/// Returns the first clause with each id.
fn numbered_clauses(def: &Definition) -> HashMap<&str, usize> {
    let clauses = def.clauses.iter().enumerate().rev();
    clauses
        .map(|(at, clause)| (clause.id.text.as_str(), at))
        .collect()
}

impl<'d> Compiler<'d> {
    /// Creates a compiler for a world that is laid out. Its clauses are not numbered yet.
    fn new(
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
            of_constants: false,
            rows: Vec::new(),
            scope: Scope::default(),
            temps_max: 0,
            boards: HashMap::new(),
            positions: Vec::new(),
            queries: Vec::new(),
            query_names: Vec::new(),
            query_params: Vec::new(),
            queries_of_parts: HashMap::new(),
            member_queries: MemberQueries::new(),
            effects: Vec::new(),
            effect_index: EffectIndex::default(),
            member_effects: MemberEffects::new(),
            modifiers: Vec::new(),
            handlers: Vec::new(),
            handlers_by_shape: HashMap::new(),
            primitives: BTreeMap::new(),
            waiting: trigger::Waiting::default(),
            watches: Vec::new(),
            later: Vec::new(),
            by_kinds: Vec::new(),
            steps: Vec::new(),
            supposed: Vec::new(),
            loops: Vec::new(),
            cleanups: Vec::new(),
            result: None,
            preventing: false,
            original: None,
            cited: vec![false; def.clauses.len()],
            clause_numbers: HashMap::new(),
            endless: Vec::new(),
            doubts: Doubts::default(),
            ordered: Vec::new(),
            component_lists: Vec::new(),
            watched: None,
        }
    }
}

impl Compiler<'_> {
    fn run(&mut self) {
        let parts: [fn(&mut Self); 20] = [
            Self::declare_queries,
            Self::limit_queries,
            Self::declare_effects,
            Self::declare_handlers,
            Self::wrap_member_effects,
            Self::cite_declarations,
            Self::visibilities,
            Self::translate_positions,
            Self::translate_effects,
            Self::translate_watched,
            Self::translate_primitives,
            Self::translate_waiting,
            Self::translate_steps,
            Self::finish_queries,
            Self::translate_by_kinds,
            Self::check_supposed,
            Self::hide_order,
            Self::check_handlers,
            Self::find_play,
            Self::check_sizes,
        ];
        for part in parts {
            if !self.report.is_full() {
                part(self);
            }
        }
    }

    fn notes(&mut self) -> Notes {
        let own = self.effects.iter().filter(|e| e.body.is_some());
        Notes {
            used: self.world.take_used(),
            endless: std::mem::take(&mut self.endless),
            effects: own.map(|e| (e.id, e.pattern.span)).collect(),
            doubts: std::mem::take(&mut self.doubts),
            ordered: std::mem::take(&mut self.ordered),
        }
    }

    /// Numbers of things are small; a larger game is rejected, never wrapped around.
    fn check_sizes(&mut self) {
        let program = &self.b.program;
        let sizes = [
            ("decisions", program.sites.len()),
            ("texts", program.texts_with_holes.len()),
            ("effects and handlers", program.effects.len()),
            ("queries", program.queries.len()),
            ("kinds", program.kinds.len()),
            ("variables and changing fields", program.vars.len()),
        ];
        let most = usize::from(u16::MAX);
        if let Some((what, _)) = sizes.into_iter().find(|(_, size)| *size > most) {
            let span = self.def.name.span;
            let message = format!("a game may have at most {most} {what}");
            self.problem::<()>("too-many", span, message, "use fewer, larger parts");
        }
    }

    fn find_play(&mut self) {
        match self.b.program.effect_names.get("play") {
            Some(id) => self.b.program.play = *id,
            None => {
                let with_parameters = self.effects.iter().find(|e| e.pattern.name() == "play");
                let span = with_parameters.map_or(self.def.name.span, |e| e.pattern.span);
                let message = match with_parameters {
                    Some(_) => "`play` cannot have parameters, because the game begins with it",
                    None => "the game has no effect `play`",
                };
                let help = "write `play: |` under `effects:`; it is the whole game, from setup to `finish`";
                self.problem::<()>("no-play", span, message, help);
            }
        }
    }

    // ---- clauses

    fn cite_declarations(&mut self) {
        let def = self.def;
        self.cites_of(&def.players);
        for option in &def.options {
            self.cite(&option.cites);
        }
        for kind in def.all_kinds() {
            self.cite(&kind.cites);
        }
    }

    /// Returns the clauses that an expression itself cites (`cond [X-01]`).
    pub(crate) fn cites_of(&mut self, expr: &ast::Expr) -> Vec<ClauseId> {
        let ExprKind::Cited(_, cites) = &expr.kind else {
            return Vec::new();
        };
        self.cite(cites)
    }

    /// Returns the numbers of these clauses; unknown ones are problems.
    pub(crate) fn cite(&mut self, cites: &[Name]) -> Vec<ClauseId> {
        // The citations of declarations are noted once, not for each value.
        if self.of_constants {
            return Vec::new();
        }
        let mut ids = Vec::new();
        for name in cites {
            match self.clause_numbers.get(name.text.as_str()).copied() {
                Some(id) => {
                    if let Some(cited) = self.cited.get_mut(id) {
                        *cited = true;
                    }
                    ids.push(id as ClauseId);
                }
                None => self.unknown_clause(name),
            }
        }
        ids
    }

    fn unknown_clause(&mut self, name: &Name) {
        let message = format!("there is no clause `{}`", name.text);
        let known = self.def.clauses.iter().map(|c| c.id.text.as_str());
        let meant = numbered_like(&name.text, known);
        let otherwise = format!("add `{}: …` under `clauses`", name.text);
        let help = meant_or(meant, otherwise);
        self.unknown::<()>("unknown-clause", name, message, help);
    }
}

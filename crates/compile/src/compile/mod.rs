//! Definition → program, for one setup.
//!
//! The walk that chooses instructions also infers types, because it needs them. [`compile`] of a definition that
//! `check` accepted reports nothing and cannot fail; `check` is this walk for several setups plus
//! questions about the whole. One file per part: `layout` (what exists), `expr`, `member`, `function`, `query`
//! (expressions), `stmt`, `choose`, `effect` (code), `handler`, `primitive` (what handlers can handle).

pub mod builder;
mod compiler;
pub(crate) mod constants;
mod declarations;
mod expressions;
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a form that is not recognized gets no advice"
)]
mod habit;
mod laid_out;
mod layout;
pub(crate) mod passes;
mod scope;
mod setup;
mod statements;
mod terms;
mod tree;
mod watched;

pub(crate) use compiler::notes::{Doubts, KeyedThing, Notes};
pub(crate) use expressions::advice::written_condition;
pub use expressions::function::{FUNCTIONS, Function, function_names};
pub use setup::Setup;
pub use watched::{WithExpression, compile_with_expression};

use laid_out::LaidOut;
use passes::{masks, reveals, simplify};
use statements::{keyed, naming, standing};
use wyrmgate_base::diagnostic::Report;
use wyrmgate_base::stack::with_room;
use wyrmgate_lang::definition::Definition;
use wyrmgate_program::*;

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
    keyed::find_keys(&mut program);
    (!report.has_errors()).then_some((program, notes))
}

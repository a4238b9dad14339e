//! An expression that a tool evaluates while a game is in play, with the names of an effect at one of its statements.

use crate::compile::compiler::{Compiler, Watched};
use crate::compile::laid_out::LaidOut;
use crate::compile::passes::reveals;
use crate::compile::scope::Scope;
use crate::compile::setup::Setup;
use crate::compile::terms::value::Value;
use wyrmgate_base::diagnostic::Report;
use wyrmgate_base::stack::with_room;
use wyrmgate_lang::ast::Expr;
use wyrmgate_lang::definition::Definition;
use wyrmgate_program::{NamedSlot, Program, QueryBody, Type};

/// A program to which an expression was added. It has the states of the program without it.
#[derive(Debug)]
pub struct WithExpression {
    pub program: Program,
    pub body: QueryBody,
    /// The type of the value, or of the members; `None` for `none`.
    pub of: Option<Type>,
}

/// Compiles a definition that has no errors together with an expression, and reports the problems of the expression.
pub fn compile_with_expression(
    def: &Definition,
    setup: &Setup,
    names: &[NamedSlot],
    expr: &Expr,
    report: &mut Report,
) -> Option<WithExpression> {
    let mut laid_out = LaidOut::of(def, setup, report);
    let mut compiler = laid_out.compiler(def, report);
    compiler.watched = Some(Watched {
        expr,
        names,
        value: None,
    });
    with_room(|| compiler.run());
    let value = compiler.watched.take().and_then(|watched| watched.value);
    drop(compiler);
    let mut program = laid_out.b.program;
    if report.has_errors() {
        return None;
    }
    reveals::forget(&mut program);
    let (body, of) = match value? {
        Value::One(expr, of) => (QueryBody::Value(expr), of),
        Value::List(set, of) => (QueryBody::List(set), of),
        Value::Record(record, first) => (QueryBody::Value(first), Some(Type::Record(record))),
    };
    Some(WithExpression { program, body, of })
}

impl Compiler<'_> {
    /// Translates the expression of a tool when all effects have their places.
    pub(crate) fn translate_watched(&mut self) {
        let Some(mut watched) = self.watched.take() else {
            return;
        };
        let outer = std::mem::take(&mut self.scope);
        self.scope = Scope::of_slots(watched.names);
        watched.value = self.expr(watched.expr, None);
        if let Some(value) = watched.value
            && self.record_type(value.ty().of).is_some()
        {
            watched.value = self.not_a_record(value, watched.expr.span);
        }
        self.scope = outer;
        self.watched = Some(watched);
    }
}

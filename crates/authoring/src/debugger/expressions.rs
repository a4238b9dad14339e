//! Expressions of the rules, evaluated at a moment in the effect at which an author looks.

use std::sync::Arc;

use serde_json::Value;

use super::course::DebuggedGame;
use super::inspect::{self, RunningEffect};
use super::tape::TapeMoment;
use wyrmgate_base::diagnostic::{Report, Severity};
use wyrmgate_compile::compile::{WithExpression, compile_with_expression};
use wyrmgate_engine::{Evaluated, eval_in_frame};
use wyrmgate_lang::Positions;
use wyrmgate_lang::effect::parse_expr;
use wyrmgate_program::{NamedSlot, Program, Type};
use wyrmgate_view::sentence;

/// Maximum length of an expression in bytes.
const LENGTH_MAX: usize = 1_000;
/// Compiled expressions that are kept: each is a copy of the program.
const KEPT_MAX: usize = 8;

/// Expressions that were evaluated before, the last ones at the end.
#[derive(Debug, Default)]
pub struct Expressions {
    kept: Vec<Kept>,
}

#[derive(Debug)]
struct Kept {
    text: String,
    names: Vec<NamedSlot>,
    compiled: Result<Arc<WithExpression>, String>,
}

impl Expressions {
    /// Returns the value of an expression as scenarios write it, or why it has none.
    pub fn value(
        &mut self,
        game: &DebuggedGame,
        moment: &TapeMoment,
        running: &RunningEffect,
        text: &str,
    ) -> Result<Value, String> {
        let names = inspect::names_at(&game.program, running.address);
        let compiled = self.compiled(game, names, text)?;
        let of = compiled.of;
        let json = |value: i32| match of {
            None => Value::Null,
            Some(of) => inspect::as_json(&game.program, value, of),
        };
        Ok(match evaluated(&compiled, moment, running)? {
            Evaluated::One(value) => json(value),
            Evaluated::Many(values) => values.into_iter().map(json).collect(),
        })
    }

    /// Returns whether a condition holds at the statement that runs.
    pub fn holds(
        &mut self,
        game: &DebuggedGame,
        moment: &TapeMoment,
        text: &str,
    ) -> Result<bool, String> {
        let running = inspect::innermost(&game.program, moment);
        let names = inspect::names_at(&game.program, running.address);
        let compiled = self.condition(game, names, text)?;
        let value = evaluated(&compiled, moment, &running)?;
        Ok(matches!(value, Evaluated::One(value) if value > 0))
    }

    /// Compiles a condition where these names are in scope.
    pub fn condition(
        &mut self,
        game: &DebuggedGame,
        names: &[NamedSlot],
        text: &str,
    ) -> Result<Arc<WithExpression>, String> {
        let compiled = self.compiled(game, names, text)?;
        match compiled.of == Some(Type::Bool) {
            true => Ok(compiled),
            false => Err("this is not a condition: compare it with something".to_owned()),
        }
    }

    fn compiled(
        &mut self,
        game: &DebuggedGame,
        names: &[NamedSlot],
        text: &str,
    ) -> Result<Arc<WithExpression>, String> {
        let mut kept = self.kept.iter();
        if let Some(known) = kept.find(|one| one.text == text && one.names == names) {
            return known.compiled.clone();
        }
        let compiled = compile(game, names, text).map(Arc::new);
        if self.kept.len() >= KEPT_MAX {
            self.kept.remove(0);
        }
        self.kept.push(Kept {
            text: text.to_owned(),
            names: names.to_vec(),
            compiled: compiled.clone(),
        });
        compiled
    }
}

fn evaluated(
    compiled: &WithExpression,
    moment: &TapeMoment,
    running: &RunningEffect,
) -> Result<Evaluated, String> {
    let value = eval_in_frame(
        &compiled.program,
        &moment.state,
        running.base,
        compiled.body,
    );
    value.map_err(|fault| sentence(&fault))
}

fn compile(game: &DebuggedGame, names: &[NamedSlot], text: &str) -> Result<WithExpression, String> {
    if text.len() > LENGTH_MAX {
        return Err(format!("an expression has at most {LENGTH_MAX} letters"));
    }
    let mut report = Report::default();
    let positions = Positions::straight(game.sources.next(), 0);
    let expr = parse_expr(text, &positions, &mut report);
    let compiled = expr.and_then(|expr| {
        compile_with_expression(&game.definition, &game.setup, names, &expr, &mut report)
    });
    let compiled = compiled.ok_or_else(|| problem(&report))?;
    match has_these_states(&compiled.program, &game.program) {
        true => Ok(compiled),
        false => Err("the game must know this expression before it begins".to_owned()),
    }
}

/// Returns whether both programs have the same states. An expression may need a word of its own.
fn has_these_states(one: &Program, other: &Program) -> bool {
    let sizes = |program: &Program| {
        [
            program.zones.len(),
            program.components.len(),
            program.room.var_words,
        ]
    };
    sizes(one) == sizes(other)
}

/// Returns the first error in words.
fn problem(report: &Report) -> String {
    let mut found = report.diagnostics.iter();
    let error = found.find(|problem| problem.severity == Severity::Error);
    match error {
        None => "this expression cannot be read".to_owned(),
        Some(error) => {
            let help = error.help.iter().map(|help| format!("; {help}"));
            [error.message.clone()].into_iter().chain(help).collect()
        }
    }
}

//! Runs effects and evaluates queries and expressions in a game at rest, for tools that work on it from outside.

use crate::chance::Chance;
use crate::choices;
use crate::eval::{Evaluated, Scratch};
use crate::event::Observer;
use crate::fault::{Fault, FaultKind};
use crate::frame::LEAVE;
use crate::layout::{StateLayout, header};
use crate::machine::Machine;
use crate::owed::{member_number, owed_seats};
use crate::resign::{Suspended, ask_again};
use crate::state::State;
use wyrmgate_program::{Program, QueryBody};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolError {
    /// There is no effect of this name without parameters.
    Unknown(String),
    /// The game is over, so nothing can be arranged.
    Over,
    Fault(Fault),
}

/// Runs an effect without parameters on a game at rest. Suspended effects stay suspended, and the choices of pending
/// decisions are evaluated again, because they may change. The program may be the game's own with effects added at its
/// end. The effect must not decide anything (`FaultKind::Decision`); after a fault, the state is unchanged.
pub fn run_effect(
    program: &Program,
    state: &mut State,
    name: &str,
    chance: &mut dyn Chance,
    observer: &mut dyn Observer,
) -> Result<(), ToolError> {
    if state.is_finished() {
        return Err(ToolError::Over);
    }
    let effect = program.origins.effect_names.get(name).copied();
    let effect = effect.ok_or_else(|| ToolError::Unknown(name.to_owned()))?;
    let mut trial = state.clone();
    trial.layout = StateLayout::of(program);
    let suspended = Suspended::of(&trial);
    let mut scratch = Scratch::default();
    let mut machine = Machine::new(program, &mut trial, &mut scratch, chance, observer);
    if machine.enter(effect, None, LEAVE).is_err() {
        return Err(ToolError::Fault(machine.scratch.take_fault()));
    }
    machine.run().map_err(ToolError::Fault)?;
    if !trial.is_finished() {
        if trial.head(header::DEPTH) != suspended.depth() {
            return Err(ToolError::Fault(Fault {
                kind: FaultKind::Decision,
                span: choices::asked_at(program, &trial),
            }));
        }
        suspended.restore(&mut trial);
        // Which members are asked about is known when the question is asked.
        if owed_seats(&trial).any(|owed| member_number(program, &trial, &owed) > 0) {
            ask_again(program, &mut trial).map_err(ToolError::Fault)?;
        }
    }
    trial.layout = state.layout;
    *state = trial;
    Ok(())
}

/// Evaluates a query without parameters; `None` if there is none with this name, or if it cannot be evaluated.
pub fn eval_query(program: &Program, state: &State, name: &str) -> Option<i32> {
    let query = program.origins.query_names.get(name)?;
    let query = program.query(*query).filter(|query| query.params == 0)?;
    let QueryBody::Value(body) = query.body else {
        return None;
    };
    let mut state = state.clone();
    state.layout = StateLayout::of(program);
    choices::look(program, &state, |eval| eval.value(body)).ok()
}

/// Answers a query without parameters, or with this argument as its only one; `None` if there is none with this name, or if
/// it cannot be answered.
pub fn answer(
    program: &Program,
    state: &State,
    name: &str,
    argument: Option<i32>,
) -> Option<Evaluated> {
    let number = *program.origins.query_names.get(name)?;
    let query = program.query(number)?;
    if usize::from(query.params) != usize::from(argument.is_some()) {
        return None;
    }
    let mut state = state.clone();
    state.layout = StateLayout::of(program);
    choices::look(program, &state, |eval| eval.answer(number, argument)).ok()
}

/// Evaluates an expression that may read the slots of the frame at this place of the stack. Changes nothing. The program may
/// be the game's own with the expression added.
pub fn eval_in_frame(
    program: &Program,
    state: &State,
    base: usize,
    body: QueryBody,
) -> Result<Evaluated, Fault> {
    let mut state = state.clone();
    state.layout = StateLayout::of(program);
    state.set_head(header::BASE, i32::try_from(base).unwrap_or_default());
    choices::look(program, &state, |eval| match body {
        QueryBody::Value(expr) => eval.value(expr).map(Evaluated::One),
        QueryBody::List(set) => {
            let members = eval.gather(set)?;
            Ok(Evaluated::Many(members.to_vec()))
        }
    })
}

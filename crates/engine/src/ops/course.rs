//! Rounds, turns, phases and scores.

use crate::event::Event;
use crate::fault::{FaultKind, Halt};
use crate::machine::{Machine, NextAction};
use wyrmgate_program::{
    ExprId, Lasts, Local, VAR_ACTIVE, VAR_PHASE, VAR_ROUND, VAR_SCORE, VAR_TURN, VarId, VarInfo,
};

pub fn round_begin(m: &mut Machine) -> Result<NextAction, Halt> {
    let round = count_up(m, VAR_ROUND);
    m.emit(|_| Event::RoundBegan { round })?;
    Ok(NextAction::Go)
}

pub fn round_end(m: &mut Machine) -> Result<NextAction, Halt> {
    let round = m.state.built_in(VAR_ROUND);
    m.emit(|_| Event::RoundEnded { round })?;
    reset(m, Lasts::Round);
    Ok(NextAction::Go)
}

pub fn turn_begin(m: &mut Machine, seat: ExprId, before: Local) -> Result<NextAction, Halt> {
    let seat = m.value(seat)?;
    m.set_local(before, m.state.built_in(VAR_ACTIVE));
    set_built_in(m, VAR_ACTIVE, seat);
    reset_own(m, seat);
    let turn = count_up(m, VAR_TURN);
    m.emit(|_| Event::TurnBegan { seat, turn })?;
    Ok(NextAction::Go)
}

pub fn turn_end(m: &mut Machine, before: Local) -> Result<NextAction, Halt> {
    let seat = m.state.built_in(VAR_ACTIVE);
    let turn = m.state.built_in(VAR_TURN);
    m.emit(|_| Event::TurnEnded { seat, turn })?;
    reset(m, Lasts::Turn);
    let before = m.local(before);
    set_built_in(m, VAR_ACTIVE, before);
    Ok(NextAction::Go)
}

pub fn as_begin(m: &mut Machine, seat: ExprId, before: Local) -> Result<NextAction, Halt> {
    let seat = m.value(seat)?;
    m.set_local(before, m.state.built_in(VAR_ACTIVE));
    set_built_in(m, VAR_ACTIVE, seat);
    Ok(NextAction::Go)
}

pub fn as_end(m: &mut Machine, before: Local) -> Result<NextAction, Halt> {
    let before = m.local(before);
    set_built_in(m, VAR_ACTIVE, before);
    Ok(NextAction::Go)
}

pub fn phase_begin(m: &mut Machine, phase: i32, before: Local) -> Result<NextAction, Halt> {
    m.set_local(before, m.state.built_in(VAR_PHASE));
    set_built_in(m, VAR_PHASE, phase);
    m.emit(|_| Event::PhaseBegan { phase })?;
    Ok(NextAction::Go)
}

pub fn phase_end(m: &mut Machine, before: Local) -> Result<NextAction, Halt> {
    let phase = m.state.built_in(VAR_PHASE);
    m.emit(|_| Event::PhaseEnded { phase })?;
    let before = m.local(before);
    set_built_in(m, VAR_PHASE, before);
    Ok(NextAction::Go)
}

pub fn score(m: &mut Machine, seat: ExprId, by: ExprId) -> Result<NextAction, Halt> {
    let seat = m.value(seat)?;
    let by = m.value(by)?;
    if !(0..m.state.layout.seats as i32).contains(&seat) {
        return Ok(NextAction::Go);
    }
    let word = m
        .state
        .built_in_offset(VAR_SCORE)
        .saturating_add(seat as u32);
    let Some(total) = m.state.var(word).checked_add(by) else {
        return Err(m.scratch.halt(FaultKind::Overflow));
    };
    m.state.set_var(word, total);
    m.emit(|_| Event::Scored { seat, by, total })?;
    Ok(NextAction::Go)
}

fn set_built_in(m: &mut Machine, var: VarId, value: i32) {
    let word = m.state.built_in_offset(var);
    m.state.set_var(word, value);
}

fn count_up(m: &mut Machine, var: VarId) -> i32 {
    let count = m.state.built_in(var).saturating_add(1);
    set_built_in(m, var, count);
    count
}

/// Resets the values of a seat that last until its turn; observers know that this happens.
fn reset_own(m: &mut Machine, seat: i32) {
    let Ok(seat) = u32::try_from(seat) else {
        return;
    };
    if !m.state.layout.forgets_own_turns {
        return;
    }
    let program = m.program;
    let own = |var: &&VarInfo| var.lasts == Lasts::UntilTurn && seat < var.len;
    for var in program.vars.iter().filter(own) {
        m.state.set_var(var.offset + seat, var.start_of(seat));
    }
}

/// Resets variables to their initial values; observers know that this happens.
fn reset(m: &mut Machine, lasts: Lasts) {
    if lasts == Lasts::Turn && !m.state.layout.forgets_turns {
        return;
    }
    let program = m.program;
    for var in program.vars.iter().filter(|var| var.lasts == lasts) {
        for word in 0..var.len {
            m.state.set_var(var.offset + word, var.start_of(word));
        }
    }
}

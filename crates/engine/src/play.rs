//! Starts a game, and takes one step.

use crate::chance::{Chance, Moment};
use crate::choice::{Answer, Choice, Pending};
use crate::choices::ChoiceMenu;
use crate::eval::Scratch;
use crate::event::{Event, Observer};
use crate::fault::{Fault, FaultKind, Halt};
use crate::frame::END;
use crate::limit::STATE_WORDS_MAX;
use crate::machine::{Machine, NextAction};
use crate::ops::deciding;
use crate::owed::answered;
use crate::reject::{Refused, StepError, refused};
use crate::resign::resign;
use crate::state::State;
use wyrmgate_program::{Program, SEATS_MAX};

/// Starts a new game and runs it to its first rest.
pub fn start(
    program: &Program,
    seed: [u8; 32],
    chance: &mut dyn Chance,
    observer: &mut dyn Observer,
) -> Result<State, Fault> {
    let mut state = blank(program, seed)?;
    let mut scratch = Scratch::default();
    begin(Machine::new(
        program,
        &mut state,
        &mut scratch,
        chance,
        observer,
    ))?;
    Ok(state)
}

/// Returns a state in which nothing has happened yet.
pub fn blank(program: &Program, seed: [u8; 32]) -> Result<State, Fault> {
    if program.seats == 0 || program.seats > SEATS_MAX {
        return Err(fault(FaultKind::Program));
    }
    let state = State::new(program, seed);
    if state.words.len() > STATE_WORDS_MAX {
        return Err(fault(FaultKind::StateSize));
    }
    Ok(state)
}

/// Runs a new game to its first rest.
pub fn begin(mut machine: Machine) -> Result<(), Fault> {
    if enter(&mut machine).is_err() {
        let play = machine.program.effect(machine.program.code.play);
        let place = play.map(|effect| effect.span);
        return Err(machine.scratch.take_fault().or_at(place));
    }
    machine.run()
}

/// Enters the effect that is the game.
pub fn enter(machine: &mut Machine) -> Result<(), Halt> {
    let play = machine.program.code.play;
    machine.emit(|_| Event::GameBegan)?;
    machine.enter(play, None, END)
}

fn fault(kind: FaultKind) -> Fault {
    Fault { kind, span: None }
}

/// Continues a move from a moment that [`Chance::before`] was told of, in a copy of the state that it was shown, and runs to
/// the next rest.
pub fn go_on(
    program: &Program,
    state: &mut State,
    moment: Moment,
    chance: &mut dyn Chance,
    observer: &mut dyn Observer,
) -> Result<(), Fault> {
    let mut scratch = Scratch::default();
    let mut machine = Machine::new(program, state, &mut scratch, chance, observer);
    machine.return_to(moment);
    machine.run()
}

/// Answers decision number `index` of [`pending`] and runs to the next rest. After a refusal, the state is unchanged;
/// after a fault, it must not be used any more.
pub fn step(
    program: &Program,
    state: &mut State,
    index: usize,
    choice: &Choice,
    chance: &mut dyn Chance,
    observer: &mut dyn Observer,
) -> Result<(), StepError> {
    let owed = owed(state, index, choice)?;
    if let Some(refused) = refused(program, state, &owed, choice)? {
        return Err(refused.into());
    }
    step_legal(program, state, index, choice, chance, observer)
}

/// Answers a decision without validation, with a choice that was just listed or drawn for this state. With any other
/// choice, the game may do what its rules forbid. See [`step`].
pub fn step_legal(
    program: &Program,
    state: &mut State,
    index: usize,
    choice: &Choice,
    chance: &mut dyn Chance,
    observer: &mut dyn Observer,
) -> Result<(), StepError> {
    answer_noting(program, state, index, choice, chance, observer, None)
}

/// Answers a decision without validation, and records the first choices of the next one, as far as the test for a choice finds
/// them. See [`step_legal`].
pub fn step_noting(
    program: &Program,
    state: &mut State,
    index: usize,
    choice: &Choice,
    chance: &mut dyn Chance,
    observer: &mut dyn Observer,
    first: &mut ChoiceMenu,
) -> Result<(), StepError> {
    first.clear();
    let first = Some(first);
    answer_noting(program, state, index, choice, chance, observer, first)
}

fn answer_noting<'a>(
    program: &'a Program,
    state: &'a mut State,
    index: usize,
    choice: &Choice,
    chance: &'a mut dyn Chance,
    observer: &'a mut dyn Observer,
    first: Option<&'a mut ChoiceMenu>,
) -> Result<(), StepError> {
    let owed = owed(state, index, choice)?;
    let mut scratch = Scratch::default();
    let mut machine = Machine::new(program, state, &mut scratch, chance, observer);
    machine.first = first;
    if choice.is_resigning() {
        return Ok(resign(machine, owed.seat, choice.reason())?);
    }
    Ok(answer(machine, owed, choice)?)
}

fn owed(state: &State, index: usize, choice: &Choice) -> Result<Pending, StepError> {
    if state.is_finished() {
        return Err(Refused::game_over().into());
    }
    answered(state, index, choice).ok_or_else(|| Refused::not_owed().into())
}

/// Takes an answer and runs to the next rest.
pub fn answer(mut machine: Machine, owed: Pending, answer: &impl Answer) -> Result<(), Fault> {
    match deciding::answer(&mut machine, owed.site, owed.seat, answer) {
        Ok(NextAction::Go) => machine.run(),
        Ok(NextAction::Rest) => Ok(()),
        Err(_) => Err(machine.fault()),
    }
}

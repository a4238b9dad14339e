//! Starting a game, and taking one step.

use smallvec::SmallVec;

use crate::engine::chance::Chance;
use crate::engine::choice::{Choice, Pending};
use crate::engine::choices;
use crate::engine::event::{Event, Observer};
use crate::engine::explain::{explain_refusal, not_owed, over, refusal_with_clauses};
use crate::engine::fault::{Fault, FaultKind};
use crate::engine::frame::END;
use crate::engine::limit::STATE_WORDS_MAX;
use crate::engine::machine::{Machine, Next};
use crate::engine::ops::deciding;
use crate::engine::reject::StepError;
use crate::engine::state::{State, header};
use crate::program::{Program, SEATS_MAX, SiteId};

/// A new game, run to its first rest.
pub fn start(
    program: &Program,
    seed: [u8; 32],
    chance: &mut dyn Chance,
    observer: &mut dyn Observer,
) -> Result<State, Fault> {
    if program.seats == 0 || program.seats > SEATS_MAX {
        return Err(fault(FaultKind::Program));
    }
    let mut state = State::new(program, seed);
    if state.words.len() > STATE_WORDS_MAX {
        return Err(fault(FaultKind::StateSize));
    }
    let mut machine = Machine::new(program, &mut state, chance, observer);
    let begun = machine
        .tell(|_| Event::GameBegan)
        .and_then(|()| machine.enter(program.play, None, END));
    if begun.is_err() {
        return Err(machine.scratch.take_fault());
    }
    machine.run()?;
    Ok(state)
}

fn fault(kind: FaultKind) -> Fault {
    Fault { kind, span: None }
}

/// The decisions owed, in seat order; empty if and only if the game is finished.
pub fn pending(_program: &Program, state: &State) -> SmallVec<[Pending; 8]> {
    let owing = state.head(header::OWING);
    let Ok(site) = SiteId::try_from(state.head(header::SITE)) else {
        return SmallVec::new();
    };
    let seats = (0..state.layout.seats as u8).filter(|seat| owing >> seat & 1 != 0);
    let secret = state.head(header::SECRET) != 0;
    seats
        .enumerate()
        .map(|(index, seat)| Pending {
            index,
            seat,
            site,
            secret,
        })
        .collect()
}

/// Answers decision number `index` of [`pending`] and runs to the next rest. After a rejection the state is
/// untouched; after a fault it is not to be used any more.
pub fn step(
    program: &Program,
    state: &mut State,
    index: usize,
    choice: &Choice,
    chance: &mut dyn Chance,
    observer: &mut dyn Observer,
) -> Result<(), StepError> {
    let owed = owed(program, state, index)?;
    let refused = match program.sites.get(usize::from(owed.site)) {
        Some(site) => choices::look(program, state, |eval| {
            refusal_with_clauses(eval, site, owed.seat, choice)
        })?,
        None => None,
    };
    if let Some((refusal, clauses)) = refused {
        return Err(explain_refusal(program, state, &owed, &refusal, clauses).into());
    }
    Ok(answer(program, state, owed, choice, chance, observer)?)
}

/// As [`step`] for a choice that has just been listed or drawn for this state: it is not tested again. With any other
/// choice the game may go a way that its rules forbid.
pub fn step_legal(
    program: &Program,
    state: &mut State,
    index: usize,
    choice: &Choice,
    chance: &mut dyn Chance,
    observer: &mut dyn Observer,
) -> Result<(), StepError> {
    let owed = owed(program, state, index)?;
    Ok(answer(program, state, owed, choice, chance, observer)?)
}

fn owed(program: &Program, state: &State, index: usize) -> Result<Pending, StepError> {
    if state.is_finished() {
        return Err(over().into());
    }
    let owed = pending(program, state).get(index).copied();
    owed.ok_or_else(|| not_owed().into())
}

fn answer(
    program: &Program,
    state: &mut State,
    owed: Pending,
    choice: &Choice,
    chance: &mut dyn Chance,
    observer: &mut dyn Observer,
) -> Result<(), Fault> {
    let mut machine = Machine::new(program, state, chance, observer);
    match deciding::answer(&mut machine, owed.site, owed.seat, choice) {
        Ok(Next::Go) => machine.run(),
        Ok(Next::Rest) => Ok(()),
        Err(_) => Err(machine.scratch.take_fault()),
    }
}

//! A game in progress: the engine's state, and the secret answers that nobody may know of yet.
//! Nothing else in this layer makes the engine move.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::log::{Happening, LoggedMove, decode, encode_onto};
use wyrmgate_engine::{
    self as engine, Choice, Event, Fault, Observer, Pending, Seeded, State, StepError,
};
use wyrmgate_program::Program;
use wyrmgate_store::{Bytes, StoreError};

/// A game at rest.
#[derive(Debug, Clone)]
pub struct Play {
    state: State,
    held: Held,
    /// What its steps took since it was read from the store.
    fuel: u64,
}

/// Listens to the engine.
#[derive(Default)]
struct Heard {
    happenings: Vec<Happening>,
    fuel: u64,
}

impl Observer for Heard {
    fn event(&mut self, event: Event) {
        self.happenings.push(Happening::Game(event));
    }

    fn wants_clauses(&self) -> bool {
        false
    }

    fn fuel(&mut self, spent: u32) {
        self.fuel = self.fuel.saturating_add(u64::from(spent));
    }
}

/// Answers to a simultaneous decision that some seats have given and others still owe. The state
/// knows them; the log must not, or its readers could tell who has answered.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Held {
    moves: Vec<LoggedMove>,
    happenings: Vec<Happening>,
}

/// What a choice led to.
#[derive(Debug)]
pub enum Step {
    /// Nothing that anybody else may notice.
    Secret,
    /// A public change, with everything that was held back until now.
    Public {
        moves: Vec<LoggedMove>,
        happenings: Vec<Happening>,
    },
}

/// One of the engine's ways to take a choice.
type EngineStep = fn(
    &Program,
    &mut State,
    usize,
    &Choice,
    &mut dyn engine::Chance,
    &mut dyn Observer,
) -> Result<(), StepError>;

const FORMAT: u8 = 1;
const LENGTH_BYTES: usize = 4;

impl Play {
    /// Sets the game up and runs it to its first decision.
    pub fn begin(program: &Program, seed: [u8; 32]) -> Result<(Play, Vec<Happening>), Fault> {
        let mut heard = Heard::default();
        let state = engine::start(program, seed, &mut Seeded, &mut heard)?;
        let Heard { happenings, fuel } = heard;
        let held = Held::default();
        Ok((Play { state, held, fuel }, happenings))
    }

    /// What its steps took since this was last asked.
    pub fn take_fuel(&mut self) -> u64 {
        std::mem::take(&mut self.fuel)
    }

    /// A game at rest in which nothing is held back.
    pub fn of_state(state: State) -> Play {
        Play {
            state,
            held: Held::default(),
            fuel: 0,
        }
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn is_over(&self) -> bool {
        self.state.outcome().is_some()
    }

    pub fn pending(&self, program: &Program) -> SmallVec<[Pending; 8]> {
        engine::pending(program, &self.state)
    }

    /// The decision that a seat (from 1) owes.
    pub fn owed_by(&self, program: &Program, seat: u8) -> Option<Pending> {
        let pending = self.pending(program);
        pending.into_iter().find(|p| seat_of(p) == seat)
    }

    /// The seats that owe a decision as far as a viewer may know: one that has answered in secret
    /// still seems to owe, but to itself.
    pub fn owing(&self, program: &Program, viewer: Option<u8>) -> Vec<u8> {
        let held = self.held.moves.iter().map(|made| made.seat);
        let mut seats: Vec<u8> = held.filter(|seat| Some(*seat) != viewer).collect();
        seats.extend(self.pending(program).iter().map(seat_of));
        seats.sort_unstable();
        seats.dedup();
        seats
    }

    /// Whether this seat has given an answer that the others do not know of.
    pub fn has_answered(&self, seat: u8) -> bool {
        self.held.moves.iter().any(|made| made.seat == seat)
    }

    /// Takes a choice. After a rejection nothing has changed; after a fault this play is of no use.
    pub fn step(
        &mut self,
        program: &Program,
        pending: &Pending,
        choice: &Choice,
        by_bot: bool,
    ) -> Result<Step, StepError> {
        self.step_by(engine::step, program, pending, choice, by_bot)
    }

    /// As [`Play::step`] for a choice that was just found in the list of this very position: it is not tested again.
    pub fn step_listed(
        &mut self,
        program: &Program,
        pending: &Pending,
        choice: &Choice,
        by_bot: bool,
    ) -> Result<Step, StepError> {
        self.step_by(engine::step_legal, program, pending, choice, by_bot)
    }

    fn step_by(
        &mut self,
        step: EngineStep,
        program: &Program,
        pending: &Pending,
        choice: &Choice,
        by_bot: bool,
    ) -> Result<Step, StepError> {
        let others_owe = self.pending(program).len() > 1;
        let mut heard = Heard::default();
        let state = &mut self.state;
        step(
            program,
            state,
            pending.index,
            choice,
            &mut Seeded,
            &mut heard,
        )?;
        let made = LoggedMove::new(seat_of(pending), by_bot, pending.index, choice);
        self.held.moves.push(made);
        self.held.happenings.extend(heard.happenings);
        self.fuel = self.fuel.saturating_add(heard.fuel);
        if pending.secret && others_owe {
            return Ok(Step::Secret);
        }
        let Held { moves, happenings } = std::mem::take(&mut self.held);
        Ok(Step::Public { moves, happenings })
    }

    /// The length of the state, the state, the rest.
    pub fn encode(&self, program: &Program) -> Result<Bytes, StoreError> {
        let mut bytes = vec![0; LENGTH_BYTES];
        self.state.encode_onto(program, &mut bytes);
        let length = u32::try_from(bytes.len() - LENGTH_BYTES)
            .map_err(|_| StoreError::Corrupt("a state of 4 GiB".into()))?;
        if let Some(place) = bytes.first_chunk_mut() {
            *place = length.to_le_bytes();
        }
        encode_onto(bytes, FORMAT, &self.held)
    }

    pub fn decode(program: &Program, bytes: &[u8]) -> Result<Play, StoreError> {
        let damaged = || StoreError::Corrupt("a snapshot that is too short".into());
        let (length, rest) = bytes
            .split_first_chunk::<LENGTH_BYTES>()
            .ok_or_else(damaged)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (state, held) = rest.split_at_checked(length).ok_or_else(damaged)?;
        let state = State::decode(program, state)
            .map_err(|error| StoreError::Corrupt(format!("a state: {error:?}")))?;
        let held = decode(FORMAT, held)?;
        let fuel = 0;
        Ok(Play { state, held, fuel })
    }
}

/// The seat of a decision, numbered from 1 as everywhere outside the engine.
pub fn seat_of(pending: &Pending) -> u8 {
    pending.seat.saturating_add(1)
}

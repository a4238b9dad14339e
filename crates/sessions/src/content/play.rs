//! A game in progress: the engine's state and the secret answers that must stay unknown. This is the only place in this
//! layer that advances the engine.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::content::encoding::{decode, encode_onto};
use crate::content::log::{Happening, LoggedMove};
use wyrmgate_engine::{
    self as engine, Choice, ChoiceMenu, DecodeError, Event, Fault, FaultKind, GameOutcome,
    Observer, Pending, Seeded, State, StepError,
};
use wyrmgate_program::Program;
use wyrmgate_runner::choices;
use wyrmgate_store::{Bytes, StoreError};
use wyrmgate_view::note;

/// A game that waits for a decision or is over.
#[derive(Debug)]
pub struct Play {
    state: State,
    held: HeldAnswers,
    /// Fuel consumed since the game was read from the store.
    fuel: u64,
    /// The first choices of the decision that is owed, as far as the step that led to it has found them. Only a step changes
    /// the state, and it replaces them.
    first: ChoiceMenu,
}

/// A copy is made to take another step, which needs no choices of this decision.
impl Clone for Play {
    fn clone(&self) -> Play {
        Play {
            state: self.state.clone(),
            held: self.held.clone(),
            fuel: self.fuel,
            first: ChoiceMenu::default(),
        }
    }
}

/// Collects the events of the engine.
#[derive(Default)]
struct Heard {
    happenings: Vec<Happening>,
    fuel: u64,
    game: String,
}

impl Observer for Heard {
    fn event(&mut self, event: Event) {
        self.happenings.push(Happening::Game(event));
    }

    fn wants_clauses(&self) -> bool {
        false
    }

    fn rest(&mut self, _: &State, spent: u32) {
        self.fuel = self.fuel.saturating_add(u64::from(spent));
    }

    fn untold(&mut self, fault: Fault) {
        untold(&self.game, fault.kind);
    }
}

impl Heard {
    fn of(program: &Program) -> Heard {
        let game = program.name();
        Heard {
            game,
            ..Heard::default()
        }
    }
}

/// Tells the operator of a text that cannot be made. Its readers see `…`, and the game goes on.
pub fn untold(game: &str, kind: FaultKind) {
    let limit = kind.name();
    tracing::warn!(
        game,
        limit,
        "a text of the rules cannot be made; `wyrmgate laws` tells its place"
    );
}

/// Answers that some seats have given to a simultaneous decision while others still owe theirs. The state contains
/// them, but the log must not, because its readers could tell who has answered.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct HeldAnswers {
    moves: Vec<LoggedMove>,
    happenings: Vec<Happening>,
}

/// The result of a choice.
#[derive(Debug)]
pub enum ChoiceResult {
    /// No visible change for others.
    Secret,
    /// A public change, with everything that was withheld until now.
    Public {
        moves: Vec<LoggedMove>,
        happenings: Vec<Happening>,
    },
}

const FORMAT: u8 = 1;
const LENGTH_BYTES: usize = 4;

impl Play {
    /// Sets up the game and runs it to its first decision.
    pub fn begin(program: &Program, seed: [u8; 32]) -> Result<(Play, Vec<Happening>), Fault> {
        Play::begin_with(&mut Seeded, program, seed)
    }

    /// Begins a game with chance that the caller supplies.
    pub fn begin_with(
        chance: &mut dyn engine::Chance,
        program: &Program,
        seed: [u8; 32],
    ) -> Result<(Play, Vec<Happening>), Fault> {
        let mut heard = Heard::of(program);
        let state = engine::start(program, seed, chance, &mut heard)?;
        let (happenings, fuel) = (heard.happenings, heard.fuel);
        let play = Play {
            fuel,
            ..Play::of_state(state)
        };
        Ok((play, happenings))
    }

    /// Returns the fuel consumed since the last call.
    pub fn take_fuel(&mut self) -> u64 {
        std::mem::take(&mut self.fuel)
    }

    /// Creates a game without secret answers from a state.
    pub fn of_state(state: State) -> Play {
        Play {
            state,
            held: HeldAnswers::default(),
            fuel: 0,
            first: ChoiceMenu::default(),
        }
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns whether a seat (from 1) has left the game as its rules say.
    pub fn has_resigned(&self, program: &Program, seat: u8) -> bool {
        engine::has_resigned(program, &self.state, seat.saturating_sub(1))
    }

    pub fn is_over(&self) -> bool {
        self.state.outcome().is_some()
    }

    pub fn pending(&self, program: &Program) -> SmallVec<[Pending; 8]> {
        engine::pending(program, &self.state)
    }

    /// Returns the decision that a seat (from 1) owes.
    pub fn owed_by(&self, program: &Program, seat: u8) -> Option<Pending> {
        let pending = self.pending(program);
        pending.into_iter().find(|p| seat_of(p) == seat)
    }

    /// Returns the seats that owe a decision as far as a viewer may know. A seat that has answered in secret still
    /// appears to owe, except to itself.
    pub fn owing(&self, program: &Program, viewer: Option<u8>) -> Vec<u8> {
        let held = self.held.moves.iter().map(|made| made.seat);
        let mut seats: Vec<u8> = held.filter(|seat| Some(*seat) != viewer).collect();
        seats.extend(self.pending(program).iter().map(seat_of));
        seats.sort_unstable();
        seats.dedup();
        seats
    }

    /// Returns whether this seat has given all secret answers that it owed.
    pub fn has_answered(&self, seat: u8) -> bool {
        self.given(seat).next().is_some() && !self.is_asked(seat)
    }

    /// Returns whether this seat has answered for some members of a list, and owes answers for others.
    pub fn is_amid(&self, seat: u8) -> bool {
        self.given(seat).next().is_some() && self.is_asked(seat)
    }

    fn is_asked(&self, seat: u8) -> bool {
        engine::owed_seats(&self.state).any(|owed| seat_of(&owed) == seat)
    }

    /// Returns the answers of a seat that are still secret.
    pub fn given(&self, seat: u8) -> impl Iterator<Item = &LoggedMove> {
        self.held.moves.iter().filter(move |made| made.seat == seat)
    }

    /// Returns what this seat has been told of its answers that are still secret.
    pub fn told_of_given(&self, seat: u8) -> Vec<Happening> {
        let is_own = |told: &&Happening| matches!(told, Happening::Game(Event::Chose { seat: by, .. }) if *by + 1 == seat);
        self.held
            .happenings
            .iter()
            .filter(is_own)
            .cloned()
            .collect()
    }

    /// Withdraws the last secret answer of a seat; returns false if it has none. Everybody is asked again, and the other
    /// answers are given again.
    pub fn withdraw(&mut self, program: &Program, seat: u8) -> Result<bool, StepError> {
        let Some(last) = self.held.moves.iter().rposition(|made| made.seat == seat) else {
            return Ok(false);
        };
        let mut moves = std::mem::take(&mut self.held.moves);
        self.forget_answers(moves.len());
        engine::ask_again(program, &mut self.state)?;
        moves.remove(last);
        for made in moves {
            let owed = self.owed_by(program, made.seat);
            let owed = owed.ok_or_else(|| StepError::from(engine::Refused::not_owed()))?;
            self.advance(&mut Seeded, program, &owed, &made.choice(), made.by_bot)?;
        }
        Ok(true)
    }

    /// Returns choice `number` of a decision that is owed, from 0.
    pub fn nth_choice(
        &self,
        program: &Program,
        pending: &Pending,
        number: u64,
    ) -> Result<Option<Choice>, Fault> {
        let Some(site) = program.site(pending.site) else {
            return Ok(None);
        };
        match self.first.choice(site, number) {
            Some(choice) => Ok(Some(choice)),
            None => Ok(choices(program, &self.state, pending)?.choice(site, number)),
        }
    }

    /// Returns how the notation of the game writes a choice, if it has one and the game hides nothing.
    pub fn note(&self, program: &Program, pending: &Pending, choice: &Choice) -> Option<String> {
        let noted = note(program, &self.state, pending, choice, choices).ok()?;
        let noted = noted.filter(|_| !program.can_hide())?;
        Some(noted.trim_start_matches('~').to_owned())
    }

    /// Makes a choice. A rejection changes nothing; after a fault this play must be discarded.
    pub fn step(
        &mut self,
        program: &Program,
        pending: &Pending,
        choice: &Choice,
        by_bot: bool,
    ) -> Result<ChoiceResult, StepError> {
        self.validate(program, pending, choice)?;
        self.advance(&mut Seeded, program, pending, choice, by_bot)
    }

    /// Fails unless this is a choice of the decision.
    pub fn validate(
        &self,
        program: &Program,
        pending: &Pending,
        choice: &Choice,
    ) -> Result<(), StepError> {
        match engine::refused(program, &self.state, pending, choice)? {
            Some(refused) => Err(refused.into()),
            None => Ok(()),
        }
    }

    /// Makes a choice that is valid, because it comes from the list of this position or was validated.
    pub fn advance(
        &mut self,
        chance: &mut dyn engine::Chance,
        program: &Program,
        pending: &Pending,
        choice: &Choice,
        by_bot: bool,
    ) -> Result<ChoiceResult, StepError> {
        if choice.is_resigning() {
            self.forget_answers(self.held.moves.len());
        }
        let owed = self.pending(program);
        let mut heard = Heard::of(program);
        let (state, first) = (&mut self.state, &mut self.first);
        engine::step_noting(
            program,
            state,
            pending.index,
            choice,
            chance,
            &mut heard,
            first,
        )?;
        let made = LoggedMove::new(seat_of(pending), by_bot, pending.index, choice);
        self.held.moves.push(made);
        append(&mut self.held.happenings, heard.happenings);
        self.fuel = self.fuel.saturating_add(heard.fuel);
        if engine::stays_secret(&owed, pending, &self.state) {
            return Ok(ChoiceResult::Secret);
        }
        let HeldAnswers { moves, happenings } = std::mem::take(&mut self.held);
        Ok(ChoiceResult::Public { moves, happenings })
    }

    /// Forgets the withheld answers, which were `count` decisions; their seats are asked again.
    fn forget_answers(&mut self, count: usize) {
        self.state.forget_decisions(count);
        self.held = HeldAnswers::default();
    }

    /// Ends the game outside of its rules. Answers that were withheld until now stay secret.
    pub fn end(&mut self, outcome: GameOutcome) {
        self.held = HeldAnswers::default();
        self.state.finish(Box::new(outcome));
    }

    /// Encodes the length of the state, the state, and the rest.
    pub fn encode(&self, program: &Program) -> Result<Bytes, StoreError> {
        let mut bytes = vec![0; LENGTH_BYTES];
        self.state.encode_onto(program, &mut bytes);
        let length = u32::try_from(bytes.len() - LENGTH_BYTES)
            .map_err(|_| StoreError::Corrupt("a state exceeds 4 GiB".into()))?;
        if let Some(place) = bytes.first_chunk_mut() {
            *place = length.to_le_bytes();
        }
        encode_onto(bytes, FORMAT, &self.held).map(Bytes::from)
    }

    /// Returns the secret answers in a snapshot whose state another version of this program has written, which compiles the
    /// rules in another way. `None` if the state is of this program, or no state at all.
    pub(crate) fn answers_of_other_version(
        program: &Program,
        bytes: &[u8],
    ) -> Result<Option<Vec<LoggedMove>>, StoreError> {
        let (state, held) = parts_of(bytes)?;
        if State::decode(program, state) != Err(DecodeError::OtherProgram) {
            return Ok(None);
        }
        let held: HeldAnswers = decode(FORMAT, held)?;
        Ok(Some(held.moves))
    }

    pub fn decode(program: &Program, bytes: &[u8]) -> Result<Play, StoreError> {
        let (state, held) = parts_of(bytes)?;
        let state = State::decode(program, state)
            .map_err(|error| StoreError::Corrupt(format!("a state is damaged: {error:?}")))?;
        let held = decode(FORMAT, held)?;
        Ok(Play {
            held,
            ..Play::of_state(state)
        })
    }
}

/// Returns the state in a snapshot, and the rest.
fn parts_of(snapshot: &[u8]) -> Result<(&[u8], &[u8]), StoreError> {
    let damaged = || StoreError::Corrupt("a snapshot is too short".into());
    let (length, rest) = snapshot
        .split_first_chunk::<LENGTH_BYTES>()
        .ok_or_else(damaged)?;
    let length = u32::from_le_bytes(*length) as usize;
    rest.split_at_checked(length).ok_or_else(damaged)
}

/// Moves members to the end of a list, which is empty for nearly all moves.
pub(crate) fn append<T>(list: &mut Vec<T>, mut more: Vec<T>) {
    match list.is_empty() {
        true => *list = more,
        false => list.append(&mut more),
    }
}

/// Returns the seat of a decision, numbered from 1 as everywhere outside the engine.
pub fn seat_of(pending: &Pending) -> u8 {
    pending.seat.saturating_add(1)
}

//! Stateless games: every step takes a sealed state and returns the next one.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::Refusal;
use crate::access::token::entropy;
use crate::changing::pending::rejected_by;
use crate::content::budget::stateless_budget;
use crate::content::encoding::from_json;
use crate::content::log::{Happening, LoggedMove};
use crate::content::play::{ChoiceResult, Play, seat_of};
use crate::history::past::damaged;
use crate::service::{Service, bot};
use crate::stateless::sealed::{Contents, Explicit, OpenStep, SealedPast, Sealer};
use wyrmgate_authoring::rules::Ruleset;
use wyrmgate_compile::check::OptionProblem;
use wyrmgate_engine::{ChancePath, Choice, Pending, Refused, State, StepError, stays_secret};
use wyrmgate_program::Program;
use wyrmgate_search::imagine::{GameHistory, Imagination, Made};
use wyrmgate_view::Rejection;

/// Maximum number of worlds sampled in one request.
pub const WORLDS_MAX: usize = 64;

/// A game whose state the client keeps.
#[derive(Clone)]
pub struct StatelessGame {
    pub ruleset: Arc<Ruleset>,
    pub program: Arc<Program>,
    pub options: Map<String, Value>,
    /// The last position. `None` while the client's chance decides how the game begins.
    pub(super) play: Option<Play>,
    past: Option<SealedPast>,
    /// Set if the client decides what chance brings.
    explicit: Option<Explicit>,
    /// The events of the last step.
    pub happenings: Vec<Happening>,
}

/// Who decides what chance brings in a new game.
pub enum ChanceDecider {
    /// A seed. Without one, nobody can predict it.
    Seed(Option<[u8; 32]>),
    /// The client.
    Explicit,
}

impl Service {
    pub fn begin_stateless(
        &self,
        ruleset: Arc<Ruleset>,
        seats: usize,
        options: &Map<String, Value>,
        luck: ChanceDecider,
    ) -> Result<StatelessGame, Refusal> {
        let options = ruleset
            .complete_options(seats, options)
            .map_err(Refusal::of_options)?;
        let program = ruleset
            .program(seats, &options)
            .map_err(Refusal::of_options)?;
        let mut game = StatelessGame {
            ruleset,
            program,
            options,
            play: None,
            past: None,
            explicit: None,
            happenings: Vec::new(),
        };
        let seed = match luck {
            ChanceDecider::Seed(seed) => seed.map_or_else(entropy, Ok)?,
            ChanceDecider::Explicit => {
                game.explicit = Some(Explicit::default());
                let begun = game.go_on(None, Vec::new());
                begun.map_err(|error| game.stopped(0, error))?;
                return Ok(game);
            }
        };
        let begun = Play::begin(&game.program, seed);
        let (play, happenings) = begun.map_err(|fault| stateless_budget(&game.ruleset, fault))?;
        let moves = Vec::new();
        Ok(StatelessGame {
            play: Some(play),
            past: Some(SealedPast { seed, moves }),
            happenings,
            ..game
        })
    }

    /// Opens a sealed state. Not found if it was not sealed here or its rules no longer exist.
    pub async fn unseal(&self, sealer: &Sealer, text: &str) -> Result<StatelessGame, Refusal> {
        let contents = sealer.open(text)?;
        let ruleset = self.ruleset(&contents.ruleset).await?;
        let ruleset = ruleset.ok_or(Refusal::NotFound)?;
        let options: Map<String, Value> = from_json(contents.options.as_bytes())?;
        let program = ruleset.program(usize::from(contents.seats), &options);
        let program = program.map_err(Refusal::of_options)?;
        let play = match contents.play.as_slice() {
            [] => None,
            play => Some(opened(&ruleset, &program, play, contents.past.as_ref())?),
        };
        Ok(StatelessGame {
            play,
            ruleset,
            program,
            options,
            past: contents.past,
            explicit: contents.explicit,
            happenings: Vec::new(),
        })
    }
}

impl StatelessGame {
    /// Samples states that a seat (from 1) cannot distinguish from this one by anything it has observed. Calls back
    /// with each state as it is found. Takes long, and may find fewer states than requested.
    pub fn imagine(
        &self,
        seat: u8,
        count: usize,
        found: &mut dyn FnMut(Play),
    ) -> Result<(), Refusal> {
        if seat == 0 || usize::from(seat) > self.program.seats {
            return Err(Refusal::unprocessable(
                "/imagine/seat",
                "unknown seat; seats are numbered from 1",
            ));
        }
        let history = self.history(seat - 1)?;
        let mut dice = bot()?;
        let imagination = Imagination::new(&self.program, &history, seat - 1);
        let mut imagination = imagination.map_err(|error| self.stopped(seat - 1, error))?;
        for _ in 0..count {
            let world = imagination.world(dice.dice());
            world.map(Play::of_state).into_iter().for_each(&mut *found);
        }
        Ok(())
    }

    /// Seals the game as it is now.
    pub fn seal(&self, sealer: &Sealer) -> Result<String, Refusal> {
        let play = match &self.play {
            Some(play) => play.encode(&self.program)?.to_vec(),
            None => Vec::new(),
        };
        sealer.seal(&Contents {
            explicit: self.explicit.clone(),
            ..self.contents(play, self.past.clone())
        })
    }

    /// Seals sampled states of this game.
    pub fn seal_worlds(&self, sealer: &Sealer, worlds: Vec<Play>) -> Result<Vec<String>, Refusal> {
        let seal = |world: Play| {
            let play = world.encode(&self.program)?.to_vec();
            sealer.seal(&self.contents(play, None))
        };
        worlds.into_iter().map(seal).collect()
    }

    fn contents(&self, play: Vec<u8>, past: Option<SealedPast>) -> Contents {
        Contents {
            ruleset: self.ruleset.digest.clone(),
            seats: self.program.seats as u8,
            options: Value::Object(self.options.clone()).to_string(),
            play,
            past,
            explicit: None,
        }
    }

    /// Returns the last position; at a chance node, the one before it.
    pub fn state(&self) -> Option<&State> {
        self.play.as_ref().map(Play::state)
    }

    /// Returns how many equally likely outcomes chance has, where the client decides among them.
    pub fn outcomes(&self) -> Option<u32> {
        Some(self.explicit.as_ref()?.open.as_ref()?.of)
    }

    pub fn is_over(&self) -> bool {
        self.outcomes().is_none() && self.play.as_ref().is_some_and(Play::is_over)
    }

    /// Returns the number of decisions made, which ties choice ids to their state.
    pub fn version(&self) -> u64 {
        self.state()
            .map_or(0, |state| u64::from(state.decisions_made()))
    }

    /// Returns the decisions that are owed; none where chance decides.
    pub fn pending(&self) -> Vec<Pending> {
        match &self.play {
            Some(play) if self.outcomes().is_none() => play.pending(&self.program).to_vec(),
            _ => Vec::new(),
        }
    }

    /// Returns the seats that owe a decision, from 1.
    pub fn owing(&self) -> Vec<u8> {
        self.pending().iter().map(seat_of).collect()
    }

    pub fn owed_by(&self, seat: u8) -> Option<Pending> {
        let pending = self.pending();
        pending.into_iter().find(|owed| seat_of(owed) == seat)
    }

    /// Makes a choice that the state offers.
    pub(super) fn make(
        &mut self,
        seat: u8,
        pending: &Pending,
        choice: &Choice,
    ) -> Result<(), Refusal> {
        let made = LoggedMove::new(seat, false, pending.index, choice);
        if self.explicit.is_some() {
            let stepped = self.go_on(Some(made), Vec::new());
            return stepped.map_err(|error| self.stopped(pending.seat, error));
        }
        let Some(play) = &mut self.play else {
            return Ok(());
        };
        let step = play.step(&self.program, pending, choice, false);
        let step = step.map_err(|error| self.stopped(pending.seat, error))?;
        if let ChoiceResult::Public { happenings, .. } = step {
            self.happenings = happenings;
        }
        if let Some(past) = &mut self.past {
            past.moves.push(made);
        }
        Ok(())
    }

    /// Takes an outcome of chance, where the client decides.
    pub fn draw(&mut self, outcome: u32) -> Result<(), Refusal> {
        let open = self
            .explicit
            .as_mut()
            .and_then(|explicit| explicit.open.take());
        let Some(mut open) = open else {
            let no_chance =
                "chance does not decide here; send `chance` only where the state has `chance`";
            return Err(Refusal::unprocessable("/chance", no_chance));
        };
        if outcome >= open.of {
            let range = format!("there is no outcome {outcome}; there are {}", open.of);
            return Err(Refusal::unprocessable("/chance", range));
        }
        open.outcomes.push(outcome);
        let seat = open.taken.as_ref().map_or(1, |made| made.seat);
        let stepped = self.go_on(open.taken, open.outcomes);
        stepped.map_err(|error| self.stopped(seat.saturating_sub(1), error))
    }

    /// Makes a step with these outcomes of chance, or waits for the next outcome.
    fn go_on(&mut self, taken: Option<LoggedMove>, outcomes: Vec<u32>) -> Result<(), StepError> {
        let program = &self.program;
        let mut path = ChancePath::given(&outcomes);
        let (play, happenings) = match (&self.play, &taken) {
            (Some(before), Some(made)) => {
                let owed = before.pending(program);
                let Some(pending) = owed.get(made.decision as usize) else {
                    return Ok(());
                };
                let (mut play, choice) = (before.clone(), made.choice());
                play.validate(program, pending, &choice)?;
                match play.advance(&mut path, program, pending, &choice, false)? {
                    ChoiceResult::Public { happenings, .. } => (play, happenings),
                    ChoiceResult::Secret => (play, Vec::new()),
                }
            }
            _ => Play::begin_with(&mut path, program, [0; 32])?,
        };
        let fork = path.forks().get(outcomes.len()).map(|fork| fork.of);
        let open = fork.map(|of| OpenStep {
            taken,
            outcomes,
            of,
        });
        if open.is_none() {
            (self.play, self.happenings) = (Some(play), happenings);
        }
        self.explicit = Some(Explicit { open });
        Ok(())
    }

    /// Says why a step of this seat (from 0) ended early.
    fn stopped(&self, seat: u8, error: StepError) -> Refusal {
        match (error, self.state()) {
            (StepError::Fault(fault), _) => stateless_budget(&self.ruleset, fault),
            (StepError::Refused(refused), Some(state)) => self.refused(state, seat, refused),
            (StepError::Refused(_), None) => Refusal::NotYourTurn("the game has not begun"),
        }
    }

    fn refused(&self, state: &State, seat: u8, refused: Refused) -> Refusal {
        self.rejected(Rejection::of(&self.program, state, seat, refused))
    }

    pub(super) fn rejected(&self, rejection: Rejection) -> Refusal {
        rejected_by(&self.ruleset, &self.program, rejection)
    }

    /// Returns the history without the secret answers of an open decision, which only the seat itself knows.
    fn history(&self, seat: u8) -> Result<GameHistory, Refusal> {
        let no_past = || {
            Refusal::unprocessable(
                "/imagine",
                "a sampled state has no history, nor has one whose chance you decide; send the original state of a game with a seed",
            )
        };
        let past = self.past.as_ref().ok_or_else(no_past)?;
        let mut history = GameHistory {
            seed: past.seed,
            made: Vec::new(),
        };
        let mut held = Vec::new();
        past.replay(
            &self.ruleset,
            &self.program,
            |owed, after, pending, choice| {
                held.push(Made {
                    seat: pending.seat,
                    secret: pending.secret,
                    choice,
                });
                if !stays_secret(owed, &pending, after) {
                    history.made.append(&mut held);
                }
            },
        )?;
        history
            .made
            .extend(held.into_iter().filter(|made| made.seat == seat));
        Ok(history)
    }
}

impl SealedPast {
    /// Plays the game again and returns it. Calls back after each choice, with the decisions that were owed before it.
    fn replay(
        &self,
        ruleset: &Ruleset,
        program: &Program,
        mut each: impl FnMut(&[Pending], &State, Pending, Choice),
    ) -> Result<Play, Refusal> {
        let begun = Play::begin(program, self.seed);
        let (mut play, _) = begun.map_err(|fault| stateless_budget(ruleset, fault))?;
        for made in &self.moves {
            let owed = play.pending(program);
            let damaged = || damaged(0);
            let pending = *owed.get(made.decision as usize).ok_or_else(damaged)?;
            let choice = made.choice();
            let stepped = play.step(program, &pending, &choice, false);
            stepped.map_err(|_| damaged())?;
            each(&owed, play.state(), pending, choice);
        }
        Ok(play)
    }
}

/// Returns the game in a sealed state. A state that was sealed by a version of this program that compiles the rules in
/// another way means nothing here: its choices are made again, if it has them.
fn opened(
    ruleset: &Ruleset,
    program: &Program,
    sealed: &[u8],
    past: Option<&SealedPast>,
) -> Result<Play, Refusal> {
    let damage = match Play::decode(program, sealed) {
        Ok(play) => return Ok(play),
        Err(damage) => damage,
    };
    if Play::answers_of_other_version(program, sealed)?.is_none() {
        return Err(damage.into());
    }
    let Some(past) = past else {
        return Err(Refusal::unprocessable("/state", OF_OTHER_VERSION));
    };
    let mut play = past.replay(ruleset, program, |_, _, _, _| ())?;
    play.take_fuel();
    Ok(play)
}

const OF_OTHER_VERSION: &str = "another version of the server sealed this state, and compiles the rules in another way; \
     it is a sampled state, or one whose chance you decide, so it has no choices that could be made again: begin a new game";

impl Refusal {
    /// Refuses options, or a number of seats, that the rules do not allow.
    pub fn of_options(problems: Vec<OptionProblem>) -> Refusal {
        let messages: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Refusal::unprocessable("/options", messages.join("; "))
    }
}

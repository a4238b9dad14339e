//! Stateless games: every step takes a sealed state and returns the next one.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::Refusal;
use super::budget::stateless_budget;
use super::log::{Happening, LoggedMove};
use super::moves::{ChoiceId, ChoiceOrder, NoChoiceId};
use super::play::{Play, seat_of};
use super::refusal::Reason;
use super::sealed::{Contents, Past};
use super::service::{Service, bot};
use super::token::entropy;
use wyrmgate_authoring::rules::Ruleset;
use wyrmgate_compile::check::OptionProblem;
use wyrmgate_engine::{self as engine, Choice, Pending, Refused, StepError};
use wyrmgate_program::Program;
use wyrmgate_search::imagine::{History, Imagination, Made};
use wyrmgate_view::Rejection;

/// Maximum number of worlds sampled in one request.
pub const WORLDS_MAX: usize = 64;

/// A game whose state the client keeps.
#[derive(Clone)]
pub struct StatelessGame {
    pub ruleset: Arc<Ruleset>,
    pub program: Arc<Program>,
    pub options: Map<String, Value>,
    pub play: Play,
    past: Option<Past>,
    /// The events of the last step.
    pub happenings: Vec<Happening>,
}

impl Service {
    /// Creates a new game. Without a seed, nobody can predict its random numbers.
    pub fn begin_stateless(
        &self,
        ruleset: Arc<Ruleset>,
        seats: usize,
        options: &Map<String, Value>,
        seed: Option<[u8; 32]>,
    ) -> Result<StatelessGame, Refusal> {
        let options = ruleset.complete_options(seats, options).map_err(refused)?;
        let program = ruleset.program(seats, &options).map_err(refused)?;
        let seed = seed.map_or_else(entropy, Ok)?;
        let begun = Play::begin(&program, seed);
        let (play, happenings) = begun.map_err(|fault| stateless_budget(&ruleset, fault))?;
        let moves = Vec::new();
        Ok(StatelessGame {
            ruleset,
            program,
            options,
            play,
            past: Some(Past { seed, moves }),
            happenings,
        })
    }

    /// Opens a sealed state. Not found if it was not sealed here or its rules no longer exist.
    pub async fn unseal(&self, text: &str) -> Result<StatelessGame, Refusal> {
        let contents = self.sealer().await?.open(text)?;
        let ruleset = self.ruleset(&contents.ruleset).await?;
        let ruleset = ruleset.ok_or(Refusal::NotFound)?;
        let options: Map<String, Value> = super::from_json(contents.options.as_bytes())?;
        let program = ruleset.program(usize::from(contents.seats), &options);
        let program = program.map_err(refused)?;
        Ok(StatelessGame {
            play: Play::decode(&program, &contents.play)?,
            ruleset,
            program,
            options,
            past: contents.past,
            happenings: Vec::new(),
        })
    }

    pub async fn seal(&self, game: &StatelessGame) -> Result<String, Refusal> {
        let play = game.play.encode(&game.program)?.to_vec();
        self.sealer()
            .await?
            .seal(&game.contents(play, game.past.clone()))
    }

    /// Seals sampled states of a game.
    pub async fn seal_worlds(
        &self,
        game: &StatelessGame,
        worlds: Vec<Play>,
    ) -> Result<Vec<String>, Refusal> {
        let sealer = self.sealer().await?;
        let seal = |world: Play| {
            let play = world.encode(&game.program)?.to_vec();
            sealer.seal(&game.contents(play, None))
        };
        worlds.into_iter().map(seal).collect()
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
        let history = self.history()?;
        let mut dice = bot()?;
        let imagination = Imagination::new(&self.program, &history, seat - 1);
        let mut imagination = imagination.map_err(|error| match error {
            StepError::Fault(fault) => stateless_budget(&self.ruleset, fault),
            StepError::Refused(refused) => self.refused(seat - 1, refused),
        })?;
        for _ in 0..count {
            let world = imagination.world(dice.dice());
            world.map(Play::of_state).into_iter().for_each(&mut *found);
        }
        Ok(())
    }

    fn contents(&self, play: Vec<u8>, past: Option<Past>) -> Contents {
        Contents {
            ruleset: self.ruleset.digest.clone(),
            seats: self.program.seats as u8,
            options: Value::Object(self.options.clone()).to_string(),
            play,
            past,
        }
    }

    /// Returns the number of decisions made, which ties choice ids to their state.
    pub fn version(&self) -> u64 {
        u64::from(self.play.state().decisions_made())
    }

    /// Returns the seats that owe a decision, from 1.
    pub fn owing(&self) -> Vec<u8> {
        self.play
            .pending(&self.program)
            .iter()
            .map(seat_of)
            .collect()
    }

    pub fn owed_by(&self, seat: u8) -> Option<Pending> {
        self.play.owed_by(&self.program, seat)
    }

    /// Makes a choice for a seat.
    pub fn choose(&mut self, seat: u8, order: &ChoiceOrder) -> Result<(), Refusal> {
        let pending = self.owed_by(seat);
        let pending = pending.ok_or(Refusal::NotYourTurn("this seat does not owe a decision"))?;
        let choice = self.choice(seat, &pending, order)?;
        let made = LoggedMove::new(seat, false, pending.index, &choice);
        let step = self.play.step(&self.program, &pending, &choice, false);
        let step = step.map_err(|error| match error {
            StepError::Refused(refused) => self.refused(pending.seat, refused),
            StepError::Fault(fault) => stateless_budget(&self.ruleset, fault),
        })?;
        if let super::play::Step::Public { happenings, .. } = step {
            self.happenings = happenings;
        }
        if let Some(past) = &mut self.past {
            past.moves.push(made);
        }
        Ok(())
    }

    fn choice(&self, seat: u8, pending: &Pending, order: &ChoiceOrder) -> Result<Choice, Refusal> {
        let state = self.play.state();
        match order {
            ChoiceOrder::Described(choice) => {
                wyrmgate_view::choice_from_json(&self.program, state, pending, choice)
                    .map_err(|rejection| self.rejected(rejection))
            }
            ChoiceOrder::Listed(id) => {
                let listed = self.listed(seat, pending, id)?;
                listed.ok_or_else(|| {
                    Refusal::IllegalChoice(Box::new(Reason {
                        message: "no choice has this id; list the choices again".into(),
                        ..Reason::default()
                    }))
                })
            }
        }
    }

    fn listed(
        &self,
        seat: u8,
        pending: &Pending,
        id: &Result<ChoiceId, NoChoiceId>,
    ) -> Result<Option<Choice>, Refusal> {
        let Ok(id) = id else { return Ok(None) };
        if id.version != self.version() || id.seat != seat {
            return Err(Refusal::Stale {
                version: self.version(),
            });
        }
        let found = engine::nth_choice(&self.program, self.play.state(), pending, id.index);
        found.map_err(|fault| stateless_budget(&self.ruleset, fault))
    }

    fn refused(&self, seat: u8, refused: Refused) -> Refusal {
        let state = self.play.state();
        self.rejected(Rejection::of(&self.program, state, seat, refused))
    }

    fn rejected(&self, rejection: Rejection) -> Refusal {
        super::change::rejected_by(&self.ruleset, &self.program, rejection)
    }

    /// Returns the history without the secret answers of an open decision, which nobody may know.
    fn history(&self) -> Result<History, Refusal> {
        let no_past = || {
            Refusal::unprocessable(
                "/imagine",
                "a sampled state has no history; send the original state",
            )
        };
        let past = self.past.as_ref().ok_or_else(no_past)?;
        let begun = Play::begin(&self.program, past.seed);
        let (mut play, _) = begun.map_err(|fault| stateless_budget(&self.ruleset, fault))?;
        let mut history = History {
            seed: past.seed,
            made: Vec::new(),
        };
        let mut held = Vec::new();
        for made in &past.moves {
            let owed = play.pending(&self.program);
            let damaged = || super::past::damaged(0);
            let pending = *owed.get(made.decision as usize).ok_or_else(damaged)?;
            let choice = made.choice();
            held.push(Made {
                seat: pending.seat,
                secret: pending.secret,
                choice: choice.clone(),
            });
            let stepped = play.step(&self.program, &pending, &choice, false);
            stepped.map_err(|_| damaged())?;
            if !(pending.secret && owed.len() > 1) {
                history.made.append(&mut held);
            }
        }
        Ok(history)
    }
}

pub(super) fn refused(problems: Vec<OptionProblem>) -> Refusal {
    let messages: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Refusal::unprocessable("/options", messages.join("; "))
}

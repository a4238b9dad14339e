//! Plays one random game and checks the laws on the way.

use std::sync::atomic::{AtomicBool, Ordering};

use super::crash::caught;
use super::found::{GameId, LawFinding, Violation};
use super::law::{ACTS, EARLY, ENDS, Law, Look};
use super::plan::Plan;
use super::rest::{Compared, LawRest};
use crate::oddities::Oddities;
use crate::simulate;
use wyrmgate_engine::{Pending, Seeded, State, fingerprint, pending, start, step_legal};
use wyrmgate_program::Program;
use wyrmgate_search::bot::RandomBot;
use wyrmgate_search::imagine::Made;

/// A game that exceeds its bound is continued up to this multiple of the bound, to find out how long games are.
const BOUNDS_PLAYED: u32 = 4;

/// The result of one game.
#[derive(Debug)]
pub(super) struct LawGame {
    pub game: GameId,
    pub decisions: u32,
    pub finished: bool,
    /// Whether the run was stopped in this game.
    pub is_cut: bool,
    /// The number of checks of each law of the plan.
    pub looked: Vec<u64>,
    pub compared: Compared,
    pub odd: Oddities,
    pub broken: Vec<Violation>,
}

/// Plays game `number` of the run.
pub(super) fn play(program: &Program, plan: &Plan, number: u64, stop: &AtomicBool) -> LawGame {
    let seed = simulate::seed_of_game(&plan.seed, number);
    let played = caught(|| WatchedGame::new(program, plan, number, seed, stop).play());
    played.unwrap_or_else(|found| {
        let mut played = LawGame::new(number, plan);
        played.note(&ENDS, found.into());
        played
    })
}

impl LawGame {
    fn new(number: u64, plan: &Plan) -> LawGame {
        let mut odd = Oddities::default();
        odd.game = number;
        LawGame {
            odd,
            game: GameId::of(&plan.seed, number),
            decisions: 0,
            finished: false,
            is_cut: false,
            looked: vec![0; plan.laws.len()],
            compared: Compared::default(),
            broken: Vec::new(),
        }
    }

    /// Counts a check of the law with this number in the plan, and notes what it found.
    fn looked_at(&mut self, number: usize, law: &Law, found: Result<(), LawFinding>) {
        if let Some(looked) = self.looked.get_mut(number) {
            *looked += 1;
        }
        found.unwrap_or_else(|found| self.note(law, found));
    }

    /// Notes a violation of a law after the present number of decisions.
    fn note(&mut self, law: &Law, found: LawFinding) {
        self.broken.push(Violation {
            law: law.name,
            game: self.game.clone(),
            decisions: self.decisions,
            found,
        });
    }
}

struct WatchedGame<'p> {
    program: &'p Program,
    seed: [u8; 32],
    bot: RandomBot,
    made: Vec<Made>,
    watches: Vec<LawWatch>,
    played: LawGame,
    stop: &'p AtomicBool,
}

/// A law, with the time of its next check.
struct LawWatch {
    law: &'static Law,
    every: u64,
    /// Whether it is also checked at the first rest.
    at_first: bool,
    dice: RandomBot,
    /// Whether the law cannot be broken in this game, or a violation has already been reported.
    is_done: bool,
}

impl<'p> WatchedGame<'p> {
    fn new(
        program: &'p Program,
        plan: &Plan,
        number: u64,
        seed: [u8; 32],
        stop: &'p AtomicBool,
    ) -> WatchedGame<'p> {
        let sampling = [&seed[..], &fingerprint(program).to_le_bytes()].concat();
        let watches = plan
            .laws
            .iter()
            .map(|law| LawWatch::new(law, program, plan, number, &sampling));
        WatchedGame {
            program,
            seed,
            bot: RandomBot::for_game(&seed),
            made: Vec::new(),
            watches: watches.collect(),
            played: LawGame::new(number, plan),
            stop,
        }
    }

    fn play(mut self) -> LawGame {
        match start(self.program, self.seed, &mut Seeded, &mut self.played.odd) {
            Ok(state) => self.play_on(state),
            Err(fault) => self.played.note(&ENDS, fault.into()),
        }
        self.once_more();
        self.played
    }

    fn play_on(&mut self, mut state: State) {
        let bound = self.program.identity.bound;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                self.played.is_cut = true;
                return;
            }
            self.played.decisions = state.decisions_made();
            let owed = pending(self.program, &state);
            self.look(&state, &owed);
            let Some(first) = owed.first() else {
                return self.end(&state);
            };
            if self.played.decisions == bound {
                let found = LawFinding {
                    cause: Some("bound".to_owned()),
                    is_anywhere: true,
                    notes: vec!["the next decision is here".to_owned()],
                    ..format!("not over at its bound of {bound}").into()
                };
                self.played.note(&ENDS, found.asked(self.program, first));
            }
            if self.played.decisions >= bound.saturating_mul(BOUNDS_PLAYED)
                || !self.step(&mut state, first)
            {
                return;
            }
        }
    }

    /// Makes one move. Returns whether that was possible.
    fn step(&mut self, state: &mut State, owed: &Pending) -> bool {
        let choice = match self.bot.choose(self.program, state, owed) {
            Ok(Some(choice)) => choice,
            Ok(None) => {
                let found = LawFinding::from("a decision without a choice");
                self.played.note(&ACTS, found.asked(self.program, owed));
                return false;
            }
            Err(fault) => {
                self.played.note(&ENDS, fault.into());
                return false;
            }
        };
        let (chance, observer) = (&mut Seeded, &mut self.played.odd);
        let stepped = step_legal(self.program, state, owed.index, &choice, chance, observer);
        match stepped {
            Ok(()) => {
                self.made.push(Made {
                    seat: owed.seat,
                    secret: owed.secret,
                    choice,
                });
                true
            }
            Err(error) => {
                self.played.note(&ENDS, error.into());
                false
            }
        }
    }

    fn end(&mut self, state: &State) {
        self.played.finished = state.outcome().is_some();
        if !self.played.finished {
            let found = "nobody can act and the game is not over";
            self.played.note(&ACTS, found.into());
        }
    }

    /// Checks the laws that are due at this rest.
    fn look(&mut self, state: &State, owed: &[Pending]) {
        for (number, watch) in self.watches.iter_mut().enumerate() {
            let Look::AtRest { check, .. } = watch.law.look else {
                continue;
            };
            let is_due = watch.dice.below(watch.every) == 0;
            let is_first = watch.at_first && self.made.is_empty();
            if watch.is_done || !(is_due || is_first) {
                continue;
            }
            let found = check(&mut LawRest {
                program: self.program,
                state,
                owed,
                seed: self.seed,
                made: &self.made,
                dice: &mut watch.dice,
                compared: &mut self.played.compared,
            });
            watch.is_done |= found.is_err();
            self.played.looked_at(number, watch.law, found);
        }
    }

    /// Checks the laws about whole games that are due in this game.
    fn once_more(&mut self) {
        for (number, watch) in self.watches.iter_mut().enumerate() {
            let Look::Game { check, .. } = watch.law.look else {
                continue;
            };
            if !self.played.finished || watch.is_done || watch.dice.below(watch.every) != 0 {
                continue;
            }
            let found = check(self.program, self.seed);
            self.played.looked_at(number, watch.law, found);
        }
    }
}

impl LawWatch {
    /// Returns dice for each law, so that its checks in a game do not depend on other laws. The dice differ between
    /// settings, so that games of the same number differ.
    fn new(
        law: &'static Law,
        program: &Program,
        plan: &Plan,
        number: u64,
        sampling: &[u8],
    ) -> LawWatch {
        let every = match law.look {
            Look::Playing => 1,
            Look::AtRest { early, .. } if number <= EARLY => early,
            Look::AtRest { every, .. } | Look::Game { every, .. } => every,
        };
        LawWatch {
            law,
            every: (every / plan.oftener.max(1)).max(1),
            at_first: number <= EARLY && matches!(law.look, Look::AtRest { first: true, .. }),
            dice: RandomBot::for_game(&blake3::derive_key(law.name, sampling)),
            is_done: !(law.concerns)(program),
        }
    }
}

//! Plays random games on all cores, with an observer. Game number n of a seed is the one that `laws` and `simulate`
//! play under that number.

use std::sync::atomic::{AtomicBool, Ordering};

use super::tally::{GameEnd, SettingTally, TalliedGame};
use crate::laws::caught;
use crate::simulate::seed_of_game;
use crate::threads::on_threads;
use crate::told::computes;
use wyrmgate_engine::{self as engine, Choice, Pending, PositionKeys, Seeded, State};
use wyrmgate_program::Program;
use wyrmgate_search::bot::RandomBot;
use wyrmgate_view::Stopped;

/// The games to play.
#[derive(Debug, Clone)]
pub struct Plan {
    pub games: u64,
    /// The seed from which the seeds of all games are derived.
    pub seed: [u8; 32],
    pub threads: usize,
    /// Whether to count distinct positions, which takes about as long as playing.
    pub positions: bool,
}

/// Plays all games of a program and calls `each` after every one. If `stop` is set, returns the results so far.
pub fn play<'p>(
    program: &'p Program,
    plan: &Plan,
    stop: &AtomicBool,
    each: &mut dyn FnMut(),
) -> SettingTally<'p> {
    let is_over = || stop.load(Ordering::Relaxed);
    let work = |numbers: &mut dyn Iterator<Item = u64>, pass_on: &dyn Fn(())| {
        let mut worker = Worker {
            program,
            positions: plan.positions.then(|| PositionKeys::new(program)),
            tells: computes(program),
            tally: SettingTally::new(program),
        };
        for number in numbers {
            let row = worker.game(number, seed_of_game(&plan.seed, number), stop);
            worker.tally.rows.extend(row);
            pass_on(());
        }
        worker.tally
    };
    let mut all = SettingTally::new(program);
    let tallies = on_threads(
        plan.threads,
        1..plan.games.saturating_add(1),
        is_over,
        work,
        |()| each(),
    );
    tallies.into_iter().for_each(|tally| all.merge(tally));
    all
}

/// A seat resigns at about one decision in this many, in games whose rules say what follows.
const RESIGNING_EVERY: u64 = 20;

struct Worker<'p> {
    program: &'p Program,
    positions: Option<PositionKeys<'p>>,
    /// Whether there is a text that may be impossible to make.
    tells: bool,
    tally: SettingTally<'p>,
}

/// Notes taken during a game.
#[derive(Debug, Default)]
struct GameNotes {
    /// Number of decisions reached.
    decisions: u32,
    /// Number of decisions made after which the game continued.
    decided: u32,
    forced: u32,
    logarithms: f64,
    leader: Option<u8>,
    lead_changes: u32,
}

impl Worker<'_> {
    /// Plays a game; `None` if the run was stopped in it.
    fn game(&mut self, number: u64, seed: [u8; 32], stop: &AtomicBool) -> Option<TalliedGame> {
        self.tally.coverage.begin_game(number);
        let mut notes = GameNotes::default();
        let end = caught(|| self.play(seed, &mut notes, stop));
        let end = match end {
            Ok(Ok(end)) => end?,
            Ok(Err(stopped)) => GameEnd::Stopped(stopped.after(notes.decided)),
            Err(crash) => GameEnd::Stopped(Stopped::crashed(crash).after(notes.decided)),
        };
        let decisions = f64::from(notes.decisions.max(1));
        let untold = self.tally.coverage.untold.take();
        Some(TalliedGame {
            number,
            decisions: notes.decisions,
            forced: notes.forced,
            branching: (notes.logarithms / decisions).exp(),
            lead_changes: self.program.standing.map(|_| notes.lead_changes),
            untold: untold.map(|fault| Stopped::untold(&fault).after(notes.decided)),
            end,
        })
    }

    fn play(
        &mut self,
        seed: [u8; 32],
        notes: &mut GameNotes,
        stop: &AtomicBool,
    ) -> Result<Option<GameEnd>, Stopped> {
        let mut bot = RandomBot::for_game(&seed);
        let coverage = &mut self.tally.coverage;
        let mut state = engine::start(self.program, seed, &mut Seeded, coverage)?;
        while !stop.load(Ordering::Relaxed) {
            self.look(&state, notes)?;
            if let Some(outcome) = state.outcome() {
                return Ok(Some(match outcome.drawn {
                    true => GameEnd::Drawn,
                    false => GameEnd::Won(outcome.winners.clone()),
                }));
            }
            if notes.decisions >= self.program.identity.bound {
                return Err(Stopped::unbounded(self.program, &state));
            }
            self.let_resign(&state, &bot)?;
            self.step(&mut state, &mut bot, notes)?;
        }
        Ok(None)
    }

    fn step(
        &mut self,
        state: &mut State,
        bot: &mut RandomBot,
        notes: &mut GameNotes,
    ) -> Result<(), Stopped> {
        let owed = engine::pending(self.program, state);
        let owed = owed
            .first()
            .ok_or_else(|| Stopped::stuck(self.program, state))?;
        self.count(state, owed, notes)?;
        let choice: Option<Choice> = bot.choose(self.program, state, owed)?;
        let choice = choice.ok_or_else(|| Stopped::stuck(self.program, state))?;
        let coverage = &mut self.tally.coverage;
        // The bot took the choice from the list of this very state.
        engine::step_legal(
            self.program,
            state,
            owed.index,
            &choice,
            &mut Seeded,
            coverage,
        )?;
        notes.decided += 1;
        Ok(())
    }

    /// Lets a seat resign in a copy, sometimes, so that these rules are reached.
    fn let_resign(&mut self, state: &State, bot: &RandomBot) -> Result<(), Stopped> {
        let seats = self.program.seats as u64;
        let mut dice = bot.clone();
        if self.program.code.resigns.is_none() || dice.below(RESIGNING_EVERY) != 0 {
            return Ok(());
        }
        let (mut copy, seat) = (state.clone(), dice.below(seats) as usize);
        let choice = Choice::resigning(engine::EndReason::Resigned);
        let coverage = &mut self.tally.coverage;
        engine::step(
            self.program,
            &mut copy,
            seat,
            &choice,
            &mut Seeded,
            coverage,
        )?;
        Ok(())
    }

    fn count(
        &mut self,
        state: &State,
        owed: &Pending,
        notes: &mut GameNotes,
    ) -> Result<(), Stopped> {
        let coverage = &mut self.tally.coverage;
        let count = coverage.offers(state, owed)?;
        if self.tells && coverage.untold.is_none() {
            coverage.untold = engine::untold(self.program, state, owed, 0)?;
        }
        notes.decisions += 1;
        notes.forced += u32::from(count == 1);
        notes.logarithms += (count.max(1) as f64).ln();
        if let Some(choices) = self.tally.choices.get_mut(usize::from(owed.site)) {
            choices.add(u32::try_from(count).unwrap_or(u32::MAX));
        }
        Ok(())
    }

    /// Records a position at a decision or at the end.
    fn look(&mut self, state: &State, notes: &mut GameNotes) -> Result<(), Stopped> {
        if let Some(positions) = &self.positions {
            let key = positions.key(state);
            let half = key.first_chunk().copied().unwrap_or_default();
            self.tally.positions.insert(u64::from_le_bytes(half));
        }
        if let Some(leader) = engine::leader(self.program, state)? {
            let changed = notes.leader.is_some_and(|before| before != leader);
            notes.lead_changes += u32::from(changed);
            notes.leader = Some(leader);
        }
        Ok(())
    }
}

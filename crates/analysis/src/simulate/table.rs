//! The seats of a game: named bots around a table, or everybody at random.

use super::playout::Playout;
use super::recorder::Recorder;
use cpu_time::ThreadTime;
use wyrmgate_base::cancel::checkpoint;
use wyrmgate_engine::{self as engine, Chance, Choice, Seeded, Silent, State, StepError};
use wyrmgate_program::Program;
use wyrmgate_search::bot::{Bot, Mind, RandomBot};
use wyrmgate_search::imagine::Made;
use wyrmgate_view::Stopped;

/// Returns the bots by seat: in order, and moved on by one seat with every game.
pub(super) fn seated(players: &[Bot], number: u64) -> Vec<Bot> {
    let mut seated = players.to_vec();
    let by = number.saturating_sub(1) % (players.len().max(1) as u64);
    seated.rotate_right(by as usize);
    seated
}

/// The bots of one game, with what they know of it. A seat without a bot chooses at random.
pub(super) struct BotTable<'a> {
    program: &'a Program,
    seed: [u8; 32],
    players: &'a [Bot],
    pub dice: RandomBot,
    /// Samplers by seat, for searching bots; created when first needed.
    minds: Vec<Option<Mind<'a>>>,
    known: Vec<Made>,
    /// Secret answers to a decision that is still open.
    held: Vec<Made>,
    /// Counters by seat.
    pub thoughts: Vec<Thoughts>,
}

/// How often a bot searched, how often it found no sampled world, how sure it was in all (in percent), and the CPU time of each
/// search in microseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Thoughts {
    pub thought: u64,
    pub blind: u64,
    pub sure: u64,
    pub times: Vec<u32>,
}

impl<'a> BotTable<'a> {
    pub fn new(
        program: &'a Program,
        seed: [u8; 32],
        players: &'a [Bot],
        dice: RandomBot,
    ) -> BotTable<'a> {
        BotTable {
            program,
            seed,
            players,
            dice,
            minds: players.iter().map(|_| None).collect(),
            known: Vec::new(),
            held: Vec::new(),
            thoughts: vec![Thoughts::default(); players.len()],
        }
    }

    /// Returns the choice of a searching bot, which has observed everything public.
    fn think(&mut self, player: Bot, seat: u8) -> Result<Option<Choice>, StepError> {
        let Some(place) = self.minds.get_mut(usize::from(seat)) else {
            return Ok(None);
        };
        let mut amid = Mind::amid(self.program, self.seed, &self.known, &self.held, seat)?;
        let mind = match (&mut amid, place) {
            (Some(mind), _) | (None, Some(mind)) => mind,
            (None, none) => none.insert(Mind::begin(self.program, self.seed, seat)?),
        };
        let begun = ThreadTime::now();
        for made in self.known.iter().skip(mind.choices()) {
            mind.observe(made)?;
        }
        let decision = player.choose(mind, self.dice.dice())?;
        let time = u32::try_from(begun.elapsed().as_micros()).unwrap_or(u32::MAX);
        if let Some(thoughts) = self.thoughts.get_mut(usize::from(seat)) {
            thoughts.thought += u64::from(decision.is_thought);
            thoughts.blind += u64::from(decision.found_no_world);
            thoughts.sure += decision.sure.unwrap_or(0);
            thoughts.times.extend(decision.is_thought.then_some(time));
        }
        Ok(decision.choice)
    }

    /// Plays the game. The recorder, if there is one, notes choices and results of chance.
    pub fn play(&mut self, mut recorder: Option<&mut Recorder<'_>>) -> Result<Playout, Stopped> {
        let program = self.program;
        let chance: &mut dyn Chance = match &mut recorder {
            Some(recorder) => &mut recorder.chance,
            None => &mut Seeded,
        };
        let mut state = engine::start(program, self.seed, chance, &mut Silent)?;
        let mut decisions = 0;
        loop {
            if let Some(outcome) = state.outcome() {
                let outcome = outcome.clone();
                return Ok(Playout { decisions, outcome });
            }
            if decisions >= program.identity.bound {
                return Err(Stopped::unbounded(program, &state));
            }
            let decided = self.decide(&mut state, recorder.as_deref_mut());
            decided.map_err(|stopped| stopped.after(decisions))?;
            decisions += 1;
        }
    }

    /// Makes the next decision.
    fn decide(
        &mut self,
        state: &mut State,
        recorder: Option<&mut Recorder<'_>>,
    ) -> Result<(), Stopped> {
        checkpoint();
        let program = self.program;
        let owed = engine::pending(program, state);
        let stuck = |state: &State| Stopped::stuck(program, state);
        let pending = owed.first().ok_or_else(|| stuck(state))?;
        let choice = match self.players.get(usize::from(pending.seat)).copied() {
            Some(player) if player.thinks() => self.think(player, pending.seat)?,
            player => {
                let player = player.unwrap_or(Bot::Random);
                player.at_once(program, state, pending, self.dice.dice())?
            }
        };
        let choice = choice.ok_or_else(|| stuck(state))?;
        let chance: &mut dyn Chance = match recorder {
            Some(recorder) => {
                recorder.chosen(state, pending, &choice);
                &mut recorder.chance
            }
            None => &mut Seeded,
        };
        engine::step(program, state, pending.index, &choice, chance, &mut Silent)?;
        self.held.push(Made {
            seat: pending.seat,
            secret: pending.secret,
            choice,
        });
        if !engine::stays_secret(&owed, pending, state) {
            self.known.append(&mut self.held);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_change_seats_from_game_to_game() {
        let players = [Bot::Greedy, Bot::Random, Bot::Search1];
        assert_eq!(seated(&players, 1), players);
        assert_eq!(
            seated(&players, 2),
            [Bot::Search1, Bot::Greedy, Bot::Random]
        );
        assert_eq!(seated(&players, 4), players);
        assert!(seated(&[], 9).is_empty());
    }
}

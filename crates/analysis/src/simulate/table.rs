//! Named bots around a table.

use super::playout::Deciding;
use wyrmgate_engine::{Choice, Pending, State, StepError};
use wyrmgate_program::Program;
use wyrmgate_search::bot::{Bot, Mind, RandomBot};
use wyrmgate_search::imagine::Made;

/// Returns the bots by seat: in order, and moved on by one seat with every game.
pub(super) fn seated(players: &[Bot], number: u64) -> Vec<Bot> {
    let mut seated = players.to_vec();
    let by = number.saturating_sub(1) % (players.len().max(1) as u64);
    seated.rotate_right(by as usize);
    seated
}

/// The bots of one game, with what they know of it.
pub(super) struct Table<'a> {
    program: &'a Program,
    seed: [u8; 32],
    players: &'a [Bot],
    dice: &'a mut RandomBot,
    /// Samplers by seat, for searching bots; created when first needed.
    minds: Vec<Option<Mind<'a>>>,
    known: Vec<Made>,
    /// Secret answers to a decision that is still open.
    held: Vec<Made>,
    /// Counters by seat.
    thoughts: Vec<Thoughts>,
}

/// How often a bot searched, and how often it found no sampled world.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Thoughts {
    pub thought: u64,
    pub blind: u64,
}

impl<'a> Table<'a> {
    pub fn new(
        program: &'a Program,
        seed: [u8; 32],
        players: &'a [Bot],
        dice: &'a mut RandomBot,
    ) -> Table<'a> {
        Table {
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

    /// Returns the counters by seat.
    pub fn thoughts(self) -> Vec<Thoughts> {
        self.thoughts
    }

    /// Returns the choice of a searching bot, which has observed everything public.
    fn think(&mut self, player: Bot, seat: u8) -> Result<Option<Choice>, StepError> {
        let Some(place) = self.minds.get_mut(usize::from(seat)) else {
            return Ok(None);
        };
        let mind = match place {
            Some(mind) => mind,
            none => none.insert(Mind::begin(self.program, self.seed, seat)?),
        };
        for made in self.known.iter().skip(mind.choices()) {
            mind.observe(made)?;
        }
        let decision = player.choose(mind, self.dice.dice())?;
        if let Some(thoughts) = self.thoughts.get_mut(usize::from(seat)) {
            thoughts.thought += u64::from(decision.is_thought);
            thoughts.blind += u64::from(decision.found_no_world);
        }
        Ok(decision.choice)
    }
}

impl Deciding for Table<'_> {
    fn choose(&mut self, state: &State, owed: &[Pending]) -> Result<Option<Choice>, StepError> {
        let Some(first) = owed.first() else {
            return Ok(None);
        };
        match self.players.get(usize::from(first.seat)).copied() {
            Some(player) if player.thinks() => self.think(player, first.seat),
            _ => Ok(self.dice.choose(self.program, state, first)?),
        }
    }

    fn made(&mut self, pending: &Pending, choice: Choice, owed: usize) {
        self.held.push(Made {
            seat: pending.seat,
            secret: pending.secret,
            choice,
        });
        if !(pending.secret && owed > 1) {
            self.known.append(&mut self.held);
        }
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

//! One whole game between named built-in players.

use super::playout::{Playout, PlayoutError};
use crate::bot::{Bot, RandomBot};
use crate::engine::{self, Choice, Pending, Seeded, Silent, State};
use crate::imagine::{History, Made};
use crate::program::Program;

/// Who sits on the seats of a game: the players in order, one seat further with every game.
pub(super) fn seated(players: &[Bot], number: u64) -> Vec<Bot> {
    let mut seated = players.to_vec();
    let by = number.saturating_sub(1) % (players.len().max(1) as u64);
    seated.rotate_right(by as usize);
    seated
}

/// Plays from the seed to the end; `watch` sees every choice before it is made.
pub(super) fn play(
    program: &Program,
    seed: [u8; 32],
    players: &[Bot],
    dice: &mut RandomBot,
    watch: &mut dyn FnMut(&State, &Pending, &Choice),
) -> Result<Playout, PlayoutError> {
    let mut state = engine::start(program, seed, &mut Seeded, &mut Silent)?;
    let mut past = Past::of(seed);
    let mut decisions = 0;
    loop {
        if let Some(outcome) = state.outcome() {
            let outcome = outcome.clone();
            return Ok(Playout { decisions, outcome });
        }
        if decisions >= program.bound {
            return Err(PlayoutError::Bound(program.bound));
        }
        let owed = engine::pending(program, &state);
        let pending = owed.first().ok_or(PlayoutError::Stuck)?;
        let choice = match players.get(usize::from(pending.seat)) {
            Some(player) if player.thinks() => {
                player.choose(program, &past.known, pending.seat, dice)?
            }
            _ => dice.choose(program, &state, pending)?,
        };
        let choice = choice.ok_or(PlayoutError::Stuck)?;
        watch(&state, pending, &choice);
        engine::step(
            program,
            &mut state,
            pending.index,
            &choice,
            &mut Seeded,
            &mut Silent,
        )?;
        past.add(pending, choice, owed.len() > 1);
        decisions += 1;
    }
}

/// What has happened, and the secret answers of a decision that is still open.
struct Past {
    known: History,
    held: Vec<Made>,
}

impl Past {
    fn of(seed: [u8; 32]) -> Past {
        Past {
            known: History {
                seed,
                made: Vec::new(),
            },
            held: Vec::new(),
        }
    }

    fn add(&mut self, pending: &Pending, choice: Choice, others_owe: bool) {
        self.held.push(Made {
            seat: pending.seat,
            secret: pending.secret,
            choice,
        });
        if !(pending.secret && others_owe) {
            self.known.made.append(&mut self.held);
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

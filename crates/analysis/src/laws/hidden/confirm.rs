//! Checks whether sampled worlds show a leak too. They respect everything that the seat has seen and remembers.

use super::course::DifferingChance;
use super::line::PlayedLine;
use super::other::{Leak, OtherWorld, WorldVerdict};
use super::reveals::Reveals;
use crate::laws::rest::LawRest;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{State, Viewer, pending};
use wyrmgate_search::imagine::{GameHistory, Imagination};
use wyrmgate_view::names_by_place;

/// Number of sampled worlds.
const WORLDS: usize = 24;

/// Number of steps of a game that are replayed to sample worlds. A game is replayed from its beginning for each sample, so
/// without a limit a long game would take a time that grows with the square of its length.
const REPLAYED: u64 = 1_000;

/// Reports nothing where no world can be sampled; lines from the beginning of the game need no samples.
pub(super) fn is_real(rest: &mut LawRest<'_>, line: &PlayedLine<'_>, leak: &Leak) -> bool {
    let Viewer::Seat(seat) = line.viewer else {
        return false; // a viewer without a seat has no history of its own
    };
    let owed = pending(rest.program, rest.state);
    let is_open = rest.made.last().is_some_and(|made| made.secret)
        && owed.first().is_some_and(|owed| owed.secret);
    if is_open {
        return false; // what was answered in secret so far is no part of what can be imagined
    }
    if rest.compared.replayed >= REPLAYED {
        return false;
    }
    rest.compared.replayed += rest.made.len() as u64;
    let history = GameHistory {
        seed: rest.seed,
        made: rest.made.to_vec(),
    };
    let Ok(mut imagination) = Imagination::new(rest.program, &history, seat) else {
        return false;
    };
    let mut dice = Dice::new(rest.dice.below(u64::MAX));
    let worlds = imagination.worlds(WORLDS, &mut dice);
    let worlds = worlds.iter().filter_map(|state| line.as_seen(state));
    let worlds: Vec<State> = worlds.collect();
    worlds.into_iter().any(|state| {
        let world = OtherWorld {
            names: names_by_place(rest.state, &state),
            base: Some(state),
            plan: DifferingChance {
                seed: dice.below(u64::MAX),
                draws: dice.one_in(2),
                ..DifferingChance::default()
            },
        };
        match world.compare(line, &mut Reveals::default()) {
            WorldVerdict::Leaks(found) => {
                found.point <= leak.point && found.difference.what == leak.difference.what
            }
            WorldVerdict::Same | WorldVerdict::Apart => false,
        }
    })
}

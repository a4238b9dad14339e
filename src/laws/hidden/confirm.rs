//! Whether worlds that the seat can imagine show a leak too: those respect all that it has seen and remembers.

use super::line::Line;
use super::other::{Leak, Verdict, World};
use crate::dice::Dice;
use crate::engine::{State, names_by_place, pending};
use crate::imagine::{History, Imagination};
use crate::laws::rest::Rest;

/// Worlds that are imagined.
const WORLDS: usize = 24;

/// Where nothing can be imagined it is taken for real, unless it follows from a hidden variable alone: what the rules keep
/// book of out of sight is often known from what has happened.
pub(super) fn is_real(rest: &mut Rest<'_>, line: &Line<'_>, world: &World, leak: &Leak) -> bool {
    let owed = pending(rest.program, rest.state);
    let is_open = rest.made.last().is_some_and(|made| made.secret)
        && owed.first().is_some_and(|owed| owed.secret);
    if is_open {
        return !world.is_reworded; // what was answered in secret so far is no part of what can be imagined
    }
    let history = History {
        seed: rest.seed,
        made: rest.made.to_vec(),
    };
    let Ok(mut imagination) = Imagination::new(rest.program, &history, line.seat) else {
        return true;
    };
    let mut dice = Dice::new(rest.dice.below(u64::MAX));
    let worlds = imagination.worlds(WORLDS, &mut dice);
    let worlds = worlds.iter().filter_map(|state| line.as_seen(state));
    let worlds: Vec<State> = worlds.collect();
    if worlds.is_empty() {
        return !world.is_reworded;
    }
    worlds.into_iter().any(|state| {
        let world = World {
            names: names_by_place(rest.state, &state),
            base: Some(state),
            seed: dice.below(u64::MAX),
            is_reworded: false,
        };
        match world.compare(line) {
            Verdict::Leaks(found) => found.point <= leak.point,
            Verdict::Same | Verdict::Apart => false,
        }
    })
}

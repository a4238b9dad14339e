//! Non-interference: two worlds that differ only in what a seat may not know tell it the same, step by step.
//!
//! A game is played for some steps, once. Then the same steps are made in another world, which the seat could not have told
//! from the first one before. Everything the seat receives is compared: events, views, who owes a decision, its choices in
//! their order with labels and counts, why others are refused, what is played for it in silence. What differs is a leak.
//!
//! **Where other worlds come from.** At the beginning of a game, from chance: what was shuffled comes out otherwise, and dice
//! that the seat never sees show something else. Such worlds can be reached. Later in a game, from exchanging what the seat
//! may not know (`engine/otherwise`); such a world can contradict what the seat remembers, so what is found there counts only
//! if worlds that the seat can imagine (`imagine`) show it too.
//!
//! **What the rules show on purpose is no leak.** What comes into the seat's sight while the steps are played lies in the
//! other world too, so it can only show the same. If it does not, it was chosen for what is hidden. What an expression reveals
//! that is `revealed(…)` is noted in both worlds; where they differ in it, nothing is compared any more. And the choices
//! of others say what they say: if another seat could not have made its choice in the other world, that is what it told.
//!
//! | File | Subject |
//! | --- | --- |
//! | `course` | the same chance in two worlds, as far as it is not hidden |
//! | `line` | the steps as they were played first |
//! | `told` | what a seat is told at a rest |
//! | `difference` | where two things told differ |
//! | `other` | the same steps in another world |
//! | `blame` | which line of the rules made the difference |
//! | `confirm` | whether worlds that the seat can imagine show it too |

mod blame;
mod confirm;
mod course;
mod difference;
mod line;
mod other;
mod told;

use super::found::Found;
use super::rest::Rest;
use crate::dice::Dice;
use line::Line;
use other::Verdict;

/// Other worlds for each line of steps.
const WORLDS: usize = 3;

/// The longest line of steps.
const STEPS: u64 = 24;

/// Of lines that begin with the game.
const STEPS_FROM_START: u64 = 48;

/// Often few: what comes into sight later must lie in both worlds, and so says nothing of the beginning.
fn steps_from_start(dice: &mut Dice) -> u64 {
    match dice.below(3) {
        0 => 0,
        1 => dice.below(6),
        _ => dice.below(STEPS_FROM_START),
    }
}

pub(super) fn check(rest: &mut Rest<'_>) -> Result<(), Found> {
    let program = rest.program;
    let mut own = Dice::new(rest.dice.below(u64::MAX));
    let dice = &mut own;
    let seat = dice.below(program.seats as u64) as u8;
    let from_start = rest.made.is_empty() || dice.below(4) == 0;
    let (base, steps) = match from_start {
        true => (None, steps_from_start(dice)),
        false if dice.below(4) == 0 => (Some(rest.state), 1 + dice.below(STEPS)),
        false => (Some(rest.state), 1),
    };
    let Some(line) = Line::play(program, base, seat, steps as usize, dice) else {
        return Ok(()); // faults are another law's subject
    };
    rest.compared.hides |= line.hides;
    if !line.hides {
        return Ok(());
    }
    for _ in 0..WORLDS {
        let Some(world) = other::World::draw(&line, dice) else {
            return Ok(());
        };
        match world.compare(&line) {
            Verdict::Same => rest.compared.pairs += 1,
            Verdict::Apart => {}
            Verdict::Leaks(leak) => {
                rest.compared.pairs += 1;
                if from_start || confirm::is_real(rest, &line, &world, &leak) {
                    return Err(blame::found(&line, &world, &leak));
                }
            }
        }
    }
    Ok(())
}

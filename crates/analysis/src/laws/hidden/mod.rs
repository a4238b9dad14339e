//! Non-interference: two worlds that differ only in what a viewer may not know tell it the same, step by step.
//!
//! A game is played for some steps, once. Then the same steps are made in another world, which the viewer (a seat, or somebody
//! without one) could not have told from the first one before. Everything it receives is compared: events, views, who owes a
//! decision, its choices in their order with labels and counts, why others are refused, what is played for it in silence.
//! Every difference is a leak.
//!
//! **Where other worlds come from.** From the beginning of a game, from chance: what was shuffled comes out otherwise as far as
//! the viewer does not see it before it is shuffled again; dice that it never sees show something else; a choice at random is
//! made anew; others answer something else in secret. Such worlds can be reached, however long the game. Later in a game also
//! from exchanging what the viewer may not know (`engine/otherwise`), which is quick; such a world can contradict what it
//! remembers, so what is found there counts only if worlds that it can imagine (`imagine`) show it too.
//!
//! A game that hides nothing is not played at all. Where only chance can know what others do not (an effect keeps its choice),
//! only lines from the beginning are played.
//!
//! **What the rules show on purpose is no leak.** Components that come into sight while the steps are played are the same in
//! the other world, so they must show the same. If they do not, something hidden selected them. Values of `revealed(…)` are
//! noted in both worlds; once they differ, the comparison ends. Choices of chance and secret answers may show in the very step
//! (`answers`), because they were never hidden then; but only as themselves, not by way of hidden state (`writes`), and not
//! the identity of a component that chance has put out of sight. And the choices of others say what they say: if another seat
//! could not have made its choice in the other world, that is what it told. Where it has only one choice it says nothing.
//!
//! | File | Subject |
//! | --- | --- |
//! | `course` | the same chance in two worlds, as far as it is not hidden |
//! | `glance` | what the viewer comes to see, and when |
//! | `backs` | what is written on backs, and when it was shuffled |
//! | `answers` | what others answer in secret, and when it may show |
//! | `writes` | hidden writes in the step in which chance chose |
//! | `line` | the steps as they were played first |
//! | `told` | the information of the viewer at a rest |
//! | `difference` | the first difference between two pieces of information |
//! | `reveals` | values that the rules reveal on purpose, in two worlds |
//! | `other` | the same steps in another world |
//! | `blame` | which line of the rules made the difference |
//! | `confirm` | whether worlds that the viewer can imagine show it too |

mod answers;
mod backs;
mod blame;
mod confirm;
mod course;
mod difference;
mod glance;
mod line;
mod other;
mod reveals;
mod told;
mod writes;

use super::found::Found;
use super::rest::Rest;
use line::Line;
use other::Verdict;
pub use reveals::{Revealed, Reveals};
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::Viewer;
use wyrmgate_program::{Op, Program};

/// Number of other worlds for each line of steps.
const WORLDS: usize = 3;

/// The longest line of steps from the middle of a game.
const STEPS: u64 = 24;

/// Length of lines from the beginning, until the usual length of games is known.
const STEPS_FROM_START: u64 = 48;

/// One line in this many is compared for viewers without a seat.
const PUBLIC: u64 = 8;

/// Lines from the beginning of a game cost more the longer the game is, so fewer of them are played.
const WHOLE: u64 = 12;

/// Draws the viewer: mostly a seat. In a game for one seat, only viewers without a seat have something hidden from
/// them.
fn eyes(program: &Program, dice: &mut Dice) -> Viewer {
    let share = if program.seats > 1 { PUBLIC } else { 2 };
    match dice.below(share) {
        0 => Viewer::Public,
        _ => Viewer::Seat(dice.below(program.seats as u64) as u8),
    }
}

/// Often few: what comes into sight later must lie in both worlds, and so says nothing of the beginning.
fn steps_from_start(made: u64, dice: &mut Dice) -> u64 {
    match dice.below(if made > 0 { 6 } else { 3 }) {
        0 => 0,
        1 => dice.below(6),
        2 => dice.below(STEPS_FROM_START),
        _ => made + dice.below(4),
    }
}

/// Returns whether anything can be hidden from anybody in this game.
pub(super) fn concerns(program: &Program) -> bool {
    let mut code = program.code.iter();
    program.can_hide() || code.any(|op| matches!(op, Op::ChooseAtRandom(_)))
}

pub(super) fn check(rest: &mut Rest<'_>) -> Result<(), Found> {
    let program = rest.program;
    // Only choices of chance are hidden: those are followed from the beginning of a game.
    if !rest.made.is_empty() && !program.can_hide() {
        return Ok(());
    }
    let mut own = Dice::new(rest.dice.below(u64::MAX));
    let dice = &mut own;
    let eyes = eyes(program, dice);
    let made = rest.made.len() as u64;
    let is_whole = dice.below(made + WHOLE) < WHOLE && dice.below(2) == 0;
    let from_start = made == 0 || is_whole || eyes == Viewer::Public;
    let (base, steps) = match from_start {
        true => (None, steps_from_start(made, dice)),
        false if dice.below(4) == 0 => (Some(rest.state), 1 + dice.below(STEPS)),
        false => (Some(rest.state), 1),
    };
    let Some(line) = Line::play(program, base, eyes, steps as usize, dice) else {
        return Ok(()); // faults are another law's subject
    };
    rest.compared.hides |= line.hides;
    if !line.can_differ() {
        return Ok(());
    }
    let mut reveals = Reveals::of(program);
    let found = compare(rest, &line, &mut reveals, dice);
    rest.compared.reveals.add(&reveals);
    found
}

fn compare(
    rest: &mut Rest<'_>,
    line: &Line<'_>,
    reveals: &mut Reveals,
    dice: &mut Dice,
) -> Result<(), Found> {
    for _ in 0..WORLDS {
        let Some(world) = other::World::draw(line, dice) else {
            return Ok(());
        };
        match world.compare(line, reveals) {
            Verdict::Same => rest.compared.add_pair(),
            Verdict::Apart => {}
            Verdict::Leaks(leak) => {
                rest.compared.add_pair();
                if line.base.is_none() || confirm::is_real(rest, line, &leak) {
                    return Err(blame::found(line, &world, &leak));
                }
            }
        }
    }
    Ok(())
}

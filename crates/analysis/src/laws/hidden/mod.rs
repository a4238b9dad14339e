//! Non-interference: in two worlds that differ only in what a viewer may not know, the viewer receives the same
//! information, step by step.
//!
//! A game is played for some steps. Then the same steps are taken in another world, which the viewer (a seat, or a spectator)
//! could not distinguish from the first one before. Everything that it receives is compared: events, views, owing seats, its
//! choices in order with labels and counts, reasons of refusals, its default choice, and whether it may take back a choice. Choices
//! are tried by number and in the words of clients, which is how standing orders state them. Every difference is a leak.
//!
//! **Where other worlds come from.** From the beginning of a game, from chance: shuffles have other results as far as the
//! viewer does not see them before the next shuffle, dice that it never sees show other faces, a choice at random is made
//! again, and others give other secret answers. Such worlds are reachable, however long the game is. Later in a game, also from
//! exchanging what the viewer may not know (`engine/otherwise`), which is fast. Such a world can contradict what the viewer
//! remembers, so a difference counts only if sampled worlds (`imagine`) show it too.
//!
//! A game that hides nothing is not played at all. Where only chance can know what others do not (an effect keeps its choice),
//! only lines from the beginning are played.
//!
//! **What the rules show on purpose is no leak.** Components that come into sight while the steps are played are the same in
//! the other world, so they must show the same. If they do not, something hidden selected them. Values of `revealed(…)` are
//! noted in both worlds; once they differ, the comparison ends. Choices of chance and secret answers may show in the very step
//! (`answers`), because they were never hidden then; but only as themselves, not by way of hidden state (`writes`), and not
//! the identity of a component that chance has put out of sight. A choice of another seat carries information itself: if the
//! seat could not have made it in the other world, the worlds legitimately differ. A forced choice carries none.
//!
//! | File | Subject |
//! | --- | --- |
//! | `course` | the same chance in two worlds, as far as it is not hidden |
//! | `glance` | the components that the viewer sees, and when |
//! | `backs` | the changing fields on backs, over time |
//! | `answers` | secret answers of others, and when they may show |
//! | `writes` | hidden writes in the step in which chance chose |
//! | `line` | the steps as they were played first |
//! | `told` | the information of the viewer at a rest |
//! | `difference` | the first difference between two pieces of information |
//! | `reveals` | values that the rules reveal on purpose, in two worlds |
//! | `other` | the same steps in another world |
//! | `blame` | the line of the rules that caused the difference |
//! | `confirm` | whether sampled worlds show it too |

mod answers;
mod backs;
mod blame;
mod confirm;
mod course;
mod difference;
mod glance;
mod information;
mod key;
mod line;
mod other;
mod play;
mod reveals;
mod unseen;
mod writes;

use super::found::LawFinding;
use super::rest::LawRest;
pub(super) use information::languages;
use line::PlayedLine;
use other::WorldVerdict;
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
fn viewer(program: &Program, dice: &mut Dice) -> Viewer {
    let share = if program.seats > 1 { PUBLIC } else { 2 };
    match dice.below(share) {
        0 => Viewer::Public,
        _ => Viewer::Seat(dice.below(program.seats as u64) as u8),
    }
}

/// Draws a number of steps, often a small one: components that come into sight later must be the same in both worlds,
/// so long lines test less of the beginning.
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
    let mut code = program.code.ops.iter();
    program.can_hide() || code.any(|op| matches!(op, Op::ChooseAtRandom(_)))
}

pub(super) fn check(rest: &mut LawRest<'_>) -> Result<(), LawFinding> {
    let program = rest.program;
    // Only choices of chance are hidden: those are followed from the beginning of a game.
    if !rest.made.is_empty() && !program.can_hide() {
        return Ok(());
    }
    let mut own = Dice::new(rest.dice.below(u64::MAX));
    let dice = &mut own;
    let mut viewer = viewer(program, dice);
    let made = rest.made.len() as u64;
    let is_whole = dice.below(made + WHOLE) < WHOLE;
    // From the middle of a game, only what a seat has seen can be compared with sampled worlds.
    if made > 0 && !is_whole && viewer == Viewer::Public && program.seats > 1 {
        viewer = Viewer::Seat(dice.below(program.seats as u64) as u8);
    }
    let is_public = viewer == Viewer::Public;
    let from_start = made == 0 || is_public || is_whole && dice.one_in(2);
    let (base, steps) = match from_start {
        true => (None, steps_from_start(made, dice)),
        false if dice.one_in(4) => (Some(rest.state), 1 + dice.below(STEPS)),
        false => (Some(rest.state), 1),
    };
    let Some(line) = PlayedLine::play(program, base, viewer, steps as usize, dice) else {
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
    rest: &mut LawRest<'_>,
    line: &PlayedLine<'_>,
    reveals: &mut Reveals,
    dice: &mut Dice,
) -> Result<(), LawFinding> {
    for _ in 0..WORLDS {
        let Some(world) = other::OtherWorld::draw(line, dice) else {
            return Ok(());
        };
        match world.compare(line, reveals) {
            WorldVerdict::Same => rest.compared.add_pair(),
            WorldVerdict::Apart => {}
            WorldVerdict::Leaks(leak) => {
                rest.compared.add_pair();
                if line.base.is_none() || confirm::is_real(rest, line, &leak) {
                    return Err(blame::found(line, &world, &leak));
                }
            }
        }
    }
    Ok(())
}

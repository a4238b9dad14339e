//! Looking for choices, while the game moves.

use crate::choices;
use crate::eval::Eval;
use crate::fault::{FaultKind, Halt};
use crate::machine::Machine;
use wyrmgate_program::Site;

pub(super) fn has_choice(m: &mut Machine, site: &Site, seat: i32) -> Result<bool, Halt> {
    if site.always {
        return Ok(true);
    }
    looking(m, |eval| choices::any(eval, site, seat as u8))
}

/// Looks for choices on the budget for that; one budget for the whole move.
pub(super) fn looking<T>(
    m: &mut Machine,
    look: impl FnOnce(&mut Eval<'_>) -> Result<T, Halt>,
) -> Result<T, Halt> {
    let moving = (m.scratch.fuel, m.scratch.limit);
    (m.scratch.fuel, m.scratch.limit) = (m.looking, FaultKind::Enumeration);
    m.scratch.memo.turn_on();
    let answer = look(&mut m.eval());
    m.scratch.memo.turn_off();
    m.looking = m.scratch.fuel;
    (m.scratch.fuel, m.scratch.limit) = moving;
    m.scratch.lists.clear();
    answer
}

//! The current ranking while a game is running.

use crate::choices::look_with;
use crate::eval::Scratch;
use crate::fault::{Fault, FaultKind, Halt};
use crate::limit::FUEL_PER_ENUMERATION;
use crate::state::State;
use wyrmgate_program::{ExprId, Program};

/// Returns the numbers by which each seat ranks, the most important first; higher is better. `None` if the rules
/// declare nothing that can be evaluated before the end.
pub fn standing(program: &Program, state: &State) -> Result<Option<Vec<Vec<i32>>>, Fault> {
    let Some(info) = program.standing else {
        return Ok(None);
    };
    let seats = 0..state.layout.seats as i32;
    let mut scratch = Scratch::new(FUEL_PER_ENUMERATION, FaultKind::Enumeration);
    let rows = look_with(program, state, &mut scratch, |eval| {
        let row = |seat| {
            let keys = (0..u32::from(info.count)).map(|key: ExprId| {
                eval.set_temp(0, seat);
                eval.value(info.keys.saturating_add(key))
            });
            keys.collect()
        };
        seats.map(row).collect()
    });
    // The decision that is owed now is not where this was written.
    rows.map(Some).map_err(|Halt| scratch.take_fault())
}

/// Returns the seat that leads all others, from 0; `None` if there is none.
pub fn leader(program: &Program, state: &State) -> Result<Option<u8>, Fault> {
    let rows = standing(program, state)?.unwrap_or_default();
    let best = rows.iter().max();
    let mut leading = (0..).zip(&rows).filter(|(_, row)| Some(*row) == best);
    Ok(match (leading.next(), leading.next()) {
        (Some((seat, _)), None) => Some(seat),
        _ => None,
    })
}

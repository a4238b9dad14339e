//! The values in the holes of texts. They are the same for every viewer; the engine does not produce words.

use crate::eval::{Eval, Scratch};
use crate::fault::{FaultKind, Halt};
use crate::limit::FUEL_PER_MOVE;
use crate::see::seen_value;
use crate::seen::SeenValue;
use crate::state::State;
use wyrmgate_program::{Hole, Program, TextId};

/// Returns the values in the holes of a text, evaluated in the frame at `base`. Values that cannot be evaluated are
/// omitted.
pub fn holes(program: &Program, state: &State, base: usize, text: TextId) -> Vec<Vec<SeenValue>> {
    let mut scratch = Scratch::new(FUEL_PER_MOVE, FaultKind::Fuel);
    let mut eval = Eval::new(program, state, &mut scratch, base);
    evaluated(&mut eval, text).unwrap_or_default()
}

/// Returns the values in the holes of a text, evaluated with the temps of a running evaluation.
pub fn evaluated(eval: &mut Eval<'_>, text: TextId) -> Result<Vec<Vec<SeenValue>>, Halt> {
    let program = eval.program;
    let Some(info) = program.prose.texts_with_holes.get(usize::from(text)) else {
        return Ok(Vec::new());
    };
    let mut holes = Vec::with_capacity(info.holes.len());
    for hole in &info.holes {
        let values = match hole {
            Hole::Value(expr, _) => vec![eval.value(*expr)?],
            Hole::List(set, _) => eval.gather(*set)?.to_vec(),
        };
        let values = values.into_iter();
        let seen = values.map(|value| seen_value(program, eval.state, value, hole.of()));
        holes.push(seen.collect());
    }
    Ok(holes)
}

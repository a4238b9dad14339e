//! The values in the holes of texts. They are the same for every viewer; the engine does not produce words.
//!
//! A text that cannot be made stops nothing: it ends before the first hole that fails, and its readers see `…` from there on.

use crate::eval::{Eval, Scratch};
use crate::fault::{FaultKind, Halt};
use crate::limit::{FUEL_PER_ENUMERATION, FUEL_PER_MOVE};
use crate::see::seen_value;
use crate::seen::SeenValue;
use crate::state::State;
use wyrmgate_program::{Hole, Program, Temp, TextId};

/// A text, and the values in its holes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    pub text: TextId,
    /// The values up to the first hole that could not be evaluated.
    pub holes: Vec<Vec<SeenValue>>,
    /// Why it could not.
    pub fault: Option<FaultKind>,
}

/// Fills a text in the frame at `base`.
pub fn filled(program: &Program, state: &State, base: usize, text: TextId) -> Filled {
    let mut scratch = Scratch::new(0, FaultKind::Fuel);
    let mut eval = Eval::new(program, state, &mut scratch, base);
    let mut work = FUEL_PER_MOVE;
    filled_within(&mut eval, text, &mut work)
}

/// Fills a text once for each of these values, which lies in a temp meanwhile.
pub fn filled_for_each(
    program: &Program,
    state: &State,
    text: TextId,
    temp: Temp,
    values: impl Iterator<Item = i32>,
) -> Vec<Filled> {
    let mut scratch = Scratch::new(0, FaultKind::Fuel);
    let mut eval = Eval::new(program, state, &mut scratch, 0);
    let mut work = FUEL_PER_ENUMERATION;
    let one = |value| {
        eval.set_temp(temp, value);
        filled_within(&mut eval, text, &mut work)
    };
    values.map(one).collect()
}

/// Fills a text with the temps of a running evaluation, at the cost of this work, which belongs to texts.
pub fn filled_within(eval: &mut Eval<'_>, text: TextId, work: &mut u32) -> Filled {
    let info = eval.program.prose.texts_with_holes.get(usize::from(text));
    let mut filled = Filled {
        text,
        holes: Vec::new(),
        fault: None,
    };
    for hole in info.into_iter().flat_map(|info| &info.holes) {
        match eval.attempt(work, |eval| values_in(eval, *hole)) {
            Ok(values) => filled.holes.push(values),
            Err(fault) => {
                filled.fault = Some(fault.kind);
                break;
            }
        }
    }
    filled
}

/// Returns the values in a hole of a text.
pub fn values_in(eval: &mut Eval<'_>, hole: Hole) -> Result<Vec<SeenValue>, Halt> {
    let values = match hole {
        Hole::Value(expr, _) => vec![eval.value(expr)?],
        Hole::List(set, _) => eval.gather(set)?.to_vec(),
    };
    let values = values.into_iter();
    let seen = values.map(|value| seen_value(eval.program, eval.state, value, hole.of()));
    Ok(seen.collect())
}

//! Texts with holes: prompts, labels and what is said.
//!
//! What stands in the holes is found once, and is the same for all; it is read by each viewer in its own language and
//! as far as it may know.

use crate::eval::{Eval, Scratch};
use crate::event::SeenValue;
use crate::fault::{FaultKind, Halt};
use crate::limit::FUEL_PER_MOVE;
use crate::name::Titles;
use crate::see::seen_value;
use crate::state::State;
use wyrmgate_program::{Hole, Program, TextId, TextPiece};

/// What stands in the holes of a text, evaluated in the frame at `base`; what cannot be evaluated is left out.
pub(crate) fn holes(
    program: &Program,
    state: &State,
    base: usize,
    text: TextId,
) -> Vec<Vec<SeenValue>> {
    let mut scratch = Scratch::new(FUEL_PER_MOVE, FaultKind::Fuel);
    let mut eval = Eval::new(program, state, &mut scratch, base);
    evaluated(&mut eval, text).unwrap_or_default()
}

/// As [`holes`], with the temps of an evaluation that is under way.
pub(crate) fn evaluated(eval: &mut Eval<'_>, text: TextId) -> Result<Vec<Vec<SeenValue>>, Halt> {
    let program = eval.program;
    let Some(info) = program.texts_with_holes.get(usize::from(text)) else {
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

/// The text with these values in its holes, as `names` may name them.
pub(crate) fn read(
    program: &Program,
    text: TextId,
    holes: &[Vec<SeenValue>],
    names: &impl Titles,
) -> String {
    let language = names.language();
    let mut read = String::new();
    let Some(info) = program.texts_with_holes.get(usize::from(text)) else {
        return read;
    };
    for piece in info.parts_in(language) {
        match piece {
            TextPiece::Words(words) => read.push_str(words),
            TextPiece::Hole(number) => {
                if let Some((hole, values)) = info.holes.get(*number).zip(holes.get(*number)) {
                    read.push_str(&in_hole(program, *hole, values, names));
                }
            }
        }
    }
    read
}

/// The members of a list one after the other; of an empty one that there is none.
fn in_hole(program: &Program, hole: Hole, values: &[SeenValue], names: &impl Titles) -> String {
    if values.is_empty() {
        return program.words.none.get(names.language()).to_owned();
    }
    let titles = values.iter().map(|value| names.title(value, hole.of()));
    titles.collect::<Vec<_>>().join(", ")
}

//! Texts with holes: prompts, labels and what is said.

use crate::engine::eval::{Eval, Scratch};
use crate::engine::event::SaidPiece;
use crate::engine::fault::{FaultKind, Halt};
use crate::engine::limit::FUEL_PER_MOVE;
use crate::engine::name::{place_name, title_of_value};
use crate::engine::see::{Viewer, seen};
use crate::engine::state::State;
use crate::program::{Program, TextId, TextPiece, Type};

/// A text in pieces, evaluated in the frame at `base`; what cannot be evaluated is left out.
pub(crate) fn pieces(
    program: &Program,
    state: &State,
    base: usize,
    text: TextId,
) -> Vec<SaidPiece> {
    let mut scratch = Scratch::new(FUEL_PER_MOVE, FaultKind::Fuel);
    let mut eval = Eval::new(program, state, &mut scratch, base);
    evaluated(&mut eval, text).unwrap_or_default()
}

/// As [`pieces`], with the temps of an evaluation that is under way.
pub(crate) fn evaluated(eval: &mut Eval<'_>, text: TextId) -> Result<Vec<SaidPiece>, Halt> {
    let program = eval.program;
    let Some(info) = program.texts_with_holes.get(usize::from(text)) else {
        return Ok(Vec::new());
    };
    let mut pieces = Vec::new();
    for part in &info.parts {
        match part {
            TextPiece::Literal(text) => pieces.push(SaidPiece::Text(text.clone())),
            TextPiece::Value(expr, of) => {
                let value = eval.value(*expr)?;
                pieces.push(piece(eval, value, *of));
            }
            TextPiece::List(set, of) => {
                let members = eval.gather(*set)?;
                if members.is_empty() {
                    pieces.push(SaidPiece::Text("none".to_owned()));
                }
                for (at, member) in members.into_iter().enumerate() {
                    if at > 0 {
                        pieces.push(SaidPiece::Text(", ".to_owned()));
                    }
                    pieces.push(piece(eval, member, *of));
                }
            }
        }
    }
    Ok(pieces)
}

fn piece(eval: &Eval<'_>, value: i32, of: Type) -> SaidPiece {
    match of {
        Type::Component(_) if eval.state.is_component(value) => {
            SaidPiece::Name(seen(eval.program, eval.state, value))
        }
        _ => SaidPiece::Text(title_of_value(eval.program, value, of)),
    }
}

/// The text as this viewer may read it.
pub(crate) fn read(program: &Program, pieces: &[SaidPiece], viewer: Viewer) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            SaidPiece::Text(words) => text.push_str(words),
            SaidPiece::Name(seen) if viewer.is_among(seen.by) => {
                let of = Type::Component(None);
                text.push_str(&title_of_value(program, i32::from(seen.component), of));
            }
            SaidPiece::Name(seen) => {
                text.push_str(&place_name(program, i32::from(seen.zone), seen.place));
            }
        }
    }
    text
}

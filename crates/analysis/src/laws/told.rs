//! Every text can be made: prompts, labels and what is said.

use super::found::LawFinding;
use crate::told::untold_in_game;
use wyrmgate_program::Program;

pub(super) fn check(program: &Program, seed: [u8; 32]) -> Result<(), LawFinding> {
    match untold_in_game(program, seed) {
        Ok(Some(untold)) => Err(LawFinding {
            span: untold.span,
            ..untold.reason.into()
        }),
        Ok(None) | Err(_) => Ok(()), // a game that stops breaks another law
    }
}

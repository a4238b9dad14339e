//! Saving and loading at any rest changes nothing.

use super::found::LawFinding;
use super::rest::{LawRest, expect};
use wyrmgate_engine::State;

pub(super) fn check(rest: &mut LawRest<'_>) -> Result<(), LawFinding> {
    let bytes = rest.state.encode(rest.program);
    let back = State::decode(rest.program, &bytes);
    expect(back.as_ref() == Ok(rest.state), || match &back {
        Ok(_) => "the loaded state differs from the saved one".to_owned(),
        Err(error) => format!("the saved state cannot be loaded: {error:?}"),
    })
}

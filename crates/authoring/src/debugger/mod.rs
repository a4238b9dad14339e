//! A debugger for rules: a game is played once and recorded moment by moment ([`Tape`]); then an author walks through it in
//! both directions ([`RecordWalk`]), looks at names, variables and the table ([`inspect`]), evaluates [`expressions`], or asks why a
//! choice is not offered ([`why`]). [`protocol`] answers the requests of the Debug Adapter Protocol, without a transport:
//! `wyrmgate dap` has one, and the workbench another.

mod course;
pub mod expressions;
pub mod inspect;
pub mod protocol;
mod tape;
mod walk;
pub mod why;

pub use course::{Course, DebuggedGame, of_choices, of_random_game, of_record, of_scenario};
pub use tape::{BYTES_MAX, Tape, TapeMoment, is_silent};
pub use walk::{Arrival, Pace, RecordWalk, StopMark};

use wyrmgate_engine::Viewer;

/// The author sees everything.
#[expect(
    clippy::disallowed_methods,
    reason = "the author of the rules debugs a game without players"
)]
const AUTHOR: Viewer = Viewer::omniscient();

//! A debugger for rules: a game is played once and recorded moment by moment ([`Tape`]); then an author walks through it in
//! both directions ([`Walk`]) and looks at names, variables and the table ([`told`]), or asks why a choice is not offered
//! ([`why`]). It knows no protocol; `wyrmgate dap` speaks one.

mod course;
mod tape;
pub mod told;
mod walk;
pub mod why;

pub use course::{Course, of_random_game, of_record, of_scenario};
pub use tape::{Moment, Tape, is_silent};
pub use walk::{Arrival, Pace, Walk};

//! The laws: what must hold in every game, whatever its rules. They are looked at while games are played at random.
//!
//! One law, one file; [`LAWS`] lists them. [`settings`] says which numbers of seats and options are played, [`prove`]
//! plays them, [`Proof`] is what came out. A game of a run is named by the seed of the run and its number, and is the
//! same whichever laws are looked at and however often.

mod alike;
mod conserved;
mod crash;
mod damaged;
mod dealt;
mod found;
mod game;
mod hidden;
mod law;
mod listed;
mod named;
mod noted;
mod plan;
mod plot;
mod proof;
mod prove;
mod repeated;
mod resigned;
mod rest;
mod saved;
mod sent;
mod settings;
mod told;
mod unlisted;
mod watched;

pub(crate) use crash::caught;
pub use found::{Contrast, GameId, LawFinding, Violation};
pub use hidden::{Revealed, Reveals};
pub use law::{EARLY, LAWS, Law, Look, law};
pub(crate) use plot::panel;
pub use plot::svg;
pub use proof::{Longest, Proof};
pub use prove::{VIOLATIONS_MAX, prove};
pub use rest::{Compared, LawRest};
pub use settings::{COMBINATIONS, Setting, VALUES_MAX, settings};

pub use plan::Plan;
use wyrmgate_engine::{Choice, Observer, Pending, Seeded, State, StepError, Viewer, step};
use wyrmgate_program::Program;

/// A checker of laws, which may know everything.
#[expect(
    clippy::disallowed_methods,
    reason = "the games of a run are played by nobody"
)]
const JUDGE: Viewer = Viewer::omniscient();

/// Makes a choice; chance follows the seed of the game.
fn make(
    program: &Program,
    state: &mut State,
    owed: &Pending,
    choice: &Choice,
    observer: &mut dyn Observer,
) -> Result<(), StepError> {
    step(program, state, owed.index, choice, &mut Seeded, observer)
}

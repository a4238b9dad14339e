//! Determinization: samples worlds, which are whole states that one seat cannot tell from the true one by anything it
//! has observed since the game began.
//!
//! A world is made by replaying the game's history with other results of chance, and other secret answers of other
//! seats. It is kept only if the seat would have been told the same at every step. Therefore the rules can always lead
//! to a world, and everything that a seat has seen and remembers is respected without any knowledge of the game. The
//! future is open: a world has a seed of its own.
//!
//! **A world does not depend on hidden state.** The true results are read where the seat has seen them, and nowhere
//! else: hidden results are drawn from scratch, never derived from the true ones. Two games that the seat cannot tell
//! apart therefore give it the same worlds from the same random numbers, which is a test (`tests/replay.rs`), and a bot
//! that searches in worlds cannot cheat. If many attempts find no world, there is none; the true state never takes its
//! place.
//!
//! | File | Subject |
//! | --- | --- |
//! | `history` | everything that led to a state |
//! | `line` | the true game as the seat has observed it: what chance did, what the seat came to know of it |
//! | `draft` | a world in the making, and the places to go back to |
//! | `future` | which component may take which place, if all is to come as the seat has seen it |
//! | `sampling` | chance for a world: what is known as it was, the rest drawn |
//! | `same` | whether the seat is told the same |
//! | `making` | one step of a world |
//! | `proposal` | what might have to be otherwise where the seat would notice a difference |
//! | `repair` | from the setup to the present: what goes wrong is changed, not begun anew |
//! | `world` | worlds, and what can be learnt by a choice |

mod draft;
mod future;
mod history;
mod line;
mod making;
mod proposal;
mod repair;
mod same;
mod sampling;
mod world;

pub use history::{History, Made};
pub use world::Imagination;

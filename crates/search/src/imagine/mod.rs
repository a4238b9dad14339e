//! Imagining: whole states that one seat cannot tell from the true one by anything it has observed since the game began.
//!
//! A world is made by playing the game's history again with other results of chance, and other secret answers of other
//! seats. It is kept only if the seat would have been told the same at every step. So a world is always one that the
//! rules can lead to, and what a seat has seen and remembers is respected without any knowledge of the game. What has
//! not happened yet is open: a world has a seed of its own.
//!
//! **A world does not depend on what is hidden.** The true results are looked at where the seat has seen them, and
//! nowhere else: what is hidden is drawn from nothing, never changed a little. So two games that the seat cannot tell
//! apart give it the same worlds for the same dice, which is a test (`tests/replay.rs`), and a player that thinks in
//! worlds cannot cheat. Where no world is found in so many tries there is none; the truth never stands in for it.
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

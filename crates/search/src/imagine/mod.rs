//! Determinization: samples full states that one seat cannot distinguish from the true one by anything it has observed
//! since the game began.
//!
//! A world is built by replaying the game's history with other random results and other secret answers of other seats.
//! It is accepted only if the seat would have received the same events at every step. A world is therefore always
//! reachable by the rules, and respects everything that the seat has seen, without any knowledge of the game. The future
//! is open: a world has its own seed.
//!
//! **A world does not depend on hidden information.** The true results are read only where the seat has seen them. Hidden
//! results are drawn from scratch instead of being modified. Two games that the seat cannot distinguish therefore yield
//! the same worlds for the same random numbers, which `tests/replay.rs` verifies, and a bot that searches in worlds cannot
//! cheat. If no world is found within the budget, there is none; the true state never takes its place.
//!
//! | File | Subject |
//! | --- | --- |
//! | `history` | the history of a state |
//! | `line` | the true game as the seat has observed it: random operations and what the seat knows of them |
//! | `draft` | a world under construction, with marks to return to |
//! | `future` | which component may take which place, given later observations |
//! | `sampling` | random results for a world: observed ones stay, the rest is drawn |
//! | `numbers` | numbers of chance that show at once, or later |
//! | `same` | whether the seat receives the same events |
//! | `making` | one step of a world |
//! | `work` | a world that is built or repaired, and what is spent on it |
//! | `proposal` | changes where the seat would notice a difference |
//! | `answers` | secret answers that agree with what the seat saw of them later |
//! | `refused` | changes where a choice is impossible |
//! | `repair` | from the setup to the present: changes what diverges instead of starting again |
//! | `world` | worlds, and the information gain of a choice |

mod answers;
mod change;
mod draft;
mod future;
mod history;
mod line;
mod making;
mod mark;
mod numbers;
mod proposal;
mod refused;
mod repair;
mod same;
mod sampling;
mod work;
mod world;

pub use history::{GameHistory, Made};
pub use world::{Imagination, ImaginationMemory};

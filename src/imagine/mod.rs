//! Imagining: whole states that one seat cannot tell from the true one by anything it has observed since the game began.
//!
//! A world is made by playing the game's history again with other results of chance, and other secret answers of other
//! seats, wherever the seat might not notice. It is kept only if the seat would have been told the same at every step.
//! So a world is always one that the rules can lead to, and what a seat has seen and remembers is respected without any
//! knowledge of the game. What has not happened yet is open: a world has a seed of its own.

mod history;
mod plan;
mod told;
mod world;

pub use history::{History, Made};
pub use world::Imagination;

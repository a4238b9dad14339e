//! Everything that changes the state besides words: moves, chance, the course of the game.

pub(crate) mod course;
pub(crate) mod move_helper;
pub(crate) mod moving;
pub(crate) mod random;
pub(crate) mod reset;
pub(crate) mod shuffle;

//! What a definition declares: its names, types and texts, as translation and checks look them up.
//!
//! Nothing here translates or checks.

pub mod constant;
pub mod translation;
pub mod types;
pub mod walk;
pub mod world;

//! Wyrmgate: a headless game service. Rules are data; one engine plays every game.

pub mod check;
pub mod compile;
pub mod diagnostic;
pub mod engine;
pub mod lang;
pub mod program;
pub mod record;
pub mod store;

//! Determinization and bots: worlds that a seat cannot tell from the true one, and players that search in them.

pub mod bot;
pub mod imagine;

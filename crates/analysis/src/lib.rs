//! Studies of games: records, simulation, perft, laws, audits.

pub mod audit;
pub mod explore;
pub mod laws;
pub mod notation;
pub mod oddities;
pub mod perft;
pub mod record;
pub mod replay;
pub mod simulate;
pub mod statistics;
pub mod svg;
pub mod threads;
mod told;

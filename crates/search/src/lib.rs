//! Determinization and bots: sampled worlds that are consistent with what a seat has observed, and players that search
//! in them.

#![deny(clippy::wildcard_enum_match_arm)]

pub mod bot;
pub mod imagine;

//! A process that is killed with `kill -9` under load loses nothing that was acknowledged, and losses of a store are
//! reported.
//!
//! `WYRMGATE_FAULT_SECONDS=120 cargo test --release --test crash nodes -- --nocapture` is the long form of the tests with
//! two nodes.

#![cfg(test)]
#![cfg(unix)]

mod clocks;
#[expect(dead_code, reason = "the tests of the store use all of it")]
#[path = "../store/nodes.rs"]
mod cluster;
mod embedded;
mod idle;
mod ids;
mod moving;
mod nodes;
mod paused;
mod players;
mod process;
mod retries;
mod rewritten;
#[path = "../store/server.rs"]
mod server;
mod upgrades;
mod watching;

//! The laws, on every game in `rules/` and on the example of the language reference; and the commands that
//! play many games: what proves the laws, what audits and compares rules.
//! Here is a short part of what `wyrmgate laws rules` does.

#![cfg(test)]

mod audit;
mod command;
mod games;
mod leaks;
mod notice;
mod planted;
#[path = "../support/mod.rs"]
mod support;

/// The allocator of the program itself.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

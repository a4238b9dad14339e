//! The laws, on every game in `rules/` and on the example of the language reference; and the command that proves them.
//! Here is a short part of what `wyrmgate laws rules` does.

#![cfg(test)]

mod command;
mod games;
mod notice;
#[path = "../support/mod.rs"]
mod support;

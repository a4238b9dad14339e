//! Mutation of rules: which changes are made, and which of them the scenarios notice.

#![cfg(test)]

mod changes;
mod command;
mod equivalents;
mod noticed;
#[path = "../support/mod.rs"]
mod support;

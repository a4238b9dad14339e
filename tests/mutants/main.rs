//! Mutation of rules: which changes are made, and which of them the scenarios notice.

#![cfg(test)]

mod changes;
mod command;
#[path = "../support/mod.rs"]
mod support;

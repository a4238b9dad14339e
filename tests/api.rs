//! The service, spoken to over HTTP as any client would. Names of tests are sentences of the contract.

#![cfg(test)]

#[path = "api/support.rs"]
mod support;

#[path = "api/play.rs"]
mod play;

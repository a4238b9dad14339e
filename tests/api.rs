//! The service, spoken to over HTTP as any client would. Names of tests are sentences of the contract.
//! Every JSON answer that a test looks at is fitted to the OpenAPI document on the way.

#![cfg(test)]

#[path = "api/support.rs"]
mod support;

#[path = "api/access.rs"]
mod access;
#[path = "api/announced.rs"]
mod announced;
#[path = "api/boards.rs"]
mod boards;
#[path = "api/cached.rs"]
mod cached;
#[path = "api/clocks.rs"]
mod clocks;
#[path = "api/compression.rs"]
mod compression;
#[path = "support/nested.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod constructs;
#[path = "api/delayed.rs"]
mod delayed;
#[path = "api/endings.rs"]
mod endings;
#[path = "api/errors.rs"]
mod errors;
#[path = "api/examples.rs"]
mod examples;
#[path = "api/given.rs"]
mod given;
#[path = "api/heavy.rs"]
mod heavy;
#[path = "api/information.rs"]
mod information;
#[path = "api/issuers.rs"]
mod issuers;
#[path = "api/keys.rs"]
mod keys;
#[path = "api/languages.rs"]
mod languages;
#[path = "api/members.rs"]
mod members;
#[path = "api/messages.rs"]
mod messages;
#[path = "api/nested.rs"]
mod nested;
#[path = "api/operation.rs"]
mod operation;
#[path = "api/patches.rs"]
mod patches;
#[path = "api/play.rs"]
mod play;
#[path = "api/players.rs"]
mod players;
#[path = "api/races.rs"]
mod races;
#[path = "api/ratings.rs"]
mod ratings;
#[path = "api/receiver.rs"]
mod receiver;
#[path = "store/server.rs"]
#[expect(dead_code, reason = "the tests of the store also stop and start it")]
mod redis;
#[path = "api/resources.rs"]
mod resources;
#[path = "api/rivals.rs"]
mod rivals;
#[path = "api/rulesets.rs"]
mod rulesets;
#[path = "api/secrets.rs"]
mod secrets;
#[path = "api/seeks.rs"]
mod seeks;
#[path = "api/simulations.rs"]
mod simulations;
#[path = "api/standing.rs"]
mod standing;
#[path = "api/steps.rs"]
mod steps;
#[path = "api/streams.rs"]
mod streams;
#[path = "api/tables.rs"]
mod tables;
#[path = "api/talk.rs"]
mod talk;
#[path = "api/telling.rs"]
mod telling;
#[path = "api/tickets.rs"]
mod tickets;
#[path = "api/tokens.rs"]
mod tokens;
#[path = "api/tournaments.rs"]
mod tournaments;
#[path = "api/undos.rs"]
mod undos;
#[path = "api/upgrades.rs"]
mod upgrades;
#[path = "api/watchers.rs"]
mod watchers;
#[path = "api/webhook_attacks.rs"]
mod webhook_attacks;
#[path = "api/webhook_sender.rs"]
mod webhook_sender;
#[path = "api/webhooks.rs"]
mod webhooks;
#[path = "api/writes.rs"]
mod writes;

/// The allocator of the program itself.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

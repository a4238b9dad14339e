//! Wyrmgate: a headless game service. Rules are data; one engine plays every game.

pub mod api;
pub mod bot;
pub mod check;
pub mod cli;
pub mod compile;
pub mod config;
pub mod diagnostic;
pub mod engine;
pub mod lang;
pub mod program;
pub mod record;
pub mod replay;
pub mod rules;
pub mod scenario;
pub mod session;
pub mod simulate;
pub mod store;

//! The game service: the HTTP API, settings and startup.

pub mod api;
pub mod config;

//! The game service: sessions, webhooks and the HTTP API.

pub mod api;
pub mod config;
pub mod courier;
pub mod metrics;
pub mod session;
pub mod trace;

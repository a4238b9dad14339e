//! The game service: sessions, webhooks and the HTTP API.

pub mod api;
pub mod config;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod metrics;
pub mod session;
pub mod trace;
pub mod webhook_sender;

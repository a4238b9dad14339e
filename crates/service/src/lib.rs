//! The game service: the HTTP API, language models at the table, settings and startup.

pub mod api;
pub mod config;
#[cfg(feature = "mcp")]
pub mod mcp;

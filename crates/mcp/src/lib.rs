//! Language models at the table: the Model Context Protocol, over standard input and output and over HTTP as `/mcp`.
//!
//! ```text
//! model ─ rmcp ─▶ Handler ─ tools, resources, prompts ─▶ Api ─ HTTP ─▶ a server
//! ```
//!
//! This crate is a client of the HTTP API and nothing else: it sees what every client with the same tokens sees, so it
//! cannot show more. A [`Handler`] serves one model and keeps the tokens of its seats; the model never receives them.

mod arguments;
mod call;
mod client;
mod described;
mod desk;
mod handler;
mod http;
mod picture;
mod prompts;
mod resources;
mod room;
mod tables;
mod texts;
mod tools;
mod turn;

pub use client::{Api, NoApi};
pub use handler::{Handler, serve};
pub use http::Endpoint;
pub use tools::definitions;

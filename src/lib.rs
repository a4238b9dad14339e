//! Wyrmgate: a headless game service. Rules are data; one engine plays every game.
//!
//! ```text
//! rules/*.yaml ─ lang ─▶ Definition ─ check ─▶ Checked ─ compile ─▶ Program
//!                                                                     │
//!                      seed + choices ─ engine ─▶ states and events ◀─┘
//!                                          │
//!            requests ─ api ─▶ session ────┴─ one commit a move ─▶ store
//! ```
//!
//! What holds everywhere: the engine knows no file, clock, thread or network, and its randomness is part of its state;
//! a rejected choice changes nothing; whatever leaves for a person has passed `engine`'s one gate of visibility; the
//! store does not know what a game is. Start reading in [`lang::ast`] for the language, [`program`] for what it becomes,
//! [`engine`] for how that is played, and in `ARCHITECTURE.md` for how the hard things are said.

pub mod api;
pub mod audit;
pub mod bot;
pub mod cancel;
pub mod check;
pub mod cli;
pub mod compile;
pub mod config;
pub mod courier;
pub mod diagnostic;
pub mod dice;
pub mod editor;
pub mod engine;
pub mod explore;
pub mod format;
pub mod imagine;
pub mod lang;
pub mod laws;
pub mod metrics;
pub mod mutate;
pub mod perft;
pub mod picture;
pub mod presume;
pub mod program;
pub mod record;
pub mod replay;
pub mod rulebook;
pub mod rules;
pub mod scenario;
pub mod schema;
pub mod session;
pub mod simulate;
pub mod solve;
pub mod statistics;
pub mod store;
pub mod surroundings;
pub mod svg;
pub mod trace;

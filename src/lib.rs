//! Wyrmgate: a headless game service. Rules are data; one engine plays every game.
//!
//! ```text
//! rules/*.yaml ─ lang ─▶ Definition ─ check ─▶ Checked ─ compile ─▶ Program
//!                                                                     │
//!                      seed + choices ─ engine ─▶ states and events ◀─┘
//!                                          │
//!            requests ─ api ─▶ session ────┴─ one commit per move ─▶ store
//! ```
//!
//! Invariants: the engine uses no file, clock, thread or network, and its random numbers are part of its state. A
//! rejected choice changes nothing. Everything that people receive has passed the single visibility check of `engine`.
//! The store does not know games. Start reading in [`lang::ast`] for the language, [`program`] for its compiled form,
//! [`engine`] for playing it, and in `ARCHITECTURE.md` for the overall design.

pub mod cli;

pub use wyrmgate_analysis::{
    audit, explore, laws, perft, record, replay, simulate, solve, statistics, svg,
};
pub use wyrmgate_authoring::{editor, format, mutate, picture, rulebook, rules, scenario, schema};
pub use wyrmgate_base::{cancel, diagnostic, dice, presume};
pub use wyrmgate_compile::{check, compile};
pub use wyrmgate_engine as engine;
pub use wyrmgate_lang as lang;
pub use wyrmgate_program as program;
pub use wyrmgate_runtime::{queue, surroundings};
pub use wyrmgate_search::{bot, imagine};
pub use wyrmgate_service::{api, config, metrics, session, trace, webhook_sender};
pub use wyrmgate_store as store;
pub use wyrmgate_view as view;

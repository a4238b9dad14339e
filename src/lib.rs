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
